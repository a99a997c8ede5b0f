"""Compare the engine with a second reading of Timeline's rules: ``python tools/second_reading.py --games G --players P``."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import typer

from timeline_env import cli

with cli.require_extra("test"):
    from tests.timeline.side_by_side import SideBySide, evenly, rarely

TASTES = (evenly, rarely)
"""How moves are chosen, in turn: game 0 evenly, game 1 with a taste for rare moves."""


def main(
    players: Annotated[
        list[int] | None,
        typer.Option(
            help="seats of each game; several numbers may follow; two to six, one after the other, if left out"
        ),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="games of each number of players")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="the first game's; every game has the next one")] = 0,
) -> None:
    """Play games with the engine and the tests' referee side by side; at every decision moves and table must be the same."""
    for number in players or range(2, 7):
        table = SideBySide(number)
        seen: Counter[tuple[str, str]] = Counter()
        with cli.progress(f"games of {number} players", games) as advance:
            for game in range(seed, seed + games):
                seen += compare(table, number, game)
                advance(1)
        print(line(number, games, seen), flush=True)


def compare(table: SideBySide, players: int, seed: int) -> Counter[tuple[str, str]]:
    """What was offered and played in the game; where engine and referee disagree, say so and exit with code 1."""
    choose = TASTES[seed % len(TASTES)](np.random.default_rng([players, seed]))
    try:
        return table.play(seed, choose)
    except AssertionError as difference:
        print(f"{players} players, seed {seed}: {difference}")
        sys.exit(1)


def line(players: int, games: int, seen: Counter[tuple[str, str]]) -> str:
    """Games, decisions, and how often each kind of move was played."""
    played = {kind: times for (what, kind), times in seen.most_common() if what == "played"}
    kinds = ", ".join(f"{kind} {times}" for kind, times in played.items())
    return (
        f"{players} players: {games} games, {sum(played.values())} decisions compared, no difference; played: {kinds}"
    )


if __name__ == "__main__":
    cli.run(main)
