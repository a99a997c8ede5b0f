"""How the environments hand an observation out: the numbers as they are, or scaled for a network."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import DTypeLike, NDArray

from timeline_env.engine.common import CommonForm
from timeline_env.engine.pieces import Layout
from timeline_env.reading import quote, unknown_name

DTYPES = ("float32", "int8")


class Lens:
    """Makes the observations of an environment from the engine's.

    Attributes:
        space: the space of one observation, k numbers.

    Args:
        layout: the observations' layout.
        normalize: whether every number is divided by its scale, see `Layout.normalize`.
        dtype: the observations' dtype: float32, or int8 for the numbers as they are.
        pieces: the layout's pieces that the observations have; None for all.
        form: the common form, for environments that hand it out (`layout` is then its layout); None for the engine's own form.

    Raises:
        ValueError: a value is not allowed; the message names it and what is allowed.
    """

    def __init__(
        self,
        layout: Layout,
        normalize: bool = False,
        dtype: DTypeLike = "float32",
        pieces: Iterable[str] | None = None,
        form: CommonForm | None = None,
    ) -> None:
        if not isinstance(normalize, bool):
            raise ValueError(f"normalize {quote(normalize)} must be True or False")
        self.layout, self.normalize, self.dtype = layout, normalize, _dtype(dtype)
        if normalize and self.dtype != np.float32:
            raise ValueError(f"dtype {quote(dtype)} cannot hold normalized numbers; allowed is float32")
        self.form = form
        self.columns = slice(layout.size) if pieces is None else layout.columns(pieces)
        self.space = self.spread(1)

    def spread(self, rows: int) -> spaces.Box:
        """The space of this many observations, one after the other."""
        least, most = (-1, 1) if self.normalize else (-128, 127)
        size = len(np.arange(self.layout.size)[self.columns])
        return spaces.Box(least, most, (rows * size,), self.dtype.type)

    def convert(self, observation: NDArray[np.int8]) -> NDArray[Any]:
        """The observations [..., k] for the engine's [..., d], a new array."""
        told = self.form.observation(observation) if self.form else observation
        seen = self.layout.normalize(told) if self.normalize else told
        return seen[..., self.columns].astype(self.dtype)


def _dtype(dtype: DTypeLike) -> np.dtype[Any]:
    try:
        chosen = np.dtype(dtype)
    except TypeError:
        chosen = np.dtype(np.void)
    if chosen.name not in DTYPES:
        raise unknown_name("dtype", dtype, DTYPES)
    return chosen
