"""Draws an event card: its marks, its centre with the orbits, and the arcs under ✓ and ✗."""

from __future__ import annotations

from collections.abc import Iterator

from timeline_env.view.shapes import Arc, Circle, Data, Line, Point, Polygon, Shape, Text, point_toward, shift
from timeline_env.view.timeline import palette
from timeline_env.view.timeline.face import NOBODY, UNCHOSEN, Face
from timeline_env.view.timeline.geometry import hexagon

CARD_SIZE = 62.0
"""From the centre of a card on the field to its corners; all lengths below are for a card of this size."""
FORWARD_MARK, BACKWARD_MARK = (44.0, 50.5, 57.5), (54.5, 49.0, 42.5)
"""How far a mark's base, shoulder and tip are from the card's centre; the card's edge is at 53.7."""
MARK_SIGN, MARK_HALF = 49.2, 11.0
CENTRE_SIZE = 11.5
ORBIT_RADII = (14.5, 19.0)
ARC_RADIUS, ARC_WIDTH, ARC_SPAN = 24.5, 6.0, 57.0
FLEXIBLE_AT, FLEXIBLE_SIZE = 26.5, 14.0
"""The question mark of a flexible event: to the right of the centre, where even the token of its realization does not cover it."""
SIDES = ("yes", "no")
ROW = {"yes": -35.5, "no": 35.5}
"""Where the rows of ✓ and ✗ lie, down from the centre; the sign comes first, then the tokens."""
SIGN_X = -27.0
_TICK = ((-4.5, 0.0), (-1.5, 4.0), (4.5, -4.5))
_CROSS = (((-4.0, -4.0), (4.0, 4.0)), ((-4.0, 4.0), (4.0, -4.0)))


def draw_card(face: Face, centre: Point, size: float, data: Data) -> Iterator[Shape]:
    """A card of any size, without the tokens that lie on it; `data` says which it is."""
    scale = size / CARD_SIZE
    yield Polygon(
        kind="card",
        data=data | {"card": face.name},
        points=hexagon(centre, size),
        fill=palette.CARD,
        stroke=palette.LINE,
        width=1.2 * scale,
    )
    for direction, mark in enumerate(face.marks):
        if mark:
            yield from draw_mark(centre, direction, mark, face.forward[direction], scale, data)
    if face.worth:
        for side, seat in zip(SIDES, face.arcs, strict=True):
            yield from draw_arc(centre, side, seat, scale, data)
    yield from draw_centre(face.worth, centre, scale, data)
    if face.flexible:
        yield draw_flexible((centre[0] + FLEXIBLE_AT * scale, centre[1]), scale, data)
    for side in SIDES:
        yield from draw_sign(
            side, (centre[0] + SIGN_X * scale, centre[1] + ROW[side] * scale), scale, palette.INK, data
        )


def draw_flexible(at: Point, scale: float, data: Data) -> Text:
    """T27-T29: the question mark of an event whose organizer decides what it does."""
    return Text(kind="question-mark", data=data, at=at, text="?", size=FLEXIBLE_SIZE * scale, fill=palette.INK)


def draw_sign(side: str, at: Point, scale: float, colour: str, data: Data) -> Iterator[Shape]:
    """✓ or ✗, as lines, because few fonts have them."""
    for stroke in (_TICK,) if side == "yes" else _CROSS:
        yield Line(
            kind="sign", data=data | {"side": side}, points=shift(at, stroke, scale), stroke=colour, width=2.2 * scale
        )


def draw_mark(centre: Point, direction: int, mark: int, forward: bool, scale: float, data: Data) -> Iterator[Shape]:
    """A sign on the card's edge that points to where the link leads: forward is outward. Green bears a +, red a -."""
    base, shoulder, tip = FORWARD_MARK if forward else BACKWARD_MARK
    corners = ((base, -MARK_HALF), (base, MARK_HALF), (shoulder, MARK_HALF), (tip, 0.0), (shoulder, -MARK_HALF))
    way, name = "forward" if forward else "backward", "cause" if mark > 0 else "hindrance"
    yield Polygon(
        kind="mark",
        data=data | {"direction": direction, "mark": name, "way": way},
        points=tuple(point_toward(centre, direction, out * scale, aside * scale) for out, aside in corners),
        fill=palette.mark_colour(mark),
    )
    at = point_toward(centre, direction, MARK_SIGN * scale)
    bars = [((-3.2, 0.0), (3.2, 0.0))] + ([((0.0, -3.2), (0.0, 3.2))] if mark > 0 else [])
    for bar in bars:
        yield Line(kind="mark-sign", points=shift(at, bar, scale), stroke=palette.CARD, width=1.7 * scale)


def draw_arc(centre: Point, side: str, seat: int, scale: float, data: Data) -> Iterator[Shape]:
    """The arc under a sign, in the colour of the player that scores; white if it is empty, with ? if it is yet to be chosen."""
    middle = 0.0 if side == "yes" else 180.0
    radius = ARC_RADIUS * scale
    who: int | str = {NOBODY: "nobody", UNCHOSEN: "unchosen"}.get(seat, seat)
    for kind, colour, width, more in (
        ("arc-rim", palette.FAINT, ARC_WIDTH + 1.6, 2.0),
        ("arc", palette.SEATS[seat] if seat >= 0 else palette.EMPTY, ARC_WIDTH, 0.0),
    ):
        yield Arc(
            kind=kind,
            data=data | {"side": side, "seat": who},
            centre=centre,
            radius=radius,
            start=middle - ARC_SPAN - more,
            stop=middle + ARC_SPAN + more,
            stroke=colour,
            width=width * scale,
        )
    if seat == UNCHOSEN:
        at = point_toward(centre, middle / 60, radius)
        yield Text(kind="unchosen", data=data | {"side": side}, at=at, text="?", size=11 * scale, fill=palette.INK)


def draw_centre(worth: int, centre: Point, scale: float, data: Data) -> Iterator[Shape]:
    """The centre: green for a gain, red for a loss, grey if nobody scores; one orbit fewer than points."""
    effect = "gain" if worth > 0 else "loss" if worth < 0 else "none"
    for radius in ORBIT_RADII[: max(abs(worth) - 1, 0)]:
        yield Circle(
            kind="orbit", data=data, centre=centre, radius=radius * scale, stroke=palette.ORBIT, width=1.8 * scale
        )
    yield Polygon(
        kind="centre",
        data=data | {"effect": effect, "points": abs(worth)},
        points=hexagon(centre, CENTRE_SIZE * scale),
        fill=palette.mark_colour(worth) if worth else palette.NEUTRAL,
        stroke=palette.FAINT,
        width=0.8 * scale,
    )
