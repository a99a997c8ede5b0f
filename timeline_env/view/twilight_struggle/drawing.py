"""A position of Twilight Struggle as one list of shapes."""

from __future__ import annotations

from typing import Any

from timeline_env.view.move import Move
from timeline_env.view.shapes import Drawing
from timeline_env.view.twilight_struggle import palette, words
from timeline_env.view.twilight_struggle.field import draw_changes, draw_field
from timeline_env.view.twilight_struggle.hand import CARD_HEIGHT, draw_hand
from timeline_env.view.twilight_struggle.panel import HAND_TOP, draw_heading, draw_last, draw_panel
from timeline_env.view.twilight_struggle.places import MAP_WIDTH, MARGIN


def worth_a_picture(s: Any) -> bool:
    """Whether much has happened on the map: the third action round of turn 5 has come."""
    return bool((s.turn, s.action_round) >= (5, 3))


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
    told = "" if last is None else words.last_move(rules, last, s, viewer)
    s = words.copy_known(rules, s, viewer)
    shapes = [*draw_field(s), *draw_heading(s), *draw_panel(s)]
    if last is not None:
        shapes += [*draw_changes(last.before, s), draw_last(told)]
    if viewer is not None:
        shapes += draw_hand(s, viewer)
    title = f"Twilight Struggle, {words.time(s)}: {words.decision(s)}"
    height = HAND_TOP + (0 if viewer is None else 24 + CARD_HEIGHT + MARGIN)
    return Drawing(round(MAP_WIDTH), round(height), palette.PAPER, title, tuple(shapes))
