"""Checkpoints: a folder each, there at once or not at all.

``learner.pt`` holds tensors and numbers only and is read with torch's ``weights_only``, which runs no code from the file.
"""

from __future__ import annotations

import os
import pickle
import shutil
from dataclasses import dataclass
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO

from timeline_env.files import write_file
from timeline_env.players.network import AGENT_FILE, CHECKPOINTS
from training.model import to_agent
from training.run_folder import RunFolder

LEARNER_FILE = "learner.pt"


@dataclass(frozen=True)
class Progress:
    """How far a run has come: decisions taken, updates done, seconds spent."""

    steps: int = 0
    updates: int = 0
    seconds: float = 0.0


def save(run: RunFolder, model: MaskablePPO, seconds: float) -> None:
    """Add a checkpoint to the run; of the ones before only what is needed to play with them stays."""
    earlier = run.checkpoints()
    final = run.path / CHECKPOINTS / f"{model.num_timesteps:012d}"
    partial = final.with_name(f".{final.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    to_agent(model, run.config).save(partial / AGENT_FILE)
    state = {
        "policy": model.policy.state_dict(),
        "optimizer": model.policy.optimizer.state_dict(),
        "steps": model.num_timesteps,
        "updates": model._n_updates,
        "seconds": seconds,
    }
    write_file(partial / LEARNER_FILE, lambda file: torch.save(state, file))
    os.replace(partial, final)
    for folder in earlier:
        (folder / LEARNER_FILE).unlink(missing_ok=True)


def restore(run: RunFolder, model: MaskablePPO) -> Progress:
    """Put the run's latest checkpoint into an untrained model; say how far it had come. Without one, it begins at the beginning.

    Raises:
        ValueError: the checkpoint cannot be read.
    """
    found = [folder / LEARNER_FILE for folder in run.checkpoints() if (folder / LEARNER_FILE).is_file()]
    if not found:
        return Progress()
    return _put(found[-1], model)


def _put(file: Path, model: MaskablePPO) -> Progress:
    try:
        state = torch.load(file, weights_only=True, map_location="cpu")
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        model.num_timesteps, model._n_updates = state["steps"], state["updates"]
        return Progress(state["steps"], state["updates"], state["seconds"])
    except pickle.UnpicklingError:  # torch's message is long, and says how to run the file all the same
        raise ValueError(
            f"checkpoint {str(file)!r} cannot be read: damaged, or more than tensors and numbers"
        ) from None
    except Exception as error:  # torch names no kinds: a broken file shows itself in many ways
        raise ValueError(f"checkpoint {str(file)!r} cannot be read: {error}") from None
