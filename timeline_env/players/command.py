"""The name of a player that is a command: ``process:python agent.py``, with options before it as ``nice`` and ``timeout`` take them."""

from __future__ import annotations

import os
import shlex
from dataclasses import dataclass
from pathlib import Path

from timeline_env.reading import quote, unknown_name

KIND = "process"
"""Before the colon."""
MOST_SECONDS = 86_400.0
MOST_RETRIES = 100


@dataclass(frozen=True)
class Command:
    """A command, and how it is asked; docs/text.md describes both.

    Attributes:
        words: the program and its arguments; no shell reads them.
        seconds: for a decision, with all answers to it.
        retries: how many more answers it may give after one that was refused.
        json: whether the prompt shows the position as JSON in place of a drawing.
        rules: a text file that goes with every question; empty for none.
        log: the file to which every answer is added; empty for none.
    """

    words: tuple[str, ...]
    seconds: float = 60.0
    retries: int = 2
    json: bool = False
    rules: str = ""
    log: str = ""

    @classmethod
    def read(cls, text: str) -> Command:
        """Parse the part after the colon. Raises ValueError for an option or a value that is not allowed."""
        words = shlex.split(text)
        given: dict[str, str] = {}
        while words and words[0].startswith("--"):
            option, words = words[0], words[1:]
            if option not in OPTIONS:
                raise unknown_name("option", option, OPTIONS)
            if option == "--json":
                given[option] = option
            elif words:
                given[option], words = words[0], words[1:]
            else:
                raise ValueError(f"option {option} needs a value")
        if not words:
            raise ValueError(f"it names no command, as in {EXAMPLE}")
        seconds, retries = given.get("--seconds", "60"), given.get("--retries", "2")
        return cls(
            tuple(words),
            _number("--seconds", seconds, 0.001, MOST_SECONDS),
            int(_number("--retries", retries, 0, MOST_RETRIES, whole=True)),
            "--json" in given,
            given.get("--rules", ""),
            given.get("--log", ""),
        )

    def files(self) -> list[Path]:
        """The files that it is made of: those that its words name, and the rules."""
        # A word may be longer than any file's name can be, for which `Path.is_file` raises an error.
        return [Path(word) for word in (*self.words, self.rules) if os.path.isfile(word)]


OPTIONS = ("--seconds", "--retries", "--json", "--rules", "--log")
EXAMPLE = f"'{KIND}:--seconds 30 --log moves.jsonl python agent.py'"


def _number(option: str, text: str, least: float, most: float, whole: bool = False) -> float:
    try:
        number = -1 if "_" in text else int(text) if whole else float(text)
    except ValueError:
        number = -1
    if not least <= number <= most:  # true of NaN, too
        kind = "an integer" if whole else "a number"
        raise ValueError(f"option {option} {quote(text)} must be {kind} from {least:g} to {most:g}")
    return number
