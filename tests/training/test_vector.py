"""The SB3 environment: what the learner is paid, what it may do, what it is told at the end."""

from __future__ import annotations

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from sb3_contrib import MaskablePPO

from timeline_env.engine.loops import pick_random
from timeline_env.engine.setting import Setting
from timeline_env.timeline import GAME
from timeline_env.wrappers.seats import LEARNER
from timeline_env.wrappers.vector import SeatVecEnv

PIECES = ["clock", "near"]


def played(env: SeatVecEnv, games: int, seed: int = 0):
    """Random legal play until so many games have ended: a (sum of rewards, last info, all seats' points) for each game."""
    rng = np.random.default_rng(seed)
    env.reset()
    sums, ended = np.zeros(env.num_envs), []
    actions = np.empty(env.num_envs, np.int64)
    while len(ended) < games:
        masks = np.stack(env.env_method("action_masks"))
        pick_random(masks.astype(np.int8), rng.integers(2**64, size=env.num_envs, dtype=np.uint64), actions)
        observation, reward, done, infos = env.step(actions)
        assert env.observation_space.contains(observation[0]) and observation.shape == (
            env.num_envs,
            *env.observation_space.shape,
        )
        sums += reward
        for i in np.flatnonzero(done):
            ended.append((sums[i], infos[i], env.batch.points[i].copy()))
            sums[i] = 0
        assert all((i in np.flatnonzero(done)) == bool(info) for i, info in enumerate(infos))
    return ended


@pytest.mark.parametrize(
    ("reward", "num_players"), [("rank", 2), ("rank", 6), *((reward, 3) for reward in GAME.rewards)]
)
def test_every_reward_is_delivered_and_sums_up_to_the_result(reward: str, num_players: int) -> None:
    ended = played(SeatVecEnv(Setting(GAME, num_players), 64, {"random": 1, "greedy": 1}, reward, PIECES, seed=3), 300)
    for total, info, points in ended:
        result = info["result"]
        wanted = {
            "rank": 1 - 2 * (result["rank"] - 1) / (num_players - 1),
            "score": result["points"],
            "win": result["win"],
            "lead": result["points"] - np.delete(points, result["seat"]).mean(),
        }
        assert total == pytest.approx(wanted[reward], abs=1e-5)
        assert total == pytest.approx(info["episode"]["r"], abs=1e-5)
    assert any(total < 0 for total, *_ in ended) or reward == "win"
    assert any(total > 0 for total, *_ in ended)


def test_the_learner_sits_in_every_seat_among_opponents_drawn_by_weight() -> None:
    ended = played(SeatVecEnv(Setting(GAME, 4), 128, {"random": 3, "greedy": 1}, "rank", PIECES), 600)
    seats = np.bincount([info["result"]["seat"] for _, info, _ in ended], minlength=4)
    assert seats.min() > 100
    names = [name for _, info, _ in ended for name in info["result"]["opponents"]]
    assert len(names) == 3 * len(ended)
    assert 0.2 < names.count("greedy") / len(names) < 0.3


def test_observation_and_mask_are_the_learners_also_after_a_new_deal() -> None:
    env = SeatVecEnv(Setting(GAME, 3), 32, {"random": 1}, "rank", None, seed=1)
    observation, rng, new_deals = env.reset(), np.random.default_rng(0), 0
    for _ in range(200):
        assert (env.batch.seat == env.seats.learner).all()
        assert (env.batch.layout.view(observation, "to_act")[:, 0] == 1).all()
        masks = np.stack(env.env_method("action_masks"))
        assert masks.dtype == bool and masks.shape == (32, GAME.num_actions(3))
        assert (masks == env.batch.action_mask).all() and (masks.sum(axis=1) >= 2).all()
        before = observation.copy()
        returned = observation
        observation, _, done, _ = env.step([rng.choice(np.flatnonzero(mask)) for mask in masks])
        assert (returned == before).all(), "an observation handed out must not be written again"
        new_deals += done.sum()
    assert new_deals > 50


def test_the_last_observation_is_the_learners_view_of_the_finished_game() -> None:
    env = SeatVecEnv(Setting(GAME, 4), 16, {"random": 1}, "score", None)
    for _, info, _ in played(env, 50):
        assert info["TimeLimit.truncated"] is False
        points = env.batch.layout.view(info["terminal_observation"], "seats")[0, 1]
        assert points == info["result"]["points"]


def test_the_same_seed_gives_the_same_games() -> None:
    first, second, other = (played(SeatVecEnv(Setting(GAME, 4), 8, seed=seed, pieces=PIECES), 20) for seed in (5, 5, 6))
    assert [info["result"] for _, info, _ in first] == [info["result"] for _, info, _ in second]
    assert [info["result"] for _, info, _ in first] != [info["result"] for _, info, _ in other]


def test_a_call_gives_each_game_its_row_or_the_answer_and_attributes_belong_to_all() -> None:
    env = SeatVecEnv(Setting(GAME, 3), 4, pieces=PIECES)
    env.reset()
    masks = env.action_masks()
    some = env.env_method("action_masks", indices=[2, 0])
    assert len(some) == 2 and (some[0] == masks[2]).all() and (some[1] == masks[0]).all()
    assert env.env_method("get_attr", "num_envs", indices=[0]) == [[4] * 4]
    assert env.env_method("close") == [None] * 4
    env.set_attr("told", 5)
    assert env.get_attr("told", indices=[1, 3]) == [5, 5]
    with pytest.raises(ValueError, match=r"^indices \[0\] must be None or all: the games share the attribute 'told'$"):
        env.set_attr("told", 6, indices=[0])
    assert env.get_attr("told") == [5] * 4


def test_seed_holds_for_the_next_reset_and_no_longer() -> None:
    env = SeatVecEnv(Setting(GAME, 4), 8, pieces=PIECES)
    env.seed(9)
    first, later = env.reset(), env.reset()
    env.seed(9)
    assert (env.reset() == first).all() and (later != first).any()


def test_nothing_is_played_before_reset_and_a_seed_that_is_refused_does_not_stick() -> None:
    env = SeatVecEnv(Setting(GAME, 4), 2, pieces=PIECES)
    with pytest.raises(ResetNeeded, match="call reset"):
        env.step(env.action_masks().argmax(axis=1))
    for seed in (-5, 2**64):
        env.seed(seed)
        with pytest.raises(ValueError, match=f"seed {seed} must be an integer from 0"):
            env.reset()
    env.reset()
    env.step(env.action_masks().argmax(axis=1))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"num_envs": 0}, "num_envs 0"),
        ({"opponents": {}}, "opponents is empty"),
        (
            {"opponents": "random"},
            "opponents .random. must be a sequence of players, or players with their weights as in",
        ),
        ({"opponents": {"random", "greedy"}}, "must be a sequence of players"),
        ({"opponents": np.array("random")}, "must be a sequence of players"),
        ({"opponents": {"random": 0}}, "weight 0"),
        ({"opponents": {"rando": 1}}, "player 'rando' is unknown .did you mean 'random'"),
        ({"reward": "fame"}, "reward 'fame'"),
        ({"pieces": ["clok"]}, "clok"),
        ({"pieces": "hand"}, "pieces .hand. must be a list of names"),
        ({"pieces": {"clock", "hand"}}, "must be a list of names"),
        ({"pieces": np.array("clock")}, "must be a list of names"),
        ({"pieces": []}, "name at least one of clock"),
        ({"normalize": np.array([1, 2])}, "normalize array.* must be True or False"),
    ],
)
def test_bad_settings_are_named(settings: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SeatVecEnv(Setting(GAME), **{"num_envs": 2, **settings})


def test_an_illegal_action_is_named_and_nothing_is_played() -> None:
    env = SeatVecEnv(Setting(GAME, 4), 2)
    env.reset()
    before = env.batch.states.tobytes()
    actions = env.action_masks().argmax(axis=1)
    actions[1] = np.flatnonzero(~env.action_masks()[1])[0]
    with pytest.raises(ValueError, match=f"game 1: action {actions[1]} is not legal"):
        env.step(actions)
    assert env.batch.states.tobytes() == before


def test_the_opponents_are_named_in_turn_order_after_the_learner() -> None:
    games = SeatVecEnv(Setting(GAME, 4), 1, {"random": 1, "greedy": 1, "projector": 1}, pieces=PIECES).seats
    games.seating[0], games.learner[0] = [0, 1, LEARNER, 2], 2
    names = games.opponents.names
    assert games.summary(0)["result"]["opponents"] == [names[2], names[0], names[1]]


def test_maskable_ppo_learns_on_it() -> None:
    env = SeatVecEnv(Setting(GAME, 4), np.int8(8), pieces=PIECES)  # type: ignore[arg-type]
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, policy_kwargs={"net_arch": [16]})
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(256)
    assert model.num_timesteps == 256
    assert any((a != b).any() for a, b in zip(before, model.policy.parameters(), strict=True))
