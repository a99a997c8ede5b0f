"""Tables of words beside the board, and numbers in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


def count(number: int, what: str) -> str:
    """``1 point``, ``2 points``."""
    return f"{number} {what}" + ("" if abs(number) == 1 else "s")


@dataclass(frozen=True)
class Panel:
    """A table.

    Attributes:
        title: the heading above it.
        header: a name for each column; empty ones are not shown.
        rows: each has as many texts as there are columns.
    """

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]

    def as_dict(self) -> dict[str, Any]:
        """The table as a dict, for JSON."""
        return {"title": self.title, "header": list(self.header), "rows": [list(row) for row in self.rows]}
