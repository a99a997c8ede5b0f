"""What a run is gone on with, and the agents it leaves on its way: each there at once or not at all.

``learner.pt`` is written after every update, so a kill costs the update under way. It holds tensors and numbers only and is
read with torch's ``weights_only``, which runs no code from the file.
"""

from __future__ import annotations

import io
import math
import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from timeline_env.files import new_folder, write_file
from timeline_env.players.agents.agent import AGENT_FILE, CHECKPOINTS, Agent
from timeline_env.reading import check_archive, cut, naming, shown, told

if TYPE_CHECKING:
    from sb3_contrib import MaskablePPO

    from training.run_folder import RunFolder

LEARNER_FILE = "learner.pt"
KIND = "MaskablePPO"
"""Of learner, since a file of one kind is of no use to another."""


@dataclass(frozen=True)
class Progress:
    """How far a run has come: decisions taken, updates done, seconds spent."""

    steps: int = 0
    updates: int = 0
    seconds: float = 0.0


def save(run: RunFolder, model: MaskablePPO, seconds: float) -> None:
    """Write what the run can be gone on with, in the place of what was written before."""
    progress = Progress(model.num_timesteps, model._n_updates, seconds)
    write(run, KIND, model.policy.state_dict(), model.policy.optimizer.state_dict(), progress)


def write(run: RunFolder, kind: str, policy: dict[str, Any], optimizer: dict[str, Any], progress: Progress) -> None:
    """Write a learner of any kind: the states of its network and its optimizer, and how far it has come."""
    run.check_here()
    write_state(run.path / LEARNER_FILE, {"kind": kind, "policy": policy, "optimizer": optimizer, **asdict(progress)})


def write_state(path: Path, state: dict[str, Any]) -> None:
    """Put a learner's file in the place of `path`. Raises OSError if it cannot be written; PyTorch's own writer says that in no such way."""
    content = io.BytesIO()
    torch.save(state, content)
    write_file(path, lambda file: file.write(content.getbuffer()))


def keep(run: RunFolder, agent: Agent) -> None:
    """Add the agent as it stands to those that the run keeps to play with."""
    final = run.path / CHECKPOINTS / f"{agent.about.steps:012d}"
    with new_folder(final) as folder:
        agent.save(folder / AGENT_FILE)


def restore(run: RunFolder, model: MaskablePPO) -> Progress:
    """Put the run's learner into an untrained model; say how far it had come. Without one, it begins at the beginning.

    Raises:
        ValueError: the file cannot be read.
    """
    file = run.path / LEARNER_FILE
    if not file.is_file():
        return Progress()
    with readable(file, KIND) as state:
        model.policy.load_state_dict(state["policy"])
        model.policy.optimizer.load_state_dict(state["optimizer"])
        progress = come_to(state)
        model.num_timesteps, model._n_updates = progress.steps, progress.updates
        return progress


@contextmanager
def readable(file: Path, kind: str | None = None) -> Iterator[dict[str, Any]]:
    """What is in a learner's file, while it is put to use; whatever fails on the way is a ValueError that names the file.

    A file that says it is of another kind of learner than `kind` is refused.
    """
    with naming(f"learner {shown(str(file))} cannot be read"):
        check_archive(file, "archive of PyTorch's")
        try:
            state = torch.load(file, weights_only=True, map_location="cpu")
            if state.get("kind", kind) != kind:
                raise ValueError(f"it is a learner of {cut(str(state['kind']))}; {kind} is needed")
            yield state
        except pickle.UnpicklingError:  # torch's message is long, and says how to run the file all the same
            raise ValueError("damaged, or more than tensors and numbers") from None
        except Exception as error:  # torch names no kinds: a broken file shows itself in many ways
            raise ValueError(told(error)) from None


def come_to(state: dict[str, Any]) -> Progress:
    """How far the learner of a file had come. Raises ValueError if that is no number."""
    steps, updates, seconds = state["steps"], state["updates"], state["seconds"]
    if not all(type(count) is int and count >= 0 for count in (steps, updates)) or not 0 <= seconds < math.inf:
        raise ValueError(f"it cannot have come to {shown((steps, updates, seconds))}")
    return Progress(steps, updates, float(seconds))
