"""Named ranges of a flat action space, and back: (name, indices) <-> action <-> text."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np

from timeline_env.reading import unknown_name


@dataclass(frozen=True)
class Range:
    """Actions of one kind: `shape` counts the choices, `start` is the first action's number."""

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def stop(self) -> int:
        return self.start + self.size


class Codec:
    """A table of ranges in the order of their actions.

    Args:
        ranges: rows of (name, shape, meaning).
    """

    def __init__(self, *ranges: tuple[str, tuple[int, ...], str]) -> None:
        self.ranges: dict[str, Range] = {}
        start = 0
        for name, shape, meaning in ranges:
            if name in self.ranges:
                raise ValueError(f"duplicate action range {name!r}")
            self.ranges[name] = Range(name, start, shape, meaning)
            start = self.ranges[name].stop
        self.size = start

    def __getitem__(self, name: str) -> Range:
        return self.ranges[name]

    def encode(self, name: str, *indices: int) -> int:
        """The action of range `name` with these indices. Raises ValueError naming what is wrong."""
        if name not in self.ranges:
            raise unknown_name("action", name, self.ranges)
        part = self.ranges[name]
        if len(indices) != len(part.shape) or any(not 0 <= i < n for i, n in zip(indices, part.shape, strict=True)):
            raise ValueError(f"action {name}{indices}: the indices must be below {part.shape}")
        return part.start + int(np.ravel_multi_index(indices, part.shape)) if part.shape else part.start

    def decode(self, action: int) -> tuple[str, tuple[int, ...]]:
        """The range's name and the indices of `action`. Raises ValueError if it is not an action."""
        for part in self.ranges.values():
            if part.start <= action < part.stop:
                return part.name, tuple(
                    int(i) for i in np.unravel_index(action - part.start, part.shape)
                ) if part.shape else ()
        raise ValueError(f"action {action} does not exist; actions are 0 to {self.size - 1}")
