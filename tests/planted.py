"""Code in a file that must not run."""

from __future__ import annotations

from pathlib import Path
from typing import Any


class Planted:
    """Pickled, it makes an empty file at this path whenever it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)
