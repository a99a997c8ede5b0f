"""T27–T29: what the organizer of a flexible event decides."""

from __future__ import annotations

from timeline_env.engine import questions
from timeline_env.engine.jit import rule
from timeline_env.timeline.board import DIRECTIONS, LATER
from timeline_env.timeline.impact import can_be_reinforced, lay_reinforcement
from timeline_env.timeline.numbers import LINK_STRENGTH, LOGISTIC_LINK, LOGISTIC_TOTAL
from timeline_env.timeline.state import ATTACK_CROSS, ATTACK_TICK, SUPPORT
from timeline_env.timeline.turn import seat_after


@rule
def can_choose_arc(rules, s, kind, seat, offset, side):
    """T27, T28, R15: another player; the attack asks for the tick's arc, then for a different player on the cross's arc."""
    if kind == SUPPORT:
        return True
    if kind == ATTACK_TICK:
        return side == 0
    return side == 1 and s.if_yes[seat_after(rules, seat, offset + 1), s.pawn[seat]] == 0


@rule
def do_choose_arc(rules, s, kind, seat, offset, side):
    """T27: the player on the arc would lose one point. T28: would gain one; the other arc stays empty."""
    node = s.pawn[seat]
    player = seat_after(rules, seat, offset + 1)
    points = 1 if kind == SUPPORT else -1
    questions.pop(s)
    if side == 0:
        s.if_yes[player, node] = points
    else:
        s.if_no[player, node] = points
    if kind == ATTACK_TICK:
        questions.push(s, ATTACK_CROSS, seat, 0)


@rule
def logistic_strength(s, node):
    """T18, T29, R4: the strengths of the marks set so far, with whatever reinforces their junctions."""
    total = 0
    for direction in range(DIRECTIONS):
        if s.mark[direction, node]:
            total += LINK_STRENGTH + s.reinforcement[direction, node]
    return total


@rule
def can_link(s, node, direction, strength, so_far):
    """T11, T29, R4–R6: a mark on this edge, reinforced by `strength` (0 to 2), when the links have the strength `so_far`.

    The first link is a backward one. A reinforcement set here is an ordinary one, so it needs a junction that may have
    one; one that lies there already counts towards the link's strength.
    """
    if s.mark[direction, node] or (so_far == 0 and LATER[node, direction]):
        return False
    if strength > 0 and not can_be_reinforced(s, node, direction):
        return False
    link = LINK_STRENGTH + strength + s.reinforcement[direction, node]
    return link <= LOGISTIC_LINK and so_far + link <= LOGISTIC_TOTAL


@rule
def do_link(s, node, direction, hindrance, strength):
    """T29: set the mark (cause, or hindrance 1) and the reinforcement."""
    s.mark[direction, node] = 1 - 2 * hindrance
    if strength > 0:
        lay_reinforcement(s, node, direction, strength)


@rule
def can_finish_links(so_far):
    """T29: once there is a backward link, which is always the first."""
    return so_far > 0


@rule
def do_finish_links(s):
    """T29: done."""
    questions.pop(s)
