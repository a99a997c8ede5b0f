"""What the learner learns from: every reward, at the decision that it followed, and nothing beyond the end of a game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

from tests.rllib.settings import TIMELINE
from timeline_env.arena.cluster import cluster
from training.config import parse_config
from training.learners.rllib.learner import settings
from training.learners.rllib.table import LEARNER_MODULE

GAMMA, LAMBDA = 0.9, 0.8
CONFIG = parse_config(
    TIMELINE
    | {"opponents": {"self": 1.0}}
    | {"ppo": {"n_steps": 30, "batch_size": 120, "n_epochs": 1, "gamma": GAMMA, "gae_lambda": LAMBDA}}
)


@pytest.fixture(scope="module")
def algorithm(address: str) -> Iterator[Any]:
    with cluster(address):
        here = settings(CONFIG, 1, 0).env_runners(num_env_runners=0, num_envs_per_env_runner=CONFIG.envs)
        made = here.build_algo()
        yield made
        made.stop()


def targets(episode: Any, module: Any) -> np.ndarray:
    """The value targets of one seat's decisions, as generalised advantage estimation is written in its paper (2016, eq. 16)."""
    seen = torch.as_tensor(np.array(list(episode.get_observations()["observation"])))
    with torch.no_grad():
        value = module.compute_values({"obs": {"observation": seen}}).numpy()
    if episode.is_terminated:
        value[-1] = 0
    reward, advantage = np.array(episode.get_rewards()), 0.0
    found = np.zeros(len(reward))
    for t in reversed(range(len(reward))):
        advantage = reward[t] + GAMMA * value[t + 1] - value[t] + GAMMA * LAMBDA * advantage
        found[t] = advantage + value[t]
    return found


def test_value_targets_are_those_of_the_paper(algorithm: Any) -> None:
    runner, learner = algorithm.env_runner_group.local_env_runner, algorithm.learner_group._learner
    seats: list[Any] = []
    while not any(seat.is_terminated for seat in seats):
        episodes = runner.sample()
        seats = [seat for episode in episodes for seat in episode.agent_episodes.values()]
    module = learner.module[LEARNER_MODULE]
    assert {seat.is_terminated for seat in seats} == {True, False}
    wanted = [(np.array(list(seat.get_observations()["observation"])), targets(seat, module)) for seat in seats]
    batch = learner._learner_connector(rl_module=learner.module, batch={}, episodes=episodes, shared_data={})
    rows, given = batch[LEARNER_MODULE]["obs"]["observation"].numpy(), batch[LEARNER_MODULE]["value_targets"].numpy()
    counted = batch[LEARNER_MODULE]["loss_mask"].numpy()
    for seen, target in wanted:
        (first,) = [i for i in range(len(rows) - len(target)) if np.array_equal(rows[i : i + len(seen)], seen)]
        np.testing.assert_allclose(given[first : first + len(target)], target, atol=1e-4)
        assert counted[first : first + len(target)].all() and not counted[first + len(target)]
    assert counted.sum() == sum(len(target) for _, target in wanted)
