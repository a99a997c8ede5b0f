"""Where compiled kernels are kept between runs: beside the code for the CPU, see `timeline_env.engine.cache`.

Compiling a game's kernels takes minutes, loading them from there some seconds. This leans on classes that numba-cuda
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
from timeline_env.reading import flatten

FASTEST = 1
"""The fastest of zlib's levels."""


class PackedKernels(CUDACacheImpl):
    """What is stored of a kernel, compressed: numba keeps its source for other devices, too, which is up to 100 MB of text."""

    def reduce(self, kernel: Any) -> bytes:
        """The kernel's content, compressed. Raises ValueError for a kernel that numba cannot serialize."""
        try:
            return zlib.compress(dumps(super().reduce(kernel)), FASTEST)
        except (RuntimeError, pickle.PicklingError) as error:
            raise ValueError(flatten(error)) from error

    def rebuild(self, target_context: Any, packed: bytes) -> Any:
        """The kernel. Raises ValueError if other versions of numba's libraries wrote something in it that these do not know."""
        try:
            return super().rebuild(target_context, pickle.loads(zlib.decompress(packed)))
        except (ImportError, AttributeError, TypeError) as error:
            raise ValueError(flatten(error)) from error


class KeptKernels(Kept, CUDACache):
    """Numba's cache of one kernel."""

    _impl_class = PackedKernels

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled kernel; None, and a message to the user, if it has to be compiled."""
        found = super().load_overload(sig, target_context)
        if found is None:
            where = f"once; the result is kept in {CACHE_FOLDER}"
            if NOT_KEPT:
                where = f"for this run alone: {NOT_KEPT}; NUMBA_CACHE_DIR names another folder"
            what = " of ".join((self._py_func.__name__, *map(name_of, rules_of(self._py_func))))
            say(f"compiling {what} for this GPU (seconds, or some minutes), {where}")
        return found

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        # The folder stands for all source code. In numba's own key, the rules in a kernel's closure differ in each run.
        over = tuple(map(name_of, rules_of(self._py_func)))
        return sig, codegen.magic_tuple(), over, self._launch_config_key, config.CUDA_DEBUGINFO_DEFAULT


def rules_of(kernel: Any) -> list[Any]:
    """The rules that a kernel closes over."""
    return [cell.cell_contents for cell in kernel.__closure__ or ()]


def name_of(rule: Any) -> str:
    """Where a rule is defined."""
    return f"{rule.__module__}.{rule.__qualname__}"


def keep_kernel(dispatcher: Any) -> None:
    """Keep a kernel's compiled code, and load it from the cache; not if it closes over a function that its name does not identify."""
    named = all("<" not in getattr(rule, "__qualname__", "<") for rule in rules_of(dispatcher.py_func))
    if CACHE_FOLDER and named:
        keep(dispatcher, str(Path(CACHE_FOLDER, f"cuda_{numba_cuda.__version__}")), KeptKernels, config)
