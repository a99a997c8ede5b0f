"""How fast the searches simulate: simulations per second of one core's time, in positions 60 random decisions old."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.engine.batch import Batch, whole
from timeline_env.engine.verbs import Game
from timeline_env.games import PACKAGES, game_named
from timeline_env.players import Decisions, Player, load_player

POSITIONS, AGE, SAMPLES = 16, 60, 5


def parser() -> cli.Parser:
    """The command line."""
    options = cli.Parser(description=__doc__)
    options.add_argument("--game", default="timeline", help=f"{', '.join(PACKAGES)} (default: %(default)s)")
    options.add_argument("--simulations", type=int, default=2000, metavar="N", help="a decision (default: %(default)s)")
    return options


def rates(game: Game, num_players: int, name: str, simulations: int) -> list[float]:
    """Simulations a second in each of the samples, smallest first."""
    batch = Batch(game, POSITIONS, num_players)
    batch.play_random(AGE)
    player, asked = load_player(name, game, 0, num_players), Decisions.of(batch, np.arange(POSITIONS))
    player.act(asked)  # compiled here
    return sorted(POSITIONS * simulations / spent for spent in (seconds(player, asked) for _ in range(SAMPLES)))


def seconds(player: Player, asked: Decisions) -> float:
    """Of processor time, so that other programs on the machine count little."""
    began = time.process_time()
    player.act(asked)
    return time.process_time() - began


def rows(game: Game, simulations: int) -> Iterator[str]:
    """The table, line by line, in Markdown."""
    yield "| search | players | simulations/s (median of 5) | lowest | highest |"
    yield "|---|---:|---:|---:|---:|"
    for kind in ("flat", "mcts"):
        for num_players in game.players:
            found = rates(game, num_players, f"{kind}:{simulations}", simulations)
            figures = " | ".join(f"{rate:,.0f}" for rate in (found[SAMPLES // 2], found[0], found[-1]))
            yield f"| `{kind}:{simulations}` | {num_players} | {figures} |"


def main() -> None:
    """Run the command."""
    options = parser().parse_args()
    with cli.refusals():
        simulations = whole("--simulations", options.simulations, 1)
        for row in rows(game_named(options.game), simulations):
            print(row, flush=True)


if __name__ == "__main__":
    main()
