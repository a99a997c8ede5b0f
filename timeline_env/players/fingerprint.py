"""A hash of what a player is made of, by which a tournament, or a training run, sees that a player has changed."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path

from timeline_env.engine.setting import Setting
from timeline_env.players.agents.agent_files import agent_file
from timeline_env.players.agents.shipped import agent_path
from timeline_env.players.names import PlayerName, look_here
from timeline_env.reading import quote


def fingerprint(name: PlayerName, setting: Setting) -> str:
    """A hash of the files that a player is made of, empty for the package's own code: a changed file is another player.

    Raises ValueError for a player of the program that runs: its module, ``__main__``, is another one in the next program.
    """
    if path := agent_path(name.agent, setting):
        files = [agent_file(path)]
    elif name.command:
        files = name.command.files()
    elif name.place.startswith("__main__:"):
        raise ValueError(
            f"player {quote(name.text)} must be in a file of its own: __main__ is another one in every program"
        )
    elif name.place and (origin := _origin(name.place.partition(":")[0])):
        files = [Path(origin)]
    else:
        return ""
    digest = hashlib.sha256()
    for path in files:  # a piece at a time: a command's weights may be larger than memory
        with path.open("rb") as file:
            hashlib.file_digest(file, lambda: digest)
    return digest.hexdigest()


def _origin(module: str) -> str | None:
    """The file of a user's own module; None if it is not found, or is no file."""
    look_here()
    spec = importlib.util.find_spec(module)
    return spec.origin if spec else None
