"""Where a network that knows the board finds it in its input, and what it makes of it, with numpy.

Every node's features go through the same weights; then, layer by layer, each node takes in what its neighbours hold, with
weights of its own for every kind of edge. What is read out is the mean over all nodes, the viewer's own node if the board
has one, and the observation's other pieces as they are. A game may have several kinds of nodes, each with its own weights.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.graph import Nodes
from timeline_env.engine.pieces import Layout
from timeline_env.engine.verbs import GAMES, Game


class Group:
    """The nodes of one kind in an observation of some pieces.

    Attributes:
        features: int64 [nodes, features], the columns that describe each node.
        known: float32 [nodes, known], what is the same in every game.
        here: int64 [nodes], the columns of which one marks the viewer's own node; None without such a node.
        neighbours: int64 [kinds, nodes, most], as the game has them, padded with `nodes`.
        actions: int64 [nodes, a], the actions that name each node; a is 0 if none do.
    """

    def __init__(self, nodes: Nodes, layout: Layout, place: NDArray[np.int64]) -> None:
        count = nodes.neighbours.shape[1]
        rows = np.concatenate([_rows(place[layout[name].slice], layout[name].shape, count) for name in nodes.pieces])
        self.features = np.ascontiguousarray(rows.T)
        self.known = nodes.known
        self.here = None if nodes.here is None else rows[nodes.here]
        self.neighbours = np.where(nodes.neighbours < 0, count, nodes.neighbours)
        self.actions = np.zeros((count, 0), np.int64) if nodes.actions is None else nodes.actions

    def inputs(self, channels: int, convolutions: int) -> list[int]:
        """How many numbers each of the layers takes in for a node."""
        first = self.features.shape[1] + self.known.shape[1]
        return [first] + [(1 + len(self.neighbours)) * channels] * (convolutions if len(self.neighbours) else 0)


def _rows(columns: NDArray[np.int64], shape: tuple[int, ...], nodes: int) -> NDArray[np.int64]:
    """A piece's columns with a row for each feature and a column for each node."""
    return columns.reshape(-1, nodes) if shape[-1] == nodes else columns.reshape(nodes, -1).T


class Board:
    """All kinds of nodes in an observation of some pieces, and the rest of it.

    Attributes:
        groups: the kinds of nodes.
        rest: int64 [r], the columns that describe no node.

    Raises:
        ValueError: the game has no nodes, or the pieces lack one that describes them.
    """

    def __init__(self, game: Game, num_players: int, pieces: Sequence[str]) -> None:
        if game.nodes is None:
            raise ValueError(f"the game {game.name!r} has no board for a network that knows it")
        self.groups = _groups(game, num_players, pieces, game.nodes(num_players), "a network that knows the board")
        told = np.concatenate([group.features.ravel() for group in self.groups])
        self.rest = np.setdiff1d(np.arange(len(game.layout(num_players).columns(pieces))), told)

    def inputs(self, channels: int, convolutions: int) -> list[int]:
        """How many numbers each layer takes in for a node: those of the first kind, then those of the next."""
        return [width for group in self.groups for width in group.inputs(channels, convolutions)]

    def width(self, channels: int) -> int:
        """How many numbers are read out when each node holds this many."""
        return len(self.rest) + sum(channels * (1 if group.here is None else 2) for group in self.groups)

    def shares(self, layers: Sequence[Any], convolutions: int) -> Iterator[tuple[Group, Sequence[Any]]]:
        """Each kind of nodes with its own share of the layers."""
        start = 0
        for group in self.groups:
            stop = start + len(group.inputs(1, convolutions))
            yield group, layers[start:stop]
            start = stop


def _groups(game: Game, num_players: int, pieces: Sequence[str], kinds: Sequence[Nodes], reader: str) -> list[Group]:
    """These kinds of nodes in an observation of some pieces. Raises ValueError if a piece that `reader` must read is missing."""
    layout = game.layout(num_players)
    for name in (name for nodes in kinds for name in nodes.pieces):
        if name not in pieces:
            raise ValueError(f"{reader} of {game.name!r} must read the piece {name!r}")
    columns = layout.columns(pieces)
    place = np.full(layout.size, -1)
    place[columns] = np.arange(len(columns))
    return [Group(nodes, layout, place) for nodes in kinds]


@lru_cache
def _heads(game: str, num_players: int, pieces: tuple[str, ...]) -> list[Group]:
    registered = GAMES[game]
    if registered.candidates is None:
        raise ValueError(
            f"the game {game!r} does not tell which things its actions name, so a network can have no head for them"
        )
    return _groups(registered, num_players, pieces, registered.candidates(num_players), "a head for the candidates")


def heads_of(game: Game, num_players: int, pieces: Sequence[str]) -> list[Group]:
    """The kinds of things that actions name, each with a head of its own.

    Raises:
        ValueError: the game does not tell what its actions name, or the pieces lack one that describes these things.
    """
    return _heads(game.name, num_players, tuple(pieces))


def head_logits(
    x: NDArray[np.float32],
    hidden: NDArray[np.float32],
    group: Group,
    layers: Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]],
    activation: Callable[[Any], Any],
) -> NDArray[np.float32]:
    """What the two layers (weight, bias) of a head add to the logits of `group.actions`; float32 [k, nodes, a].

    Args:
        x: squashed observations [k, d].
        hidden: the policy's last hidden layer [k, h].
        group: as `heads_of` gives it.
        layers: the first takes in a node's features, what is known of it, and `hidden`.
        activation: between the two layers.
    """
    (weight, bias), (last_weight, last_bias) = layers
    told, known = group.features.shape[1], group.known.shape[1]
    fixed = group.known @ weight[:, told : told + known].T + bias  # [nodes, width]
    about = x[:, group.features] @ weight[:, :told].T + fixed + (hidden @ weight[:, told + known :].T)[:, None]
    return activation(about) @ last_weight.T + last_bias


@lru_cache
def board_of(game: str, num_players: int, pieces: tuple[str, ...]) -> Board:
    """The board of a registered game, made once. Raises ValueError as `Board` does."""
    return Board(GAMES[game], num_players, pieces)


def read_board(
    x: NDArray[np.float32],
    board: Board,
    layers: Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]],
    convolutions: int,
    activation: Callable[[Any], Any],
) -> NDArray[np.float32]:
    """What the layers (weight, bias) read out of squashed observations; float32 [k, width] from [k, d]."""
    out = [x[:, board.rest]]
    for group, ((weight, bias), *steps) in board.shares(layers, convolutions):
        split = group.features.shape[1]
        fixed = group.known @ weight[:, split:].T + bias  # [nodes, channels]
        h = activation(x[:, group.features] @ weight[:, :split].T + fixed)  # [k, nodes, channels]
        for weight, bias in steps:
            h = activation(_add_neighbours(h, group) @ weight.T + bias)
        out.append(h.mean(axis=1))
        if group.here is not None:
            out.append(np.einsum("kn,knc->kc", x[:, group.here], h))
    return np.concatenate(out, axis=1)


def _add_neighbours(h: NDArray[np.float32], group: Group) -> NDArray[np.float32]:
    """Each node's numbers, then the sum over its neighbours for every kind of edge; [k, nodes, (1 + kinds) * channels]."""
    padded = np.concatenate([h, np.zeros_like(h[:, :1])], axis=1)
    beyond = [padded[:, nodes].sum(axis=2) for nodes in group.neighbours]
    return np.concatenate([h, *beyond], axis=2)
