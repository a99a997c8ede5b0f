"""Command lines run inside the tests' own process: a new one takes seconds to import what it needs."""

from __future__ import annotations

import contextlib
import io
import os
import runpy
import sys
from pathlib import Path
from subprocess import CompletedProcess
from unittest import mock

ROOT = Path(__file__).resolve().parents[1]


def run_here(*words: object, cwd: Path | None = None) -> CompletedProcess[str]:
    """What ``python WORDS`` prints and how it ends: a script's path below the project's root, or ``-m`` and a module, and the arguments.

    For what ends early, such as a wrong command line: whatever it changes in the process stays.
    """
    target, *arguments = map(str, words)
    is_module = target == "-m"
    if is_module:
        target, *arguments = arguments
    out, err, code = io.StringIO(), io.StringIO(), 0
    path = target if is_module else str(ROOT / target)
    with (
        contextlib.chdir(cwd or os.getcwd()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.object(sys, "argv", [path, *arguments]),
        mock.patch.object(sys, "path", [*sys.path]),
    ):
        try:
            if is_module:
                runpy.run_module(target, run_name="__main__", alter_sys=True)
            else:
                runpy.run_path(path, run_name="__main__")
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
    return CompletedProcess([path, *arguments], code, out.getvalue(), err.getvalue())
