"""RLlib's PPO by our configurations, and the few things that are asked of it."""

from __future__ import annotations

from typing import Any

import torch

from timeline_env.extras import require
from timeline_env.players.agents.agent import Agent
from training.config import Config
from training.rllib.module import MaskedModule
from training.rllib.table import (
    LEARNER_MODULE,
    Seats,
    Table,
    Told,
    action_space,
    module_of,
    modules,
    observation_space,
)

require("ray.rllib", "rllib")
from ray.rllib.algorithms.ppo import PPO, PPOConfig  # noqa: E402
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec  # noqa: E402
from ray.rllib.core.rl_module.rl_module import RLModuleSpec  # noqa: E402


def settings(config: Config, runners: int, seed: int) -> PPOConfig:
    """RLlib's configuration for so many runners.

    Raises:
        ValueError: `envs` cannot be shared equally among them.
    """
    if config.envs % runners:
        raise ValueError(f"envs {config.envs} must be a multiple of the number of runners, which is {runners}")
    ppo, keys = config.ppo, {"config": config.model_dump()}
    spec = RLModuleSpec(
        module_class=MaskedModule,
        observation_space=observation_space(config),
        action_space=action_space(config),
        model_config=keys,
    )
    return (
        PPOConfig()
        .environment(Table, env_config=keys, disable_env_checking=True)  # the checker plays illegal actions
        .env_runners(
            num_env_runners=runners,
            num_envs_per_env_runner=config.envs // runners,
            rollout_fragment_length=ppo.n_steps,
        )
        .learners(num_learners=0)
        .multi_agent(policies=set(modules(config)), policy_mapping_fn=module_of, policies_to_train=[LEARNER_MODULE])
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs=dict.fromkeys(modules(config), spec)))
        .training(
            train_batch_size_per_learner=config.envs * ppo.n_steps,
            minibatch_size=ppo.batch_size,
            num_epochs=ppo.n_epochs,
            lr=ppo.learning_rate,
            gamma=ppo.gamma,
            lambda_=ppo.gae_lambda,
            clip_param=ppo.clip_range,
            entropy_coeff=ppo.ent_coef,
            vf_loss_coeff=ppo.vf_coef,
            grad_clip=ppo.max_grad_norm,
            grad_clip_by="global_norm",
            use_kl_loss=False,  # MaskablePPO has neither of these two
            vf_clip_param=float("inf"),
        )
        .fault_tolerance(restart_failed_env_runners=True)
        .debugging(seed=seed, log_level="ERROR")
    )


class Learner:
    """PPO as it runs: what is put into it and taken out of it between two updates."""

    def __init__(self, algorithm: PPO, config: Config) -> None:
        self.algorithm, self.config = algorithm, config

    def state(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Of the learner's network and its optimizer."""
        return self._ask(
            lambda learner: (
                learner.module[LEARNER_MODULE].state_dict(),
                learner.get_optimizer(LEARNER_MODULE).state_dict(),
            )
        )

    def go_on(self, policy: dict[str, Any], optimizer: dict[str, Any]) -> None:
        """Put these states in the place of the learner's, at the runners too."""

        def put(learner: Any) -> None:
            learner.module[LEARNER_MODULE].load_state_dict(policy)
            learner.get_optimizer(LEARNER_MODULE).load_state_dict(optimizer)

        self._ask(put)
        self.play_by({LEARNER_MODULE: self.agent(0)})

    def agent(self, steps: int) -> Agent:
        """The learner as it stands."""
        return self._ask(lambda learner: learner.module[LEARNER_MODULE].to_agent(self.config, steps))

    def play_by(self, agents: dict[str, Agent]) -> None:
        """Let modules, by name, play by these agents everywhere.

        Also at the local runner and the learner, whom RLlib copies modules from now and then: to new runners, and after an update.
        """

        def put(holder: Any) -> None:
            for module, agent in agents.items():
                holder.module[module].take(agent)

        self._ask(put)
        self.algorithm.env_runner_group.foreach_env_runner(put)

    def tell(self, seats: Seats) -> list[Told]:
        """Let all tables draw players by these chances; gives what has happened at each since the last call."""

        def at_tables(runner: Any) -> list[Told]:
            return [table.unwrapped.told(seats) for table in runner.env.envs] if runner.env else []

        told = self.algorithm.env_runner_group.foreach_env_runner(at_tables)
        return [each for tables in told for each in tables]

    def update(self, learning_rate: float) -> None:
        """Play and learn once."""

        def put(learner: Any) -> None:
            for group in learner.get_optimizer(LEARNER_MODULE).param_groups:
                group["lr"] = learning_rate

        self._ask(put)
        torch.set_num_threads(self.config.threads)
        self.algorithm.train()

    def _ask(self, question: Any) -> Any:
        """What the one learner answers."""
        (answer,) = self.algorithm.learner_group.foreach_learner(question)
        return answer.get()
