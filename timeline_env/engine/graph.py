"""A game's board as a graph, for networks that share their weights over its nodes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Graph:
    """What lies where, and what lies next to what.

    Attributes:
        piece: the observation's piece that tells of the nodes; its shape is (features, nodes).
        neighbours: int64 [kinds, nodes, most], the nodes that an edge of each kind leads to; -1 where there is none. A
            network has weights of its own for every kind: six directions on a hexagonal field, one on a map.
        here: the row of the piece that is not 0 in the viewer's own node; None if there is no such node.
    """

    piece: str
    neighbours: NDArray[np.int64]
    here: int | None = None
