"""Training on two nodes: Ray simulates them on this machine, each with processes, an object store and a scheduler of its own."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
import ray
from ray.cluster_utils import Cluster

from tests.rllib.settings import TIMELINE
from training import metrics
from training.checkpoint import Progress
from training.config import checked
from training.rllib.algorithm import Learner, settings
from training.rllib.train import Course, cluster
from training.run_folder import create


@pytest.fixture
def nodes() -> Iterator[tuple[Cluster, object]]:
    """A cluster of two nodes with one CPU each, so that they have a runner each; and the second node."""
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    second = made.add_node(num_cpus=1)
    yield made, second
    made.shutdown()


@pytest.fixture
def course(nodes: tuple[Cluster, object], tmp_path: Path) -> Iterator[Course]:
    config = checked(TIMELINE | {"steps": 10**6})
    with cluster(nodes[0].address):
        algorithm = settings(config, 2, 0).build_algo()
        run = create(tmp_path / "run", config, sys.argv)
        metrics.begin(run.metrics, 0)
        yield Course(run, Learner(algorithm, config), Progress(), lambda *told, **note: None)
        algorithm.stop()


def places(course: Course) -> list[str]:
    """The node of each runner that answers."""
    group = course.learner.algorithm.env_runner_group
    return group.foreach_env_runner(lambda _: ray.get_runtime_context().get_node_id(), local_env_runner=False)


def update_until(course: Course, reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 240
    while not reached():
        assert time.monotonic() < deadline, "it never came to that"
        course.update()


def assert_snapshots_play_everywhere(course: Course) -> None:
    """Every runner's frozen modules hold the weights of the pool's snapshots."""
    config, pool = course.config, course.league.pool
    assert sorted(course.slots) == sorted(pool.snapshots)
    for name, slot in course.slots.items():
        wanted = pool.agent(name).layers
        held = course.learner.algorithm.env_runner_group.foreach_env_runner(
            lambda runner, slot=slot: runner.module[slot].to_agent(config, 0).layers
        )
        assert len(held) >= 2  # the local one, whom new runners are copied from, and whoever plays
        for layers in held:
            for (weight, bias), (own_weight, own_bias) in zip(wanted, layers, strict=True):
                assert np.array_equal(weight, own_weight) and np.array_equal(bias, own_bias)


def failures(course: Course) -> int:
    """How many runners were lost so far: an illegal action would lose one, too."""
    return course.learner.algorithm.env_runner_group.num_remote_worker_restarts()


def test_runners_on_both_nodes_may_be_lost(course: Course, nodes: tuple[Cluster, object]) -> None:
    pool = course.league.pool
    update_until(course, lambda: len(pool.snapshots) == 2)
    assert len(set(places(course))) == 2 and failures(course) == 0
    assert_snapshots_play_everywhere(course)

    one = course.learner.algorithm.env_runner_group._worker_manager.actors()[1]
    ray.kill(one, no_restart=False)
    before = course.steps
    update_until(course, lambda: course.steps > before + 500)
    update_until(course, lambda: len(places(course)) == 2)
    assert len(set(places(course))) == 2 and failures(course) > 0
    assert_snapshots_play_everywhere(course)

    nodes[0].remove_node(nodes[1])
    before = course.steps
    update_until(course, lambda: course.steps > before + 500)
    assert len(set(places(course))) == 1

    rows = metrics.read(course.run.metrics)
    assert [row.steps for row in rows] == sorted({row.steps for row in rows}) and rows[-1].steps == course.steps
    assert len(pool.snapshots) == 2 and pool.latest() > 2 * course.config.pool.every
    # Snapshots come after a few games already: whether the older one was met in one of them is chance, so it may take more.
    update_until(
        course, lambda: all(snapshot.met for name, snapshot in pool.snapshots.items() if int(name) != pool.latest())
    )
