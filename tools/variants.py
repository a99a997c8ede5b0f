"""How variants of Timeline's rules are played: ``python tools/variants.py configs/variants/completion.toml --player mcts:200``."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import typer

from timeline_env import cli
from timeline_env.commands.options import CORES, Processes
from timeline_env.engine.variants import read_numbers
from tools.mechanics_jobs import Plan, run
from tools.mechanics_page import brief_line


def main(
    variants: Annotated[
        Path, typer.Argument(help="a TOML file: a table for each variant, with the numbers that differ")
    ],
    player: Annotated[str, typer.Option(help="who plays every seat: the judge")] = "mcts:200",
    players: Annotated[int, typer.Option(help="seats of each game")] = 4,
    games: Annotated[int, typer.Option(help="games of each variant")] = 60,
    seed: Annotated[int, typer.Option(help="every variant has the deals of this seed")] = 0,
    out: Annotated[Path, typer.Option(help="the games' folder; what is there is not played again")] = Path(
        "runs/variants"
    ),
    processes: Processes = CORES,
) -> None:
    """Play each variant and print what happens in it, a line each."""
    plans = {name: Plan((player,), (players,), games, (), 0, seed, rules) for name, rules in tables(variants).items()}
    for name, plan in plans.items():
        try:
            plan.check()
        except ValueError as error:
            raise ValueError(f"{variants}, variant {name!r}: {error}") from None
    with cli.progress("games", games * len(plans)) as advance:
        for name, plan in plans.items():
            found = run(plan, out / re.sub(r"\W+", "_", name), processes, advance)
            print(f"{name}: {brief_line(found['results'][str(players)][player]['measures'])}", flush=True)


def tables(file: Path) -> dict[str, dict[str, Any]]:
    """The variants by name. Raises ValueError if the file holds anything other than tables."""
    found = read_numbers(file)
    for name, rules in found.items():
        if not isinstance(rules, dict):
            raise ValueError(
                f"{file}: {name} {rules!r} must be a table, such as [{name}], with the numbers that differ"
            )
    return found


if __name__ == "__main__":
    cli.run(main)
