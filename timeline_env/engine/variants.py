"""Variants of a game: what differs from its numbers, kept as the numbers themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from timeline_env.reading import quote, read_toml


def read_numbers(path: Path) -> dict[str, Any]:
    """What a TOML file of a game's numbers holds. Raises ValueError if it cannot be read."""
    return read_toml(path, f"rules {quote(str(path))}")


def changes(source: str | Path | dict[str, Any] | None) -> dict[str, Any]:
    """What a variant changes: of a file what it holds, whatever becomes of the file; empty for the game as it is.

    Raises:
        ValueError: the file cannot be read.
    """
    if source is None or isinstance(source, dict):
        return source or {}
    path = Path(source)
    found = read_numbers(path)
    return found | ({"cards": str(path.parent.resolve() / str(found["cards"]))} if "cards" in found else {})
