"""The positions that commands show: one that is given, or one out of a game between the best baselines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from timeline_env import view
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.players import Decisions
from timeline_env.players.registry import player_from

SEED = 8
"""The game's seed, if none is given."""


def play(game: Game, seed: int, players: int | None, limit: int | None) -> tuple[Batch, int, view.Move | None]:
    """Play a game up to where it is to stop, or to its end; gives its batch, how many decisions were taken, and the last of them.

    Raises:
        ValueError: a number that is not allowed.
    """
    if limit is not None and limit < 0:
        raise ValueError(f"--decisions {limit} must be at least 0")
    batch = Batch(Setting(game, players), 1, seed)
    player, games = player_from(list(game.baselines)[-1], batch.setting, seed), np.zeros(1, np.int64)
    taken, last = 0, None
    is_there = worth_a_picture(game) if limit is None else None
    while not batch.done[0] and not (is_there(batch.states[0]) if is_there else taken == limit):
        actions = player.act(Decisions.of(batch, games))
        last = view.Move(batch.states.copy()[0], int(actions[0]))
        batch.step(actions, restart=False)
        taken += 1
    return batch, taken, last


def lay_out(game: Game, position: str) -> Batch:
    """A batch of the one position. Raises ValueError if there is no such position."""
    batch = Batch(Setting(game, game.notation.num_players_in(position)), 1)
    batch.states[:] = game.notation.from_text(batch.rules, position)
    batch.refresh()
    return batch


def worth_a_picture(game: Game) -> Callable[[Any], bool]:
    """The view's function that tells whether there is much to see in a position. Raises ValueError if the game has no view."""
    found: Callable[[Any], bool] = view.view_of(game, "drawing").worth_a_picture
    return found
