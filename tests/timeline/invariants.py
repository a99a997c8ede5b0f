"""What is true of every position of Timeline. Compiled, so that a test can look after every decision of many games.

One long file, because the compiler's cache looks for changes only in the file of the function that Python calls.
"""

from __future__ import annotations

import numpy as np

from timeline_env.engine import questions, rng
from timeline_env.engine.jit import entry, rule
from timeline_env.engine.loops import pick
from timeline_env.engine.verbs import deal, play, to_act
from timeline_env.timeline.actions import PLEDGE, RIVAL
from timeline_env.timeline.board import DIRECTIONS, FIRST, LATER, NEIGHBOUR, NODES, RADII
from timeline_env.timeline.state import (
    ARTIFACT_KINDS,
    ATTACK_CROSS,
    ATTACK_TICK,
    ATTACKING,
    BLANK,
    DISPLACED,
    FLEXIBLE_KINDS,
    KINDS_OF_CARD,
    LINKS,
    LOGISTIC,
    MOST_BAG,
    MOST_CARDS,
    MOST_DECK,
    NO_CARD,
    NOBODY,
    ORIGINAL,
    SUPPORT,
    TURN,
)

MEANING = (
    "",
    "T7: every card of the deck is in the deck, a hand, the field or among those put away, and nowhere twice",
    "T9: hands and deck have their cards where they say",
    "T6, T30: each player's flexible events are in the hand or on the field; the original event lies in the centre",
    "T14: no more tokens of a kind than the bag held, at most three artifacts a player",
    "T9: energy from 0 to 39, action units never negative and only in one's own turn",
    "T10: one event a node at most, and nothing of an event where there is none",
    "T11: marks lie as the card was turned, backward ones face earlier nodes and forward ones later nodes",
    "T29: a logistic event has one to four marks, one of them backward; realized, no backward one",
    "T18, T24: a junction's tokens are the same from both sides, 4 at most, and gone once its later node is realized",
    "T4: the realized nodes are exactly the past; only a realized event has an outcome",
    "T23: a pawn stands in a realized node only while it is asked to leave, or after the end",
    "T12, T20, T24: an unrealized event has a stance and its organizer's token, an event of the past no tokens",
    "T27, T28, T22: arcs as the card, or as the organizer, says",
    "T4, T8: rounds and turns are counted within the phase; the first player's place moves one seat a round",
    "T9a: somebody is asked and has a choice, until the game is over",
    "T28: a pledge names another player, and two players make none",
    "T15: points are noted when their phase is over, not before",
    "T22: points change by what was gained",
    "the game ends",
)
(
    CARDS, PLACES, FLEXIBLE, TOKENS, PURSE, EVENTS, TIME, LOGISTICS, REINFORCEMENTS, PAST, PAWNS, STANCES, ARCS, CLOCK,
    CHOICE, PLEDGES, NOTES, POINTS, ENDLESS,
) = range(1, len(MEANING))  # fmt: skip


@rule
def cards_are_conserved(rules, s, count):
    """T7. `count` is scratch, int64 [kinds of card]."""
    count[:] = 0
    for i in range(rules.deck_size):
        count[rules.deck[i]] += 1
    for i in range(MOST_DECK):
        if s.deck[i] != NO_CARD:
            count[s.deck[i]] -= 1
    for seat in range(rules.num_players):
        for place in range(s.held[seat]):
            count[s.hand[seat, place]] -= 1
    for node in range(NODES):
        if 0 <= s.card[node] < ATTACKING:
            count[s.card[node]] -= 1
    astray = 0
    for card in range(ATTACKING):
        astray += count[card] != 0
    return astray == 0


@rule
def places_are_in_order(rules, s):
    """T9."""
    for seat in range(rules.num_players):
        if not 0 <= s.held[seat] <= rules.most_cards:
            return False
        for place in range(MOST_CARDS):
            if (s.hand[seat, place] != NO_CARD) != (place < s.held[seat]):
                return False
    if not 0 <= s.discarded <= s.drawn <= rules.deck_size:
        return False
    astray = 0
    for i in range(MOST_DECK):
        astray += (s.deck[i] != NO_CARD) != (i < s.discarded or s.drawn <= i < rules.deck_size)
    return astray == 0


@rule
def flexible_events_are_conserved(rules, s):
    """T6, T30."""
    for kind in range(FLEXIBLE_KINDS):
        expected = 0 if ATTACKING + kind != LOGISTIC and rules.num_players == 2 else rules.num_players
        for seat in range(rules.num_players):
            expected -= s.flexible[seat, kind]
        for node in range(NODES):
            expected -= s.card[node] == ATTACKING + kind
        if expected != 0:
            return False
    originals = 0
    for node in range(NODES):
        originals += s.card[node] == ORIGINAL
    return originals == 1 and s.card[0] == ORIGINAL


@rule
def tokens_are_conserved(rules, s):
    """T14."""
    for kind in range(BLANK + 1):
        left = 0
        for i in range(rules.bag_size):
            left += rules.bag[i] == kind
            left -= s.bag[i] == kind
        for seat in range(rules.num_players):
            left -= s.artifact[seat, kind] if kind < ARTIFACT_KINDS else 0
        if left < 0:
            return False
    for i in range(MOST_BAG):
        if (s.bag[i] >= 0) != (s.bag_drawn <= i < rules.bag_size):
            return False
    for seat in range(rules.num_players):
        kept = 0
        for kind in range(ARTIFACT_KINDS):
            kept += s.artifact[seat, kind]
        if kept > rules.most_kept:
            return False
    return True


@rule
def purse_is_sound(rules, s):
    """T9."""
    for seat in range(rules.num_players):
        if not 0 <= s.energy[seat] <= rules.most_energy:
            return False
    if s.depth == 0 or s.question[0, questions.KIND] == DISPLACED:
        return s.au == 0 and s.winged == 0
    return s.au >= 0


@rule
def events_are_whole(rules, s):
    """T10."""
    for node in range(NODES):
        if s.event[node] != (s.card[node] != NO_CARD) or not 0 <= s.event[node] <= 1:
            return False
        things = s.stance[node] != 0 or s.outcome[node] != 0 or s.turned[node] != 0
        for direction in range(DIRECTIONS):
            things = things or s.mark[direction, node] != 0
        for seat in range(rules.num_players):
            things = things or s.organizer[seat, node] != 0 or s.impact[seat, node] != 0
            things = things or s.if_yes[seat, node] != 0 or s.if_no[seat, node] != 0
        if things and not s.event[node]:
            return False
    return True


@rule
def is_finished(s, node):
    """T24: realized, and all tokens are gone; the node being realized still has them."""
    return s.realized[node] == 1 and node != s.realizing


@rule
def marks_lie_in_time(rules, s):
    """T11."""
    for node in range(NODES):
        card = s.card[node]
        if card in (NO_CARD, LOGISTIC):
            continue
        for edge in range(DIRECTIONS):
            direction = (edge + s.turned[node]) % DIRECTIONS
            if s.mark[direction, node] != rules.mark[card, edge]:
                return False
            if rules.mark[card, edge] != 0 and rules.backward[card, edge] == LATER[node, direction]:
                return False
    return True


@rule
def logistic_marks_are_sound(s):
    """T29."""
    setting = questions.top(s, questions.KIND) == LINKS
    for node in range(NODES):
        if s.card[node] != LOGISTIC:
            continue
        backward = 0
        forward = 0
        for direction in range(DIRECTIONS):
            if s.mark[direction, node] != 0:
                forward += LATER[node, direction]
                backward += not LATER[node, direction]
        if is_finished(s, node):
            if backward > 0 or forward > 3:
                return False
        elif backward + forward > 4 or (backward == 0 and (forward > 0 or not setting)):
            return False
    return not setting or tokens_alone_are_sound(s)


@rule
def tokens_alone_are_sound(s):
    """T29, R4: where the organizer has set a token by itself one lies, and no mark of the event."""
    node = s.pawn[questions.top(s, questions.SEAT)]
    for direction in range(DIRECTIONS):
        alone = (questions.top(s, questions.VALUE) >> direction) & 1
        if alone and (s.mark[direction, node] != 0 or s.reinforcement[direction, node] == 0):
            return False
    return True


@rule
def reinforcements_are_sound(s):
    """T18, T24."""
    for node in range(NODES):
        for direction in range(DIRECTIONS):
            strength = s.reinforcement[direction, node]
            if strength == 0:
                continue
            other = NEIGHBOUR[node, direction]
            if other < 0 or not 1 <= strength <= 4 or s.reinforcement[(direction + 3) % 6, other] != strength:
                return False
            if is_finished(s, max(node, other)):
                return False
    return True


@rule
def past_is_realized(s):
    """T4."""
    past = FIRST[s.phase]
    if s.realizing >= 0:
        past = s.realizing + 1
    if s.over:
        past = NODES
    for node in range(NODES):
        if s.realized[node] != (node < past):
            return False
        if abs(s.outcome[node]) != (s.event[node] and s.realized[node]):
            return False
    return True


@rule
def pawns_are_in_the_present(rules, s):
    """T23."""
    for seat in range(rules.num_players):
        asked = 0
        for i in range(s.depth):
            asked += s.question[i, questions.KIND] == DISPLACED and s.question[i, questions.SEAT] == seat
        if asked > 1 or not 0 <= s.pawn[seat] < NODES:
            return False
        if not s.over and s.realized[s.pawn[seat]] != asked:
            return False
        if asked and s.pawn[seat] != s.realizing:
            return False
    return True


@rule
def tokens_lie_on_the_present(rules, s):
    """T12, T20, T24."""
    for node in range(NODES):
        organizers = 0
        impacts = 0
        for seat in range(rules.num_players):
            organizers += s.organizer[seat, node]
            impacts += s.impact[seat, node] != 0
            if abs(s.impact[seat, node]) > max(3, rules.amplifier_impact):
                return False
        open_event = s.event[node] == 1 and not is_finished(s, node)
        if abs(s.stance[node]) != open_event or organizers != (open_event and node > 0):
            return False
        if impacts > 0 and not open_event:
            return False
    return True


@rule
def arcs_are_sound(rules, s):
    """T22, T27, T28."""
    asked = questions.top(s, questions.KIND)
    for node in range(NODES):
        card = s.card[node]
        ticks = 0
        crosses = 0
        for seat in range(rules.num_players):
            if 0 <= card < ATTACKING:
                if s.if_yes[seat, node] != rules.if_yes[card, seat] or s.if_no[seat, node] != rules.if_no[card, seat]:
                    return False
            elif s.organizer[seat, node] and (s.if_yes[seat, node] or s.if_no[seat, node]):
                return False
            ticks += s.if_yes[seat, node]
            crosses += s.if_no[seat, node]
        if card >= ATTACKING and is_finished(s, node) and (ticks != 0 or crosses != 0):
            return False
        if card == ATTACKING and not s.realized[node]:
            choosing = asked in (ATTACK_TICK, ATTACK_CROSS)
            if not choosing and (ticks != -1 or crosses != -1):
                return False
        if card == ATTACKING + 1 and not s.realized[node] and asked != SUPPORT and ticks + crosses != 1:
            return False
    return True


@rule
def clock_is_right(rules, s):
    """T4, T8."""
    if s.over:
        return s.phase == RADII - 1 and s.depth == 0
    realizing = s.realizing >= 0
    if not 0 <= s.phase < RADII or not 0 <= s.turns < rules.num_players:
        return False
    if realizing and (s.lap != rules.rounds[s.phase] or s.turns != 0):
        return False
    if not realizing and not 0 <= s.lap < rules.rounds[s.phase]:
        return False
    rounds = s.lap
    for phase in range(s.phase):
        rounds += rules.rounds[phase]
    if s.first != rounds % rules.num_players:
        return False
    return realizing or s.question[0, questions.SEAT] == (s.first + s.turns) % rules.num_players


@rule
def somebody_has_a_choice(rules, s):
    """T9a. The mask offers two actions or more of those that this number of players has, or the game is over."""
    count = 0
    for action in range(s.legal.shape[0]):
        count += s.legal[action]
        if s.legal[action] and action >= RIVAL + (PLEDGE + 1) * (rules.num_players - 1):
            return False
    if s.fault or (s.depth == 0) != (s.over == 1):
        return False
    if s.over:
        return count == 0 and s.realizing == -1
    bottom = s.question[0, questions.KIND]
    if bottom == TURN and s.depth > 2:
        return False
    for i in range(1, s.depth):
        if (s.question[i, questions.KIND] == DISPLACED) != (bottom == DISPLACED):
            return False
    return count >= 2 and bottom in (TURN, DISPLACED)


@rule
def pledges_name_others(rules, s):
    """T28, R18."""
    for seat in range(rules.num_players):
        if s.pledge[seat] == NOBODY:
            continue
        if rules.num_players == 2 or s.pledge[seat] == seat or not 0 <= s.pledge[seat] < rules.num_players:
            return False
    return True


@rule
def notes_are_of_the_past(rules, s):
    """T15."""
    for phase in range(1, RADII):
        ended = s.phase > phase or (s.phase == phase and (s.realizing >= 0 or s.over == 1))
        for seat in range(rules.num_players):
            if s.note[phase - 1, seat] != 0 and not ended:
                return False
    return True


@rule
def broken(rules, s, count):
    """The number in MEANING of an invariant that this position breaks; 0 if none. `count` is scratch."""
    if not cards_are_conserved(rules, s, count):
        return CARDS
    if not places_are_in_order(rules, s):
        return PLACES
    if not flexible_events_are_conserved(rules, s):
        return FLEXIBLE
    if not tokens_are_conserved(rules, s):
        return TOKENS
    if not purse_is_sound(rules, s):
        return PURSE
    if not events_are_whole(rules, s):
        return EVENTS
    if not marks_lie_in_time(rules, s):
        return TIME
    if not logistic_marks_are_sound(s):
        return LOGISTICS
    if not reinforcements_are_sound(s):
        return REINFORCEMENTS
    if not past_is_realized(s):
        return PAST
    if not pawns_are_in_the_present(rules, s):
        return PAWNS
    if not tokens_lie_on_the_present(rules, s):
        return STANCES
    if not arcs_are_sound(rules, s):
        return ARCS
    if not clock_is_right(rules, s):
        return CLOCK
    if not somebody_has_a_choice(rules, s):
        return CHOICE
    if not pledges_name_others(rules, s):
        return PLEDGES
    return 0 if notes_are_of_the_past(rules, s) else NOTES


@entry
def broken_in(rules, S, count):
    """`broken` of the first record of an array."""
    return broken(rules[0], S[0], count)


@entry
def first_broken(rules, S, seeds, most_decisions, count, points, where):
    """Play a uniformly random game from each seed and look after every decision.

    Gives the number in MEANING of the first invariant broken, with the game and the decision in `where` (int64 [3]);
    0 if none, then `where[2]` is the number of all decisions. `count` is scratch; `points` (int64 [6]) counts what each seat
    gains in a game, and is given as 0.
    """
    s = S[0]
    where[2] = 0
    for game in range(seeds.shape[0]):
        deal(rules[0], s, seeds[game])
        picker = seeds[game]
        decisions = 0
        where[0] = game
        while True:
            where[1] = decisions
            code = broken(rules[0], s, count)
            for seat in range(rules[0].num_players):
                points[seat] += s.gained[seat]
                code = code if points[seat] == s.points[seat] else POINTS
            if decisions > most_decisions:
                code = ENDLESS
            if code:
                return code
            if to_act(s) < 0:
                break
            picker = rng.advance(picker)
            play(rules[0], s, pick(s.legal, rng.mix(picker)))
            decisions += 1
        where[2] += decisions
        points[:] = 0
    return 0


def assert_invariants(rules, states):
    """Assert that the first record of `states` breaks no invariant."""
    code = broken_in(rules, states, np.zeros(KINDS_OF_CARD, np.int64))
    assert code == 0, MEANING[code]
