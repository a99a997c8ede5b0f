"""Many games side by side."""

from __future__ import annotations

import multiprocessing

import numpy as np
import pytest

from tests.games import each_game
from timeline_env import timeline_v0
from timeline_env.engine import batch as batch_module
from timeline_env.engine import rng
from timeline_env.engine.batch import game_seeds
from timeline_env.engine.loops import pick, pick_random
from timeline_env.players import Decisions
from timeline_env.wrappers.seats import SeatGames

BUFFERS = ("observation", "action_mask", "seat", "reward", "done", "points", "rank")


def contents(batch):
    return [batch.states.tobytes(), *(getattr(batch, name).tobytes() for name in BUFFERS)]


def first_legal(batch):
    return batch.action_mask.argmax(axis=1)


def play_to_the_end(batch, restart):
    """Random decisions until game 0 ends; the other games too are played on."""
    generator = np.random.default_rng(0)
    while not batch.done[0]:
        actions = np.empty(batch.num_games, np.int64)
        pick_random(batch.action_mask, generator.integers(2**64, size=batch.num_games, dtype=np.uint64), actions)
        batch.step(actions[:1], [0], restart=restart)


@each_game
def test_buffers_have_the_documented_shapes_and_kinds(table):
    batch = table.make("batch", num_games=3)
    assert [(getattr(batch, name).shape, getattr(batch, name).dtype) for name in BUFFERS] == [
        ((3, batch.layout.size), np.int8),
        ((3, batch.num_actions), np.int8),
        ((3,), np.int64),
        ((3, table.num_players), np.float32),
        ((3,), np.bool_),
        ((3, table.num_players), np.float32),
        ((3, table.num_players), np.float32),
    ]


@each_game
def test_no_games_may_be_chosen_and_games_may_be_a_list(table):
    batch = table.make("batch", num_games=3, seed=1)
    before = contents(batch)
    batch.step([], games=[])
    batch.restart([])
    assert contents(batch) == before
    decisions = Decisions.of(batch, [2, 0])
    assert decisions.games.dtype == np.int64 and decisions.games.tolist() == [2, 0]
    assert (decisions.observation == batch.observation[[2, 0]]).all()
    for wrong in (batch.seat >= 0, [0.5], np.int64(1)):
        with pytest.raises(ValueError, match=r"^games must be integers of one dimension, not (bool|float64|int64) \("):
            Decisions.of(batch, wrong)


@each_game
def test_an_illegal_action_is_named_in_one_line_and_nothing_is_played(table):
    batch = table.make("batch", num_games=4, seed=1)
    before = contents(batch)
    actions = first_legal(batch)
    actions[2] = np.flatnonzero(batch.action_mask[2] == 0)[0]
    legal = " ".join(map(str, np.flatnonzero(batch.action_mask[2])))
    with pytest.raises(ValueError) as error:
        batch.step(actions)
    assert str(error.value) == f"game 2: action {actions[2]} is not legal; legal are {legal}"
    assert contents(batch) == before


@each_game
@pytest.mark.parametrize("action", [-1, 10**6])
def test_an_action_out_of_range_is_illegal(table, action):
    batch = table.make("batch", num_games=1)
    with pytest.raises(ValueError, match=rf"game 0: action {action} is not legal"):
        batch.step([action])


@each_game
@pytest.mark.parametrize("actions", [[0], [[0, 0]], [0.0, 0.0], "ab", [True, True]])
def test_actions_of_another_shape_or_kind_are_refused(table, actions):
    with pytest.raises(ValueError, match=r"actions must be integers of shape \(2,\)"):
        table.make("batch", num_games=2).step(actions)


@each_game
@pytest.mark.parametrize(
    ("games", "message"),
    [
        ([0, 0], "game 0: games must be distinct numbers from 0 to 1"),
        ([2, 0], "game 2: games must be distinct numbers from 0 to 1"),
        ([1, -1], "game -1: games must be distinct numbers from 0 to 1"),
        ([0.0, 1.0], "games must be integers of one dimension, not float64 (2,)"),
        ([[0, 1]], "games must be integers of one dimension, not int64 (1, 2)"),
    ],
)
def test_chosen_games_must_be_distinct_games_of_the_batch(table, games, message):
    batch = table.make("batch", num_games=2)
    before = contents(batch)
    for call in (lambda: batch.step([0, 0], games), lambda: batch.restart(games), lambda: batch.refresh(games)):
        with pytest.raises(ValueError) as error:
            call()
        assert str(error.value) == message
    assert contents(batch) == before
    batch.refresh([1, 0])  # a refused choice leaves nothing behind
    assert contents(batch) == before


@each_game
@pytest.mark.parametrize("seeds", [np.zeros(1, np.uint64), np.zeros(2, np.int64)])
def test_seeds_of_another_number_or_kind_are_refused(table, seeds):
    with pytest.raises(ValueError, match=r"seeds must be uint64 of shape \(2,\)"):
        table.make("batch", num_games=2).deal(seeds)


@each_game
def test_a_finished_game_takes_no_action(table):
    batch = table.make("batch", num_games=1)
    play_to_the_end(batch, restart=False)
    assert batch.seat[0] == -1
    assert not batch.action_mask.any()
    with pytest.raises(ValueError, match="game 0 is over: action 0 cannot be played; restart it first"):
        batch.step([0])


@each_game
def test_a_finished_game_cannot_be_played_at_random(table):
    """Its mask is empty: a pick among no actions would run on into whatever memory follows."""
    batch = table.make("batch", num_games=2, seed=4)
    play_to_the_end(batch, restart=False)
    before = contents(batch)
    with pytest.raises(ValueError, match="game 0 is over: it cannot be played; restart it first"):
        batch.play_random(1)
    assert contents(batch) == before


@pytest.mark.parametrize("size", [1, 15, 16, 17, 171])
def test_a_pick_without_a_legal_action_stays_inside_the_mask(size):
    masks = np.zeros((2, size), np.int8)
    masks[1] = 1  # what a pick that runs on would find
    out = np.zeros(1, np.int64)
    pick_random(masks[:1], np.ones(1, np.uint64), out)
    assert out[0] == size - 1


@each_game
@pytest.mark.parametrize("steps", [-1, 1.5, None, "3", True])
def test_play_random_takes_a_whole_number_of_steps(table, steps):
    with pytest.raises(ValueError, match=r"steps .* must be an integer of at least 0"):
        table.make("batch", num_games=1).play_random(steps)


@each_game
def test_a_step_of_chosen_games_leaves_the_others_as_they_were(table):
    batch, twin = table.make("batch", num_games=5, seed=2), table.make("batch", num_games=5, seed=2)
    actions = first_legal(batch)
    batch.step(actions[[3, 1]], [3, 1])
    twin.step(actions)
    for name in ("states", *BUFFERS):
        mine, all_stepped = np.asarray(getattr(batch, name)), np.asarray(getattr(twin, name))
        assert mine[[1, 3]].tobytes() == all_stepped[[1, 3]].tobytes()
    fresh = table.make("batch", num_games=5, seed=2)
    assert np.asarray(batch.states)[[0, 2, 4]].tobytes() == np.asarray(fresh.states)[[0, 2, 4]].tobytes()


@each_game
def test_a_game_that_ends_is_dealt_anew_and_its_last_results_stay_readable(table):
    renewed, stopped = table.make("batch", num_games=2, seed=3), table.make("batch", num_games=2, seed=3)
    play_to_the_end(renewed, restart=True)
    play_to_the_end(stopped, restart=False)
    for name in ("reward", "points", "rank", "done"):
        assert getattr(renewed, name)[0].tobytes() == getattr(stopped, name)[0].tobytes()
    assert renewed.reward[0].any() and renewed.done[0]
    seed_of_the_next = rng.mix(np.uint64(rng.advance(np.uint64(stopped.states[0]["seed"]))))
    fresh = table.make("batch", num_games=1)
    fresh.deal(np.array([seed_of_the_next], np.uint64))
    assert np.asarray(renewed.states)[:1].tobytes() == fresh.states.tobytes()
    assert renewed.observation[0].tobytes() == fresh.observation[0].tobytes()
    assert renewed.action_mask[0].tobytes() == fresh.action_mask[0].tobytes()
    assert renewed.seat[0] == fresh.seat[0]


@each_game
def test_restart_deals_the_chosen_games_anew(table):
    batch = table.make("batch", num_games=3, seed=4)
    before = np.asarray(batch.states).copy()
    batch.restart(np.array([1]))
    changed = [before[i].tobytes() != np.asarray(batch.states)[i].tobytes() for i in range(3)]
    assert changed == [False, True, False]


@each_game
def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(table):
    first, same, other = (table.make("batch", num_games=8, seed=seed) for seed in (5, 5, 6))
    for batch in (first, same, other):
        batch.play_random(300)
    assert contents(first) == contents(same)
    assert first.states.tobytes() != other.states.tobytes()


@each_game
def test_reset_with_the_seed_gives_the_batch_as_it_began(table):
    batch = table.make("batch", num_games=8, seed=5)
    begun = contents(batch)
    batch.play_random(400)
    batch.reset(5)
    assert contents(batch) == begun


@each_game
def test_a_deal_leaves_nothing_of_the_record_that_was_there(table):
    """A field that `clear` forgot would keep the byte; a new one is no exception."""
    batch, used = (table.make("batch", num_games=2) for _ in range(2))
    used.states.view(np.uint8)[:] = 85
    for dealt in (batch, used):
        dealt.deal(game_seeds(7, 2))
    assert contents(used) == contents(batch)


def test_a_reset_that_is_refused_changes_nothing():
    batch = timeline_v0.batch(num_games=8, num_players=2, seed=5)
    batch.play_random(400)
    names = ("states", "observation", "reward", "done", "points", "rank", "pickers")
    batch.done[0], batch.reward[0], batch.points[0], batch.rank[0] = True, 1, 3, 1
    before = [np.asarray(getattr(batch, name)).tobytes() for name in names]
    with pytest.raises(ValueError, match="seed -1"):
        batch.reset(seed=-1)
    assert before == [np.asarray(getattr(batch, name)).tobytes() for name in names]


@each_game
def test_reset_without_a_seed_deals_other_games(table):
    batch = table.make("batch", num_games=8, seed=5)
    before = np.asarray(batch.states)["seed"].copy()
    batch.play_random(10)
    batch.reset()
    assert len(np.unique(np.concatenate([before, np.asarray(batch.states)["seed"]]))) == 16
    assert not batch.reward.any() and not batch.done.any()


@each_game
def test_without_a_seed_every_game_of_every_batch_is_another(table):
    batches = [table.make("batch", num_games=8, seed=None) for _ in range(2)]
    assert len(np.unique([np.asarray(batch.states)["seed"] for batch in batches])) == 16
    assert len(np.unique([batch.pickers for batch in batches])) == 16
    seats = [SeatGames(batches[0].setting, 8, ["random"], "rank", None) for _ in range(2)]
    for games in seats:
        games.start(games.all)
    assert len(np.unique([np.asarray(games.batch.states)["seed"] for games in seats])) == 16


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"num_games": np.ones((3, 3))},
            r"^num_games array\(\[\[1\., 1\., 1\.\], .*must be an integer from 1 to 2,147,483,647$",
        ),
        ({"reward": np.ones((3, 3))}, r"^reward array\(.* is unknown; allowed: rank, "),
        ({"seed": np.ones((3, 3))}, r"^seed array\(.* must be an integer from 0 to 2\*\*64 - 1$"),
    ],
)
def test_an_array_in_the_place_of_a_value_is_refused_in_one_line(options, message):
    with pytest.raises(ValueError, match=message) as error:
        timeline_v0.batch(**{"num_games": 2, **options})
    assert "\n" not in str(error.value)


def test_an_action_beyond_all_integers_is_named_as_it_was_given():
    batch = timeline_v0.batch(num_games=1)
    with pytest.raises(ValueError, match=r"^game 0: action 18446744073709551615 is not legal"):
        batch.step(np.array([2**64 - 1], np.uint64))


@each_game
def test_the_first_games_are_the_same_whatever_their_number(table):
    few, many = table.make("batch", num_games=2, seed=7), table.make("batch", num_games=9, seed=7)
    assert few.states.tobytes() == np.asarray(many.states)[:2].tobytes()
    assert game_seeds(7, 2).tolist() == game_seeds(7, 9)[:2].tolist()


@each_game
def test_play_random_is_stepping_with_the_same_picks(table):
    inside, stepped = table.make("batch", num_games=4, seed=8), table.make("batch", num_games=4, seed=8)
    inside.play_random(200)
    actions = np.empty(4, np.int64)
    for _ in range(200):
        words = np.empty(4, np.uint64)
        for i in range(4):
            stepped.pickers[i] = rng.advance(stepped.pickers[i])
            words[i] = rng.mix(stepped.pickers[i])
        pick_random(stepped.action_mask, words, actions)
        stepped.step(actions)
    assert contents(inside) == contents(stepped)


@each_game
def test_the_kind_of_number_in_the_first_call_does_not_bind_later_ones(table, monkeypatch):
    """The compiled loops are kept for the kinds of arguments of their first call and check nothing afterwards."""
    monkeypatch.setattr(batch_module, "BOUND", {})
    small, plain = table.make("batch", num_games=2, seed=5), table.make("batch", num_games=2, seed=5)
    small.play_random(np.int8(1))
    small.play_random(200)
    plain.play_random(201)
    assert contents(small) == contents(plain)
    small.step(first_legal(small), restart=None)
    play_to_the_end(small, restart=True)
    assert small.done[0] and small.seat[0] >= 0


def test_a_pick_is_uniform_over_the_legal_actions():
    mask = np.zeros(100, np.int8)
    mask[[3, 17, 31, 32, 99]] = 1
    fifth = 2**32 / 5
    picks = [int(pick(mask, np.uint64(int((k + 0.5) * fifth)))) for k in range(5)]
    assert picks == [3, 17, 31, 32, 99]
    assert int(pick(mask, np.uint64(2**32 - 1))) == 99


@pytest.mark.parametrize("size", [*range(1, 75), 174, 210, 2048, 3001])
def test_a_pick_is_the_legal_action_that_its_word_names(size: int) -> None:
    generator = np.random.default_rng(size)
    for share in (0.02, 0.5, 1.0):
        mask = (generator.random(size) < share).astype(np.int8)
        mask[generator.integers(size)] = 1
        legal = np.flatnonzero(mask)
        for word in (0, 2**32 - 1, *generator.integers(2**32, size=20).tolist()):
            assert pick(mask, np.uint64(word)) == legal[word * len(legal) >> 32]


def test_rank_and_lead_rewards_add_up_to_zero_win_rewards_to_one_and_score_rewards_to_the_points():
    totals = {}
    for kind in ("rank", "win", "score", "lead"):
        batch = timeline_v0.batch(1, 4, seed=9, reward=kind)
        generator, total = np.random.default_rng(1), np.zeros(4)
        while not batch.done[0]:
            batch.step([generator.choice(np.flatnonzero(batch.action_mask[0]))], restart=False)
            total += batch.reward[0]
        totals[kind], points = total, batch.points[0]
    assert abs(totals["rank"].sum()) < 1e-6
    assert totals["win"].sum() == 1
    assert totals["score"].tolist() == points.tolist()
    assert np.allclose(totals["lead"], (4 * points - points.sum()) / 3)
    assert points.any()


@each_game
def test_refresh_writes_the_buffers_after_a_change_from_outside(table):
    source, target = table.make("batch", num_games=3, seed=10), table.make("batch", num_games=3, seed=11)
    source.play_random(50)
    np.asarray(target.states)[:] = np.asarray(source.states)
    target.refresh()
    for name in ("observation", "action_mask", "seat"):
        assert getattr(target, name).tobytes() == getattr(source, name).tobytes()


@each_game
def test_the_number_of_threads_changes_nothing(table):
    alone, shared = table.make("batch", num_games=7, seed=12), table.make("batch", num_games=7, seed=12, threads=3)
    for batch in (alone, shared):
        batch.play_random(150)
        batch.step(first_legal(batch))
    assert contents(alone) == contents(shared)


@each_game
def test_threads_work_in_a_forked_process_too(table):
    """A child inherits the pool of threads without the threads."""
    batch = table.make("batch", num_games=8, threads=2)
    batch.play_random(1)
    child = multiprocessing.get_context("fork").Process(target=batch.play_random, args=(1,))
    child.start()
    child.join(120)
    code = child.exitcode  # none if it hangs
    child.kill()
    assert code == 0


def test_any_seat_of_any_game_can_be_looked_at():
    batch = timeline_v0.batch(3, 4, seed=13)
    batch.play_random(30)
    views = batch.observe([2, 0, 2], [batch.seat[2], batch.seat[0], (batch.seat[2] + 1) % 4])
    assert views[0].tolist() == batch.observation[2].tolist()
    assert views[1].tolist() == batch.observation[0].tolist()
    assert views[2].tolist() != views[0].tolist()
    assert batch.layout.view(views[2], "to_act").tolist() == [0, 0, 0, 1]


@each_game
@pytest.mark.parametrize(
    ("games", "seats", "message"),
    [
        ([3], [0], "games array([3]) must be 1 integers from 0 to 2"),
        ([-1], [0], "games array([-1]) must be 1 integers from 0 to 2"),
        ([0], [4], "seats array([4]) must be 1 integers from 0 to {last}"),
        ([0], [-1], "seats array([-1]) must be 1 integers from 0 to {last}"),
        ([0, 1], [0], "seats array([0]) must be 2 integers from 0 to {last}"),
        ([0.5], [0], "games array([0.5]) must be 1 integers from 0 to 2"),
        (0, 0, "games array(0) must be 1 integers from 0 to 2"),
        (None, [0], "games array(None, dtype=object) must be 1 integers from 0 to 2"),
        ([2**63], [0], "games array([9223372036854775808], dtype=uint64) must be 1 integers from 0 to 2"),
    ],
)
def test_a_seat_or_game_that_does_not_exist_cannot_be_looked_at(table, games, seats, message):
    with pytest.raises(ValueError) as error:
        table.make("batch", num_games=3).observe(games, seats)
    assert str(error.value) == message.format(last=table.num_players - 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"num_games": 0}, "num_games 0 must be an integer from 1 to 2,147,483,647"),
        ({"num_games": True}, "num_games True must be an integer from 1 to 2,147,483,647"),
        ({"num_games": 10**30}, f"num_games {10**30} must be an integer from 1 to 2,147,483,647"),
        ({"num_games": 2.0}, "num_games 2.0 must be an integer from 1 to 2,147,483,647"),
        ({"threads": 0}, "threads 0 must be an integer from 1 to 1,024"),
        ({"threads": 100_000}, "threads 100000 must be an integer from 1 to 1,024"),
        ({"num_players": 7}, "num_players 7 must be an integer from 2 to 6"),
        ({"num_players": 1}, "num_players 1 must be an integer from 2 to 6"),
        ({"num_players": 4.0}, "num_players 4.0 must be an integer from 2 to 6"),
        ({"rules": 5}, "rules 5 must be a file, a dict of numbers, or None"),
        ({"rules": {"cards": 5}}, "cards '5': no such file"),
        (
            {"rules": {"flexible": {"attacking_radii": [[1]]}}},
            "flexible.attacking_radii [[1]] must be radii out of 1, 2, 3, 4",
        ),
        (
            {"rules": {"start_energy": {"4": 31}, "player": {"most_energy": 30}}},
            "start_energy.4 31: at most player.most_energy, 30, is allowed",
        ),
        (
            {"rules": {"player": {"start_cards": 3, "most_cards": 2}}},
            "player.start_cards 3: at most player.most_cards, 2, is allowed",
        ),
        ({"num_players": "4"}, "num_players '4' must be an integer from 2 to 6"),
        ({"reward": "fame"}, "reward 'fame' is unknown; allowed: rank, score, win, lead"),
        ({"seed": -1}, "seed -1 must be an integer from 0 to 2**64 - 1"),
        ({"seed": 2**64}, f"seed {2**64} must be an integer from 0 to 2**64 - 1"),
        ({"seed": 1.5}, "seed 1.5 must be an integer from 0 to 2**64 - 1"),
    ],
)
def test_a_value_that_is_not_allowed_is_named_with_what_is(arguments, message):
    with pytest.raises(ValueError) as error:
        timeline_v0.batch(**({"num_games": 1} | arguments))
    assert str(error.value) == message
