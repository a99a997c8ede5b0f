"""Self-play that is really killed, at several moments: what is on the disk is whole, and no more is lost than the update under way."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
import yaml

from timeline_env.engine.setting import Setting
from timeline_env.players.agents.agent_files import CHECKPOINTS, read_agent
from timeline_env.timeline import GAME
from training.opponents.pool import FOLDER, TABLE, Pool
from training.results import metrics

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {
    "num_players": 3,
    "reward": "score",
    "opponents": {"self": 0.4, "pool": 0.4, "random": 0.2},
    "steps": 10_000,
    "envs": 32,
    "checkpoint_every": 1000,
    "threads": 1,
    "network": {"pieces": ["clock", "near"], "hidden": [16, 8]},
    "ppo": {"n_steps": 16, "batch_size": 256, "n_epochs": 1},
    "pool": {"size": 2, "every": 1000},
    "evaluation": {"against": ["random"], "games": 12},
}
UPDATE = 512


def learned(run: Path) -> int:
    """How many decisions the learner on the disk has learned from."""
    return int(torch.load(run / "learner.pt", weights_only=True)["steps"])


def written(run: Path) -> float:
    """When the learner on the disk was written; it has learned since then."""
    file = run / "learner.pt"
    return file.stat().st_mtime if file.exists() else 0.0


def rating_under_way(run: Path) -> bool:
    """Whether a snapshot lies in the pool that is not yet in its table."""
    listed = json.loads((run / FOLDER / TABLE).read_text()) if (run / FOLDER / TABLE).exists() else {}
    return any(file.stem not in listed for file in (run / FOLDER).glob("*.npz"))


def writing(run: Path) -> bool:
    """Whether a file is being written."""
    try:
        return next(run.rglob(".*.partial"), None) is not None
    except FileNotFoundError:  # a folder had its last name before it was looked into
        return False


def another_update(run: Path) -> bool:
    """Whether the learner was written a moment ago."""
    return time.time() - written(run) < 0.2


def killed(line: list[str], run: Path, moment: Callable[[Path], bool]) -> None:
    """Start a training and kill it at the first such moment after it has begun to learn."""
    before = written(run)
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 300
    while process.poll() is None and time.monotonic() < deadline and written(run) <= before:
        time.sleep(0.05)
    while process.poll() is None and time.monotonic() < deadline and not moment(run):
        time.sleep(0.001)
    assert process.poll() is None, "it must be killed on its way"
    process.send_signal(signal.SIGKILL)
    process.wait()


def assert_whole(run: Path) -> None:
    """Everything in the run can be read; the pool's table and its files belong together."""
    pool = Pool(run / FOLDER, Setting(GAME, 3), 2, ["random"])
    assert len(pool.snapshots) <= 2 and {file.stem for file in pool.folder.glob("*.npz")} == set(pool.snapshots)
    assert pool.latest() <= learned(run), "no snapshot is ahead of the learner"
    for name, snapshot in pool.snapshots.items():
        assert pool.agent(name).about.steps == snapshot.steps
        assert np.isfinite(snapshot.rating) and snapshot.beat["random"][1] > 0 and 0 <= snapshot.won <= snapshot.met


@pytest.mark.parametrize(
    ("name", "moments"), [("maskable_ppo", (rating_under_way, writing, another_update)), ("ppo", (writing,))]
)
def test_self_play_is_resumed_after_every_kill(
    name: str, moments: tuple[Callable[[Path], bool], ...], tmp_path: Path
) -> None:
    config, run = tmp_path / "tiny.yaml", tmp_path / "run"
    config.write_text(yaml.safe_dump(SETTINGS | {"learner": name}))
    script = [sys.executable, str(ROOT / "scripts" / "train.py")]
    lines = [[*script, str(config), "--out", str(run)], *[[*script, "--resume", str(run)]] * (len(moments) - 1)]
    reached = 0
    for line, moment in zip(lines, moments, strict=True):
        killed(line, run, moment)
        now = learned(run)
        assert now > reached
        # A row is written just before the learner: a kill between the two leaves one too many, and none is lost.
        assert 0 <= metrics.read(run / "metrics.csv")[-1].steps - now <= UPDATE
        assert_whole(run)
        reached = now
    (run / CHECKPOINTS / ".000000000007.partial").mkdir()  # as a kill leaves one whose number never comes again
    done = subprocess.run([*script, "--resume", str(run)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    end, steps = learned(run), [row.steps for row in metrics.read(run / "metrics.csv")]
    assert 10_000 <= end <= 10_000 + UPDATE and not list(run.rglob(".*.partial"))
    assert steps[-1] == end and all(0 < b - a <= UPDATE for a, b in pairwise([0, *steps]))
    if name == "maskable_ppo":  # an update is as many decisions of the learner's; with `ppo` as many of anybody's
        assert steps == list(range(UPDATE, 10_241, UPDATE))
    assert_whole(run)
    assert len(Pool(run / FOLDER, Setting(GAME, 3), 2, ["random"]).snapshots) == 2
    assert (run / "evaluation.md").exists() and read_agent(run, Setting(GAME, 3)).about.steps == end
