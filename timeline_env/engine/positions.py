"""Positions that come as bytes from outside: accepted only if a position of the game has these bytes.

Compiled code checks nothing: a number out of its range would become an index outside a table. So the bytes are written in
the game's notation and read again. What has no text, what the reader refuses, and what reads back as other bytes is not
a position; and no field, old or new, goes unchecked.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from timeline_env.engine import record
from timeline_env.engine.verbs import Game

KEPT = 256
"""How many checked positions are remembered: players that look ahead return to the same ones again and again."""


def from_bytes(game: Game, rules: Any, content: bytes) -> np.recarray[Any, Any]:
    """The position with these bytes, a record array [1] of its own.

    Args:
        game: the game.
        rules: record array [1], as `load_rules` gives it.
        content: what ``tobytes`` gave for a position between two decisions.

    Raises:
        ValueError: these bytes are not a position of the game; the message says what is wrong.
    """
    check(game, rules.tobytes(), content)
    return _record(game.state, content)


@lru_cache(KEPT)
def check(game: Game, rules: bytes, content: bytes) -> None:
    """Raises ValueError if `content` are not the bytes of a position of the game with these numbers."""
    if len(content) != game.state.itemsize:
        raise ValueError(f"{len(content)} bytes are not a position of {game.name}; it has {game.state.itemsize}")
    numbers, S = _record(game.rules, rules), _record(game.state, content)
    try:
        text = game.notation.to_text(numbers, S[0])
    except LookupError:
        raise ValueError(
            f"these bytes are not a position of {game.name}: they hold a number without a meaning"
        ) from None
    told = game.notation.from_text(numbers, text)
    for name in game.state.names or ():
        if not np.array_equal(told[name], S[name]):
            raise ValueError(f"these bytes are not a position of {game.name}: {name!r} does not agree with the rest")


def _record(dtype: np.dtype[Any], content: bytes) -> np.recarray[Any, Any]:
    S = record.new(dtype)
    S.view(np.uint8)[:] = np.frombuffer(content, np.uint8)
    return S
