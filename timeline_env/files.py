"""Atomic file writes, and locks that let one process at a time work in a folder."""

from __future__ import annotations

import fcntl
import glob
import json
import os
import secrets
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

LOCK_FILE = "lock"
"""The name of the lock in a folder that one process at a time works in."""
TOKEN_BYTES = 4
"""Of the random part of a temporary name, two letters each."""


def write_file(path: Path, write: Callable[[IO[Any]], Any], mode: int = 0o666) -> None:
    """Let `write` fill a file opened in binary mode under a temporary name, and once it is on the disk put it in the place of `path`.

    `mode` says who may read and write the file, less what the user's umask takes away. A symbolic link stays a link: the file
    that it points to is replaced.
    """
    place = follow_link(path)
    partial = partial_of(place)
    try:
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, place)
    except BaseException as error:
        with suppress(OSError):
            partial.unlink(missing_ok=True)
        name_whole(error, path)
        raise


def partial_of(path: Path) -> Path:
    """A temporary name next to `path`, another one each time: two processes may write the same file or folder at once."""
    return path.with_name(f".{path.name}.{secrets.token_hex(TOKEN_BYTES)}.partial")


def follow_link(path: Path) -> Path:
    """The file that a symbolic link finally points to, whether or not it exists; any other path as it is."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def name_whole(error: BaseException, path: Path) -> None:
    """Make an operating-system error name what was to be written, not the temporary file or folder."""
    if isinstance(error, OSError) and error.filename is not None:
        error.filename, error.filename2 = str(path), None


def write_text(path: Path, text: str) -> None:
    """Put a text file (UTF-8) in the place of `path`.

    A path may hold bytes that are no UTF-8: what Python has in their place is written as ``\\udcff``, which JSON reads back.
    """
    write_bytes(path, text.encode(errors="backslashreplace"))


def write_json(path: Path, content: Any) -> None:
    """Write `content` as JSON in the place of `path`."""
    write_text(path, json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def write_bytes(path: Path, content: bytes) -> None:
    """Put a file in the place of `path`."""
    write_file(path, lambda file: file.write(content))


def check_writable(option: str, path: Path) -> None:
    """Check, before the work begins, that a file can be written at `path`. Raises ValueError if not."""
    place = follow_link(path)
    if not place.parent.is_dir():
        raise ValueError(f"{option} {str(path)!r}: there is no folder {str(place.parent)!r}")
    something_else = path.exists() and not path.is_file()  # a folder; or a device or a pipe, which a file would replace
    if something_else or not os.access(place.parent, os.W_OK):
        raise ValueError(f"{option} {str(path)!r}: no file can be written there")


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Yield a folder to fill, under a temporary name next to `path`; it is renamed when it is complete: an atomic write."""
    partial = partial_of(path)
    try:
        partial.mkdir()
    except OSError as error:
        name_whole(error, path)
        raise
    try:
        yield partial
        try:
            os.replace(partial, path)
        except OSError as error:
            name_whole(error, path)
            raise
    except BaseException:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def remove_partial(folder: Path) -> None:
    """Remove what killed processes left half-written in a folder and below it. The caller must have locked the folder."""
    _remove(folder.rglob(".*.partial"))


def remove_partial_of(path: Path) -> None:
    """Remove what killed processes left half-written of one file or folder, beside it. The caller must hold a lock for it."""
    place = follow_link(path)
    _remove(place.parent.glob(f".{glob.escape(place.name)}.{'?' * 2 * TOKEN_BYTES}.partial"))


def _remove(partial: Iterable[Path]) -> None:
    for each in sorted(partial):
        if each.is_dir():
            shutil.rmtree(each, ignore_errors=True)
        else:
            each.unlink(missing_ok=True)


@contextmanager
def wait_for_lock(path: Path) -> Iterator[None]:
    """Lock a file, created if missing; wait until its holder releases it. Raises OSError where files cannot be locked."""
    with path.open("a") as file:  # erases nothing: a link in its place may point to somebody's file
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def lock_folder(folder: Path, refusal: str) -> AbstractContextManager[None]:
    """Keep every other process out of a folder. Raises ValueError, which says `refusal`, if one is in it."""
    return take_lock(folder / LOCK_FILE, refusal)


@contextmanager
def take_lock(path: Path, refusal: str) -> Iterator[None]:
    """Lock a file, created if missing; the system releases the lock when its holder ends, however that happens.

    Raises:
        ValueError: another process holds it; the message is `refusal`.
    """
    with path.open("a") as file:  # erases nothing: a link in its place may point to somebody's file
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ValueError(refusal) from None
        yield


def lock_beside(path: Path) -> Path:
    """The file that is locked in place of one that is itself replaced, or of a folder that is not there yet."""
    place = follow_link(path)
    return place.with_name(f".{place.name}.lock")


@contextmanager
def hold_place(path: Path, refusal: str) -> Iterator[None]:
    """Keep every other process from filling the place of a file or folder; what killed ones left half-written of it is removed.

    Raises:
        ValueError: another process holds it; the message is `refusal`.
    """
    with take_lock(lock_beside(path), refusal):
        remove_partial_of(path)
        yield
