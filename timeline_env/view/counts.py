"""Numbers in words."""

from __future__ import annotations


def count(number: int, what: str) -> str:
    """``1 point``, ``2 points``."""
    return f"{number} {what}" + ("" if abs(number) == 1 else "s")


def times_more(times: int) -> str:
    """``once more``, ``3 times more``."""
    return "once more" if times == 1 else f"{times} times more"
