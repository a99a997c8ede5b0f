"""Events that ask for a card or a level: what may be picked, what then happens, what if nothing is picked (in the cards' order)."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import board, cards, countries, frames, state
from timeline_env.twilight_struggle.board import US, USSR, country
from timeline_env.twilight_struggle.card_play import begin_companion, can_accompany, is_event_possible
from timeline_env.twilight_struggle.countries import remove_influence
from timeline_env.twilight_struggle.events.special import fire, see_ending
from timeline_env.twilight_struggle.frames import ask_countries, pop, push, set_top, top
from timeline_env.twilight_struggle.hands import draw, is_in_hand, put
from timeline_env.twilight_struggle.lasting import act_on, ops_of
from timeline_env.twilight_struggle.tracks import set_defcon

WEST_GERMANY = country("West Germany")
LEAST_DISCARD = 3
"""10, 95: the least Ops of the card that must be given up."""


@rule
def is_highest(s, seat, number):
    """49, trap 6: no other card of the hand is worth more, as modified; scoring cards and the China Card stay out."""
    if not is_in_hand(s, seat, number) or cards.KIND[number] == cards.SCORING:
        return False
    for other in range(1, cards.CARDS):
        if is_in_hand(s, seat, other) and ops_of(s, seat, cards.OPS[other]) > ops_of(s, seat, cards.OPS[number]):
            return False
    return True


@rule
def can_pick(s, seat, source, number):
    """10, 32, 43, 49, 77, 85, 95, 98, 108: what the event of card `source` lets a seat pick."""
    if source == cards.UN_INTERVENTION:
        return can_accompany(s, seat, number)
    if source in (cards.BLOCKADE, cards.DEBT_CRISIS):
        return (
            is_in_hand(s, US, number)
            and cards.KIND[number] != cards.SCORING
            and ops_of(s, US, cards.OPS[number]) >= LEAST_DISCARD
        )
    if source == cards.SALT:
        return s.place[number] == state.DISCARDS and cards.KIND[number] != cards.SCORING
    if source == cards.MISSILE_ENVY:
        return is_highest(s, seat, number)
    if source in (cards.ASK_NOT, cards.ALDRICH_AMES):
        return is_in_hand(s, US, number)
    if source == cards.STAR_WARS:
        return (
            s.place[number] == state.DISCARDS
            and cards.KIND[number] != cards.SCORING
            and is_event_possible(s, US, number)
        )
    return s.place[number] == state.LOOKED_AT


@rule
def do_pick(s, seat, source, number):
    """What the picked card does; the question stays where more may be picked (77, 108, trap 28: before any is drawn)."""
    if source == cards.ASK_NOT:
        put(s, number, state.DISCARDS)
        set_top(s, frames.LEFT, top(s, frames.LEFT) + 1)
        see_ending(s)
    elif source == cards.OUR_MAN_IN_TEHRAN:
        put(s, number, state.DISCARDS)
    else:
        pop(s)
        finish_pick(s, seat, source, number)


@rule
def finish_pick(s, seat, source, number):
    """The one card that was asked for is picked. Trap 10: 85 fires it for the US. Trap 28: what 98 discards does not happen."""
    if source == cards.UN_INTERVENTION:
        begin_companion(s, seat, number)
    elif source == cards.SALT:
        put(s, number, state.HANDS + seat)
        s.known[1 - seat, number] = 1
    elif source == cards.MISSILE_ENVY:
        trade(s, 1 - seat, number)
    elif source == cards.STAR_WARS:
        fire(s, US, number)
    else:
        put(s, number, state.DISCARDS)


@rule
def trade(s, taker, number):
    """49, trap 6: an own or neutral event happens at once; an opponent's card is used for Ops or space, without event."""
    put(s, cards.MISSILE_ENVY, state.HANDS + 1 - taker)
    s.known[taker, cards.MISSILE_ENVY] = 1
    act_on(s, cards.MISSILE_ENVY, 1 - taker)  # who owes it
    if cards.SIDE[number] == cards.NEUTRAL or cards.SIDE[number] == taker:
        fire(s, taker, number)
    else:
        put(s, number, state.TABLE)
        push(s, frames.USE, taker, number)
        set_top(s, frames.FREE, 1)


@rule
def pick_nothing(s, source):
    """10, 49, 77, 95, 108: what follows if the player stops, or has nothing to pick; the question is dropped.

    10: the US loses West Germany. 95: the USSR doubles.
    """
    discarded = top(s, frames.LEFT)
    pop(s)
    if source == cards.BLOCKADE:
        remove_influence(s, US, WEST_GERMANY, s.influence[US, WEST_GERMANY])
    elif source == cards.DEBT_CRISIS:
        ask_countries(
            s, frames.DOUBLE, USSR, cards.DEBT_CRISIS, left=2, side=USSR, where=board.SOUTH_AMERICA,
            sieve=countries.ANY, cap=1, each=0, optional=0,
        )  # fmt: skip
    elif source == cards.MISSILE_ENVY:
        put(s, cards.MISSILE_ENVY, state.DISCARDS)
    elif source == cards.ASK_NOT:
        for _ in range(discarded):
            draw(s, US)
    elif source == cards.OUR_MAN_IN_TEHRAN:
        for number in range(1, cards.CARDS):
            if s.place[number] == state.LOOKED_AT:
                put(s, number, state.DRAW_PILE)


@rule
def can_level(source, level):
    """45: lower, raise or leave DEFCON; 46: any level; 94: a region."""
    if source == cards.SUMMIT:
        return level < 3
    if source == cards.STOP_WORRYING:
        return level < 5
    return source == cards.CHERNOBYL and level < 6


@rule
def do_level(s, source, level):
    """45, 46, 94: carry out the choice; the question is dropped."""
    pop(s)
    if source == cards.SUMMIT:
        if level == 0:
            set_defcon(s, s.defcon - 1)
        elif level == 1:
            set_defcon(s, s.defcon + 1)
    elif source == cards.STOP_WORRYING:
        set_defcon(s, level + 1)
    else:
        s.lasting[cards.CHERNOBYL] = level + 1
