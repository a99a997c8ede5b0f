"""Chosen chance: states of the generator from which it draws given numbers, and how many numbers it has drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine import rng

WORD = 1 << 64
UNGOLDEN = np.uint64(pow(int(rng.GOLDEN), -1, WORD))
"""A step of the generator adds `rng.GOLDEN`, so a difference of its states times this is the number of draws between them."""

Draw = tuple[int, int]
"""A random number as ``(below, value)``; a die of 4 is ``(6, 3)``."""


def die(value: int) -> Draw:
    """A die that shows `value`."""
    return 6, value - 1


@cache
def generator(draws: tuple[Draw, ...]) -> int:
    """A state of the generator (uint64) from which it draws these numbers, one after another."""
    word = 0
    while not all(found == value for (_, value), found in zip(draws, drawn(word, draws), strict=True)):
        word += 1
    return word


def drawn(word: int, draws: Iterable[Draw]) -> Iterator[int]:
    """The numbers that the generator draws from the state `word` on, with the bounds of `draws`."""
    for below, _ in draws:
        word = (word + int(rng.GOLDEN)) % WORD
        yield int(rng.bound_word(np.uint64(rng.mix(np.uint64(word))), below))


def draws_between(before: Any, after: Any) -> NDArray[np.int64]:
    """How many numbers generators have drawn between two states (uint64 [k] each); int64 [k]."""
    return ((after - before) * UNGOLDEN).astype(np.int64)
