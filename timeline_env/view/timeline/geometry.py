"""T1–T3: where the nodes lie in a picture. Flat-top hexagons, north up, directions clockwise from north."""

from __future__ import annotations

from math import sqrt

from timeline_env.timeline import board
from timeline_env.view.shapes import Point, point_toward

SIZE = 70.0
"""From a node's centre to its corners."""
APOTHEM = SIZE * sqrt(3) / 2
"""From a node's centre to the middles of its edges, which are the junctions."""
MARGIN = 20.0
FIELD_WIDTH = 2 * MARGIN + SIZE * (3 * board.RADII - 1)
FIELD_HEIGHT = 2 * MARGIN + 2 * APOTHEM * (2 * board.RADII - 1)


def centre_of(node: int) -> Point:
    """The centre of a node."""
    q, r = board.COORDINATES[node]
    return FIELD_WIDTH / 2 + 1.5 * SIZE * q, FIELD_HEIGHT / 2 + 2 * APOTHEM * (r + q / 2)


def hexagon(centre: Point, size: float) -> tuple[Point, ...]:
    """The six corners of a flat-top hexagon."""
    return tuple(point_toward(centre, direction + 0.5, size) for direction in range(6))
