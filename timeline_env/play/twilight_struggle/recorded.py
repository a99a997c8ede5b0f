"""Recorded games of Twilight Struggle, to be stepped through: logs that people's games left, and what they were converted to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from timeline_env.play.replays import Played
from timeline_env.play.steps import copy_position
from timeline_env.reading import label_errors
from timeline_env.twilight_struggle import GAME
from timeline_env.twilight_struggle.recorded import conversion
from timeline_env.view.twilight_struggle.words import SIDE_NAMES


def from_converted(path: Path) -> Played:
    """A converted game. Raises ValueError if the file is none, or its decisions cannot be played."""
    converted = conversion.load(path)
    with label_errors(f"{str(path)!r} is not a converted game"):
        return _played(converted)


def from_log(path: Path) -> Played:
    """A log. Raises ValueError if the file is none, or the engine differs from it."""
    return _played(conversion.convert_game(path))


def _played(converted: dict[str, Any]) -> Played:
    player = conversion.Player(converted["seed"], converted["rules"])
    line = []
    for action, generator_state, moved in converted["decisions"]:
        player.arrange(generator_state, moved)
        line.append((copy_position(player.s), action))
        player.batch.step([action], restart=False)
    title = f"Twilight Struggle: {converted['name']}"
    return Played(
        GAME, player.batch.rules, converted["rules"], title, SIDE_NAMES[:2], tuple(line), copy_position(player.s)
    )
