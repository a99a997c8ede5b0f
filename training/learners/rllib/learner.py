"""RLlib's PPO as a learner, by our configurations."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import torch

from timeline_env.extras import require
from timeline_env.failures import PlayerFailed
from timeline_env.players.agents.agent import Agent
from timeline_env.wrappers.seats import LEARNER
from training.config import Config, Now
from training.learners.interface import Update
from training.learners.rllib.module import MaskedModule
from training.learners.rllib.table import (
    LEARNER_MODULE,
    EndedGame,
    Seats,
    Table,
    TableReport,
    action_space,
    module_of,
    modules,
    observation_space,
    slots,
)
from training.opponents.league import OWN, League

require("ray.rllib", "rllib")
from ray.rllib.algorithms.ppo import PPO, PPOConfig  # noqa: E402
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec  # noqa: E402
from ray.rllib.core.rl_module.rl_module import RLModuleSpec  # noqa: E402

PATIENCE = 600.0
"""Seconds without a decision of the learner after which the run is given up: no runner plays, and none comes back."""


class Algorithm(PPO):
    """RLlib's PPO; before a runner that was lost and came back plays, it is told who may sit at its tables."""

    seats: Seats | None = None

    def restore_env_runners(self, env_runner_group: Any) -> list[int]:
        """Bring back runners that were lost; gives their numbers."""
        restored, seats = super().restore_env_runners(env_runner_group), self.seats
        if restored and seats:
            env_runner_group.foreach_env_runner(
                lambda runner: exchange_tables(runner, seats), remote_worker_ids=restored, local_env_runner=False
            )
        return restored


def exchange_tables(runner: Any, seats: Seats) -> list[TableReport]:
    """What the tables of a runner answer when they are given these seats."""
    return [table.unwrapped.exchange(seats) for table in runner.env.envs] if runner.env else []


def settings(config: Config, runners: int, seed: int) -> PPOConfig:
    """RLlib's configuration for this many runners, which share `envs` equally; `seed` from 0 to 2**32 - 1."""
    ppo, keys = config.ppo, {"config": config.model_dump()}
    spec = RLModuleSpec(
        module_class=MaskedModule,
        observation_space=observation_space(config),
        action_space=action_space(config),
        model_config=keys,
    )
    return (
        PPOConfig(Algorithm)
        .environment(Table, env_config=keys, disable_env_checking=True)  # the checker plays illegal actions
        .env_runners(
            num_env_runners=runners,
            num_envs_per_env_runner=config.envs // runners,
            rollout_fragment_length=ppo.n_steps,
            sample_timeout_s=3600.0,  # later samples are dropped: 60 s is too short to compile in, or to ask slow players
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
        .debugging(seed=seed % 2**31, log_level="ERROR")
    )


class RLlibLearner:
    """PPO on a cluster that has been joined.

    Args:
        algorithm: made of `settings`.
        config: what is learned.
        league: who else plays; its players are loaded.
    """

    seating = np.zeros(0, np.int64)
    """Empty: tables load their own players, so a running game needs none of the league's."""

    def __init__(self, algorithm: Algorithm, config: Config, league: League) -> None:
        self.algorithm, self.config, self.league = algorithm, config, league
        self.slots: dict[str, str] = {}
        self.now = config.now(0)
        self.learned = 0

    def update(self, now: Now) -> Update:
        """Play and learn once; try again while runners that were lost come back.

        Raises:
            ConnectionError: no runner comes back for a long time, see `PATIENCE`.
            PlayerFailed: a scripted player failed.
            ValueError: the network has diverged.
        """
        self.now = now
        self.fill_slots()
        seats = self.algorithm.seats = self.seats(now.reward)
        if any(report.is_new for report in self.exchange(seats)):
            # Ray may restart a runner without being asked to: then RLlib does not know that it plays by other weights.
            self.play_by({LEARNER_MODULE: self.agent(0), **self.snapshots(self.slots)})
        end = math.inf
        while time.monotonic() < end:
            losses = self.train(now.rate)
            self.refuse_diverged()
            reports = self.exchange(seats)
            taken = sum(report.taken for report in reports)
            ended = [game for report in reports for game in report.ended]
            if failures := [report.failure for report in reports if report.failure]:
                raise PlayerFailed(failures[0])
            if taken:
                self.count(ended)
                self.learned += taken
                return Update(taken, [game.info for game in ended], losses)
            end = min(end, time.monotonic() + PATIENCE)
            time.sleep(1)  # an update without runners is over at once; restarting a runner takes longer
        raise ConnectionError(f"no runner has played for {PATIENCE:.0f} s; see Ray's logs, then resume with --resume")

    def agent(self, steps: int) -> Agent:
        """The current policy."""
        return self.ask(lambda learner: learner.module[LEARNER_MODULE].to_agent(steps, self.now))

    def state(self) -> dict[str, Any]:
        """The state of the network and its optimizer."""
        return self.ask(
            lambda learner: {
                "policy": learner.module[LEARNER_MODULE].state_dict(),
                "optimizer": learner.get_optimizer(LEARNER_MODULE).state_dict(),
            }
        )

    def restore(self, state: dict[str, Any]) -> None:
        """Replace the learner's state with this one, at the runners too."""

        def put(learner: Any) -> None:
            learner.module[LEARNER_MODULE].load_state_dict(state["policy"])
            learner.get_optimizer(LEARNER_MODULE).load_state_dict(state["optimizer"])

        self.ask(put)
        self.take(self.agent(0))

    def take(self, agent: Agent) -> None:
        """Play by this agent from now on."""
        self.play_by({LEARNER_MODULE: agent})

    def count(self, ended: list[EndedGame]) -> None:
        """Let the league know how its snapshots did."""
        if ended:
            seating = np.array([[self.league.names.index(name) for name in game.players] for game in ended])
            self.league.note_results(
                np.where(seating == OWN, LEARNER, seating), np.array([game.rank for game in ended])
            )

    def fill_slots(self) -> None:
        """Give every snapshot of the pool a frozen module; those that have left the pool make room."""
        pool = self.league.pool
        if pool is None:
            return
        self.slots = {name: slot for name, slot in self.slots.items() if name in pool.snapshots}
        free = [slot for slot in slots(self.config) if slot not in self.slots.values()]
        new = dict(zip((name for name in pool.snapshots if name not in self.slots), free, strict=False))
        self.slots |= new
        if new:
            self.play_by(self.snapshots(new))

    def snapshots(self, places: dict[str, str]) -> dict[str, Agent]:
        """The agents of these snapshots by module; `places` gives the module of each by the snapshot's name."""
        pool = self.league.pool
        return {slot: pool.agent(name) for name, slot in places.items()} if pool else {}

    def seats(self, reward: str) -> Seats:
        """Who may sit at a table now, and how they are paid."""
        chances = zip(self.league.names, self.league.chances, strict=True)
        chosen = {name: float(chance) for name, chance in chances if chance > 0}
        return Seats(reward, chosen, dict(self.slots), self.learned)

    def play_by(self, agents: dict[str, Agent]) -> None:
        """Let modules, by name, play by these agents everywhere.

        Also at the local runner and the learner, from which RLlib copies modules now and then: to new runners, and after an update.
        """

        def put(holder: Any) -> None:
            for module, agent in agents.items():
                holder.module[module].take(agent)

        self.ask(put)
        self.algorithm.env_runner_group.foreach_env_runner(put)

    def exchange(self, seats: Seats) -> list[TableReport]:
        """Let all tables play by these seats from the next game on; gives what has happened at each since the last call."""

        found = self.algorithm.env_runner_group.foreach_env_runner(lambda runner: exchange_tables(runner, seats))
        return [report for reports in found for report in reports]

    def train(self, rate: float) -> dict[str, float]:
        """Play and learn once with this learning rate; gives what RLlib measures of it."""

        def put(learner: Any) -> None:
            for group in learner.get_optimizer(LEARNER_MODULE).param_groups:
                group["lr"] = rate

        self.ask(put)
        torch.set_num_threads(self.config.threads)
        measured = self.algorithm.train().get("learners", {}).get(LEARNER_MODULE, {})
        return {name: float(value) for name, value in measured.items() if isinstance(value, float | np.floating)}

    def refuse_diverged(self) -> None:
        """Raise ValueError if the network has diverged: runners would die of it, and Ray would start them again and again."""
        rate = self.config.ppo.learning_rate
        self.ask(lambda learner: learner.module[LEARNER_MODULE].refuse_diverged(rate))

    def ask(self, question: Any) -> Any:
        """What RLlib's one learner answers."""
        (answer,) = self.algorithm.learner_group.foreach_learner(question)
        return answer.get()
