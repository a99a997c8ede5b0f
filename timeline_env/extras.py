"""Modules that come with an extra of the package: imported when needed; if one is missing, one line says how to install it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class MissingExtra(ImportError):
    """A module of an extra is not installed; the message says how to install it."""


def require(module: str, extra: str) -> Any:
    """Import `module`, which comes with the package's `extra`.

    Raises:
        MissingExtra: it is not installed; the message is one line.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(f"{module} cannot be imported ({error}); {hint(extra)}") from None


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Wrap the imports of modules that the package's extra `name` installs. Raises MissingExtra if one is missing."""
    try:
        yield
    except MissingExtra:
        raise
    except ImportError as error:
        raise MissingExtra(f"{error}; {hint(name)}") from None


def hint(extra: str) -> str:
    """How to install what is missing, for the Python that misses it. The package is on no index, so the command is to be run in the project's folder."""
    return f"it comes with the extra {extra!r}: in the project's folder, {sys.executable} -m pip install '.[{extra}]'"
