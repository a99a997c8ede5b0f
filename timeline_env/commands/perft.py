"""Count the lines of play from a position."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from timeline_env import cli
from timeline_env.commands.options import refuse_idle
from timeline_env.engine import perft as counts
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.games import DEFAULT, PACKAGES, game_named
from timeline_env.reading import quote


def perft(
    position: Annotated[str | None, typer.Argument(help="a position as one line; see docs/notation.md")] = None,
    seed: Annotated[int | None, typer.Option(help="begin after the deal of this seed")] = None,
    check: Annotated[
        list[Path] | None, typer.Option(help="compare with the counts in these files", metavar="FILE...")
    ] = None,
    game: Annotated[str, typer.Option(help=", ".join(PACKAGES))] = DEFAULT,
    players: Annotated[
        int | None, typer.Option(help="seats, with --seed; if left out, 4 (Timeline) or 2 (Twilight Struggle)")
    ] = None,
    depth: Annotated[int | None, typer.Option(max=1000, help="decisions; else 3")] = None,
) -> int:
    """Count the lines of play that lead on from a position, split by their first move.

    examples:
      timeline-env perft "4p y:0/energy=39/hand=7o 0:org/+" --depth 3
      timeline-env perft --seed 7 --players 3 --depth 4
      timeline-env perft --check tests/perft/*.perft
    """
    if [position is None, seed is None, check is None].count(False) != 1:
        raise ValueError("give one of POSITION, --seed N and --check FILE ...")
    if seed is None:
        refuse_idle("without --seed", {"--players": players})
    played = game_named(game)
    if check:
        refuse_idle("beside --check", {"--depth": depth})
        return check_counts(played, check)
    print_counts(played, position, seed, players, 3 if depth is None else depth)
    return 0


def print_counts(game: Game, position: str | None, seed: int | None, players: int | None, depth: int) -> None:
    """Print the lines by their first move, and the sum."""
    if position is None:
        rules, S = counts.deal_position(Setting(game, players), seed or 0)
    else:
        rules, S = counts.start_position(game, f"position {position}")
    began = time.perf_counter()
    with cli.progress("first moves", counts.first_moves(game, rules, S)) as advance:
        lines = counts.perft(game, rules, S, depth, advance)
    for move, number in lines.items():
        print(f"{move:<28}{number:>14,}")
    spent = time.perf_counter() - began
    print(f"{len(lines)} moves, {sum(lines.values()):,} lines of {depth} decisions, {spent:.2f} s")


def check_counts(game: Game, paths: list[Path]) -> int:
    """Print what differs from the files; gives 1 if anything does, else 0."""
    cases = []
    for path in paths:
        found = counts.read_cases(path)
        if not found:
            raise ValueError(f"perft file {quote(str(path))} holds no position")
        cases += found
    differences = []
    with cli.progress("positions", len(cases)) as advance:
        for case in cases:
            differences += counts.check(game, case)
            advance(1)
    print("\n".join([*differences, f"{len(cases)} positions checked, {len(differences)} counts differ"]))
    return 1 if differences else 0
