"""How rules are compiled: four decorators, a cache that never runs stale code, and a message to the user on the first run.

The decorators say what a function is:

* ``rule``: a function of a game or of the engine, called from other compiled functions;
* ``inlined_rule``: the same, but never compiled by itself (compiling a whole game at each level costs a second or two);
* ``wrapping_rule``: the same, for unsigned arithmetic that is meant to wrap round (the generator);
* ``entry``: a loop over many records that Python calls; it runs without the interpreter lock.

With ``NUMBA_DISABLE_JIT=1`` all four return the bare Python function, so that a debugger can step through the rules.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core import event
from numba.core.registry import CPUDispatcher

from timeline_env.engine.cache import cache_folder, keep, may_say, say

Function = TypeVar("Function", bound=Callable[..., Any])

config: Any = numba.config  # its settings are attributes made at import
PACKAGE = Path(__file__).resolve().parents[1]
NOT_COMPILED = ("arena", "bridges", "cli.py", "commands", "play", "view", "words", "wrappers")
"""Folders, and a file, without compiled functions: after an edit there nothing need be compiled again."""
COMPILED_FROM = (".py", ".csv", ".toml")
"""Files that compiled code depends on: a game's tables are constants in it."""
PLAIN_PYTHON = bool(config.DISABLE_JIT)
"""True when the rules run as plain Python (``NUMBA_DISABLE_JIT=1``)."""


def source_key() -> str:
    """A hash of everything compiled code depends on: the package's sources, the versions, the compiler's flags.

    Numba's own cache looks only at the file of the function it compiles, not at the functions which that one calls.
    """
    digest = hashlib.sha256()
    for path in sorted(path for path in PACKAGE.rglob("*") if path.suffix in COMPILED_FROM):
        name = path.relative_to(PACKAGE)
        if name.parts[0] not in NOT_COMPILED:
            digest.update(str(name).encode() + b"\0" + path.read_bytes() + b"\0")
    for part in (numba.__version__, np.__version__, sys.version, str(config.BOUNDSCHECK), str(config.OPT)):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:20]


CACHE_FOLDER, NOT_KEPT = ("", "") if PLAIN_PYTHON else cache_folder(source_key())
"""Where compiled code lies, and why it does not stay there, empty if it does; see `cache_folder`."""


NO_WRAPPERS: Any = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
"""Options of a function that only compiled functions call: wrappers for Python and C would take a fifth of the compilation."""


class GivenRecord:
    """A record as numba takes it from Python. Numba asks for a record's memory, and numpy exports none for one with overlays.

    This leans on the two attributes that numba reads. The record must outlive it.
    """

    def __init__(self, record: Any) -> None:
        self._numba_type_ = numba_type(record.dtype)
        self.data = (ctypes.c_byte * record.dtype.itemsize).from_address(record.__array_interface__["data"][0])


@functools.cache
def numba_type(dtype: np.dtype[Any]) -> types.Record:
    """Numba's type of a record, kept because making it takes milliseconds."""
    return numba.from_dtype(dtype)


class Rule(CPUDispatcher):
    """A compiled function without a wrapper for Python; where Python calls it nevertheless, it is compiled with one."""

    def __call__(self, *args: Any) -> Any:
        return self.for_python(*(GivenRecord(arg) if isinstance(arg, np.void) else arg for arg in args))

    @functools.cached_property
    def for_python(self) -> Any:
        # In a folder of its own, since numba's file names do not distinguish the two.
        return _njit(self.py_func, "for_python")


def rule(function: Function) -> Function:
    """Compile a function that other compiled functions call."""
    return _compile(function, **NO_WRAPPERS)


def inlined_rule(function: Function) -> Function:
    """Compile a function into each of its callers and nowhere else: for one that contains a whole game and has few callers."""
    return _compile(function, inline="always", **NO_WRAPPERS)


def wrapping_rule(function: Function) -> Function:
    """Compile a function whose unsigned arithmetic wraps round; in plain Python numpy's warning is switched off."""
    if not PLAIN_PYTHON:
        return _compile(function, **NO_WRAPPERS)

    @functools.wraps(function)
    def run_silently(*args: Any) -> Any:
        with np.errstate(over="ignore"):
            return function(*args)

    return run_silently  # type: ignore[return-value]


def entry(function: Function) -> Function:
    """Compile a loop over records that is called from Python, to be run without the interpreter lock."""
    return _compile(function, nogil=True)


def bind(function: Any, arguments: tuple[Any, ...]) -> Any:
    """The compiled `function` for exactly these kinds of arguments, which later calls must keep to.

    Numba determines the kinds at every call, which takes 5 µs for an array of records. The function given here checks nothing.
    """
    if PLAIN_PYTHON:
        return function
    kinds = tuple(numba.typeof(argument) for argument in arguments)
    function.compile(kinds)
    return function.get_overload(kinds)


def _compile(function: Any, **options: Any) -> Any:
    if PLAIN_PYTHON:
        return function
    dispatcher = _njit(function, **options)
    _widen(dispatcher)
    if "no_cpython_wrapper" in options:
        dispatcher.__class__ = Rule
    return dispatcher


def _njit(function: Any, subfolder: str = "", **options: Any) -> Any:
    dispatcher = numba.njit(error_model="numpy", **options)(function)
    if CACHE_FOLDER:
        keep(dispatcher, str(Path(CACHE_FOLDER, subfolder)))
    return dispatcher


def _widen(dispatcher: Any) -> None:
    """Compile for any integer argument as for int64.

    Otherwise numba compiles a callee again for each literal and each integer width it is called with: `charge(s, 1)`
    and `charge(s, 2)` would be two compilations. This leans on a method that numba does not document; a test asserts
    that a rule has one signature.
    """
    original = dispatcher.get_call_template

    def get_call_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        return original(tuple(_widen_type(arg) for arg in args), {name: _widen_type(arg) for name, arg in kws.items()})

    dispatcher.get_call_template = get_call_template


def _widen_type(arg: Any) -> Any:
    arg = types.unliteral(arg)
    return types.int64 if isinstance(arg, types.Integer) and arg != types.uint64 else arg


ENGINE = "the engine"
"""What is compiled for no game in particular."""


class FirstRun(event.Listener):
    """Says on the terminal, once for each game, that it is being compiled, and when that is done."""

    def __init__(self) -> None:
        self.depth = 0
        self.compiled = 0
        self.spent = 0.0
        self.announced: set[str] = set()

    def on_start(self, event: Any) -> None:
        if not self._is_ours(event):
            return
        if self.depth == 0:
            self.started = time.perf_counter()
            what = compilation_target(event.data["dispatcher"].py_func, event.data["args"])
            if what not in self.announced:
                self.announced.add(what)
                say(first_run(what))
        self.depth += 1

    def on_end(self, event: Any) -> None:
        if not self._is_ours(event):
            return
        self.depth -= 1
        self.compiled += 1
        if self.depth == 0:
            self.spent += time.perf_counter() - self.started
        if may_say() and sys.stderr.isatty():
            end = "\r" if self.depth else "\n"
            print(
                f"timeline_env: {self.compiled} functions compiled, {self.spent:.1f} s",
                end=end,
                file=sys.stderr,
                flush=True,
            )

    @staticmethod
    def _is_ours(event: Any) -> bool:
        function = getattr(event.data["dispatcher"], "py_func", None)
        return getattr(function, "__module__", "").startswith("timeline_env.")


def compilation_target(function: Any, arguments: tuple[Any, ...]) -> str:
    """The game that a function is compiled for, by its module or its arguments; `ENGINE` if it is for no game in particular."""
    from timeline_env.engine.verbs import GAMES  # which imports this module

    given = [kind.dtype if isinstance(kind, types.Array) else kind for kind in arguments]
    for name, game in GAMES.items():
        if function.__module__.startswith(f"timeline_env.{name}.") or numba.from_dtype(game.state) in given:
            return name
    return ENGINE


def first_run(what: str) -> str:
    """The message for a user who waits until a game, or the engine, is compiled."""
    wait = "some seconds" if what == ENGINE else "about half a minute"
    if NOT_KEPT:
        return f"compiling {what} ({wait}), for this run alone: {NOT_KEPT}; NUMBA_CACHE_DIR names another folder"
    return f"compiling {what} for this machine, once ({wait}); the result is kept in {CACHE_FOLDER}"


if not PLAIN_PYTHON:
    event.register("numba:compile", FirstRun())
