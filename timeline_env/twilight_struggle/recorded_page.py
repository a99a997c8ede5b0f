"""A recorded game while it is played: which lines of its phases are still open, and which come next."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from timeline_env.twilight_struggle import recorded_entries as entries
from timeline_env.twilight_struggle.recorded_game import Line, Phase

Found = TypeVar("Found", bound=entries.Entry)
ACTS = (entries.Event, entries.Operations)
"""What sets something going: the lines up to the next one belong to it."""
TWICE = (16, 53)
"""Events whose line stands twice: once more for what their player chose."""


class Difference(Exception):
    """The engine and the log do not agree; the message says how."""


class LogEnds(Exception):
    """The log breaks off before the engine's next step."""


class Page:
    """The lines of a phase; a line is closed when the engine has done what it says."""

    def __init__(self, phase: Phase) -> None:
        self.header = phase.header
        self.lines = [line for line in phase.lines if not isinstance(line.entry, entries.Blank)]
        self.open = [not self._is_declined(place) for place in range(len(self.lines))]
        self.begun = 0
        """The place of the act under way."""
        self.is_fresh = True
        """True until the engine takes a step in this phase."""

    def _is_declined(self, place: int) -> bool:
        """A coup without a target: announced, and not made (107)."""
        after = self.lines[place + 1].entry if place + 1 < len(self.lines) else None
        entry = self.lines[place].entry
        return isinstance(entry, entries.Operations) and entry.use == "coup" and not isinstance(after, entries.Target)

    # ---- looking

    def open_lines(self, start: int = 0) -> Iterator[tuple[int, Line]]:
        """The open lines from a place on."""
        for place in range(start, len(self.lines)):
            if self.open[place]:
                yield place, self.lines[place]

    def first_open(self) -> Line | None:
        return next((line for _, line in self.open_lines()), None)

    def next_act(self) -> entries.Entry | None:
        """The next event or use of operations."""
        return next((line.entry for _, line in self.open_lines() if isinstance(line.entry, ACTS)), None)

    def operations_ahead(self) -> int:
        """How many uses of operations stand before the next event."""
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

    def every(self, kind: type[Found]) -> list[Found]:
        """All open lines of a kind."""
        return [line.entry for _, line in self.open_lines() if isinstance(line.entry, kind)]

    # ---- closing

    def close(self, entry: entries.Entry) -> None:
        """The first open line that says this is done with."""
        for place, line in self.open_lines():
            if line.entry is entry:
                self.open[place] = False
                if isinstance(entry, ACTS):
                    self.begun = place
                return

    def take(self, kind: type[Found]) -> Found | None:
        """The next open line of a kind in the act under way, and close it; None if there is none."""
        for entry in self.block(kind):
            self.close(entry)
            return entry
        return None

    def begin_event(self, card: int) -> bool:
        """The event of a card begins; False if the log has no line of it."""
        for place, line in self.open_lines():
            if line.entry == entries.Event(card):
                self.open[place] = False
                self.begun = place
                if card in TWICE:
                    self._close_second(place, card)
                return True
        return False

    def _close_second(self, place: int, card: int) -> None:
        if place + 1 < len(self.lines) and self.lines[place + 1].entry == entries.Event(card):
            self.open[place + 1] = False
            self.begun = place + 1


class Book:
    """All phases of a game; `now` is the number of the one that is played."""

    def __init__(self, name: str, phases: Iterable[Phase]) -> None:
        self.name = name
        self.pages = [Page(phase) for phase in phases]
        self.now = 0

    @property
    def page(self) -> Page:
        return self.pages[self.now]

    @property
    def is_last_page(self) -> bool:
        return self.now == len(self.pages) - 1

    @property
    def ends_turn(self) -> bool:
        """True if the turn's end belongs to this phase: no other action round follows, but something does."""
        return not self.is_last_page and not isinstance(self.pages[self.now + 1].header, entries.ActionRound)

    def count(self) -> tuple[int, int]:
        """Lines closed, lines in all."""
        closed = sum(page.open.count(False) for page in self.pages)
        return closed, sum(len(page.lines) for page in self.pages)

    def differs(self, text: str) -> Exception:
        """A difference at the first open line of the phase, or at its last; none if the whole log is closed."""
        if all(page.first_open() is None for page in self.pages[self.now :]):
            return LogEnds()
        line = self.page.first_open() or next(reversed(self.page.lines), None)
        return Difference(f"{self.name}:{line.number}: {text}" if line else f"{self.name}: {text}")
