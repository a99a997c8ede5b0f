"""What TorchRL's `PettingZooWrapper`, and BenchMARL through it, need of the environments.

TorchRL makes a tensor of every info and expects the same ones at every step; ours hold the seat's name, and at the end of the
game its points and rank. And its examples read the observation as one tensor.
"""

from __future__ import annotations

import copy
from typing import Any, Self

from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import BaseParallelWrapper, BaseWrapper

Told = dict[str, dict[str, Any]]


def for_torchrl(env: AECEnv | ParallelEnv) -> AECEnv | ParallelEnv:
    """One of our environments, AEC or parallel, with the flat observation alone, and the mask as the only info."""
    return OneTensor(env) if isinstance(env, AECEnv) else OneTensorParallel(env)


class OneTensor(BaseWrapper):
    """An AEC environment whose observation is one array, and whose infos hold ``action_mask`` alone."""

    def observation_space(self, agent: str) -> spaces.Box:
        """Of the flat observation."""
        return self.env.observation_space(agent)["observation"]

    def observe(self, agent: str) -> NDArray[Any]:
        """What an agent sees; [d]."""
        return self.env.observe(agent)["observation"]

    @property
    def infos(self) -> Told:
        """What every agent may do; all zeros for those that are not to move."""
        return {agent: {"action_mask": self.unwrapped.mask(agent)} for agent in self.env.infos}

    def clone(self) -> Self:
        """An independent copy that continues as this one would."""
        return copy.deepcopy(self)


class OneTensorParallel(BaseParallelWrapper):
    """A parallel environment whose observations are one array each, and whose infos hold ``action_mask`` alone."""

    def observation_space(self, agent: str) -> spaces.Box:
        """Of the flat observation."""
        return self.env.observation_space(agent)["observation"]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Told, Told]:
        """Begin a game; gives every agent's observation and mask."""
        return _split(self.env.reset(seed, options)[0])

    def step(self, actions: dict[str, Any]) -> tuple[Any, ...]:
        """Take the decision of the agent to move; see `SimultaneousEnv.step`."""
        observations, *told, _ = self.env.step(actions)
        seen, masks = _split(observations)
        return seen, *told, masks

    def clone(self) -> Self:
        """An independent copy that continues as this one would."""
        return copy.deepcopy(self)


def _split(observations: Told) -> tuple[dict[str, Any], Told]:
    """Observations and, as infos, masks."""
    seen = {agent: both["observation"] for agent, both in observations.items()}
    return seen, {agent: {"action_mask": both["action_mask"]} for agent, both in observations.items()}
