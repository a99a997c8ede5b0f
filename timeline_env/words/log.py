"""The log of a player that asks a command: one line, a JSON object, for every answer.

A line is written in one piece, so a kill leaves whole lines, and players in several processes may share a file.
"""

from __future__ import annotations

import json
import os
import weakref
from collections import Counter
from pathlib import Path
from typing import Any

from timeline_env.reading import label_errors, quote

FAULTS = ("malformed", "late", "ended")
"""What may be wrong with an answer: it is no legal move, it did not come in time, the command ended."""
COUNTED = ("decisions", *FAULTS, "random")
"""``random``: decisions in which a random legal move was played in the command's place."""


class Log:
    """A file to which lines are added; it reveals hands, so only its owner may read it."""

    def __init__(self, path: Path) -> None:
        # A pipe that was opened to be read, too, would be waited for for ever once nobody else reads it; without a reader
        # it is refused.
        way = os.O_RDWR if path.is_file() or not path.exists() else os.O_WRONLY | os.O_NONBLOCK
        self.file = os.open(path, way | os.O_APPEND | os.O_CREAT, 0o600)
        os.set_blocking(self.file, True)
        weakref.finalize(self, os.close, self.file)
        size = os.fstat(self.file).st_size
        if size and os.pread(self.file, 1, size - 1) != b"\n":  # cut off: the disk was full, or the machine went down
            os.write(self.file, b"\n")

    def add(self, entry: dict[str, Any]) -> None:
        """Add a line."""
        os.write(self.file, json.dumps(entry, ensure_ascii=False).encode(errors="replace") + b"\n")


def count_log(path: str | Path) -> dict[str, int]:
    """How many decisions, faults and random moves the lines of a log tell of; any other line is skipped.

    Raises ValueError if the file cannot be read.
    """
    counts = Counter(dict.fromkeys(COUNTED, 0))
    with label_errors(f"log {quote(str(path))}"), Path(path).open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            try:
                entry = json.loads(line)
                fault, played, random = (entry[key] for key in ("fault", "played", "random"))
                counts.update([fault] * bool(fault) + ["decisions"] * bool(played) + ["random"] * bool(random))
            except (ValueError, TypeError, KeyError, RecursionError):
                continue
    return {name: counts[name] for name in COUNTED}
