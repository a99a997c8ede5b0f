"""Where compiled code is kept between runs. What lies there is run as the user, so it must be the user's alone.

Nothing depends on the cache: where no folder will do, the disk is full or a file is damaged, the rules are compiled again,
and one line says so and where the cache lies.
"""

from __future__ import annotations

import atexit
import hashlib
import itertools
import os
import pickle
import shutil
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile

from timeline_env.files import wait_for_lock

config: Any = numba.config  # its settings are attributes made at import
DIGEST = hashlib.sha256().digest_size
ROOT = 0
"""The user who may do anything anyway."""
WHY_NOT_KEPT = "TIMELINE_ENV_NOT_KEPT"
"""An environment variable of worker processes: why their folder, which is their parent's, is for one run alone."""
NOT_SAVED: list[str] = []
"""Why compiled code of this process could not be kept, once for each function."""
OneOfNumbas: Any = object
"""What `Kept` is mixed into: numba's cache for the CPU, or for CUDA."""


def may_say() -> bool:
    """Whether anything is said: not if ``TIMELINE_ENV_QUIET`` is set, or standard error was closed."""
    return sys.stderr is not None and not os.environ.get("TIMELINE_ENV_QUIET")


def say(message: str) -> None:
    """Print one line to standard error, if anything is said."""
    if may_say():
        print(f"timeline_env: {message}", file=sys.stderr, flush=True)


say_once = cache(say)


def cache_folder(key: str) -> tuple[str, str]:
    """The folder for the code with this hash, and why later runs will not find the code there; an empty text if they will.

    ``NUMBA_CACHE_DIR`` or ``XDG_CACHE_HOME`` name a place other than ``~/.cache``. Where that is not the user's alone, the
    folder is a fresh one that is removed at exit; it is an empty text if none can be made, as on a full disk.
    """
    home = os.environ.get("NUMBA_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        return str(make_own_folder(Path(home).expanduser() / "timeline_env" / key)), os.environ.get(WHY_NOT_KEPT, "")
    except (OSError, RuntimeError) as error:  # RuntimeError: there is no home
        reason = str(error)
    try:
        folder = tempfile.mkdtemp(prefix="timeline_env-")
    except OSError:
        return "", reason
    atexit.register(remove, folder, os.getpid())
    return folder, reason


def make_own_folder(path: Path) -> Path:
    """The folder, created if missing, with its links followed: it is the user's own, and nobody else can write in it or replace it.

    Raises:
        OSError: it cannot be made or written in, or it is not the user's alone.
    """
    for folder in (*reversed(path.parents), path):
        if not folder.is_dir():
            folder.mkdir(mode=0o700, exist_ok=True)
    path = path.resolve()
    check(path, os.geteuid())
    for parent in path.parents:
        check(parent, os.geteuid(), ROOT, shared=stat.S_ISVTX)
    path.chmod(0o700)  # files may have been written with any mode
    tempfile.TemporaryFile(dir=path).close()
    return path


def check(folder: Path, *owners: int, shared: int = 0) -> None:
    """Check that the folder belongs to one of these users and nobody else may write in it, unless its mode has the bit `shared`.

    In a sticky folder, such as the system's temporary one, nobody can replace what belongs to somebody else.

    Raises:
        PermissionError: the folder is not like that; the message names it.
    """
    status = folder.stat()
    if status.st_uid not in owners:
        raise PermissionError(f"{str(folder)!r} belongs to another user")
    if status.st_mode & (stat.S_IWGRP | stat.S_IWOTH) and not status.st_mode & shared:
        raise PermissionError(f"others may write in {str(folder)!r}")


def remove(folder: str, process: int) -> None:
    """Remove a folder that was made for one run. A forked child leaves it to its parent."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)


class Kept(OneOfNumbas):
    """A cache of one function that goes on without what it cannot read or write."""

    def __init__(self, function: Callable[..., Any], folder: str) -> None:
        super().__init__(function)
        self.folder = folder
        self._cache_file: Any = CheckedFiles(self._cache_file)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code; None if there is none that can be used."""
        try:
            return super().load_overload(sig, target_context)
        except (OSError, ValueError) as error:
            say_once(f"the cache in {self.folder} cannot be read ({reason_of(error)}): rules are compiled again")
            self._cache_file.forget()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep compiled code, if it can be written."""
        try:
            with lock_index(Path(self.folder)):
                super().save_overload(sig, data)
        except (OSError, ValueError) as error:
            NOT_SAVED.append(reason_of(error))
            say_once(f"the cache in {self.folder} cannot be written ({reason_of(error)}): the next run compiles again")


class KeptCode(Kept, FunctionCache):
    """Numba's cache of one function for the CPU."""


def keep(dispatcher: Any, folder: str, kind: type[Kept] = KeptCode, settings: Any = config) -> None:
    """Keep a function's compiled code in the folder, and load it from there.

    Args:
        kind, settings: the class of the cache, and where it reads its folder when it is made: numba's settings, or those of
            numba for CUDA.
    """
    # The setting is put back at once, so that the user's own functions keep theirs.
    previous, settings.CACHE_DIR = settings.CACHE_DIR, folder
    try:
        kept: Any = kind(dispatcher.py_func, folder)
    except RuntimeError:  # nothing can be written any more
        NOT_SAVED.append("nothing can be written there")
        return
    finally:
        settings.CACHE_DIR = previous
    # If this folder is gone, numba turns to another, in which it would not notice an edit of another source file.
    if Path(kept.cache_path).is_relative_to(folder):
        dispatcher._cache = kept
    else:
        NOT_SAVED.append("no folder can be made there")


@contextmanager
def lock_index(folder: Path) -> Iterator[None]:
    """Let one process in at a time: an index is read and rewritten, and what another one added in between would be lost."""
    with ExitStack() as stack:
        # Some network file systems have no locks: what is lost there is only compiled once more.
        with suppress(OSError):
            stack.enter_context(wait_for_lock(folder / "lock"))
        yield


def reason_of(error: OSError | ValueError) -> str:
    """What is wrong, without the file's name: one line is said for all files."""
    return (isinstance(error, OSError) and error.strerror) or str(error)


class CheckedFiles(IndexDataCacheFile):
    """The files of one function, each behind its checksum: damaged code must not be run, nor a damaged pickle read.

    Args:
        plain: the files as numba would keep them.
    """

    def __init__(self, plain: Any) -> None:
        super().__init__(plain._cache_path, plain._index_name.removesuffix(".nbi"), plain._source_stamp)
        self.numbas_dump = plain._dump

    def save(self, key: Any, data: Any) -> None:
        """Write the code, and then the index that names it: if this is interrupted, no index names a file of another key."""
        overloads = self._load_index()
        taken = set(overloads.values())
        name = overloads.get(key) or next(name for n in itertools.count(1) if (name := self._data_name(n)) not in taken)
        self._save_data(name, (key, data))
        if key not in overloads:
            self._save_index(overloads | {key: name})

    def load(self, key: Any) -> Any:
        """The code of this key; None where index and file disagree, since another process may have begun the cache again."""
        found = super().load(key)
        return found[1] if found is not None and found[0] == key else None

    def forget(self) -> None:
        """Begin again, without an index."""
        with suppress(OSError):  # if this fails, writing will fail, too, and be reported then
            os.unlink(self._index_path)

    def _load_index(self) -> dict[Any, str]:
        try:
            version, stamp, overloads = self._read(self._index_path)
        except FileNotFoundError:
            return {}
        return overloads if (version, stamp) == (self._version, self._source_stamp) else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, (self._version, self._source_stamp, overloads))

    def _load_data(self, name: str) -> Any:
        return self._read(self._data_path(name))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), data)

    def _read(self, path: str) -> Any:
        content = Path(path).read_bytes()
        if hashlib.sha256(content[DIGEST:]).digest() != content[:DIGEST]:
            raise ValueError("damaged: a checksum does not agree")
        return pickle.loads(content[DIGEST:])

    def _write(self, path: str, value: Any) -> None:
        content = self.numbas_dump(value)
        with self._open_for_write(path) as file:
            file.write(hashlib.sha256(content).digest() + content)
