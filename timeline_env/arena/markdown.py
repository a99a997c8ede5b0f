"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def markdown_table(header: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> list[str]:
    """A table, line by line: the first `words` columns hold words, all others numbers, which are aligned to the right."""
    rule = ["---"] * words + ["---:"] * (len(header) - words)
    return [line(header), f"|{'|'.join(rule)}|", *map(line, rows)]


def line(cells: Sequence[str]) -> str:
    """One line of a table."""
    return "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
