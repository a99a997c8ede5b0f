"""The learner: sb3-contrib's MaskablePPO with a network that an `Agent` can be made of."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from timeline_env.players.agents.agent import Agent
from timeline_env.players.opponents import Opponents
from timeline_env.wrappers.vector import SeatVecEnv
from training.config import Config
from training.networks import ACTIVATIONS, BoardReader, Flat, about, arrays, body_of, squashed


class Read(BaseFeaturesExtractor):
    """The observation as `timeline_env.players.agents.agent.squashed` gives it to a trained agent, read as its kind of network reads it."""

    def __init__(self, observation_space: Any, body: Callable[[], Flat | BoardReader]) -> None:
        made = body()
        super().__init__(observation_space, made.width)
        self.body = made

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return self.body(squashed(observation))  # [n, width]


def make_env(config: Config, seed: int, opponents: Opponents | None = None) -> SeatVecEnv:
    """The games the learner plays in; against `opponents` in place of the configuration's."""
    return SeatVecEnv(
        config.played,
        config.envs,
        config.num_players,
        opponents or config.opponents,
        config.reward,
        config.network.pieces,
        seed,
        config.rules,
    )


def make_model(config: Config, env: SeatVecEnv, seed: int) -> MaskablePPO:
    """An untrained learner."""
    ppo = config.ppo
    settings = ppo.model_dump(exclude={"final_learning_rate"})
    policy = {
        "features_extractor_class": Read,
        "features_extractor_kwargs": {"body": partial(body_of, config)},
        "net_arch": list(config.network.hidden),
        "activation_fn": ACTIVATIONS[config.network.activation],
    }
    return MaskablePPO("MlpPolicy", env, policy_kwargs=policy, seed=seed, device="cpu", **settings)


def to_agent(model: MaskablePPO, config: Config) -> Agent:
    """The policy as it stands, for `timeline_env.players`."""
    policy = model.policy
    read: Any = policy.features_extractor
    layers = arrays([*read.body.layers, *policy.mlp_extractor.policy_net, policy.action_net])
    return Agent(about(config, int(model.num_timesteps)), layers)
