"""What the stories of both games are made of."""

from __future__ import annotations

from typing import Any

from timeline_env.engine import questions, record

Step = tuple[Any, Any, int | None]
"""A position, the next one, and the action that led to it; None where the game itself went on."""


def asked_seat(s: Any) -> int:
    """The seat that is asked in a position (one record); -1 when the game is over."""
    return int(s.question[s.depth - 1, questions.SEAT]) if s.depth else -1


def copy_position(s: Any) -> Any:
    """A copy of a position (one record), for rules to change."""
    copies = record.new(s.dtype)
    copies[0] = s
    return copies[0]
