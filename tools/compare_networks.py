#!/usr/bin/env python
"""Which network learns most in the same time: training/learners/ppo.py with a plain one, one that sees the whole board, one that knows it.

All begin together and take turns, an update each, until every one has learned for the same time; so other work of the
machine slows all of them down alike. Then each is measured in the same deals.

    python tools/compare_networks.py --minutes 10 --json networks.json
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli

with cli.require_extra("train"):
    from training.config import Config, parse_config
    from training.learners.networks import parameters
    from training.learners.ppo import PPO
    from training.opponents.league import League

from timeline_env.arena.evaluation import evaluate
from timeline_env.games import DEFAULT, PACKAGES, game_named
from timeline_env.players.agents.agent import AGENT_FILE

NETWORKS = {"mlp": "mlp", "mlp, all pieces": "mlp", "graph, all pieces": "graph"}


class Contestant:
    """One network, learning in pure self-play."""

    def __init__(self, config: Config) -> None:
        self.config, self.steps, self.seconds = config, 0, 0.0
        league = League(config.setting, config.opponents, None)
        self.learner = PPO(config, league, config.seed)

    @property
    def share_done(self) -> float:
        """How much of its time is over, from 0; 1 or a little more is all."""
        return self.config.share_done(self.steps, self.seconds)

    def update(self) -> None:
        """Learn once."""
        begun = time.perf_counter()
        self.steps += self.learner.update(self.config.now(self.share_done)).decisions
        self.seconds += time.perf_counter() - begun


def begin(options: argparse.Namespace) -> dict[str, Contestant]:
    """A contestant for each network; the first reads the pieces that are learned from most quickly, the others all."""
    game = game_named(options.game)
    settings = {
        "learner": "ppo",
        "game": options.game,
        "num_players": options.players or game.usual_players,
        "reward": options.reward,
        "opponents": {"self": 1.0},
        "seed": options.seed,
        "steps": 10**12,
        "minutes": options.minutes,
        "threads": 1,
        "ppo": {"n_steps": 32, "batch_size": 1024, "final_learning_rate": 0.0, "gamma": 0.997},
    }
    return {
        name: Contestant(
            parse_config(
                settings
                | {
                    "network": {
                        "kind": kind,
                        "pieces": None if "all" in name else list(game.quick_pieces) or None,
                        "hidden": [256, 128],
                        "activation": "tanh",
                    }
                }
            )
        )
        for name, kind in NETWORKS.items()
    }


def learn(contestants: dict[str, Contestant], minutes: float) -> None:
    """Let all learn by turns until every one's time is up."""
    with cli.progress("seconds of learning", int(60 * minutes * len(contestants))) as show:
        shown = 0
        while any(each.share_done < 1 for each in contestants.values()):
            for each in contestants.values():
                if each.share_done < 1:
                    each.update()
            spent = int(sum(each.seconds for each in contestants.values()))
            show(spent - shown)
            shown = spent


def measure(contestant: Contestant, against: str, games: int, folder: Path) -> dict[str, Any]:
    """How a contestant's agent does, and what it took."""
    file, config = folder / AGENT_FILE, contestant.config
    contestant.learner.agent(contestant.steps).save(file)
    result = evaluate(config.registered_game, str(file), [against], games, config.num_players, 10**6)
    win, network = result.overall.win, contestant.learner.network
    return {
        "parameters": parameters(network),
        "body": parameters(network.body),
        "decisions": contestant.steps,
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
    cli.check_writable("--json", options.json)
    contestants = begin(options)
    learn(contestants, options.minutes)
    with tempfile.TemporaryDirectory() as folder:
        rows = {name: measure(each, options.against, options.games, Path(folder)) for name, each in contestants.items()}
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
