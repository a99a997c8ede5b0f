"""The parts of a game that a network can read with shared weights: nodes of a board, countries of a map, cards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Nodes:
    """Things of one kind, and what lies next to what.

    Attributes:
        pieces: the observation's pieces that describe them; the shape of each is (nodes,), (features, nodes) or
            (nodes, features).
        neighbours: int64 [kinds, nodes, most], the nodes that an edge of each kind leads to; -1 where there is none. A
            network has separate weights for every kind: six directions on a hexagonal field, one on a map, none among cards.
        known: float32 [nodes, features], what is the same in every game: a region, a printed number.
        actions: int64 [nodes, a], the actions that name each node, a column for each of their meanings; None where no
            head asks for them.
        here: the row of the pieces' features that marks the viewer's own node (not 0 there); None if there is no such node.
    """

    pieces: tuple[str, ...]
    neighbours: NDArray[np.int64]
    known: NDArray[np.float32]
    here: int | None = None
    actions: NDArray[np.int64] | None = None


def no_edges(nodes: int) -> NDArray[np.int64]:
    """`neighbours` for things that do not lie next to each other."""
    return np.zeros((0, nodes, 0), np.int64)


def one_hot(numbers: NDArray[np.int64]) -> NDArray[np.float32]:
    """A column for each value, 1 where the number is that value; float32 [n, greatest + 1]."""
    return np.eye(numbers.max() + 1, dtype=np.float32)[numbers]
