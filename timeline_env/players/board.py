"""Where a network that knows the board finds it in what it reads, and what it makes of it, with numpy.

Every node's features go through the same weights; then, layer by layer, each node takes in what its neighbours hold, with
weights of its own for every kind of edge. What is read out is the mean over all nodes, the viewer's own node if the board
has one, and the observation's other pieces as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.verbs import GAMES, Game


class Board:
    """The board in an observation of some pieces.

    Attributes:
        features: int64 [nodes, features], the columns that tell of each node.
        rest: int64 [r], all other columns.
        here: int64 [nodes], the columns of which one marks the viewer's own node; None if the game has no such node.
        neighbours: int64 [kinds, nodes, most], as the game's graph has them, but with `nodes` where there is none.

    Raises:
        ValueError: the game has no graph, or the pieces lack the one that tells of the nodes.
    """

    def __init__(self, game: Game, num_players: int, pieces: Sequence[str]) -> None:
        if game.graph is None:
            raise ValueError(f"the game {game.name!r} has no graph for a network that knows the board")
        graph, layout = game.graph(num_players), game.layout(num_players)
        if graph.piece not in pieces:
            raise ValueError(f"a network that knows the board of {game.name!r} must read the piece {graph.piece!r}")
        columns = layout.columns(pieces)
        place = np.full(layout.size, -1)
        place[columns] = np.arange(len(columns))
        planes = place[layout[graph.piece].slice].reshape(layout[graph.piece].shape)
        self.features = np.ascontiguousarray(planes.T)
        self.rest = np.setdiff1d(np.arange(len(columns)), planes)
        self.here = None if graph.here is None else planes[graph.here]
        self.neighbours = np.where(graph.neighbours < 0, len(self.features), graph.neighbours)

    @property
    def edges(self) -> int:
        """Kinds of edges."""
        return len(self.neighbours)

    def width(self, channels: int) -> int:
        """How many numbers are read out when each node has so many."""
        return len(self.rest) + channels * (1 if self.here is None else 2)


@lru_cache
def board_of(game: str, num_players: int, pieces: tuple[str, ...]) -> Board:
    """The board of a registered game, made once. Raises ValueError as `Board` does."""
    return Board(GAMES[game], num_players, pieces)


def read_board(
    x: NDArray[np.float32],
    board: Board,
    layers: Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]],
    activation: Callable[[Any], Any],
) -> NDArray[np.float32]:
    """What the layers (weight, bias) read out of squashed observations; float32 [k, width] from [k, d].

    The first layer is that of a node alone, [channels, features]; the others take in the neighbours, [channels, (1 + kinds) * channels].
    """
    (weight, bias), *steps = layers
    h = activation(x[:, board.features] @ weight.T + bias)  # [k, nodes, channels]
    for weight, bias in steps:
        h = activation(_with_neighbours(h, board) @ weight.T + bias)
    out = [x[:, board.rest], h.mean(axis=1)]
    if board.here is not None:
        out.append(np.einsum("kn,knc->kc", x[:, board.here], h))
    return np.concatenate(out, axis=1)


def _with_neighbours(h: NDArray[np.float32], board: Board) -> NDArray[np.float32]:
    """Each node's numbers, then the sum over its neighbours for every kind of edge; [k, nodes, (1 + kinds) * channels]."""
    padded = np.concatenate([h, np.zeros_like(h[:, :1])], axis=1)
    beyond = [
        padded[:, nodes].sum(axis=2) if nodes.shape[1] > 1 else padded[:, nodes[:, 0]] for nodes in board.neighbours
    ]
    return np.concatenate([h, *beyond], axis=2)
