"""The AEC environment: observations, rewards, the end, illegal actions, arguments."""

import subprocess
import sys

import numpy as np
import pytest
import torch

from tests.games import each_game, each_reward, each_table
from timeline_env import timeline_v0


@each_game
def test_self_play_loop(table):
    """The loop that the README shows."""
    env = table.make("env")
    env.reset(seed=1)
    for seat, agent in enumerate(env.possible_agents):
        env.action_space(agent).seed(seat)
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, _ = env.last()
        total[agent] += reward
        if termination or truncation:
            env.step(None)
        else:
            env.step(env.action_space(agent).sample(observation["action_mask"]))
    assert sum(total.values()) == pytest.approx(0, abs=1e-6)  # thirds, as float32
    assert max(total.values()) > 0


@each_game
def test_only_the_agent_to_move_has_legal_actions(table):
    env = table.make("raw_env")
    env.reset(seed=2)
    for agent in env.possible_agents:
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.action_space(agent) is env.action_space(agent)
        assert (seen["action_mask"].sum() > 1) == (agent == env.agent_selection)


def test_an_agent_sees_itself_as_seat_0(play):
    env = timeline_v0.raw_env(5)
    env.reset(seed=3)
    play(env, 30)
    layout, position = env.batch.layout, env.batch.states[0]
    for seat, agent in enumerate(env.possible_agents):
        seats = layout.view(env.observe(agent)["observation"], "seats")
        assert seats[:, 0].tolist() == np.roll(position["energy"][:5], -seat).tolist()
        assert layout.view(env.observe(agent)["observation"], "to_act").argmax() == (env.batch.seat[0] - seat) % 5


@pytest.mark.parametrize("num_players", range(2, 7))
def test_observations_do_not_tell_what_is_hidden(num_players, play):
    """What a seat cannot see is dealt anew among the other hands, the deck and the bag: not one byte of its view changes."""
    env = timeline_v0.raw_env(num_players)
    env.reset(seed=4)
    play(env, 40)
    viewer = int(env.batch.seat[0])
    other = (viewer + 1) % num_players
    before = {agent: env.observe(agent) for agent in env.agents}
    position = env.batch.states[0]
    hand, deck, bag = position["hand"][other], position["deck"], position["bag"]
    held, drawn = int(position["held"][other]), int(position["drawn"])
    assert held >= 2
    hand[:held], deck[drawn : drawn + held] = deck[drawn : drawn + held].copy(), hand[:held].copy()
    deck[drawn:] = np.where(deck[drawn:] >= 0, np.sort(deck[drawn:])[::-1], deck[drawn:])
    bag[position["bag_drawn"] :] = np.sort(bag[position["bag_drawn"] :])[::-1]
    env.batch.refresh()
    for agent, seen in before.items():
        now = env.observe(agent)
        same = agent != env.possible_agents[other]
        assert (now["observation"].tobytes() == seen["observation"].tobytes()) == same
        assert now["action_mask"].tobytes() == seen["action_mask"].tobytes()


def expected_rewards(kind, points, rank):
    """What a game with this end pays in all, said in another way than the rules say it."""
    if kind == "score":
        return points
    if kind == "lead":
        return points - (points.sum() - points) / (len(points) - 1)
    if kind == "rank":
        return np.interp(rank, [1, len(rank)], [1, -1])
    return (rank == rank.min()) / np.sum(rank == rank.min())


@each_reward
def test_all_rewards_of_a_game_are_paid(table, reward):
    env = table.make("raw_env", reward=reward)
    rng = np.random.default_rng(5)
    for seed in range(8):
        env.reset(seed=seed)
        paid = dict.fromkeys(env.possible_agents, 0.0)
        through_last = dict.fromkeys(env.possible_agents, 0.0)
        for agent in env.agent_iter():
            observation, earned, over, _, _ = env.last()
            through_last[agent] += earned
            env.step(None if over else rng.choice(np.flatnonzero(observation["action_mask"])))
            for other, now in env.rewards.items():
                paid[other] += now
        expected = expected_rewards(reward, env.batch.points[0], env.batch.rank[0])
        assert list(paid.values()) == pytest.approx(expected.tolist(), abs=1e-5)
        assert through_last == pytest.approx(paid, abs=1e-5)


def test_points_may_be_paid_to_anyone_at_any_step(play):
    env = timeline_v0.raw_env(reward="score")
    env.reset(seed=6)
    paid_to_others = 0
    while not any(env.terminations.values()):
        mover = env.agent_selection
        play(env, 1, seed=len(env.infos) + env.turns)
        paid_to_others += any(reward for agent, reward in env.rewards.items() if agent != mover)
    assert paid_to_others > 3


@each_table
def test_all_agents_live_until_the_game_ends(table, play):
    env = table.make("raw_env")
    env.reset(seed=7)
    players = table.num_players
    assert env.infos["player_1"] == {"seat": 1, "seat_name": table.game.seat_names[1]}
    while not any(env.terminations.values()):
        assert env.agents == env.possible_agents
        play(env, 1)
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    assert env.truncations == dict.fromkeys(env.possible_agents, False)
    assert [info["points"] for info in env.infos.values()] == env.batch.points[0].tolist()
    assert sum(info["rank"] for info in env.infos.values()) == sum(range(1, players + 1))
    for left in range(players, 0, -1):
        assert len(env.agents) == left
        with pytest.raises(ValueError, match="only valid action is None"):
            env.step(0)
        env.step(None)
    with pytest.raises(ValueError, match="call reset"):
        env.step(0)


@each_game
def test_an_illegal_action_is_named_and_changes_nothing(table, play):
    env = table.make("raw_env")
    env.reset(seed=8)
    play(env, 10)
    before = env.get_state()
    mask = env.observe(env.agent_selection)["action_mask"]
    legal = " ".join(map(str, np.flatnonzero(mask)))
    for action in (int(mask.argmin()), -1, env.batch.num_actions, 10**30, 1.5, "pass", None):
        with pytest.raises(ValueError, match=f"{action!r} is not legal for {env.agent_selection}; legal are {legal}$"):
            env.step(action)
        assert env.get_state() == before
    env.step(np.int32(mask.argmax()))
    assert env.get_state() != before


@each_game
def test_with_wrappers_an_illegal_action_loses(table, play):
    env = table.make("env")
    env.reset(seed=9)
    play(env, 10)
    loser = env.agent_selection
    env.step(int(env.observe(loser)["action_mask"].argmin()))
    assert all(env.terminations.values())
    assert env.rewards == {agent: -1.0 if agent == loser else 0.0 for agent in env.possible_agents}
    told = {}
    for agent in env.agent_iter():
        _, told[agent], terminated, truncated, _ = env.last()
        assert terminated and truncated
        env.step(None)
    assert env.agents == [] and told == {agent: -1.0 if agent == loser else 0.0 for agent in env.possible_agents}
    env.reset(seed=9)
    play(env, 10)
    assert not any(env.terminations.values()), "the next game is judged by its own masks"
    with pytest.raises(AssertionError, match="not in action space"):
        env.reset()
        env.step(env.unwrapped.batch.num_actions)


@each_game
def test_whatever_is_written_into_a_mask_the_rules_say_what_is_legal(table, play):
    env = table.make("env")
    env.reset(seed=9)
    play(env, 10)
    mask = env.last()[0]["action_mask"]
    legal = int(mask.argmax())
    mask[:] = 0
    env.step(legal)
    assert not any(env.terminations.values())
    mask = env.last()[0]["action_mask"]
    illegal = int(mask.argmin())
    mask[:] = 1
    env.step(illegal)
    assert all(env.terminations.values()) and -1.0 in env.rewards.values()


@each_game
@pytest.mark.parametrize("wrong", [True, False, -1, 10**6, 1.0, "1", None, [1]])
def test_with_wrappers_what_is_no_action_at_all_changes_nothing(table, play, wrong):
    env = table.make("env")
    env.reset(seed=9)
    play(env, 10)
    before = env.unwrapped.get_state()
    with pytest.raises(AssertionError, match=r"^action .* is not in action space Discrete\("):
        env.step(wrong)
    assert env.unwrapped.get_state() == before
    play(env, 1)
    assert env.unwrapped.get_state() != before


@each_game
@pytest.mark.parametrize("kind", [np.int8, np.array, torch.tensor])
def test_with_wrappers_an_action_may_be_any_kind_of_integer(table, kind):
    env = table.make("env")
    env.reset(seed=9)
    env.step(kind(env.last()[0]["action_mask"].argmax()))
    assert not any(env.terminations.values())


def test_so_it_is_where_python_leaves_assertions_out():
    code = (
        "from timeline_env import timeline_v0; env = timeline_v0.env(); env.reset(seed=9)\n"
        "try: env.step(-1)\n"
        "except AssertionError: print(any(env.terminations.values()))"
    )
    done = subprocess.run([sys.executable, "-O", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


@each_game
def test_an_agents_space_draws_samples_of_its_own(table):
    first, second = map(table.make("env").observation_space, ["player_0", "player_1"])
    first.seed(1)
    alone = first.sample()["observation"]
    first.seed(1)
    second.seed(2)
    second.sample()
    assert np.array_equal(first.sample()["observation"], alone)


@each_game
def test_max_turns_cuts_the_game_short(table, play):
    env = table.make("env", max_turns=17)
    env.reset(seed=10)
    assert len(play(env)) == 17
    assert env.truncations == dict.fromkeys(env.possible_agents, True)
    assert env.terminations == dict.fromkeys(env.possible_agents, False)
    for _ in env.possible_agents:
        env.step(None)
    assert env.agents == []
    env.reset(seed=10)
    assert len(play(env)) == 17


@each_game
def test_a_game_that_ends_at_max_turns_has_ended(table, play):
    env = table.make("raw_env")
    env.reset(seed=11)
    decisions = len(play(env))
    env = table.make("raw_env", max_turns=decisions)
    env.reset(seed=11)
    assert len(play(env)) == decisions
    assert all(env.terminations.values())
    assert not any(env.truncations.values())


@each_game
def test_seeds_and_streams(table):
    def deals(env, *seeds):
        games = []
        for seed in seeds:
            env.reset(seed=seed)
            games.append(env.batch.states.tobytes())
        return games

    env = table.make("raw_env")
    first, second, third = deals(env, 12, None, None)
    assert len({first, second, third}) == 3
    assert deals(table.make("env").unwrapped, 12, None, None) == [first, second, third]
    assert deals(env, 2**64 - 1) != [first]
    unseeded = deals(table.make("raw_env"), None) + deals(table.make("raw_env"), None)
    assert unseeded[0] != unseeded[1]


@each_table
def test_global_state_is_every_seats_view(table, play):
    env = table.make("raw_env")
    env.reset(seed=13)
    play(env, 20)
    rows = env.state().reshape(table.num_players, -1)
    assert env.state_space.contains(env.state())
    for row, agent in zip(rows, env.possible_agents, strict=True):
        assert row.tobytes() == env.observe(agent)["observation"].tobytes()


@each_game
def test_render_without_a_mode_says_so(table):
    env = table.make("raw_env")
    env.reset()
    with pytest.warns(UserWarning, match="without a render_mode"):
        assert env.render() is None


BAD_ARGUMENTS = [
    ({"num_players": 7}, "num_players 7 must be an integer from 2 to 6"),
    ({"num_players": "four"}, "num_players 'four' must be an integer from 2 to 6"),
    ({"reward": "foo"}, "reward 'foo' is unknown; allowed: rank, score, win, lead"),
    ({"render_mode": "gif"}, "render_mode 'gif' is unknown; allowed: human, ansi, rgb_array, svg, None"),
    (
        {"render_mode": np.array(["svg", "ansi"])},
        "render_mode array(['svg', 'ansi'], dtype='<U4') is unknown; allowed: human",
    ),
    ({"rules": ""}, "rules '' must be a file, a dict of numbers, or None"),
    ({"rules": {"prize": 3}}, "key of the rules 'prize' is unknown (did you mean 'prices'?); allowed: "),
    ({"max_turns": 0}, "max_turns 0 must be an integer of at least 1, or None"),
]


def test_a_device_that_is_no_name_is_named():
    with pytest.raises(ValueError, match=r"^device array\(\[1, 2\]\) is unknown; allowed: cpu, cuda$"):
        timeline_v0.batch(num_games=1, device=np.array([1, 2]))


@pytest.mark.parametrize("make", [timeline_v0.env, timeline_v0.raw_env, timeline_v0.parallel_env])
@pytest.mark.parametrize(("arguments", "message"), BAD_ARGUMENTS)
def test_a_bad_argument_is_named(make, arguments, message):
    with pytest.raises(ValueError) as error:
        make(**arguments)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@each_game
@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True, "one"])
@pytest.mark.parametrize("kind", ["env", "parallel_env", "single_seat_env", "vector_env"])
def test_a_bad_seed_is_named(seed, table, kind):
    env = table.make(kind)
    with pytest.raises(ValueError, match=f"seed {seed!r} must be an integer from 0 to "):
        env.reset(seed=seed)


@each_game
@pytest.mark.parametrize("kind", ["env", "parallel_env"])
def test_a_seed_that_is_refused_leaves_the_game_as_it_is(table, kind):
    env = table.make(kind)
    env.reset(seed=1)
    before = env.unwrapped.batch.states.tobytes()
    with pytest.raises(ValueError, match="seed -1"):
        env.reset(seed=-1)
    action = int(env.unwrapped.batch.action_mask[0].argmax())
    env.step(action if kind == "env" else {env.possible_agents[int(env.unwrapped.batch.seat[0])]: action})
    assert env.unwrapped.batch.states.tobytes() != before
