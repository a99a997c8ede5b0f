"""What all commands share: errors in one line, progress that is seen, tables."""

from __future__ import annotations

import inspect
import io
import os
import shlex
import signal
import sys
import threading
import time
from collections.abc import Callable, Container, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from timeline_env import extras
from timeline_env.extras import MissingExtra
from timeline_env.failures import PlayerFailed
from timeline_env.reading import cut, quote

MOST_SAID = 2000
"""The most characters of an error."""
SECONDS_A_LINE = 10.0
"""How often progress is printed where there is no terminal."""


@contextmanager
def require_extra(name: str) -> Iterator[None]:
    """Around a script's imports of what the package's extra `name` installs: if one is missing, say so in one line."""
    with refusals(), extras.extra(name):
        yield


@contextmanager
def refusals() -> Iterator[None]:
    """Around a script's work: bad input ends in one line ``error: …`` on standard error and exit code 2.

    SIGTERM is handled like Ctrl-C, so that nothing is left half-done.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    if sys.stderr is None:  # it was closed: what is printed there goes nowhere
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # for characters that the terminal does not have
    try:
        yield
        print(end="", flush=True)  # a closed pipe that is noticed only as the process ends gives a warning
    except BrokenPipeError:  # whoever reads the output, such as head, has read enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except OSError as error:
        try:
            print(end="", flush=True)
        except OSError:  # its disk is full: what is left would be written, and fail, once more as the process ends
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        fail(f"{quote(error.filename)}: {error.strerror}" if error.filename and error.strerror else str(error))
    except (ValueError, MissingExtra, PlayerFailed) as error:
        fail(str(error))
    except MemoryError as error:
        fail(f"this needs more memory than there is: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def run(function: Callable[..., Any], name: str | None = None, words: Sequence[str] | None = None) -> NoReturn:
    """Run a command, and end with its exit code; bad input ends as in `refusals`.

    Args:
        function: as for `command_of`; what it returns is the exit code.
        name: what it is called in its help; None for the program's name.
        words: its arguments; None for those of this process. An option that may be repeated takes several values at
            once, too: ``--against a b`` is ``--against a --against b``.
    """
    command = command_of(function)
    with refusals():
        try:
            code = command.main(
                spell_out(command, sys.argv[1:] if words is None else words), name, standalone_mode=False
            )
        except Exception as error:
            if not hasattr(error, "format_message"):  # which typer's errors for a wrong command line have
                raise
            raise ValueError(f"{explain_usage(command, error)}; --help shows what is allowed") from None
    sys.exit(code)


def command_of(function: Callable[..., Any]) -> Any:
    """A function, written for typer, as a command. Its docstring is the help; lines below ``examples:`` are shown as they stand."""
    import typer

    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    text = inspect.cleandoc(function.__doc__ or "")
    app.command(
        help=text.replace("\n\nexample", "\n\n\b\nexample"),  # \b: a paragraph that is not wrapped
        context_settings={"help_option_names": ["--help", "-h"]},
    )(function)
    return typer.main.get_command(app)


def spell_out(command: Any, words: Sequence[str]) -> list[str]:
    """A command line as typer takes it: each value of a list has its option before it.

    Raises:
        ValueError: an option lacks its value, for which typer would take the next option; or a word is empty, which typer would take
            for the path of the present folder.
    """
    options = [option for option in command.params if option.param_type_name == "option"]
    valued = {flag for option in options if not option.is_flag for flag in option.opts}
    for word, after in pairwise(words):
        if word == "--":
            break
        if word in valued and (after.startswith("--") or not after):
            raise ValueError(f"option {word} needs a value, not {quote(after)}")
    for word in words:
        if not word:
            raise ValueError("an argument is empty: ''")
        if word.endswith("=") and word[:-1] in valued:
            raise ValueError(f"option {word[:-1]} needs a value, not ''")
    return repeat(words, lists(command))


def lists(command: Any) -> set[str]:
    """The options that take several values."""
    return {flag for option in command.params if getattr(option, "multiple", False) for flag in option.opts}


def repeat(words: Sequence[str], options: Container[str]) -> list[str]:
    """The command line in which each value of these options has its option before it."""
    repeated: list[str] = []
    option = None
    for number, word in enumerate(words):
        if word == "--":
            return [*repeated, *words[number:]]
        if word.startswith("-") and not word[1:2].isdigit():  # a number may be negative
            flag = word.partition("=")[0]
            option = flag if flag in options else None
        elif option and repeated[-1] != option:
            repeated.append(option)
        repeated.append(word)
    return repeated


def explain_usage(command: Any, error: Any) -> str:
    """What typer says about a wrong command line, and what it does not say: the value, or what may have been meant."""
    message = error.format_message().rstrip(".")
    if wrong := getattr(error.__cause__, "errors", None):  # pydantic's
        return f"{error.param.opts[0]} {quote(wrong()[0]['input'])}: {wrong()[0]['msg'].lower()}"
    if hasattr(error, "possibilities") and any(argument.name == "overrides" for argument in command.params):
        key = error.option_name.lstrip("-").replace("-", "_")
        return f"{message}; a key of the configuration is given as {key}=VALUE"
    argument = getattr(error, "param", None)
    if argument is not None and argument.param_type_name == "argument" and (taken := lists(command)):
        return f"{message}, which stands before {' or '.join(sorted(taken))}: a list takes all values that follow it"
    return str(message)


def command_line() -> str:
    """The command that is running, as it would be typed."""
    program, *words = sys.argv
    called = ["python", os.path.relpath(program)] if program.endswith(".py") else [Path(program).name]
    return shlex.join([*called, *words])


def fail(message: str) -> NoReturn:
    """Say ``error: …`` in one line and exit with code 2."""
    print("error: " + cut(flatten_text(message), MOST_SAID), file=sys.stderr)
    sys.exit(2)


@contextmanager
def progress(what: str, total: int, done: int = 0) -> Iterator[Callable[..., None]]:
    """Show how much of `total` is done: a bar on a terminal, else a line now and then, on standard error.

    Yields a function that is called with what has been done since the last call, and with a note if there is one.
    """
    if sys.stderr.isatty():
        yield from _bar(what, total, done)
    else:
        yield _lines(what, total, done)


def _bar(what: str, total: int, done: int) -> Iterator[Callable[..., None]]:
    from rich import progress
    from rich.console import Console

    shown = ("{task.description}", progress.BarColumn(), progress.MofNCompleteColumn(), "{task.fields[note]}")
    with progress.Progress(*shown, progress.TimeRemainingColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task(what, total=total, completed=done, note="")
        yield lambda more, note="": bar.update(task, advance=more, note=note)


def _lines(what: str, total: int, done: int) -> Callable[..., None]:
    count, told = done, time.monotonic()

    def advance(more: int, note: str = "") -> None:
        nonlocal count, told
        count += more
        if time.monotonic() - told >= SECONDS_A_LINE:
            told = time.monotonic()
            print(f"{what}: {count:,} of {total:,}  {note}".rstrip(), file=sys.stderr, flush=True)

    return advance


def show_table(title: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table to standard output; brackets are text, not markup, and control characters are shown as numbers."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(escape_controls(title)), title_justify="left")
    for index, name in enumerate(header):
        # A long name goes on in the next line: cut off, two runs' agents would look the same.
        table.add_column(Text(escape_controls(name)), justify="left" if index == 0 else "right", overflow="fold")
    for row in rows:
        table.add_row(*(Text(escape_controls(cell)) for cell in row))
    width = None if sys.stdout and sys.stdout.isatty() else 120
    Console(width=width).print(table)


def flatten_text(text: str) -> str:
    """The text in one line, with control characters as numbers: for names and messages that may hold anything."""
    return escape_controls(" ".join(text.split()))


def escape_controls(text: str) -> str:
    """The text with control characters as numbers, so that a name out of a file cannot steer the terminal."""
    return "".join(
        each if each.isprintable() or each == "\n" else each.encode("unicode_escape").decode() for each in text
    )
