"""RLlib's learner on a Ray cluster: one that is joined, or one on this machine alone."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from timeline_env.arena.cluster import cluster
from timeline_env.extras import require
from training.config import Config
from training.learners.interface import Cluster
from training.learners.rllib.learner import RLlibLearner, settings
from training.opponents.league import League

ray = require("ray", "rllib")


def share(config: Config, wanted: int | None) -> int:
    """How many runners play: as many as wanted, else the most that share `envs` equally and leave a CPU to the learner.

    Each takes a CPU. Raises ValueError if the cluster has fewer than are wanted: RLlib would wait for ever, and say nothing.
    """
    there = int(ray.cluster_resources().get("CPU", 1))
    if wanted is None:
        wanted = max(runners for runners in range(1, max(there - 1, 1) + 1) if config.envs % runners == 0)
    if wanted > there:
        raise ValueError(f"--runners {wanted} must be at most {there}, the CPUs of the Ray cluster")
    free = int(ray.available_resources().get("CPU", 0))
    if free < wanted:
        print(f"waiting for {wanted} CPUs of the Ray cluster, of which {free} are free", file=sys.stderr, flush=True)
    return wanted


@contextmanager
def rllib_learner(config: Config, league: League, seed: int, place: Cluster) -> Iterator[RLlibLearner]:
    """RLlib's PPO on a cluster; see `training.learners.interface.learner_of`."""
    with cluster(place.address):
        algorithm = settings(config, share(config, place.runners), seed).build_algo()
        try:
            yield RLlibLearner(algorithm, config, league)
            algorithm.stop()  # not after an interrupt: it would wait for the rollout under way, and Ray ends the runners anyway
        finally:
            shutil.rmtree(algorithm.logdir, ignore_errors=True)  # an empty folder in the user's home
