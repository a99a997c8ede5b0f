"""The colours of a picture."""

from __future__ import annotations

from timeline_env.view import palette

CARD, INK, FAINT = palette.CARD, palette.INK, palette.FAINT
SEATS = ("#f4c20d", "#f58220", "#2f6fd6", "#8e3fb5", "#858b94", "#22c3cf")
"""T6: yellow, orange, blue, purple, grey, turquoise."""
RINGS = ("#f3e3b3", "#dbe8d0", "#cfe2ee", "#dcd8ee", "#efd9de")
"""T4: radii 0 to 4, and the rounds of their phases on the horizon track."""
CAUSE = "#1f8a3b"
HINDRANCE = "#c81e35"
NEUTRAL = "#d9d4c7"
"""T5: the stance token of the original event, and the centre of an event that scores nobody."""
ORBIT = "#d99a00"
POINTER = "#f4c20d"
EMPTY = "#ffffff"
EMPTY_NODE = "#a9a9a9"
LINE, PAPER = "#b9b3a4", "#f7f4ec"
HIGHLIGHT = "#e8590c"


INK_ON = (INK, INK, CARD, CARD, CARD, INK)
"""The colour of what is written on a token of each seat's colour."""


def mark_colour(mark: int) -> str:
    """A mark's colour: green for a cause (1), red for a hindrance (-1)."""
    return CAUSE if mark > 0 else HINDRANCE
