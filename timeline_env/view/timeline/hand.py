"""Draws the viewer's own hand: little cards, and under each what restricts or rewards its organizing (T13, T14)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from timeline_env.timeline import board, state
from timeline_env.view.shapes import Circle, Data, Line, Point, Polygon, Shape, label, point_toward
from timeline_env.view.timeline import palette, words
from timeline_env.view.timeline.card import draw_card
from timeline_env.view.timeline.face import SPECIAL, face_in_hand, radii
from timeline_env.view.timeline.panel import LEFT, WIDTH, players_bottom

CARDS_A_LINE = 4
SIZE, PITCH, LINE_HEIGHT = 50.0, WIDTH / CARDS_A_LINE, 132.0
RADIUS_STEP = 3.2


def draw_hand(rules: Any, s: Any, seat: int) -> Iterator[Shape]:
    """All cards that a player holds, four in a line."""
    top = players_bottom(rules) + 34
    yield label("unit", (LEFT, top), f"hand of {state.SEAT_NAMES[seat]}", 13, palette.FAINT)
    for place, card in enumerate(words.hand(s, seat)):
        line, column = divmod(place, CARDS_A_LINE)
        centre = (LEFT + PITCH * (column + 0.5), top + 58 + LINE_HEIGHT * line)
        yield from draw_held(rules, card, centre, {"hand": seat, "place": place})


def draw_held(rules: Any, card: int, centre: Point, data: Data) -> Iterator[Shape]:
    """A card as it is held, with what restricts or rewards its organizing."""
    yield from draw_card(face_in_hand(rules, card), centre, SIZE, data)
    yield from _conditions(rules, card, (centre[0], centre[1] + 62), {"place": data["place"]})


def _conditions(rules: Any, card: int, at: Point, data: Data) -> Iterator[Shape]:
    """The signs that the card bears, side by side; a special card, which has none but its radii, bears its name, too."""
    signs = []
    if len(radii(rules, card)) < board.RADII - 1:
        signs.append(_radii)
    if rules.linked[card]:
        signs.append(_link_circles)
    if rules.gives_artifact[card]:
        signs.append(_artifact)
    if card in SPECIAL:
        yield label("special", (at[0] - (12 if signs else 0), at[1]), SPECIAL[card], 11, palette.FAINT, "middle", data)
        at = (at[0] + 36, at[1])
    for place, draw in enumerate(signs):
        yield from draw(rules, card, (at[0] + 27 * (place - (len(signs) - 1) / 2), at[1]), data)


def _radii(rules: Any, card: int, at: Point, data: Data) -> Iterator[Shape]:
    """T13: a circle for each radius, the outermost is radius 4; white where the card can be organized."""
    allowed_on = radii(rules, card)
    for radius in range(board.RADII - 1, 0, -1):
        allowed = int(radius in allowed_on)
        yield Circle(
            kind="radius",
            data=data | {"radius": radius, "allowed": allowed},
            centre=at,
            radius=RADIUS_STEP * radius,
            fill=palette.EMPTY if allowed else palette.FAINT,
            stroke=palette.INK,
            width=0.8,
        )


def _link_circles(rules: Any, card: int, at: Point, data: Data) -> Iterator[Shape]:
    """T13: two black circles joined by a bar."""
    ends = ((at[0] - 6, at[1]), (at[0] + 6, at[1]))
    yield Line(kind="linked", data=data, points=ends, stroke=palette.INK, width=3)
    for end in ends:
        yield Circle(kind="linked-end", centre=end, radius=4.5, fill=palette.INK)


def _artifact(rules: Any, card: int, at: Point, data: Data) -> Iterator[Shape]:
    """T14: a star."""
    tips = tuple(point_toward(at, point * 0.6, 9.5 if point % 2 == 0 else 4.2) for point in range(10))
    yield Polygon(kind="artifact-sign", data=data, points=tips, fill=palette.POINTER, stroke=palette.INK)
