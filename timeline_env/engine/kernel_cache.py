"""Where compiled kernels are kept between runs: beside the code for the CPU, see `timeline_env.engine.cache`.

To compile those of a game takes minutes, to take them from there some seconds. This leans on classes that numba-cuda
does not document; each of its versions has a folder, since one may not be able to read what another wrote.
"""

from __future__ import annotations

import pickle
import zlib
from pathlib import Path
from typing import Any

import numba_cuda
from numba.cuda.core import config
from numba.cuda.dispatcher import CUDACache, CUDACacheImpl
from numba.cuda.serialize import dumps

from timeline_env.engine.cache import Kept, keep, say
from timeline_env.engine.jit import CACHE_FOLDER, NOT_KEPT

FASTEST = 1
"""Of zlib's levels."""


class PackedKernels(CUDACacheImpl):
    """What is written of a kernel, packed: numba keeps its source for other devices, too, which is up to 100 MB of text."""

    def reduce(self, kernel: Any) -> bytes:
        return zlib.compress(dumps(super().reduce(kernel)), FASTEST)

    def rebuild(self, target_context: Any, packed: bytes) -> Any:
        return super().rebuild(target_context, pickle.loads(zlib.decompress(packed)))


class KeptKernels(Kept, CUDACache):
    """Numba's cache of one kernel."""

    _impl_class = PackedKernels

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel; None, and a word to the user, if it is to be compiled."""
        found = super().load_overload(sig, target_context)
        if found is None:
            where = f"for this run alone: {NOT_KEPT}" if NOT_KEPT else f"once; the result is kept in {CACHE_FOLDER}"
            say(f"compiling {self._py_func.__name__} for this GPU (seconds, or some minutes), {where}")
        return found

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        # The folder stands for all source. What a kernel is made over are our rules: numba would tell them apart anew in each run.
        over = tuple(name_of(cell.cell_contents) for cell in self._py_func.__closure__ or ())
        return sig, codegen.magic_tuple(), over, self._launch_config_key


def name_of(rule: Any) -> str:
    """Where a rule is defined."""
    return f"{rule.__module__}.{rule.__qualname__}"


def keep_kernel(dispatcher: Any) -> None:
    """Keep what is compiled of a kernel, and take it from there."""
    if CACHE_FOLDER:
        keep(dispatcher, str(Path(CACHE_FOLDER, f"cuda_{numba_cuda.__version__}")), KeptKernels, config)
