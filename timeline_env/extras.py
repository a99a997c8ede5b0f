"""What comes with an extra of the package: imported when it is needed, or named in one line."""

from __future__ import annotations

import importlib
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
        raise MissingExtra(f"{module} cannot be imported ({error}): pip install 'timeline-env[{extra}]'") from None
