"""The move that led to a position, which pictures show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Move:
    """A decision that was taken.

    Attributes:
        before: the position in which it was taken, a record.
        action: the action that was chosen there.
    """

    before: Any
    action: int
