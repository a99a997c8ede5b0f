"""What single cards do that no word can say. Called by the word SPECIAL, one function a card, in the order of the cards.

Which cards or levels may be picked, and what then happens, is in ``picks.py``.
"""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import actions, board, cards, countries, frames, numbers, scoring, state
from timeline_env.twilight_struggle.board import US, USSR, country
from timeline_env.twilight_struggle.card_play import must_score, pay_for_war
from timeline_env.twilight_struggle.countries import controls, count_controlled, remove_influence
from timeline_env.twilight_struggle.frames import ask, ask_countries, ask_operation, push, set_top
from timeline_env.twilight_struggle.hands import draw_to, pass_china, put, random_card, show_scoring_cards
from timeline_env.twilight_struggle.lasting import act_on, ops_of
from timeline_env.twilight_struggle.scoring import count_held, standings_with
from timeline_env.twilight_struggle.tracks import add_milops, award, end_game, roll, set_defcon

EGYPT, LIBYA, UK = country("Egypt"), country("Libya"), country("UK")
TEHRAN_CARDS = 5


@rule
def fire(s, seat, number):
    """An event within an event: the card is put on the table, its event follows for `seat`, then it is put away."""
    put(s, number, state.TABLE)
    push(s, frames.DISPOSE, seat, number)
    push(s, frames.EVENT, seat, number)
    pay_for_war(s, seat, number)


@rule
def fired_by(s, number):
    """The card whose event fired the event of `number`, which is under way; `NO_CARD` if none did."""
    for place in range(s.depth - 1, -1, -1):
        if s.question[place, frames.KIND] == frames.RUN and s.question[place, frames.VALUE] != number:
            return s.question[place, frames.VALUE]
    return cards.NO_CARD


@rule
def duck_and_cover(s):
    """4."""
    award(s, US, 5 - s.defcon)


@rule
def five_year_plan(s):
    """5, trap 9: only a US event happens, run by the US; the phasing player stays as it is."""
    number = random_card(s, state.HANDS + USSR)
    if number == cards.NO_CARD:
        return
    if cards.SIDE[number] == US:
        fire(s, US, number)
    else:
        put(s, number, state.DISCARDS)


@rule
def nasser(s):
    """15, trap 33: half, rounded up."""
    remove_influence(s, US, EGYPT, (s.influence[US, EGYPT] + 1) // 2)


@rule
def olympic_games(s, seat):
    """20, trap 34: the sponsor adds 2; ties are rolled again."""
    own = 0
    other = 0
    while own == other:
        own = roll(s) + 2
        other = roll(s)
    award(s, seat if own > other else 1 - seat, 2)


@rule
def independent_reds(s):
    """22."""
    ask_countries(
        s, frames.MATCH, US, cards.INDEPENDENT_REDS, left=1, side=US, where=board.SATELLITES, sieve=countries.ANY,
        cap=0, each=0, optional=0,
    )  # fmt: skip


@rule
def east_european_unrest(s):
    """29: 2 from each in the late war."""
    each = 2 if s.turn >= numbers.LATE_WAR else 1
    ask_countries(
        s, frames.TAKE, US, cards.EAST_EUROPEAN_UNREST, left=3, side=USSR, where=board.EASTERN_EUROPE,
        sieve=countries.ANY, cap=1, each=each, optional=0,
    )  # fmt: skip


@rule
def de_stalinization(s, part):
    """33: first the influence that goes, then as much where it arrives."""
    if part == 0:
        ask_countries(
            s, frames.TAKE, USSR, cards.DE_STALINIZATION, left=4, side=USSR, where=board.EVERYWHERE,
            sieve=countries.ANY, cap=0, each=1, optional=1,
        )  # fmt: skip
    elif s.tally > 0:
        ask_countries(
            s, frames.ADD, USSR, cards.DE_STALINIZATION, left=s.tally, side=USSR, where=board.EVERYWHERE,
            sieve=countries.NOT_ENEMY_CONTROLLED, cap=2, each=1, optional=0,
        )  # fmt: skip


@rule
def arms_race(s, seat):
    """39, trap 34: needs a lead; 3 if the requirement is met too."""
    if s.milops[seat] > s.milops[1 - seat]:
        award(s, seat, 3 if s.milops[seat] >= s.defcon else 1)


@rule
def cuban_missile_crisis(s, seat):
    """40, trap 13."""
    act_on(s, cards.CUBAN_MISSILES, 1 - seat)
    set_defcon(s, 2)


@rule
def count_held_regions(s, seat):
    """45: regions that a side dominates or controls; 35 acts on scoring alone (trap 19)."""
    count = 0
    held = count_held(s)
    for region in range(6):
        ussr_has, us_has, _ = standings_with(s, held, region, False, 0)
        if (us_has if seat == US else ussr_has) >= scoring.DOMINATION:
            count += 1
    return count


@rule
def summit(s):
    """45, trap 34: a tie gives nothing; the winner may move DEFCON by 1."""
    ussr = roll(s) + count_held_regions(s, USSR)
    us = roll(s) + count_held_regions(s, US)
    if ussr != us:
        winner = US if us > ussr else USSR
        award(s, winner, 2)
        ask(s, frames.LEVEL, winner, cards.SUMMIT, 0)


@rule
def stop_worrying(s, seat):
    """46."""
    add_milops(s, seat, 5)
    ask(s, frames.LEVEL, seat, cards.STOP_WORRYING, 0)


@rule
def opec(s):
    """61."""
    award(s, USSR, count_controlled(s, USSR, board.OPEC))


@rule
def grain_sales(s):
    """67, trap 8: a random card of the USSR's hand, or, if it has none, operations at once."""
    number = random_card(s, state.HANDS + USSR)
    if number == cards.NO_CARD:
        grain_operations(s)
        return
    put(s, number, state.HANDS + US)
    s.known[USSR, number] = 1
    if push(s, frames.PLAY, US, cards.GRAIN_SALES):
        set_top(s, frames.LEFT, number)
        set_top(s, frames.OPTIONAL, 1)


@rule
def grain_operations(s):
    """67: 2 Ops for the US, if it does not play the card."""
    ask_operation(
        s, US, cards.GRAIN_SALES, ops_of(s, US, 2), allowed=actions.ANY_OPERATION, within=board.EVERYWHERE,
        free=0, optional=0,
    )  # fmt: skip


@rule
def china_changes_hands(s, number):
    """58, 71, 76, trap 29: passed face up (71: face down) to whom it is due, or the event's other half."""
    if number == cards.CULTURAL_REVOLUTION:
        if s.china == US:
            pass_china(s, USSR, 1)
        else:
            award(s, USSR, 1)
    elif number == cards.NIXON:
        if s.china == USSR:
            pass_china(s, US, 0)
        else:
            award(s, US, 2)
    elif s.china == USSR:
        pass_china(s, US, 1)
    else:
        ask_countries(
            s, frames.ADD, US, cards.USSURI_RIVER, left=4, side=US, where=board.ASIA, sieve=countries.ANY,
            cap=2, each=1, optional=0,
        )  # fmt: skip


@rule
def ask_not(s):
    """77."""
    if ask(s, frames.PICK, US, cards.ASK_NOT, 0):
        see_ending(s)


@rule
def see_ending(s):
    """77, trap 27: the US may stop once each scoring card that it keeps has a round."""
    set_top(s, frames.OPTIONAL, 0 if must_score(s, US) else 1)


@rule
def alliance_for_progress(s):
    """78."""
    count = 0
    for c in range(board.COUNTRIES):
        if board.IN_SET[board.LATIN_AMERICA, c] and board.BATTLEGROUND[c] and controls(s, US, c):
            count += 1
    award(s, US, count)


@rule
def reformer(s):
    """87."""
    ask_countries(
        s, frames.ADD, USSR, cards.REFORMER, left=6 if s.vp < 0 else 4, side=USSR, where=board.EUROPE,
        sieve=countries.ANY, cap=2, each=1, optional=0,
    )  # fmt: skip


@rule
def terrorism(s, seat):
    """92: two cards of the US after 82."""
    count = 2 if seat == USSR and s.lasting[cards.IRANIAN_HOSTAGES] else 1
    for _ in range(count):
        number = random_card(s, state.HANDS + 1 - seat)
        if number != cards.NO_CARD:
            put(s, number, state.DISCARDS)


@rule
def wargames(s, seat):
    """100, trap 34: 6 VP to the opponent, then the game ends without final scoring."""
    award(s, 1 - seat, 6)
    end_game(s, US if s.vp > 0 else (USSR if s.vp < 0 else -1), state.BY_WARGAMES)


@rule
def defectors(s):
    """103, trap 26: in the headline an unresolved USSR headline is cancelled; in a USSR action round the US gains 1 VP
    if the USSR played this card or discarded it to 5; not if the US played it (67), chose it (85) or took it (49)."""
    if s.stage == state.SECOND_HEADLINE:
        if s.headline[USSR] != cards.NO_CARD and s.phasing == US:
            put(s, s.headline[USSR], state.DISCARDS)
            s.headline[USSR] = cards.NO_CARD
            s.open_headline[USSR] = 0
    elif (
        s.action_round > 0
        and s.phasing == USSR
        and (s.card == cards.DEFECTORS or fired_by(s, cards.DEFECTORS) == cards.FIVE_YEAR_PLAN)
    ):
        award(s, US, 1)


@rule
def cambridge_five(s):
    """104: the scoring cards are shown; the USSR may add."""
    show_scoring_cards(s, US)
    ask_countries(
        s, frames.ADD, USSR, cards.CAMBRIDGE_FIVE, left=1, side=USSR, where=board.EVERYWHERE,
        sieve=countries.SCORING_CARD_SHOWN, cap=0, each=1, optional=1,
    )  # fmt: skip


@rule
def special_relationship(s):
    """105."""
    if not controls(s, US, UK):
        return
    with_nato = s.lasting[cards.NATO] != 0
    if with_nato:
        award(s, US, 2)
    ask_countries(
        s, frames.ADD, US, cards.SPECIAL_RELATIONSHIP, left=1, side=US,
        where=board.WESTERN_EUROPE if with_nato else board.NEAR_UK, sieve=countries.ANY,
        cap=0, each=2 if with_nato else 1, optional=0,
    )  # fmt: skip


@rule
def ask_che(s, which):
    """107: the first or the second coup (`which` 1 or 2); it may be declined."""
    if ask_operation(
        s, USSR, cards.CHE, ops_of(s, USSR, cards.OPS[cards.CHE]), allowed=0, within=board.GUERRILLA,
        free=0, optional=which,
    ):  # fmt: skip
        set_top(s, frames.KIND, frames.COUP)


@rule
def our_man_in_tehran(s):
    """108: cards are looked at; what is not discarded goes back to the draw pile."""
    for _ in range(TEHRAN_CARDS):
        draw_to(s, state.LOOKED_AT)
    ask(s, frames.PICK, US, cards.OUR_MAN_IN_TEHRAN, 1)


@rule
def do_special(s, seat, number, part):
    """Dispatch to one function for each file of events; `seat` carries the event out."""
    period = cards.PERIOD[number]
    if period == 0:
        do_special_early(s, seat, number, part)
    elif period == 1:
        do_special_mid(s, seat, number)
    else:
        do_special_late(s, seat, number)


@rule
def do_special_early(s, seat, number, part):
    """The early war."""
    if number == cards.DUCK_AND_COVER:
        duck_and_cover(s)
    elif number == cards.FIVE_YEAR_PLAN:
        five_year_plan(s)
    elif number == cards.NASSER:
        nasser(s)
    elif number == cards.OLYMPIC_GAMES:
        olympic_games(s, seat)
    elif number == cards.INDEPENDENT_REDS:
        independent_reds(s)
    elif number == cards.EAST_EUROPEAN_UNREST:
        east_european_unrest(s)
    elif number == cards.DE_STALINIZATION:
        de_stalinization(s, part)
    elif number == cards.NUCLEAR_TEST_BAN:
        award(s, seat, s.defcon - 2)
    elif number == cards.DEFECTORS:
        defectors(s)
    elif number == cards.CAMBRIDGE_FIVE:
        cambridge_five(s)
    elif number == cards.SPECIAL_RELATIONSHIP:
        special_relationship(s)


@rule
def do_special_mid(s, seat, number):
    """The mid war."""
    if number == cards.ARMS_RACE:
        arms_race(s, seat)
    elif number == cards.CUBAN_MISSILES:
        cuban_missile_crisis(s, seat)
    elif number == cards.SUMMIT:
        summit(s)
    elif number == cards.STOP_WORRYING:
        stop_worrying(s, seat)
    elif number == cards.OPEC:
        opec(s)
    elif number == cards.GRAIN_SALES:
        grain_sales(s)
    elif number == cards.ASK_NOT:
        ask_not(s)
    elif number == cards.ALLIANCE_FOR_PROGRESS:
        alliance_for_progress(s)
    elif number == cards.CHE:
        ask_che(s, 1)
    elif number == cards.OUR_MAN_IN_TEHRAN:
        our_man_in_tehran(s)
    else:
        china_changes_hands(s, number)


@rule
def do_special_late(s, seat, number):
    """The late war."""
    if number == cards.REAGAN:
        award(s, US, s.influence[USSR, LIBYA] // 2)
    elif number == cards.NORTH_SEA_OIL:
        s.extra_round[US] = 1
    elif number == cards.REFORMER:
        reformer(s)
    elif number == cards.TERRORISM:
        terrorism(s, seat)
    elif number == cards.WARGAMES:
        wargames(s, seat)
