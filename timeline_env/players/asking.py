"""Asking players: an error in a user's own code is reported with the player, the file and the line."""

from __future__ import annotations

import traceback
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.batch import Batch
from timeline_env.failures import PlayerFailed
from timeline_env.players.interface import Decisions, FunctionPlayer, Player
from timeline_env.reading import flatten


def name_of(player: Any) -> str:
    """The name of a player, or ``module:Class`` of one that is in memory; of a function ``module:function``."""
    if isinstance(player, str):
        return player
    told = player.function if isinstance(player, FunctionPlayer) else player
    told = told if hasattr(told, "__qualname__") else type(told)
    return f"{told.__module__}:{told.__qualname__}"


def answers(player: Player, decisions: Decisions) -> NDArray[np.int64]:
    """What the player chooses, int64 [k].

    Raises:
        PlayerFailed: its ``act`` failed, or gave something other than a legal action for every row.
    """
    act = player.function if isinstance(player, FunctionPlayer) else player.act
    games = decisions.games.copy()  # the player may write into its own
    try:
        actions = np.asarray(act(decisions))
    except PlayerFailed:
        raise
    except (Exception, SystemExit) as error:  # a player may end itself, not the command that asks it
        raise PlayerFailed(
            f"player {name_of(player)} failed{_innermost_line(error)}: {type(error).__name__}: {flatten(error)}"
        ) from error
    count = len(games)
    if actions.shape != (count,) or actions.dtype.kind not in "iu":
        raise PlayerFailed(
            f"player {name_of(player)} answered with {actions.dtype} of shape {actions.shape}; "
            f"expected are integers (int64) of shape ({count},), an action for each decision"
        )
    _check_legal(player, decisions.batch, games, actions)
    return actions.astype(np.int64, copy=False)


def ask(
    players: Sequence[Player], seating: NDArray[np.int64], batch: Batch, games: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The actions of the players in the seats to act, for these games of a batch; int64 [len(games)].

    Raises:
        PlayerFailed: as `answers`.
    """
    actions = np.empty(len(games), np.int64)
    who = seating[games, batch.seat[games]]
    for index, player in enumerate(players):
        rows = np.flatnonzero(who == index)
        if len(rows):
            actions[rows] = answers(player, Decisions.of(batch, games[rows]))
    return actions


def _check_legal(player: Player, batch: Batch, games: NDArray[np.int64], actions: NDArray[Any]) -> None:
    mask = batch.action_mask  # the decisions' own is a copy, which the player may have changed
    exists = (actions >= 0) & (actions < mask.shape[1])
    legal = exists & (mask[games, np.where(exists, actions, 0)] == 1)
    if not legal.all():
        row = int(legal.argmin())
        allowed = " ".join(map(str, np.flatnonzero(mask[games[row]])))
        raise PlayerFailed(
            f"player {name_of(player)} answered decision {row} with action {actions[row]}, which is not legal; "
            f"legal are {allowed}"
        )


def _innermost_line(error: BaseException) -> str:
    """`` in act, mine.py line 12``: the innermost line of the file that ``act`` is in; nothing if ``act`` was not reached."""
    frames = traceback.extract_tb(error.__traceback__)[1:]
    own = [frame for frame in frames if frame.filename == frames[0].filename]
    return f" in {own[-1].name}, {own[-1].filename} line {own[-1].lineno}" if own else " when its act was called"
