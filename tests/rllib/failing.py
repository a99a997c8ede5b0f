"""A player that fails."""

from __future__ import annotations


class Failing:
    """Cannot decide."""

    def __init__(self, seed: int = 0) -> None:
        pass

    def act(self, decisions: object) -> object:
        """Raises RuntimeError."""
        raise RuntimeError("cannot decide")
