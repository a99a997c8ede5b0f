"""How the C library gives memory back, which costs a learner a sixth of its time."""

from __future__ import annotations

import ctypes
import sys

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Parameters of glibc's ``mallopt``, from its ``malloc.h``."""
THRESHOLDS = (2**30, 2**25)
"""In bytes; glibc before 2.35 refuses more than the second."""


def keep_freed_memory() -> None:
    """Have the process keep the memory of large arrays that are freed, for the next ones of their size.

    Otherwise glibc returns arrays of more than 32 MB to the system at once, and the next one is filled with zeros page by page.
    Where another C library is used, nothing changes.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None) if sys.platform == "linux" else None
    if mallopt and any(mallopt(MMAP_THRESHOLD, size) for size in THRESHOLDS):
        mallopt(TRIM_THRESHOLD, 2**31 - 1)
