"""RLlib learning for so many minutes, as a process of the virtual environment that Ray is installed in."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from timeline_env import cli
from timeline_env.players.network import CHECKPOINTS
from training import metrics
from training.metrics import Row

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "train_rllib.py"
PATIENCE = 60.0
"""Seconds that the process has to end itself and Ray in."""


def learn(python: str, config: Path, overrides: list[str], minutes: float, path: Path) -> list[tuple[Row, Path]]:
    """Train in the folder `path`, with one process that plays; gives for every update what was noted and the agent as it stood.

    Time counts from when Ray has started and the network is made.

    Raises:
        ValueError: the training ended before its time.
    """
    endless = [f"steps={10**9}", "checkpoint_every=1"]
    command = [python, str(SCRIPT), str(config), *overrides, *endless, "--runners", "1", "--out", str(path)]
    with running(command, path.with_suffix(".log")) as process:
        await_end(process, path, 60 * minutes)
    return kept(path)


@contextmanager
def running(command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process that writes into `log`; afterwards it is ended, and with it what it started."""
    with log.open("wb") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True)
    try:
        yield process
    finally:
        process.terminate()  # it ends Ray's processes before itself
        with suppress(subprocess.TimeoutExpired):
            process.wait(PATIENCE)
        with suppress(ProcessLookupError):  # nobody is left
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def await_end(process: subprocess.Popen[bytes], path: Path, seconds: float) -> None:
    """Wait until the run in this folder has learned for so long. Raises ValueError if it ends before, and says its last words."""
    with cli.progress("seconds of learning with RLlib", int(seconds)) as show:
        learned = 0
        while learned < seconds:
            if process.poll() is not None:
                words = path.with_suffix(".log").read_text(errors="replace").splitlines() or ["it said nothing"]
                raise ValueError(f"RLlib ended before its time: {words[-1]}")
            time.sleep(0.5)
            rows = kept(path)
            now = int(rows[-1][0].seconds) if rows else 0
            show(now - learned)
            learned = now


def kept(path: Path) -> list[tuple[Row, Path]]:
    """The rows of a run's metrics after which its agent was kept, and where."""
    rows = [(row, path / CHECKPOINTS / f"{row.steps:012d}") for row in metrics.read(path / "metrics.csv")]
    return [(row, folder) for row, folder in rows if folder.is_dir()]
