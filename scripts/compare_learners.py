#!/usr/bin/env python
"""Which learner gets better faster: training/ppo.py or sb3-contrib's MaskablePPO, on this machine, in one run.

Both get the same network (pieces, widths, activation), the same settings of PPO, the same reward and the same time, in
which the learning rate falls to zero; evaluations are not counted.
MaskablePPO learns in one seat against random players, training/ppo.py in every seat against itself. Both are measured
against the same random players in the same deals.

    python scripts/compare_learners.py --minutes 3 --seeds 0 1 2 --json learners.json
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.games import PACKAGES, game_named

with cli.extra("train"):
    import torch
    from stable_baselines3.common.callbacks import BaseCallback

    from training import ppo
    from training.config import Config, load_config
    from training.model import make_env, make_model, to_agent

CONFIGS = Path(__file__).resolve().parents[1] / "configs"


class Timed(BaseCallback):
    """Measures the learner every so many seconds of learning, and stops it when its time is up."""

    def __init__(self, config: Config, args: ppo.Args) -> None:
        super().__init__()
        self.config, self.args = config, args
        self.points: list[dict[str, float]] = []
        self.paused, self.begun = 0.0, time.perf_counter()

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.begun - self.paused

    def measure(self) -> None:
        seconds, pause = self.seconds, time.perf_counter()
        agent = to_agent(self.model, self.config)  # type: ignore[arg-type]
        self.points.append(ppo.point(agent, self.args, self.num_timesteps, seconds))
        self.paused += time.perf_counter() - pause

    def _on_rollout_start(self) -> None:
        if self.seconds >= 60 * self.args.evaluate_every * (len(self.points) + 1):
            self.measure()

    def _on_step(self) -> bool:
        return self.seconds < 60 * self.args.minutes


def run_maskable(config: Config, args: ppo.Args) -> list[dict[str, float]]:
    """The curve of MaskablePPO."""
    torch.set_num_threads(args.threads)
    model = make_model(config, make_env(config, args.seed), args.seed)
    timed = Timed(config, args)
    model.lr_schedule = lambda _: args.learning_rate * max(0.0, 1 - timed.seconds / (60 * args.minutes))
    model.learn(10**9, callback=timed)
    timed.measure()
    return timed.points


def run_ppo(args: ppo.Args) -> list[dict[str, float]]:
    """The curve of training/ppo.py."""
    folder = ppo.train(args)
    return [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]


def same_settings(config: Config, minutes: float, points: int, seed: int, out: str) -> ppo.Args:
    """The configuration of MaskablePPO as settings of training/ppo.py."""
    same = config.ppo
    return ppo.Args(
        game=config.game,
        num_players=config.num_players,
        num_games=config.envs,
        rollout=same.n_steps,
        decisions=10**12,
        minutes=minutes,
        reward=config.reward,
        pieces=" ".join(config.pieces),
        hidden=" ".join(map(str, config.network.hidden)),
        learning_rate=same.learning_rate,
        gamma=same.gamma,
        gae_lambda=same.gae_lambda,
        epochs=same.n_epochs,
        minibatch=same.batch_size,
        clip=same.clip_range,
        entropy=same.ent_coef,
        value=same.vf_coef,
        max_gradient=same.max_grad_norm,
        seed=seed,
        threads=config.threads,
        evaluate_every=minutes / points,
        evaluation_games=1000,
        out=out,
    )


def show(curves: dict[str, list[list[dict[str, float]]]], opponents: int) -> None:
    """Print the share of wins of every seed at every measurement."""
    for name, runs in curves.items():
        print(f"\n{name}: wins against {opponents} random player{'s' * (opponents > 1)}, %, one column a seed\n")
        print(
            "| seconds | "
            + " | ".join(f"{run[-1]['decisions'] / run[-1]['seconds']:,.0f} decisions/s" for run in runs)
            + " |"
        )
        print("|--:|" + "--:|" * len(runs))
        for row in zip(*runs, strict=False):
            print(f"| {row[0]['seconds']:.0f} | " + " | ".join(f"{100 * point['win']:.1f}" for point in row) + " |")


def parse() -> argparse.Namespace:
    """The command line."""
    parser = cli.Parser(description=__doc__)
    parser.add_argument(
        "--game", default="timeline", help=f"by its quick configuration: {', '.join(PACKAGES)} (default %(default)s)"
    )
    parser.add_argument("--minutes", type=float, default=3.0, help="learning time of each run (default %(default)s)")
    parser.add_argument("--points", type=int, default=6, help="measurements in each run (default %(default)s)")
    parser.add_argument(
        "--seeds", type=int, nargs="+", default=[0], help="one run of each learner for each (default 0)"
    )
    parser.add_argument(
        "--json", type=Path, default=Path("learners.json"), help="where the curves are saved (default %(default)s)"
    )
    options = parser.parse_args()
    if not 0 < options.minutes < float("inf") or options.points < 1:
        parser.error("--minutes and --points must be above 0")
    return options


def main() -> None:
    options = parse()
    cli.writable("--json", options.json)
    config = load_config(CONFIGS / f"{game_named(options.game).name}_quick.yaml", ["network.activation=tanh"])
    curves: dict[str, Any] = {"MaskablePPO": [], "training/ppo.py": []}
    for seed in options.seeds:
        with tempfile.TemporaryDirectory() as folder:
            args = same_settings(config, options.minutes, options.points, seed, folder)
            curves["training/ppo.py"].append(run_ppo(args))
            curves["MaskablePPO"].append(run_maskable(config, args))
        cli.to_json(
            options.json, {"game": options.game, "minutes": options.minutes, "seeds": options.seeds, "curves": curves}
        )
    show(curves, config.num_players - 1)
    print(f"\nsaved: {options.json}")


if __name__ == "__main__":
    with cli.refusals():
        main()
