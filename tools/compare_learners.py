#!/usr/bin/env python
"""Which learner gets better faster on this machine: training/learners/ppo.py, sb3-contrib's MaskablePPO or RLlib's PPO.

All learn by the same configuration: the same network, settings of PPO, reward, opponents and time, with a learning rate that
falls to zero over that time. What differs is in themselves: MaskablePPO learns from one seat of each game, the others from
every seat in which they play themselves, too; an update of MaskablePPO is as many decisions of the learner's, of the others as
many of anybody's; RLlib plays in a second process. They learn one after the other, each as timeline-env train; the start of
processes and the measurements are not counted. All are measured in the same deals.

    python tools/compare_learners.py configs/timeline_selfplay.yaml --minutes 60 --against projector --out runs/learners

After a kill the same command resumes.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.files import write_json
from timeline_env.players.registry import player_from
from timeline_env.reading import read_json

with cli.require_extra("train"):
    from training.config import Config, load_config
    from training.opponents.league import scripted_weights
    from training.results import metrics
    from training.results.curve import Curve, draw_learners
    from training.run import measure

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "train.py"
EVALUATION_GAMES = 1000
LEARNERS = {"ppo": "training/learners/ppo.py", "maskable_ppo": "MaskablePPO", "rllib": "RLlib's PPO"}
PATIENCE = 60.0
"""Seconds that a process has to end itself in, and Ray."""


@dataclass(frozen=True)
class Comparison:
    """What all learners share.

    Attributes:
        config: by what they learn; only the learner and the seed differ from run to run.
        file, overrides: the same as it is named on a command line.
        points: measurements in each run.
        against: the player that the learners are measured against.
        out: the folder of all runs.
    """

    config: Config
    file: Path
    overrides: list[str]
    points: int
    against: str
    out: Path

    @property
    def minutes(self) -> float:
        """How long each learns."""
        assert self.config.minutes is not None
        return self.config.minutes

    def run(self, learner: str, seed: int) -> Curve:
        """Let a learner learn, or resume it, and measure it."""
        path = self.out / f"{learner}-{seed}"
        begin = [str(self.file), *self.overrides, f"learner={learner}", f"seed={seed}", "--out", str(path)]
        alone = ["--runners", "1"] if learner == "rllib" else []
        command = [sys.executable, str(SCRIPT), *(["--resume", str(path)] if path.exists() else begin), *alone]
        with run_process(command, path.with_suffix(".log")) as process:
            await_end(process, path, 60 * self.minutes)
        return self.curve_of(path)

    def curve_of(self, path: Path) -> Curve:
        """The curve of a run, from its checkpoints."""
        kept = metrics.checkpoints(path)
        times = 60 * np.linspace(0, self.minutes, self.points + 1)[1:-1]
        chosen = [next((each for each in kept if each[0].seconds >= time), kept[-1]) for time in times]
        with cli.progress("measurements", self.points) as show:
            curve = []
            for row, folder in dict.fromkeys([*chosen, kept[-1]]):
                curve.append(self.point(row, folder))
                show(1)
        return curve

    def point(self, row: metrics.Row, agent: Path) -> dict[str, float]:
        """The share of games that an agent wins, with its 95 % interval, and what it took."""
        win = measure(agent, self.config.setting, self.against, EVALUATION_GAMES, 10**6).overall.win
        return {"decisions": row.steps, "seconds": row.seconds, "win": win.mean, "low": win.low, "high": win.high}


@contextmanager
def run_process(command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that writes into `log`; afterwards it is ended, and with it what it started."""
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True)
    try:
        yield process
    finally:
        process.terminate()  # RLlib's ends Ray's processes before itself
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        with suppress(ProcessLookupError):  # no process is left
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def await_end(process: subprocess.Popen[bytes], path: Path, seconds: float) -> None:
    """Wait until a run's process has ended, and show how long it has learned. Raises ValueError if it failed, with its last words."""
    with cli.progress(f"seconds of learning, {path.name}", int(seconds)) as show:
        learned = 0
        while process.poll() is None:
            time.sleep(2)
            rows = metrics.read(path / metrics.METRICS)
            now = int(rows[-1].seconds) if rows else 0
            show(now - learned)
            learned = now
    if process.returncode:
        words = path.with_suffix(".log").read_text(errors="replace").splitlines() or ["it said nothing"]
        raise ValueError(f"the training {path.name} failed: {words[-1]}")


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
    others, runs = config.num_players - 1, len(next(iter(curves.values())))
    game = config.registered_game.title
    title = (
        f"{game}, {config.num_players} players: games won against {others} {comparison.against}\n"
        f"{EVALUATION_GAMES:,} games at each point, with 95 % bands; {runs} seed{'s' * (runs > 1)}"
    )
    draw_learners(curves, title, 1 / config.num_players, path)


def parse() -> argparse.Namespace:
    """The command line."""
    parser = cli.Parser(description=__doc__)
    parser.add_argument("config", type=Path, help="a file of configs/, by which they learn")
    parser.add_argument("overrides", nargs="*", help="key=value changes a key, as with timeline-env train")
    parser.add_argument("--minutes", type=float, default=3.0, help="learning time of each run (default %(default)s)")
    parser.add_argument("--points", type=int, default=6, help="measurements in each run (default %(default)s)")
    parser.add_argument(
        "--seeds", type=int, nargs="+", default=[0], help="one run of each learner for each (default 0)"
    )
    parser.add_argument("--against", default="random", help="the player to measure against (default %(default)s)")
    parser.add_argument(
        "--learners",
        nargs="+",
        choices=LEARNERS,
        default=list(LEARNERS),
        help="who is compared (default: all; rllib needs its environment, see docs/training.md)",
    )
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        help="the folder of all runs (with an agent of every update: hundreds of MB an hour), of learners.json with the curves and of learners.png; a comparison that was begun there resumes",
    )
    options = parser.parse_intermixed_args()
    if not 0 < options.minutes < float("inf") or options.points < 1:
        parser.error("--minutes and --points must be above 0")
    return options


def begin(options: argparse.Namespace) -> Comparison:
    """The comparison that the command line means, begun in its folder or resumed.

    Raises:
        ValueError: a value is not allowed, or the folder holds another comparison.
    """
    asked = {
        "ppo.final_learning_rate": 0,
        "minutes": options.minutes,
        "steps": 10**12,
        "checkpoint_every": 1,
        "evaluation": {"against": [options.against], "games": 12},
    }
    for override in options.overrides:
        key = override.partition("=")[0]
        if key in ("seed", "learner") or any(key == own or key.startswith(f"{own}.") for own in asked):
            raise ValueError(f"override {override!r}: {key} is set by the comparison")
    overrides = [*options.overrides, *(f"{key}={json.dumps(value)}" for key, value in asked.items())]
    config = load_config(options.config, overrides)
    for learner in options.learners:
        for seed in options.seeds:
            load_config(options.config, [*overrides, f"learner={learner}", f"seed={seed}"])
    if len(set(options.seeds)) < len(options.seeds):
        raise ValueError(f"--seeds {' '.join(map(str, options.seeds))} must differ from each other")
    for name in {options.against, *scripted_weights(config.opponents)}:
        player_from(name, config.setting)
    comparison = Comparison(config, options.config, overrides, options.points, options.against, options.out)
    settings = {"config": config.model_dump(), "points": options.points, "against": options.against}
    file = options.out / "settings.json"
    if options.out.is_dir() and any(options.out.glob("[!.]*")) and not file.exists():
        raise ValueError(f"--out {str(options.out)!r} holds something else; give another folder")
    if file.exists() and read_json(file, f"--out {str(options.out)!r} holds no comparison") != json.loads(
        json.dumps(settings)
    ):
        raise ValueError(f"--out {str(options.out)!r} holds another comparison; give another folder")
    options.out.mkdir(parents=True, exist_ok=True)
    write_json(file, settings)
    return comparison


def main() -> None:
    options = parse()
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks
            signal.signal(number, lambda *_: sys.exit(143))  # not at once: RLlib's process is ended first
    comparison = begin(options)
    learners = [name for name in LEARNERS if name in options.learners]
    curves: dict[str, list[Curve]] = {LEARNERS[name]: [] for name in learners}
    for seed in options.seeds:
        for name in reversed(learners):  # RLlib first, since most can be wrong with it
            curves[LEARNERS[name]].append(comparison.run(name, seed))
        write_json(options.out / "learners.json", {"seeds": options.seeds, "curves": curves})
    others = comparison.config.num_players - 1
    show(curves, options.seeds, f"{others} {options.against}")
    draw(curves, comparison, options.out / "learners.png")
    print(f"\nsaved: {options.out}/learners.json, {options.out}/learners.png")


if __name__ == "__main__":
    with cli.refusals():
        main()
