"""Games that are cloned, deep-copied, pickled, or saved and put back go on exactly as they would have."""

import copy
import pickle
import subprocess
import sys

import numpy as np
import pytest

from tests.games import each_game
from timeline_env import timeline_v0


def through_bytes(env, make):
    fresh = make()
    fresh.set_state(env.get_state())
    return fresh


WAYS = {
    "clone": lambda env, make: env.clone(),
    "deepcopy": lambda env, make: copy.deepcopy(env),
    "pickle": lambda env, make: pickle.loads(pickle.dumps(env)),
    "set_state": through_bytes,
}


def outcome(env):
    """All that `last` and its like tell, and the position."""
    agent = env.agent_selection
    seen, reward, termination, truncation, info = env.last()
    told = (agent, reward, termination, truncation, info, env.agents, env.rewards, env._cumulative_rewards)
    return repr(told), seen["observation"].tobytes(), seen["action_mask"].tobytes(), env.get_state()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("kind", ["env", "raw_env"])
@each_game
def test_a_copy_goes_on_as_the_original(table, kind, way, play):
    env = table.make(kind)
    env.reset(seed=1)
    half = len(play(env)) // 2
    env.reset(seed=1)
    play(env, half)
    other = WAYS[way](env, lambda: table.make(kind))
    assert type(other) is type(env)
    assert outcome(other) == outcome(env)
    actions = [*play(env, seed=2), *[None] * (table.num_players - 1)]
    end = outcome(env)
    assert outcome(other) != end, "the copy moved with the original"
    for action in actions:
        other.step(action)
        if action is None:
            env.step(None)
    assert outcome(other) == outcome(env)
    env.reset()
    other.reset()
    assert outcome(other) == outcome(env), "the next game of the stream differs"


def test_a_finished_game_is_kept_with_its_unpaid_rewards(play):
    env = timeline_v0.raw_env(reward="score")
    env.reset(seed=3)
    play(env)
    env.step(None)
    state, expected = env.get_state(), outcome(env)
    assert any(env._cumulative_rewards.values())
    env.reset(seed=4)
    env.set_state(state)
    assert outcome(env) == expected


@each_game
def test_going_back_takes_back_what_is_legal(table, play):
    """The wrappers keep the last mask they saw; it must not judge an action of another position."""
    env = table.make("env")
    env.reset(seed=5)
    play(env, 5)
    mask, state = env.last()[0]["action_mask"].copy(), env.get_state()
    while (env.last()[0]["action_mask"] >= mask).all() or env.last()[0]["action_mask"].sum() == 0:
        play(env, 1)
    only_before = int(np.flatnonzero(mask > env.last()[0]["action_mask"])[0])
    env.set_state(state)
    env.step(only_before)
    assert not any(env.terminations.values())


@each_game
def test_a_game_that_was_played_for_longer_than_is_allowed_here_is_cut_short(table, play):
    longer = table.make("env")
    longer.reset(seed=5)
    play(longer, 8)
    env = table.make("env", max_turns=3)
    env.set_state(longer.get_state())
    play(env, 1)
    assert all(env.truncations.values()) and not any(env.terminations.values())


@each_game
def test_going_back_behind_an_illegal_action(table, play):
    env = table.make("env")
    env.reset(seed=6)
    play(env, 5)
    expected, state = outcome(env), env.get_state()
    env.step(int(env.last()[0]["action_mask"].argmin()))
    assert all(env.terminations.values())
    env.set_state(state)
    assert outcome(env) == expected
    play(env)
    assert all(env.terminations.values())


@each_game
def test_a_pickle_is_understood_by_another_process(table, play):
    env = table.make("env")
    env.reset(seed=7)
    play(env, 20)
    program = (
        "import pickle, sys; env = pickle.load(sys.stdin.buffer); "
        "env.step(int(env.last()[0]['action_mask'].argmax())); sys.stdout.buffer.write(env.get_state())"
    )
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(env), capture_output=True, check=True)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert done.stdout == env.get_state()


@each_game
def test_the_parallel_environment_is_copied_too(table):
    env = table.make("parallel_env")
    rng = np.random.default_rng(8)
    observations, _ = env.reset(seed=8)

    def step(env, observations):
        actions = {a: int(rng.choice(np.flatnonzero(seen["action_mask"]))) for a, seen in observations.items()}
        return env.step(actions), actions

    for _ in range(20):
        (observations, *_), _ = step(env, observations)
    copies = [env.clone(), pickle.loads(pickle.dumps(env)), table.make("parallel_env")]
    copies[-1].set_state(env.get_state())
    while env.agents:
        (observations, *results), actions = step(env, observations)
        for other in copies:
            seen, *told = other.step(actions)
            assert told == results
            assert other.get_state() == env.get_state()
            assert all((seen[agent]["observation"] == observations[agent]["observation"]).all() for agent in seen)


REFUSED = [
    (timeline_v0.raw_env(5), "num_players 4; this environment has 5"),
    (timeline_v0.raw_env(reward="win"), "reward 'rank'; this environment has 'win'"),
    (timeline_v0.raw_env(rules={"player": {"income": 11}}), "rules '"),
    (timeline_v0.parallel_env(), "environment 'RawEnv'; this environment has 'SimultaneousEnv'"),
]


@pytest.mark.parametrize(("other", "message"), REFUSED)
def test_a_state_of_another_kind_of_game_is_refused(other, message):
    env = timeline_v0.raw_env()
    env.reset(seed=9)
    other.reset(seed=10)
    before = other.get_state()
    with pytest.raises(ValueError) as error:
        other.set_state(env.get_state())
    assert str(error.value).startswith(f"this state was saved with {message}")
    assert other.get_state() == before


@each_game
def test_a_state_of_another_rules_version_is_refused(table):
    env = table.make("raw_env")
    env.reset(seed=11)
    old = env.get_state()
    newer = table.make("raw_env")
    newer.reset(seed=11)
    newer.identity["rules version"] += 1
    with pytest.raises(
        ValueError,
        match=f"saved with rules version {table.game.rules_version}; this environment has {table.game.rules_version + 1}",
    ):
        newer.set_state(old)


@each_game
def test_damaged_bytes_are_refused(table):
    env = table.make("env")
    env.reset(seed=12)
    state = env.get_state()
    for broken in (state[:-1], state + b"\0", state[:60] + b"?" + state[61:]):
        with pytest.raises(ValueError, match="damaged"):
            env.set_state(broken)
    for foreign in (b"", b"hello", state[1:], "text", None):
        with pytest.raises(ValueError, match="does not begin like a saved state"):
            env.set_state(foreign)
    assert env.get_state() == state
