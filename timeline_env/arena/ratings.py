"""Ratings by maximum likelihood from the rankings of whole games, whatever the order in which they were played.

The model: a ranking is a row of choices. Of those still to be ranked, a set C takes the next place with a chance proportional to
t(|C|) · (product of the strengths in C) ^ (1 / |C|), where t(1) = 1 and t(2), t(3) … say how likely ties are. Without ties it is
the model of Plackett and Luce; for two players, that of Bradley and Terry; for two with ties, Davidson's.

Source: Firth, Kosmidis & Turner, "Davidson-Luce model for multi-item choice with ties", 2019.

A player that always wins has no finite estimate. So every logarithm of a strength, and of a t, has a normal prior with mean 0 and
standard deviation `PRIOR_SD`. It hardly moves players that lose now and then.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.estimates import Estimate, Z
from timeline_env.arena.played import Played

ELO = 400 / math.log(10)
"""Points of rating for one unit of a strength's natural logarithm: 400 points are odds of 10 to 1."""
PRIOR_SD = 3.0
"""In natural logarithms: 521 points of rating."""
ITERATIONS = 100
TOLERANCE = 1e-9

Ranking = tuple[tuple[int, ...], ...]
"""The players (indices) at each place, the best place first; one place holds several where they tied."""


@dataclass(frozen=True)
class Ratings:
    """What a tournament says of K players' strengths.

    Attributes:
        rating: for each player, in points: 400 more than another are odds of 10 to 1 of being ranked before it; their
            mean is 0. The 95 % interval is the wider of the bootstrap's over deals and that of the likelihood's curvature,
            because the bootstrap alone is blind where a player always wins.
        ties: for each number of players that shared a place somewhere, its t.
    """

    rating: list[Estimate]
    ties: dict[int, float]


@dataclass(frozen=True)
class Choices:
    """The choices that rankings are made of: A alternatives in groups, a group for each set of players still to be ranked.

    Attributes:
        design: float64 [A, K + ties]; the logarithm of an alternative's weight is its row times the parameters, plus its
            multiplicity.
        multiplicity: float64 [A], the logarithm of how often an alternative is there: a player may be at the table more than
            once.
        start: int64 [groups], where each group's alternatives begin.
        ranking, alternative: int64 [m], which ranking took which alternative.
        sizes: how many may share a place, ascending, 1 among them.
    """

    design: NDArray[np.float64]
    multiplicity: NDArray[np.float64]
    start: NDArray[np.int64]
    ranking: NDArray[np.int64]
    alternative: NDArray[np.int64]
    sizes: list[int]

    def count_taken(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """How often each alternative was taken, float64 [A], if each ranking was seen as often as `weights` says."""
        return np.bincount(self.alternative, weights[self.ranking], len(self.design)).astype(np.float64)


def rankings(played: Played) -> tuple[list[Ranking], NDArray[np.int64]]:
    """The different rankings of a tournament, and which of them each game was; int64 [n]."""
    order = np.lexsort((played.seating, played.rank))
    who, rank = np.take_along_axis(played.seating, order, 1), np.take_along_axis(played.rank, order, 1)
    begins = np.diff(rank, axis=1, prepend=-1) > 0
    different, which = np.unique(np.concatenate([who, begins], 1), axis=0, return_inverse=True)
    return [_ranking(*np.split(row, 2)) for row in different], which.ravel()


def _ranking(who: NDArray[np.int64], begins: NDArray[np.int64]) -> Ranking:
    places = np.split(who, np.flatnonzero(begins)[1:])
    return tuple(tuple(place.tolist()) for place in places)


def steps(ranking: Ranking) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """The choices of a ranking: those still to be ranked (ascending) and those who take the next place."""
    left = [tuple(sorted(sum(ranking[place:], ()))) for place in range(len(ranking))]
    return [(rest, place) for rest, place in zip(left, ranking, strict=True) if len(rest) > 1]


def choices(different: Sequence[Ranking], players: int) -> Choices:
    """The choices of these rankings among `players` players."""
    taken = [steps(ranking) for ranking in different]
    sizes = sorted({1} | {len(place) for ranking in taken for _, place in ranking})
    groups = sorted({rest for ranking in taken for rest, _ in ranking})
    design: list[NDArray[np.float64]] = []
    multiplicity, start, index = [], [], {}
    for rest in groups:
        start.append(len(design))
        for place, times in Counter(c for size in sizes for c in combinations(rest, size)).items():
            index[rest, place] = len(design)
            design.append(_row(place, players, sizes))
            multiplicity.append(math.log(times))
    pairs = np.array([(n, index[step]) for n, ranking in enumerate(taken) for step in ranking], np.int64)
    return Choices(np.array(design), np.array(multiplicity), np.array(start), pairs[:, 0], pairs[:, 1], sizes)


def _row(place: tuple[int, ...], players: int, sizes: list[int]) -> NDArray[np.float64]:
    """What an alternative's log weight is made of: a share of each of its players, and the t of its size."""
    row = np.zeros(players + len(sizes) - 1)
    np.add.at(row, list(place), 1 / len(place))
    if len(place) > 1:
        row[players + sizes.index(len(place)) - 1] = 1
    return row


def fit(
    model: Choices, weights: NDArray[np.float64], start: NDArray[np.float64] | None = None, prior_sd: float = PRIOR_SD
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The most likely parameters, float64 [K + ties], and their covariance, by Newton's method, which cannot miss: there is only one peak.

    Args:
        model: the choices.
        weights: float64 [rankings], how often each was seen.
        start: where to begin.
        prior_sd: the prior's standard deviation.
    """
    taken, theta = model.count_taken(weights), np.zeros(model.design.shape[1]) if start is None else start
    value, gradient, curvature = _likelihood(model, taken, theta, prior_sd)
    for _ in range(ITERATIONS):
        move = np.linalg.solve(curvature, gradient)
        if np.abs(move).max() < TOLERANCE:
            break
        while (found := _likelihood(model, taken, theta + move, prior_sd))[0] < value - TOLERANCE * abs(value):
            move /= 2
        theta = theta + move
        value, gradient, curvature = found
    return theta, np.linalg.inv(curvature)


def _likelihood(model: Choices, taken: NDArray[np.float64], theta: NDArray[np.float64], prior_sd: float) -> Any:
    """The logarithm of the posterior, its gradient, and minus its second derivatives."""
    logits = model.design @ theta + model.multiplicity
    sizes = np.diff(model.start, append=len(logits))
    logits -= np.repeat(np.maximum.reduceat(logits, model.start), sizes)
    logits -= np.repeat(np.log(np.add.reduceat(np.exp(logits), model.start)), sizes)
    asked = np.add.reduceat(taken, model.start)
    expected = np.exp(logits) * np.repeat(asked, sizes)
    means = np.add.reduceat(model.design * np.exp(logits)[:, None], model.start)
    curvature = model.design.T @ (model.design * expected[:, None]) - means.T @ (means * asked[:, None])
    return (
        taken @ logits - theta @ theta / (2 * prior_sd**2),
        model.design.T @ (taken - expected) - theta / prior_sd**2,
        curvature + np.eye(len(theta)) / prior_sd**2,
    )


def rate(
    played: Played,
    deal_weights: NDArray[np.uint8],
    prior_sd: float = PRIOR_SD,
    progress: Callable[[int], None] = lambda finished: None,
) -> Ratings:
    """The ratings of a tournament's players.

    Args:
        played: the tournament.
        deal_weights: uint8 [B, deals], how often each deal is in each bootstrap sample, see `resample`.
        prior_sd: the prior's standard deviation, in natural logarithms.
        progress: called with 1 after each sample.
    """
    different, which = rankings(played)
    model, players = choices(different, len(played.about.players)), len(played.about.players)

    def count(weights: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.bincount(which, weights, len(different)).astype(np.float64)

    theta, covariance = fit(model, count(np.ones(len(which))), prior_sd=prior_sd)
    samples = np.empty((len(deal_weights), players))
    for number, weights in enumerate(deal_weights):
        samples[number] = fit(model, count(weights[played.deal]), theta, prior_sd)[0][:players]
        progress(1)
    ties = {size: math.exp(t) for size, t in zip(model.sizes[1:], theta[players:], strict=True)}
    return Ratings(_estimates(theta[:players], covariance[:players, :players], samples), ties)


def best_first(rating: Sequence[Estimate]) -> list[int]:
    """The players (indices) by their rating, the best first."""
    return sorted(range(len(rating)), key=lambda who: -rating[who].mean)


def rate_pairs(wins: NDArray[np.float64]) -> list[float]:
    """The ratings of players that are compared only in pairs, in points above the first player; 0 for all before any game.

    Args:
        wins: float64 [K, K], how often the row's player was the better of the two; a tie is half for either.
    """
    pairs = [(int(i), int(j)) for i, j in np.argwhere(wins + wins.T)]
    if not pairs:
        return [0.0] * len(wins)
    theta, _ = fit(choices([((i,), (j,)) for i, j in pairs], len(wins)), wins[tuple(np.array(pairs).T)])
    return [float(strength) for strength in ELO * (theta - theta[0])]


def _centre(strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    return strengths - strengths.mean(axis=-1, keepdims=True)


def _estimates(
    strengths: NDArray[np.float64], covariance: NDArray[np.float64], samples: NDArray[np.float64]
) -> list[Estimate]:  # fmt: skip
    """Each player's rating, with the wider of the two intervals on either side."""
    centre = np.eye(len(strengths)) - 1 / len(strengths)
    error = Z * np.sqrt(np.diag(centre @ covariance @ centre))
    middle, low, high = _centre(strengths), *np.quantile(_centre(samples), (0.025, 0.975), axis=0)
    bounds = np.stack([middle, np.minimum(low, middle - error), np.maximum(high, middle + error)], 1) * ELO
    return [Estimate(*map(float, row)) for row in bounds]


def resample(deals: int, samples: int, groups: NDArray[np.int64] | None = None) -> NDArray[np.uint8]:
    """How often each deal is in each bootstrap sample, uint8 [samples, deals]: a sample is as many deals, drawn with replacement.

    Args:
        deals: how many there are.
        samples: how many samples are drawn.
        groups: int64 [deals], the group of each deal: from every group as many are drawn as it has; None if all are in one.
    """
    rng, weights = np.random.default_rng(0), np.empty((samples, deals), np.uint8)  # a byte each: there may be millions
    groups = np.zeros(deals, np.int64) if groups is None else groups
    for group in np.unique(groups):
        alike = groups == group
        size = np.count_nonzero(alike)
        for sample in weights:
            sample[alike] = rng.multinomial(size, np.full(size, 1 / size))
    return weights
