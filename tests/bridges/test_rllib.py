"""The environment in the shape that RLlib's module for action masks reads. RLlib itself has an environment of its own."""

from __future__ import annotations

import numpy as np

from tests.games import each_game
from timeline_env.bridges.rllib import ForRLlib


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
