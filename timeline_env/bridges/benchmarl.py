"""The games as tasks of BenchMARL: ``BoardGameTask("timeline", {"num_players": 3, "normalize": True})``."""

from __future__ import annotations

import multiprocessing
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from timeline_env.bridges.torchrl import for_torchrl
from timeline_env.extras import require
from timeline_env.games import environments_of

require("benchmarl", "benchmarl")
from benchmarl.environments.pettingzoo.common import PettingZooClass  # noqa: E402
from torchrl.envs import EnvBase, PettingZooWrapper  # noqa: E402

LONGEST = 10_000
"""Decisions: more than any game has."""


class BoardGameTask(PettingZooClass):
    """A game's parallel environment as a task: all seats are one group, ``player``, with masks and the global state.

    Args:
        name: the game's.
        config: the arguments of its ``parallel_env``.
    """

    def __init__(self, name: str, config: dict[str, Any] | None = None) -> None:
        super().__init__(name, config)
        self.make = environments_of(name).parallel_env
        self.copies = 0

    def get_env_fun(
        self, num_envs: int, continuous_actions: bool, seed: int | None, device: Any
    ) -> Callable[[], EnvBase]:
        """The function by which BenchMARL makes a copy of the environment; every copy has its own deals, even in several processes."""

        def make_copy() -> EnvBase:
            own = None if seed is None else seed_of_copy(seed, self.copies)
            self.copies += 1
            return PettingZooWrapper(
                env=for_torchrl(self.make(**self.config)), return_state=True, seed=own, device=device
            )

        return make_copy

    def supports_continuous_actions(self) -> bool:
        """No: they are discrete."""
        return False

    def supports_discrete_actions(self) -> bool:
        """Yes."""
        return True

    def has_state(self) -> bool:
        """Yes: the observations of all seats."""
        return True

    def has_render(self, env: EnvBase) -> bool:
        """Whether the task was given a render mode with pixels."""
        return self.config.get("render_mode") == "rgb_array"

    def max_steps(self, env: EnvBase) -> int:
        """The most steps of an evaluation, in which the game is played to its end."""
        return self.config.get("max_turns") or LONGEST

    @staticmethod
    def env_name() -> str:
        """The name of this family of tasks."""
        return "timeline_env"


def seed_of_copy(seed: int, number: int) -> int:
    """The seed of the environment that this process makes after `number` others; each worker process of TorchRL counts from 0."""
    process = zlib.crc32(multiprocessing.current_process().name.encode())
    return int(np.random.SeedSequence(seed, spawn_key=(process, number)).generate_state(1, np.uint64)[0] >> 1)
