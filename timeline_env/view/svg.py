"""Writes a drawing as SVG."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from xml.sax.saxutils import escape, quoteattr

from timeline_env.view.shapes import Arc, Circle, Drawing, Line, Point, Polygon, Shape, Text, point_toward

FONT = "Aileron, Helvetica, Arial, sans-serif"


class Svg(str):
    """An SVG document. A notebook shows the picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def serialise(drawing: Drawing) -> Svg:
    """The drawing as an SVG document. Every shape's kind is its class, its data are ``data-`` attributes."""
    width, height = drawing.width, drawing.height
    lines = "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
            f' font-family="{FONT}" stroke-linejoin="round">',
            f"<title>{escape(drawing.title)}</title>",
            f'<rect width="{width}" height="{height}" fill="{drawing.background}"/>',
            elements(drawing.shapes),
            "</svg>\n",
        ]
    )
    return Svg(lines)


def elements(shapes: Iterable[Shape]) -> str:
    """The shapes as SVG elements, one a line, without a document around them."""
    return "\n".join(map(_element, shapes))


@functools.lru_cache(2**15)
def _element(shape: Shape) -> str:
    """A shape as an SVG element; cached because most of a drawing is as it was in the one before."""
    tag, form, content = _form(shape)
    data = "".join([f" data-{key}={_quoted(value)}" for key, value in shape.data.items()])
    fill = _quoted(shape.fill or "none")
    stroke = f' stroke={_quoted(shape.stroke)} stroke-width="{_number(shape.width)}"' if shape.stroke else ""
    start = f"<{tag} class={_quoted(shape.kind)}{data} {form} fill={fill}{stroke}"
    return f"{start}>{escape(content)}</{tag}>" if content else f"{start}/>"


def _form(shape: Shape) -> tuple[str, str, str]:
    """The element's name, the attributes that describe its form, and its content."""
    match shape:
        case Polygon():
            return "polygon", f'points="{" ".join(map(_pair, shape.points))}"', ""
        case Line():
            return "polyline", f'points="{" ".join(map(_pair, shape.points))}"', ""
        case Circle():
            (x, y), radius = shape.centre, _number(shape.radius)
            return "circle", f'cx="{_number(x)}" cy="{_number(y)}" r="{radius}"', ""
        case Arc():
            return "path", f'd="{_path(shape)}"', ""
        case Text():
            (x, y), size = shape.at, _number(shape.size)
            at = f'x="{_number(x)}" y="{_number(y)}" font-size="{size}" text-anchor={_quoted(shape.anchor)}'
            return "text", f'{at} dominant-baseline="central"', shape.text
    raise TypeError(f"a drawing cannot hold {shape!r}")


@functools.lru_cache(4096, typed=True)
def _quoted(value: int | str) -> str:
    """An attribute's value in quotes."""
    return quoteattr(str(value))


def _path(arc: Arc) -> str:
    start, stop = (point_toward(arc.centre, angle / 60, arc.radius) for angle in (arc.start, arc.stop))
    large = int(arc.stop - arc.start > 180)
    return f"M {_pair(start)} A {_number(arc.radius)} {_number(arc.radius)} 0 {large} 1 {_pair(stop)}"


def _pair(point: Point) -> str:
    return f"{_number(point[0])},{_number(point[1])}"


@functools.lru_cache(2**15)
def _number(value: float) -> str:
    # Numbers that are equal must have one text: -0.0 is 0.
    return f"{value + 0.0:.2f}".rstrip("0").rstrip(".")
