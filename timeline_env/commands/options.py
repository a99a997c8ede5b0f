"""Options that several commands have."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated

import typer

from timeline_env.arena.deals import SEEDS
from timeline_env.games import DEFAULT, PACKAGES

GameName = Annotated[str | None, typer.Option(help=f"{', '.join(PACKAGES)}; else a trained agent's, else {DEFAULT}")]
Players = Annotated[
    int | None,
    typer.Option(
        help="seats of each game; if left out, those the trained agent was made for, else 4 (Timeline) or 2 (Twilight Struggle)"
    ),
]
Rules = Annotated[Path | None, typer.Option(help="a file of rules that differ (TOML)")]
Seed = Annotated[int, typer.Option(help="the same seed gives the same deals and the same result")]
TrainingSeed = Annotated[
    int, typer.Option(min=0, max=SEEDS - 1, help="of the training; the final deals follow from it")
]
ChallengerConfig = Annotated[
    Path | None,
    typer.Option(help="how a challenger is trained: a configuration's name or file; else the game's quick one"),
]
Processes = Annotated[
    int,
    typer.Option(
        min=1,
        max=1024,
        help="how many work side by side; the result does not depend on it, unless a player thinks for a time",
    ),
]
CORES = (
    len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
)  # macOS lacks the first
"""How many processes work, unless the user says otherwise: one for each processor that this process may use."""


def refuse_idle(where: str, given: Mapping[str, object], allowed: Iterable[str] = ()) -> None:
    """Raise ValueError if an option is given that means nothing `where` the command is used so; `allowed` are those that mean something."""
    for option, value in given.items():
        if value is not None and value is not False and value != []:
            others = f"; allowed there: {', '.join(sorted(allowed))}" if allowed else ""
            raise ValueError(f"{option} means nothing {where}{others}")
