"""Where a batch lives: in the computer's memory, or on its GPU."""

from __future__ import annotations

from typing import TYPE_CHECKING

from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.reading import unknown_name

if TYPE_CHECKING:
    from timeline_env.engine.cuda import CudaBatch

DEVICES = ("cpu", "cuda")


def batch_on(
    device: str, setting: Setting, num_games: int, seed: int | None = 0, reward: str = "rank", threads: int = 1
) -> Batch | CudaBatch:
    """Many games side by side on a `device`: ``cpu``, or ``cuda`` (where `threads` has no effect).

    Raises:
        ValueError: a value is not allowed (the message names it and what is), or there is no GPU that numba can use.
    """
    if not isinstance(device, str) or device not in DEVICES:
        raise unknown_name("device", device, DEVICES)
    if device == "cuda":
        from timeline_env.engine.cuda import CudaBatch

        return CudaBatch(setting, num_games, seed, reward)
    return Batch(setting, num_games, seed, reward, threads)
