"""A tournament on two nodes: Ray simulates them on this machine, each with processes, an object store and a scheduler of its own."""

from __future__ import annotations

from pathlib import Path

import pytest
from ray.cluster_utils import Cluster

from timeline_env.arena.tournament import GAMES_FILE, plan, run
from timeline_env.timeline import GAME


def test_a_cluster_plays_the_same_bytes_and_goes_on_with_what_there_is(tmp_path: Path) -> None:
    wanted = plan(GAME, ["random", "greedy", "mcts:4"], 2, 64, 3)
    run(wanted, tmp_path / "here", 1)
    nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    nodes.add_node(num_cpus=1)
    finished: list[int] = []
    try:
        run(wanted, tmp_path / "there", 1, finished.append, nodes.address)
    finally:
        nodes.shutdown()
    assert sum(finished) == wanted.games
    assert (tmp_path / "here" / GAMES_FILE).read_bytes() == (tmp_path / "there" / GAMES_FILE).read_bytes()
    assert not (tmp_path / "there" / "parts").exists()


def test_what_fails_there_is_said_here(tmp_path: Path, address: str) -> None:
    wanted = plan(GAME, ["random", "tests.rllib.failing:Failing"], 2, 4, 3)
    with pytest.raises(Exception, match="cannot decide"):
        run(wanted, tmp_path / "fails", 1, address=address)


def test_a_worker_that_is_lost_again_and_again_is_said_here(tmp_path: Path, address: str) -> None:
    wanted = plan(GAME, ["random", "tests.rllib.failing:Ending"], 2, 4, 3)
    with pytest.raises(OSError, match=r"^a worker of the cluster was lost \(.*\); the same command resumes$"):
        run(wanted, tmp_path / "ends", 1, address=address)
