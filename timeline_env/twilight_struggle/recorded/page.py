"""A recorded game while it is played: which lines of its phases are still open, and which come next.

Lines are closed in their order. A line that says what was done (an act, a choice, a die, a card shown)
can only be closed when it is the first open one; what follows from it are statements about the map and the tracks, which
`play` closes as they come true.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from itertools import pairwise
from typing import TypeVar

from timeline_env.twilight_struggle.recorded import entries
from timeline_env.twilight_struggle.recorded.log import Line, Phase

Found = TypeVar("Found", bound=entries.Entry)
ACTS = (entries.Event, entries.Operations)
"""What sets something going: the lines up to the next one belong to it."""
TWICE = (16, 53)
"""Events whose line appears twice: once more for what their player chose."""


class Difference(Exception):
    """The engine and the log do not agree; the message says how."""


class UnmetLine(Exception):
    """Something else happens before an earlier line came true."""

    def __init__(self, line: Line) -> None:
        super().__init__(line)
        self.line = line


class LogEnds(Exception):
    """The log breaks off before the engine's next step."""


class Page:
    """The lines of a phase; a line is closed when the engine has done what it says."""

    def __init__(self, name: str, phase: Phase) -> None:
        self.name = name
        self.header = phase.header
        self.number = phase.number
        self.lines = [line for line in phase.lines if not isinstance(line.entry, entries.Blank)]
        self.open = [True] * len(self.lines)
        self.begun = 0
        """The place of the act under way."""
        self.is_fresh = True
        """True until the engine takes a step in this phase."""
        self.next_header: entries.Header | None = None
        """The header of the phase that follows; None after the last."""
        self.ends_log = False
        """True if no line follows those of this phase; a header without words may, see `entries.GameEnd`."""

    # ---- looking

    def open_lines(self, start: int = 0) -> Iterator[tuple[int, Line]]:
        """The open lines from a place on."""
        for place in range(start, len(self.lines)):
            if self.open[place]:
                yield place, self.lines[place]

    @property
    def is_at_end(self) -> bool:
        """True if the log has no open line any more, here or later."""
        return self.ends_log and self.first_open() is None

    @property
    def game_goes_on(self) -> bool:
        """True if a phase follows, and not the game's end."""
        return self.next_header is not None and not isinstance(self.next_header, entries.GameEnd)

    def first_open(self) -> Line | None:
        return next((line for _, line in self.open_lines()), None)

    def first_entries(self, count: int) -> list[entries.Entry]:
        """What the first open lines say."""
        return [line.entry for _, line in self.open_lines()][:count]

    def act(self) -> entries.Entry | None:
        """The event or use of operations under way; None before the first."""
        entry = self.lines[self.begun].entry if self.lines else None
        return entry if isinstance(entry, ACTS) and not self.open[self.begun] else None

    def next_act(self) -> entries.Entry | None:
        """The next event or use of operations."""
        return next((line.entry for _, line in self.open_lines() if isinstance(line.entry, ACTS)), None)

    def operations_ahead(self) -> int:
        """How many uses of operations come before the next event."""
        count = 0
        for _, line in self.open_lines():
            if isinstance(line.entry, entries.Event):
                break
            count += isinstance(line.entry, entries.Operations)
        return count

    def block(self, kind: type[Found]) -> list[Found]:
        """The open lines of a kind that belong to the act under way."""
        found: list[Found] = []
        for _, line in self.open_lines(self.begun):
            if isinstance(line.entry, ACTS):
                break
            if isinstance(line.entry, kind):
                found.append(line.entry)
        return found

    def open_entries(self, kind: type[Found]) -> list[Found]:
        """All open lines of a kind."""
        return [line.entry for _, line in self.open_lines() if isinstance(line.entry, kind)]

    # ---- closing

    def close(self, entry: entries.Entry) -> None:
        """Close the line that says this. Raises UnmetLine if one before it is still open."""
        place, line = next(self.open_lines())
        if line.entry is not entry:
            raise UnmetLine(line)
        self.open[place] = False
        if isinstance(entry, ACTS):
            self.begun = place

    def take(self, kind: type[Found]) -> Found | None:
        """Close the next open line of a kind in the act under way, and return what it says; None if there is none."""
        for entry in self.block(kind):
            self.close(entry)
            return entry
        return None

    def begin_event(self, card: int) -> bool:
        """The event of a card begins: close its line; False if the log has none."""
        told = [entry for entry in self.open_entries(entries.Event) if entry.card == card]
        if not told:
            return False
        self.close(told[0])
        if card in TWICE:
            self._close_repeat(told[0])
        return True

    def _close_repeat(self, first: entries.Entry) -> None:
        """Close the same line again; a log that breaks off has it once."""
        match self.first_entries(1):
            case [entries.Event() as second] if second == first:
                self.close(second)
            case [_]:
                raise self.difference_at(first, "the log has this line once, where it must be twice")

    # ---- comparing

    def require(self, told: entries.Entry, found: entries.Entry) -> None:
        """Check that what a line says is what the engine has. Raises Difference with the first of its parts that is not."""
        for part in fields(told):
            ours, theirs = getattr(found, part.name), getattr(told, part.name)
            if ours != theirs:
                raise self.difference_at(told, f"the log has {describe_part(told, part.name)}, the engine {ours}")

    def difference_at(self, entry: entries.Entry, text: str) -> Difference:
        """A difference at the line that says this."""
        return Difference(f"{self.name}:{self.line_of(entry).number}: {text}")

    def line_of(self, entry: entries.Entry) -> Line:
        """The line that says this."""
        return next(line for line in self.lines if line.entry is entry)


def describe_part(entry: entries.Entry, part: str) -> str:
    """A part of what a line says: ``the modifier 1 of Coup``."""
    return f"the {part} {getattr(entry, part)} of {type(entry).__name__}"


class Book:
    """All phases of a game; `now` is the number of the one that is played."""

    def __init__(self, name: str, phases: Iterable[Phase]) -> None:
        self.name = name
        self.pages = [Page(name, phase) for phase in phases if phase.header or phase.lines]
        for page, following in pairwise(self.pages):
            page.next_header = following.header
        for page in reversed(self.pages):
            page.ends_log = True
            if page.lines or not isinstance(page.header, entries.GameEnd):
                break
        self.now = 0

    @property
    def page(self) -> Page:
        return self.pages[self.now]

    @property
    def is_last_page(self) -> bool:
        return self.now == len(self.pages) - 1

    @property
    def next_header(self) -> entries.Header | None:
        """The header of the phase that follows; None after the last."""
        return self.page.next_header

    @property
    def ends_turn(self) -> bool:
        """True if no other action round follows, but something does: the turn ends with this phase or at its end."""
        return not self.is_last_page and not isinstance(self.next_header, entries.ActionRound)

    def count(self) -> tuple[int, int]:
        """Lines closed, lines in all."""
        closed = sum(page.open.count(False) for page in self.pages)
        return closed, sum(len(page.lines) for page in self.pages)

    def make_difference(self, text: str) -> Exception:
        """A difference, see `difference`; LogEnds if the whole log is closed, as it then only breaks off."""
        return LogEnds() if self.page.is_at_end else self.difference(text)

    def difference(self, text: str) -> Difference:
        """A difference at the first open line of the phase, or at its last."""
        page = self.page
        line = page.first_open() or next(reversed(page.lines), None)
        return Difference(f"{self.name}:{line.number if line else page.number}: {text}")
