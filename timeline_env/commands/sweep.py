"""Search for hyperparameters."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from timeline_env import cli
from timeline_env.configs import find_config
from timeline_env.extras import extra, require

SHOWN = 10
"""Trials in the table at the end."""


def sweep(
    config: Annotated[Path, typer.Argument(help="a configuration's name or file, for all that is not tried")],
    overrides: Annotated[list[str] | None, typer.Argument(help="key=value changes a key for all trials")] = None,
    space: Annotated[
        Path,
        typer.Option(
            help="what is tried: a shipped file's name or a YAML file; for each key a list, or low, high and log"
        ),
    ] = Path("ppo"),
    trials: Annotated[int, typer.Option(min=1, help="trials in all, of every process that joins")] = 20,
    out: Annotated[Path, typer.Option(help="the sweep's folder")] = Path("sweeps/sweep"),
) -> None:
    """Train with settings that Optuna proposes and show which won most games in their evaluation.

    The same command, given again, joins the sweep: from another terminal at the same time, or after a kill.

    example:
      timeline-env sweep timeline_quick steps=300000 --space ppo --trials 20 --out sweeps/quick
    """
    require("optuna", "tune")
    with extra("train"):
        from training.sweep import Sweep, read_space

    found = Sweep.join(out, config, overrides or [], read_space(find_config(space, "spaces")))
    found.work(trials)
    found.check_success()
    rows = [
        (
            f"trial-{trial.number:04d}",
            f"{100 * (trial.value or 0):.1f}",
            *(str(trial.params[key]) for key in found.space),
        )
        for trial in found.best_trials()[:SHOWN]
    ]
    cli.show_table(f"{out}: the best trials", ("", "wins, %", *found.space), rows)
