"""Learners in one comparison: RLlib learns in a process of its own, which is gone afterwards."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.commands import processes, run_here
from tools import compare_learners
from training.config import load_config
from training.results import metrics

ROOT = Path(__file__).resolve().parents[2]
QUICK = ROOT / "configs" / "timeline_quick.yaml"
SCRIPT = "tools/compare_learners.py"
TINY = ["envs=64", "ppo.n_steps=32", "ppo.batch_size=256", "network.hidden=[16]"]


@pytest.fixture
def groups(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The process groups that were started, in their order."""
    started: list[int] = []

    class Noted(subprocess.Popen):  # the same, but we learn its group
        def __init__(self, *arguments: Any, **options: Any) -> None:
            super().__init__(*arguments, **options)
            started.append(self.pid)

    monkeypatch.setattr(subprocess, "Popen", Noted)
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield started
    for number, handler in handlers.items():
        signal.signal(number, handler)


def test_two_learners_are_measured_and_drawn_and_the_same_command_goes_on(tmp_path: Path, groups: list[int]) -> None:
    out = tmp_path / "out"
    asked = [QUICK, "--minutes", "0.1", "--points", "2", "--learners", "ppo", "rllib", "--out", out, *TINY]
    done = run_here(SCRIPT, *asked)
    assert done.returncode == 0, done.stderr
    curves = json.loads((out / "learners.json").read_text())["curves"]
    assert sorted(curves) == ["RLlib's PPO", "training/learners/ppo.py"]
    for (run,) in curves.values():
        assert [point["seconds"] for point in run] == sorted(point["seconds"] for point in run)
        assert run[-1]["seconds"] >= 6 and run[-1]["decisions"] >= 2048
        assert all(point["low"] < point["win"] < point["high"] for point in run)
    assert (out / "learners.png").read_bytes().startswith(b"\x89PNG")
    for run in (out / "rllib-0", out / "ppo-0"):
        kept = metrics.checkpoints(run)
        assert kept[-1][0].seconds >= 6 and load_config(run / "config.yaml").envs == 64
        assert [row.steps for row, _ in kept] == [int(folder.name) for _, folder in kept]

    begun = len(groups)
    assert begun >= 2
    deadline = time.monotonic() + 60
    while any(map(alive_in, groups)):  # who is killed may take a moment to end
        assert time.monotonic() < deadline
        time.sleep(0.1)

    again = run_here(SCRIPT, *asked)
    assert again.returncode == 0, again.stderr
    assert json.loads((out / "learners.json").read_text())["curves"] == curves
    assert len(groups) == begun, "all had come to their end"
    other = run_here(SCRIPT, *asked, "ppo.gamma=0.9")
    assert other.returncode == 2 and "holds another comparison" in other.stderr


def alive_in(group: int) -> list[str]:
    """The processes of a group, without those that only wait for their parent's look."""
    return [number for number, state, its_group, _ in processes() if its_group == group and state != "Z"]


def test_a_training_that_fails_is_told_by_its_own_words(tmp_path: Path) -> None:
    command = [sys.executable, str(compare_learners.SCRIPT), str(QUICK), "envy=16"]
    with (
        compare_learners.run_process(command, tmp_path / "run.log") as process,
        pytest.raises(ValueError, match="the training run failed: error: key 'envy' is unknown"),
    ):
        compare_learners.await_end(process, tmp_path / "run", 1)
