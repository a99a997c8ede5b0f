"""An evaluation as tables of text."""

from __future__ import annotations

from collections.abc import Sequence

from timeline_env.arena.estimates import Row
from timeline_env.arena.evaluation import Evaluation
from timeline_env.arena.markdown import markdown_table

HEADER = ("", "win rate, %", "mean rank", "mean points")


def title(evaluation: Evaluation) -> str:
    """What was played, in one line."""
    e = evaluation
    variant = f" with {e.rules}" if e.rules else ""
    return (
        f"{e.player} against {', '.join(e.against)}: {e.game}{variant}, {e.num_players} players, {e.games:,} games from "
        f"{e.deals:,} deals, seed {e.seed}; chance {100 / e.num_players:.1f} %; in brackets 95 % intervals"
    )


def player_rows(evaluation: Evaluation) -> list[tuple[str, ...]]:
    """What the player achieved: in all seats, then in each; rows under `HEADER`."""
    seats = [cells(name, row) for name, row in zip(seat_names(evaluation), evaluation.by_seat, strict=True)]
    return [cells("all seats", evaluation.overall), *seats]


def table_rows(evaluation: Evaluation) -> list[tuple[str, ...]]:
    """What each seat achieved, for all players who sat in it; rows under `HEADER`."""
    names = seat_names(evaluation)
    return [cells(f"{name}, anyone", row) for name, row in zip(names, evaluation.table, strict=True)]


def seat_names(evaluation: Evaluation) -> list[str]:
    """``seat 0, yellow`` and so on."""
    return [f"seat {seat}, {name}" for seat, name in enumerate(evaluation.seats)]


def cells(name: str, row: Row) -> tuple[str, ...]:
    """A row of text."""
    return name, row.win.text(100), row.rank.text(digits=2), row.points.text(digits=2)


def markdown(evaluations: Sequence[Evaluation]) -> str:
    """The tables of these evaluations as Markdown."""
    return "\n".join(_markdown(evaluation) for evaluation in evaluations)


def _markdown(evaluation: Evaluation) -> str:
    lines = markdown_table(HEADER, [*player_rows(evaluation), *table_rows(evaluation)])
    return "\n".join([f"**{title(evaluation)}**", "", *lines, ""])
