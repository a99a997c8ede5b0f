"""What positions of Twilight Struggle, and operations on them, are worth to a side, in victory points, by rules of thumb.

The functions ask what a country would be worth with other influence: they change the record for that and change it back.
"""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.players.twilight_struggle.country_worth import country_worth, region_points, urgency
from timeline_env.players.twilight_struggle.danger import holds_danger
from timeline_env.twilight_struggle import board, cards, state
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.countries import controller
from timeline_env.twilight_struggle.lasting import (
    coup_keeps_defcon,
    coup_modifier,
    is_closed_by_defcon,
    is_protected,
    may_not_coup,
    may_not_place,
)
from timeline_env.twilight_struggle.operations import cost, realign_bonus

NOTHING = -1.0e9
"""Less than anything is worth: no move."""
MISSING_MILOPS = 1.0
"""What one military operation is worth that is still required this turn."""
DENIAL = 0.8
"""What it is worth to bring DEFCON to 2, where the opponent may not coup battlegrounds."""
EXPOSURE = 1.5
"""What it costs to bring it there with a card in hand that may then lose the game."""
FACES = 6


@rule
def worth_with(s, seat, c, ussr, us):
    """What a country would be worth to `seat` with this influence, its region's points included where control changes."""
    old_ussr, old_us, holder, region = s.influence[USSR, c], s.influence[US, c], controller(s, c), board.REGION[c]
    value = -country_worth(s, seat, c)
    s.influence[USSR, c] = max(0, min(state.MOST_INFLUENCE, ussr))
    s.influence[US, c] = max(0, min(state.MOST_INFLUENCE, us))
    value += country_worth(s, seat, c)
    if controller(s, c) != holder:
        points = region_points(s, seat, region)
        s.influence[USSR, c] = old_ussr
        s.influence[US, c] = old_us
        value += urgency(s, region) * (points - region_points(s, seat, region))
    s.influence[USSR, c] = old_ussr
    s.influence[US, c] = old_us
    return value


@rule
def gain(s, seat, side, c, change):
    """What it is worth to `seat` if the influence of `side` in a country changes by `change`."""
    ussr, us = s.influence[USSR, c], s.influence[US, c]
    return worth_with(s, seat, c, ussr + change, us) if side == USSR else worth_with(s, seat, c, ussr, us + change)


@rule
def placement(s, seat, c, ops):
    """What an Op is worth when influence is placed in a country, as much of it as is best with `ops` Ops."""
    own = s.influence[seat, c]
    spent = 0
    best = NOTHING
    for points in range(1, ops + 1):
        s.influence[seat, c] = min(state.MOST_INFLUENCE, own + points - 1)
        spent += cost(s, seat, c)
        s.influence[seat, c] = own
        if spent <= ops:
            best = max(best, gain(s, seat, seat, c, points) / spent)
    return best


@rule
def best_placement(s, seat, ops):
    """What an Op is worth where influence is placed best."""
    best = 0.0
    for c in range(board.COUNTRIES):
        if s.reach[seat, c] and not may_not_place(s, seat, c):
            best = max(best, placement(s, seat, c, ops))
    return best


@rule
def coup(s, seat, c, ops, free):
    """What a coup is worth on average: influence, military operations, DEFCON."""
    other = s.influence[1 - seat, c]
    sure = ops + coup_modifier(s, seat, c) - 2 * board.STABILITY[c]
    value = 0.0
    for die in range(1, FACES + 1):
        total = max(0, sure + die)
        removed = min(total, other)
        added = total - removed
        if seat == USSR:
            value += worth_with(s, seat, c, s.influence[USSR, c] + added, other - removed) / FACES
        else:
            value += worth_with(s, seat, c, other - removed, s.influence[US, c] + added) / FACES
    if not free:
        value += MISSING_MILOPS * max(0, min(ops, s.defcon - s.milops[seat]))
    if board.BATTLEGROUND[c] and s.defcon == 3 and not coup_keeps_defcon(s, seat, free):
        value += -EXPOSURE if holds_danger(s, seat) else DENIAL
    return value - (1.0 if seat == US and s.lasting[cards.YURI] else 0.0)


@rule
def best_coup(s, seat, ops, lowest):
    """The best coup with a card's operations that leaves DEFCON at `lowest` or above; `NOTHING` without one."""
    best = NOTHING
    for c in range(board.COUNTRIES):
        if (
            s.influence[1 - seat, c] > 0
            and not (board.BATTLEGROUND[c] and s.defcon <= lowest)
            and not is_closed_by_defcon(s, c)
            and not is_protected(s, seat, c)
            and not may_not_coup(s, seat, c)
        ):
            best = max(best, coup(s, seat, c, ops, 0))
    return best


@rule
def realignment(s, seat, c):
    """What a realignment roll is worth on average."""
    edge = realign_bonus(s, seat, c) - realign_bonus(s, 1 - seat, c)
    value = 0.0
    for difference in range(-FACES + 1, FACES):
        ways = FACES - abs(difference)
        won = difference + edge
        if won > 0:
            value += ways * gain(s, seat, 1 - seat, c, -won)
        elif won < 0:
            value += ways * gain(s, seat, seat, c, won)
    return value / (FACES * FACES)
