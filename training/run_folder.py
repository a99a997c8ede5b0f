"""A run folder: what a run is, how far it has come, what came out. Every file is written atomically.

::

    config.yaml          the configuration, with every key
    run.json             versions, seed, the commands given
    metrics.csv          one row for each update
    tensorboard/         the same and more, for TensorBoard
    learner.pt           the learner after the last update, to resume from
    checkpoints/N/       after N decisions: agent.npz, to play with
    pool/                snapshots to play against, if the configuration asks for them: pool.json and an npz each
    evaluation.json, evaluation.md, learning_curve.png     at the end
"""

from __future__ import annotations

import importlib.metadata
import io
import math
import os
import pickle
import platform
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, redirect_stderr
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from timeline_env import __version__
from timeline_env.files import lock_folder, new_folder, write_file, write_json, write_text
from timeline_env.players.agents.agent import Agent
from timeline_env.players.agents.agent_files import AGENT_FILE, CHECKPOINTS, checkpoint_folder, checkpoint_folders
from timeline_env.reading import (
    MOST_SETTINGS,
    check_archive,
    check_sums,
    cut,
    flatten,
    label_errors,
    quote,
    read_json,
    read_yaml,
    table_of,
)
from training.config import Config, parse_config, unset_keys
from training.results.metrics import METRICS

CONFIG = "config.yaml"
ABOUT = "run.json"
LEARNER_FILE = "learner.pt"
PACKAGES = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium", "pettingzoo", "ray")
"""Whose versions are noted; None for one that is not installed."""


@contextmanager
def log_beside(run: Path) -> Iterator[None]:
    """Send what is printed of a run's progress to a file beside its folder: several progress bars would mix."""
    with run.with_name(f"{run.name}.log").open("a", encoding="utf-8") as log, redirect_stderr(log):
        yield


@dataclass(frozen=True)
class Progress:
    """How far a run has come: decisions of the learner, seconds spent."""

    steps: int = 0
    seconds: float = 0.0


@dataclass(frozen=True)
class RunFolder:
    """A folder that holds a run; `create` makes one, `open_run` finds one."""

    path: Path
    config: Config

    @property
    def metrics(self) -> Path:
        return self.path / METRICS

    def last_checkpoint(self) -> int:
        """Decisions of the learner at the last agent that was kept; 0 without one."""
        kept = (folder for folder in checkpoint_folders(self.path) if (folder / AGENT_FILE).is_file())
        return max((int(folder.name) for folder in kept), default=0)

    def check_here(self) -> None:
        """Raise ValueError if the run is no longer in its folder, which another program may have recreated by writing into it."""
        if not (self.path / ABOUT).is_file():
            raise ValueError(f"run {str(self.path)!r} is no longer there; resume it with --resume where it is now")

    def lock(self) -> AbstractContextManager[None]:
        """Keep every other process out of the run. Raises ValueError if one is in it."""
        return lock_folder(self.path, f"run {str(self.path)!r} is being trained by another process")

    def keep(self, agent: Agent) -> None:
        """Add the current agent to the checkpoints."""
        path = checkpoint_folder(self.path, agent.about.steps)
        shutil.rmtree(path, ignore_errors=True)  # one that lost its agent
        path.parent.mkdir(exist_ok=True)
        with new_folder(path) as folder:
            agent.save(folder / AGENT_FILE)

    def save(self, state: dict[str, Any], progress: Progress) -> None:
        """Write the learner's state (see `Learner.state`) and how far it has come. Raises OSError if it cannot be written."""
        import torch

        content = io.BytesIO()  # PyTorch's own writer reports a full disk as an internal error of its own
        torch.save({"learner": self.config.learner, **state, **vars(progress)}, content)
        write_file(self.path / LEARNER_FILE, lambda file: file.write(content.getbuffer()))

    @contextmanager
    def load_state(self) -> Iterator[dict[str, Any]]:
        """What was saved, while it is put to use; any failure meanwhile is a ValueError that names the file.

        The file is read with torch's ``weights_only``, which runs no code from it.
        """
        import torch

        file = self.path / LEARNER_FILE
        with label_errors(f"learner {quote(str(file))} cannot be read"):
            check_archive(file, "archive of PyTorch's")
            check_sums(file)  # PyTorch does not look at them
            try:
                state = torch.load(file, weights_only=True, map_location="cpu")
                if state["learner"] != self.config.learner:
                    raise ValueError(f"its learner is {cut(str(state['learner']))}; {self.config.learner} is needed")
                yield state
            except torch.OutOfMemoryError:
                raise  # the file is not to blame
            except pickle.UnpicklingError:  # torch's message is long, and says how to run the file all the same
                raise ValueError("damaged, or more than tensors and numbers") from None
            except Exception as error:  # torch documents no kinds of error: a broken file shows itself in many ways
                raise ValueError(flatten(error)) from None

    def progress(self) -> Progress:
        """How far the saved learner has come. Raises ValueError if its file is damaged, or gone."""
        if not (self.path / LEARNER_FILE).is_file():
            if checkpoint_folders(self.path):
                raise ValueError(f"{str(self.path / LEARNER_FILE)!r} is no longer there: the run cannot be resumed")
            return Progress()
        with self.load_state() as state:
            steps, seconds = state["steps"], state["seconds"]
            if type(steps) is not int or steps < 0 or not 0 <= seconds < math.inf:
                raise ValueError(f"steps {quote(steps)} and seconds {quote(seconds)} must be numbers of at least 0")
            return Progress(steps, float(seconds))


def create(path: Path, config: Config, command: list[str]) -> RunFolder:
    """Make the folder of a new run, atomically.

    Raises:
        ValueError: `path` exists.
    """
    if os.path.lexists(path):
        raise ValueError(f"{str(path)!r} exists; give another folder with --out, or resume it with --resume")
    text = yaml.safe_dump(config.model_dump(), sort_keys=False)
    if len(text.encode()) > MOST_SETTINGS:
        raise ValueError(
            f"the configuration has {len(text.encode()):,} bytes with every key; at most {MOST_SETTINGS:,} are read again"
        )
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_folder(path) as folder:
        (folder / CHECKPOINTS).mkdir()
        write_text(folder / CONFIG, text)
        write_json(folder / ABOUT, _about(config, command))
    return RunFolder(path, config)


def open_run(path: Path, command: list[str]) -> RunFolder:
    """Find a run to resume, and note the command in it.

    Raises:
        ValueError: it is not a run, or one of an earlier version or of other rules, or its configuration lacks a key, or another
            process trains it.
    """
    run, _ = read_run(path)
    if lacking := unset_keys(run.config):  # a run with a damaged file must not go on with defaults
        raise ValueError(f"run {str(path)!r}: config.yaml must have every key, and lacks {', '.join(lacking)}")
    with run.lock():
        _, about = read_run(path)
        write_json(path / ABOUT, about | {"commands": [*about["commands"], command]})
    return run


def read_run(path: Path) -> tuple[RunFolder, dict[str, Any]]:
    """The run in this folder, and the content of its `ABOUT`. Raises ValueError if it is none, or of other rules."""
    label = f"{quote(str(path))} is not a run folder"
    about = table_of(read_json(path / ABOUT, label), label, "commands", "rules_version")
    commands, version = about["commands"], about["rules_version"]
    if not isinstance(commands, list):
        raise ValueError(f"{label}: commands {quote(commands)} must be a list")
    content = read_yaml(path / CONFIG, label)
    with label_errors(label):
        config = parse_config(content)
    if version != config.registered_game.rules_version:
        raise ValueError(
            f"run {str(path)!r} has rules_version {quote(version)}; {config.registered_game.rules_version} is needed"
        )
    return RunFolder(path, config), about


def _about(config: Config, command: list[str]) -> dict[str, Any]:
    versions = {name: _version(name) for name in PACKAGES}
    return {
        "game": config.game,
        "rules_version": config.registered_game.rules_version,
        "seed": config.seed,
        "begun": datetime.now(UTC).isoformat(timespec="seconds"),
        "commands": [command],
        "versions": {"timeline-env": __version__, "python": platform.python_version(), **versions},
        "git_commit": _git_commit(),
        "machine": f"{platform.platform()}, {os.cpu_count()} CPUs",
    }


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _git_commit() -> str | None:
    """The commit of this code, with ``-dirty`` if files were changed since; None if it does not run from a clone of its own."""
    root = Path(__file__).resolve().parents[1]
    if not (root / ".git").exists():  # installed, it may lie inside somebody else's
        return None
    asked = ["git", "-C", str(root), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
