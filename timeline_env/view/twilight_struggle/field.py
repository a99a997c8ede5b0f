"""Draws the map: countries with their influence, the lines between neighbours, the superpowers."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from timeline_env.twilight_struggle import board
from timeline_env.twilight_struggle.board import US, USSR, read_table
from timeline_env.view.shapes import Data, Line, Polygon, Shape, Text, rectangle
from timeline_env.view.twilight_struggle import palette
from timeline_env.view.twilight_struggle.places import (
    BOX_HEIGHT,
    BOX_WIDTH,
    CORNERS,
    HOMES,
    LABELS,
    NAME_HEIGHT,
    PITCH,
    middle,
)
from timeline_env.view.twilight_struggle.words import SIDE_NAMES, controller

FAR = 5 * PITCH
"""A superpower's neighbour farther off than this is on the other edge of the map: a short line leads out to it."""
STUB = 26.0
STABILITY_SIZE = 11.0
AMOUNT_LEFT, AMOUNT = 3.5, (30.0, BOX_HEIGHT - NAME_HEIGHT - 7.5)
"""How far a side's influence lies from the edge of a country's box; its width and height."""
AMOUNT_AT = NAME_HEIGHT + 5 + AMOUNT[1] / 2
"""How far its middle, and that of the stability, lies below the box's upper edge."""
REGION_OF = tuple(row["subregion"] or row["region"] for row in read_table("countries.csv"))


def draw_field(s: Any) -> Iterator[Shape]:
    """The whole map; lines first, so that boxes lie upon them."""
    yield from _ground()
    for country, (ussr, us) in enumerate(s.influence.T.tolist()):
        yield from _country(country, controller(s, country), ussr, us)


@functools.cache
def _ground() -> tuple[Shape, ...]:
    """What lies under the countries."""
    return tuple(_links())


def _links() -> Iterator[Shape]:
    for country in range(board.COUNTRIES):
        for other in map(int, board.NEIGHBOURS[country]):
            if other > country:
                yield _link(country, other)
        for seat in (USSR, US):
            if board.NEXT_TO_SUPERPOWER[seat, country]:
                yield _home_link(country, seat)
    for seat in (USSR, US):
        yield from _home(seat)


def draw_changes(before: Any, s: Any) -> Iterator[Shape]:
    """A frame around every country whose influence the last move changed."""
    for country in np.flatnonzero((before.influence != s.influence).any(axis=0)).tolist():
        left, top = CORNERS[country]
        yield Polygon(
            kind="changed",
            data={"country": country},
            points=rectangle(left - 4, top - 4, BOX_WIDTH + 8, BOX_HEIGHT + 8),
            stroke=palette.MARKER,
            width=5,
        )


def name_size(label: str) -> float:
    """The size of a name, so that even the longest stays in its box, in a browser's widest font too."""
    return min(12.0, 113 / len(label))


def _link(country: int, other: int) -> Line:
    ends = middle(CORNERS[country]), middle(CORNERS[other])
    return Line(kind="link", data={"a": country, "b": other}, points=ends, stroke=palette.LINK, width=1.6)


def _home_link(country: int, seat: int) -> Line:
    """From a superpower to its neighbour; where the map would have to be crossed, a stub out of the neighbour's box."""
    start, end = middle(HOMES[seat]), middle(CORNERS[country])
    if abs(start[0] - end[0]) > FAR and seat == US:
        start = (end[0] + BOX_WIDTH / 2 + STUB / 2, end[1])
    return Line(
        kind="home-link",
        data={"country": country, "seat": seat},
        points=(start, end),
        stroke=palette.SIDES[seat],
        width=2.4,
    )


def _home(seat: int) -> Iterator[Shape]:
    left, top = HOMES[seat]
    yield Polygon(
        kind="home",
        data={"seat": seat},
        points=rectangle(left - 6, top - 4, BOX_WIDTH + 12, BOX_HEIGHT + 8),
        fill=palette.SIDES[seat],
        stroke=palette.INK,
    )
    at = middle(HOMES[seat])
    yield Text(kind="home-name", at=at, text=("USSR", "USA")[seat], size=19, fill=palette.CARD)


@functools.lru_cache(4096)
def _country(country: int, control: int, ussr: int, us: int) -> tuple[Shape, ...]:
    """The name on its region's tint (a battleground's in white on dark); below it, each side's influence and the stability in between."""
    return *_box(country, control), *_influence(country, USSR, control, ussr), *_influence(country, US, control, us)


def _box(country: int, control: int) -> Iterator[Shape]:
    left, top = CORNERS[country]
    battleground = int(board.BATTLEGROUND[country])
    data: Data = {"country": country}
    yield Polygon(
        kind="country",
        data=data | {"name": board.COUNTRY_NAMES[country], "control": "none" if control < 0 else SIDE_NAMES[control]},
        points=rectangle(left, top, BOX_WIDTH, BOX_HEIGHT),
        fill=palette.CARD,
        stroke=palette.BATTLEGROUND if battleground else palette.FAINT,
        width=2.6 if battleground else 1.0,
    )
    yield Polygon(
        kind="name-strip",
        data=data | {"battleground": battleground},
        points=rectangle(left, top, BOX_WIDTH, NAME_HEIGHT),
        fill=palette.BATTLEGROUND if battleground else palette.REGIONS[REGION_OF[country]],
    )
    colour = palette.CARD if battleground else palette.INK
    label = LABELS[country]
    yield Text(
        kind="name",
        data=data,
        at=(left + 4, top + 8),
        text=label,
        size=name_size(label),
        fill=colour,
        anchor="start",
    )
    if battleground:
        yield Polygon(
            kind="region-mark",
            points=rectangle(left, top + NAME_HEIGHT, BOX_WIDTH, 3.5),
            fill=palette.REGIONS[REGION_OF[country]],
        )
    yield Text(
        kind="stability",
        data=data,
        at=(left + BOX_WIDTH / 2, top + AMOUNT_AT),
        text=str(board.STABILITY[country]),
        size=STABILITY_SIZE,
        fill=palette.FAINT,
    )


def _influence(country: int, seat: int, control: int, amount: int) -> Iterator[Shape]:
    """The USSR's on the left, the US's on the right; full colour for the side that controls the country."""
    if not amount:
        return
    corner = CORNERS[country]
    width, height = AMOUNT
    left, top = (
        corner[0] + (AMOUNT_LEFT if seat == USSR else BOX_WIDTH - AMOUNT_LEFT - width),
        corner[1] + AMOUNT_AT - height / 2,
    )
    yield Polygon(
        kind="influence",
        data={"country": country, "seat": seat, "amount": amount, "control": int(control == seat)},
        points=rectangle(left, top, width, height),
        fill=palette.SIDES[seat] if control == seat else palette.PALE[seat],
        stroke=palette.SIDES[seat],
        width=0.8,
    )
    yield Text(
        kind="amount",
        at=(left + width / 2, top + height / 2),
        text=str(amount),
        size=15,
        fill=palette.CARD if control == seat else palette.SIDES[seat],
    )
