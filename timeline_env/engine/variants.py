"""Variants of a game: the numbers that differ from the game's own, kept as numbers rather than as a file's path."""

from __future__ import annotations

import hashlib
import os
from copy import deepcopy
from pathlib import Path
from typing import Any

from timeline_env.reading import quote, read_toml

DIGEST = "cards_sha256"
"""The key of a variant, beside `cards`, for the digest of what that file held."""


def read_numbers(path: Path) -> dict[str, Any]:
    """What a TOML file of a game's numbers holds. Raises ValueError if it cannot be read."""
    return read_toml(path, f"rules {quote(str(path))}")


def changes(source: str | Path | dict[str, Any] | None) -> dict[str, Any]:
    """What a variant changes; for a file what it holds now, whatever becomes of the file later; empty for the game as it is.

    A table of cards is a file of its own: its path is kept, and its digest, so that a file with other content is refused.

    Raises:
        ValueError: the file cannot be read.
    """
    if source is None:
        return {}
    if isinstance(source, dict):
        # What is written down of a game must not change with the caller's dict.
        folder, found = Path(), deepcopy(source)
    else:
        folder, found = Path(source).parent, read_numbers(Path(source))
    if "cards" not in found:
        return found
    cards = folder.resolve() / str(found["cards"])
    kept = {DIGEST: digest(cards)} if os.path.isfile(cards) else {}  # the name may be longer than any file's
    return kept | found | {"cards": str(cards)}


def without_place(changed: dict[str, Any]) -> dict[str, Any]:
    """What a variant changes, with a table of cards identified by what it holds and not by where it lies."""
    return {key: value for key, value in changed.items() if key != "cards" or DIGEST not in changed}


def digest(file: Path) -> str:
    """SHA-256 of what a file holds."""
    return hashlib.sha256(file.read_bytes()).hexdigest()
