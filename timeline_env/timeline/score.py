"""T22, T25: points, ranks and rewards."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.timeline import board, state

REWARDS = ("rank", "score", "win", "lead")
RANK, SCORE, WIN, LEAD = range(4)


@rule
def award(rules, s, node, outcome):
    """T22: the players on the arc under ✓ (it occurred) or ✗ (it did not) gain or lose; points may go below zero."""
    for seat in range(rules.num_players):
        points = s.if_yes[seat, node] if outcome > 0 else s.if_no[seat, node]
        s.points[seat] = clip_points(s.points[seat] + points)
        s.gained[seat] = clip_points(s.gained[seat] + points)


@rule
def clip_points(points):
    """Clip to what a field of points holds. No game with accepted numbers (`numbers`) reaches the limit; a position written by hand may."""
    return max(-state.MOST_POINTS, min(state.MOST_POINTS, points))


@rule
def is_ahead(s, seat, other):
    """T25: more points; on a tie the higher note of the latest phase, then of the one before, and so on."""
    if s.points[seat] != s.points[other]:
        return s.points[seat] > s.points[other]
    for phase in range(board.RADII - 2, -1, -1):
        if s.note[phase, seat] != s.note[phase, other]:
            return s.note[phase, seat] > s.note[phase, other]
    return False


@rule
def count_ahead_and_level(rules, s, seat):
    """T25, R13: how many players are ahead of this one, and how many share its place, itself among them."""
    ahead = 0
    level = 0
    for other in range(rules.num_players):
        if is_ahead(s, other, seat):
            ahead += 1
        elif not is_ahead(s, seat, other):
            level += 1
    return ahead, level


@rule
def rank_of(rules, s, seat):
    """T25: 1 is the winner; players who share a place have the mean of the places they share."""
    ahead, level = count_ahead_and_level(rules, s, seat)
    return 1.0 + ahead + (level - 1) / 2.0


@rule
def standings(rules, s, points, rank):
    """Each seat's points and rank (1 is best) in this position; float32 [players], written in place."""
    for seat in range(rules.num_players):
        points[seat] = s.points[seat]
        rank[seat] = rank_of(rules, s, seat)


@rule
def rewards(rules, s, kind, out):
    """What the last decision earned each seat; float32 [players], written in place.

    ``rank``: at the end of the game 1 for the first place down to -1 for the last, evenly spaced, so that the sum is 0.
    ``score``: the points gained or lost, whenever that happens; ``lead``: these less what the others gained on average, so
    that the sum is 0. ``win``: at the end 1 for the winner, shared on a tie.
    """
    for seat in range(rules.num_players):
        if kind == SCORE:
            out[seat] = s.gained[seat]
        elif kind == LEAD:
            out[seat] = lead(rules, s.gained, seat)
        elif not s.over:
            out[seat] = 0.0
        elif kind == RANK:
            out[seat] = 1.0 - 2.0 * (rank_of(rules, s, seat) - 1.0) / (rules.num_players - 1)
        else:
            out[seat] = share_of_win(rules, s, seat)


@rule
def lead(rules, points, seat):
    """T22: what this player has of the points (integers [seats]) less the mean of what the others have."""
    others = 0
    for player in range(rules.num_players):
        others += points[player]
    others -= points[seat]
    return points[seat] - others / (rules.num_players - 1)


@rule
def share_of_win(rules, s, seat):
    """T25: 1 for the winner alone, 1/k for each of k players who share the first place, else 0."""
    ahead, level = count_ahead_and_level(rules, s, seat)
    return 0.0 if ahead else 1.0 / level
