"""What RLlib's own `PettingZooEnv` and its module for action masks, `ActionMaskingTorchRLModule`, need of an AEC environment."""

from __future__ import annotations

import copy
from typing import Any, Self

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import BaseWrapper


class ForRLlib(BaseWrapper):
    """An AEC environment whose observations are ``{"observations": float32 [d], "action_mask": float32 [A]}``."""

    def __init__(self, env: AECEnv) -> None:
        super().__init__(env)
        self.observation_spaces = {agent: _space(env.observation_space(agent)) for agent in env.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of `observe`."""
        return self.observation_spaces[agent]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees and may do."""
        seen = self.env.observe(agent)
        return {"observations": seen["observation"], "action_mask": seen["action_mask"].astype(np.float32)}

    def clone(self) -> Self:
        """An independent copy that continues as this one would."""
        return copy.deepcopy(self)


def _space(ours: Any) -> spaces.Dict:
    mask = spaces.Box(0, 1, ours["action_mask"].shape, np.float32)
    return spaces.Dict({"observations": ours["observation"], "action_mask": mask})
