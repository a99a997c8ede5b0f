"""Draws what lies under the map: who decides, the tracks, the cards in view."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

from timeline_env.twilight_struggle import numbers, tracks
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.view.shapes import Circle, Data, Point, Polygon, Shape, label, rectangle
from timeline_env.view.twilight_struggle import palette, words
from timeline_env.view.twilight_struggle.places import MAP_HEIGHT, MAP_WIDTH, MARGIN

LEFT, TOP = MARGIN, MAP_HEIGHT + 6
RIGHT = MAP_WIDTH - MARGIN
CELL, CELL_HEIGHT = 22.0, 22.0
TRACKS_LEFT, SIDES_LEFT, CARDS_LEFT = LEFT, LEFT + 500, LEFT + 930
LINE, LINES, COLUMN_WIDTH = 17.0, 11, 262.0
"""Height of a line of cards, how many are in a column, and from one column to the next."""
HAND_TOP = TOP + 262


def draw_panel(s: Any) -> Iterator[Shape]:
    """The tracks that both sides share and those of each side, the cards in view, what the tints mean."""
    yield from _common_tracks(s)
    for seat in (USSR, US):
        yield from _side(s, seat, TOP + 58 + seat * 100)
    yield from _cards(s)
    yield from _legend()


def draw_heading(s: Any) -> Iterator[Shape]:
    seat = words.pending_question(s)[1]
    yield label("title", (LEFT, TOP + 12), "Twilight Struggle", 22)
    yield label("time", (LEFT + 210, TOP + 14), words.time(s), 14, palette.FAINT)
    if seat >= 0:
        yield Circle(
            kind="decider",
            data={"seat": seat},
            centre=(SIDES_LEFT + 8, TOP + 13),
            radius=8,
            fill=palette.SIDES[seat],
            stroke=palette.INK,
        )
    yield label("decision", (SIDES_LEFT + (24 if seat >= 0 else 0), TOP + 13), words.decision(s), 14.5)


def draw_last(told: str) -> Shape:
    """What was decided last, above what is to be decided now; what it changed is framed on the map."""
    return label("last", (SIDES_LEFT, TOP - 9), f"last (framed): {told}", 12.5, palette.FAINT)


def _row(kind: str, at: Point, names: list[str], here: int, data: Data | None = None) -> Iterator[Shape]:
    """A track of boxes, the one with the marker filled."""
    for place, name in enumerate(names):
        left = at[0] + place * CELL
        marked = place == here
        yield Polygon(
            kind="box",
            data=(data or {}) | {"track": kind, "place": name, "here": int(marked)},
            points=rectangle(left, at[1], CELL, CELL_HEIGHT),
            fill=palette.MARKER if marked else palette.CARD,
            stroke=palette.LINE,
        )
        yield label(
            "place",
            (left + CELL / 2, at[1] + CELL_HEIGHT / 2),
            name,
            10.5,
            palette.INK if marked else palette.FAINT,
            "middle",
        )


def _common_tracks(s: Any) -> Iterator[Shape]:
    left = TRACKS_LEFT
    yield label("unit", (left, TOP + 48), f"victory points: {words.points(s)}", 13)
    for place, vp in enumerate(range(-tracks.MOST_VP, tracks.MOST_VP + 1)):
        here = vp == s.vp
        tint = palette.CARD if vp == 0 else palette.PALE[int(vp > 0)]
        corners = rectangle(left + place * 11.6, TOP + 60, 11.6, CELL_HEIGHT)
        yield Polygon(
            kind="vp",
            data={"vp": vp, "here": int(here)},
            points=corners,
            fill=palette.MARKER if here else tint,
            stroke=palette.LINE,
        )
        if vp % 5 == 0:
            yield label("place", (left + (place + 0.5) * 11.6, TOP + 92), str(abs(vp)), 10, palette.FAINT, "middle")
    yield label("unit", (left, TOP + 122), "DEFCON", 13)
    yield from _row("defcon", (left + 70, TOP + 111), list("54321"), 5 - int(s.defcon))
    yield label("unit", (left, TOP + 156), "turn", 13)
    yield from _row(
        "turn", (left + 70, TOP + 145), [str(turn) for turn in range(1, numbers.TURNS + 1)], int(s.turn) - 1
    )
    yield label("unit", (left, TOP + 190), "round", 13)
    yield from _row("round", (left + 70, TOP + 179), ["-", *(str(n) for n in range(1, 9))], int(s.action_round))
    yield label("china", (left + 200, TOP + 122), words.china(s), 13)
    yield label("piles", (left, TOP + 222), words.piles(s), 13)


def _side(s: Any, seat: int, top: float) -> Iterator[Shape]:
    """What everybody knows of a side."""
    left = SIDES_LEFT
    data: Data = {"seat": seat}
    yield Polygon(
        kind="side",
        data=data,
        points=rectangle(left, top - 20, 410, 92),
        fill=palette.CARD,
        stroke=palette.SIDES[seat] if words.pending_question(s)[1] == seat else palette.LINE,
        width=2.4 if words.pending_question(s)[1] == seat else 1.0,
    )
    yield Polygon(kind="side-colour", points=rectangle(left, top - 20, 7, 92), fill=palette.SIDES[seat])
    yield label("side-name", (left + 16, top - 4), words.SIDE_NAMES[seat], 16)
    yield label("held", (left + 70, top - 3), f"cards {s.held[seat]}", 13, data=data)
    yield label("unit", (left + 16, top + 23), "space race", 12, palette.FAINT)
    yield from _row(
        "space", (left + 130, top + 12), [str(box) for box in range(numbers.BOXES + 1)], int(s.space[seat]), data
    )
    yield label("unit", (left + 336, top + 23), f"tried {s.attempts[seat]}", 12, palette.FAINT)
    yield label("unit", (left + 16, top + 53), "military operations", 11, palette.FAINT)
    yield from _row("milops", (left + 130, top + 42), [str(n) for n in range(6)], int(s.milops[seat]), data)


def _cards(s: Any) -> Iterator[Shape]:
    """7.3: the events in effect, the cards that lie open, and those in hand that the other side knows."""
    listed = {"lasting": words.lasting_events(s), "open": words.open_cards(s), "shown": words.shown_cards(s)}
    entries = [(kind, *entry) for kind, found in listed.items() for entry in found]
    yield label(
        "unit",
        (CARDS_LEFT, TOP + 40),
        "events in effect; cards that lie open or are known in a hand" if entries else "no event in effect",
        13,
        palette.FAINT,
    )
    for number, (kind, card, text) in enumerate(entries):
        column, line = divmod(number, LINES)
        at = (CARDS_LEFT + column * COLUMN_WIDTH, TOP + 60 + line * LINE)
        side = words.side_of(card)
        colour = palette.NEUTRAL if side == 2 else palette.SIDES[side]
        yield Circle(
            kind=f"{kind}-side",
            centre=(at[0] + 5, at[1]),
            radius=4.5,
            fill=colour if kind == "lasting" else palette.CARD,
            stroke=colour,
        )
        yield label(kind, (at[0] + 15, at[1]), text, 11.5, data={"card": card})


@functools.cache
def _legend() -> tuple[Shape, ...]:
    """What the tints of the map mean."""
    return tuple(_tints())


def _tints() -> Iterator[Shape]:
    left, top = LEFT, HAND_TOP - 16
    for region, title in palette.REGION_TITLES.items():
        at = (left, top)
        yield Polygon(
            kind="tint", points=rectangle(at[0], at[1] - 6, 12, 12), fill=palette.REGIONS[region], stroke=palette.FAINT
        )
        yield label("tint-name", (at[0] + 17, at[1]), title, 10.5, palette.FAINT)
        left += 40 + 5.6 * len(title)
    yield Polygon(kind="tint", points=rectangle(left, top - 6, 12, 12), fill=palette.BATTLEGROUND)
    text = "battleground; the grey number is the stability; influence in full colour where a side controls"
    yield label("tint-name", (left + 17, top), text, 10.5, palette.FAINT)
