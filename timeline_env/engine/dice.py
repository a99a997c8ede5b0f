"""Chosen chance: states of the generator from which it draws given numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import numpy as np

from timeline_env.engine import rng

WORD = 1 << 64

Draw = tuple[int, int]
"""A random number as ``(below, value)``; a die of 4 is ``(6, 3)``."""


def die(value: int) -> Draw:
    """A die that shows `value`."""
    return 6, value - 1


@cache
def generator(draws: tuple[Draw, ...]) -> int:
    """A state of the generator (uint64) from which it draws these numbers, one after another."""
    word = 0
    while not all(found == value for (_, value), found in zip(draws, draw_from(word, draws), strict=True)):
        word += 1
    return word


def draw_from(word: int, draws: Iterable[Draw]) -> Iterator[int]:
    """The numbers that the generator draws from the state `word` on, with the bounds of `draws`."""
    for below, _ in draws:
        word = (word + int(rng.GOLDEN)) % WORD
        yield int(rng.bound_word(np.uint64(rng.mix(np.uint64(word))), below))
