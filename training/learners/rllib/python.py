"""RLlib has a Python of its own, since Ray asks for other versions of what the package needs; see docs/training.md."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

from training.config import Config

ROOT = Path(__file__).resolve().parents[3]
PYTHON = ROOT / ".venv-rllib" / "bin" / "python"


def run_where_ray_is(config: Config) -> None:
    """If the learner is RLlib and this Python has no Ray, run this command again by the Python that has it, in place of this process.

    Raises:
        ValueError: no such Python is there.
    """
    found = importlib.util.find_spec("ray")
    if config.learner != "rllib" or (found and found.origin):  # a mere folder of that name has no origin
        return
    if not PYTHON.is_file():
        raise ValueError(
            "learner 'rllib' needs Ray in an environment of its own: python3 -m venv .venv-rllib && "
            ".venv-rllib/bin/pip install -c constraints-rllib.txt -e '.[rllib]'; allowed without it: ppo, maskable_ppo"
        )
    sys.stdout.flush()
    os.execv(PYTHON, [str(PYTHON), *sys.argv])
