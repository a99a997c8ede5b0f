"""Gymnasium's vector environment: what its own wrappers and defaults expect, honest about rewards, without copies if asked."""

from __future__ import annotations

from dataclasses import dataclass

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

import timeline_env  # noqa: F401  (registers the ids)
from tests.games import Stopped, Table, each_game
from timeline_env import timeline_v0, words

each_mode = pytest.mark.parametrize("mode", list(AutoresetMode), ids=lambda mode: mode.value)


def made(table, **settings):
    return gymnasium.make_vec(table.gymnasium_id, num_players=table.num_players, **settings)


def legal(observation, rng):
    noise = rng.random(observation["action_mask"].shape)
    return (noise * observation["action_mask"]).argmax(axis=1)


def until_one_ends(env, observation, rng):
    """Random legal steps; gives what the step that ended a game gave."""
    while True:
        told = env.step(legal(observation, rng))
        observation = told[0]
        if told[2].any() or told[3].any():
            return told


@each_game
def test_it_is_what_gymnasium_makes_and_the_same_as_its_own_vector_of_single_environments(table):
    ours, theirs = made(table, num_envs=3), made(table, num_envs=3, vectorization_mode="sync")
    assert type(ours.unwrapped).__name__ == "SeatVectorEnv"
    for name in ("observation_space", "single_observation_space", "action_space", "single_action_space"):
        assert getattr(ours, name) == getattr(theirs, name)
    for env in (ours, theirs):
        observation, infos = env.reset(seed=1)
        assert observation in env.observation_space
        assert set(infos) == {"seat", "_seat", "seat_name", "_seat_name"}
        assert infos["seat_name"].tolist() == [table.game.seat_names[seat] for seat in infos["seat"]]
    assert ours.metadata.keys() == theirs.metadata.keys() - {"is_parallelizable"}
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP


@pytest.mark.parametrize("reward", ["rank", "score", "win"])
@each_mode
def test_every_reward_reaches_the_learner(reward, mode):
    table = Table(timeline_v0, 3)
    settings = {"reward": reward, "opponents": ("random", "greedy"), "autoreset_mode": mode}
    env, rng = made(table, num_envs=64, **settings), np.random.default_rng(0)
    observation, _ = env.reset(seed=4)
    earned, ended, over = np.zeros(64), 0, np.zeros(64, bool)
    while ended < 150:
        observation, rewards, terminated, truncated, infos = env.step(legal(observation, rng))
        earned += rewards
        assert not truncated.any()
        if mode != AutoresetMode.SAME_STEP:
            assert (rewards[over] == 0).all() and not terminated[over].any()
        told = infos.get("final_info", infos) if mode == AutoresetMode.SAME_STEP else infos
        for i in np.flatnonzero(terminated):
            result = {name: told["result"][name][i] for name in ("points", "rank", "win")}
            expected = {"rank": 2 - result["rank"], "score": result["points"], "win": result["win"]}[reward]
            assert earned[i] == pytest.approx(expected)
            assert (told["points"][i], told["rank"][i]) == (result["points"], result["rank"])
            earned[i], ended = 0.0, ended + 1
        over = terminated
        if mode == AutoresetMode.DISABLED and over.any():
            observation, _ = env.reset(options={"reset_mask": over})
            over = np.zeros(64, bool)


@each_game
@each_mode
def test_the_last_observation_is_the_learners_and_a_masked_policy_can_be_asked(table, mode):
    env, rng = made(table, num_envs=32, autoreset_mode=mode), np.random.default_rng(1)
    observation, _ = env.reset(seed=2)
    observation, _, terminated, _, infos = until_one_ends(env, observation, rng)
    i = int(terminated.argmax())
    seats, batch = env.unwrapped.seats, env.unwrapped.batch
    if mode == AutoresetMode.SAME_STEP:
        last = infos["final_obs"][i]
        assert infos["_final_obs"].tolist() == infos["_final_info"].tolist() == terminated.tolist()
        assert infos["final_info"]["_seat"].tolist() == terminated.tolist() and infos["_seat"].all()
        assert (observation["action_mask"].sum(axis=1) >= 2).all()
    else:
        last = {name: part[i] for name, part in observation.items()}
        seen = batch.observe([i], [seats.learner[i]])[0]
        assert last["observation"].tolist() == seen.tolist()
    assert last in env.single_observation_space
    assert np.flatnonzero(last["action_mask"]).tolist() == [0]
    assert infos["_seat"].all()


@each_game
def test_a_game_that_is_over_is_dealt_anew_in_the_next_step_whatever_the_action(table):
    env, rng = made(table, num_envs=32), np.random.default_rng(1)
    observation, _ = env.reset(seed=2)
    observation, _, terminated, *_ = until_one_ends(env, observation, rng)
    before = observation["observation"][terminated].copy()
    actions = np.where(terminated, -5, legal(observation, rng))
    observation, rewards, again, _, infos = env.step(actions)
    assert (rewards[terminated] == 0).all() and not again[terminated].any()
    assert "illegal_action" not in infos
    assert (observation["observation"][terminated] != before).any(axis=1).all()
    assert (observation["action_mask"][terminated].sum(axis=1) >= 2).all()


def test_without_autoreset_only_the_games_asked_for_are_dealt_anew():
    env, rng = timeline_v0.vector_env(16, 2, autoreset_mode="Disabled"), np.random.default_rng(3)
    observation, _ = env.reset(seed=3)
    observation, _, terminated, *_ = until_one_ends(env, observation, rng)
    with pytest.raises(ResetNeeded, match=f"game {terminated.argmax()} is over"):
        env.step(legal(observation, rng))
    new, _ = env.reset(options={"reset_mask": terminated})
    same = (new["observation"] == observation["observation"]).all(axis=1)
    assert same.tolist() == (~terminated).tolist()
    env.step(legal(new, rng))


def test_nothing_is_played_before_reset():
    env = timeline_v0.vector_env(num_envs=3, seat=2, num_players=3)
    with pytest.raises(ResetNeeded, match="call reset\\(\\) before step\\(\\)"):
        env.step(np.zeros(3, np.int64))
    assert env.np_random_seed is not None and env.np_random is not None  # which draw a seed, but deal nothing
    with pytest.raises(ResetNeeded, match="call reset\\(\\) before step\\(\\)"):
        env.step(np.zeros(3, np.int64))
    env.reset(seed=1)
    assert (env.step(np.zeros(3, np.int64))[4]["seat"] == 2).all()


def test_environments_without_a_seed_differ_though_their_generator_was_looked_at_first():
    seen = []
    for _ in range(2):
        env = timeline_v0.vector_env(num_envs=2)
        assert env.np_random is not None
        seen.append(env.reset()[0]["observation"].tobytes())
    assert seen[0] != seen[1]


def test_an_opponent_that_is_named_twice_is_drawn_twice_as_often():
    env = timeline_v0.vector_env(num_envs=2, opponents=["random", "greedy", "random"])
    assert env.seats.opponents.names == ["random", "greedy"]
    assert env.seats.opponents.chances.tolist() == pytest.approx([2 / 3, 1 / 3])


def test_an_opponent_need_not_be_hashable():
    @dataclass
    class Fixed:
        choice: int

        def act(self, decisions):
            return decisions.action_mask.argmax(axis=1) * self.choice

    env = timeline_v0.vector_env(num_envs=2, opponents=[Fixed(1)], seat=1)
    observation, _ = env.reset(seed=0)
    assert observation["action_mask"].any(axis=1).all()


def test_what_reset_refuses():
    env = timeline_v0.vector_env(2)
    with pytest.raises(ValueError, match="one integer for all games"):
        env.reset(seed=[1, 2])
    with pytest.raises(ValueError, match=r"seed 1 .* cannot be given with a reset_mask"):
        env.reset(seed=1, options={"reset_mask": np.array([True, False])})
    for mask in ([True, False], np.array([1, 0]), np.array([True])):
        with pytest.raises(ValueError, match=r"must be a bool array of shape \(2,\)"):
            env.reset(options={"reset_mask": mask})
    with pytest.raises(ValueError, match=r"option 'reset_masks' is unknown \(did you mean 'reset_mask'\?\)"):
        env.reset(options={"reset_masks": np.array([True, False])})
    with pytest.raises(ValueError, match="options 5 must be a dict or None"):
        env.reset(options=5)


def test_after_a_step_that_was_broken_off_nothing_is_played_or_asked_before_reset():
    opponent = Stopped(0)
    env = timeline_v0.vector_env(num_envs=3, num_players=2, opponents=[opponent], seat=0)
    observation, _ = env.reset(seed=0)
    opponent.stops = True
    with pytest.raises(KeyboardInterrupt):
        while True:
            observation, *_ = env.step(observation["action_mask"].argmax(axis=1))
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(env.batch.action_mask.argmax(axis=1))
    with pytest.raises(ValueError, match="nobody is asked"):
        words.ask(env)
    opponent.stops = False
    env.reset(options={"reset_mask": np.array([True, False, False])})
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(env.batch.action_mask.argmax(axis=1))
    env.reset()
    assert (env.batch.seat == 0).all() and words.ask(env, 2).seat == 0


@each_game
@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_gymnasiums_episode_statistics_agree_with_the_results(table, mode):
    env = wrappers.vector.RecordEpisodeStatistics(made(table, num_envs=16, autoreset_mode=mode))
    observation, _ = env.reset(seed=5)
    rng, found = np.random.default_rng(5), 0
    while found < 20:
        observation, _, terminated, _, infos = env.step(legal(observation, rng))
        told = infos["final_info"] if mode == "SameStep" and terminated.any() else infos
        for i in np.flatnonzero(terminated):
            players = env.unwrapped.batch.num_players
            expected = np.interp(told["rank"][i], [1, players], [1, -1])
            assert infos["episode"]["r"][i] == pytest.approx(expected)
            assert infos["episode"]["l"][i] > 1
            found += 1


def test_gymnasiums_vector_wrappers_work():
    """Those for observations refuse every autoreset but the default."""
    make = lambda: made(Table(timeline_v0, 2), num_envs=4)  # noqa: E731
    flat = wrappers.vector.FlattenObservation(make())
    size = sum(space.shape[0] for space in make().single_observation_space.values())
    assert flat.reset(seed=1)[0].shape == (4, size)
    scaled = wrappers.vector.NormalizeObservation(flat)
    scaled.reset(seed=1)
    only = wrappers.vector.FilterObservation(make(), ["observation"])
    assert list(only.reset(seed=1)[0]) == ["observation"]
    listed = wrappers.vector.DictInfoToList(wrappers.vector.NormalizeReward(make()))
    _observation, infos = listed.reset(seed=1)
    assert [info["seat_name"] for info in infos] == listed.unwrapped.seat_names[listed.unwrapped.seats.learner].tolist()
    for env in (scaled, only, listed):
        for _ in range(40):
            env.step(env.unwrapped.batch.action_mask.argmax(axis=1))


@each_game
def test_what_a_step_gave_stays_as_it_was_unless_copies_are_refused(table):
    for dtype in ("int8", "float32"):
        env = made(table, num_envs=8, dtype=dtype)
        observation, _ = env.reset(seed=0)
        before = {name: part.copy() for name, part in observation.items()}
        env.step(observation["action_mask"].argmax(axis=1))
        assert all((observation[name] == part).all() for name, part in before.items())
    env = made(table, num_envs=8, dtype="int8", copy=False)
    observation, _ = env.reset(seed=0)
    assert np.shares_memory(observation["observation"], env.unwrapped.batch.observation)
    assert np.shares_memory(observation["action_mask"], env.unwrapped.batch.action_mask)
    assert observation in env.observation_space


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
def test_an_illegal_action_ends_its_game_and_no_other(table):
    env, single = made(table, num_envs=4), gymnasium.make(table.gymnasium_id).unwrapped
    observation, infos = env.reset(seed=2)
    actions = observation["action_mask"].argmax(axis=1)
    actions[3] = observation["action_mask"][3].argmin()
    actions[1] = single.action_space.n
    observation, rewards, terminated, truncated, told = env.step(actions)
    assert rewards.tolist() == [0, -1, 0, -1]
    assert terminated.tolist() == [False, True, False, True] and not truncated.any()
    for i in (1, 3):
        start = f"action {actions[i]} is not legal for player_{infos['seat'][i]}; legal are "
        assert told["illegal_action"][i].startswith(start)
    assert told["_illegal_action"].tolist() == terminated.tolist()
    observation, rewards, terminated, *_ = env.step(observation["action_mask"].argmax(axis=1))
    assert not terminated.any() and not rewards.any()


@pytest.mark.parametrize("actions", [np.zeros(3, int), np.zeros(2), [0.0, 1.0], np.zeros((2, 1), int)])
def test_misshapen_actions_are_refused_and_nothing_is_played(actions):
    env = timeline_v0.vector_env(2)
    env.reset(seed=2)
    before = env.batch.states.tobytes()
    with pytest.raises(ValueError, match=r"actions must be integers of shape \(2,\)"):
        env.step(actions)
    assert env.batch.states.tobytes() == before


@each_game
def test_the_learner_sits_where_it_is_told(table):
    env, rng = made(table, num_envs=16, seat=1), np.random.default_rng(6)
    observation, infos = env.reset(seed=6)
    for _ in range(100):
        assert (infos["seat"] == 1).all()
        observation, _, _, _, infos = env.step(legal(observation, rng))
    assert set(made(table, num_envs=64).reset(seed=6)[1]["seat"]) == set(range(table.num_players))


@each_game
def test_max_turns_cuts_games_short(table):
    env, rng = made(table, num_envs=4, max_turns=5), np.random.default_rng(7)
    observation, _ = env.reset(seed=7)
    ends = []
    for _ in range(12):
        observation, _rewards, terminated, truncated, _infos = env.step(legal(observation, rng))
        assert not terminated.any()
        assert (observation["action_mask"].sum(axis=1) >= 2).all()
        ends.append(truncated.all() if truncated.any() else None)
    assert ends == [None] * 4 + [True] + [None] * 5 + [True, None]


@each_game
@pytest.mark.parametrize("mode", ["ansi", "svg", "rgb_array"])
def test_pictures_are_what_each_learner_sees(table, mode):
    env = made(table, num_envs=2, render_mode=mode, seat=1)
    env.reset(seed=8)
    pictures = env.render()
    assert len(pictures) == 2 and isinstance(pictures[0], np.ndarray if mode == "rgb_array" else str)
    single = gymnasium.make(table.gymnasium_id, render_mode=mode, seat=1, num_players=table.num_players).unwrapped
    single.reset(seed=8)
    single.batch.states[:], single.last_move = env.unwrapped.batch.states[1], None
    assert np.array_equal(single.render(), pictures[1])


def test_a_window_shows_the_first_game():
    env = timeline_v0.vector_env(2, render_mode="human")
    observation, _ = env.reset(seed=9)
    window = env.window
    env.step(observation["action_mask"].argmax(axis=1))
    assert env.render() is None and env.window is window and not window.closed
    env.close()
    assert window.closed


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_envs": 0}, "num_envs 0"),
        ({"num_envs": 10**30}, "num_envs 1000000000000000000000000000000 must be an integer from 1 to"),
        ({"opponents": ("nobody",)}, "player 'nobody' is unknown"),
        ({"opponents": {}}, "opponents is empty"),
        ({"opponents": "random"}, "opponents .random. must"),
        ({"opponents": 5}, "opponents 5 must"),
        ({"render_mode": "gif"}, "render_mode 'gif'"),
        ({"reward": "gold"}, "reward 'gold'"),
        ({"seat": 4}, "seat 4 must be an integer from 0 to 3, or None"),
        ({"max_turns": 0}, "max_turns 0 must be an integer of at least 1, or None"),
        ({"autoreset_mode": "never"}, "autoreset_mode 'never' is unknown; allowed: NextStep, SameStep, Disabled"),
        ({"dtype": "float16"}, "dtype 'float16' is unknown"),
        ({"dtype": "int8", "normalize": True}, "dtype 'int8' cannot hold normalized numbers; allowed is float32"),
        ({"normalize": 1}, "normalize 1 must be True or False"),
        ({"copy": "False"}, "copy .False. must be True or False"),
    ],
)
def test_bad_arguments_are_named(settings, message):
    with pytest.raises(ValueError, match=message):
        timeline_v0.vector_env(**settings)
