"""A position of Timeline as one list of shapes."""

from __future__ import annotations

from typing import Any

from timeline_env.engine.verbs import check_viewer
from timeline_env.view.move import Move
from timeline_env.view.shapes import Drawing
from timeline_env.view.timeline import palette, words
from timeline_env.view.timeline.field import draw_field
from timeline_env.view.timeline.geometry import FIELD_HEIGHT, MARGIN
from timeline_env.view.timeline.hand import draw_hand
from timeline_env.view.timeline.legend import draw_legend
from timeline_env.view.timeline.panel import RIGHT, draw_last, draw_panel


def worth_a_picture(s: Any) -> bool:
    """Whether much lies on the field: the third round of phase 3 has come."""
    return bool((s.phase, s.lap) >= (3, 2))


def draw(rules: Any, s: Any, viewer: int | None = None, last: Move | None = None) -> Drawing:
    """The picture of a position.

    Args:
        rules: the game's numbers, a record.
        s: the position, a record; it is only read.
        viewer: the seat whose hand is shown; None for nobody's.
        last: the move that led to the position; None where there was none.

    Raises:
        ValueError: there is no such seat.
    """
    check_viewer(rules, viewer)
    shapes = [*draw_field(rules, s, last and last.before), *draw_legend(), *draw_panel(rules, s)]
    if last is not None:
        shapes.append(draw_last(words.last_move(rules, last)))
    if viewer is not None:
        shapes += draw_hand(rules, s, viewer)
    title = f"Timeline, {words.time(rules, s)}: {words.decision(s)}"
    return Drawing(round(RIGHT + MARGIN), round(FIELD_HEIGHT), palette.PAPER, title, tuple(shapes))
