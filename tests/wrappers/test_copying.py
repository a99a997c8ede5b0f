"""Games that are cloned, deep-copied, pickled, or saved and put back go on exactly as they would have."""

import copy
import hashlib
import json
import pickle
import subprocess
import sys

import numpy as np
import pytest

from tests.games import each_game
from timeline_env import timeline_v0, words
from timeline_env.wrappers.multi_agent import DIGEST, MAGIC


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
def test_a_finished_game_that_is_put_back_tells_its_own_result(table):
    one, another, fresh = (table.make("parallel_env") for _ in range(3))
    results = [play_out(one, 3), play_out(another, 4)]
    assert results[0] != results[1]
    for env in (another, fresh):
        env.set_state(one.get_state())
        assert env.infos() == one.infos() == results[0]


def play_out(env, seed):
    """Play a game of the parallel environment at random; gives the last infos."""
    rng = np.random.default_rng(seed)
    observations, infos = env.reset(seed=seed)
    while env.agents:
        actions = {agent: int(rng.choice(np.flatnonzero(seen["action_mask"]))) for agent, seen in observations.items()}
        observations, *_, infos = env.step(actions)
    return infos


@each_game
def test_what_others_write_into_the_infos_is_not_saved(table, play):
    env, plain = table.make("env"), table.make("env")
    for each in (env, plain):
        each.reset(seed=5)
        play(each, 20)
    mover, *others = env.agents
    for agent in others:
        env.infos[agent]["action_mask"] = env.observe(agent)["action_mask"]
    env.infos[mover].clear()
    env.infos[others[0]]["seat"] = np.int64(1)
    assert env.get_state() == plain.get_state()


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
    assert env.unwrapped.is_pending and words.ask(env).moves
    play(env, 1)
    assert all(env.truncations.values()) and not any(env.terminations.values())
    # And one that was cut short stays so where more is allowed.
    free = table.make("env")
    free.set_state(env.get_state())
    assert all(free.truncations.values()) and not free.unwrapped.is_pending
    with pytest.raises(ValueError, match="nobody is asked"):
        words.ask(free)


@each_game
def test_an_illegal_action_in_such_a_game_ends_it_without_cutting_it_short(table):
    longer = table.make("parallel_env")
    longer.reset(seed=5)
    for _ in range(8):
        longer.step(dict.fromkeys(longer.agents, int(longer.batch.action_mask[0].argmax())))
    env = table.make("parallel_env", max_turns=3)
    env.set_state(longer.get_state())
    assert env.is_pending
    _, _, terminations, truncations, _ = env.step(dict.fromkeys(env.agents, env.noop))
    assert all(terminations.values()) and not any(truncations.values())


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


@pytest.mark.parametrize("kind", ["raw_env", "parallel_env", "single_seat_env"])
@each_game
def test_copies_of_an_environment_that_was_never_begun_deal_different_games(table, kind):
    """SuperSuit and SubprocVecEnv copy one that is new, and reset the copies without a seed."""
    env = table.make(kind)
    deals = []
    for copied in (env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        copied.reset()
        deals.append(int(copied.batch.states.seed[0]))
    assert len(set(deals)) == 3


def test_a_generator_that_the_user_sets_is_drawn_from():
    deals = []
    for _ in range(2):
        env = timeline_v0.single_seat_env()
        env.np_random = np.random.default_rng(5)
        env.reset()
        deals.append((env.seat, int(env.batch.states.seed[0])))
    assert deals[0] == deals[1]


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


def forged(state, change):
    """A saved state with another header, or other bytes of the position, and a checksum that agrees."""
    header, _, position = state[len(MAGIC) + DIGEST :].partition(b"\n")
    saved = change(json.loads(header))
    body = (saved if isinstance(saved, bytes) else json.dumps(saved).encode()) + b"\n" + position
    return MAGIC + hashlib.sha256(body).digest() + body


def without(part, name):
    return lambda saved: saved | {part: {key: value for key, value in saved[part].items() if key != name}}


def other(name, value):
    return lambda saved: saved | {"course": saved["course"] | {name: value}}


def for_all(name, value):
    return lambda saved: other(name, dict.fromkeys(saved["course"][name], value))(saved)


FORGED = {
    "no JSON": (lambda saved: b"{", "its header cannot be read: "),
    "no text": (lambda saved: b"\xff\xfe", "its header cannot be read: "),
    "deep": (lambda saved: b"[" * 100_000, "its header cannot be read: it is nested deeper than 50"),
    "a list": (lambda saved: [], "its identity must have environment, game, rules version, num_players, reward, rules"),
    "no identity": (lambda saved: {"course": saved["course"]}, "its identity must have"),
    "no course": (lambda saved: saved | {"course": None}, "its course must have turns, agents"),
    "no game": (without("identity", "game"), "its identity must have"),
    "no turns": (without("course", "turns"), "its course must have"),
    "one name more": (other("clone", 1), "its course must have"),
    "turns": (other("turns", "7"), "turns cannot be '7'"),
    "turns below zero": (other("turns", -1), "turns cannot be -1"),
    "agents": (other("agents", 5), "agents cannot be 5"),
    "an agent twice": (other("agents", ["player_0", "player_0"]), "agents cannot be"),
    "another's turn": (other("agent_selection", "player_9"), "agent_selection cannot be 'player_9'"),
    "a waiting agent": (lambda saved: other("agent_selection", waiting(saved))(saved), "agent_selection cannot be"),
    "rewards": (other("rewards", [1, 2]), r"rewards cannot be \[1, 2\]"),
    "no reward": (other("rewards", {}), "rewards cannot be {}"),
    "no number": (for_all("_cumulative_rewards", float("nan")), "_cumulative_rewards cannot be"),
    "too large": (for_all("rewards", 10**400), "its header cannot be read: an integer in it has more than 64 bits"),
    "ended": (for_all("terminations", 1), "terminations cannot be"),
    "infos": (other("infos", None), "infos cannot be None"),
    "an info": (for_all("infos", {"seat": 0}), "infos cannot be"),
}


def waiting(saved):
    course = saved["course"]
    return next(agent for agent in course["agents"] if agent != course["agent_selection"])


@pytest.mark.parametrize("kind", FORGED)
@each_game
def test_a_forged_header_is_refused_in_one_line_and_changes_nothing(table, kind):
    env = table.make("raw_env")
    env.reset(seed=13)
    state = env.get_state()
    env.reset(seed=14)
    before = env.get_state()
    change, message = FORGED[kind]
    with pytest.raises(ValueError, match=rf"^this saved state is damaged: {message}[^\n]*$"):
        env.set_state(forged(state, change))
    assert env.get_state() == before


@each_game
def test_a_forged_position_is_refused_and_changes_nothing(table):
    env = table.make("parallel_env")
    env.reset(seed=15)
    before = env.get_state()
    for name in ("question", "depth", "stage" if "stage" in table.game.state.names else "phase"):
        kind, offset = table.game.state.fields[name][:2]
        content = bytearray(env.batch.states.tobytes())
        content[offset : offset + kind.itemsize] = bytes([100]) * kind.itemsize
        position, header = bytes(content), before[len(MAGIC) + DIGEST :].partition(b"\n")[0]
        body = header + b"\n" + position
        with pytest.raises(ValueError, match=r"^[^\n]+$"):
            env.set_state(MAGIC + hashlib.sha256(body).digest() + body)
        assert env.get_state() == before


@each_game
def test_a_game_that_is_over_cannot_go_on(table, play):
    env = table.make("raw_env")
    env.reset(seed=16)
    play(env)
    state = env.get_state()
    with pytest.raises(ValueError, match="terminations cannot be"):
        env.set_state(forged(state, for_all("terminations", False)))
    assert env.get_state() == state


@pytest.mark.parametrize("make", ["env", "raw_env", "parallel_env"])
def test_there_is_nothing_to_save_before_a_game(make):
    with pytest.raises(ValueError, match="there is no game to save: call reset\\(\\) first"):
        getattr(timeline_v0, make)().unwrapped.get_state()
