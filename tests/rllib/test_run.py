"""Runs, as they are started on the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import torch
import yaml

from tests.commands import run_here
from tests.refusals import refusal
from tests.rllib.settings import TIMELINE, TWILIGHT_STRUGGLE
from timeline_env.arena.evaluation import evaluate
from timeline_env.games import game_named
from training.results import metrics
from training.run_folder import LEARNER_FILE

ROOT = Path(__file__).resolve().parents[2]
TRAIN = "scripts/train.py"


def command(*arguments: object) -> list[str]:
    return [sys.executable, str(ROOT / TRAIN), *map(str, arguments)]


def the_error(done: subprocess.CompletedProcess[str]) -> str:
    """The one line on standard error of a run that failed once it had its folder, beside its progress."""
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("run folder:", "["))]
    assert done.returncode == 2 and len(lines) == 1, done.stderr
    return lines[0]


def written(settings: dict[str, Any], folder: Path) -> Path:
    path = folder / "tiny.yaml"
    path.write_text(yaml.safe_dump(settings))
    return path


def kill_after(file: Path, *arguments: object) -> None:
    """Start training in a session of its own, and kill all of it, Ray too, once `file` is there."""
    started = subprocess.Popen(command(*arguments), start_new_session=True)
    deadline = time.monotonic() + 300
    while not file.exists():
        assert started.poll() is None and time.monotonic() < deadline, "it never began"
        time.sleep(0.1)
    os.killpg(started.pid, signal.SIGKILL)
    started.wait()


def test_a_killed_run_goes_on_and_its_agent_plays_by_its_path(tmp_path: Path, address: str) -> None:
    path = tmp_path / "run"
    settings = TIMELINE | {"steps": 10_000, "envs": 16, "prior": "greedy", "pool": {"size": 2, "every": 2000}}
    kill_after(path / LEARNER_FILE, written(settings, tmp_path), "--out", path)
    before = torch.load(path / LEARNER_FILE, weights_only=True)
    assert 0 < before["steps"] < 10_000
    done = run_here(TRAIN, "--resume", path, "--address", address)
    assert done.returncode == 0, done.stderr
    assert "all seats" in done.stdout

    rows = metrics.read(path / "metrics.csv")
    steps = [row.steps for row in rows]
    assert before["steps"] in steps and steps == sorted(set(steps)) and steps[-1] >= 10_000
    assert sum(row.games for row in rows) > 20
    pool = json.loads((path / "pool" / "pool.json").read_text())
    assert sorted(f"{name}.npz" for name in pool) == sorted(file.name for file in (path / "pool").glob("*.npz"))
    assert len(pool) == 2 and min(map(int, pool)) > 2000
    after = torch.load(path / LEARNER_FILE, weights_only=True)
    assert after["steps"] == steps[-1] and after["seconds"] > before["seconds"]
    assert not torch.equal(after["policy"]["policy.0.weight"], before["policy"]["policy.0.weight"])
    assert evaluate(game_named("timeline"), str(path), ["random"], games=12, num_players=3).games == 12
    assert (path / "tensorboard").is_dir()

    config = (path / "config.yaml").read_text()
    (path / "config.yaml").write_text(config.replace("learner: rllib", "learner: ppo"))
    refused = run_here(TRAIN, "--resume", path)
    assert refused.returncode == 2 and "its learner is rllib; ppo is needed" in refused.stderr.splitlines()[-1]


def test_the_other_game_is_trained_by_the_same_command(tmp_path: Path, address: str) -> None:
    where = ["--address", address, "--runners", 2]
    done = run_here(TRAIN, written(TWILIGHT_STRUGGLE, tmp_path), "--out", tmp_path / "run", *where)
    assert done.returncode == 0, done.stderr
    assert metrics.read(tmp_path / "run" / "metrics.csv")[-1].steps >= TWILIGHT_STRUGGLE["steps"]
    assert json.loads((tmp_path / "run" / "pool" / "pool.json").read_text())
    about = json.loads((tmp_path / "run" / "run.json").read_text())
    assert about["game"] == "twilight_struggle" and about["versions"]["ray"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["opponents={self: 1, nobody: 1}"], "error: player 'nobody' is unknown"),
        (["--runners", "0"], "error: --runners '0': input should be greater than or equal to 1"),
        (["learner=ppo", "--runners", "2"], "error: --address and --runners must be left out with learner ppo"),
    ],
    ids=lambda value: "" if isinstance(value, str) else value[-1],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    path = written(TIMELINE, tmp_path)
    assert refusal(run_here(TRAIN, path, *arguments, "--out", tmp_path / "run")).startswith(said)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--address", "nonsense"], "error: no Ray cluster at 'nonsense'"),
        (["--runners", "4096", "envs=4096"], "error: --runners 4096 must be at most"),
        (["--runners", "3"], "error: envs 4 must be a multiple of the number of runners, which is 3"),
        (["ppo.learning_rate=1e30"], "error: the network has diverged, its weights are no longer finite"),
        (["ppo.learning_rate=1e12", "ppo.batch_size=256"], "error: the network has diverged, its logits are beyond"),
    ],
    ids=lambda value: "" if isinstance(value, str) else value[-1],
)
def test_what_the_cluster_cannot_do_is_said_in_one_line(
    tmp_path: Path, address: str, arguments: list[str], said: str
) -> None:
    where = ["--address", address, "--out", tmp_path / "run"]
    assert the_error(run_here(TRAIN, written(TIMELINE, tmp_path), *where, *arguments)).startswith(said)


def test_a_scripted_player_that_fails_ends_the_run_in_its_words(tmp_path: Path) -> None:
    failing = "tests.rllib.failing:Failing"
    path = written(TIMELINE | {"opponents": {"self": 1.0, failing: 1.0}}, tmp_path)
    words = command(path, "--code", failing, "--out", tmp_path / "run")
    said = the_error(subprocess.run(words, capture_output=True, text=True))
    assert "cannot decide" in said and failing in said
