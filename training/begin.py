"""The run that a command line means: a new one, or one to go on with."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from timeline_env import cli
from training.config import load_config
from training.run_folder import RunFolder, open_run


def run_for(config: Path | None, overrides: list[str], resume: Path | None, out: Path | None) -> RunFolder:
    """The folder of a new run by a configuration, or of the run that is to be resumed.

    Raises:
        ValueError: it is neither or both, or what was given is wrong; nothing was written then.
    """
    if resume is None and config is not None:
        return _begun(config, overrides, out)
    if resume is not None and config is None and out is None:
        return open_run(resume, sys.argv)
    raise ValueError("give a configuration (with key=value and --out as you like), or --resume RUN alone")


def _begun(config: Path, overrides: list[str], out: Path | None) -> RunFolder:
    wanted = load_config(config, overrides)  # before the seconds that importing the learner takes
    with cli.extra("train"):
        from training.train import start
    return start(wanted, out or Path("runs") / f"{config.stem}-{time.strftime('%Y%m%d-%H%M%S')}", sys.argv)
