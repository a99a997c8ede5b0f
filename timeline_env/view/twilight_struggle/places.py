"""Where the countries lie in a picture, from ``map.csv``, whose units are boxes."""

from __future__ import annotations

from timeline_env.twilight_struggle import board
from timeline_env.twilight_struggle.board import read_table
from timeline_env.view.shapes import Point

PITCH, ROW = 85.0, 54.0
BOX_WIDTH, BOX_HEIGHT, NAME_HEIGHT = 80.0, 41.0, 16.0
MARGIN = 18.0

_ROWS = {row["name"]: row for row in read_table("map.csv")}
assert set(_ROWS) == {*board.COUNTRY_NAMES, "USA", "USSR"}, "map.csv must place every country, USA and USSR once"


def _corner(name: str) -> Point:
    row = _ROWS[name]
    return MARGIN + PITCH * float(row["x"]), MARGIN + ROW * float(row["y"])


CORNERS = tuple(_corner(name) for name in board.COUNTRY_NAMES)
"""[84]: the upper left corner of each country's box."""
LABELS = tuple(_ROWS[name]["label"] for name in board.COUNTRY_NAMES)
HOMES = (_corner("USSR"), _corner("USA"))
"""The corners of the two superpowers' spaces."""
MAP_WIDTH = max(x for x, _ in CORNERS) + BOX_WIDTH + MARGIN
MAP_HEIGHT = max(y for _, y in CORNERS) + BOX_HEIGHT + MARGIN


def middle(corner: Point) -> Point:
    """The middle of the box with this corner."""
    return corner[0] + BOX_WIDTH / 2, corner[1] + BOX_HEIGHT / 2
