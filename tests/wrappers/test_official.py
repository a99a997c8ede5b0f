"""The checks that PettingZoo, Gymnasium and Stable-Baselines3 ship, for every number of players."""

import warnings
from functools import partial

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import (
    api_test,
    parallel_api_test,
    parallel_seed_test,
    performance_benchmark,
    seed_test,
    state_test,
)
from stable_baselines3.common.env_checker import check_env as check_env_of_sb3

from timeline_env import timeline_v0

PLAYERS = range(2, 7)


@pytest.fixture(autouse=True)
def warnings_are_errors():
    """But for two: PettingZoo warns of every Dict observation that is not in a list of its own environments."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "Observation is not a NumPy array")
        warnings.filterwarnings("ignore", "Observation space for each agent probably should be")
        yield


@pytest.mark.parametrize("num_players", PLAYERS)
@pytest.mark.parametrize("make", [timeline_v0.env, timeline_v0.raw_env])
def test_aec_interface(make, num_players):
    for reward in ("rank", "score", "win"):
        api_test(make(num_players, reward), num_cycles=500)


@pytest.mark.parametrize("num_players", PLAYERS)
def test_aec_seeds(num_players):
    seed_test(partial(timeline_v0.env, num_players), num_cycles=200)


@pytest.mark.parametrize("num_players", PLAYERS)
def test_parallel_interface(num_players):
    parallel_api_test(timeline_v0.parallel_env(num_players), num_cycles=1000)


@pytest.mark.parametrize("num_players", PLAYERS)
def test_parallel_seeds(num_players):
    parallel_seed_test(partial(timeline_v0.parallel_env, num_players))


@pytest.mark.parametrize("num_players", PLAYERS)
def test_global_state(num_players):
    state_test(timeline_v0.env(num_players), timeline_v0.parallel_env(num_players))


def test_benchmark_runs(capsys):
    performance_benchmark(timeline_v0.env())
    turns_a_second = float(capsys.readouterr().out.split("\n")[1].split()[0])
    assert turns_a_second > 500


@pytest.mark.parametrize("num_players", PLAYERS)
@pytest.mark.parametrize("reward", ["rank", "score", "win"])
def test_gymnasium_check(num_players, reward):
    env = gymnasium.make("timeline/Timeline-v0", num_players=num_players, reward=reward)
    check_env(env.unwrapped, skip_render_check=False)


@pytest.mark.parametrize("num_players", PLAYERS)
def test_stable_baselines_check(num_players):
    check_env_of_sb3(gymnasium.make("timeline/Timeline-v0", num_players=num_players), warn=True)
