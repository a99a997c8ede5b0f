"""A sheet of letters with colours, for drawings in text."""

from __future__ import annotations

import sys
import textwrap

WIDTH = 100
"""Columns that every text keeps to."""

GREEN, RED, FAINT, BOLD = "1;38;5;35", "1;38;5;196", "38;5;245", "1"


def colour_text(text: str, style: str) -> str:
    """The text in a style (a terminal code); "" leaves it as it is."""
    return f"\x1b[{style}m{text}\x1b[0m" if style else text


def for_terminal(colour: bool | None) -> bool:
    """Whether to use colours; None: if there is a standard output and it is a terminal."""
    return bool(sys.stdout and sys.stdout.isatty()) if colour is None else colour


def wrap(text: str, indent: int = 2) -> list[str]:
    """The text in lines of `WIDTH` columns at most; all but the first are indented."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False) or [""]


class Canvas:
    """Letters in lines and columns, each with a style."""

    def __init__(self, width: int, height: int) -> None:
        self.letters = [[" "] * width for _ in range(height)]
        self.styles = [[""] * width for _ in range(height)]

    def copy(self) -> Canvas:
        """Another one with the same letters and styles."""
        other = Canvas(0, 0)
        other.letters = [line[:] for line in self.letters]
        other.styles = [line[:] for line in self.styles]
        return other

    def put(self, x: int, y: int, text: str, style: str = "") -> None:
        """Write over what is there."""
        for place, letter in enumerate(text, x):
            self.letters[y][place] = letter
            self.styles[y][place] = style

    def text(self, colour: bool) -> str:
        """All lines, without the spaces at their ends."""
        lines = []
        for letters, styles in zip(self.letters, self.styles, strict=True):
            line = "".join(letters).rstrip()
            lines.append(_style(line, styles) if colour else line)
        return "\n".join(lines)


def _style(line: str, styles: list[str]) -> str:
    """The line with a code wherever the style changes."""
    parts, start = [], 0
    for end in range(1, len(line) + 1):
        if end == len(line) or styles[end] != styles[start]:
            parts.append(colour_text(line[start:end], styles[start]))
            start = end
    return "".join(parts)
