"""7.3, 7.4: what lasting events change, in one place: the value of operations, coups, realignments, attacks, placement."""

from __future__ import annotations

import numpy as np

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import board, cards
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.countries import controls

IS_FRANCE, IS_WEST_GERMANY, IS_JAPAN = (
    np.array([name == one for name in board.COUNTRY_NAMES], np.int8) for one in ("France", "West Germany", "Japan")
)
"""[country]: 1 for the country of that name alone, as bytes."""

CLOSED_AT = (
    4 * board.IN_SET[board.EUROPE] + 3 * board.IN_SET[board.ASIA] + 2 * board.IN_SET[board.MIDDLE_EAST]
).astype(np.int8)
"""[country]: R8.1.5: coups and realignments need a DEFCON above this."""

OUTSIDE_ASIA, OUTSIDE_SOUTHEAST_ASIA = 1, 2
"""Bits of a frame's OUTSIDE: operations were used elsewhere, and the region's bonus is lost."""


@rule
def acts_on(s, card, seat):
    """True if a lasting event that has a side (`cards.SIDED`) is in effect, and this is its side."""
    return s.lasting[card] == seat + 1


@rule
def act_on(s, card, seat):
    """A lasting event that has a side (`cards.SIDED`) takes effect on this side."""
    s.lasting[card] = seat + 1


@rule
def ops_of(s, seat, printed):
    """7.4, traps 1 and 2: what `printed` operations are worth to a seat: 25, 51 and 31 added up, then kept within 1 to 4.

    7.4.1, 7.4.2: the change is the seat's and not the card's, and holds for every use: whatever asks for Ops calls this.
    """
    value = printed
    if s.lasting[cards.CONTAINMENT if seat == US else cards.BREZHNEV]:
        value += 1
    if acts_on(s, cards.RED_SCARE, seat):
        value -= 1
    return max(1, min(4, value))


@rule
def bonuses(s, seat, card, outside):
    """7.4, trap 3: extra Ops if all are used in Asia (6), and if all are used in Southeast Asia (9). `outside`: see `outside_bits`."""
    asia = card == cards.CHINA and not outside & OUTSIDE_ASIA
    southeast_asia = seat == USSR and s.lasting[cards.VIETNAM_REVOLTS] and not outside & OUTSIDE_SOUTHEAST_ASIA
    return (1 if asia else 0), (1 if southeast_asia else 0)


@rule
def outside_bits(c):
    """The bits of OUTSIDE that operations in `c` set."""
    return (1 - board.IN_SET[board.ASIA, c]) * OUTSIDE_ASIA + (
        1 - board.IN_SET[board.SOUTHEAST_ASIA, c]
    ) * OUTSIDE_SOUTHEAST_ASIA


@rule
def coup_modifier(s, seat, c):
    """Trap 23: 43 takes 1 from every coup; 69 gives its player 1 and takes 1 from the other, in Latin America only."""
    value = -1 if s.lasting[cards.SALT] else 0
    if s.lasting[cards.DEATH_SQUADS] and board.IN_SET[board.LATIN_AMERICA, c]:
        value += 1 if acts_on(s, cards.DEATH_SQUADS, seat) else -1
    return value


@rule
def realign_modifier(s, seat):
    """93: the US realigns at 1 less."""
    return -1 if seat == US and s.lasting[cards.IRAN_CONTRA] else 0


@rule
def is_closed_by_defcon(s, c):
    """R8.1.5: whether DEFCON closes a country to coups and realignments."""
    return s.defcon <= CLOSED_AT[c]


@rule
def is_under_nato(s, c):
    """Trap 18: US-controlled Europe under 21; 17 opens France, 55 West Germany."""
    opened = ((IS_FRANCE[c] != 0) & (s.lasting[cards.DE_GAULLE] != 0)) | (
        (IS_WEST_GERMANY[c] != 0) & (s.lasting[cards.WILLY_BRANDT] != 0)
    )
    covered = (s.lasting[cards.NATO] != 0) & (board.REGION_BYTE[c] == board.EUROPE)
    return covered & controls(s, US, c) & (not opened)


@rule
def is_protected(s, seat, c):
    """What the USSR may neither coup nor realign: US-controlled Europe (21) and Japan (27)."""
    return (seat == USSR) & (is_under_nato(s, c) | ((IS_JAPAN[c] != 0) & (s.lasting[cards.JAPAN_PACT] != 0)))


@rule
def may_not_coup(s, seat, c):
    """87: no USSR coups in Europe."""
    return (seat == USSR) & (s.lasting[cards.REFORMER] != 0) & (board.REGION_BYTE[c] == board.EUROPE)


@rule
def may_not_place(s, seat, c):
    """94: no USSR influence by operations in the region the US chose."""
    return (seat == USSR) & (np.int8(s.lasting[cards.CHERNOBYL] - 1) == board.REGION_BYTE[c])


@rule
def coup_keeps_defcon(s, seat, free):
    """Trap 15: under 41 US coups paid by Ops do not lower DEFCON."""
    return seat == US and s.lasting[cards.NUCLEAR_SUBS] != 0 and not free
