#!/usr/bin/env python
"""Which learner gets better faster: training/ppo.py, sb3-contrib's MaskablePPO or RLlib's PPO, on this machine.

All learn by the same configuration, but that layers have tanh between them: the same network, settings of PPO, reward,
opponents and time, with a learning rate that falls to zero over that time. What differs is in themselves: MaskablePPO learns
from one seat of each game, the others from every seat in which they play themselves, too; an update of MaskablePPO is as many
decisions of the learner's, of the others as many of anybody's; RLlib plays in a second process. They learn one after the
other; the start of processes and the measurements are not counted. All are measured in the same deals.

    python tools/compare_learners.py configs/timeline_selfplay.yaml --minutes 60 --against projector --out runs/learners \\
        --rllib .venv-rllib/bin/python

Killed, the same command goes on. Without --rllib, which names the Python that has Ray, the first two are compared.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.reading import json_in, read_json, read_text, table_of

with cli.extra("train"):
    from training import learners_picture, metrics, ppo, rllib_process
    from training.config import Config, load_config
    from training.learners_picture import Curve
    from training.run_folder import open_run
    from training.train import start, train

EVALUATION_GAMES = 1000
PPO, MASKABLE, RLLIB = "training/ppo.py", "MaskablePPO", "RLlib's PPO"
FOLDERS = {PPO: "ppo", MASKABLE: "maskable", RLLIB: "rllib"}


@dataclass(frozen=True)
class Comparison:
    """What all learners share.

    Attributes:
        config: by what they learn; only the seed differs from run to run.
        file, overrides: the same as it is named on a command line.
        points: measurements in each run.
        against: whom the learners are measured against.
        out: the folder of all runs.
        python: the Python that has Ray.
    """

    config: Config
    file: Path
    overrides: list[str]
    points: int
    against: str
    out: Path
    python: str

    @property
    def minutes(self) -> float:
        """How long each learns."""
        assert self.config.minutes is not None
        return self.config.minutes

    def folder(self, learner: str, seed: int) -> Path:
        """Where a run lies."""
        return self.out / f"{FOLDERS[learner]}-{seed}"

    def run(self, learner: str, seed: int) -> Curve:
        """Let a learner learn, or go on with it, and measure it."""
        path = self.folder(learner, seed)
        if learner == PPO:
            ppo.train(self.args(seed, path))
            label = f"{str(path)!r} holds no curve"
            return [
                table_of(json_in(line), label, *ppo.POINT)
                for line in read_text(path / "curve.jsonl", label).splitlines()
            ]
        if learner == RLLIB:
            rllib_process.learn(self.python, self.file, [*self.overrides, f"seed={seed}"], self.minutes, path)
        else:
            config = self.config.model_copy(update={"seed": seed})
            run = open_run(path, sys.argv) if path.exists() else start(config, path, sys.argv)
            with run.held():
                train(run)
        return self.measured(path, self.args(seed, path))

    def measured(self, path: Path, args: ppo.Args) -> Curve:
        """The curve of a run, from the agents that it has kept on its way."""
        kept = metrics.kept(path)
        times = 60 * np.linspace(0, self.minutes, self.points + 1)[1:-1]
        chosen = [next((each for each in kept if each[0].seconds >= time), kept[-1]) for time in times]
        with cli.progress("measurements", self.points) as show:
            curve = []
            for row, folder in dict.fromkeys([*chosen, kept[-1]]):
                curve.append(ppo.point(folder, args, row.steps, row.seconds))
                show(1)
        return curve

    def args(self, seed: int, path: Path) -> ppo.Args:
        """The configuration as settings of training/ppo.py."""
        config, same = self.config, self.config.ppo
        return ppo.Args(
            game=config.game,
            num_players=config.num_players,
            num_games=config.envs,
            rollout=same.n_steps,
            decisions=config.steps,
            minutes=self.minutes,
            reward=config.reward,
            pieces=" ".join(config.pieces),
            network=config.network.kind,
            channels=config.network.channels,
            convolutions=config.network.convolutions,
            hidden=" ".join(map(str, config.network.hidden)),
            opponents=" ".join(f"{name}={weight}" for name, weight in config.opponents.items()),
            pool_size=config.pool.size,
            snapshot_every=config.pool.every,
            pool_power=config.pool.power,
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
            evaluate_every=self.minutes / self.points,
            evaluation_games=EVALUATION_GAMES,
            against=self.against,
            out=str(path),
        )


def show(curves: dict[str, list[Curve]], seeds: list[int], against: str) -> None:
    """Print the share of wins of every seed at every measurement."""
    for name, runs in curves.items():
        for seed, run in zip(seeds, runs, strict=True):
            rate = run[-1]["decisions"] / run[-1]["seconds"]
            print(f"\n{name}, seed {seed}: {rate:,.0f} decisions/s; wins against {against}, % [95 % interval]\n")
            print("| minutes | decisions | wins |\n|--:|--:|--:|")
            for point in run:
                mean, low, high = (f"{100 * point[key]:.1f}" for key in ("win", "low", "high"))
                print(f"| {point['seconds'] / 60:.1f} | {point['decisions']:,.0f} | {mean} [{low}, {high}] |")


def draw(curves: dict[str, list[Curve]], comparison: Comparison, path: Path) -> None:
    """Draw the curves of all learners."""
    config = comparison.config
    others, runs = config.num_players - 1, len(curves[PPO])
    game = config.game.replace("_", " ").title()
    title = (
        f"{game}, {config.num_players} players: games won against {others} {comparison.against}\n"
        f"{EVALUATION_GAMES:,} games at each point, with 95 % bands; {runs} seed{'s' * (runs > 1)}"
    )
    learners_picture.draw(curves, title, 1 / config.num_players, path)


def parse() -> argparse.Namespace:
    """The command line."""
    parser = cli.Parser(description=__doc__)
    parser.add_argument("config", type=Path, help="a file of configs/, by which they learn")
    parser.add_argument("overrides", nargs="*", help="key=value changes a key, as with scripts/train.py")
    parser.add_argument("--minutes", type=float, default=3.0, help="learning time of each run (default %(default)s)")
    parser.add_argument("--points", type=int, default=6, help="measurements in each run (default %(default)s)")
    parser.add_argument(
        "--seeds", type=int, nargs="+", default=[0], help="one run of each learner for each (default 0)"
    )
    parser.add_argument("--against", default="random", help="the player to measure against (default %(default)s)")
    parser.add_argument("--rllib", metavar="PYTHON", help="compare RLlib, too, by this Python, which has Ray")
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        help="the folder of all runs (with an agent of every update: hundreds of MB an hour), of learners.json with the curves and of learners.png; if begun there, it goes on",
    )
    options = parser.parse_intermixed_args()
    if not 0 < options.minutes < float("inf") or options.points < 1:
        parser.error("--minutes and --points must be above 0")
    if options.rllib and not shutil.which(options.rllib):
        parser.error(f"--rllib {options.rllib!r}: no such program")
    return options


def begin(options: argparse.Namespace) -> Comparison:
    """The comparison that the command line means, begun in its folder or gone on with.

    Raises:
        ValueError: a value is not allowed, or the folder holds another comparison.
    """
    asked = {
        "network.activation": "tanh",  # training/ppo.py knows no other
        "ppo.final_learning_rate": 0,  # as there
        "minutes": options.minutes,
        "steps": 10**12,
        "checkpoint_every": 1,
        "evaluation": {"against": [options.against], "games": 12},
    }
    for override in options.overrides:
        key = override.partition("=")[0]
        if key == "seed" or any(key == own or key.startswith(f"{own}.") for own in asked):
            raise ValueError(f"override {override!r}: {key} is the comparison's own")
    overrides = [*options.overrides, *(f"{key}={json.dumps(value)}" for key, value in asked.items())]
    config = load_config(options.config, overrides)
    for seed in options.seeds:
        load_config(options.config, [*overrides, f"seed={seed}"])
    if len(set(options.seeds)) < len(options.seeds):
        raise ValueError(f"--seeds {' '.join(map(str, options.seeds))} must differ from each other")
    comparison = Comparison(
        config, options.config, overrides, options.points, options.against, options.out, options.rllib or ""
    )
    if config.rules:
        raise ValueError(f"rules {config.rules!r} must be null: training/ppo.py plays the game as it is")
    ppo.check(comparison.args(0, options.out / "none"))
    settings = {"config": config.model_dump(), "points": options.points, "against": options.against}
    file = options.out / "settings.json"
    if options.out.is_dir() and any(options.out.glob("[!.]*")) and not file.exists():
        raise ValueError(f"--out {str(options.out)!r} holds something else; give another folder")
    if file.exists() and read_json(file, f"--out {str(options.out)!r} holds no comparison") != json.loads(
        json.dumps(settings)
    ):
        raise ValueError(f"--out {str(options.out)!r} holds another comparison; give another folder")
    options.out.mkdir(parents=True, exist_ok=True)
    cli.to_json(file, settings)
    return comparison


def main() -> None:
    options = parse()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks
            signal.signal(number, lambda *_: sys.exit(143))  # not at once: RLlib's process is ended first
    comparison = begin(options)
    curves: dict[str, list[Curve]] = {name: [] for name in (PPO, MASKABLE, *([RLLIB] if options.rllib else []))}
    for seed in options.seeds:
        for name in reversed(curves):  # RLlib first, since most can be wrong with it
            curves[name].append(comparison.run(name, seed))
        cli.to_json(options.out / "learners.json", {"seeds": options.seeds, "curves": curves})
    others = comparison.config.num_players - 1
    show(curves, options.seeds, f"{others} {options.against}")
    draw(curves, comparison, options.out / "learners.png")
    print(f"\nsaved: {options.out}/learners.json, {options.out}/learners.png")


if __name__ == "__main__":
    with cli.refusals():
        main()
