"""Paints a drawing as pixels, with pillow."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.extras import require
from timeline_env.view.shapes import Arc, Circle, Drawing, Line, Point, Polygon, Shape, Text

SMOOTH = 2
"""Painted this many times as large, then made small: pillow itself draws jagged edges."""
_ANCHOR = {"start": "lm", "middle": "mm", "end": "rm"}


def paint(drawing: Drawing) -> NDArray[np.uint8]:
    """The drawing as pixels, uint8 [height, width, 3].

    Raises:
        MissingExtra: pillow is not installed.
    """
    pillow, pillow_draw = require("PIL.Image", "render"), require("PIL.ImageDraw", "render")
    image = pillow.new("RGB", (drawing.width * SMOOTH, drawing.height * SMOOTH), drawing.background)
    brush = pillow_draw.Draw(image)
    for shape in drawing.shapes:
        _paint(brush, shape)
    return np.array(image.reduce(SMOOTH))


@cache
def _font(size: int) -> Any:
    """Pillow's own font."""
    return require("PIL.ImageFont", "render").load_default(size)


def _paint(brush: Any, shape: Shape) -> None:
    width = max(1, round(shape.width * SMOOTH))
    match shape:
        case Polygon():
            _polygon(brush, shape, width)
        case Line():
            brush.line(_enlarge(shape.points), shape.stroke, width, joint="curve")
        case Circle():
            # Pillow draws outlines inside the box; here they lie astride the edge.
            box = _box(shape.centre, shape.radius + (shape.width / 2 if shape.stroke else 0))
            brush.ellipse(box, shape.fill, shape.stroke, width)
        case Arc():
            # Pillow counts the angles from the east.
            box = _box(shape.centre, shape.radius + shape.width / 2)
            brush.arc(box, shape.start - 90, shape.stop - 90, shape.stroke, width)
        case Text():
            font = _font(round(shape.size * SMOOTH))
            brush.text(_enlarge((shape.at,))[0], shape.text, shape.fill, font, _ANCHOR[shape.anchor])


def _polygon(brush: Any, shape: Polygon, width: int) -> None:
    corners = _enlarge(shape.points)
    if shape.fill:
        brush.polygon(corners, shape.fill)
    if shape.stroke:
        # Once round and one edge more, so that every corner is joined.
        brush.line([*corners, *corners[:2]], shape.stroke, width, joint="curve")


def _enlarge(points: tuple[Point, ...]) -> list[Point]:
    return [(x * SMOOTH, y * SMOOTH) for x, y in points]


def _box(centre: Point, radius: float) -> tuple[float, float, float, float]:
    x, y, radius = centre[0] * SMOOTH, centre[1] * SMOOTH, radius * SMOOTH
    return x - radius, y - radius, x + radius, y + radius
