"""What games say besides ratings, on games that can be counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tests.arena.simulated import written
from timeline_env.arena import statistics
from timeline_env.arena.alpha_rank import alpha_rank
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.ratings import resample
from timeline_env.extras import MissingExtra

TWO_SEATS = [((0, 1), (1, 2)), ((1, 0), (2, 1)), ((0, 1), (1.5, 1.5)), ((1, 0), (1, 2))]
"""Two deals, each in both seatings: player 0 wins twice, once from each seat, ties once in seat 0, loses once in seat 1."""


def played():
    return written([TWO_SEATS[0], TWO_SEATS[2], TWO_SEATS[1], TWO_SEATS[3]], 2, deals=2)


def means(matrix) -> list[list[float | None]]:
    return [[None if cell is None else cell.mean for cell in line] for line in matrix]


def test_ahead_counts_a_tie_as_half() -> None:
    samples = statistics.share_ahead(played())
    assert samples[:, 0, 1].tolist() == [1.0, 0.25] and samples[:, 1, 0].tolist() == [0.0, 0.75]
    assert np.isnan(samples[:, 0, 0]).all()
    assert means(statistics.cross_play(samples)) == [[None, 0.625], [0.375, None]]


def test_by_side_tells_the_seats_apart() -> None:
    # In seat 0, player 0 won and tied; player 1 lost and won.
    assert means(statistics.share_by_side(played())) == [[None, 0.75], [0.5, None]]


def test_standings_are_overall_and_by_seat() -> None:
    first, second = statistics.standings(played())
    assert first.overall.win.mean == 0.625 and second.overall.win.mean == 0.375
    assert [row.win.mean for row in first.by_seat] == [0.75, 0.5]
    assert [row.rank.mean for row in second.by_seat] == [1.5, 1.75]
    assert [row.points.mean for row in second.by_seat] == [-1.5, -1.75], "these points are minus the rank"


def test_a_table_of_three_compares_every_pair() -> None:
    game = ((2, 0, 1), (1, 2, 3))
    assert means(statistics.cross_play(statistics.share_ahead(written([game, game], 3)))) == [
        [None, 1, 0], [0, None, 0], [1, 1, None]
    ]  # fmt: skip


def test_against_copies_takes_only_tables_of_one_and_copies() -> None:
    games = [((0, 1, 1), (1, 2, 3)), ((0, 0, 1), (2, 3, 1)), ((0, 1, 2), (3, 2, 1))]
    both = [game for game in games for _ in range(2)]
    matrix = means(statistics.share_against_copies(written(both, 3, deals=2)))
    assert matrix[0][1] == 1.0 and matrix[1][0] == 1.0
    three = written([*both, *[((2, 0, 0), (2.5, 2.5, 1))] * 2], 3, deals=2)
    assert means(statistics.share_against_copies(three))[2][0] == 0.0


def test_wilson_is_used_for_shares() -> None:
    always = statistics.cross_play(statistics.share_ahead(written([((0, 1), (1, 2))] * 10, 2)))[0][1]
    assert (
        always is not None and (always.mean, always.high) == (1.0, 1.0) and round(always.low, 3) == 0.722
    )  # published


def test_the_length_of_games_is_of_those_a_player_sat_in() -> None:
    games = written([((0, 1), (1, 2)), ((0, 2), (1, 2)), ((1, 2), (1, 2))] * 2, 3, deals=2)
    games.decisions[:] = [10, 20, 30] * 2
    first, second, third = (length.mean.mean for length in statistics.lengths(games))
    assert (first, second, third) == (15, 20, 25)
    games = written([((0, 1), (1, 2))] * 101, 2)
    games.decisions[:] = np.arange(101)
    assert statistics.length(games, np.ones(101, np.bool_)).quantiles == [5, 25, 50, 75, 95]


def shares(beats: list[tuple[int, int]], players: int):
    """A matrix in which these beat those surely, and all else is even."""
    sure, even = Estimate(0.9, 0.8, 0.95), Estimate(0.5, 0.4, 0.6)
    lost = Estimate(0.1, 0.05, 0.2)
    return [
        [None if a == b else sure if (a, b) in beats else lost if (b, a) in beats else even for b in range(players)]
        for a in range(players)
    ]


def test_cycles_are_found_and_orders_have_none() -> None:
    assert statistics.cycles(shares([(0, 1), (1, 2), (0, 2)], 3)) == []
    assert statistics.cycles(shares([(2, 1), (1, 0), (0, 2)], 3)) == [(0, 2, 1)]
    assert statistics.cycles(shares([(0, 1), (1, 2), (2, 3), (3, 0)], 4)) == [(0, 1, 2, 3)]
    both = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3)]
    assert statistics.cycles(shares(both, 6)) == [(0, 1, 2), (3, 4, 5)]
    assert statistics.cycles(shares([(0, 1), (1, 2)], 3)) == [], "what is even closes no circle"
    likely, other = Estimate(0.55, 0.45, 0.65), Estimate(0.45, 0.35, 0.55)
    assert statistics.cycles([[None, likely, other], [other, None, likely], [likely, other, None]]) == [], (
        "nor what may be"
    )


def test_alpha_rank_shares_a_cycle_and_gives_all_to_who_beats_all() -> None:
    pytest.importorskip("pyspiel")
    circle = np.array([[[np.nan, 0.9, 0.1], [0.1, np.nan, 0.9], [0.9, 0.1, np.nan]]] * 5)
    assert [mass.mean for mass in alpha_rank(circle, resample(5, 3))] == pytest.approx([1 / 3] * 3, abs=1e-3)
    order = np.array([[[np.nan, 0.9, 0.9], [0.1, np.nan, 0.9], [0.1, 0.1, np.nan]]] * 5)
    best, *others = alpha_rank(order, resample(5, 3))
    assert best.mean > 0.9999 and all(mass.mean < 1e-4 for mass in others)
    many = np.where(np.eye(20, dtype=bool), np.nan, np.where(np.triu(np.ones((20, 20))), 0.6, 0.4))[None].repeat(
        5, axis=0
    )
    assert alpha_rank(many, resample(5, 3))[0].mean > 0.9999


def test_without_openspiel_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "open_spiel.python.egt.alpharank", None)
    with pytest.raises(MissingExtra, match=r"pip install '\.\[openspiel\]'"):
        alpha_rank(np.full((2, 2, 2), 0.5), resample(2, 1))


SCORES = np.array([[0.9, 0.2, 0.1], [0.8, 0.35, 0.05], [0.85, 0.1, 0.2], [0.95, 0.25, 0.12], [0.7, 0.3, 0.0]])
"""Of five runs in three tasks."""


def test_the_interquartile_mean_leaves_a_quarter_out_at_either_end() -> None:
    assert statistics.interquartile_mean(np.array([9.0, 1, 2, 3, 100])) == np.mean([2, 3, 9])
    assert statistics.interquartile_mean(np.array([[1.0, 2, 3, 4], [0, 0, 0, 9]])).tolist() == [2.5, 0]


def test_the_stratified_bootstrap_is_rliables() -> None:
    found = statistics.stratified_mean(SCORES)
    # rliable 1.2.0: aggregate_iqm, and get_interval_estimates with 50,000 samples.
    assert found.mean == pytest.approx(0.3355556)
    assert (found.low, found.high) == pytest.approx((0.2856, 0.3878), abs=0.004)
    assert statistics.stratified_mean(SCORES) == found
    with pytest.raises(ValueError, match="an interval needs at least 2 runs; there is 1"):
        statistics.stratified_mean(SCORES[:1])


@pytest.mark.parametrize("number", [float("nan"), float("inf"), "0.5", True])
def test_an_estimate_of_a_file_holds_finite_numbers(number: object) -> None:
    with pytest.raises(ValueError, match=r"^measured: mean, low and high must be finite numbers, not \{'mean': "):
        Estimate.read({"mean": number, "low": 0.0, "high": 1.0}, "measured")
