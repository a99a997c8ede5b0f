"""Entrants against a population: who meets whom, and what is said of each entrant."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from timeline_env.arena.estimates import mean_between
from timeline_env.arena.page import alpha
from timeline_env.arena.played import Played
from timeline_env.arena.population import PopulationPlan, against, against_table, plan_against, returns
from timeline_env.arena.schedule import tables_against
from timeline_env.arena.summary import summarize
from timeline_env.arena.tables import standings, verdict
from timeline_env.arena.tournament import run
from timeline_env.engine.setting import Setting
from timeline_env.timeline import GAME


def played_by(plan: PopulationPlan, best: str) -> Played:
    """Games in which `best` always wins and the others share what is left."""
    schedule = [plan.schedule(number) for number in range(plan.parts)]
    seating = np.concatenate([seating for _, seating, _ in schedule])
    deal = np.concatenate([deal for _, _, deal in schedule]).astype(np.int32)
    table = np.repeat([index for index, _, _ in schedule], [len(deals) for _, _, deals in schedule]).astype(np.int32)
    first = seating == plan.players.index(best)
    many = first.sum(axis=1, keepdims=True)
    rank = np.where(first, (many + 1) / 2, (many + 1 + plan.seats) / 2)
    rank = rank.astype(np.float32)
    return Played(plan.about, table, deal, seating, rank, rank, deal + 1, np.zeros((deal + 1).sum(), np.uint8))


@pytest.mark.parametrize(
    ("seats", "tables"), [(2, [(0, 1), (0, 2), (1, 2)]), (4, [(0, 0, 0, 2), (0, 1, 1, 1), (1, 1, 1, 2)])]
)
def test_entrants_sit_alone_among_copies_of_each_of_the_population(seats: int, tables: list[tuple[int, ...]]) -> None:
    assert tables_against([0, 2], [0, 1], seats) == tables  # 0 meets 1, 2 meets both


@pytest.mark.parametrize("seats", [2, 4])
def test_who_always_wins_has_the_return_one_and_the_best_is_the_worst_opponent_of_all(seats: int) -> None:
    plan = plan_against(Setting(GAME, seats), ["greedy", "random"], ["random", "projector"], 20 * seats, 0, 3)
    found = against(plan, played_by(plan, "projector"))
    assert [row.worst for row in found] == ["projector", "projector"]
    assert [row.members["projector"].mean for row in found] == [-1, -1]
    won = against(plan, played_by(plan, "greedy"))
    assert won[0].entrant == "greedy" and won[0].overall.mean == 1 and won[0].overall.low < 1
    assert sorted(won[0].members) == ["projector", "random"]
    assert list(next(row for row in won if row.entrant == "random").members) == ["projector"]


def test_the_mean_over_the_population_counts_each_of_it_alike_and_a_deal_once() -> None:
    plan = plan_against(Setting(GAME, 2), ["greedy"], ["random", "projector"], 20, 0, 3)
    played = played_by(plan, "projector")
    assert returns(plan, played, "greedy", "random").tolist() == [0] * 10
    assert returns(plan, played, "greedy", "projector").tolist() == [-1] * 10
    assert against(plan, played)[0].overall == mean_between(np.full(10, -0.5), -1, 1)
    (row,) = against_table(against(plan, played), "title").rows
    assert (
        row[0] == "greedy"
        and row[1].startswith("-0.500 [-0.")
        and row[2] == "projector"
        and row[3].startswith("-1.000")
    )


def test_what_is_said_of_all_players_leaves_out_pairs_that_never_met(tmp_path: Path) -> None:
    plan = plan_against(Setting(GAME, 2), ["greedy"], ["random", "projector"], 6, 1, 3)
    summary = summarize(run(plan, tmp_path / "run", 1))
    assert not summary.complete and summary.alpha_rank is None
    assert "needs games of every pair" in alpha(summary)
    random, projector = (plan.players.index(name) for name in ("random", "projector"))
    assert summary.ahead[random][projector] is None and summary.by_side is not None
    assert summary.by_side[random][projector] is None
    assert len(standings(summary).rows) == 3 and "nan" not in " ".join(verdict(summary))


@pytest.mark.parametrize(
    ("entrants", "population", "message"),
    [
        ([], ["random", "greedy"], "players '' must be at least one, each named once"),
        (["random", "random"], ["random", "greedy"], "each named once"),
        (["random"], ["random"], "the population 'random' must be at least two, each named once"),
        (["nobody"], ["random", "greedy"], "player 'nobody' is unknown"),
    ],
)
def test_a_plan_that_is_not_allowed_is_refused(entrants: list[str], population: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plan_against(Setting(GAME, 2), entrants, population, 20, 0, 3)
