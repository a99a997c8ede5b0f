"""An observation as a list of named pieces over one flat buffer, with how large each of its numbers may be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from timeline_env.reading import as_list, quote, unknown_name


@dataclass(frozen=True)
class Piece:
    """One named part: where it starts, its shape, what it means, and the names of the numbers along one axis, if they have any.

    The named axis is the last one if it is as long as there are names, else the first.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    meaning: str
    names: tuple[str, ...] = ()

    @property
    def slice(self) -> slice:
        """Where the piece lies in the flat observation."""
        return slice(self.start, self.start + prod(self.shape))


class Layout:
    """The pieces of an observation, in the order in which they lie in the buffer.

    Attributes:
        size: how many numbers an observation has.
        scale: float32 [size], the greatest absolute value of each number in the game as it is; for a number that the
            game does not bound, a value that hardly any game exceeds. `view` cuts pieces out of it, too.

    Args:
        pieces: rows of (name, shape, meaning, scale) or (name, shape, meaning, scale, names); the scale is one for all
            numbers of the piece, or an array that numpy can broadcast to its shape; for the names see `Piece`.

    Raises:
        ValueError: two pieces have the same name.
    """

    def __init__(
        self,
        *pieces: tuple[str, tuple[int, ...], str, ArrayLike]
        | tuple[str, tuple[int, ...], str, ArrayLike, tuple[str, ...]],
    ) -> None:
        self.pieces: dict[str, Piece] = {}
        start, scales = 0, []
        for name, shape, meaning, scale, *names in pieces:
            if name in self.pieces:
                raise ValueError(f"duplicate piece {name!r}")
            self.pieces[name] = Piece(name, start, shape, meaning, *names)
            scales.append(np.broadcast_to(np.asarray(scale, np.float32), shape).reshape(-1))
            start += prod(shape)
        self.size = start
        self.scale = np.concatenate(scales)
        self.scale.setflags(write=False)  # shared by all environments of the game

    def __getitem__(self, name: str) -> Piece:
        if name not in self.pieces:
            raise KeyError(f"no piece {name!r} in the observation; known: {', '.join(self.pieces)}")
        return self.pieces[name]

    def __iter__(self):
        return iter(self.pieces.values())

    def index(self, piece: str, name: str) -> Any:
        """Where the number of this name lies in a flat observation: ``layout.index("tracks", "DEFCON")``.

        An int; for a piece with rows one for each row, int64 [rows]; for planes one for each place.

        Raises:
            KeyError: the observation has no such piece.
            ValueError: the piece has no number of that name; the message says which it has.
        """
        found = self[piece]
        if name not in found.names:
            raise ValueError(f"piece {piece!r} has no number {name!r}; it has: {'; '.join(found.names) or 'no names'}")
        axis = len(found.shape) - 1 if found.shape[-1] == len(found.names) else 0
        where = np.arange(self.size)[found.slice].reshape(found.shape).take(found.names.index(name), axis)
        return where if where.ndim else int(where)

    def columns(self, names: Iterable[str] | None = None) -> np.ndarray[Any, Any]:
        """Where the named pieces lie in a flat observation, one after the other; int64. None means all of it.

        Raises:
            ValueError: a name is unknown or given twice, no name is given, or a text in place of a list.
        """
        chosen = list(self.pieces) if names is None else as_list(names)
        if chosen is None:
            raise ValueError(f"pieces {quote(names)} must be a list of names")
        for name in chosen:
            if not isinstance(name, str) or name not in self.pieces:
                raise unknown_name("piece", name, self.pieces)
        if not chosen:
            raise ValueError(f"pieces []: name at least one of {', '.join(self.pieces)}")
        if len(set(chosen)) < len(chosen):
            raise ValueError(f"pieces {quote(chosen)}: each must be named once")
        return np.concatenate([np.arange(self.size)[self[name].slice] for name in chosen])

    def normalize(self, observation: NDArray[np.int8]) -> NDArray[np.float32]:
        """A flat observation [..., d] with every number divided by its scale and clipped to -1 to 1; a new array."""
        return np.clip(observation / self.scale, -1, 1)

    def view(self, observation: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
        """The piece `name` of a flat observation [..., d], as [..., *shape], without a copy."""
        piece = self[name]
        return observation[..., piece.slice].reshape(*observation.shape[:-1], *piece.shape)

    def views(self, observation: np.ndarray[Any, Any]) -> dict[str, np.ndarray[Any, Any]]:
        """Every piece of a flat observation by name."""
        return {name: self.view(observation, name) for name in self.pieces}
