"""Recorded games of Twilight Struggle, to be stepped through: logs that people's games left, and what they were converted to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from timeline_env.play.replays import Played
from timeline_env.play.steps import copy_position
from timeline_env.twilight_struggle import GAME
from timeline_env.twilight_struggle.recorded import conversion
from timeline_env.view.twilight_struggle.words import SIDE_NAMES


class Watched(conversion.Player):
    """A player of converted games that keeps every position in which something was decided."""

    def __init__(self, seed: int, variant: Any) -> None:
        super().__init__(seed, variant)
        self.line: list[tuple[Any, int]] = []

    def decide(self, action: int, generator_state: int | None, moved: list[int]) -> None:
        """Play one decision of a converted game, and keep it."""
        self.arrange(generator_state, moved)
        self.line.append((copy_position(self.batch.states[0]), action))
        self.batch.step([action], restart=False)


def from_converted(path: Path) -> Played:
    """A converted game. Raises ValueError if the file is none, or its decisions cannot be played."""
    return _played(conversion.load(path))


def from_log(path: Path) -> Played:
    """A log. Raises ValueError if the file is none, or the engine differs from it."""
    return _played(conversion.convert_game(path))


def _played(converted: dict[str, Any]) -> Played:
    player = Watched(converted["seed"], converted["rules"])
    for decision in converted["decisions"]:
        player.decide(*decision)
    title = f"Twilight Struggle: {converted['name']}"
    line, last = tuple(player.line), copy_position(player.batch.states[0])
    return Played(GAME, player.batch.rules, converted["rules"], title, SIDE_NAMES[:2], line, last)
