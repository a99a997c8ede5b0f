"""The generator inside a record: splitmix64, the only source of chance in a game.

Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014, with the constants of
its public reference implementation. The record's field ``rng`` (uint64) is the whole state.
"""

from __future__ import annotations

import numpy as np

from timeline_env.engine.jit import rule, wrapping_rule

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
LOW_32 = np.uint64(0xFFFFFFFF)
UNGOLDEN = np.uint64(pow(int(GOLDEN), -1, 1 << 64))
"""A step of the generator adds `GOLDEN`, so a difference of its states times this is the number of draws between them."""


@wrapping_rule
def mix(value):
    """The `value` (uint64) scrambled, a uint64: splitmix64's output function."""
    z = value
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@wrapping_rule
def stream(seed, index):
    """A seed (uint64) for the `index`-th of many independent games of one `seed` (uint64)."""
    return mix(mix(seed + GOLDEN) + GOLDEN * np.uint64(index + 1))


@wrapping_rule
def advance(state):
    """The generator's next state (uint64)."""
    return state + GOLDEN


@wrapping_rule
def draws_between(before, after):
    """How many numbers a generator has drawn between two of its states (uint64)."""
    return np.int64((after - before) * UNGOLDEN)


@wrapping_rule
def bound_word(word, below):
    """The random uint64 `word` as a number from 0 to `below` - 1 (`below` < 2**32), by multiply and shift."""
    return np.int64(((word & LOW_32) * np.uint64(below)) >> S32)


@rule
def draw(s, below):
    """A number from 0 to `below` - 1 out of the record's generator."""
    s.rng = advance(s.rng)
    return bound_word(mix(s.rng), below)


@rule
def shuffle(s, cards, count):
    """Put the first `count` entries of `cards` into a random order, every order equally likely (Fisher-Yates)."""
    for last in range(count - 1, 0, -1):
        other = draw(s, last + 1)
        held = cards[last]
        cards[last] = cards[other]
        cards[other] = held
