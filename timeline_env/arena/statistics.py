"""What a tournament's games say besides ratings. A deal's mean over its games is one sample; all intervals are 95 %."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.estimates import Estimate, Row, mean, row, share
from timeline_env.arena.played import Played
from timeline_env.engine.ranks import pair_scores

Matrix = list[list[Estimate | None]]
"""An estimate for each pair of players (indices), row first; None where they do not meet."""


@dataclass(frozen=True)
class Standing:
    """What a player achieved: in all its games, and in each seat."""

    overall: Row
    by_seat: list[Row]


@dataclass(frozen=True)
class Length:
    """How long games were, in decisions: the mean, and the quantiles at 5, 25, 50, 75 and 95 %."""

    mean: Estimate
    quantiles: list[float]


def standings(played: Played) -> list[Standing]:
    """For each player what it achieved over all tables."""
    measures = np.stack([mean_by_seat(played, values) for values in (played.wins, played.rank, played.points)])
    seats = measures.shape[-1]
    return [
        Standing(row(values.mean(axis=-1), seats), [row(values[..., seat], seats) for seat in range(seats)])
        for values in np.moveaxis(measures, 2, 0)
    ]


def mean_by_seat(played: Played, values: NDArray[np.floating]) -> NDArray[np.float64]:
    """The mean of a value of each game and seat [n, P]: for each deal, player and seat, float64 [deals, K, P]."""
    about, seats = played.about, np.arange(values.shape[1])
    cells = (played.deal[:, None], played.seating, np.broadcast_to(seats, values.shape))
    return _means((about.deals, len(about.players), len(seats)), cells, values)


def _means(
    shape: tuple[int, ...], cells: tuple[NDArray[np.integer], ...], values: NDArray[np.floating]
) -> NDArray[np.float64]:
    """The mean of the values in each cell of an array of this shape; NaN in an empty cell."""
    flat = np.ravel_multi_index(cells, shape).ravel()
    size = int(np.prod(shape))
    total, count = np.bincount(flat, values.ravel(), size), np.bincount(flat, minlength=size)
    return np.divide(total, count, out=np.full(size, np.nan), where=count > 0).reshape(shape)


def share_ahead(played: Played) -> NDArray[np.float64]:
    """How often the first player was ranked before the second where both sat at a table (ties half): float64 [deals, K, K]."""
    pairs = np.array(list(permutations(range(played.rank.shape[1]), 2)))
    score = pair_scores(played.rank[:, pairs[:, 0]], played.rank[:, pairs[:, 1]])
    deal = np.broadcast_to(played.deal[:, None], score.shape)
    k = len(played.about.players)
    cells = (deal, played.seating[:, pairs[:, 0]], played.seating[:, pairs[:, 1]])
    means = _means((played.about.deals, k, k), cells, score)
    means[:, range(k), range(k)] = np.nan
    return means


def cross_play(samples: NDArray[np.float64]) -> Matrix:
    """The share of each pair from its samples [deals, K, K], NaN in deals where they do not meet, with Wilson's interval."""
    players = range(samples.shape[1])
    met = ~np.isnan(samples)
    return [[share(samples[met[:, a, b], a, b]) if met[:, a, b].any() else None for b in players] for a in players]


def share_by_side(played: Played) -> Matrix:
    """For two seats: how often the player of the row, in the first seat, beat that of the column in the second (ties half)."""
    k = len(played.about.players)
    score = pair_scores(played.rank[:, 0], played.rank[:, 1])
    cells = (played.deal, played.seating[:, 0], played.seating[:, 1])
    return cross_play(_means((played.about.deals, k, k), cells, score))


def share_against_copies(played: Played) -> Matrix:
    """For more seats: how often the player of the row won (ties shared) where all others at the table were copies of the column's."""
    k, seats = len(played.about.players), played.rank.shape[1]
    count = np.stack([(played.seating == who).sum(axis=1) for who in range(k)])  # K, n
    game, seat = np.nonzero(
        (np.take_along_axis(count.T, played.seating, 1) == 1) & (count.max(0) == seats - 1)[:, None]
    )
    cells = (played.deal[game], played.seating[game, seat], count[:, game].argmax(axis=0))
    return cross_play(_means((played.about.deals, k, k), cells, played.wins[game, seat]))


def lengths(played: Played) -> list[Length]:
    """How long the games of each player were."""
    present = [(played.seating == who).any(axis=1) for who in range(len(played.about.players))]
    return [length(played, rows) for rows in present]


def length(played: Played, rows: NDArray[np.bool_]) -> Length:
    """How long these games were; bool [n]."""
    decisions = played.decisions[rows].astype(np.float64)
    quantiles = np.quantile(decisions, (0.05, 0.25, 0.5, 0.75, 0.95)).tolist()
    return Length(mean(_means((played.about.deals,), (played.deal[rows],), decisions)), quantiles)


def cycles(matrix: Matrix) -> list[tuple[int, ...]]:
    """Players that beat each other in a circle, each circle as short as possible and starting with its lowest index.

    One beats another where the interval of its share lies above a half.
    """
    players = range(len(matrix))
    beats = [[b for b in players if (cell := matrix[a][b]) is not None and cell.low > 0.5] for a in players]
    found = set()
    for a in players:
        for b in beats[a]:
            path = shortest_path(beats, b, a)
            if path:
                first = path.index(min(path))
                found.add((*path[first:], *path[:first]))
    return sorted(found, key=lambda circle: (len(circle), circle))


@dataclass(frozen=True)
class Group:
    """Players (indices). Each opponent from outside lost every game against those of the group that it met, or won every one.

    Attributes:
        players: who is in the group, in ascending order.
        ahead: whether some opponent from outside was behind them.
        behind: whether some opponent from outside was ahead of them.
    """

    players: tuple[int, ...]
    ahead: bool
    behind: bool


def one_sided_groups(matrix: Matrix) -> list[Group]:
    """Groups of players between whom and each opponent from outside all games went one way.

    Only a prior keeps their ratings finite: the likelihood has a finite maximum if, however the players are divided in two,
    some of each part have beaten some of the other. Source: Ford, "Solution of a ranking problem from binary comparisons", 1957.
    """
    players = range(len(matrix))
    ahead = [[b for b in players if (cell := matrix[a][b]) is not None and cell.mean > 0] for a in players]
    groups = {tuple(b for b in players if shortest_path(ahead, a, b) and shortest_path(ahead, b, a)) for a in players}
    found = []
    for group in sorted(groups):
        won = any(b not in group for a in group for b in ahead[a])
        lost = any(b in group for a in players if a not in group for b in ahead[a])
        if won or lost:
            found.append(Group(group, won, lost))
    return found


def shortest_path(edges: Sequence[Sequence[int]], start: int, end: int) -> tuple[int, ...]:
    """The nodes on a shortest path from `start` to `end`; empty without one."""
    ways: dict[int, tuple[int, ...]] = {start: (start,)}
    last = list(ways)
    while last and end not in ways:
        found = {node: (*ways[at], node) for at in last for node in edges[at] if node not in ways}
        ways |= found
        last = list(found)
    return ways.get(end, ())


def interquartile_mean(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of the middle half of the last axis: of the n, the int(n / 4) smallest and as many of the largest are left out.

    Takes float64 [..., n]; gives float64 [...]. Source: Agarwal et al., "Deep reinforcement learning at the edge of the
    statistical precipice", 2021, section 4.3, as the library rliable computes it.
    """
    n = scores.shape[-1]
    return np.sort(scores, axis=-1)[..., n // 4 : n - n // 4].mean(axis=-1)


DRAWS = 20_000
"""Samples of a stratified bootstrap."""


def stratified_mean(scores: NDArray[np.float64]) -> Estimate:
    """The interquartile mean of all scores, with the 95 % percentile interval of a stratified bootstrap.

    From each task's runs the same number is drawn, with replacement and independently of the other tasks.
    Source: as for `interquartile_mean`, section 4.1 and appendix A.2.

    Args:
        scores: float64 [runs, tasks].

    Raises:
        ValueError: there are fewer than two runs, so nothing could be drawn anew.
    """
    runs, tasks = scores.shape
    if runs < 2:
        raise ValueError(f"an interval needs at least 2 runs; there is {runs}")
    drawn = np.random.default_rng(0).integers(runs, size=(DRAWS, runs, tasks))
    means = interquartile_mean(scores[drawn, np.arange(tasks)].reshape(DRAWS, -1))
    low, high = np.quantile(means, (0.025, 0.975))
    return Estimate(float(interquartile_mean(scores.reshape(-1))), float(low), float(high))
