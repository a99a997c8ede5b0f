"""RLlib learning as a process of the virtual environment that Ray is installed in."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from timeline_env import cli
from training import metrics

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "train_rllib.py"
PATIENCE = 60.0
"""Seconds that the process has to end itself and Ray in."""


def learn(python: str, config: Path, overrides: list[str], minutes: float, path: Path) -> None:
    """Train by a configuration that ends after so many minutes, in the folder `path`; a run that is there goes on.

    Raises:
        ValueError: the training failed.
    """
    asked = ["--resume", str(path)] if path.exists() else [str(config), *overrides, "--out", str(path)]
    with running([python, str(SCRIPT), *asked, "--runners", "1"], path.with_suffix(".log")) as process:
        await_end(process, path, 60 * minutes)


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
    """Wait until the process has ended, and show how long it has learned. Raises ValueError if it failed, and says its last words."""
    with cli.progress("seconds of learning with RLlib", int(seconds)) as show:
        learned = 0
        while process.poll() is None:
            time.sleep(2)
            rows = metrics.read(path / "metrics.csv")
            now = int(rows[-1].seconds) if rows else 0
            show(now - learned)
            learned = now
    if process.returncode:
        words = path.with_suffix(".log").read_text(errors="replace").splitlines() or ["it said nothing"]
        raise ValueError(f"RLlib's training failed: {words[-1]}")
