"""Checks an entry to the suite: what was played is what the suite asks for, every game is legal, and a sample played again is the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from timeline_env.arena.datasets.reader import open_dataset
from timeline_env.arena.played import Played
from timeline_env.arena.population import Against, PopulationPlan, against
from timeline_env.arena.processes import run_parallel
from timeline_env.arena.tables import text
from timeline_env.arena.tournament import GAMES_FILE, check_plan, part_file, play_part, read_games
from timeline_env.failures import PlayerFailed
from timeline_env.reading import quote, read_json, table_of

DECISIONS = 2**16
"""Decisions of the games that are replayed at a time."""


@dataclass(frozen=True)
class Check:
    """What the check of a tournament found.

    Attributes:
        games: how many games were replayed.
        again: how many games were played again.
        parts: how many parts of the entrants' tables were among those played again.
        theirs: how many parts of the entrants' tables can be repeated.
        timed: how many games depend on the machine, and cannot be played again to the same bytes.
        against: what the games say of the entrants, the best first.
        reason: what is wrong; empty if nothing is.
    """

    games: int = 0
    again: int = 0
    parts: int = field(default=0, compare=False)
    theirs: int = field(default=0, compare=False)
    timed: int = 0
    against: tuple[Against, ...] = field(default=(), compare=False)
    reason: str = ""


def check(
    plan: PopulationPlan,
    is_timed: Callable[[str], bool],
    folder: Path,
    entrants: Sequence[str],
    sample: int,
    seed: int,
    processes: int,
    progress: Callable[[int], None] = lambda finished: None,
) -> Check:
    """Check the folder of a tournament.

    Args:
        plan: what the suite asks for.
        is_timed: which players' games depend on the machine.
        folder: what was handed in: plan.json, games.npz and summary.json; none of them is changed.
        entrants: those who hand it in.
        sample: how many parts of their tables are played again, or all if there are fewer; and as many of the others' tables.
        seed: draws which parts.
        processes: how many play at once.
        progress: called with the number of games that were played again since the last call.
    """
    found = Check()
    try:
        plan = plan.as_begun(folder)
        check_plan(plan.kind, plan.as_dict(), folder)
        played = read_games(plan, folder)
        check_rules(plan, played)
        check_schedule(plan, played)
        for _ in open_dataset(folder).batches(DECISIONS):
            pass  # reading replays the games block by block, and refuses what is not legal
        found = replace(found, games=plan.games)
        theirs, others = repeatable(plan, is_timed, entrants)
        found = replace(found, timed=plan.games - sum(map(plan.size, theirs + others)), theirs=len(theirs))
        found = replace(found, against=tuple(against(plan, played)))
        check_summary(found.against, folder / "summary.json")
        rng = np.random.default_rng(seed)
        chosen = [number for numbers in (theirs, others) for number in rng.permutation(numbers)[:sample].tolist()]
        check_again(plan, played, chosen, processes, progress)
        return replace(found, again=sum(map(plan.size, chosen)), parts=min(sample, len(theirs)))
    except (ValueError, PlayerFailed) as error:
        return replace(found, reason=str(error))


def check_rules(plan: PopulationPlan, played: Played) -> None:
    """Raise ValueError if the games say that they were played by other rules: those would be used to play them again."""
    if played.about.rules != plan.about.rules:
        its, ours = (
            f"the changes {quote(rules)}" if rules else "the game as it is"
            for rules in (played.about.rules, plan.about.rules)
        )
        raise ValueError(f"{GAMES_FILE} holds games by other rules than the plan's: {its}, not {ours}")


def check_schedule(plan: PopulationPlan, played: Played) -> None:
    """Raise ValueError if the players at a table, their seats or the deals are not those of the plan."""
    index, seating, deal = zip(*(plan.schedule(number) for number in range(plan.parts)), strict=True)
    table = np.repeat(index, [len(deals) for deals in deal])
    same = (table == played.table) & (np.concatenate(deal) == played.deal)
    same &= (np.concatenate(seating) == played.seating).all(axis=1)
    if not same.all():
        raise ValueError(f"game {same.argmin()}: its table, its deal or its seating is not the plan's")


def check_summary(found: Sequence[Against], file: Path) -> None:
    """Raise ValueError if the numbers against the population that were handed in do not follow from the games."""
    told = table_of(read_json(file, file.name), file.name, "against")["against"]
    rows = told if isinstance(told, list) else []
    for one in found:
        if not any(is_close(row, one.as_dict()) for row in rows):
            raise ValueError(
                f"{file.name}: not what the games say of {one.entrant}, whose return is {text(one.overall, 1, 3)}"
            )
    if len(rows) != len(found):
        raise ValueError(f"{file.name}: it must have {len(found)} entrants, not {len(rows)}")


def is_close(told: Any, found: Any) -> bool:
    """Whether two JSON values are alike, but for the last digits of their numbers: another machine may add in another order."""
    if isinstance(found, dict):
        same_keys = isinstance(told, dict) and told.keys() == found.keys()
        return same_keys and all(is_close(told[key], value) for key, value in found.items())
    if isinstance(found, float):
        return isinstance(told, float | int) and math.isclose(told, found, abs_tol=1e-9)
    return bool(told == found)


def repeatable(
    plan: PopulationPlan, is_timed: Callable[[str], bool], entrants: Sequence[str]
) -> tuple[list[int], list[int]]:
    """The parts in which nobody thinks for a time: those in which one of the entrants sits, and the others."""
    who = {plan.players.index(name) for name in entrants}
    slow = {number for number, name in enumerate(plan.players) if is_timed(name)}
    table = [set(plan.tables[number // plan.parts_a_table]) for number in range(plan.parts)]
    free = [number for number in range(plan.parts) if not slow & table[number]]
    theirs = [number for number in free if who & table[number]]
    return theirs, [number for number in free if not who & table[number]]


def check_again(
    plan: PopulationPlan, played: Played, numbers: Sequence[int], processes: int, progress: Callable[[int], None]
) -> None:
    """Play parts again. Raises ValueError if a part has other bytes than were handed in."""
    first = np.cumsum([0, *(plan.size(number) for number in range(plan.parts))])
    with TemporaryDirectory() as name:
        folder = Path(name)
        run_parallel(play_part, [(plan, number, folder) for number in numbers], processes, progress)
        for number in numbers:
            claimed = folder / "claimed.npz"
            replace(played, about=plan.about).select(int(first[number]), int(first[number + 1])).save(claimed)
            if claimed.read_bytes() != part_file(folder, number).read_bytes():
                table = " ".join(plan.players[who] for who in plan.tables[number // plan.parts_a_table])
                deals = plan.deals_of(number)
                raise ValueError(
                    f"the table {table}, deals {deals[0]} to {deals[-1]}: played again, its games are others"
                )
