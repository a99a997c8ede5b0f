"""Parallel work: the same function for many tasks, in processes that end with their parent."""

from __future__ import annotations

import multiprocessing
import os
import platform
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from timeline_env.engine import jit
from timeline_env.engine.cache import WHY_NOT_KEPT

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Set in every worker process: threads for the arithmetic of networks would only fight over the cores that the processes use."""
BEFORE = "TIMELINE_ENV_BEFORE_"
"""A prefix: in every worker process, what is set for it has a prefixed variable, which is what the user had set where the command was given."""


def run_parallel(
    work: Callable[..., int], tasks: Iterable[tuple[Any, ...]], processes: int, progress: Callable[[int], None]
) -> None:
    """Call ``work(*task)`` for every task.

    Args:
        work: a function at the top level of a module; returns how much it has done.
        tasks: the arguments of each call.
        processes: how many work at once.
        progress: called with what each call of `work` returned, as soon as it has.

    Raises:
        OSError: a process was killed.
    """
    others = set(multiprocessing.active_children())
    context = multiprocessing.get_context("spawn")  # a fork would copy threads' locks
    with (
        environment(workers_environment(shared_cache())),
        ProcessPoolExecutor(processes, context, _begin_worker) as pool,
    ):
        try:
            for done in as_completed([pool.submit(work, *task) for task in tasks]):
                progress(done.result())
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in set(multiprocessing.active_children()) - others:
                worker.terminate()
            if isinstance(error, BrokenProcessPool):
                raise OSError("a worker process was killed; the same command resumes") from None
            raise


def workers_environment(more: Mapping[str, str] = MappingProxyType({})) -> dict[str, str]:
    """The environment variables of processes that work side by side; `more` are set in them, too."""
    wanted = {**ONE_THREAD, **more}
    return wanted | {BEFORE + name: os.environ.get(name, "") for name in wanted}


def shared_cache() -> dict[str, str]:
    """The environment variables by which workers keep their code below this process's folder where that is for this run alone.

    This process removes it; workers that are ended could not remove folders of their own.
    """
    if not jit.NOT_KEPT or not jit.CACHE_FOLDER:
        return {}
    return {"NUMBA_CACHE_DIR": jit.CACHE_FOLDER, WHY_NOT_KEPT: jit.NOT_KEPT}


def users_environment() -> dict[str, str]:
    """The environment variables for a program of the user's: those of this process, without what is set for workers."""
    found = dict(os.environ)
    for key in [key for key in found if key.startswith(BEFORE)]:
        name, before = key.removeprefix(BEFORE), found.pop(key)
        found[name] = before
        if not before:
            del found[name]
    return found


@cache
def name_processor() -> str:
    """The name of this machine's processor; empty if the system does not tell it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


@contextmanager
def environment(wanted: dict[str, str]) -> Iterator[None]:
    """Let processes started inside see these variables, which libraries read when they are loaded."""
    before = dict(os.environ)
    os.environ.update(wanted)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def _begin_worker() -> None:
    """Leave Ctrl-C to the parent, and end with it if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
