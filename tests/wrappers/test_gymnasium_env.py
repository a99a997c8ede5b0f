"""The single-seat environment: whole rewards, seeds, seats and opponents, MaskablePPO."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from examples.kuhn_poker import environments as kuhn_poker
from tests.games import Stopped, each_game, each_table
from timeline_env import timeline_v0, words
from timeline_env.players.random import Random


def make(table=None, **arguments):
    """The environment by its id: Timeline's, or that of a table."""
    seats = {"num_players": table.num_players} if table else {}
    return gymnasium.make(table.gymnasium_id if table else "timeline/Timeline-v0", **seats, **arguments).unwrapped


def play_episode(env, rng, seed=None):
    """Random legal decisions to the end; gives every reward and observation, and the last info."""
    observation, _ = env.reset(seed=seed)
    rewards, seen, terminated = [], [observation["observation"].tobytes()], False
    while not terminated:
        observation, reward, terminated, truncated, info = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        assert not truncated
        rewards.append(reward)
        seen.append(observation["observation"].tobytes())
    return rewards, seen, info


def due(kind, seat, points, rank):
    """What a seat has earned in a game with this end, said in another way than the rules say it."""
    if kind == "score":
        return points[seat]
    if kind == "rank":
        return np.interp(rank[seat], [1, len(rank)], [1, -1])
    return float(rank[seat] == rank.min()) / np.sum(rank == rank.min())


@pytest.mark.parametrize(("kind", "num_players"), [("rank", 4), ("score", 3), ("win", 2), ("score", 6)])
def test_every_reward_reaches_the_learner(kind, num_players):
    """Those earned while others decide, and the loss at the end, too: 320 games, summed and compared with the result."""
    env = make(num_players=num_players, reward=kind, opponents=("random", "greedy") if kind == "rank" else ("random",))
    rng = np.random.default_rng(1)
    earned, expected = [], []
    for game in range(320):
        rewards, _, info = play_episode(env, rng, seed=1 if game == 0 else None)
        earned.append(sum(rewards))
        expected.append(due(kind, env.seat, env.batch.points[0], env.batch.rank[0]))
        assert info["points"] == env.batch.points[0, env.seat]
        assert info["rank"] == env.batch.rank[0, env.seat]
    assert earned == pytest.approx(expected)
    assert min(earned) == (0 if kind == "win" else min(expected))
    assert len(set(earned)) >= 2


@each_game
def test_a_seed_gives_the_same_episodes(table):
    def episodes(seed):
        env = make(table, opponents=tuple(table.game.baselines)[:2])
        rng = np.random.default_rng(2)
        return [(play_episode(env, rng, seed if game == 0 else None), env.seat, env.seating) for game in range(3)]

    assert episodes(3) == episodes(3)
    assert episodes(3) != episodes(4)
    env = make(table)
    assert play_episode(env, np.random.default_rng(5), 6) == play_episode(env, np.random.default_rng(5), 6)


def test_the_seat_is_random_or_the_one_that_was_asked_for():
    env = make(num_players=6)
    env.reset(seed=7)
    assert {env.reset()[1]["seat"] for _ in range(100)} == set(range(6))
    env = make(num_players=6, seat=4)
    assert {env.reset()[1]["seat"] for _ in range(20)} == {4}


@each_table
def test_it_is_the_learners_turn_after_every_step(table):
    env = make(table)
    rng = np.random.default_rng(8)
    env.reset(seed=8)
    terminated = False
    while not terminated:
        assert env.batch.seat[0] == env.seat
        observation, _, terminated, _, _ = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
        assert env.observation_space.contains(observation)
        assert (observation["action_mask"] == env.action_masks()).all()


def test_nobody_sits_down_twice_before_everybody_sits():
    line_ups = set()
    env = make(num_players=4, opponents=("random", "greedy", "projector"))
    env.reset(seed=9)
    for _ in range(60):
        env.reset()
        assert env.seat not in env.seating
        line_ups.add(tuple(env.seating.values()))
    assert line_ups == {(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)}
    env = make(num_players=4, opponents=("random", "greedy"))
    env.reset(seed=9)
    for _ in range(60):
        env.reset()
        assert set(env.seating.values()) == {0, 1}
    env = make(num_players=2, opponents=("random", "greedy", "projector"), seat=0)
    env.reset(seed=9)
    assert {env.reset() and env.seating[1] for _ in range(60)} == {0, 1, 2}


class Recorder(Random):
    """Plays at random and notes which seats it was asked for."""

    def __init__(self, seed=0):
        super().__init__(seed)
        self.asked = []

    def act(self, decisions):
        self.asked += decisions.seat.tolist()
        return super().act(decisions)


def test_players_may_be_given_as_such():
    recorder = Recorder()
    env = make(num_players=3, opponents=(recorder, "greedy"), seat=1)
    play_episode(env, np.random.default_rng(10), seed=10)
    assert env.players[0] is recorder
    assert set(recorder.asked) == {seat for seat, who in env.seating.items() if who == 0}


@each_game
def test_an_illegal_action_ends_the_episode(table):
    env = make(table)
    env.reset(seed=11)
    position = env.batch.states.tobytes()
    illegal = int(env.action_masks().argmin())
    observation, reward, terminated, truncated, info = env.step(illegal)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal_action"].startswith(f"action {illegal} is not legal for player_{env.seat}; legal are ")
    assert env.observation_space.contains(observation)
    assert env.batch.states.tobytes() == position
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(0)
    env.reset()
    assert env.step(int(env.action_masks().argmax()))[1:4] == (0.0, False, False)


@each_game
def test_after_the_end_a_masked_policy_can_still_be_asked(table):
    """Gymnasium's vector environments ask once more before they deal anew, and do not look at the answer."""
    env = make(table)
    *_, info = play_episode(env, np.random.default_rng(15), seed=15)
    assert info["rank"] >= 1
    assert (
        np.flatnonzero(env.action_masks()).tolist() == np.flatnonzero(env.observation()["action_mask"]).tolist() == [0]
    )


@each_game
def test_max_turns_counts_the_learners_decisions(table):
    env = make(table, max_turns=3)
    for _ in range(2):
        env.reset(seed=16)
        told = [env.step(int(env.action_masks().argmax()))[2:4] for _ in range(3)]
        assert told == [(False, False), (False, False), (False, True)]
        assert env.action_masks().sum() >= 2
        with pytest.raises(ResetNeeded, match="call reset"):
            env.step(0)


@each_game
@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env)), lambda env: env.clone()])
def test_a_copy_goes_on_as_the_original(way, table):
    env = make(table, opponents=tuple(table.game.baselines)[:2], reward="score")
    rng = np.random.default_rng(12)
    env.reset(seed=12)
    for _ in range(6):
        env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
    other = way(env)
    ends = []
    for each in (env, other):
        rng, terminated, rewards = np.random.default_rng(13), False, []
        while not terminated:
            _, reward, terminated, _, _ = each.step(int(rng.choice(np.flatnonzero(each.action_masks()))))
            rewards.append(reward)
        ends.append((rewards, each.batch.states.tobytes(), play_episode(each, rng)))
    assert ends[0] == ends[1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_players": 7}, "num_players 7 must be an integer from 2 to 6"),
        ({"reward": "foo"}, "reward 'foo' is unknown; allowed: rank, score, win, lead"),
        ({"seat": 9}, "seat 9 must be an integer from 0 to 3, or None"),
        ({"seat": 1.0}, "seat 1.0 must be an integer from 0 to 3, or None"),
        ({"seat": True}, "seat True must be an integer from 0 to 3, or None"),
        ({"opponents": (5,)}, "player 5 is not a player: it has no method `act(decisions)`"),
        ({"opponents": ("nobody",)}, "player 'nobody' is unknown; allowed: random, greedy, projector, planner"),
        ({"opponents": ()}, "opponents () must be a sequence of at least one player"),
        (
            {"opponents": {"random": 1}},
            "opponents {'random': 1} must be a sequence of at least one player, without weights",
        ),
        ({"opponents": None}, "opponents None must be a sequence of at least one player"),
        ({"opponents": "random"}, "opponents 'random' must be a sequence of at least one player"),
        ({"render_mode": "gif"}, "render_mode 'gif' is unknown"),
        ({"max_turns": 0}, "max_turns 0 must be an integer of at least 1, or None"),
        ({"dtype": "int16"}, "dtype 'int16' is unknown (did you mean 'int8'?); allowed: float32, int8"),
    ],
)
def test_a_bad_argument_is_named(arguments, message):
    with pytest.raises(ValueError) as error:
        timeline_v0.single_seat_env(**arguments)
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


def test_there_is_no_picture_before_the_first_game():
    env = timeline_v0.single_seat_env(render_mode="ansi")
    with pytest.raises(ResetNeeded, match="call reset"):
        env.render()
    env.reset(seed=0)
    assert env.render()


@each_game
def test_maskable_ppo_learns_on_it_as_it_is(table):
    from sb3_contrib import MaskablePPO

    model = MaskablePPO("MultiInputPolicy", gymnasium.make(table.gymnasium_id), n_steps=64, batch_size=32, n_epochs=1)
    model.learn(128)
    assert model.num_timesteps == 128
    env = make(table)
    observation, _ = env.reset(seed=14)
    terminated = False
    while not terminated:
        action, _ = model.predict(observation, action_masks=env.action_masks())
        observation, _, terminated, _, info = env.step(action)
        assert "illegal_action" not in info
    assert info["rank"] >= 1


def test_a_game_that_ends_before_the_learners_first_decision_is_no_episode():
    env = kuhn_poker.single_seat_env(seat=1)
    play_others, dealt = env.play_others, []

    def end_the_first_game():
        dealt.append(env.batch.states.tobytes())
        while len(dealt) == 1 and not env.terminated:
            env.play(0)
        return play_others()

    env.play_others = end_the_first_game
    _, info = env.reset(seed=0)
    assert len(dealt) == 2 and dealt[0] != dealt[1]
    assert not env.terminated and "points" not in info and env.unpaid == 0


def test_numbers_may_be_numpys():
    env = timeline_v0.single_seat_env(max_turns=np.int64(1))
    env.reset(seed=0)
    assert env.step(int(env.action_masks().argmax()))[3]


def test_after_a_step_that_was_broken_off_nothing_is_played_or_asked_before_reset():
    """Else the learner would decide for the seat that is pending, and see its hand."""
    opponent = Stopped(0)
    env = make(num_players=2, opponents=(opponent,), seat=0)
    env.reset(seed=3)
    opponent.stops = True
    with pytest.raises(KeyboardInterrupt):
        while True:
            env.step(int(env.action_masks().argmax()))
    assert env.batch.seat[0] == 1
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(int(env.action_masks().argmax()))
    with pytest.raises(ValueError, match="nobody is asked"):
        words.ask(env)
    opponent.stops = False
    env.reset()
    assert env.batch.seat[0] == 0 and words.ask(env).seat == 0
