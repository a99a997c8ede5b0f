"""Work shared among threads. Compiled loops release the interpreter lock, so threads of one process use all cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise

MOST_THREADS = 1024


@cache
def _pool(threads: int, process: int) -> ThreadPoolExecutor:
    # One for each process: a forked child inherits the pool but not its threads, and would wait for them for ever.
    return ThreadPoolExecutor(threads, thread_name_prefix="timeline_env")


def share(threads: int, count: int, work: Callable[[int, int], None]) -> None:
    """Call ``work(start, stop)`` for consecutive parts of ``range(count)``, one part per thread, and wait for all.

    The parts must not touch the same data; then the result does not depend on the number of threads.
    """
    parts = min(threads, count)
    if parts <= 1:
        work(0, count)
        return
    bounds = [count * part // parts for part in range(parts + 1)]
    # The calling thread takes the first part itself.
    others = [_pool(threads - 1, os.getpid()).submit(work, start, stop) for start, stop in pairwise(bounds[1:])]
    try:
        work(bounds[0], bounds[1])
    finally:
        for other in others:
            other.result()
