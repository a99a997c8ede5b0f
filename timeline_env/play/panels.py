"""Tables of words beside the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any


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
