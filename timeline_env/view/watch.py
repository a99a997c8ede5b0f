"""A saved game as pictures, one for each position."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from timeline_env import view
from timeline_env.engine.replay import SavedGame, follow
from timeline_env.games import game_named
from timeline_env.view.move import Move


def pictures(saved: SavedGame, mode: str, viewer: int | None = None) -> Iterator[Any]:
    """The pictures of a game from the deal to its last move, each with the move that led to it; see `timeline_env.view.render`.

    Raises:
        ValueError: the game cannot be replayed here, or a mode or seat that is not known.
    """
    game = game_named(saved.game)
    rules = game.load_rules(saved.num_players, saved.rules)
    last = before = None
    for states, action in follow(saved):
        if action is not None:
            last = Move(before, action)
        before = states[0]
        yield view.render(game, rules[0], before, mode, viewer, last)
