"""The available games, by name. A game's rules, and with them the compiler, are imported when the game is first asked for."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from timeline_env.reading import quote, unknown_name

if TYPE_CHECKING:
    from timeline_env.engine.verbs import Game

PACKAGES = {
    "timeline": "timeline_env.timeline",
    "twilight_struggle": "timeline_env.twilight_struggle",
}
"""The package that registers each game."""
ENVIRONMENTS = {name: f"{package}_v0" for name, package in PACKAGES.items()}
"""The module with each game's environments."""
DEFAULT = "timeline"
"""The game that is meant where none is named."""


def known_games() -> list[str]:
    """The names of all games: those that come with the package, then those that were registered from elsewhere."""
    from timeline_env.engine.verbs import GAMES

    return list(dict.fromkeys([*PACKAGES, *GAMES]))


def environments_of(name: str) -> ModuleType:
    """The module of this game's PettingZoo environments. Raises ValueError if the package has none for it."""
    if name not in ENVIRONMENTS:
        raise ValueError(f"game {quote(name)} has no environments here; there are some of: {', '.join(ENVIRONMENTS)}")
    return importlib.import_module(ENVIRONMENTS[name])


def game_named(name: str) -> Game:
    """The game of this name. Raises ValueError if there is none."""
    if isinstance(name, str) and name in PACKAGES:
        importlib.import_module(PACKAGES[name])
    from timeline_env.engine.verbs import GAMES

    if not isinstance(name, str) or name not in GAMES:
        raise unknown_name("game", name, known_games())
    return GAMES[name]
