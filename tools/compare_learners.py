#!/usr/bin/env python
"""Which learner gets better faster on this machine: ``python tools/compare_learners.py CONFIG --out FOLDER``."""

from __future__ import annotations

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
from typing import Annotated

import numpy as np
import typer

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.markdown import markdown_table
from timeline_env.commands.compile import compile_game
from timeline_env.files import write_json
from timeline_env.players.registry import player_from
from timeline_env.reading import check_number, read_json, unknown_name

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
"""Seconds that a process has in which to end itself, and Ray."""


@dataclass(frozen=True)
class Comparison:
    """What all learners share.

    Attributes:
        config: the configuration by which they learn; only the learner and the seed differ from run to run.
        file, overrides: the same configuration, as a command line names it.
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
        """Let a learner learn, or resume it unless its time is up, and measure it."""
        path = self.out / f"{learner}-{seed}"
        begin = [str(self.file), *self.overrides, f"learner={learner}", f"seed={seed}", "--out", str(path)]
        alone = ["--runners", "1"] if learner == "rllib" else []
        command = [sys.executable, str(SCRIPT), *(["--resume", str(path)] if path.exists() else begin), *alone]
        kept = metrics.checkpoints(path)
        if not kept or kept[-1][0].seconds < 60 * self.minutes:
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
            rows = [
                (
                    f"{point['seconds'] / 60:.1f}",
                    f"{point['decisions']:,.0f}",
                    Estimate(point["win"], point["low"], point["high"]).text(100),
                )
                for point in run
            ]
            print("\n".join(markdown_table(("minutes", "decisions", "wins"), rows, 0)))


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


def begin(
    file: Path,
    given: list[str],
    learners: list[str],
    seeds: list[int],
    minutes: float,
    points: int,
    against: str,
    out: Path,
) -> Comparison:
    """The comparison that the command line means, begun in its folder or resumed.

    Raises:
        ValueError: a value is not allowed, or the folder holds another comparison.
    """
    asked = {
        "ppo.final_learning_rate": 0,
        "minutes": minutes,
        "steps": 10**12,
        "checkpoint_every": 1,
        "evaluation": {"against": [against], "games": 12},
    }
    for override in given:
        key = override.partition("=")[0]
        if key in ("seed", "learner") or any(key == own or key.startswith(f"{own}.") for own in asked):
            raise ValueError(f"override {override!r}: {key} is set by the comparison")
    overrides = [*given, *(f"{key}={json.dumps(value)}" for key, value in asked.items())]
    config = load_config(file, overrides)
    for learner in learners:
        for seed in seeds:
            load_config(file, [*overrides, f"learner={learner}", f"seed={seed}"])
    if len(set(seeds)) < len(seeds):
        raise ValueError(f"--seeds {' '.join(map(str, seeds))} must differ from each other")
    for name in dict.fromkeys((against, *scripted_weights(config.opponents))):
        player_from(name, config.setting)
    settings = {"config": config.model_dump(), "points": points, "against": against}
    noted = out / "settings.json"
    if out.is_dir() and any(out.glob("[!.]*")) and not noted.exists():
        raise ValueError(f"--out {str(out)!r} holds something else; give another folder")
    if noted.exists() and read_json(noted, f"--out {str(out)!r} holds no comparison") != json.loads(
        json.dumps(settings)
    ):
        raise ValueError(f"--out {str(out)!r} holds another comparison; give another folder")
    out.mkdir(parents=True, exist_ok=True)
    write_json(noted, settings)
    return Comparison(config, file, overrides, points, against, out)


def main(
    config: Annotated[Path, typer.Argument(help="a file of configs/, by which they learn")],
    out: Annotated[
        Path,
        typer.Option(
            help="the folder of all runs (with an agent of every update: hundreds of MB an hour), of learners.json with the "
            "curves and of learners.png; a comparison that was begun there resumes"
        ),
    ],
    overrides: Annotated[
        list[str] | None, typer.Argument(help="key=value changes a key, as with timeline-env train")
    ] = None,
    minutes: Annotated[float, typer.Option(help="learning time of each run")] = 3.0,
    points: Annotated[int, typer.Option(min=1, help="measurements in each run")] = 6,
    seeds: Annotated[list[int] | None, typer.Option(help="one run of each learner for each; 0 if left out")] = None,
    against: Annotated[str, typer.Option(help="the player to measure against")] = "random",
    learners: Annotated[
        list[str] | None,
        typer.Option(
            help=f"some of {', '.join(LEARNERS)}; all if left out (rllib needs its environment, see docs/training.md)"
        ),
    ] = None,
) -> None:
    """Find out which learner gets better faster on this machine: training/learners/ppo.py, MaskablePPO of sb3-contrib or RLlib's PPO.

    All learn by the same configuration: the same network, settings of PPO, reward, opponents and time, with a learning rate that
    falls to zero over that time. What differs is in themselves: ppo begins with first layers in which every piece of the observation
    weighs alike, the others with layers as their libraries make them; MaskablePPO learns from one seat of each game, the others from
    every seat in which they play themselves, too; an update of MaskablePPO is as many decisions of the learner's, of the others as
    many of anybody's; RLlib plays in a second process. They learn one after the other, each as timeline-env train; compilation,
    the start of processes and the measurements are not counted. All are measured in the same deals. After a kill the same command resumes.

    example:
      python tools/compare_learners.py configs/timeline_selfplay.yaml --minutes 60 --against projector --out runs/learners
    """
    for name in learners or ():
        if name not in LEARNERS:
            raise unknown_name("--learners", name, LEARNERS)
    check_number("--minutes", minutes, 0.001, 10**6)
    chosen, seeds = [name for name in LEARNERS if name in (learners or LEARNERS)], seeds or [0]
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup asks
            signal.signal(number, lambda *_: sys.exit(143))  # not at once: RLlib's process is ended first
    comparison = begin(config, overrides or [], chosen, seeds, minutes, points, against, out)
    compile_game(comparison.config.game, rules_only=False)  # else it would be a part of the first learner's time
    curves: dict[str, list[Curve]] = {LEARNERS[name]: [] for name in chosen}
    for seed in seeds:
        for name in reversed(chosen):  # RLlib first, since most can be wrong with it
            curves[LEARNERS[name]].append(comparison.run(name, seed))
        write_json(out / "learners.json", {"seeds": seeds, "curves": curves})
    show(curves, seeds, f"{comparison.config.num_players - 1} {against}")
    draw(curves, comparison, out / "learners.png")
    print(f"\nsaved: {out}/learners.json, {out}/learners.png")


if __name__ == "__main__":
    cli.run(main)
