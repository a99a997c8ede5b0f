"""Which mechanics of Timeline matter: ``python tools/mechanics.py PLAYER … --players P --out DIR``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import typer

from timeline_env import cli
from timeline_env.commands.options import CORES, Processes, Rules, Seed
from timeline_env.engine.setting import Setting
from timeline_env.engine.variants import changes
from timeline_env.files import check_writable, write_json, write_text
from timeline_env.reading import quote, read_text
from timeline_env.timeline import GAME
from tools.mechanics_jobs import Plan, run
from tools.mechanics_measures import measure
from tools.mechanics_page import brief_line, insert_tables, page

USUAL = 4
"""The number of players of the rules page's table."""


def main(
    names: Annotated[
        list[str],
        typer.Argument(
            help="a baseline, mcts:200, shipped, module:Class or a trained agent's path", metavar="PLAYERS..."
        ),
    ],
    players: Annotated[
        list[int] | None, typer.Option(help="seats of each game; several numbers may follow; four if left out")
    ] = None,
    games: Annotated[int, typer.Option(help="games of each player in every seat, each with a deal of its own")] = 400,
    ablate: Annotated[
        list[int] | None,
        typer.Option(help="seats of the games without a mechanic; several numbers may follow; none if left out"),
    ] = None,
    ablation_games: Annotated[
        int,
        typer.Option(help="games without each mechanic, rounded up to whole deals, each played once for every seat"),
    ] = 1000,
    seed: Seed = 0,
    rules: Rules = None,
    out: Annotated[Path, typer.Option(help="the games' folder; a measurement that was begun there resumes")] = Path(
        "runs/mechanics"
    ),
    processes: Processes = CORES,
    quick: Annotated[
        bool, typer.Option("--quick", help="one line for each player, nothing kept and nothing ablated")
    ] = False,
    write: Annotated[Path | None, typer.Option(help="write the tables into this page, too")] = None,
) -> None:
    """Count what happens in games of each of the PLAYERS, and what each loses without a mechanic."""
    plan = Plan(
        tuple(names), tuple(players or [USUAL]), games, tuple(ablate or []), ablation_games, seed, changes(rules)
    )
    plan.check()
    if quick:
        for number in plan.numbers:
            for name in names:
                with cli.progress(f"games of {name}", games) as advance:
                    values = measure(name, Setting(GAME, number, plan.rules), games, seed, advance)
                print(f"{name}, {number} players, {games} games: {brief_line(values)}")
        return
    text = read_text(write, f"page {quote(str(write))}") if write else ""
    if write:
        insert_tables(text, "")
        check_writable("--write", write)
    with cli.progress("games", sum(job.games for job in plan.jobs())) as advance:
        found = run(plan, out, processes, advance)
    write_json(out / "mechanics.json", found)
    print(page(found), end="")
    if write:
        write_text(write, insert_tables(text, page(found)))


if __name__ == "__main__":
    cli.run(main)
