"""T1–T3: the field. 61 nodes, numbered in the order of time, and what lies next to what.

Directions 0–5 are north, north-east, south-east, south, south-west, north-west: clockwise, as the edges of a hexagon
that lies on a flat side. ``direction + 3`` (modulo 6) leads back.
"""

from __future__ import annotations

import numpy as np

RADII = 5
"""T1 [S]: radii 0 to 4; one phase each (T4)."""
DIRECTIONS = 6
NODES = 1 + 3 * RADII * (RADII - 1)

_STEP = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""Axial coordinates (q, r) of one step in each direction."""


def _ring(radius: int) -> list[tuple[int, int]]:
    """T2: the nodes of a radius clockwise from its north corner."""
    if radius == 0:
        return [(0, 0)]
    here = (0, -radius)
    ring = []
    for side in range(DIRECTIONS):
        step = _STEP[(side + 2) % DIRECTIONS]
        for _ in range(radius):
            ring.append(here)
            here = (here[0] + step[0], here[1] + step[1])
    return ring


COORDINATES = tuple(node for radius in range(RADII) for node in _ring(radius))
"""T2: axial coordinates (q, r) of each node. Node numbers are time: u is earlier than v exactly when u < v."""

_NUMBER = {node: number for number, node in enumerate(COORDINATES)}

RADIUS = np.array([radius for radius in range(RADII) for _ in _ring(radius)], np.int64)
"""[61]: T1, the radius of each node."""
FIRST = np.array([_NUMBER[_ring(radius)[0]] for radius in range(RADII)] + [NODES], np.int64)
"""[6]: the first node of each radius, and the number of nodes after the last."""
NEIGHBOUR = np.array([[_NUMBER.get((q + dq, r + dr), -1) for dq, dr in _STEP] for q, r in COORDINATES], np.int64)
"""[61, 6]: T3, the node in each direction; -1 beyond the edge."""
NEIGHBOUR.setflags(write=False)  # users are shown it (docs/environment.md), and the rules read it
LATER = (np.arange(NODES)[:, None] < NEIGHBOUR) | (NEIGHBOUR < 0)
"""[61, 6] bool: T3, whether a direction leads to a later node. What lies beyond the edge is later than every node."""
MOST_EARLIER = int((~LATER).sum(axis=1).max())
EARLIER = np.array([[*np.flatnonzero(~later), *[-1] * DIRECTIONS][:MOST_EARLIER] for later in LATER], np.int64)
"""[61, 4]: T3, the directions that lead to an earlier node; then -1."""
COUNT_OF_NEIGHBOURS = (NEIGHBOUR >= 0).sum(axis=1)
"""[61]: T3, how many neighbours a node has on the field."""
ON_FIELD = np.argsort(NEIGHBOUR < 0, axis=1, kind="stable")
"""[61, 6]: T3, the directions that lead to neighbours on the field, then those that lead beyond the edge."""
