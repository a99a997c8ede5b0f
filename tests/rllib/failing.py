"""Players that fail, and one whose process ends."""

from __future__ import annotations

import os


class Failing:
    """Cannot decide."""

    def __init__(self, seed: int = 0) -> None:
        pass

    def act(self, decisions: object) -> object:
        """Raises RuntimeError."""
        raise RuntimeError("cannot decide")


class Ending(Failing):
    """Ends the process that asks it."""

    def act(self, decisions: object) -> object:
        """Does not return."""
        os._exit(1)
