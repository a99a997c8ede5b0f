"""The checks that PettingZoo, Gymnasium and Stable-Baselines3 ship, for every number of players."""

import warnings
from functools import partial
from itertools import count
from types import SimpleNamespace

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    render_test,
    seed_test,
    state_test,
)
from stable_baselines3.common.env_checker import check_env as check_env_of_sb3

from tests.games import each_game, each_reward, each_table
from timeline_env import timeline_v0, view


@pytest.fixture(autouse=True)
def warnings_are_errors():
    """But for two: PettingZoo warns of every Dict observation that is not in a list of its own environments."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        yield


@each_table
@pytest.mark.parametrize("kind", ["env", "raw_env"])
def test_aec_interface(kind, table):
    for reward in table.game.rewards:
        api_test(table.make(kind, reward=reward), num_cycles=500)


@each_table
def test_aec_seeds(table):
    seed_test(partial(table.make, "env"), num_cycles=200)


@each_table
def test_parallel_interface(table):
    parallel_api_test(table.make("parallel_env"), num_cycles=1000)


@each_table
def test_parallel_seeds(table):
    parallel_seed_test(partial(table.make, "parallel_env"))


@each_table
def test_global_state(table):
    state_test(table.make("env"), table.make("parallel_env"))


@each_game
def test_benchmark_runs(table, capsys, monkeypatch):
    looks = count()  # on a clock of its own a cycle of all agents takes half of a second, and the test some five
    monkeypatch.setitem(performance_benchmark.__globals__, "time", SimpleNamespace(time=lambda: next(looks) / 2))
    env = table.make("env")
    performance_benchmark(env)
    _, turns, cycles, _ = capsys.readouterr().out.splitlines()
    assert float(cycles.split()[0]) == pytest.approx(11 / 6)
    assert float(turns.split()[0]) == pytest.approx(11 / 6 * len(env.possible_agents))


@each_reward
def test_gymnasium_check(table, reward):
    env = gymnasium.make(table.gymnasium_id, reward=reward, num_players=table.num_players)
    check_env(env.unwrapped, skip_render_check=reward != "rank")


@each_table
def test_stable_baselines_check(table):
    check_env_of_sb3(gymnasium.make(table.gymnasium_id, num_players=table.num_players), warn=True)


@each_table
def test_pictures(table):
    render_test(partial(table.make, "env"), {"svg": lambda picture: picture.startswith("<svg")})


def test_a_window_is_not_copied():
    env = timeline_v0.env(render_mode="human")
    env.reset(seed=1)
    copy = env.clone()
    env.close()
    env.close()
    copy.step(int(copy.last()[0]["action_mask"].argmax()))
    assert copy.unwrapped.window is not None
    assert env.unwrapped.window is None
    copy.close()


def test_the_learner_sees_its_own_hand_in_pictures():
    env = gymnasium.make("timeline/Timeline-v0", seat=2, render_mode="ansi").unwrapped
    env.reset(seed=2)
    assert env.render() == view.to_ansi(env.batch.rules[0], env.batch.states[0], 2, env.last_move)
    assert env.render() != view.to_ansi(env.batch.rules[0], env.batch.states[0], None, env.last_move)
    raw = timeline_v0.raw_env(render_mode="ansi")
    raw.reset(seed=2)
    assert raw.render() == view.to_ansi(raw.batch.rules[0], raw.batch.states[0])
