"""``normalize=True``: the same numbers, each divided by its scale, in every environment."""

from __future__ import annotations

import numpy as np
import pytest

from tests.games import each_game
from timeline_env import timeline_v0


def scaled(raw, env):
    """What a normalized observation should be."""
    return np.clip(raw / env.batch.layout.scale, -1, 1).astype(np.float32)


@each_game
@pytest.mark.parametrize("kind", ["env", "raw_env"])
def test_aec(table, kind, play):
    plain, env = table.make(kind), table.make(kind, normalize=True)
    for each in (plain, env):
        each.reset(seed=1)
        play(each, 30, seed=1)
    for agent in env.possible_agents:
        seen = env.observe(agent)
        assert seen in env.observation_space(agent)
        assert np.array_equal(seen["observation"], scaled(plain.observe(agent)["observation"], plain.unwrapped))
        assert (env.observation_space(agent)["observation"].high == 1).all()
    assert env.state() in env.state_space and np.abs(env.state()).max() == 1


@each_game
def test_parallel(table):
    plain, env = table.make("parallel_env"), table.make("parallel_env", normalize=True)
    expected, seen = plain.reset(seed=2)[0], env.reset(seed=2)[0]
    for agent in env.agents:
        assert seen[agent] in env.observation_space(agent)
        assert np.array_equal(seen[agent]["observation"], scaled(expected[agent]["observation"], plain))


@each_game
@pytest.mark.parametrize("kind", ["single_seat_env", "vector_env"])
def test_gymnasium(table, kind):
    plain, env = table.make(kind, dtype="int8"), table.make(kind, normalize=True)
    expected, seen = plain.reset(seed=3)[0], env.reset(seed=3)[0]
    assert expected in plain.observation_space and seen in env.observation_space
    assert expected["observation"].dtype == np.int8
    assert np.array_equal(seen["observation"], scaled(expected["observation"], plain))


@each_game
@pytest.mark.parametrize("pieces", [None, 2])
def test_stable_baselines(table, pieces):
    names = None if pieces is None else list(table.game.layout(table.num_players).pieces)[:pieces]
    plain, env = (table.make("vec_env", num_envs=8, pieces=names, normalize=normalize) for normalize in (False, True))
    expected, seen = plain.reset(), env.reset()
    assert seen.shape == (8, *env.observation_space.shape) and seen[0] in env.observation_space
    assert np.array_equal(seen, np.clip(expected / env.batch.layout.scale[env.batch.layout.columns(names)], -1, 1))


def test_a_copied_environment_still_normalizes():
    env = timeline_v0.raw_env(normalize=True)
    env.reset(seed=4)
    assert np.array_equal(env.clone().observe("player_0")["observation"], env.observe("player_0")["observation"])


@pytest.mark.parametrize("make", [timeline_v0.env, timeline_v0.parallel_env, timeline_v0.single_seat_env])
def test_a_bad_argument_is_named(make):
    with pytest.raises(ValueError, match="normalize 'yes' must be True or False"):
        make(normalize="yes")
