"""What the stories of both games are made of."""

from __future__ import annotations

from typing import Any

from timeline_env.engine import record

Step = tuple[Any, Any, int | None]
"""A position, the next one, and the action that led to it; None where the game itself went on."""


def copy_position(s: Any) -> Any:
    """A copy of a position (one record), for rules to change."""
    copies = record.new(s.dtype)
    copies[0] = s
    return copies[0]
