"""Command lines run inside the tests' own process: a new one takes seconds to import what it needs."""

from __future__ import annotations

import contextlib
import importlib
import io
import multiprocessing
import os
import re
import runpy
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock

ROOT = Path(__file__).resolve().parents[1]


def python_in(page: str) -> list[str]:
    """The Python examples of a manual, by its path below the project's root."""
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)


def processes() -> Iterator[tuple[str, str, int, int]]:
    """Number, state (``Z``: it has ended), group and session of every process."""
    for file in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            state, _, group, session, *_ = file.read_text().rpartition(") ")[2].split()
            yield file.parent.name, state, int(group), int(session)


def ends_beside_a_fork(work: Callable[[], object]) -> bool:
    """Whether this ends within a minute while a process lives that was forked before, and so holds every pipe that was open then."""
    copied = multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,))
    copied.start()
    try:
        working = threading.Thread(target=work, daemon=True)
        working.start()
        working.join(60)
        return not working.is_alive()
    finally:
        copied.kill()


def run_here(*words: object, cwd: Path | None = None) -> CompletedProcess[str]:
    """What ``python WORDS`` prints and how it ends: a script's path below the project's root, or ``-m`` and a module, and the arguments.

    For what is neither killed nor judged by what its process leaves behind: whatever it changes in this one stays.
    """
    target, *arguments = map(str, words)
    if target == "-m":
        module, *arguments = arguments
        path = Path(importlib.import_module(module).__file__ or "")
    else:
        path = ROOT / target
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        contextlib.chdir(cwd or os.getcwd()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.object(sys, "argv", [str(path), *arguments]),
        mock.patch.object(sys, "path", [*sys.path]),
    ):
        try:
            runpy.run_path(str(path), run_name="__main__")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return CompletedProcess([str(path), *arguments], code, out.getvalue(), err.getvalue())
