"""Means of independent samples and their 95 % intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.reading import quote, table_of

Z = 1.959964
"""The normal distribution's two-sided 95 % point."""
ALIKE = 1e-12
"""Shares that differ by less are the same but for rounding."""
FEWEST_DEALS = 50
"""The fewest deals for which the benchmark's tracks show an interval over deals."""


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float

    @classmethod
    def read(cls, content: Any, label: str) -> Estimate:
        """Read an estimate that was written as JSON. Raises ValueError, whose message begins with `label`, if it is not one."""
        told = table_of(content, label, "mean", "low", "high")
        numbers = {name: told[name] for name in ("mean", "low", "high")}
        if not all(type(number) in (int, float) and math.isfinite(number) for number in numbers.values()):
            raise ValueError(f"{label}: mean, low and high must be finite numbers, not {quote(numbers)}")
        return cls(**numbers)

    def text(self, scale: float = 1, digits: int = 1, sign: str = "") -> str:
        """``mean [low, high]``, each multiplied by `scale`; with ``+`` as `sign` each shows its sign."""
        mean, low, high = (f"{scale * x:{sign}.{digits}f}" for x in (self.mean, self.low, self.high))
        return f"{mean} [{low}, {high}]"


@dataclass(frozen=True)
class Row:
    """What some seats achieved: share of wins (ties shared), mean rank (1 is best), mean points."""

    win: Estimate
    rank: Estimate
    points: Estimate


def row(measures: Iterable[NDArray[Any]], num_players: int) -> Row:
    """A row from shares of wins, ranks and points, one of each for each deal: three arrays [deals]."""
    win, rank, points = measures
    return Row(share(win), mean_between(rank, 1, num_players), mean(points))


def mean(values: NDArray[Any]) -> Estimate:
    """The mean of independent samples, with 1.96 standard errors on either side."""
    centre, error = float(values.mean()), float(values.std(ddof=1)) / math.sqrt(len(values))
    return Estimate(centre, centre - Z * error, centre + Z * error)


def share(values: NDArray[Any]) -> Estimate:
    """The mean of independent samples between 0 and 1, with Wilson's interval, which stays honest near 0 and 1.

    The interval's number of trials is the one at which a coin of this mean has the standard error seen, but at least the number
    of samples; where all samples are the same, it is their number.
    """
    count, centre = len(values), float(values.mean())
    if np.ptp(values) < ALIKE:
        return wilson(centre, count)
    return wilson(centre, max(count * centre * (1 - centre) / float(values.var(ddof=1)), count))


def mean_between(values: NDArray[Any], least: float, most: float) -> Estimate:
    """The mean of independent samples from `least` to `most`, with the interval of `share`, honest even where nearly all are the same."""
    found = share((np.asarray(values, np.float64) - least) / (most - least))
    return Estimate(*(least + (most - least) * value for value in (found.mean, found.low, found.high)))


def wilson(share: float, trials: float) -> Estimate:
    """Wilson's interval of a share seen in this many independent trials.

    Source: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 1927.
    """
    middle = (share + Z**2 / (2 * trials)) / (1 + Z**2 / trials)
    half = Z / (1 + Z**2 / trials) * math.sqrt(share * (1 - share) / trials + (Z / (2 * trials)) ** 2)
    # Rounding must not leave the share itself outside the interval.
    return Estimate(share, max(min(middle - half, share), 0.0), min(max(middle + half, share), 1.0))
