"""Data sets: make one, look at one, fit an agent to one."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from timeline_env import __version__, cli
from timeline_env.arena.datasets import making
from timeline_env.arena.datasets.card import player_row
from timeline_env.arena.datasets.reader import open_dataset
from timeline_env.arena.deals import DATA_SETS, SEEDS
from timeline_env.arena.tournament import describe_time
from timeline_env.commands import options
from timeline_env.extras import extra
from timeline_env.files import hold_place, new_folder, write_json
from timeline_env.players.agents.agent_files import AGENT_FILE
from timeline_env.players.registry import find_game

DATA = typer.Argument(help="a data set's or a tournament's folder, or its games.npz")
AT_ONCE = 4096
"""Decisions in each batch that ``dataset show`` reads."""


def make(
    names: Annotated[
        list[str],
        typer.Argument(help="players: names, module:Class, trained agents' paths, searches", metavar="PLAYERS"),
    ],
    out: Annotated[Path, typer.Option(help="the data set's folder; if it was begun there, it goes on")],
    game: options.GameName = None,
    players: options.Players = None,
    games: Annotated[int, typer.Option(help="how many, each from a deal of its own")] = 1000,
    seed: options.Seed = 0,
    rules: options.Rules = None,
    processes: options.Processes = options.CORES,
) -> None:
    """Play games between PLAYERS, drawn anew for every seat, and keep them as a data set, with a card.

    examples:
      timeline-env dataset make projector --players 2 --games 12000 --out runs/data/projector
      timeline-env dataset make random heuristic mcts:8 --game twilight_struggle --games 500 --out runs/data/mixed
    """
    chosen, players = find_game(names, game, players)
    wanted = making.plan(chosen, names, players, games, seed, rules, cli.command_line())
    with cli.progress("games", wanted.games) as advance:
        played = making.make(wanted, out, processes, advance)
    size = (out / making.GAMES_FILE).stat().st_size
    print(f"{len(played.decisions):,} games, {played.decisions.sum():,} decisions, {size:,} bytes: {out}")
    if took := describe_time(out):
        print(took)


def show(data: Annotated[Path, DATA]) -> None:
    """Read every decision of DATA back, which checks every game, and say what it holds and how fast it was read.

    The speed is in decisions per second of processor time: observation, mask, action, seat and return of each.

    example:
      timeline-env dataset show runs/data/projector
    """
    found = open_dataset(data)
    about, decisions = found.played.about, np.zeros(len(found.played.about.players), np.int64)
    with cli.progress("decisions", found.decisions) as advance:
        began = time.process_time()
        for rows in found.batches(AT_ONCE):
            decisions += np.bincount(rows.player, minlength=len(decisions))
            advance(len(rows))
        seconds = time.process_time() - began
    variant = f" with {about.rules}" if about.rules else ""
    cli.show_table(
        f"{about.game}{variant}, {len(about.seats)} players, version {about.rules_version} of the rules: "
        f"{len(found.games):,} games, {decisions.sum():,} decisions",
        ("", "seats", "decisions", "wins, %", "mean rank", "mean points"),
        [_shown(player_row(found.played, who), decisions[who]) for who in np.unique(found.played.seating)],
    )
    if about.command:
        print(cli.escape_controls(f"made by timeline-env {about.version}: {about.command}"))
    print(f"every game read and found right: {decisions.sum() / seconds:,.0f} decisions a second")


def _shown(row: dict[str, Any], decisions: int) -> tuple[str, ...]:
    """A player's row, as text."""
    means = f"{100 * row['win']:.1f}", f"{row['rank']:.2f}", f"{row['points']:.2f}"
    return row["name"], f"{row['seats']:,}", f"{decisions:,}", *means


def fit(
    data: Annotated[Path, DATA],
    out: Annotated[Path, typer.Option(help="a new folder for the agent")],
    beta: Annotated[
        float, typer.Option(min=0, help="0: cloning; above: decisions count by exp(beta × advantage)")
    ] = 0.0,
    passes: Annotated[int, typer.Option(min=1, help="over the data")] = 1,
    only: Annotated[list[str] | None, typer.Option(help="learn from the decisions of these players alone")] = None,
    winners: Annotated[bool, typer.Option("--winners", help="learn from the seats that came first alone")] = False,
    config: Annotated[
        Path | None,
        typer.Option(
            help="whose network and learning rates are taken: a configuration's name or file; else the game's quick one"
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, max=SEEDS - 1, help="of the first weights and the order of the games")
    ] = 0,
) -> None:
    """Fit an agent to the games of DATA, without playing: by cloning, or by imitation weighted by advantages (MARWIL).

    examples:
      timeline-env dataset fit runs/data/projector --out runs/clone
      timeline-env dataset fit runs/data/mixed --beta 1 --passes 2 --out runs/weighted
    """
    if out.exists():
        raise ValueError(f"--out {str(out)!r} exists; give another folder")
    if not math.isfinite(beta):
        raise ValueError(f"--beta {beta} must be a finite number, 0 or more")
    found = open_dataset(data).select(only, winners=winners)
    with extra("train"):
        from training import cloning
    wanted = cloning.fit_config(found, config, seed)
    out.parent.mkdir(parents=True, exist_ok=True)
    held = hold_place(out, f"--out {str(out)!r} is being filled by another process")
    with held, new_folder(out) as folder:  # before the work, so that a place that cannot be written is told at once
        with cli.progress("decisions", round(found.decisions * passes * cloning.LEARNED)) as advance:
            fitted = cloning.fit(found, wanted, beta, passes, advance)
        fitted.agent.save(folder / AGENT_FILE)
        told = {key: value for key, value in vars(fitted).items() if key != "agent"}
        asked = {"data": str(data), "beta": beta, "passes": passes, "only": only, "winners": winners, "seed": seed}
        versions = {"version": __version__, "command": cli.command_line()}
        write_json(folder / "fit.json", asked | told | versions | {"network": wanted.network.model_dump()})
    print(
        f"learned from {fitted.decisions:,} decisions; plays what was played in {100 * fitted.agreement:.1f} % of "
        f"those of other games, which it gives a mean log probability of {-fitted.cross_entropy:.3f}: {out}"
    )
    if (dealt := found.played.about.seed) < DATA_SETS:  # a tournament's games
        print(f"note: learned from the deals of --seed {dealt}: measure with another seed")
