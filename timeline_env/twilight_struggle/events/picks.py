"""Events that ask for a card or a level: what may be picked, what then happens, what if nothing is (in the cards' order)."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import frames
from timeline_env.twilight_struggle.board import SOUTH_AMERICA, US, USSR, country
from timeline_env.twilight_struggle.card_play import begin_companion, can_accompany, is_event_possible, must_score
from timeline_env.twilight_struggle.cards import (
    ALDRICH_AMES,
    ASK_NOT,
    BLOCKADE,
    CARDS,
    CHERNOBYL,
    DEBT_CRISIS,
    KIND,
    MISSILE_ENVY,
    NEUTRAL,
    OPS,
    OUR_MAN_IN_TEHRAN,
    SALT,
    SCORING,
    SIDE,
    STAR_WARS,
    STOP_WORRYING,
    SUMMIT,
    UN_INTERVENTION,
)
from timeline_env.twilight_struggle.countries import ANY, remove_influence
from timeline_env.twilight_struggle.events.special import fire
from timeline_env.twilight_struggle.frames import ask_countries, pop, push, set_top, top
from timeline_env.twilight_struggle.hands import draw, in_hand, put
from timeline_env.twilight_struggle.lasting import ops_of
from timeline_env.twilight_struggle.state import DISCARDS, DRAW_PILE, HANDS, LOOKED_AT, TABLE
from timeline_env.twilight_struggle.tracks import set_defcon

WEST_GERMANY = country("West Germany")
LEAST_DISCARD = 3
"""10, 95: Ops of the card that must be given up."""


@rule
def is_highest(s, seat, number):
    """49, trap 6: no other card of the hand is worth more, as modified; scoring cards and the China Card stay out."""
    if not in_hand(s, seat, number) or KIND[number] == SCORING:
        return False
    for other in range(1, CARDS):
        if in_hand(s, seat, other) and ops_of(s, seat, OPS[other]) > ops_of(s, seat, OPS[number]):
            return False
    return True


@rule
def can_pick(s, seat, source, number):
    """What the event of card `source` lets a seat pick."""
    if source == UN_INTERVENTION:
        return can_accompany(s, seat, number)
    if source in (BLOCKADE, DEBT_CRISIS):
        return in_hand(s, US, number) and KIND[number] != SCORING and ops_of(s, US, OPS[number]) >= LEAST_DISCARD
    if source == SALT:
        return s.place[number] == DISCARDS and KIND[number] != SCORING
    if source == MISSILE_ENVY:
        return is_highest(s, seat, number)
    if source in (ASK_NOT, ALDRICH_AMES):
        return in_hand(s, US, number)
    if source == STAR_WARS:
        return s.place[number] == DISCARDS and KIND[number] != SCORING and is_event_possible(s, US, number)
    return s.place[number] == LOOKED_AT


@rule
def do_pick(s, seat, source, number):
    """What the picked card does; the question stays where more may be picked (77, 108, trap 28: before any is drawn)."""
    if source == ASK_NOT:
        put(s, number, DISCARDS)
        set_top(s, frames.LEFT, top(s, frames.LEFT) + 1)
        set_top(s, frames.OPTIONAL, 0 if must_score(s, US) else 1)
    elif source == OUR_MAN_IN_TEHRAN:
        put(s, number, DISCARDS)
    else:
        pop(s)
        finish_pick(s, seat, source, number)


@rule
def finish_pick(s, seat, source, number):
    """One card was asked for, and here it is. Trap 10: 85 fires it for the US. Trap 28: what 98 discards does not happen."""
    if source == UN_INTERVENTION:
        begin_companion(s, seat, number)
    elif source == SALT:
        put(s, number, HANDS + seat)
        s.known[1 - seat, number] = 1
    elif source == MISSILE_ENVY:
        trade(s, 1 - seat, number)
    elif source == STAR_WARS:
        fire(s, US, number)
    else:
        put(s, number, DISCARDS)


@rule
def trade(s, taker, number):
    """49, trap 6: an own or neutral event happens at once; an opponent's card is used for Ops or space, without event."""
    put(s, MISSILE_ENVY, HANDS + 1 - taker)
    s.known[taker, MISSILE_ENVY] = 1
    s.lasting[MISSILE_ENVY] = 2 - taker
    if SIDE[number] == NEUTRAL or SIDE[number] == taker:
        fire(s, taker, number)
    else:
        put(s, number, TABLE)
        push(s, frames.USE, taker, number)
        set_top(s, frames.FREE, 1)


@rule
def pick_nothing(s, seat, source):
    """The player stops, or has nothing to pick; the question is dropped."""
    discarded = top(s, frames.LEFT)
    pop(s)
    if source == BLOCKADE:
        remove_influence(s, US, WEST_GERMANY, s.influence[US, WEST_GERMANY])
    elif source == DEBT_CRISIS:
        ask_countries(s, frames.DOUBLE, USSR, DEBT_CRISIS, 2, USSR, SOUTH_AMERICA, ANY, 1, 0, 0)
    elif source == MISSILE_ENVY:
        put(s, MISSILE_ENVY, DISCARDS)
    elif source == ASK_NOT:
        for _ in range(discarded):
            draw(s, US)
    elif source == OUR_MAN_IN_TEHRAN:
        for number in range(1, CARDS):
            if s.place[number] == LOOKED_AT:
                put(s, number, DRAW_PILE)


@rule
def can_level(s, source, level):
    """45: lower, raise or leave DEFCON; 46: any level; 94: a region."""
    if source == SUMMIT:
        return level < 3
    if source == STOP_WORRYING:
        return level < 5
    return source == CHERNOBYL and level < 6


@rule
def do_level(s, source, level):
    """Carry out the choice; the question is dropped."""
    pop(s)
    if source == SUMMIT:
        if level == 0:
            set_defcon(s, s.defcon - 1)
        elif level == 1:
            set_defcon(s, s.defcon + 1)
    elif source == STOP_WORRYING:
        set_defcon(s, level + 1)
    else:
        s.lasting[CHERNOBYL] = level + 1
