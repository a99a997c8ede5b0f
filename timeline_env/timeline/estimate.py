"""An estimate of how the game would end, from the present board: for players that look ahead, but not to the end."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.timeline import board
from timeline_env.timeline.realize import decide, is_waiting, points_for
from timeline_env.timeline.score import award

EVEN_ODDS = 4.0
"""A lead of this many points counts half as much as being certain to end ahead of the other seat."""


@rule
def realize_until(rules, s, until):
    """Decide and score every event that lies before the node `until`, in the order of time, with no other consequence."""
    for node in range(until):
        if is_waiting(s, node):
            outcome = decide(points_for(rules, s, node), s.stance[node])
            award(rules, s, node, outcome)
            s.outcome[node] = outcome


@rule
def estimate(rules, s, values):
    """How surely each seat is ahead of the others by the points to come, as the mean over the others; float64 [seats], -1 to 1."""
    realize_until(rules, s, board.NODES)
    for seat in range(rules.num_players):
        value = 0.0
        for other in range(rules.num_players):
            lead = s.points[seat] - s.points[other]
            value += lead / (EVEN_ODDS + abs(lead))
        values[seat] = value / (rules.num_players - 1)
