"""Sizes that this machine cannot hold are refused before anything is written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise

from timeline_env.engine.verbs import Game
from timeline_env.players.agents.graph_reader import Board, heads_of

MOST_CONVOLUTIONS = 100


def check_memory(what: str, needed: int) -> None:
    """Raise ValueError if `what` needs more bytes than this machine has."""
    there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if needed > there:
        raise ValueError(f"{what} need {needed / 2**30:,.0f} GiB of memory; this machine has {there / 2**30:,.0f}")


def network_bytes(
    game: Game,
    num_players: int,
    pieces: Sequence[str],
    kind: str,
    channels: int,
    convolutions: int,
    hidden: Sequence[int],
) -> int:
    """The bytes that policy and value take while they are learned: each weight, its gradient and Adam's two means, as float32."""
    body, width = 0, len(game.layout(num_players).columns(pieces))
    if kind == "graph":
        board = Board(game, num_players, pieces)
        body, width = channels * sum(board.inputs(channels, convolutions)), board.width(channels)
    weights = sum(a * b for a, b in pairwise([width, *hidden, game.num_actions(num_players)]))
    return 16 * (body + 2 * weights)


def head_bytes(game: Game, num_players: int, pieces: Sequence[str], hidden: int, width: int, rows: int) -> int:
    """The bytes that heads of this width take while they are learned: weights as in `network_bytes`, and the numbers of every
    node in `rows` positions at once, with their gradients. Raises ValueError as `heads_of` does."""
    groups = heads_of(game, num_players, pieces)
    weights = sum(width * (group.features.shape[1] + group.known.shape[1] + hidden) for group in groups)
    return 16 * weights + 16 * rows * width * sum(len(group.actions) for group in groups)


def outlook_bytes(read: int, hidden: int, width: int, actions: int) -> int:
    """The bytes that the layers of an outlook of this width take while they are learned: weights as in `network_bytes`, and the
    numbers of `actions` actions at once, with their gradients. `read` is how many numbers they read of an action besides the
    last hidden layer."""
    return 16 * width * (read + hidden + actions)


def rollout_bytes(game: Game, num_players: int, pieces: Sequence[str], foreseen: int, games: int, steps: int) -> int:
    """The bytes that this many games at once take, their states and `steps` decisions of each: for a decision an observation, as
    int8 and as float32, and for every action one number as float32 and `foreseen` more as int8."""
    decision = 5 * len(game.layout(num_players).columns(pieces)) + (4 + foreseen) * game.num_actions(num_players)
    return games * (game.state.itemsize + steps * decision)
