"""Entrants against a fixed population: who meets whom, and the two numbers reported for each entrant.

Every entrant sits alone among copies of each player of the population, and no other players meet. So a fixed number of games
says how good an entrant is, however many others entered, and its numbers do not depend on them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.estimates import Estimate, mean_between
from timeline_env.arena.evaluation import deals_for
from timeline_env.arena.played import Played
from timeline_env.arena.schedule import Table, table_against, tables_against
from timeline_env.arena.tables import TextTable, text
from timeline_env.arena.tournament import Plan, names_in
from timeline_env.engine.batch import seed_word
from timeline_env.engine.ranks import place_returns
from timeline_env.engine.setting import Setting


@dataclass(frozen=True)
class PopulationPlan(Plan):
    """A tournament of entrants against a population; `plan_against` makes one that is checked."""

    kind: ClassVar[str] = "tournament against a population"

    entrants: tuple[str, ...] = ()
    population: tuple[str, ...] = ()
    suite: int = 0
    """The version of the benchmark suite."""

    @cached_property
    def tables(self) -> list[Table]:
        """Each entrant alone among copies of each player of the population."""
        index = self.players.index
        return tables_against(map(index, self.entrants), [index(name) for name in self.population], self.seats)

    def as_dict(self) -> dict[str, Any]:
        chosen = {"entrants": list(self.entrants), "population": list(self.population), "suite": self.suite}
        return super().as_dict() | chosen


def plan_against(
    setting: Setting, entrants: Iterable[str], population: Iterable[str], games: int, seed: int, suite: int
) -> PopulationPlan:
    """Plan a tournament against a population.

    Args:
        setting: what is played.
        entrants: names of players, as `load_player` takes them; some of the population may be among them.
        population: likewise, at least two.
        games: how many each table plays; rounded up to whole deals, each played once for every seat.
        seed: the same seed gives the same deals and the same result.
        suite: the version of the benchmark suite.

    Raises:
        ValueError: a value is not allowed; the message names it and what is.
    """
    entering, met = names_in(entrants, 1), names_in(population, 2, "the population")
    deals = deals_for(games, setting.num_players)
    everyone = tuple(dict.fromkeys((*met, *entering)))
    wanted = PopulationPlan(setting, everyone, deals, int(seed_word(seed)), entering, met, suite)
    wanted.check_players(2)
    return wanted


@dataclass(frozen=True)
class Against:
    """What an entrant achieved against a population; a return is 1 for the first place, evenly spaced down to -1 for the last.

    Attributes:
        entrant: its name.
        overall: the mean return, each player of the population counting alike.
        members: the return against each of them, by name; without the entrant itself.
        worst: the name of the one against whom the return is lowest.
    """

    entrant: str
    overall: Estimate
    members: dict[str, Estimate]
    worst: str

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers and dicts, for JSON."""
        return asdict(self)


def against(plan: PopulationPlan, played: Played) -> list[Against]:
    """Every entrant against the population, the best first. A deal's mean over its games is one sample; intervals are 95 %."""
    found = [entrant_against(plan, played, name) for name in plan.entrants]
    return sorted(found, key=lambda one: -one.overall.mean)


def entrant_against(plan: PopulationPlan, played: Played, entrant: str) -> Against:
    """One entrant against the population."""
    met = [name for name in plan.population if name != entrant]
    samples = np.stack([returns(plan, played, entrant, name) for name in met], axis=1)
    members = {name: mean_between(samples[:, column], -1, 1) for column, name in enumerate(met)}
    return Against(
        entrant, mean_between(samples.mean(axis=1), -1, 1), members, min(met, key=lambda name: members[name].mean)
    )


def returns(plan: PopulationPlan, played: Played, entrant: str, other: str) -> NDArray[np.float64]:
    """An entrant's mean return alone among copies of another player, for each deal; float64 [deals], -1 to 1."""
    one, copy = plan.players.index(entrant), plan.players.index(other)
    number = plan.tables.index(table_against(one, copy, plan.seats))
    game, seat = np.nonzero((played.table == number)[:, None] & (played.seating == one))
    worth = place_returns(played.rank[game, seat], plan.seats)
    return np.bincount(played.deal[game], worth, plan.deals) / plan.seats


def against_table(found: list[Against], title: str) -> TextTable:
    """A row for each entrant: its return against the population, its worst opponent, and its return against that one."""
    header = ("player", "return", "worst opponent", "return against it")
    rows = [
        (row.entrant, text(row.overall, 1, 3), row.worst, text(row.members[row.worst], 1, 3)) for row in found
    ]  # fmt: skip
    return TextTable(title, header, rows)
