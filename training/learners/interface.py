"""What a run asks of its learner."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from timeline_env.players.agents.agent import Agent
from training.config import Config, Now
from training.opponents.league import League


@dataclass(frozen=True)
class Update:
    """The result of one update.

    Attributes:
        decisions: how many the learner played, whatever share of them it learned from.
        ended: the games that ended, each as `timeline_env.wrappers.seats.game_info` describes it.
        losses: the losses, and what else the learner measures of itself, by name.
    """

    decisions: int
    ended: list[dict[str, Any]]
    losses: dict[str, float]


class Learner(Protocol):
    """A network that plays and learns, one update after the other. What is counted and kept meanwhile is the run's affair."""

    now: Now
    """What held at its last update, as its agents record it; a resumed run sets it."""

    @property
    def seating(self) -> NDArray[np.int64]:
        """Who sits in the games under way, as indices of the league's players; of any shape."""
        ...

    def update(self, now: Now) -> Update:
        """Play `envs` × `ppo.n_steps` decisions and learn from them, by the rates, reward and scale of `now`."""
        ...

    def agent(self, steps: int) -> Agent:
        """The current policy, after this many decisions, for `timeline_env.players`."""
        ...

    def take(self, agent: Agent) -> None:
        """Play by this agent from now on; see `training.start.start_agent`."""
        ...

    def state(self) -> dict[str, Any]:
        """``policy``, ``optimizer`` and what else `restore` needs: tensors and numbers."""
        ...

    def restore(self, state: dict[str, Any]) -> None:
        """Take back what `state` gave. Raises KeyError, RuntimeError and others if it is damaged."""
        ...


@dataclass(frozen=True)
class Cluster:
    """Where RLlib plays: the address of a Ray cluster (None: this machine) and in how many processes (None: at most one for each CPU but one)."""

    address: str | None = None
    runners: int | None = None

    def check(self, config: Config) -> None:
        """Raise ValueError if the configuration's learner knows no clusters, or its games cannot be shared equally."""
        if config.learner != "rllib" and self != Cluster():
            raise ValueError(f"--address and --runners must be left out with learner {config.learner}; allowed: rllib")
        if self.runners and config.envs % self.runners:
            raise ValueError(f"envs {config.envs} must be a multiple of the number of runners, which is {self.runners}")


LIBRARIES = {"ppo": ("torch", "train"), "maskable_ppo": ("sb3_contrib", "train"), "rllib": ("ray", "rllib")}
"""What each learner of `learner_of` needs, and the package's extra that it comes with."""


@contextmanager
def learner_of(config: Config, league: League, seed: int, cluster: Cluster) -> Iterator[Learner]:
    """The configuration's learner, untrained; what it holds open is closed afterwards.

    Args:
        config: what is learned, and how.
        league: who else plays; its players are loaded.
        seed: 0 to 2**32 - 1, for all that is drawn.
        cluster: where RLlib plays.

    Raises:
        MissingExtra: the learner's library is not installed.
        ValueError: no such cluster or GPU.
    """
    if config.learner == "ppo":
        from training.learners.ppo import PPO

        with closing(PPO(config, league, seed)) as learner:
            yield learner
    elif config.learner == "maskable_ppo":
        from training.learners.maskable import MaskablePPOLearner

        yield MaskablePPOLearner(config, league, seed)
    else:
        from training.learners.rllib.cluster import rllib_learner

        with rllib_learner(config, league, seed, cluster) as learner:
            yield learner
