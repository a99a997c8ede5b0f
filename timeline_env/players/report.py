"""An evaluation as tables of text."""

from __future__ import annotations

from collections.abc import Sequence

from timeline_env.players.evaluation import Estimate, Evaluation, Row

HEADER = ("", "win rate, %", "mean rank", "mean points")


def title(evaluation: Evaluation) -> str:
    """What was played, in one line."""
    e = evaluation
    return (
        f"{e.player} against {', '.join(e.against)}: {e.num_players} players, {e.games:,} games from {e.deals:,} deals, "
        f"seed {e.seed}; chance {100 / e.num_players:.1f} %; in brackets 95 % intervals"
    )


def player_rows(evaluation: Evaluation) -> list[tuple[str, ...]]:
    """What the player achieved: in all seats, then in each; rows under `HEADER`."""
    seats = [cells(f"seat {seat}", row) for seat, row in enumerate(evaluation.by_seat)]
    return [cells("all seats", evaluation.overall), *seats]


def table_rows(evaluation: Evaluation) -> list[tuple[str, ...]]:
    """What each seat achieved, whoever sat in it; rows under `HEADER`."""
    return [cells(f"seat {seat}, anyone", row) for seat, row in enumerate(evaluation.table)]


def cells(name: str, row: Row) -> tuple[str, ...]:
    """A row of text."""
    return name, _text(row.win, 100, 1), _text(row.rank, 1, 2), _text(row.points, 1, 2)


def _text(value: Estimate, scale: float, digits: int) -> str:
    mean, low, high = (f"{scale * x:.{digits}f}" for x in (value.mean, value.low, value.high))
    return f"{mean} [{low}, {high}]"


def markdown(evaluations: Sequence[Evaluation]) -> str:
    """The same tables as Markdown."""
    return "\n".join(_markdown(evaluation) for evaluation in evaluations)


def _markdown(evaluation: Evaluation) -> str:
    lines = [HEADER, ("---", "---:", "---:", "---:"), *player_rows(evaluation), *table_rows(evaluation)]
    return f"**{title(evaluation)}**\n\n" + "".join("| " + " | ".join(line) + " |\n" for line in lines)
