"""Evaluation: who sits where, on which deals, and what the intervals mean."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.games import Table, each_game
from tests.players.thoughtless import LAST
from timeline_env.arena import evaluation, evaluation_text
from timeline_env.arena.estimates import mean, mean_between, share, wilson
from timeline_env.arena.evaluation import evaluate, rows, seat_in_turn
from timeline_env.arena.games import play_games
from timeline_env.engine.batch import game_seeds
from timeline_env.engine.ranks import win_shares
from timeline_env.timeline import GAME


@pytest.mark.parametrize("num_players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("others", [1, 2, 3])
def test_everybody_sits_everywhere_equally_often(num_players: int, others: int) -> None:
    seats = seat_in_turn(3 * others, num_players, others)
    assert seats.shape == (3 * others * num_players, num_players)
    for who in range(others + 1):
        times = (seats == who).sum(axis=0)
        assert (times == times[0]).all() and times[0] > 0
    assert ((seats == 0).sum(axis=1) == 1).all()


def test_the_games_of_a_deal_differ_only_by_a_turn_of_the_table() -> None:
    for deal in seat_in_turn(5, 4, 3).reshape(5, 4, 4):
        for seat, table in enumerate(deal):
            assert (np.roll(table, -seat) == deal[0]).all()


def test_the_games_of_a_deal_have_the_same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def noted(setting, players, seats, seeds, *rest):
        seen.append(seeds)
        return play_games(setting, players, seats, seeds, *rest)

    monkeypatch.setattr(evaluation, "play_games", noted)
    evaluate(GAME, "random", ["random"], games=12, num_players=4, seed=7)
    (seeds,) = seen
    assert (seeds.reshape(3, 4) == game_seeds(7, 3)[:, None]).all()


def test_shared_first_places_share_the_win() -> None:
    ranks = np.array([[1, 2, 3, 4], [1.5, 1.5, 3, 4], [2.5, 2.5, 2.5, 2.5]], np.float32)
    assert (win_shares(ranks) == [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.25] * 4]).all()


def test_rows_are_the_players_own_and_the_tables() -> None:
    # Two players, two deals: seat 0 always wins, by 3 points to 1.
    rank, points = np.tile(np.float32([[1, 2]]), (4, 1)), np.tile(np.float32([[3, 1]]), (4, 1))
    overall, by_seat, table = rows(points, rank)
    assert (overall.win.mean, overall.rank.mean, overall.points.mean) == (0.5, 1.5, 2.0)
    assert [row.win.mean for row in by_seat] == [1, 0] == [row.win.mean for row in table]
    assert [row.points.mean for row in table] == [3, 1]
    assert overall.points.low == overall.points.high == 2.0, "both deals gave the same: luck of the seat is no noise"


def test_intervals_hold_the_truth_about_95_times_in_100() -> None:
    rng = np.random.default_rng(0)
    chances = rng.beta(2, 2, size=(400, 200))  # each deal favours someone: its four games are alike
    deals = rng.binomial(4, chances) / 4
    for estimate, truth in ((share, 0.5), (mean, 0.5)):
        inside = [estimate(sample).low <= truth <= estimate(sample).high for sample in deals]
        assert 0.92 <= np.mean(inside) <= 0.98


def test_wilson_against_known_values() -> None:
    half = wilson(0.5, 100)  # published: 0.404 to 0.596
    assert (round(half.low, 3), round(half.high, 3)) == (0.404, 0.596)
    never = wilson(0.0, 10)  # 0 to 0.278
    assert (never.low, round(never.high, 3)) == (0.0, 0.278)
    assert share(np.ones(10)).low < 0.8 and share(np.ones(10)).high == 1.0
    for deals in (64, 88):  # the mean of 88 thirds is rounded
        same = share(np.full(deals, 1 / 3))
        assert same.high - same.low == pytest.approx(wilson(1 / 3, deals).high - wilson(1 / 3, deals).low)


def test_the_mean_rank_of_who_is_always_last_is_not_certain() -> None:
    last = mean_between(np.full(10, 4.0), 1, 4)  # by Wilson: within 0.278 of the way to the other end
    assert (last.mean, last.high, round((4 - last.low) / 3, 3)) == (4.0, 4.0, 0.278)
    rank, points = np.tile(np.float32([[1, 2]]), (20, 1)), np.zeros((20, 2), np.float32)
    overall, by_seat, _ = rows(points, rank)
    first, second = (row.rank for row in by_seat)
    assert (first.mean, first.low, round(first.high, 3)) == (1.0, 1.0, 1.278)
    assert (second.mean, round(second.low, 3), second.high) == (2.0, 1.722, 2.0)
    assert overall.rank.low < overall.rank.mean == 1.5 < overall.rank.high


def test_projector_beats_random_and_the_seed_repeats_it() -> None:
    first, again = (evaluate(GAME, "projector", ["random"], games=400, seed=1) for _ in range(2))
    assert first == again
    assert first.games == 400 and first.deals == 100
    assert first.overall.win.low > 0.5 and first.overall.rank.high < 1.7
    assert [row.win.low <= row.win.mean <= row.win.high for row in first.by_seat] == [True] * 4
    assert sum(row.win.mean for row in first.table) == pytest.approx(1)


def test_more_games_than_fit_at_once_are_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks: list[int] = []

    def noted(setting, players, seats, *rest):
        blocks.append(len(seats))
        return play_games(setting, players, seats, *rest)

    monkeypatch.setattr(evaluation, "play_games", noted)
    finished: list[int] = []
    # The last legal action draws nothing, so that the games do not depend on who was asked before.
    whole = evaluate(GAME, LAST, [LAST], games=120)
    monkeypatch.setattr(evaluation, "GAMES_AT_ONCE", 50)
    assert evaluate(GAME, LAST, [LAST], games=120, progress=finished.append) == whole
    assert blocks == [120, 50, 50, 20] and sum(finished) == 120


def test_all_others_sit_down_or_the_fewest_games_for_it_are_named() -> None:
    others = ["random"] * 5
    with pytest.raises(ValueError, match=r"^games 4: only 2 of the 5 players of against sit down; 10 are enough$"):
        evaluate(GAME, LAST, others, games=4, num_players=2)
    assert set(np.unique(seat_in_turn(5, 2, 5))) == set(range(6))
    assert evaluate(GAME, LAST, others, games=10, num_players=2).games == 10


@each_game
def test_every_baseline_plays_whole_games_of_its_game(table: Table) -> None:
    for name in table.game.baselines:
        result = evaluate(table.game, name, ["random"], games=4 * table.num_players)
        assert (result.game, result.num_players) == (table.game.name, table.num_players)
        assert len(result.by_seat) == table.num_players == len(result.seats)
        assert sum(row.win.mean for row in result.table) == pytest.approx(1)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"games": 7}, "games 7"),
        ({"games": 10**30}, "games 10+ must be at most 10000000$"),
        ({"games": True}, "games True"),
        ({"num_players": 1}, "num_players 1"),
        ({"against": []}, "against \\[\\] must be a sequence of at least one player"),
        ({"against": "random"}, "against 'random' must be a sequence of at least one player"),
        ({"against": None}, "against None must be a sequence of at least one player"),
        ({"against": {"random", "greedy"}}, "must be a sequence of at least one player"),
        ({"player": "nobody"}, "player 'nobody' is unknown"),
        ({"seed": -1}, "seed -1"),
    ],
)
def test_bad_settings_are_named(settings: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        evaluate(GAME, **{"player": "random", "against": ["random"], "games": 8, **settings})


def test_numpys_integers_are_integers() -> None:
    found = evaluate(GAME, "random", ("random",), np.int64(4), 2, np.int64(4))
    assert json.loads(json.dumps(found.as_dict()))["seed"] == 4


def test_the_largest_seed_is_one() -> None:
    """The players have seeds of their own, one above the other."""
    assert len(evaluate(GAME, "random", ["mcts:1"], 4, 2, 2**64 - 1).seats) == 2


def test_the_tables_say_what_was_measured() -> None:
    result = evaluate(GAME, "random", ["random", "greedy"], games=18, num_players=3)
    text = evaluation_text.markdown([result])
    assert "random against random, greedy: timeline, 3 players, 18 games from 6 deals, seed 0; chance 33.3 %" in text
    assert text.count("| seat ") == 6 and text.count("| all seats ") == 1
    assert f"{100 * result.overall.win.mean:.1f} [" in text
