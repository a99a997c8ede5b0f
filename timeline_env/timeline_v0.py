"""Timeline, version 0: what a user imports. ``from timeline_env import timeline_v0``."""

from __future__ import annotations

from typing import Any

from timeline_env.engine.batch import Batch
from timeline_env.timeline import GAME

__all__ = ["batch"]


def batch(
    num_games: int = 4096,
    num_players: int = 4,
    seed: int = 0,
    reward: str = "rank",
    rules: Any = None,
    threads: int = 1,
) -> Batch:
    """Many games side by side; see `timeline_env.engine.batch.Batch`."""
    return Batch(GAME, num_games, num_players, seed, reward, rules, threads)
