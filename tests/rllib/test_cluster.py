"""Training on two nodes: Ray simulates them on this machine, each with processes, an object store and a scheduler of its own."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ray
from ray.cluster_utils import Cluster

from tests.rllib.settings import TIMELINE
from timeline_env.arena.cluster import cluster
from training.config import parse_config
from training.learners.rllib.learner import RLlibLearner, settings
from training.results import metrics
from training.run import TrainingRun, league_of
from training.run_folder import Progress, create


@pytest.fixture
def nodes() -> Iterator[tuple[Cluster, object]]:
    """A cluster of two nodes with one CPU each, so that they have a runner each; and the second node."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    second = made.add_node(num_cpus=1)
    yield made, second
    made.shutdown()


@pytest.fixture
def training(nodes: tuple[Cluster, object], tmp_path: Path) -> Iterator[TrainingRun]:
    config = parse_config(TIMELINE | {"steps": 10**6})
    with cluster(nodes[0].address):
        algorithm = settings(config, 2, 0).build_algo()
        run = create(tmp_path / "run", config, sys.argv)
        league = league_of(run)
        league.begin(np.random.default_rng(0))
        learner = RLlibLearner(algorithm, config, league)
        yield TrainingRun(run, learner, league, Progress(), lambda *progress: None)
        algorithm.stop()


def places(training: TrainingRun) -> list[str]:
    """The node of each runner that answers."""
    group = training.learner.algorithm.env_runner_group
    return group.foreach_env_runner(lambda _: ray.get_runtime_context().get_node_id(), local_env_runner=False)


def wait_until(reached: Callable[[], bool], meanwhile: Callable[[], object]) -> None:
    """Do this again and again, for four minutes at most."""
    deadline = time.monotonic() + 240
    while not reached():
        assert time.monotonic() < deadline, "it never came to that"
        meanwhile()


def update_until(training: TrainingRun, reached: Callable[[], bool]) -> None:
    wait_until(reached, training.update)


def assert_snapshots_play_everywhere(training: TrainingRun) -> None:
    """Every runner's frozen modules hold the weights of the pool's snapshots."""
    learner, pool, now = training.learner, training.league.pool, training.config.now(0)
    learner.fill_slots()  # as the next update would
    assert sorted(learner.slots) == sorted(pool.snapshots)
    for name, slot in learner.slots.items():
        wanted = pool.agent(name).layers
        held = learner.algorithm.env_runner_group.foreach_env_runner(
            lambda runner, slot=slot: runner.module[slot].to_agent(0, now).layers
        )
        assert len(held) >= 2  # the local one, whom new runners are copied from, and whoever plays
        for layers in held:
            for (weight, bias), (own_weight, own_bias) in zip(wanted, layers, strict=True):
                assert np.array_equal(weight, own_weight) and np.array_equal(bias, own_bias)


def process_of(runner: Any) -> int | None:
    """The process that a runner is; None while it is being started again."""
    try:
        return ray.get(runner.apply.remote(lambda _: os.getpid()), timeout=60)
    except ray.exceptions.RayError:
        return None


def failures(training: TrainingRun) -> int:
    """How many runners were lost so far: an illegal action would lose one, too."""
    return training.learner.algorithm.env_runner_group.num_remote_worker_restarts()


def test_the_only_runner_may_be_lost_and_comes_back_to_the_same_opponents(tmp_path: Path, address: str) -> None:
    config = parse_config(TIMELINE | {"steps": 10**6, "opponents": {"random": 1.0}})
    with cluster(address):
        algorithm = settings(config, 1, 0).build_algo()
        league = league_of(create(tmp_path / "run", config, sys.argv))
        league.begin(np.random.default_rng(0))
        learner = RLlibLearner(algorithm, config, league)
        played: list[list[str]] = []
        learner.count = lambda ended: played.extend(game.players for game in ended)  # type: ignore[method-assign]
        learner.update(config.now(0))
        ray.kill(algorithm.env_runner_group._worker_manager.actors()[1], no_restart=False)
        played.clear()

        def update() -> None:
            assert learner.update(config.now(0)).decisions > 0

        wait_until(lambda: len(played) >= 12, update)
        assert algorithm.env_runner_group.num_remote_worker_restarts() == 1
        assert all(players.count("random") == config.num_players - 1 for players in played)
        algorithm.stop()


def test_runners_on_both_nodes_may_be_lost(
    training: TrainingRun, nodes: tuple[Cluster, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    pool = training.league.pool
    update_until(training, lambda: len(pool.snapshots) == 2)
    assert len(set(places(training))) == 2 and failures(training) == 0
    assert_snapshots_play_everywhere(training)

    one = training.learner.algorithm.env_runner_group._worker_manager.actors()[1]
    ray.kill(one, no_restart=False)
    before = training.steps
    update_until(training, lambda: training.steps > before + 500)
    update_until(training, lambda: len(places(training)) == 2)
    assert len(set(places(training))) == 2 and failures(training) > 0
    assert_snapshots_play_everywhere(training)

    killed = process_of(one)
    ray.kill(one, no_restart=False)  # and is back before the training asks for it
    wait_until(lambda: process_of(one) not in (None, killed), lambda: time.sleep(0.2))
    train = training.learner.train

    def checked(rate: float) -> dict[str, float]:
        assert_snapshots_play_everywhere(training)  # before it plays
        return train(rate)

    with monkeypatch.context() as here:
        here.setattr(training.learner, "train", checked)
        training.update()

    nodes[0].remove_node(nodes[1])
    before = training.steps
    update_until(training, lambda: training.steps > before + 500)
    assert len(set(places(training))) == 1

    rows = metrics.read(training.run.metrics)
    assert [row.steps for row in rows] == sorted({row.steps for row in rows}) and rows[-1].steps == training.steps
    assert len(pool.snapshots) == 2 and pool.latest() > 2 * training.config.pool.every
    # Snapshots come after a few games already: whether the older one was met in one of them is chance, so it may take more.
    update_until(
        training, lambda: all(snapshot.met for name, snapshot in pool.snapshots.items() if int(name) != pool.latest())
    )
