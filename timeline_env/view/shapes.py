"""What a picture is made of: one list of simple shapes, which every kind of output draws in the same order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import cos, radians, sin

from timeline_env.view import palette

Point = tuple[float, float]
"""x to the right and y down, in units of the picture (one pixel of the raster)."""
Data = dict[str, int | str]


@dataclass(frozen=True, kw_only=True)
class Shape:
    """What all shapes have in common.

    Attributes:
        kind: what the shape represents, such as ``mark`` or ``pawn``; the class of the SVG element.
        data: what it shows, such as ``node`` and ``direction``; the SVG element's ``data-`` attributes.
        fill: colour as ``#rrggbb``; None for no area.
        stroke: colour of the outline; None for none.
        width: of the outline, which lies astride the shape's edge.
    """

    kind: str
    data: Data = field(default_factory=dict, hash=False)
    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0


@dataclass(frozen=True, kw_only=True)
class Polygon(Shape):
    """A closed area with these corners."""

    points: tuple[Point, ...]


@dataclass(frozen=True, kw_only=True)
class Line(Shape):
    """An open line through these points."""

    points: tuple[Point, ...]


@dataclass(frozen=True, kw_only=True)
class Circle(Shape):
    """A disc or a ring."""

    centre: Point
    radius: float


@dataclass(frozen=True, kw_only=True)
class Arc(Shape):
    """A part of a ring: from one angle clockwise to another, in degrees clockwise from north."""

    centre: Point
    radius: float
    start: float
    stop: float


@dataclass(frozen=True, kw_only=True)
class Text(Shape):
    """One line of text, at the height of its middle; `anchor` says which end of it lies at the point."""

    at: Point
    text: str
    size: float
    anchor: str = "middle"


@dataclass(frozen=True)
class Drawing:
    """A whole picture.

    Attributes:
        width, height: in units, integers.
        background: colour.
        title: one line for those who cannot see it.
        shapes: the first is drawn first, so that the last lies on top.
    """

    width: int
    height: int
    background: str
    title: str
    shapes: tuple[Shape, ...]


def label(
    kind: str,
    at: Point,
    text: str,
    size: float,
    colour: str = palette.INK,
    anchor: str = "start",
    data: Data | None = None,
) -> Text:
    """A line of text that begins, ends or has its middle at a point."""
    return Text(kind=kind, data=data or {}, at=at, text=text, size=size, fill=colour, anchor=anchor)


def rectangle(left: float, top: float, width: float, height: float) -> tuple[Point, ...]:
    """The corners of a rectangle."""
    return (left, top), (left + width, top), (left + width, top + height), (left, top + height)


def place_shape(shape: Shape, at: Point, scale: float) -> Shape:
    """A shape that was drawn around (0, 0), moved to lie around another point, in another size."""

    def move(point: Point) -> Point:
        return at[0] + scale * point[0], at[1] + scale * point[1]

    width = shape.width * scale
    match shape:
        case Polygon() | Line():
            return replace(shape, width=width, points=tuple(map(move, shape.points)))
        case Circle() | Arc():
            return replace(shape, width=width, centre=move(shape.centre), radius=shape.radius * scale)
        case Text():
            return replace(shape, at=move(shape.at), size=shape.size * scale)
    raise TypeError(f"{shape!r} cannot be moved")


def point_toward(start: Point, direction: float, distance: float, aside: float = 0.0) -> Point:
    """The point at `distance` from `start` in a direction (0 to 5, clockwise from north), moved by `aside` to the right of that way."""
    angle = radians(60 * direction)
    x, y = sin(angle), -cos(angle)
    return start[0] + distance * x - aside * y, start[1] + distance * y + aside * x


def shift(centre: Point, points: tuple[Point, ...], scale: float = 1.0) -> tuple[Point, ...]:
    """Points that are given relative to a centre, scaled and put in place around it."""
    return tuple((centre[0] + scale * x, centre[1] + scale * y) for x, y in points)
