"""T9: impacts and reinforcements."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.timeline import board, numbers
from timeline_env.timeline.turn import can_pay, charge


@rule
def opposite_direction(direction):
    """The direction that leads back."""
    return direction + 3 if direction < 3 else direction - 3


@rule
def has_no_impact_here(s, seat):
    """T9: an event lies in the pawn's node, and the player has no impact on it yet; none that is settled, whose tokens have left (T24)."""
    node = s.pawn[seat]
    return s.event[node] == 1 and s.realized[node] == 0 and s.impact[seat, node] == 0


@rule
def impact_price(rules, s, seat, value):
    """T9: the energy for an impact in the pawn's node; the event's organizer has prices of their own."""
    if s.organizer[seat, s.pawn[seat]]:
        return rules.own_impact_energy[value - 1]
    return rules.impact_energy[value - 1]


@rule
def can_impact(rules, s, seat, value):
    """T9: an impact of this value (1 to 3) on the event in the pawn's node."""
    return has_no_impact_here(s, seat) and can_pay(s, seat, rules.impact_au, impact_price(rules, s, seat, value))


@rule
def do_impact(rules, s, seat, side, value):
    """T9: pay, and lay the token beside the tick (side 0) or the cross (side 1)."""
    charge(s, seat, rules.impact_au, impact_price(rules, s, seat, value))
    lay_impact(s, seat, side, value)


@rule
def lay_impact(s, seat, side, value):
    """T20: the token as a signed number."""
    s.impact[seat, s.pawn[seat]] = value * (1 - 2 * side)


@rule
def may_bear_token(s, node, direction):
    """T9, T29, R16: what lies beyond the junction is on the field and was not realized empty."""
    other = board.NEIGHBOUR[node, direction]
    return other >= 0 and (s.event[other] == 1 or s.realized[other] == 0)


@rule
def can_be_reinforced(s, node, direction, strength):
    """T9, T29, R17: a mark lies on either side of the junction, and its tokens would add up to no more than 4."""
    if (
        not may_bear_token(s, node, direction)
        or s.reinforcement[direction, node] + strength > numbers.MOST_REINFORCEMENT
    ):
        return False
    return s.mark[direction, node] != 0 or s.mark[opposite_direction(direction), board.NEIGHBOUR[node, direction]] != 0


@rule
def can_reinforce(rules, s, seat, direction, strength):
    """T9: the pawn stands in the node of an event that is not settled, at a junction that can be reinforced so."""
    node = s.pawn[seat]
    if not can_pay(s, seat, rules.reinforce_au, rules.reinforce_energy[strength - 1]):
        return False
    if s.event[node] == 0 or s.realized[node] == 1:
        return False
    return can_be_reinforced(s, node, direction, strength)


@rule
def do_reinforce(rules, s, seat, direction, strength):
    """T9: pay, and lay a +1 or +2 beside the tokens that lie there."""
    charge(s, seat, rules.reinforce_au, rules.reinforce_energy[strength - 1])
    lay_reinforcement(s, s.pawn[seat], direction, strength)


@rule
def lay_reinforcement(s, node, direction, strength):
    """T9, T18: one token more; the junction's sum is written on both of its sides."""
    write_reinforcement(s, node, direction, s.reinforcement[direction, node] + strength)


@rule
def write_reinforcement(s, node, direction, sum_of_tokens):
    """T18: the same number on both sides of the junction; 0 takes all tokens away (T24)."""
    s.reinforcement[direction, node] = sum_of_tokens
    s.reinforcement[opposite_direction(direction), board.NEIGHBOUR[node, direction]] = sum_of_tokens
