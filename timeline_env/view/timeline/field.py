"""Draws the field: nodes, events with what lies on them, junctions and pawns."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from timeline_env.timeline import board
from timeline_env.timeline.text import names
from timeline_env.view.shapes import Circle, Data, Line, Point, Polygon, Shape, Text, point_toward, shift
from timeline_env.view.timeline import palette, words
from timeline_env.view.timeline.card import CARD_SIZE, ROW, SIDES, SIGN_X, draw_card, draw_sign
from timeline_env.view.timeline.face import Face, face_in_node, pending_question
from timeline_env.view.timeline.geometry import APOTHEM, SIZE, centre_of, hexagon

NAME_AT = (-25.0, -49.0)
TOKEN, LITTLE_TOKEN = 6.2, 4.4
"""Radius of an impact token: of one among at most three, and of one among more."""
FIRST_TOKEN, TOKEN_PITCH = SIGN_X + 14.0, 13.0
PAWN_AT = (-43.0, 43.0, -30.0, 30.0, -54.0, 54.0)
"""Where pawns stand, left and right of the card's centre: room for six."""
THIN, THICK = 1.2, 2.6
"""Widths of the outlines of pawns."""
PAWN_PITCH = 19.0
"""From one pawn to the next where nothing else lies."""
ASIDE = 21.0
"""Distance from the middle of a junction, which is kept free for the marks on its two sides: reinforcements lie to its right,
seen from the earlier node, and the arrows of time to its left."""
_BODY = ((-8.0, 13.0), (-3.6, -2.0), (3.6, -2.0), (8.0, 13.0))
_POINTER = ((0.0, -28.0), (6.5, -14.0), (0.0, -17.0), (-6.5, -14.0))
_TIP = ((7.0, -6.0), (14.0, 0.0), (7.0, 6.0))
"""The tip of a reinforcement's arrow: for each corner, how far ahead of the middle, and how far to the right."""
_ARROW = ((-6.0, -5.0), (7.0, 0.0), (-6.0, 5.0), (-2.5, 0.0))
_BAR = ((0.0, -6.0), (0.0, 6.0))
"""In the same way, an arrow of time, and the bar where a radius begins."""


def draw_field(rules: Any, s: Any, before: Any = None) -> Iterator[Shape]:
    """Everything that lies on the 61 nodes; with a ring around those that changed since the position `before`, if it is given."""
    for node, (event, realized) in enumerate(zip(s.event.tolist(), s.realized.tolist(), strict=True)):
        yield from _node(node, bool(event), bool(realized))
    for node in np.flatnonzero(s.event).tolist():
        yield from _event(rules, s, node)
    yield from draw_order()
    # Rims come before the tokens on the junctions, so that these can be read.
    if s.realizing >= 0:
        yield draw_highlight(centre_of(int(s.realizing)), SIZE - 2, {"node": int(s.realizing)})
    if before is not None:
        yield from _changes(rules, before, s)
    yield from _junctions(s)
    yield Polygon(kind="pointer", points=shift(centre_of(0), _POINTER), fill=palette.POINTER, stroke=palette.INK)
    yield from _pawns(rules, s)


def _changes(rules: Any, before: Any, s: Any) -> Iterator[Shape]:
    """A ring around every node that the last move changed."""
    for node in words.changed_nodes(rules, before, s):
        yield Polygon(
            kind="changed", data={"node": node}, points=hexagon(centre_of(node), SIZE - 3), stroke=palette.INK, width=3
        )


@functools.cache
def draw_order() -> tuple[Shape, ...]:
    """T2: along each radius an arrow from every node to the next, clockwise, and a bar where it begins."""
    return tuple(_order())


def _order() -> Iterator[Shape]:
    for radius in range(1, board.RADII):
        ring = range(board.FIRST[radius], board.FIRST[radius + 1])
        for node, after in zip(ring, [*ring[1:], ring[0]], strict=True):
            direction = board.NEIGHBOUR[node].tolist().index(after)
            at = point_toward(centre_of(node), direction, APOTHEM, -ASIDE)
            draw = draw_arrow if after > node else draw_bar
            yield draw(direction, at, {"node": node})


def draw_arrow(direction: int, at: Point, data: Data) -> Polygon:
    """An arrow of time, from a node to the next one of its radius."""
    points = tuple(point_toward(at, direction, ahead, aside) for ahead, aside in _ARROW)
    return Polygon(kind="order", data=data | {"direction": direction}, points=points, fill=palette.FAINT)


def draw_bar(direction: int, at: Point, data: Data) -> Line:
    """A bar between the last node of a radius and its first."""
    points = tuple(point_toward(at, direction, ahead, aside) for ahead, aside in _BAR)
    return Line(kind="order-bar", data=data | {"direction": direction}, points=points, stroke=palette.FAINT, width=3)


@functools.cache
def _node(node: int, event: bool, realized: bool) -> tuple[Shape, ...]:
    """The hexagon, tinted by its phase, its number, and ∅ where nothing was organized in time (T16)."""
    centre = centre_of(node)
    data: Data = {"node": node}
    tint = palette.RINGS[board.RADIUS[node]]
    cell = Polygon(kind="node", data=data, points=hexagon(centre, SIZE), fill=tint, stroke=palette.LINE, width=1.5)
    if event:
        return (cell,)
    return cell, _name(node), *(draw_empty(centre, data) if realized else ())


def draw_empty(centre: Point, data: Data) -> Iterator[Shape]:
    """∅, as lines, because few fonts have it."""
    yield Circle(kind="empty", data=data, centre=centre, radius=16, fill=palette.EMPTY_NODE, stroke=palette.FAINT)
    yield Circle(kind="empty-ring", centre=centre, radius=7, stroke=palette.CARD, width=2)
    yield Line(kind="empty-slash", points=shift(centre, ((-8.0, 9.5), (8.0, -9.5))), stroke=palette.CARD, width=2)


def _name(node: int) -> Text:
    at = shift(centre_of(node), (NAME_AT,))[0]
    return Text(kind="number", data={"node": node}, at=at, text=names.NODE_NAMES[node], size=8.5, fill=palette.INK)


def draw_highlight(centre: Point, size: float, data: Data) -> Polygon:
    """The rim of the node that is being realized."""
    return Polygon(kind="realizing", data=data, points=hexagon(centre, size), stroke=palette.HIGHLIGHT, width=5)


def _event(rules: Any, s: Any, node: int) -> Iterator[Shape]:
    """The card and what lies on it."""
    yield from _card(face_in_node(s, node), node)
    yield _name(node)
    for side, way in zip(SIDES, (1, -1), strict=True):
        yield from _tokens(rules, s, node, side, way)
    if s.realized[node]:
        yield from draw_outcome(int(s.outcome[node]), centre_of(node), {"node": node})


@functools.lru_cache(1024)
def _card(face: Face, node: int) -> tuple[Shape, ...]:
    return tuple(draw_card(face, centre_of(node), CARD_SIZE, {"node": node}))


def _tokens(rules: Any, s: Any, node: int, side: str, way: int) -> Iterator[Shape]:
    """T12, T20: what lies beside ✓ (way 1) or ✗ (way -1): the stance, a lozenge, then the impacts."""
    centre = centre_of(node)
    if s.stance[node] == way:
        yield _stance(s, node, side, (centre[0] + FIRST_TOKEN, centre[1] + ROW[side]))
    seats = [seat for seat in range(rules.num_players) if s.impact[seat, node] * way > 0]
    for seat, (x, y, radius) in zip(seats, _places(len(seats)), strict=False):
        at = (centre[0] + x, centre[1] + ROW[side] + y)
        yield from draw_impact(side, seat, abs(int(s.impact[seat, node])), at, radius, {"node": node})


def _places(count: int) -> list[tuple[float, float, float]]:
    """Where impacts lie in their row, and how large they are: one line of three, or two lines of little ones."""
    columns = [FIRST_TOKEN + TOKEN_PITCH * (column + 1) for column in range(3)]
    if count <= len(columns):
        return [(x, 0.0, TOKEN) for x in columns]
    return [(x, y, LITTLE_TOKEN) for y in (-4.8, 4.8) for x in columns]


def _stance(s: Any, node: int, side: str, at: Point) -> Polygon:
    owners = np.flatnonzero(s.organizer[:, node])
    who: int | str = int(owners[0]) if len(owners) else "neutral"
    colour = palette.SEATS[owners[0]] if len(owners) else palette.NEUTRAL
    return draw_stance(colour, at, {"node": node, "side": side, "seat": who})


def draw_stance(colour: str, at: Point, data: Data) -> Polygon:
    """The organizer's token, a lozenge."""
    corners = tuple(point_toward(at, direction, 7.4) for direction in (0, 1.5, 3, 4.5))
    return Polygon(kind="stance", data=data, points=corners, fill=colour, stroke=palette.INK, width=1.2)


def draw_impact(side: str, seat: int, value: int, at: Point, radius: float, data: Data) -> Iterator[Shape]:
    """An impact token: the player's colour, a rim in the side's colour, the value."""
    yield Circle(
        kind="impact",
        data=data | {"side": side, "seat": seat, "value": value},
        centre=at,
        radius=radius,
        fill=palette.SEATS[seat],
        stroke=palette.CAUSE if side == "yes" else palette.HINDRANCE,
        width=radius / 3,
    )
    yield Text(kind="impact-value", at=at, text=str(value), size=1.5 * radius, fill=palette.INK_ON[seat])


def draw_outcome(outcome: int, at: Point, data: Data) -> Iterator[Shape]:
    """T24: the green or the red token that covers the card's centre."""
    colour = palette.mark_colour(outcome)
    data = data | {"outcome": outcome}
    yield Circle(kind="outcome", data=data, centre=at, radius=19.5, fill=colour, stroke=palette.INK)
    yield from draw_sign("yes" if outcome > 0 else "no", at, 2.2, palette.CARD, {})


def _junctions(s: Any) -> Iterator[Shape]:
    """T18: reinforcements towards later nodes, so that each junction is drawn once."""
    for node, direction in np.argwhere(s.reinforcement.T).tolist():
        if board.NEIGHBOUR[node, direction] > node:
            at = point_toward(centre_of(node), direction, APOTHEM, ASIDE)
            yield from draw_reinforcement(direction, int(s.reinforcement[direction, node]), at, {"node": node})


def draw_reinforcement(direction: int, strength: int, at: Point, data: Data) -> Iterator[Shape]:
    """How much stronger the link is by all its tokens together, and an arrow tip towards the later node."""
    data = data | {"direction": direction, "strength": strength}
    tip = tuple(point_toward(at, direction, ahead, aside) for ahead, aside in _TIP)
    yield Polygon(kind="reinforcement-tip", data=data, points=tip, fill=palette.INK)
    yield Circle(
        kind="reinforcement", data=data, centre=at, radius=8.5, fill=palette.CARD, stroke=palette.INK, width=1.4
    )
    yield Text(kind="strength", data=data, at=at, text=str(strength), size=13, fill=palette.INK)


def _pawns(rules: Any, s: Any) -> Iterator[Shape]:
    """All pawns of a node side by side; the one that decides has the thick outline."""
    deciding = pending_question(s)[1]
    for node in sorted({int(node) for node in s.pawn[: rules.num_players]}):
        seats = [seat for seat in range(rules.num_players) if s.pawn[seat] == node]
        x, y = centre_of(node)
        bare = not s.event[node] and not s.realized[node]
        for place, seat in enumerate(seats):
            across = PAWN_PITCH * (place - (len(seats) - 1) / 2) if bare else PAWN_AT[place]
            outline = THICK if seat == deciding else THIN
            yield from draw_pawn(seat, (x + across, y), outline, {"seat": seat, "node": node})


def draw_pawn(seat: int, at: Point, outline: float, data: Data) -> Iterator[Shape]:
    colour = palette.SEATS[seat]
    yield Polygon(kind="pawn", data=data, points=shift(at, _BODY), fill=colour, stroke=palette.INK, width=outline)
    head = (at[0], at[1] - 7.0)
    yield Circle(kind="pawn-head", data=data, centre=head, radius=6, fill=colour, stroke=palette.INK, width=outline)
