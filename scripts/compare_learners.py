#!/usr/bin/env python
"""Which learner gets better faster: training/ppo.py, sb3-contrib's MaskablePPO or RLlib's PPO, on this machine, in one run.

All get the same network (pieces, widths, activation), the same settings of PPO, the same reward and the same time; the
start of processes and evaluations are not counted. The learning rate falls to zero, with RLlib (which knows no time) it stays.
training/ppo.py learns in every seat against itself, the others in one seat against the configuration's opponents.
All are measured against the same random players in the same deals.

    python scripts/compare_learners.py --minutes 3 --seeds 0 1 2 --rllib .venv-rllib/bin/python

Without --rllib, which names the Python that has Ray, the first two are compared.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.games import PACKAGES, game_named
from timeline_env.players.network import read_agent

with cli.extra("train"):
    import torch
    from stable_baselines3.common.callbacks import BaseCallback

    from training import learners_picture, ppo, rllib_process
    from training.config import Config, load_config
    from training.learners_picture import Curve
    from training.model import make_env, make_model, to_agent

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
SAME = ["network.activation=tanh"]
"""What differs from the quick configuration for all: training/ppo.py knows no other activation."""
EVALUATION_GAMES = 1000
PPO, MASKABLE, RLLIB = "training/ppo.py", "MaskablePPO", "RLlib's PPO"


class Timed(BaseCallback):
    """Measures the learner every so many seconds of learning, tells `show` of them, and stops it when its time is up."""

    def __init__(self, config: Config, args: ppo.Args, show: Callable[..., None]) -> None:
        super().__init__()
        self.config, self.args, self.show, self.shown = config, args, show, 0
        self.points: Curve = []
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
        learned = int(self.seconds)
        self.show(learned - self.shown)
        self.shown = learned
        if self.seconds >= 60 * self.args.evaluate_every * (len(self.points) + 1):
            self.measure()

    def _on_step(self) -> bool:
        return self.seconds < 60 * self.args.minutes


def run_maskable(config: Config, args: ppo.Args) -> Curve:
    """The curve of MaskablePPO."""
    torch.set_num_threads(args.threads)
    model = make_model(config, make_env(config, args.seed), args.seed)
    with cli.progress("seconds of learning with MaskablePPO", int(60 * args.minutes)) as show:
        timed = Timed(config, args, show)
        model.lr_schedule = lambda _: args.learning_rate * max(0.0, 1 - timed.seconds / (60 * args.minutes))
        model.learn(10**9, callback=timed)
    timed.measure()
    return timed.points


def run_ppo(args: ppo.Args) -> Curve:
    """The curve of training/ppo.py."""
    folder = ppo.train(args)
    return [json.loads(line) for line in (folder / "curve.jsonl").read_text().splitlines()]


def run_rllib(python: str, file: Path, args: ppo.Args) -> Curve:
    """The curve of RLlib's PPO: the agents that it left on its way are measured when it has ended."""
    kept = rllib_process.learn(python, file, [*SAME, f"seed={args.seed}"], args.minutes, Path(args.out) / "rllib")
    times = 60 * np.arange(args.evaluate_every, args.minutes, args.evaluate_every)
    chosen = [next((each for each in kept if each[0].seconds >= time), kept[-1]) for time in times]
    game = game_named(args.game)
    return [
        ppo.point(read_agent(folder, game), args, row.steps, row.seconds)
        for row, folder in dict.fromkeys([*chosen, kept[-1]])
    ]


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
        evaluation_games=EVALUATION_GAMES,
        out=out,
    )


def show(curves: dict[str, list[Curve]], opponents: str) -> None:
    """Print the share of wins of every seed at every measurement."""
    for name, runs in curves.items():
        print(f"\n{name}: wins against {opponents}, %, one column a seed\n")
        print(
            "| seconds | "
            + " | ".join(f"{run[-1]['decisions'] / run[-1]['seconds']:,.0f} decisions/s" for run in runs)
            + " |"
        )
        print("|--:|" + "--:|" * len(runs))
        for row in zip(*runs, strict=False):
            print(f"| {row[0]['seconds']:.0f} | " + " | ".join(f"{100 * point['win']:.1f}" for point in row) + " |")


def draw(curves: dict[str, list[Curve]], config: Config, opponents: str, path: Path) -> None:
    """Draw the curves of all learners."""
    one_seat = f"learns in one seat, against {', '.join(config.opponents)}"
    learns = dict.fromkeys(curves, one_seat) | {PPO: "learns in every seat, against itself"}
    game = config.game.replace("_", " ").title()
    runs = len(curves[PPO])
    title = (
        f"{game}, {config.num_players} players: games won against {opponents}\n"
        f"{EVALUATION_GAMES:,} games at each point, with 95 % bands; {runs} seed{'s' * (runs > 1)}"
    )
    learners_picture.draw(curves, learns, title, 1 / config.num_players, path)


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
    parser.add_argument("--rllib", metavar="PYTHON", help="compare RLlib, too, by this Python, which has Ray")
    parser.add_argument(
        "--json", type=Path, default=Path("learners.json"), help="where the curves are saved (default %(default)s)"
    )
    parser.add_argument(
        "--png", type=Path, default=Path("learners.png"), help="where they are drawn (default %(default)s)"
    )
    options = parser.parse_args()
    if not 0 < options.minutes < float("inf") or options.points < 1:
        parser.error("--minutes and --points must be above 0")
    if options.rllib and not shutil.which(options.rllib):
        parser.error(f"--rllib {options.rllib!r} is no program")
    return options


def main() -> None:
    options = parse()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # not at once: RLlib's process is ended first
    cli.writable("--json", options.json)
    cli.writable("--png", options.png)
    file = CONFIGS / f"{game_named(options.game).name}_quick.yaml"
    config = load_config(file, SAME)
    curves: dict[str, list[Curve]] = {name: [] for name in (PPO, MASKABLE, *([RLLIB] if options.rllib else []))}
    for seed in options.seeds:
        with tempfile.TemporaryDirectory() as folder:
            args = same_settings(config, options.minutes, options.points, seed, folder)
            if options.rllib:  # first, since most can be wrong with it
                curves[RLLIB].append(run_rllib(options.rllib, file, args))
            curves[PPO].append(run_ppo(args))
            curves[MASKABLE].append(run_maskable(config, args))
        cli.to_json(
            options.json, {"game": options.game, "minutes": options.minutes, "seeds": options.seeds, "curves": curves}
        )
    others = config.num_players - 1
    opponents = f"{others} random player{'s' * (others > 1)}"
    show(curves, opponents)
    draw(curves, config, opponents, options.png)
    print(f"\nsaved: {options.json}, {options.png}")


if __name__ == "__main__":
    with cli.refusals():
        main()
