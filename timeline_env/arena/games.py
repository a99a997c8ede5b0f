"""Whole games between any players, many at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.players.asking import ask
from timeline_env.players.interface import Player


@dataclass(frozen=True)
class Results:
    """How `n` games ended.

    Attributes:
        seating: int64 [n, players], which player (index) sat in each seat, at the end if they changed.
        points, rank: float32 [n, players], by seat; rank 1 is best, ties share the mean.
        decisions: int64 [n], how many decisions were taken.
        actions: unsigned [sum of the decisions], what was chosen, game after game.
    """

    seating: NDArray[np.int64]
    points: NDArray[np.float32]
    rank: NDArray[np.float32]
    decisions: NDArray[np.int64]
    actions: NDArray[Any]

    def games(self) -> list[NDArray[np.int64]]:
        """The actions of each game, int64."""
        return np.split(self.actions.astype(np.int64), np.cumsum(self.decisions)[:-1])


def rotate_seats(tables: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every table turned by one seat at a time, so that each player sits in each of its seats.

    Takes int64 [n, players], who sits where; gives int64 [n * players, players], the turns of a table one after the other.
    """
    seats = tables.shape[1]
    turn, place = np.ix_(np.arange(seats), np.arange(seats))
    return tables[:, (place - turn) % seats].reshape(-1, seats)


def play_games(
    setting: Setting,
    players: Sequence[Player],
    seating: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    progress: Callable[[int], None] = lambda finished: None,
) -> Results:
    """Play one game for each row of `seating`, dealt from the seed in the same row.

    Args:
        setting: what is played.
        players: who plays.
        seating: int64 [n, players a game], an index into `players` for each seat.
        seeds: uint64 [n]; rows with the same seed have the same deal.
        progress: called with the number of games that have ended since the last call.

    Raises:
        PlayerFailed: a player failed, or answered wrongly.
    """
    batch = Batch(setting, len(seating))
    batch.deal(seeds)
    return finish_games(batch, players, seating, progress)


def finish_games(
    batch: Batch,
    players: Sequence[Player],
    seating: NDArray[np.int64],
    progress: Callable[[int], None] = lambda finished: None,
    look: Callable[[NDArray[np.int64]], None] = lambda running: None,
) -> Results:
    """Play all games of a freshly dealt batch to their ends, which stay in the batch; arguments and errors as for `play_games`.

    `look` is called before every decision with the games still running (int64 [k]), whose positions are in the batch; it may
    write other players into `seating`.
    """
    running = np.arange(len(seating))
    kind = np.min_scalar_type(batch.num_actions)
    asked, chosen = [], []
    while len(running):
        look(running)
        actions = ask(players, seating, batch, running)
        batch.step(actions, running, restart=False)
        asked.append(running)
        chosen.append(actions.astype(kind))
        still = running[~batch.done[running]]
        progress(len(running) - len(still))
        running = still
    games = np.concatenate(asked)
    in_turn = np.concatenate(chosen)[np.argsort(games, kind="stable")]
    decisions = np.bincount(games, minlength=len(seating))
    return Results(seating, batch.points.copy(), batch.rank.copy(), decisions, in_turn)
