"""What the notations of all games share: positions as a seat sees them, moves by their text, integers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from timeline_env.engine import record
from timeline_env.engine.loops import hide_games
from timeline_env.engine.verbs import game_of
from timeline_env.reading import MOST_LISTED, cut


@contextmanager
def short_refusals() -> Iterator[None]:
    """Cut the message of a ValueError, which may quote a text of any length. Decorates functions that read a text."""
    try:
        yield
    except ValueError as error:
        raise ValueError(cut(str(error), MOST_LISTED)) from None


def copy_for_viewer(rules: Any, s: Any, viewer: int | None) -> Any:
    """A copy of the position with what the viewer knows; for None, with what everybody knows.

    Args:
        rules: record array [1].
        s: the position, one record.
        viewer: a seat or None.
    """
    copy = record.new(s.dtype)
    copy[0] = s
    for seat in range(int(rules[0].num_players)) if viewer is None else (viewer,):
        hide_games(rules, copy, np.array([seat], np.int64))
    return copy[0]


@short_refusals()
def action_from_text(rules: Any, s: Any, text: str) -> int:
    """The legal action that the text names.

    Args:
        rules: record array [1], as `load_rules` gives it.
        s: the position, one record.
        text: a move as the game's ``action_to_text`` writes it; several spaces count as one.

    Raises:
        ValueError: one line that names the text and what is legal.
    """
    write = game_of(s.dtype).notation.action_to_text
    legal = {write(rules, s, int(action)): int(action) for action in np.flatnonzero(s.legal)}
    wanted = " ".join(text.split())
    if wanted not in legal:
        raise ValueError(f"move {text!r} is not legal; legal: {', '.join(legal) or 'nothing, the game is over'}")
    return legal[wanted]


def parse_integer(text: str, least: int, most: int, what: str) -> int:
    """The integer written in `text`. Raises ValueError if it is not an integer, or out of range."""
    if not re.fullmatch(r"[+-]?[0-9]{1,20}", text) or not least <= int(text) <= most:
        raise ValueError(f"{what} {text!r} must be an integer from {least} to {most}")
    return int(text)
