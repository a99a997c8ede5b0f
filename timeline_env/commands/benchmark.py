"""The benchmark suite: a function for each of its commands."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import asdict
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from timeline_env import cli, configs
from timeline_env.arena import page, tables
from timeline_env.arena.estimates import FEWEST_DEALS
from timeline_env.arena.figures import figures, png
from timeline_env.arena.strength import curves, draw_strength
from timeline_env.arena.summary import SAMPLES, Summary, summarize
from timeline_env.arena.tables import TextTable
from timeline_env.arena.tournament import Plan, run
from timeline_env.commands import options
from timeline_env.engine.variants import changes
from timeline_env.extras import extra, require
from timeline_env.files import write_bytes, write_text
from timeline_env.players import load_player
from timeline_env.players.registry import find_game

if TYPE_CHECKING:
    from timeline_env.arena.suite import Entry

PLAYING = "timeline-env benchmark playing"


def playing(
    out: Annotated[Path, typer.Option(help="where the games and the report go; if begun there, it goes on")] = Path(
        "runs/benchmark"
    ),
    only: Annotated[str | None, typer.Option(help="one tournament of the suite, by the name of its file")] = None,
    player: Annotated[
        list[str] | None,
        typer.Option(
            help="your players, who sit down in every tournament: module:Class, process:COMMAND, a trained agent's path, …"
        ),
    ] = None,
    suite: Annotated[Path | None, typer.Option(help="a folder of files like the suite's; else the suite")] = None,
    processes: options.Processes = options.CORES,
) -> None:
    """Play every tournament of the suite, or what is left of it, and write one report of all.

    examples:
      timeline-env benchmark playing --only timeline_2 --out runs/benchmark
      timeline-env benchmark playing --only timeline_4 --player mine:Player runs/three --out runs/mine
    """
    require("matplotlib", "eval")  # before the games, not after them
    with extra("eval"):
        from timeline_env.arena.suite import VERSION, choose, load_suite

    entries = choose(load_suite(suite or configs.FOLDER / "benchmark" / "playing"), only)
    plans = {name: entry.plan(player or ()) for name, entry in entries.items()}
    parts, rows = [], []
    for name, wanted in plans.items():
        summary = play(name, wanted, out / name, processes)
        parts += chapter(name, entries[name], wanted, summary, out / name)
        rows += ["", f"### {entries[name].title}", tables.caption(summary) + ".", "", *markdown(summary)]
    title = f"Benchmark suite, version {VERSION}"
    write_text(out / "report.html", page.document(title, [f"<h1>{title}</h1>", *contents(entries), *parts]))
    write_text(out / "tables.md", "\n".join(rows[1:]) + "\n")
    print(f"report: {out}/report.html; its tables in Markdown: {out}/tables.md")


def play(name: str, wanted: Plan, folder: Path, processes: int) -> Summary:
    """Play one tournament into its folder."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with cli.progress(f"{name}: games", wanted.games) as advance:
        played = run(wanted, folder, processes, advance)
    with cli.progress(f"{name}: bootstrap samples", SAMPLES) as advance:
        return summarize(played, advance)


def chapter(name: str, entry: Entry, wanted: Plan, summary: Summary, folder: Path) -> list[str]:
    """Write a tournament's numbers and pictures; gives its part of the page."""
    drawn, found = figures(summary), curves(summary)
    if found:
        drawn["strength"] = png(draw_strength(summary, found))
    for picture, content in drawn.items():
        write_bytes(folder / f"{picture}.png", content)
    cli.to_json(folder / "summary.json", summary.as_dict())
    strength = [page.section("Strength over simulations", STRENGTH, page.picture(drawn, "strength"))] if found else []
    command = f"{PLAYING} --only {name}"
    return [
        f'<h1 id="{name}">{escape(entry.title)}</h1>',
        *page.body(summary, wanted.descriptions(), drawn, command),
        *strength,
    ]


def contents(entries: dict[str, Entry]) -> list[str]:
    """Where what is on the page."""
    lines = [f'<li><a href="#{name}">{escape(entry.title)}</a></li>' for name, entry in entries.items()]
    return [f"<p>{escape(INTRODUCTION)}</p><ul>", *lines, "</ul>"]


def markdown(summary: Summary) -> list[str]:
    """The standings, line by line."""
    content: TextTable = tables.standings(summary)
    rule = "|---|" + "---:|" * (len(content.header) - 1)
    rows = [f"| `{row[0]}` | " + " | ".join(row[1:]) + " |" for row in content.rows]
    return ["| " + " | ".join(content.header) + " |", rule, *rows]


INTRODUCTION = (
    "Each tournament is fixed by a file of the suite: the game, the number of seats, the deals, the players and their budgets. "
    "docs/benchmark.md says how a row is added."
)
STRENGTH = "The ratings above over the simulations that the search may spend on a decision; dashed, the players that do not search or have one budget."


def learning(
    out: Annotated[Path, typer.Option(help="where runs, games and tables go; if begun there, it goes on")] = Path(
        "runs/learning"
    ),
    only: Annotated[
        str | None, typer.Option(help="one entry, by the name of its file; else those of the fewest decisions")
    ] = None,
    config: Annotated[
        str | None, typer.Option(help="train by your configuration, a name or a file, in the place of the entry's")
    ] = None,
    agents: Annotated[
        list[str] | None,
        typer.Option(
            help="agents that you have trained, one of each seed: run folders or files; then nothing is trained"
        ),
    ] = None,
    track: Annotated[Path | None, typer.Option(help="a folder of files like the track's; else the track")] = None,
    processes: options.Processes = options.CORES,
) -> None:
    """Train agents of several seeds with a fixed number of decisions, and measure them by others and by each other.

    examples:
      timeline-env benchmark learning --only timeline_2_1m --out runs/learning
      timeline-env benchmark learning --only timeline_2_1m --config mine.yaml --out runs/mine
      timeline-env benchmark learning --only timeline_2_1m --agents runs/a runs/b runs/c runs/d runs/e --out runs/mine
    """
    with extra("train"):
        from training.tracks import learning as track_of
        from training.tracks.entries import LearningEntry, choose, load_entries, with_config

    if agents and (config or only is None):
        raise ValueError("--agents: name their entry with --only; and they are trained already, so leave --config out")
    entries = choose(load_entries(track or configs.FOLDER / "benchmark" / "learning", LearningEntry), only)
    entries = with_config(entries, config)
    found = {}
    for name, entry in entries.items():
        found[name] = track_of.learn(entry, out / name, agents or (), sys.argv, processes)
        write_tables(
            out,
            {name: each.as_dict() for name, each in found.items()},
            [track_of.markdown(*each) for each in found.items()],
        )


def write_tables(out: Path, numbers: dict[str, Any], texts: Iterable[list[str]]) -> None:
    """Write what a track found so far: its numbers, and its tables in Markdown."""
    cli.to_json(out / "tables.json", numbers)
    write_text(out / "tables.md", "\n\n".join("\n".join(lines) for lines in texts) + "\n")
    print(f"tables in Markdown: {out}/tables.md; their numbers: {out}/tables.json")


def responses(
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER...",
            help="baselines, module:Class or trained agents' paths; each is frozen and meets a challenger of its own",
        ),
    ],
    out: Annotated[
        Path, typer.Option(help="where the challengers and the table go; if begun there, it goes on")
    ] = Path("runs/responses"),
    game: options.GameName = None,
    seats: Annotated[int | None, typer.Option(help="of each game; else a trained agent's, else as is usual")] = None,
    decisions: Annotated[
        int, typer.Option(min=1, help="from which each challenger learns, in whole updates")
    ] = 10_000_000,
    games: Annotated[
        int, typer.Option(help="final games of each, rounded up to whole deals, each played once for every seat")
    ] = 4000,
    config: Annotated[
        Path | None,
        typer.Option(help="how the challengers are trained: a configuration's name or file; else the game's quick one"),
    ] = None,
    rules: options.Rules = None,
    seed: Annotated[
        int, typer.Option(min=0, max=2**32 - 1, help="of the training; the final deals follow from it")
    ] = 0,
    processes: options.Processes = options.CORES,
) -> None:
    """Train a best response to each of several players with a fixed number of decisions, and say how far each gets.

    examples:
      timeline-env benchmark responses random greedy projector shipped --seats 2 --out runs/responses
      timeline-env benchmark responses heuristic shipped --game twilight_struggle --out runs/responses_ts
    """
    played, count = find_game(players, game, seats)
    count = played.usual_players if count is None else count
    if games < FEWEST_DEALS * count:
        raise ValueError(f"--games {games} must be at least {FEWEST_DEALS * count}: {FEWEST_DEALS} deals, every seat")
    for name in players:
        load_player(name, played, seed, count, rules)
    with extra("train"):
        from training.best_response import challenger_config
        from training.tracks import responses as track_of
    changed = changes(rules) or None
    wanted = [
        (name, challenger_config(name, played, None, decisions, config, num_players=count, rules=changed, seed=seed))
        for name in players
    ]
    found = track_of.respond_to_all(wanted, out, games, sys.argv, processes)
    lines = track_of.markdown(wanted[0][1], found, games)
    write_tables(out, {row.player: asdict(row) for row in found}, [lines])


def generalisation(
    out: Annotated[Path, typer.Option(help="where runs, games and tables go; if begun there, it goes on")] = Path(
        "runs/generalisation"
    ),
    only: Annotated[str | None, typer.Option(help="one entry, by the name of its file; else all")] = None,
    config: Annotated[
        str | None, typer.Option(help="train by your configuration, a name or a file, in the place of the entries'")
    ] = None,
    track: Annotated[Path | None, typer.Option(help="a folder of files like the track's; else the track")] = None,
    processes: options.Processes = options.CORES,
) -> None:
    """Train agents in one setting and play them in others: as they are, adapted, and beside agents trained there.

    examples:
      timeline-env benchmark generalisation --only timeline_players --out runs/generalisation
      timeline-env benchmark generalisation --only timeline_cards --config mine.yaml --out runs/mine
    """
    with extra("train"):
        from training.tracks import generalisation as track_of
        from training.tracks.entries import GeneralisationEntry, choose, load_entries, with_config

    entries = choose(load_entries(track or configs.FOLDER / "benchmark" / "generalisation", GeneralisationEntry), only)
    entries = with_config(entries, config)
    found = {}
    for name, entry in entries.items():
        found[name] = track_of.generalise(entry, out / name, sys.argv, processes)
        write_tables(
            out,
            {name: each.as_dict() for name, each in found.items()},
            [track_of.markdown(*each) for each in found.items()],
        )
