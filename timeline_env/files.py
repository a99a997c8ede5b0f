"""Files that are whole or not there, whenever the process is killed; arrays, read safely; folders that one process at a time works in."""

from __future__ import annotations

import fcntl
import os
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import numpy as np

T = TypeVar("T")


def write_file(path: Path, write: Callable[[IO[Any]], Any]) -> None:
    """Let `write` fill a file that is open for bytes, under another name, and put it in the place of `path` when it is on the disk."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        with partial.open("wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Put a text file (UTF-8) in the place of `path`."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Put a file in the place of `path`."""
    write_file(path, lambda file: file.write(content))


def read_arrays(path: Path, refusal: str, take: Callable[[Any], T]) -> T:
    """What `take` makes of the arrays by name in an npz file; no code of the file is run.

    Raises:
        ValueError: the file is none, or `take` failed; the message is the path, `refusal` and why.
    """
    if not zipfile.is_zipfile(path):  # of other files numpy says that they might be pickled, and how to run them
        raise ValueError(f"{str(path)!r} {refusal}: it is no npz archive")
    try:
        with np.load(path, allow_pickle=False) as arrays:
            return take(arrays)
    except Exception as error:  # numpy and zipfile name no kinds: a broken file shows itself in many ways
        raise ValueError(f"{str(path)!r} {refusal}: {error}") from None


@contextmanager
def held(folder: Path, refusal: str) -> Iterator[None]:
    """Keep every other process out of a folder. Raises ValueError, which says `refusal`, if one is in it."""
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(refusal) from None
        yield
