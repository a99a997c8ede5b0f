"""The configurations that come with the package, which commands take by name: ``timeline-env train timeline_quick``."""

from __future__ import annotations

from pathlib import Path

from timeline_env.reading import unknown_name

_PACKAGE = Path(__file__).resolve().parent
FOLDER = next(folder for folder in (_PACKAGE / "data" / "configs", _PACKAGE.parent / "configs") if folder.is_dir())
"""Inside the package where it is installed; in a clone, the folder at the top level."""


def find_config(given: Path, kind: str = "") -> Path:
    """The file at a path, or the configuration of this name that comes with the package.

    Args:
        given: a path, or the name of a file in ``configs/`` without its extension.
        kind: the folder inside ``configs/`` in which the name is looked up.

    Raises:
        ValueError: neither exists.
    """
    if given.is_file():
        return given
    named = {file.stem: file for file in sorted((FOLDER / kind).glob("*.yaml"))}
    if str(given) not in named:
        raise unknown_name(kind.removesuffix("s") or "config", str(given), [*named, "a file's path"])
    return named[str(given)]
