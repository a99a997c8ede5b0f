"""What final ranks are worth: 1 is best, ties share the mean; and what the odds of one are."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.jit import rule


def win_shares(rank: NDArray[Any]) -> NDArray[np.float64]:
    """1 for the winner, 1/k for each of k who share the first place, else 0; [..., players] from ranks of that shape."""
    first = rank == rank.min(axis=-1, keepdims=True)
    return first / first.sum(axis=-1, keepdims=True)


def place_returns(rank: NDArray[Any], num_players: int) -> NDArray[np.float64]:
    """1 for the first rank, evenly spaced down to -1 for the last; float64 of the shape of the ranks."""
    return 1 - 2 * (np.asarray(rank, np.float64) - 1) / (num_players - 1)


def pair_scores(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.float64]:
    """1 where the first rank is better than the second, half where they are equal, else 0; float64 of their shape."""
    return np.where(first == second, 0.5, first < second)


@rule
def value_of_odds(logit):
    """What it is worth to end ahead of another by odds of this logarithm, -1 to 1: near 2 p - 1, where p is the chance."""
    # Close to tanh(logit / 2), whose last digits differ from machine to machine.
    return logit / math.sqrt(4.0 + logit * logit)
