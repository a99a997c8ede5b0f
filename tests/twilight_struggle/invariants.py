"""What is true of every position of Twilight Struggle. Compiled, so that a test can look after every decision of many games.

One file, because the compiler's cache looks for changes only in the file of the function that Python calls.
"""

from __future__ import annotations

import numpy as np

from timeline_env.engine import rng
from timeline_env.engine.jit import entry, rule
from timeline_env.engine.loops import pick
from timeline_env.engine.verbs import deal, play, to_act
from timeline_env.twilight_struggle import frames
from timeline_env.twilight_struggle.board import COUNTRIES, US, USSR
from timeline_env.twilight_struggle.cards import CARDS, CHINA, KIND, NO_CARD, OPTIONAL, PERIOD, STARRED, TURN
from timeline_env.twilight_struggle.numbers import HAND
from timeline_env.twilight_struggle.state import (
    BOX,
    BY_DEFCON,
    DRAW_PILE,
    HANDS,
    HEADLINES,
    IN_FRONT,
    LOOKED_AT,
    MOST_INFLUENCE,
    PLACES,
    REMOVED,
    TABLE,
)

MEANING = (
    "",
    "every card is in exactly one place; `held` counts the hands",
    "R4.4: a card is in the box exactly before its period, or if it is optional and left out",
    "7.2, 7.3.1: only starred cards are out of the game; only what lasts a turn, and 73, lies in front of a player",
    "R4.3: no hand is larger than the turn allows, but for what 43 and 67 add",
    "a card lies on the table only while it is being played, and is looked at only for 108",
    "what a seat knows to be in the other's hand is there",
    "the China Card is with the side that has it, or on the table",
    "influence is 0 to 99",
    "tracks: DEFCON 1 to 5, VP -20 to 20, military operations 0 to 5, space 0 to 8, attempts 0 to 2, turn 1 to 10",
    "R8.1: the game is over at DEFCON 1, and not otherwise by DEFCON",
    "somebody is asked and has a choice, until the game is over",
    "the stack holds frames and nothing above them; `chosen` belongs to the question on top",
    "VP change by what was gained",
    "the game ends",
)
(
    WHERE, BOXED, OUT, HAND_SIZE, ON_TABLE, KNOWN, CHINA_CARD, INFLUENCE, TRACKS, DEFCON, CHOICE, STACK, POINTS, ENDLESS,
) = range(1, len(MEANING))  # fmt: skip
MOST_DECISIONS = 5000
"""More than any game can have: 10 turns of 16 rounds and 2 headlines, of at most 4 cards each with at most 7 decisions."""


@entry
def first_broken(rules, S, seeds, most_decisions, points, where):
    """Play a random game of each seed; the code of the first invariant broken, 0 if none is.

    `points` (int64 [1]) counts what is gained in a game, and is given as 0. `where` (int64 [3]) gets the game, the decision in
    it, and how many decisions were played in all.
    """
    for game in range(seeds.shape[0]):
        where[0] = game
        deal(rules[0], S[0], seeds[game])
        picker = rng.mix(seeds[game])
        for decision in range(most_decisions + 1):
            where[1] = decision
            code = broken(rules[0], S[0])
            if code:
                return code
            if S[0].vp != points[0]:
                return POINTS
            if to_act(S[0]) < 0:
                break
            if decision == most_decisions:
                return ENDLESS
            picker = rng.advance(picker)
            play(rules[0], S[0], pick(S[0].legal, rng.mix(picker)))
            where[2] += 1
            points[0] += S[0].gained
        points[0] = 0
    return 0


@entry
def broken_in(rules, S):
    """`broken`, for Python to call."""
    return broken(rules[0], S[0])


@rule
def broken(rules, s):
    """The code of the first invariant that a position breaks; 0 if it breaks none."""
    if not hands_are_counted(s):
        return WHERE
    if not box_is_right(rules, s):
        return BOXED
    if not piles_are_right(s):
        return OUT
    if not hands_are_small(s):
        return HAND_SIZE
    if not table_is_right(s):
        return ON_TABLE
    if not known_is_right(s):
        return KNOWN
    if not china_is_right(s):
        return CHINA_CARD
    if not influence_is_right(s):
        return INFLUENCE
    if not tracks_are_right(s):
        return TRACKS
    if (s.defcon == 1) != (s.over == 1 and s.ending == BY_DEFCON):
        return DEFCON
    if not choice_is_right(s):
        return CHOICE
    return 0 if stack_is_right(s) else STACK


@rule
def hands_are_counted(s):
    ussr = 0
    us = 0
    for card in range(1, CARDS):
        if s.place[card] < 0 or s.place[card] >= PLACES:
            return False
        if card != CHINA:
            ussr += s.place[card] == HANDS + USSR
            us += s.place[card] == HANDS + US
    return ussr == s.held[USSR] and us == s.held[US]


@rule
def box_is_right(rules, s):
    period = (s.turn >= 4) * 1 + (s.turn >= 8) * 1
    for card in range(1, CARDS):
        left_out = OPTIONAL[card] == 1 and not rules.optional_cards
        if (s.place[card] == BOX) != (PERIOD[card] > period or left_out):
            return False
    return True


@rule
def piles_are_right(s):
    for card in range(1, CARDS):
        if s.place[card] == REMOVED and not STARRED[card]:
            return False
        if s.place[card] == IN_FRONT and KIND[card] != TURN and not (card == 73 and s.lasting[73]):
            return False
    return True


@rule
def hands_are_small(s):
    return s.held[USSR] <= HAND[s.turn] + 2 and s.held[US] <= HAND[s.turn] + 2


@rule
def table_is_right(s):
    for card in range(1, CARDS):
        place = s.place[card]
        if s.over == 0 and place == TABLE and not is_framed(s, card):
            return False
        if s.over == 0 and place == LOOKED_AT and frames.top(s, frames.VALUE) != 108:
            return False
        if HEADLINES <= place < HEADLINES + 2 and s.headline[place - HEADLINES] != card:
            return False
    return True


@rule
def is_framed(s, card):
    for depth in range(s.depth):
        kind = s.question[depth, frames.KIND]
        if s.question[depth, frames.VALUE] == card and (kind == frames.DISPOSE or kind == frames.USE):
            return True
    return False


@rule
def known_is_right(s):
    for card in range(1, CARDS):
        for seat in range(2):
            laid = s.place[card] == HEADLINES + 1 - seat and s.open_headline[1 - seat] == 0
            if s.known[seat, card] and s.place[card] != HANDS + 1 - seat and not laid:
                return False
    return True


@rule
def china_is_right(s):
    return s.place[CHINA] == HANDS + s.china or s.place[CHINA] == TABLE


@rule
def influence_is_right(s):
    for side in range(2):
        for c in range(COUNTRIES):
            if s.influence[side, c] < 0 or s.influence[side, c] > MOST_INFLUENCE:
                return False
    return True


@rule
def tracks_are_right(s):
    for side in range(2):
        if not (0 <= s.milops[side] <= 5 and 0 <= s.space[side] <= 8 and 0 <= s.attempts[side] <= 2):
            return False
    return 1 <= s.defcon <= 5 and -20 <= s.vp <= 20 and 1 <= s.turn <= 10 and 0 <= s.action_round <= 9


@rule
def choice_is_right(s):
    count = 0
    for action in range(s.legal.shape[0]):
        count += s.legal[action]
    if s.over:
        return to_act(s) == -1 and count == 0 and -1 <= s.winner <= 1 and s.ending > 0
    return 0 <= to_act(s) <= 1 and count >= 2


@rule
def stack_is_right(s):
    if s.fault or (s.over == 0 and s.depth == 0) or (s.over == 1 and s.depth > 0):
        return False
    for depth in range(s.depth, frames.DEPTH):
        for column in range(frames.COLUMNS):
            if s.question[depth, column]:
                return False
    kind = frames.top(s, frames.KIND)
    about_countries = frames.ADD <= kind <= frames.DOUBLE or kind == frames.COUP
    for c in range(COUNTRIES):
        if s.chosen[c] and not about_countries:
            return False
    return s.card == NO_CARD or s.place[s.card] != DRAW_PILE


def assert_invariants(rules, states):
    """Fail with the sentence that a position (record array [1]) breaks."""
    code = broken_in(rules, states)
    assert code == 0, MEANING[code]


def where_array():
    """Scratch for `first_broken`."""
    return np.zeros(3, np.int64)
