"""Who is ahead: the odds of each seat against each other, by weights that were fitted to the ends of many games.

The logarithm of the odds that one seat ends ahead of another is the weighted sum of its `features`, less that of the other's. The
weights depend on the number of players and on the phase. They are in ``estimate_2.csv`` to ``estimate_6.csv`` and come from
``tools/fit_estimate.py``: a logistic regression of games by the game's own numbers and cards. Variants are judged by them, too.
"""

from __future__ import annotations

import numpy as np

from timeline_env.engine.jit import rule
from timeline_env.engine.memory import stack_zeros
from timeline_env.engine.ranks import value_of_odds
from timeline_env.reading import read_weights
from timeline_env.timeline import board, numbers
from timeline_env.timeline.realize import decide, is_waiting, points_for
from timeline_env.timeline.state import MAX_PLAYERS, MIN_PLAYERS

MARGINS = ("close", "clear", "sure")
"""How far an undecided event's realization points are from zero: close is at most 1, clear 2 or 3, sure 4 or more."""
CLOSE, CLEAR = 1, 3
OUTCOMES = ("as it stands", "the other way")
NAMES = (
    "points",
    *(
        f"points {outcome}, {ahead} phases ahead, {margin}"
        for ahead in range(board.RADII)
        for margin in MARGINS
        for outcome in OUTCOMES
    ),
)
"""The features of a seat: its points, and those that undecided events would bring it if they came out as they stand, and if they came
out the other way."""
FEATURES = len(NAMES)
POINTS, EVENTS_AT = 0, 1
OF_ALL_SEATS = MAX_PLAYERS * FEATURES
"""How many features the seats of a full table have together."""


def _weights(num_players: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    wanted = [(str(phase), name) for phase in range(board.RADII) for name in NAMES]
    path = numbers.DATA / f"estimate_{num_players}.csv"
    return read_weights(path, str(path), ("phase", "feature"), wanted).reshape(board.RADII, FEATURES)


WEIGHTS = np.array([_weights(players) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)])
"""[players - MIN_PLAYERS, phase, feature]: what one more of it adds to the logarithm of the odds to end ahead of another seat."""


@rule
def estimate(rules, s, values):
    """How surely each seat ends ahead of the others, as the mean over the others; float64 [seats], -1 to 1.

    Against one other it is near 2 p - 1, where p is the fitted chance.
    """
    players = rules.num_players
    x = stack_zeros(OF_ALL_SEATS)
    worth = stack_zeros(MAX_PLAYERS)
    features(rules, s, x)
    for seat in range(players):
        for k in range(FEATURES):
            worth[seat] += WEIGHTS[players - MIN_PLAYERS, phase_to_play(s), k] * x[seat * FEATURES + k]
    for seat in range(players):
        value = 0.0
        for other in range(players):
            value += value_of_odds(worth[seat] - worth[other])
        values[seat] = value / (players - 1)


@rule
def phase_to_play(s):
    """The phase whose rounds are under way, or, while nodes are realized, come next."""
    return s.phase + 1 if s.realizing >= 0 and s.phase < board.RADII - 1 else s.phase


@rule
def features(rules, s, x):
    """Write into `x` (float64 [seats * FEATURES], zeros) what in a position speaks for each seat; decides all events on the field."""
    for seat in range(rules.num_players):
        x[seat * FEATURES + POINTS] = s.points[seat]
    for node in range(board.NODES):
        if is_waiting(s, node):
            points = points_for(rules, s, node)
            outcome = decide(points, s.stance[node])
            s.outcome[node] = outcome
            column = event_column(s, node, points)
            for seat in range(rules.num_players):
                at = seat * FEATURES + column
                yes, no = s.if_yes[seat, node], s.if_no[seat, node]
                x[at] += yes if outcome > 0 else no
                x[at + 1] += no if outcome > 0 else yes


@rule
def event_column(s, node, points):
    """Where the features of an undecided event begin: by the phases that are played before its own, and by its margin."""
    margin = 0 if abs(points) <= CLOSE else 1 if abs(points) <= CLEAR else 2
    ahead = max(0, board.RADIUS[node] - phase_to_play(s))
    return EVENTS_AT + (ahead * len(MARGINS) + margin) * len(OUTCOMES)
