"""The environments in the shapes that RLlib's module for action masks and TorchRL read. RLlib itself has an environment of its own."""

from __future__ import annotations

import numpy as np
import pytest

from tests.games import each_game
from timeline_env.bridges.rllib import ForRLlib
from timeline_env.bridges.torchrl import for_torchrl


@each_game
def test_it_has_observations_and_a_mask_of_floats(table):
    env = ForRLlib(table.make("env", normalize=True))
    env.reset(seed=1)
    for agent in env.possible_agents:
        seen = env.observe(agent)
        assert seen in env.observation_space(agent)
        assert env.observation_space(agent) is env.observation_space(agent)
        assert seen["action_mask"].dtype == np.float32
        assert seen["action_mask"].tolist() == env.unwrapped.mask(agent).tolist()
    assert sorted(env.last()[0]) == ["action_mask", "observations"]
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert not any(env.terminations.values())


@each_game
def test_a_clone_is_of_the_same_shape_and_goes_its_own_way(table):
    env = ForRLlib(table.make("env"))
    env.reset(seed=1)
    before = env.unwrapped.get_state()
    again = env.clone()
    again.step(int(again.last()[0]["action_mask"].argmax()))
    assert sorted(again.last()[0]) == ["action_mask", "observations"]
    assert env.unwrapped.get_state() == before != again.unwrapped.get_state()


@each_game
@pytest.mark.parametrize("kind", ["env", "parallel_env"])
def test_so_is_that_of_an_environment_for_torchrl(table, kind):
    env = for_torchrl(table.make(kind))
    env.reset(seed=1)
    again = env.clone()
    assert type(again) is type(env) and again.unwrapped is not env.unwrapped
    assert again.unwrapped.get_state() == env.unwrapped.get_state()
    assert again.observation_space("player_0") == env.observation_space("player_0")
