"""Ratings against answers that are known: closed forms, and the strengths that made the games."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from tests.arena.simulated import luce, shared, written
from timeline_env.arena.ratings import ELO, PRIOR_SD, _estimates, choices, fit, rankings, rate, rate_pairs, resample

FLAT = 1e4
"""A prior so wide that the estimate is the likelihood's own."""
WIN, LOSS, TIE = ((0, 1), (1, 2)), ((0, 1), (2, 1)), ((0, 1), (1.5, 1.5))


def gap(played, prior_sd: float = FLAT) -> float:
    """The rating of player 0 above player 1."""
    first, second = rate(played, resample(played.about.deals, 2), prior_sd).rating
    return first.mean - second.mean


def test_two_players_without_ties_are_the_logarithm_of_the_odds() -> None:
    # 30 wins to 10: odds of 3 to 1, which are 400 log10(3) = 190.8 points.
    assert gap(written([WIN] * 30 + [LOSS] * 10, 2)) == pytest.approx(190.85, abs=0.01)
    assert gap(written([((1, 0), (1, 2))] * 30 + [((0, 1), (1, 2))] * 10, 2)) == pytest.approx(-190.85, abs=0.01)


def test_two_players_with_ties_are_davidsons_closed_form() -> None:
    # Saturated: the strengths' odds are wins to losses, and t(2) is ties / sqrt(wins * losses).
    played = written([WIN] * 18 + [LOSS] * 8 + [TIE] * 6, 2)
    ratings = rate(played, resample(32, 2), FLAT)
    assert ratings.rating[0].mean - ratings.rating[1].mean == pytest.approx(ELO * log(18 / 8), abs=0.01)
    assert ratings.ties == {2: pytest.approx(6 / 12, abs=1e-4)}


def test_a_tie_counts_as_half_a_win_and_half_a_loss() -> None:
    assert gap(written([TIE] * 5, 2), PRIOR_SD) == pytest.approx(0)
    assert gap(written([WIN, TIE, TIE], 2), PRIOR_SD) == pytest.approx(-gap(written([LOSS, TIE, TIE], 2), PRIOR_SD))
    assert gap(written([WIN] * 3 + [TIE] * 10 + [LOSS], 2)) == pytest.approx(ELO * log(3), abs=0.01)


def test_three_players_solve_the_likelihoods_equations() -> None:
    # At the peak the expected number of times each was chosen is the number seen: checked with the model written out anew.
    rng = np.random.default_rng(3)
    places = rng.integers(1, 4, (200, 3))
    played = written([((0, 1, 2), tuple(row)) for row in shared(places)], 3)
    different, which = rankings(played)
    model = choices(different, 3)
    theta, _ = fit(model, np.bincount(which).astype(float), prior_sd=FLAT)
    strength, ties = np.exp(theta[:3]), dict(zip(model.sizes, [1.0, *np.exp(theta[3:])], strict=True))

    def weight(chosen: tuple[int, ...]) -> float:
        return ties[len(chosen)] * float(np.prod(strength[list(chosen)])) ** (1 / len(chosen))

    def value(scale: float) -> float:
        strength[0] *= exp(scale)
        total = 0.0
        for row in places:
            left = {0, 1, 2}
            while len(left) > 1:
                best = min(row[list(left)])
                chosen = tuple(who for who in left if row[who] == best)
                sets = [s for s in SETS if set(s) <= left]
                total += log(weight(chosen) / sum(weight(s) for s in sets))
                left -= set(chosen)
        strength[0] /= exp(scale)
        return total

    assert value(0) > max(value(0.05), value(-0.05))
    assert value(0.01) - value(-0.01) == pytest.approx(0, abs=1e-3)


SETS = [(0,), (1,), (2,), (0, 1), (0, 2), (1, 2), (0, 1, 2)]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_strengths_that_made_the_games_lie_in_the_intervals(seats: int) -> None:
    rng, inside, widths = np.random.default_rng(seats), [], []
    for _ in range(30):
        truth = rng.normal(0, 0.8, 5)
        truth -= truth.mean()
        found = rate(luce(truth, seats, 300, rng), resample(300, 100)).rating
        inside += [rating.low <= ELO * true <= rating.high for rating, true in zip(found, truth, strict=True)]
        widths += [rating.high - rating.low for rating in found]
    assert 0.90 <= np.mean(inside) <= 0.995
    assert np.mean(widths) < 200


def test_the_order_of_the_games_does_not_matter() -> None:
    played = luce([0.5, 0.0, -0.5], 3, 100, np.random.default_rng(0))
    games = [(tuple(s), tuple(r)) for s, r in zip(played.seating, played.rank, strict=True)]
    forth, back = (rate(written(order, 3), resample(100, 1)).rating for order in (games, games[::-1]))
    assert [r.mean for r in forth] == pytest.approx([r.mean for r in back], abs=1e-6)


def test_who_always_wins_has_a_finite_rating_and_an_honest_interval() -> None:
    first, last = rate(written([WIN] * 100, 2), resample(100, 50)).rating
    # The peak of 100 log(1 / (1 + exp(-d))) - d² / (4 · 3²), where the two are d apart: 100 / (1 + exp(d)) = d / 18.
    d = (first.mean - last.mean) / ELO
    assert 100 / (1 + exp(d)) == pytest.approx(d / (2 * PRIOR_SD**2), rel=1e-6)
    assert first.high - first.low > 200, "the bootstrap alone sees the same in every sample"
    assert gap(written([WIN] * 10, 2), PRIOR_SD) < gap(written([WIN] * 100, 2), PRIOR_SD)


def test_the_prior_hardly_moves_who_loses_now_and_then() -> None:
    played = written([WIN] * 300 + [LOSS] * 100, 2)
    assert abs(gap(played, PRIOR_SD) - gap(played)) < 1


def test_pairs_are_rated_like_games_of_two() -> None:
    beat = np.array([[0, 30, 5], [10, 0, 0], [15, 0, 0]])
    games = [((i, j), (1, 2)) for i in range(3) for j in range(3) for _ in range(beat[i, j])]
    rating = rate(written(games, 3), resample(len(games), 2)).rating
    assert rate_pairs(beat) == pytest.approx([r.mean - rating[0].mean for r in rating], abs=1e-6)


def test_pairs_give_the_strengths_that_made_their_results() -> None:
    true = np.array([0.0, 120, 300, -200])
    chance = 1 / (1 + 10 ** ((true[None, :] - true[:, None]) / 400))
    games = 10_000 * (1 - np.eye(4))
    games[0, 2] = games[2, 0] = 0  # these two never met
    assert rate_pairs(chance * games) == pytest.approx(true, abs=0.5)
    assert rate_pairs(np.zeros((3, 3))) == [0, 0, 0]


def test_copies_of_a_player_at_a_table_count_each_for_itself() -> None:
    # One among three equals wins a quarter of the games: the same strength.
    table = (0, 1, 1, 1)
    games = [(table, tuple(np.roll((1, 2, 3, 4), turn).tolist())) for turn in range(4)]
    assert gap(written(games * 5, 2)) == pytest.approx(0, abs=1e-6)
    # Twice as strong as each of three: first in 2 / (2 + 3) of the games.
    rng = np.random.default_rng(5)
    times = rng.exponential(size=(4000, 4)) / np.array([2, 1, 1, 1])
    assert (times.argmin(axis=1) == 0).mean() == pytest.approx(0.4, abs=0.02)
    rank = times.argsort(axis=1).argsort(axis=1) + 1.0
    assert gap(written([(table, tuple(row)) for row in rank], 2)) == pytest.approx(ELO * log(2), abs=12)


def test_the_bootstrap_draws_whole_deals() -> None:
    weights = resample(10, 500)
    assert (weights.sum(axis=1) == 10).all() and weights.mean() == 1 and 0.8 < weights.var() < 1.0
    # Four games of a deal that are all alike say no more than one: the interval is as wide as that of a quarter of the games.
    rng = np.random.default_rng(1)
    wins = [WIN if won else LOSS for won in rng.random(100) < 0.6]
    one = rate(written(wins, 2), resample(100, 400)).rating[0]
    four = rate(written(wins * 4, 2, deals=100), resample(100, 400)).rating[0]
    assert (four.high - four.low) == pytest.approx(one.high - one.low, rel=0.15)


def test_where_the_likelihood_is_sure_the_interval_is_that_of_the_bootstrap() -> None:
    spread = np.linspace(-1, 1, 41) / ELO  # 95 % of them lie within 0.95
    found = _estimates(np.zeros(2), np.zeros((2, 2)), np.stack([spread, -spread], axis=1))
    assert [(one.low, one.high) for one in found] == [pytest.approx((-0.95, 0.95))] * 2
