#!/usr/bin/env python
"""Which network learns most in the same time: training/ppo.py with a plain one, one that sees the whole board, one that knows it.

All begin together and take turns, an update each, until every one has learned for so many minutes; so whatever else the
machine does slows all of them down alike. Then each is measured in the same deals.

    python tools/compare_networks.py --minutes 10 --json networks.json
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli

with cli.extra("train"):
    from training import ppo
    from training.networks import parameters

from timeline_env.arena.evaluation import evaluate
from timeline_env.games import DEFAULT, PACKAGES, game_named
from timeline_env.players.agents.agent import AGENT_FILE

NETWORKS = {"mlp": "mlp", "mlp, all pieces": "mlp", "graph, all pieces": "graph"}


def begin(options: argparse.Namespace, folder: str) -> dict[str, ppo.Run]:
    """A run of each network; the first reads the pieces that are learned from most quickly, the others all."""
    game = game_named(options.game)
    every = " ".join(game.layout(options.players or game.usual_players).pieces)
    return {
        name: ppo.Run(
            ppo.Args(
                game=options.game,
                num_players=options.players,
                num_games=256,
                minibatch=1024,
                decisions=10**12,
                minutes=options.minutes,
                reward=options.reward,
                pieces=every if "all" in name else "",
                network=kind,
                seed=options.seed,
                threads=1,
                out=f"{folder}/{index}",
            )
        )
        for index, (name, kind) in enumerate(NETWORKS.items())
    }


def learn(runs: dict[str, ppo.Run], minutes: float) -> None:
    """Let all learn by turns until every one's time is up."""
    with cli.progress("seconds of learning", int(60 * minutes * len(runs))) as show:
        shown = 0
        while any(run.done < 1 for run in runs.values()):
            for run in runs.values():
                if run.done < 1:
                    run.iterate()
            spent = int(sum(run.spent for run in runs.values()))
            show(spent - shown)
            shown = spent


def measure(run: ppo.Run, against: str, games: int) -> dict[str, Any]:
    """How a run's agent does, and what it took."""
    file = run.out / AGENT_FILE
    run.agent().save(file)
    result = evaluate(game_named(run.args.game), str(file), [against], games, run.args.num_players, 10**6)
    win = result.overall.win
    return {
        "parameters": parameters(run.network),
        "body": parameters(run.network.body),
        "decisions": run.decisions,
        "win": win.mean,
        "low": win.low,
        "high": win.high,
    }


def parse() -> argparse.Namespace:
    """The command line."""
    parser = cli.Parser(description=__doc__)
    parser.add_argument("--game", default=DEFAULT, help=f"one of {', '.join(PACKAGES)} (default %(default)s)")
    parser.add_argument("--players", type=int, default=0, help="seats of each game (default: as is usual)")
    parser.add_argument("--reward", default="score", help="the kind of reward (default %(default)s)")
    parser.add_argument("--minutes", type=float, default=10.0, help="learning time of each (default %(default)s)")
    parser.add_argument("--against", default="random", help="the player to measure against (default %(default)s)")
    parser.add_argument("--games", type=int, default=2000, help="games of each measurement (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="for all of them (default 0)")
    parser.add_argument("--json", type=Path, default=Path("networks.json"), help="where the table is saved")
    options = parser.parse_args()
    if not 0 < options.minutes < float("inf"):
        parser.error("--minutes must be above 0")
    return options


def main() -> None:
    options = parse()
    cli.writable("--json", options.json)
    with tempfile.TemporaryDirectory() as folder:
        runs = begin(options, folder)
        learn(runs, options.minutes)
        rows = {name: measure(run, options.against, options.games) for name, run in runs.items()}
    cli.to_json(options.json, {"minutes": options.minutes, "against": options.against, "rows": rows})
    print(f"\nwins against {options.against} after {options.minutes:g} minutes each, %\n")
    print("| network | parameters, policy and value | before the hidden layers | decisions | win rate, % |")
    print("|---|--:|--:|--:|--:|")
    for name, row in rows.items():
        win = " ".join(f"{100 * row[key]:.1f}" for key in ("win", "low", "high")).split()
        print(
            f"| {name} | {row['parameters']:,} | {row['body']:,} | {row['decisions']:,} | {win[0]} [{win[1]}, {win[2]}] |"
        )
    print(f"\nsaved: {options.json}")


if __name__ == "__main__":
    with cli.refusals():
        main()
