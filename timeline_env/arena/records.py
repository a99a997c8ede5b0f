"""The tables of what was played or measured: those of each tournament or entry in its folder, and beside the folders those of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from timeline_env.files import write_json, write_text
from timeline_env.reading import quote, read_json, read_text

TABLES, NUMBERS = "tables.md", "tables.json"
"""The files of tables and of their numbers: in the folder of a tournament or an entry its own, beside the folders those of all of them."""


def measure_all(
    out: Path,
    entries: Mapping[str, Any],
    measure: Callable[[str, Any], Any],
    markdown_of: Callable[[str, Any], list[str]],
) -> None:
    """Measure the entries of a track, by name, one after the other. After each, its tables are written into its folder, and
    those of all that were measured there, now or before, beside the folders."""
    for name, entry in entries.items():
        found = measure(name, entry)
        write_tables(out / name, {name: found.as_dict()}, markdown_of(name, found))
        numbers: dict[str, Any] = {}
        for file in sorted(out.glob(f"*/{NUMBERS}")):
            told = read_json(file, quote(str(file)))
            # Files of a whole track or of best responses may be there, too; they have other keys.
            if isinstance(told, dict) and [*told] == [file.parent.name]:
                numbers |= told
        write_tables(out, numbers, join_tables(out / each / TABLES for each in numbers).splitlines())
        print(f"tables in Markdown: {out}/{TABLES}; their numbers: {out}/{NUMBERS}")


def join_tables(files: Iterable[Path]) -> str:
    """What these files of tables hold, one after the other."""
    return "\n".join(read_text(file, quote(str(file))) for file in files)


def write_tables(folder: Path, numbers: dict[str, Any], lines: Iterable[str]) -> None:
    """Write what was found: its tables in Markdown, and its numbers last, since their file says that both are there."""
    write_text(folder / TABLES, "\n".join(lines) + "\n")
    write_json(folder / NUMBERS, numbers)
