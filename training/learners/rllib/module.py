"""The network as RLlib's module: the policy that an agent plays by, masked, and a value, both over the same reading of the observation."""

from __future__ import annotations

from typing import Any

import torch

from timeline_env.extras import require
from timeline_env.players.agents.agent import Agent
from training.config import Now, parse_config
from training.learners.networks import ILLEGAL, Layers, body_of, perceptron, refuse_diverged, squash

require("ray.rllib", "rllib")
from ray.rllib.core.columns import Columns  # noqa: E402
from ray.rllib.core.rl_module.apis.value_function_api import ValueFunctionAPI  # noqa: E402
from ray.rllib.core.rl_module.torch import TorchRLModule  # noqa: E402


class MaskedModule(TorchRLModule, ValueFunctionAPI):
    """The network of every learner, for RLlib's PPO; `model_config` is ``{"config": …}``, a configuration's keys."""

    def setup(self) -> None:
        """Make the layers."""
        self.configuration = config = parse_config(dict(self.model_config["config"]))
        self.body = body_of(config)
        hidden, activation = list(config.network.hidden), config.network.activation
        actions = config.registered_game.num_actions(config.num_players)
        self.policy = perceptron(self.body.width, hidden, actions, 0.01, activation)
        self.value = perceptron(self.body.width, hidden, 1, 1.0, activation)
        self.seen: dict[str, torch.Tensor] | None = None

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        self.seen = seen = batch[Columns.OBS]
        logits = self.policy(self._read(seen))
        weights = seen["action_mask"].float()  # see `training.learners.prior.Prior.weights`; without a prior 0 and 1
        return {Columns.ACTION_DIST_INPUTS: torch.where(weights > 0, logits + weights.log(), ILLEGAL)}

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> torch.Tensor:
        """How good each position is for the seat that sees it, [k]."""
        return self.value(self._read(batch[Columns.OBS])).squeeze(-1)

    def _read(self, seen: dict[str, torch.Tensor]) -> torch.Tensor:
        return self.body(squash(seen["observation"]))

    @torch.no_grad()
    def refuse_diverged(self, rate: float) -> None:
        """Raise ValueError if the network has diverged with this learning rate, judged by the positions that it looked at last.

        Before it has looked at any, as when the first rollout was lost with its runners, there is nothing to judge.
        """
        if self.seen is not None:
            refuse_diverged(self, self.policy(self._read(self.seen)), rate)

    def to_agent(self, steps: int, now: Now) -> Agent:
        """The current agent, after so many decisions, the last of them by `now`."""
        return self._layers.make_agent(self.configuration, steps, now)

    def take(self, agent: Agent) -> None:
        """Play by this agent from now on."""
        self._layers.take(agent, self.configuration)

    @property
    def _layers(self) -> Layers:
        return Layers.of(self.body, self.policy, self.value)
