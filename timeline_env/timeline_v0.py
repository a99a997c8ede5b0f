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
    device: str = "cpu",
) -> Any:
    """Many games side by side: a `timeline_env.engine.batch.Batch`, on a GPU (`device` "cuda") a `CudaBatch`.

    Raises:
        ValueError: a value that is not allowed, named with what is.
    """
    if device == "cuda":
        from timeline_env.engine.cuda import CudaBatch

        return CudaBatch(GAME, num_games, num_players, seed, reward, rules)
    if device != "cpu":
        raise ValueError(f"device {device!r} is unknown; allowed: cpu, cuda")
    return Batch(GAME, num_games, num_players, seed, reward, rules, threads)
