"""T27–T29: what the organizer of a flexible event decides."""

from __future__ import annotations

from timeline_env.engine import questions
from timeline_env.engine.jit import rule
from timeline_env.timeline import board, numbers, state
from timeline_env.timeline.impact import can_be_reinforced, lay_reinforcement, may_bear_token
from timeline_env.timeline.turn import seat_after


@rule
def can_choose_arc(rules, s, kind, seat, offset, side):
    """T27, T28, R15: another player; the attack asks for the tick's arc, then for a different player on the cross's arc."""
    if kind == state.SUPPORT:
        return True
    if kind == state.ATTACK_TICK:
        return side == 0
    return side == 1 and s.if_yes[seat_after(rules, seat, offset + 1), s.pawn[seat]] == 0


@rule
def points_on_arc(kind):
    """T27, T28: what the player who is named for an arc would get by it."""
    return 1 if kind == state.SUPPORT else -1


@rule
def do_choose_arc(rules, s, kind, seat, offset, side):
    """T27: the player on the arc would lose one point. T28: would gain one; the other arc stays empty."""
    node = s.pawn[seat]
    player = seat_after(rules, seat, offset + 1)
    questions.pop(s)
    if side == 0:
        s.if_yes[player, node] = points_on_arc(kind)
    else:
        s.if_no[player, node] = points_on_arc(kind)
    if kind == state.ATTACK_TICK:
        questions.push(s, state.ATTACK_CROSS, seat, 0)


@rule
def is_reinforced_alone(s, direction):
    """T29, R4: whether the organizer who is asked has set tokens on this edge and no mark."""
    return (questions.top(s, questions.VALUE) >> direction) & 1 == 1


@rule
def link_with(s, node, direction, strength):
    """T18, T29: how strong the link in this direction is with `strength` more."""
    return numbers.LINK_STRENGTH + s.reinforcement[direction, node] + strength


@rule
def logistic_strength(s, node):
    """T29, R4: the strengths of the links on which the organizer has set anything, with all tokens that lie there."""
    total = 0
    for direction in range(board.DIRECTIONS):
        if s.mark[direction, node] or is_reinforced_alone(s, direction):
            total += link_with(s, node, direction, 0)
    return total


@rule
def is_within_limits(s, node, direction, strength, so_far):
    """T29, R4: nothing is set on this edge yet; the link would be 4 strong at most, and 8 at most together with those `so_far`."""
    if s.mark[direction, node] or is_reinforced_alone(s, direction):
        return False
    link = link_with(s, node, direction, strength)
    return link <= numbers.LOGISTIC_LINK and so_far + link <= numbers.LOGISTIC_TOTAL


@rule
def can_link(s, node, direction, strength, so_far):
    """T11, T29, R5, R6: a mark on this edge, with a token of `strength` (1, 2; 0 none); the first mark is a backward one."""
    if so_far == 0 and board.LATER[node, direction]:
        return False
    if strength > 0 and not may_bear_token(s, node, direction):
        return False
    return is_within_limits(s, node, direction, strength, so_far)


@rule
def can_reinforce_alone(s, node, direction, strength, so_far):
    """T29, R6: a token of `strength` on an edge where the neighbour's mark makes the link; after the first mark."""
    if so_far == 0 or not can_be_reinforced(s, node, direction, strength):
        return False
    return is_within_limits(s, node, direction, strength, so_far)


@rule
def has_edge_for_first_link(s, node):
    """T29, R6: whether some link back can be set in this node, so that a logistic event can be organized there."""
    for direction in range(board.DIRECTIONS):
        if not board.LATER[node, direction] and link_with(s, node, direction, 0) <= numbers.LOGISTIC_LINK:
            return True
    return False


@rule
def do_link(s, node, direction, hindrance, strength):
    """T29: set the mark (a cause, or a hindrance if `hindrance` is 1) and the token, if any."""
    s.mark[direction, node] = 1 - 2 * hindrance
    if strength > 0:
        lay_reinforcement(s, node, direction, strength)


@rule
def do_reinforce_alone(s, node, direction, strength):
    """T29: set the token alone; the question keeps the edge in mind (R4)."""
    lay_reinforcement(s, node, direction, strength)
    s.question[s.depth - 1, questions.VALUE] += 1 << direction


@rule
def can_finish_links(so_far):
    """T29: once there is a backward link, which is always the first."""
    return so_far > 0


@rule
def do_finish_links(s):
    """T29: done."""
    questions.pop(s)
