"""What the scripts share: errors in one line, progress that is seen, tables."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from timeline_env.extras import MissingExtra, require
from timeline_env.failures import PlayerFailed
from timeline_env.files import write_text
from timeline_env.reading import cut

MOST_SAID = 2000
"""Characters of an error."""
SECONDS_A_LINE = 10.0
"""How often progress is printed where there is no terminal."""


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Around the imports of what the package's extra `name` installs: if one is missing, say so in one line."""
    try:
        yield
    except ImportError as error:
        fail(f"{error}; it comes with: pip install 'timeline-env[{name}]'")


class Parser(argparse.ArgumentParser):
    """For scripts that need no more than the core: says what is wrong in one line."""

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=argparse.RawDescriptionHelpFormatter, **options)

    def error(self, message: str) -> NoReturn:
        fail(message)


@contextmanager
def refusals() -> Iterator[None]:
    """Around a script's work: bad input ends in one line ``error: …`` on standard error and exit code 2.

    A user's own `module:Class` is found in the folder that the script is run in.
    """
    try:
        sys.path.append(os.getcwd())
        yield
    except (ValueError, OSError, MissingExtra, PlayerFailed) as error:
        fail(str(error))
    except MemoryError as error:
        fail(f"this needs more memory than there is: {error}")
    except KeyboardInterrupt:
        sys.exit(130)


def run(command: Callable[..., None]) -> None:
    """Run a script's command, written for typer; bad input as in `refusals`."""
    import typer

    app = typer.Typer(add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
    app.command()(command)
    try:
        with refusals():
            sys.exit(app(standalone_mode=False))
    except Exception as error:
        if not hasattr(error, "format_message"):  # typer's own word for a wrong command line
            raise
        fail(error.format_message())


def writable(option: str, path: Path) -> None:
    """Look, before the work, whether a file can be written at `path`. Raises ValueError if not."""
    if not path.parent.is_dir():
        raise ValueError(f"{option} {str(path)!r}: there is no folder {str(path.parent)!r}")
    if path.is_dir() or not os.access(path.parent, os.W_OK):
        raise ValueError(f"{option} {str(path)!r}: no file can be written there")


def fail(message: str) -> NoReturn:
    """Say ``error: …`` in one line and exit with code 2."""
    print("error: " + cut(" ".join(message.split()), MOST_SAID), file=sys.stderr)
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
    rich = require("rich.progress", "train")
    console = require("rich.console", "train").Console(stderr=True)
    shown = ("{task.description}", rich.BarColumn(), rich.MofNCompleteColumn(), "{task.fields[note]}")
    with rich.Progress(*shown, rich.TimeRemainingColumn(), console=console) as bar:
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
    """Print a table to standard output."""
    table = require("rich.table", "eval").Table(title=title, title_justify="left")
    for index, name in enumerate(header):
        table.add_column(name, justify="left" if index == 0 else "right")
    for row in rows:
        table.add_row(*row)
    width = None if sys.stdout.isatty() else 120
    require("rich.console", "eval").Console(width=width).print(table)


def to_json(path: Path, content: Any) -> None:
    """Write `content` as JSON in the place of `path`."""
    write_text(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")
