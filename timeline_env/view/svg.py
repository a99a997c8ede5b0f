"""Writes a drawing as SVG."""

from __future__ import annotations

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


def _element(shape: Shape) -> str:
    tag, attributes, content = _form(shape)
    attributes = {"class": shape.kind} | {f"data-{key}": value for key, value in shape.data.items()} | attributes
    attributes["fill"] = shape.fill or "none"
    if shape.stroke:
        attributes |= {"stroke": shape.stroke, "stroke-width": _number(shape.width)}
    written = " ".join(f"{name}={quoteattr(str(value))}" for name, value in attributes.items())
    return f"<{tag} {written}>{escape(content)}</{tag}>" if content else f"<{tag} {written}/>"


def _form(shape: Shape) -> tuple[str, dict[str, int | str], str]:
    """The element's name, what describes its form, and its content."""
    match shape:
        case Polygon():
            return "polygon", {"points": " ".join(map(_pair, shape.points))}, ""
        case Line():
            return "polyline", {"points": " ".join(map(_pair, shape.points))}, ""
        case Circle():
            return "circle", _coordinates("c", shape.centre) | {"r": _number(shape.radius)}, ""
        case Arc():
            return "path", {"d": _path(shape)}, ""
        case Text():
            form = _coordinates("", shape.at) | {
                "font-size": _number(shape.size),
                "text-anchor": shape.anchor,
                "dominant-baseline": "central",
            }
            return "text", form, shape.text
    raise TypeError(f"a drawing cannot hold {shape!r}")


def _path(arc: Arc) -> str:
    start, stop = (point_toward(arc.centre, angle / 60, arc.radius) for angle in (arc.start, arc.stop))
    large = int(arc.stop - arc.start > 180)
    return f"M {_pair(start)} A {_number(arc.radius)} {_number(arc.radius)} 0 {large} 1 {_pair(stop)}"


def _coordinates(prefix: str, point: Point) -> dict[str, int | str]:
    return {prefix + "x": _number(point[0]), prefix + "y": _number(point[1])}


def _pair(point: Point) -> str:
    return f"{_number(point[0])},{_number(point[1])}"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
