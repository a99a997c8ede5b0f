"""A dataclass of settings as options of a command line; the comments behind its fields are the help."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from timeline_env import cli
from timeline_env.reading import cut, read_json, shown, table_of

SETTINGS = "args.json"
"""Where a run keeps its settings."""

T = TypeVar("T")


def parse(settings: type[T], source: Path, about: str | None, arguments: Sequence[str] | None) -> tuple[T, bool]:
    """The settings from the command line, and whether a run of such settings is to be gone on with (``--resume RUN``).

    Args:
        settings: a dataclass of plain values, among them `out`, the run folder.
        source: the file that it stands in.
        about: what the program does.
        arguments: the command line; None for the one given.

    Raises:
        ValueError: ``--resume`` with other options, or of a folder that holds no run.
    """
    parser = cli.Parser(description=about)
    comments, fields = _comments(source), dataclasses.fields(settings)  # type: ignore[arg-type]
    for field in fields:
        option, text = "--" + field.name.replace("_", "-"), comments[field.name] + " (%(default)s)"
        parser.add_argument(option, type=type(field.default), default=field.default, help=text)
    parser.add_argument("--resume", metavar="RUN", help="go on with the run in this folder; no other option with it")
    given = vars(parser.parse_args(arguments))
    resume = given.pop("resume")
    if resume is None:
        return settings(**given), False
    if any(given[field.name] != field.default for field in fields):
        raise ValueError("--resume RUN goes on as the run was begun: give no other option with it")
    return settings(**_begun(Path(resume), {field.name: type(field.default) for field in fields})), True


def _comments(source: Path) -> dict[str, str]:
    """What stands behind ``name: …  # `` in a source file, by name."""
    comments: dict[str, str] = {}
    for line in source.read_text(encoding="utf-8").splitlines():
        name, colon, rest = line.strip().partition(": ")
        if colon and "  # " in rest:
            comments.setdefault(name, rest.split("  # ", 1)[1])
    return comments


def _begun(out: Path, known: dict[str, type]) -> dict[str, Any]:
    """The settings of the run in `out`, if they are of the `known` names and kinds. Raises ValueError if not."""
    label = f"--resume {shown(str(out))} is no run"
    begun = table_of(read_json(out / SETTINGS, label), label)
    if unknown := begun.keys() - known:
        raise ValueError(
            f"--resume {str(out)!r}: its settings {cut(', '.join(sorted(unknown)))} are unknown to this version"
        )
    for name, value in begun.items():
        if type(value) not in (known[name], int if known[name] is float else known[name]):
            raise ValueError(f"{label}: {name} {shown(value)} must be of the kind {known[name].__name__}")
    return begun | {"out": str(out)}
