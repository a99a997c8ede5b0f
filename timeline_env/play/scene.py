"""Writes what the page shows as SVG: a drawing, and over it the areas that can be clicked."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from xml.sax.saxutils import escape, quoteattr

from timeline_env.view import palette
from timeline_env.view.shapes import Circle, Point, Polygon, Shape, Text, rectangle
from timeline_env.view.svg import FONT, elements

CHIP = 13.0
"""Radius of a little disc that is there to be clicked."""
CHIP_PITCH = 30.0


@dataclass(frozen=True)
class Picture:
    """An SVG of its own, with a title for those who cannot see it."""

    title: str
    svg: str


def document(width: float, height: float, title: str, background: str, layers: Iterable[str]) -> Picture:
    """A picture made of SVG texts, the first at the bottom."""
    box = f"0 0 {width:.0f} {height:.0f}"
    corners = f'x="0" y="0" width="{width:.0f}" height="{height:.0f}"'
    return Picture(
        title,
        "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" font-family="{FONT}" stroke-linejoin="round">',
                f"<title>{escape(title)}</title>",
                f'<rect {corners} fill="{background}"/>',
                *layers,
                "</svg>",
            ]
        ),
    )


def hit(key: str, *shapes: Shape) -> str:
    """What is clicked for a target; visible only while it can be clicked."""
    return f'<g class="hit" data-target={quoteattr(key)}>\n{elements(shapes)}\n</g>'


def area(points: tuple[Point, ...]) -> Polygon:
    """A part of the drawing that is clicked."""
    return Polygon(kind="area", points=points)


def disc(at: Point, radius: float) -> Circle:
    """A round part of the drawing that is clicked."""
    return Circle(kind="area", centre=at, radius=radius)


def chip(key: str, at: Point, text: str, fill: str = palette.CARD, ink: str = palette.INK) -> str:
    """A disc with one or two characters, for a target that has no place of its own in the drawing."""
    return hit(
        key,
        Circle(kind="chip", centre=at, radius=CHIP, fill=fill, stroke=palette.INK, width=1.6),
        Text(kind="chip-text", at=at, text=text, size=15 if len(text) < 2 else 12, fill=ink),
    )


def row(at: Point, count: int) -> list[Point]:
    """Where so many chips lie side by side, centred on a point."""
    return [(at[0] + CHIP_PITCH * (place - (count - 1) / 2), at[1]) for place in range(count)]


def frame(left: float, top: float, width: float, height: float) -> Polygon:
    """A rectangle that is clicked."""
    return area(rectangle(left, top, width, height))


def plain(shapes: Iterable[Shape]) -> list[Shape]:
    """Shapes without the data that tells the parts of a drawing apart: a card's picture is one thing."""
    return [replace(shape, data={}) for shape in shapes]


def ghost(key: str, centre: Point, still: Iterable[Shape], turning: Iterable[Shape]) -> str:
    """A card that is not laid yet: shown after `key` was clicked, its marks turned about the centre by sixths."""
    about = f"{centre[0]:.2f} {centre[1]:.2f}"
    return (
        f'<g class="ghost" data-ghost={quoteattr(key)}>\n{elements(still)}\n'
        f'<g class="turning" data-about="{about}">\n{elements(turning)}\n</g>\n</g>'
    )
