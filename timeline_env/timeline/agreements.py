"""T28: agreements. A pledge is public, costs nothing and binds nobody."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.timeline import state
from timeline_env.timeline.turn import seat_after


@rule
def can_pledge(rules, s, seat):
    """T28, R18: once in one's own turn, while an action unit is left; not with two players, nor in a variant without pledges."""
    return rules.pledges > 0 and rules.num_players > 2 and s.au > 0 and s.pledge[seat] == state.NOBODY


@rule
def do_pledge(rules, s, seat, offset):
    """T28: "I name you", to the player that sits `offset` + 1 seats further; shown until one's next turn."""
    s.pledge[seat] = seat_after(rules, seat, offset + 1)
