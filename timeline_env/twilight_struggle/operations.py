"""R6: operations: influence (R6.1), realignment (R6.2), coups (R6.3), bounded by what they are worth in each region."""

from __future__ import annotations

import numpy as np

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import actions, board, cards, frames, state
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.countries import (
    add_influence,
    controlled_neighbours,
    controls,
    remove_influence,
)
from timeline_env.twilight_struggle.frames import pop, set_top, top
from timeline_env.twilight_struggle.lasting import (
    acts_on,
    bonuses,
    coup_keeps_defcon,
    coup_modifier,
    is_closed_by_defcon,
    is_protected,
    may_not_coup,
    may_not_place,
    outside_bits,
    realign_modifier,
)
from timeline_env.twilight_struggle.tracks import add_milops, award, end_game, roll, set_defcon

MOST_COST = 2
"""R6.1.2: Ops for a point of influence in an enemy-controlled country."""


@rule
def terms_of(s):
    """What the frame on top says of all countries alike: Ops left, extra Ops in Asia and in Southeast Asia, WITHIN, FREE.

    Read once for all countries: after a write to a record, the compiler must assume that its other fields may have changed.
    """
    asia, southeast_asia = bonuses(s, top(s, frames.SEAT), top(s, frames.VALUE), top(s, frames.OUTSIDE))
    left = top(s, frames.OPS) - top(s, frames.SPENT)
    return left, asia, southeast_asia, top(s, frames.WITHIN), top(s, frames.FREE)


@rule
def ops_in(terms, c):
    """Trap 3: Ops left for a country: a region's bonus counts only if all is used there. `terms`: from `terms_of`."""
    left, asia, southeast_asia, _within, _free = terms
    more = asia * board.IN_SET_BYTE[board.ASIA, c] + southeast_asia * board.IN_SET_BYTE[board.SOUTHEAST_ASIA, c]
    return np.int8(left + more)


@rule
def ops_left(s, c):
    """`ops_in` of the frame on top."""
    return ops_in(terms_of(s), c)


@rule
def spend(s, c, amount):
    """Ops of the frame on top are used in a country."""
    set_top(s, frames.SPENT, top(s, frames.SPENT) + amount)
    set_top(s, frames.OUTSIDE, top(s, frames.OUTSIDE) | outside_bits(c))


@rule
def cost(s, seat, c):
    """R6.1.2: a point costs 2 Ops while the country is enemy-controlled, else 1."""
    return 1 + controls(s, 1 - seat, c) * (MOST_COST - 1)


@rule
def can_place(s, terms, seat, c):
    """R6.1: in reach as at the start of the round, not barred by 94, and paid for. `terms`: from `terms_of`, as for all below."""
    # "&" instead of "and" in what is asked of all countries, so that the compiler does many at once.
    return (
        (s.reach[seat, c] != 0)
        & (not may_not_place(s, seat, c))
        & (s.influence[seat, c] < state.MOST_INFLUENCE)
        & (cost(s, seat, c) <= ops_in(terms, c))
    )


@rule
def do_place(s, seat, c):
    """R6.1: one point of influence."""
    spend(s, c, cost(s, seat, c))
    add_influence(s, seat, c, 1)


@rule
def can_attack(s, terms, seat, c):
    """R6.2, R6.3, R8.1.5: enemy influence, not closed by DEFCON unless it is free (trap 11), not protected."""
    _left, _asia, _southeast_asia, within, free = terms
    return (
        (s.influence[1 - seat, c] > 0)
        & (board.IN_SET_BYTE[within, c] != 0)
        & ((free != 0) | (not is_closed_by_defcon(s, c)))
        & (not is_protected(s, seat, c))
    )


@rule
def can_realign(s, terms, seat, c):
    """R6.2: one Op a roll."""
    return can_attack(s, terms, seat, c) & (ops_in(terms, c) >= 1)


@rule
def realign_bonus(s, side, c):
    """R6.2.2: a side's die has +1 for each neighbour controlled (the own superpower too), +1 for more influence in the target."""
    more = 1 if s.influence[side, c] > s.influence[1 - side, c] else 0
    return controlled_neighbours(s, side, c) + more + realign_modifier(s, side)


@rule
def do_realign(s, c):
    """R6.2: both roll, the USSR first; the higher removes the difference from the other. 47: free rolls are all in one region."""
    spend(s, c, 1)
    if top(s, frames.FREE):
        set_top(s, frames.WITHIN, board.REGION[c])
    ussr = roll(s) + realign_bonus(s, USSR, c)
    us = roll(s) + realign_bonus(s, US, c)
    if ussr > us:
        remove_influence(s, US, c, ussr - us)
    elif us > ussr:
        remove_influence(s, USSR, c, us - ussr)


@rule
def may_stop_realigning(s):
    """R6.2: after the first roll no other is owed."""
    return top(s, frames.SPENT) > 0


@rule
def can_coup(s, terms, seat, c):
    """R6.3: a target may be couped once with a card; 107's second coup needs another country."""
    return can_attack(s, terms, seat, c) & (not may_not_coup(s, seat, c)) & (s.chosen[c] == 0)


@rule
def do_coup(s, seat, c):
    """R6.3, trap 13: the coup with all Ops of the frame on top, which is dropped; gives the influence removed."""
    ops = ops_left(s, c)
    free = top(s, frames.FREE)
    pop(s)
    if acts_on(s, cards.CUBAN_MISSILES, seat):
        end_game(s, 1 - seat, state.BY_MISSILES)
        return 0
    if not free:
        add_milops(s, seat, ops)
    total = roll(s) + ops + coup_modifier(s, seat, c) - 2 * board.STABILITY[c]
    removed = 0
    if total > 0:
        removed = remove_influence(s, 1 - seat, c, total)
        add_influence(s, seat, c, total - removed)
    if board.BATTLEGROUND[c] and not coup_keeps_defcon(s, seat, free):
        set_defcon(s, s.defcon - 1)
    if seat == US and s.lasting[cards.YURI] and not s.over:
        award(s, USSR, 1)
    return removed


@rule
def can_operate(s, operation):
    """True if the frame on top allows the operation and there is a country for it."""
    if not (top(s, frames.ALLOWED) >> operation) & 1:
        return False
    seat, terms = top(s, frames.SEAT), terms_of(s)
    found = np.int8(0)
    if operation == actions.INFLUENCE:
        for c in range(board.COUNTRIES):
            found = np.int8(found | can_place(s, terms, seat, c))
    elif operation == actions.COUP:
        for c in range(board.COUNTRIES):
            found = np.int8(found | can_coup(s, terms, seat, c))
    else:
        for c in range(board.COUNTRIES):
            found = np.int8(found | can_realign(s, terms, seat, c))
    return found != 0


@rule
def do_operate(s, operation):
    """The question on top turns into the one about countries; it can no longer be declined."""
    set_top(s, frames.OPTIONAL, 0)
    if operation == actions.INFLUENCE:
        set_top(s, frames.KIND, frames.PLACE)
    elif operation == actions.COUP:
        set_top(s, frames.KIND, frames.COUP)
    else:
        set_top(s, frames.KIND, frames.REALIGN)
