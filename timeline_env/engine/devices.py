"""Where a batch lives: in the computer's memory, or on its GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from timeline_env.engine.batch import Batch
from timeline_env.engine.verbs import Game

if TYPE_CHECKING:
    from timeline_env.engine.cuda import CudaBatch


def batch_on(
    device: str,
    game: Game,
    num_games: int,
    num_players: int,
    seed: int = 0,
    reward: str = "rank",
    rules: Any = None,
    threads: int = 1,
) -> Batch | CudaBatch:
    """Many games side by side on a `device`: ``cpu``, or ``cuda`` (where `threads` says nothing).

    Raises:
        ValueError: a value that is not allowed, named with what is; or there is no GPU that numba can use.
    """
    if device == "cuda":
        from timeline_env.engine.cuda import CudaBatch

        return CudaBatch(game, num_games, num_players, seed, reward, rules)
    if device != "cpu":
        raise ValueError(f"device {device!r} is unknown; allowed: cpu, cuda")
    return Batch(game, num_games, num_players, seed, reward, rules, threads)
