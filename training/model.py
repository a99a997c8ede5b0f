"""The learner: sb3-contrib's MaskablePPO with a network that an `Agent` can be made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn

from timeline_env.players.network import About, Agent
from timeline_env.wrappers.vector import SeatVecEnv
from training.config import Config

ACTIVATIONS: dict[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU}


class Squash(BaseFeaturesExtractor):
    """The observation as `timeline_env.players.network.squashed` gives it to a trained agent."""

    def __init__(self, observation_space: Any) -> None:
        super().__init__(observation_space, observation_space.shape[0])

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return torch.sign(observation) * torch.log1p(torch.abs(observation))  # [n, d]


def make_env(config: Config, seed: int) -> SeatVecEnv:
    """The games the learner plays in."""
    return SeatVecEnv(
        config.played,
        config.envs,
        config.num_players,
        config.opponents,
        config.reward,
        config.network.pieces,
        seed,
        config.rules,
    )


def make_model(config: Config, env: SeatVecEnv, seed: int) -> MaskablePPO:
    """An untrained learner."""
    ppo = config.ppo
    settings = ppo.model_dump(exclude={"learning_rate", "final_learning_rate"})
    policy = {
        "features_extractor_class": Squash,
        "net_arch": list(config.network.hidden),
        "activation_fn": ACTIVATIONS[config.network.activation],
    }

    def learning_rate(left: float) -> float:
        return ppo.final_learning_rate + left * (ppo.learning_rate - ppo.final_learning_rate)

    return MaskablePPO(
        "MlpPolicy", env, learning_rate=learning_rate, policy_kwargs=policy, seed=seed, device="cpu", **settings
    )


def to_agent(model: MaskablePPO, config: Config) -> Agent:
    """The policy as it stands, for `timeline_env.players`."""
    policy = model.policy
    linear = [layer for layer in policy.mlp_extractor.policy_net if isinstance(layer, nn.Linear)]
    layers = [(_array(layer.weight), _array(layer.bias)) for layer in [*linear, policy.action_net]]
    names = config.network.pieces or list(config.played.layout(config.num_players).pieces)
    about = About(
        config.game,
        config.played.rules_version,
        config.num_players,
        tuple(names),
        config.network.activation,
        int(model.num_timesteps),
        config.rules or {},
    )
    return Agent(about, layers)


def _array(tensor: Any) -> NDArray[np.float32]:
    return tensor.detach().numpy().astype(np.float32)
