"""A run folder: what a run is, how far it has come, what came out. Whatever is in it is whole, whenever the run is killed.

::

    config.yaml          the configuration, with every key
    run.json             versions, seed, the commands given
    metrics.csv          one row for each update
    tensorboard/         the same and more, for TensorBoard
    learner.pt           after the last update: to go on with
    checkpoints/N/       after N decisions: agent.npz, to play with
    pool/                snapshots to play against, if the configuration asks for them: pool.json and an npz each
    evaluation.json, evaluation.md, learning_curve.png     at the end
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import yaml

from timeline_env import __version__, cli
from timeline_env.files import held, new_folder, write_text
from timeline_env.players.agents.agent import CHECKPOINTS
from timeline_env.reading import naming, read_json, read_yaml, shown, table_of
from training.config import Config, checked

ABOUT = "run.json"
PACKAGES = ("numpy", "numba", "torch", "stable-baselines3", "sb3-contrib", "gymnasium", "pettingzoo", "ray")
"""Whose versions are noted; None for one that is not installed."""


@dataclass(frozen=True)
class RunFolder:
    """A folder that holds a run; `create` makes one, `open_run` finds one."""

    path: Path
    config: Config

    @property
    def metrics(self) -> Path:
        return self.path / "metrics.csv"

    def kept(self) -> int:
        """Decisions of the learner at the last agent that was kept; 0 without one."""
        return max((int(folder.name) for folder in (self.path / CHECKPOINTS).glob("[0-9]*")), default=0)

    def check_here(self) -> None:
        """Raise ValueError if the run is no longer in its folder; the folder may have been made anew by whoever writes into it."""
        if not (self.path / ABOUT).is_file():
            raise ValueError(f"run {str(self.path)!r} is no longer there; go on with --resume where it is now")

    def held(self) -> AbstractContextManager[None]:
        """Keep every other process out of the run. Raises ValueError if one is in it."""
        return held(self.path, f"run {str(self.path)!r} is being trained by another process")


def create(path: Path, config: Config, command: list[str]) -> RunFolder:
    """Make the folder of a new run, at once or not at all.

    Raises:
        ValueError: there is something at `path`.
    """
    if path.exists():
        raise ValueError(f"{str(path)!r} exists; give another folder with --out, or go on with --resume")
    path.parent.mkdir(parents=True, exist_ok=True)
    with new_folder(path) as folder:
        (folder / CHECKPOINTS).mkdir()
        write_text(folder / "config.yaml", yaml.safe_dump(config.model_dump(), sort_keys=False))
        cli.to_json(folder / ABOUT, _about(config, command))
    return RunFolder(path, config)


def open_run(path: Path, command: list[str]) -> RunFolder:
    """Find a run to go on with, and note the command in it.

    Raises:
        ValueError: it is no run, or one of other rules.
    """
    label = f"{shown(str(path))} is not a run folder"
    about = table_of(read_json(path / ABOUT, label), label, "commands", "rules_version")
    commands, version = about["commands"], about["rules_version"]
    if not isinstance(commands, list):
        raise ValueError(f"{label}: commands {shown(commands)} must be a list")
    content = read_yaml(path / "config.yaml", label)
    with naming(label):
        config = checked(content)
    if version != config.played.rules_version:
        raise ValueError(
            f"run {str(path)!r} has rules_version {shown(version)}; {config.played.rules_version} is needed"
        )
    cli.to_json(path / ABOUT, about | {"commands": [*commands, command]})
    return RunFolder(path, config)


def _about(config: Config, command: list[str]) -> dict[str, Any]:
    versions = {name: _version(name) for name in PACKAGES}
    return {
        "game": config.game,
        "rules_version": config.played.rules_version,
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
    """The commit of this code, with ``-dirty`` if files were changed since; None outside a git checkout."""
    asked = ["git", "-C", str(Path(__file__).parent), "describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return None
