"""sb3-contrib's MaskablePPO as a learner, with a network that an `Agent` can be made of."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from timeline_env.players.agents.agent import Agent
from timeline_env.players.interface import Decisions
from timeline_env.wrappers.vector import SeatVecEnv
from training.config import ONLY_PPO, Config, Now
from training.learners.interface import Update
from training.learners.networks import ACTIVATIONS, BoardReader, Flat, Layers, body_of, refuse_diverged, squash
from training.learners.prior import Prior
from training.opponents.league import League


class Reader(BaseFeaturesExtractor):
    """The observation as `timeline_env.players.agents.agent.squash` gives it to a trained agent, read as its kind of network reads it."""

    def __init__(self, observation_space: Any, body: Callable[[], Flat | BoardReader]) -> None:
        made = body()
        super().__init__(observation_space, made.width)
        self.body = made

    def forward(self, observation: torch.Tensor) -> torch.Tensor:
        return self.body(squash(observation))  # [n, width]


class WeightedGames(SeatVecEnv):
    """The games that the learner plays in; their masks carry the prior, see `Prior.weights`."""

    def __init__(self, config: Config, league: League, seed: int) -> None:
        self.prior = Prior(config) if config.prior else None
        super().__init__(config.setting, config.envs, league, config.reward, config.network.pieces, seed)

    def action_masks(self) -> NDArray[Any]:
        """Bool [n, A]; with a prior a weight for every action, float32 [n, A]."""
        if self.prior is None:
            return super().action_masks()
        return self.prior.weights(Decisions.of(self.batch, self.seats.all))


class WeightedDistribution(MaskableCategoricalDistribution):
    """Legal actions by the network's logits, each probability times the weight in the mask."""

    def apply_masking(self, masks: Any) -> None:
        """Take weights, float32 [n, A], 0 where an action is illegal and above 0 elsewhere."""
        weights = torch.as_tensor(masks, dtype=torch.float32)
        tiny = torch.finfo(torch.float32).tiny
        self.proba_distribution(self.distribution.logits + weights.reshape(-1, self.action_dim).clamp(min=tiny).log())
        super().apply_masking(weights)


class MaskablePPOLearner:
    """MaskablePPO, an update at a time: it learns from one seat of each game. Its arguments are those of `learner_of`."""

    def __init__(self, config: Config, league: League, seed: int) -> None:
        torch.set_num_threads(config.threads)
        self.config, self.games, self.now = config, WeightedGames(config, league, seed), config.now(0)
        policy = {
            "features_extractor_class": Reader,
            "features_extractor_kwargs": {"body": partial(body_of, config)},
            "net_arch": list(config.network.hidden),
            "activation_fn": ACTIVATIONS[config.network.activation],
        }
        others = {key.removeprefix("ppo.") for key in ONLY_PPO if key.startswith("ppo.")}
        settings = config.ppo.model_dump(exclude={"final_learning_rate"} | others)
        self.model = MaskablePPO("MlpPolicy", self.games, policy_kwargs=policy, seed=seed, device="cpu", **settings)
        if config.prior:
            self.model.policy.action_dist = WeightedDistribution(self.games.batch.num_actions)
        self.model.set_logger(Logger(None, []))

    @property
    def seating(self) -> NDArray[np.int64]:
        """Who sits in the games under way; int64 [n, players]."""
        return self.games.seats.seating

    def update(self, now: Now) -> Update:
        """Play one rollout and learn from it; see `Learner`."""
        ended: list[dict[str, Any]] = []

        def collect(found: dict[str, Any], _: dict[str, Any]) -> bool:
            ended.extend(info for info in found["infos"] if info)
            return True

        self.now = now
        self.games.batch.reward_kind = self.config.registered_game.rewards.index(now.reward)
        self.model.lr_schedule = lambda _: now.rate
        decisions = self.config.envs * self.config.ppo.n_steps
        # With as many decisions as one rollout has, `learn` is one update; it keeps the games where they are.
        try:
            self.model.learn(decisions, collect, log_interval=None, reset_num_timesteps=False)  # type: ignore[arg-type]
        except ValueError:
            self.refuse_diverged()  # torch's own message would print all the numbers that it cannot sample from
            raise
        self.refuse_diverged()
        losses = {
            name.removeprefix("train/"): float(value)
            for name, value in self.model.logger.name_to_value.items()
            if name.startswith("train/")
        }
        return Update(decisions, ended, losses)

    @torch.no_grad()
    def refuse_diverged(self) -> None:
        """Raise ValueError if the network has diverged."""
        policy: Any = self.model.policy
        seen, _ = policy.obs_to_tensor(self.model._last_obs)
        logits = policy.action_net(policy.mlp_extractor.forward_actor(policy.extract_features(seen)))
        refuse_diverged(policy, logits, self.config.ppo.learning_rate)

    def agent(self, steps: int) -> Agent:
        """The current policy."""
        return self.layers.make_agent(self.config, steps, self.now)

    def take(self, agent: Agent) -> None:
        """Play by this agent from now on."""
        self.layers.take(agent, self.config)

    @property
    def layers(self) -> Layers:
        """The linear layers."""
        policy = self.model.policy
        reader: Any = policy.features_extractor
        made = policy.mlp_extractor
        return Layers.of(reader.body, [*made.policy_net, policy.action_net], [*made.value_net, policy.value_net])

    def state(self) -> dict[str, Any]:
        """The state of the network and its optimizer."""
        return {
            "policy": self.model.policy.state_dict(),
            "optimizer": self.model.policy.optimizer.state_dict(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Replace the learner's state with this one."""
        self.model.policy.load_state_dict(state["policy"])
        self.model.policy.optimizer.load_state_dict(state["optimizer"])
