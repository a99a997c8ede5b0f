"""T9: impacts and reinforcements."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.timeline.board import NEIGHBOUR
from timeline_env.timeline.turn import can_pay, charge


@rule
def opposite(direction):
    """The direction that leads back."""
    return direction + 3 if direction < 3 else direction - 3


@rule
def has_no_impact_here(s, seat):
    """T9: an event lies in the pawn's node, and the player has no impact on it yet."""
    node = s.pawn[seat]
    return s.event[node] == 1 and s.impact[seat, node] == 0


@rule
def can_impact(rules, s, seat, value):
    """T9: an impact of this value (1 to 3) on the event in the pawn's node."""
    return can_pay(s, seat, rules.impact_au, rules.impact_energy[value - 1]) and has_no_impact_here(s, seat)


@rule
def do_impact(rules, s, seat, side, value):
    """T9: pay, and lay the token beside the tick (side 0) or the cross (side 1)."""
    charge(s, seat, rules.impact_au, rules.impact_energy[value - 1])
    lay_impact(s, seat, side, value)


@rule
def lay_impact(s, seat, side, value):
    """T20: the token as a signed number."""
    s.impact[seat, s.pawn[seat]] = value * (1 - 2 * side)


@rule
def can_be_reinforced(s, node, direction):
    """T9, T29, R16: the other node is on the field and not realized empty, and the junction has no reinforcement yet."""
    other = NEIGHBOUR[node, direction]
    if other < 0 or s.reinforcement[direction, node]:
        return False
    return s.event[other] == 1 or s.realized[other] == 0


@rule
def can_reinforce(rules, s, seat, direction, strength):
    """T9: the pawn stands in an event's node and a mark lies on either side of the junction."""
    node = s.pawn[seat]
    if not can_pay(s, seat, rules.reinforce_au, rules.reinforce_energy[strength - 1]) or s.event[node] == 0:
        return False
    if not can_be_reinforced(s, node, direction):
        return False
    return s.mark[direction, node] != 0 or s.mark[opposite(direction), NEIGHBOUR[node, direction]] != 0


@rule
def do_reinforce(rules, s, seat, direction, strength):
    """T9: pay, and lay a +1 or +2."""
    charge(s, seat, rules.reinforce_au, rules.reinforce_energy[strength - 1])
    lay_reinforcement(s, s.pawn[seat], direction, strength)


@rule
def lay_reinforcement(s, node, direction, strength):
    """T18: written on both sides of the junction; 0 takes it away (T24)."""
    s.reinforcement[direction, node] = strength
    s.reinforcement[opposite(direction), NEIGHBOUR[node, direction]] = strength
