"""Players by name."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from timeline_env.engine.verbs import Game
from timeline_env.players.interface import Player
from timeline_env.players.lookahead import Greedy, Projector
from timeline_env.players.random_ import Random

BASELINES: dict[str, dict[str, Callable[..., Player]]] = {
    "timeline": {"random": Random, "greedy": Greedy, "projector": Projector},
}
"""The scripted players of each game, weakest first."""


def load_player(name: str, game: Game, seed: int = 0) -> Player:
    """The player of this name.

    Args:
        name: a baseline of the game; ``module:Class`` for a player of your own (which imports that module); or the
            path of a trained agent: a run folder or a checkpoint.
        game: the game to be played.
        seed: for whatever the player draws.

    Raises:
        ValueError: there is no such player; the message names it and what is allowed.
    """
    baselines = BASELINES[game.name]
    if name in baselines:
        return baselines[name](seed=seed)
    module, colon, attribute = name.partition(":")
    if colon and module and attribute:
        return _own(module, attribute)(seed=seed)
    raise ValueError(f"unknown player {name!r}; known: {', '.join(baselines)}, module:Class")


def _own(module: str, attribute: str) -> Any:
    try:
        return getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"player {module}:{attribute} cannot be loaded: {error}") from None
