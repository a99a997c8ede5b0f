"""Rate several players by games on the same deals."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from timeline_env import cli
from timeline_env.arena import tables
from timeline_env.arena.figures import figures
from timeline_env.arena.page import page
from timeline_env.arena.summary import SAMPLES, Summary, summarize
from timeline_env.arena.tournament import describe_time, plan, run
from timeline_env.commands import options
from timeline_env.extras import require
from timeline_env.files import write_bytes, write_json, write_text
from timeline_env.players.registry import find_game

WIDEST = 5
"""The most players whose matrix fits on a terminal; the page has larger ones."""


def tournament(
    names: Annotated[
        list[str],
        typer.Argument(
            help="at least two players: names, module:Class, process:COMMAND, trained agents' paths", metavar="PLAYERS"
        ),
    ],
    out: Annotated[Path, typer.Option(help="the tournament's folder; if it was begun there, it goes on")],
    game: options.GameName = None,
    players: options.Players = None,
    games: Annotated[
        int,
        typer.Option(help="games of each table, rounded up to whole deals, each played for every turn of the table"),
    ] = 1000,
    seed: options.Seed = 0,
    rules: options.Rules = None,
    processes: options.Processes = options.CORES,
) -> None:
    """Play every table of PLAYERS on the same deals in every seating, and report ratings, cross-play, seats and lengths.

    examples:
      timeline-env tournament random greedy projector --players 4 --games 200 --out runs/baselines
      timeline-env tournament heuristic flat:100 --game twilight_struggle --games 100 --out runs/search
    """
    require("matplotlib", "eval")  # before the games, not after them
    chosen, players = find_game(names, game, players)
    wanted = plan(chosen, names, players, games, seed, rules)
    with cli.progress("games", wanted.games) as advance:
        played = run(wanted, out, processes, advance)
    with cli.progress("bootstrap samples", SAMPLES) as advance:
        summary = summarize(played, advance)
    report(summary, wanted.descriptions(), out)
    for shown in (tables.standings(summary), *(tables.matrices(summary) if len(names) <= WIDEST else [])):
        cli.show_table(shown.title, shown.header, shown.rows)
    lines = [tables.caption(summary), describe_time(out), *tables.verdict(summary), f"report: {out}/report.html"]
    print("\n".join(filter(None, lines)))


def report(summary: Summary, players: dict[str, str], out: Path) -> None:
    """Write the page, its pictures and its numbers."""
    drawn = figures(summary)
    for name, content in drawn.items():
        write_bytes(out / f"{name}.png", content)
    write_json(out / "summary.json", summary.as_dict())
    write_text(out / "report.html", page(summary, players, drawn, cli.command_line()))
