"""Shares of decisions, with intervals over games."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.estimates import ALIKE, Estimate, wilson


def ratio(games: int, game: NDArray[np.int64], part: NDArray[Any], whole: NDArray[Any]) -> Estimate:
    """The sum of the parts over the sum of the wholes, with Wilson's interval of 95 %, a game being one sample.

    The interval's number of trials is the one at which a coin of this share has the standard error of a ratio over games
    (Cochran, Sampling Techniques, 1977, section 6.3), but at most the sum of the wholes. Where all games have the same share,
    they do not tell how alike the decisions of a game are: then each game is one trial. Fewer than two games say nothing about
    others: then the interval is from 0 to 1.

    Args:
        games: how many.
        game: int64 [m], the game of each row, from 0 on.
        part, whole: [m], each part from 0 to its whole; at least one whole is above 0.
    """
    parts, wholes = (np.bincount(game, values, games) for values in (part, whole))
    seen = wholes > 0
    parts, wholes, count = parts[seen], wholes[seen], int(seen.sum())
    mean = float(parts.sum() / wholes.sum())
    if count < 2:
        return Estimate(mean, 0.0, 1.0)
    if np.ptp(parts / wholes) < ALIKE:
        return wilson(mean, count)
    variance = float(((parts - mean * wholes) ** 2).sum()) * count / (count - 1) / wholes.sum() ** 2
    return wilson(mean, min(mean * (1 - mean) / variance, wholes.sum()))
