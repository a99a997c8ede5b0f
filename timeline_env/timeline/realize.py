"""T15–T21, T23, T24: the past is settled, node by node."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.timeline import board, numbers, state
from timeline_env.timeline.impact import opposite_direction, write_reinforcement
from timeline_env.timeline.move import ask_pawns_to_step_aside
from timeline_env.timeline.score import award


@rule
def begin_realization(rules, s):
    """T4, T15: the phase is over. Points are noted for ties, but not at the end of phase 0."""
    if s.phase > 0:
        for seat in range(rules.num_players):
            s.note[s.phase - 1, seat] = s.points[seat]
    s.realizing = board.FIRST[s.phase]


@rule
def realize_node(rules, s, node):
    """T16–T23: decide the node, score it, and ask the pawns in it to step aside (after the last phase they stay)."""
    if s.event[node]:
        outcome = decide(points_for(rules, s, node), s.stance[node])
        award(rules, s, node, outcome)
        s.outcome[node] = outcome
    s.realized[node] = 1
    if s.phase < board.RADII - 1:
        ask_pawns_to_step_aside(rules, s, node)


@rule
def is_waiting(s, node):
    """Whether the node has an event that is still to be decided."""
    return s.event[node] and not s.realized[node]


@rule
def points_for(rules, s, node):
    """T17–T20: realization points: the links with realized neighbours, plus impacts beside ✓, minus those beside ✗."""
    points = 0
    for place in range(board.MOST_EARLIER):
        # Nodes are realized in the order of time: all other neighbours are not realized yet.
        direction = board.EARLIER[node, place]
        if direction >= 0:
            points += link_sign(s, node, direction) * link_strength(s, node, direction)
    for seat in range(rules.num_players):
        points += s.impact[seat, node]
    return points


@rule
def link_sign(s, node, direction):
    """T17, T19, R10: +1 or -1, how the neighbour in this direction pulls; 0 if there is no link.

    A link needs a neighbour realized with an event (only that one has an outcome) and a mark on either side; if both
    sides bear one, the mark on the realized event counts. If its colour and the outcome agree, +1, else -1.
    """
    other = board.NEIGHBOUR[node, direction]
    if other < 0 or s.outcome[other] == 0:
        return 0
    colour = s.mark[opposite_direction(direction), other]
    if colour == 0:
        colour = s.mark[direction, node]
    return colour * s.outcome[other]


@rule
def link_strength(s, node, direction):
    """T18: 2, plus all reinforcement tokens on the junction."""
    return numbers.LINK_STRENGTH + s.reinforcement[direction, node]


@rule
def decide(points, stance):
    """T21: 1 above zero (it occurs), -1 below (it does not); at exactly zero the stance decides."""
    if points > 0:
        return 1
    if points < 0:
        return -1
    return stance


@rule
def finish_node(rules, s, node):
    """T24, R9: all tokens leave the event except those tied to the future."""
    s.stance[node] = 0
    for seat in range(rules.num_players):
        s.impact[seat, node] = 0
        s.organizer[seat, node] = 0
    for direction in range(board.DIRECTIONS):
        if not board.LATER[node, direction]:
            if s.reinforcement[direction, node]:
                write_reinforcement(s, node, direction, 0)
            if s.card[node] == state.LOGISTIC:
                s.mark[direction, node] = 0
    if s.card[node] == state.ATTACKING or s.card[node] == state.SUPPORTING:
        clear_arcs(rules, s, node)


@rule
def clear_arcs(rules, s, node):
    """T24, R12: the players' tokens leave the arcs of an attacking or supporting event."""
    for seat in range(rules.num_players):
        s.if_yes[seat, node] = 0
        s.if_no[seat, node] = 0


@rule
def realize_until(rules, s, until):
    """Decide and score every event that lies before the node `until`, in the order of time, with no other consequence."""
    for node in range(until):
        if is_waiting(s, node):
            outcome = decide(points_for(rules, s, node), s.stance[node])
            award(rules, s, node, outcome)
            s.outcome[node] = outcome
