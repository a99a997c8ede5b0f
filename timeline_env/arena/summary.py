"""All the results of a tournament, in one object that can be saved as JSON and shown as a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from timeline_env.arena import statistics
from timeline_env.arena.alpha_rank import alpha_rank
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.played import About, Played
from timeline_env.arena.ratings import best_first, rate, resample
from timeline_env.arena.statistics import Length, Matrix, Standing
from timeline_env.extras import MissingExtra

SAMPLES = 1000
"""Bootstrap samples."""


@dataclass(frozen=True)
class Summary:
    """A tournament's results; lists are by player, in the order of `about.players`.

    Attributes:
        about: what was played.
        games: how many.
        rating: see `timeline_env.arena.ratings.Ratings`.
        ties: likewise.
        standings: wins, ranks and points, overall and by seat.
        ahead: how often the row was ranked before the column at the same table.
        by_side: with two seats, the same for the row in the first seat; else None.
        against_copies: with more seats, how often the row won against copies of the column; else None.
        cycles: players that beat each other in a circle.
        alpha_rank: see `timeline_env.arena.alpha_rank`; None where OpenSpiel is not installed, or not all players met.
        lengths: how long each player's games were.
        length: how long all games were.
    """

    about: About
    games: int
    rating: list[Estimate]
    ties: dict[int, float]
    standings: list[Standing]
    ahead: Matrix
    by_side: Matrix | None
    against_copies: Matrix | None
    cycles: list[tuple[int, ...]]
    alpha_rank: list[Estimate] | None
    lengths: list[Length]
    length: Length

    @property
    def complete(self) -> bool:
        """Whether every player met every other one."""
        return sum(cell is None for row in self.ahead for cell in row) == len(self.ahead)

    @property
    def best_first(self) -> list[int]:
        """The players by their rating, the best first."""
        return best_first(self.rating)

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and dicts, for JSON."""
        return asdict(self)


def summarize(played: Played, progress: Callable[[int], None] = lambda finished: None) -> Summary:
    """Compute all the results of a tournament; `progress` is called with 1 after each of `SAMPLES` samples."""
    weights, samples = resample(played.about.deals, SAMPLES), statistics.share_ahead(played)
    ratings, matrix = rate(played, weights, progress=progress), statistics.cross_play(samples)
    two = played.rank.shape[1] == 2
    return Summary(
        played.about,
        len(played.rank),
        ratings.rating,
        ratings.ties,
        statistics.standings(played),
        matrix,
        statistics.share_by_side(played) if two else None,
        None if two else statistics.share_against_copies(played),
        statistics.cycles(matrix),
        _alpha_rank(samples, weights),
        statistics.lengths(played),
        statistics.length(played, np.ones(len(played.rank), np.bool_)),
    )


def _alpha_rank(samples: Any, weights: Any) -> list[Estimate] | None:
    if np.isnan(samples).sum() > len(samples) * samples.shape[1]:  # more than the diagonals
        return None
    try:
        return alpha_rank(samples, weights)
    except MissingExtra:
        return None
