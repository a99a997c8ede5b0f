"""R2.1: control, and what influence costs."""

from __future__ import annotations

import numpy as np

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import board, cards, state
from timeline_env.twilight_struggle.board import US, USSR

# Dynamic filters of a question about countries; `side` is the side whose influence it is about.
(
    ANY,
    NOT_ENEMY_CONTROLLED,
    UNCONTROLLED,
    EMPTY,
    WITH_INFLUENCE,
    SCORING_CARD_SHOWN,
) = range(6)


@rule
def lead(s, side, c):
    """Influence of `side` above that of the other."""
    return s.influence[side, c] - s.influence[1 - side, c]


@rule
def controls(s, side, c):
    """R2.1.7: influence and lead of at least the stability. The lead alone tells, since it is never above the influence."""
    return np.int8(lead(s, side, c)) >= board.STABILITY_BYTE[c]


@rule
def controller(s, c):
    """The side that controls a country; -1 for none."""
    if controls(s, USSR, c):
        return USSR
    return US if controls(s, US, c) else -1


@rule
def add_influence(s, side, c, amount):
    """Put `amount` of influence into a country, up to what a country holds."""
    s.influence[side, c] = min(s.influence[side, c] + amount, state.MOST_INFLUENCE)


@rule
def remove_influence(s, side, c, amount):
    """Take away up to `amount` of influence; return how much it was."""
    removed = min(s.influence[side, c], amount)
    s.influence[side, c] -= removed
    return removed


@rule
def add_to_control(s, side, c):
    """27, trap 33: add what is missing to control; nothing is removed."""
    needed = max(board.STABILITY[c] - s.influence[side, c], board.STABILITY[c] - lead(s, side, c))
    if needed > 0:
        add_influence(s, side, c, needed)


@rule
def is_shown(s, c):
    """104: the US holds the scoring card of the country's region, or Southeast Asia's."""
    if board.IN_SET[board.SOUTHEAST_ASIA, c] and s.place[cards.SOUTHEAST_ASIA_SCORING] == state.HANDS + US:
        return True
    return s.place[cards.SCORING_CARD[board.REGION[c]]] == state.HANDS + US


@rule
def passes(s, sieve, side, c):
    """True if a country is let through by a dynamic filter, for the influence of `side`."""
    if sieve == NOT_ENEMY_CONTROLLED:
        return not controls(s, 1 - side, c)
    if sieve == UNCONTROLLED:
        return controller(s, c) < 0
    if sieve == EMPTY:
        return s.influence[USSR, c] == 0 and s.influence[US, c] == 0
    if sieve == WITH_INFLUENCE:
        return s.influence[side, c] > 0
    if sieve == SCORING_CARD_SHOWN:
        return is_shown(s, c)
    return True


@rule
def controlled_neighbours(s, side, c):
    """How many neighbours of a country `side` controls; its own superpower counts as one (R2.1.5)."""
    count = board.NEXT_TO_SUPERPOWER[side, c]
    for place in range(board.MOST_NEIGHBOURS):
        other = board.NEIGHBOURS[c, place]
        if other >= 0 and controls(s, side, other):
            count += 1
    return count


@rule
def count_controlled(s, side, where):
    """How many countries of a set `side` controls."""
    count = 0
    for c in range(board.COUNTRIES):
        if board.IN_SET[where, c] and controls(s, side, c):
            count += 1
    return count


@rule
def controlled_battlegrounds(s, side):
    """How many battlegrounds `side` controls in all."""
    count = 0
    for c in range(board.COUNTRIES):
        if board.BATTLEGROUND[c] and controls(s, side, c):
            count += 1
    return count


@rule
def see_reach(s, side):
    """Trap 31: where influence may be placed: own influence or next to it, or next to the own superpower; frozen now."""
    for half in range(2):
        near = board.AROUND_SUPERPOWER[half, side]
        for c in range(board.COUNTRIES):
            near |= (s.influence[side, c] > 0) * board.AROUND[half, c]
        for place in range(board.HALF):
            s.reach[side, board.HALF * half + place] = (near >> place) & 1
