"""Draws the key to the signs, in the two corners below the field."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from timeline_env.view.shapes import Shape, label, place_shape
from timeline_env.view.timeline import field, palette
from timeline_env.view.timeline.card import draw_arc, draw_centre, draw_flexible, draw_mark
from timeline_env.view.timeline.face import NOBODY
from timeline_env.view.timeline.geometry import FIELD_HEIGHT, FIELD_WIDTH, MARGIN

TOP, STEP = FIELD_HEIGHT - 128.0, 22.0
COLUMNS = (MARGIN, FIELD_WIDTH - 296.0)
"""Where the two columns begin."""
SIGN_AT = (12.0, 36.0)
TEXT_AT = 56.0
_HERE = (0.0, 0.0)
_MARK_AT = (0.0, 49.0)

Sign = Callable[[int], Iterable[Shape]]
"""Draws, around (0, 0), the first (0) or the second (1) of the two signs of a line."""


@functools.cache
def draw_legend() -> tuple[Shape, ...]:
    """Pairs of signs and what they mean; every shape is of the kind ``legend``."""
    return tuple(_legend())


def _legend() -> Iterator[Shape]:
    for left, lines in zip(COLUMNS, LINES, strict=True):
        for place, (sign, scale, meaning) in enumerate(lines):
            height = TOP + STEP * place
            yield label("legend", (left + TEXT_AT, height), meaning, 12, palette.FAINT)
            for which, x in enumerate(SIGN_AT):
                for shape in sign(which):
                    yield replace(place_shape(shape, (left + x, height), scale), kind="legend", data={})


def _order(which: int) -> Iterator[Shape]:
    yield (field.draw_arrow, field.draw_bar)[which](1, _HERE, {})


def _marks(which: int) -> Iterator[Shape]:
    return draw_mark(_MARK_AT, 0, (1, -1)[which], True, 1.0, {})


def _ways(which: int) -> Iterator[Shape]:
    return draw_mark(_MARK_AT, 0, 1, which == 0, 1.0, {})


def _reinforcements(which: int) -> Iterator[Shape]:
    return field.draw_reinforcement(0, (1, 4)[which], _HERE, {})


def _stances(which: int) -> Iterator[Shape]:
    yield field.draw_stance((palette.SEATS[0], palette.NEUTRAL)[which], _HERE, {})


def _impacts(which: int) -> Iterator[Shape]:
    return field.draw_impact(("yes", "no")[which], which, which + 1, _HERE, field.TOKEN, {})


def _flexible(which: int) -> Iterator[Shape]:
    if which == 0:
        yield draw_flexible(_HERE, 1.0, {})


def _centres(which: int) -> Iterator[Shape]:
    return draw_centre((2, -1)[which], _HERE, 1.0, {})


def _arcs(which: int) -> Iterator[Shape]:
    side, at = (("yes", (0.0, 22.0)), ("no", (0.0, -22.0)))[which]
    return draw_arc(at, side, (2, NOBODY)[which], 1.0, {})


def _outcomes(which: int) -> Iterator[Shape]:
    return field.draw_outcome((1, -1)[which], _HERE, {})


def _pawns(which: int) -> Iterator[Shape]:
    return field.draw_pawn(which + 4, _HERE, (field.THIN, field.THICK)[which], {})


def _realization(which: int) -> Iterator[Shape]:
    if which:
        yield from field.draw_empty(_HERE, {})
    else:
        yield field.draw_highlight(_HERE, 20, {})


LINES: tuple[tuple[tuple[Sign, float, str], ...], ...] = (
    (
        (_order, 1.0, "time on a radius; where it begins"),
        (_marks, 1.0, "cause, hindrance"),
        (_ways, 1.0, "the link leads forward, back"),
        (_reinforcements, 1.0, "link stronger by 1, by 4"),
        (_stances, 1.0, "organizer's or neutral stance: decides at 0"),
        (_impacts, 1.2, "impacts for and against"),
    ),
    (
        (_flexible, 1.0, "flexible: attacking, supporting, logistic"),
        (_centres, 0.7, "gain, loss; one point more for each orbit"),
        (_arcs, 0.5, "arcs: blue scores if it occurs, else nobody"),
        (_outcomes, 0.5, "occurred, did not occur"),
        (_realization, 0.55, "being realized; realized empty"),
        (_pawns, 0.75, "pawns; thick outline: decides"),
    ),
)
