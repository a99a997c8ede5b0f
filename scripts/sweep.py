"""Try many settings: ``python scripts/sweep.py configs/NAME.yaml --space configs/spaces/ppo.yaml --trials 20 --out sweeps/NAME``.

The same command, given again, joins the sweep: from another terminal at the same time, or after a kill.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli

with cli.extra("tune"):
    import optuna  # noqa: F401
with cli.extra("train"):
    import typer

    from training.sweep import Sweep, read_space

SHOWN = 10
"""Trials in the table at the end."""


def main(
    config: Annotated[Path, typer.Argument(help="a file of configs/, for all that is not tried")],
    overrides: Annotated[list[str] | None, typer.Argument(help="key=value changes a key for all trials")] = None,
    space: Annotated[Path, typer.Option(help="what is tried: for each key a list, or low, high and log")] = Path(
        "configs/spaces/ppo.yaml"
    ),
    trials: Annotated[int, typer.Option(min=1, help="trials in all, of every process that joins")] = 20,
    out: Annotated[Path, typer.Option(help="the sweep's folder")] = Path("sweeps/sweep"),
) -> None:
    """Train with settings that Optuna proposes and show which won most games in their evaluation."""
    sweep = Sweep.join(out, config, overrides or [], read_space(space))
    sweep.work(trials)
    rows = [
        (
            f"trial-{trial.number:04d}",
            f"{100 * (trial.value or 0):.1f}",
            *(str(trial.params[key]) for key in sweep.space),
        )
        for trial in sweep.best()[:SHOWN]
    ]
    cli.show_table(f"{out}: the best trials", ("", "wins, %", *sweep.space), rows)


if __name__ == "__main__":
    cli.run(main)
