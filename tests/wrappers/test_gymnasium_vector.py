"""Gymnasium's vector environment: registered, honest about rewards, without copies."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest

import timeline_env  # noqa: F401  (registers the ids)
from tests.games import Table, each_game
from timeline_env import timeline_v0


def made(table, **settings):
    return gymnasium.make_vec(table.gymnasium_id, **table.seats, vectorization_mode="vector_entry_point", **settings)


def legal(observation, rng):
    noise = rng.random(observation["action_mask"].shape)
    return (noise * observation["action_mask"]).argmax(axis=1)


@pytest.mark.parametrize("reward", ["rank", "score", "win"])
def test_every_reward_reaches_the_learner(reward):
    table = Table(timeline_v0, 3)
    env, rng = made(table, num_envs=64, reward=reward, opponents=("random", "greedy")), np.random.default_rng(0)
    observation, _ = env.reset(seed=4)
    earned, ended = np.zeros(64), 0
    while ended < 200:
        observation, rewards, terminated, truncated, infos = env.step(legal(observation, rng))
        earned += rewards
        assert not truncated.any()
        for i in np.flatnonzero(terminated):
            result = {name: infos["result"][name][i] for name in ("points", "rank", "win")}
            expected = {"rank": 2 - result["rank"], "score": result["points"], "win": result["win"]}[reward]
            assert earned[i] == pytest.approx(expected)
            assert infos["episode"]["r"][i] == pytest.approx(expected)
            assert infos["final_obs"][i]["action_mask"].sum() == 0
            earned[i], ended = 0.0, ended + 1


@each_game
def test_observations_are_the_batchs_own_memory_and_fit_the_spaces(table):
    env = made(table, num_envs=8)
    observation, _ = env.reset(seed=0)
    assert np.shares_memory(observation["observation"], env.unwrapped.batch.observation)
    assert np.shares_memory(observation["action_mask"], env.unwrapped.batch.action_mask)
    assert observation in env.observation_space
    assert (observation["action_mask"].sum(axis=1) >= 2).all()


@each_game
def test_a_seed_gives_the_same_games(table):
    def play(seed):
        env, rng = made(table, num_envs=16), np.random.default_rng(1)
        observation, _ = env.reset(seed=seed)
        for _ in range(60):
            observation, *_ = env.step(legal(observation, rng))
        return observation["observation"].tobytes()

    assert play(7) == play(7) != play(8)


@each_game
def test_without_a_seed_two_environments_differ(table):
    first, second = made(table, num_envs=4).reset()[0], made(table, num_envs=4).reset()[0]
    assert first["observation"].tobytes() != second["observation"].tobytes()


@each_game
def test_an_illegal_action_changes_nothing(table):
    env = made(table, num_envs=4)
    observation, _ = env.reset(seed=2)
    before = env.unwrapped.batch.states.tobytes()
    actions = observation["action_mask"].argmax(axis=1)
    actions[3] = observation["action_mask"][3].argmin()
    with pytest.raises(ValueError, match=f"game 3: action {actions[3]} is not legal"):
        env.step(actions)
    assert env.unwrapped.batch.states.tobytes() == before


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_envs": 0}, "num_games 0"),
        ({"opponents": ("nobody",)}, "unknown player 'nobody'"),
        ({"opponents": {}}, "opponents is empty"),
        ({"opponents": "random"}, "opponents .random. must"),
        ({"render_mode": "ansi"}, "render_mode 'ansi'"),
        ({"reward": "gold"}, "reward 'gold'"),
    ],
)
def test_bad_arguments_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        timeline_v0.vector_env(**settings)
