"""Plays a recorded game through the engine and compares what its lines say with what the engine does.

The engine is moved step by step (`recorded_table`). What chance and hidden cards decide is arranged so that it can come
as the log says (`recorded_dealer`); what a player decides is read from the lines (`recorded_answers`). Everything else
is the engine's own doing, and each line must come true: a line is closed as soon as the engine stands as it says, no line
of a phase may be left, and at its end no track and no country may stand elsewhere than the log left it
(`recorded_comparison`). The lines that the engine rightly contradicts are listed in `recorded_exceptions`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from timeline_env.twilight_struggle import frames
from timeline_env.twilight_struggle import recorded_entries as entries
from timeline_env.twilight_struggle.actions import CODEC
from timeline_env.twilight_struggle.board import COUNTRY_NAMES
from timeline_env.twilight_struggle.cards import CARD_NAMES
from timeline_env.twilight_struggle.numbers import TURNS
from timeline_env.twilight_struggle.recorded_answers import answer_to
from timeline_env.twilight_struggle.recorded_comparison import SEATS, SIDES, Told, difference, is_true, quantity_of
from timeline_env.twilight_struggle.recorded_dealer import Dealer
from timeline_env.twilight_struggle.recorded_exceptions import reason_for
from timeline_env.twilight_struggle.recorded_game import phases, read_game
from timeline_env.twilight_struggle.recorded_page import Book, Difference, LogEnds, Page
from timeline_env.twilight_struggle.recorded_table import RecordedTable
from timeline_env.twilight_struggle.state import BEGIN_ROUND, BEGIN_TURN, DISCARDS

WORDS = {
    "card": CARD_NAMES[1:],
    "country": COUNTRY_NAMES,
    "use": ("the event", "the operations", "the space race"),
    "operation": ("influence", "a coup", "realignment"),
    "option": tuple(f"option {number}" for number in range(CODEC["option"].size)),
    "stop": ("no more",),
    "buy_off": ("a buy-off",) * CODEC["buy_off"].size,
}
"""How the actions of each range are told; the index is that of the range."""


@dataclass(frozen=True)
class Report:
    """How the replay of one game went.

    Attributes:
        name: of the game's file.
        agreed: lines that came true.
        lines: all lines of the game but headers and empty ones.
        difference: the first line that did not come true, in words; "" if all did.
        contradicted: what the engine rightly contradicts, each with its place and its reason.
    """

    name: str
    agreed: int
    lines: int
    difference: str
    contradicted: tuple[str, ...]


def check_game(path: Path) -> Report:
    """Play a recorded game to its end, or to the first difference.

    Raises:
        ValueError: the file is no recorded game.
        OSError: the file cannot be read.
    """
    return Replay(path).run()


class Replay:
    """One recorded game on its way through the engine, at a table of its own or the one given."""

    def __init__(self, path: Path, table: RecordedTable | None = None) -> None:
        self.book = Book(path.name, phases(read_game(path)))
        self.table = table or RecordedTable()
        self.dealer = Dealer(self.table, self.book)
        self.told = Told()
        self.uncompared: list[str] = []

    @property
    def s(self) -> Any:
        return self.table.s

    @property
    def page(self) -> Page:
        return self.book.page

    def run(self) -> Report:
        """Play all phases."""
        found = ""
        try:
            for number in range(len(self.book.pages)):
                self.book.now = number
                self.play_phase()
        except Difference as differs:
            found = str(differs)
        except LogEnds:
            pass
        closed, lines = self.book.count()
        contradicted = (*self.uncompared, *self.dealer.contradicted)
        return Report(self.book.name, closed - len(self.uncompared), lines, found, contradicted)

    # ---- a phase

    def play_phase(self) -> None:
        """All that the engine does until what the next header tells of; then the lines must have come true."""
        self.close_lines()
        if not isinstance(self.page.header, entries.FinalScoring | entries.Cleanup):
            self.dealer.divide()
            while not self.is_over():
                self.work() if not self.table.is_asked else self.decide()
                self.page.is_fresh = False
                self.close_lines()
        self.compare()

    def is_over(self) -> bool:
        """True if the engine's next step belongs to the next header, or the game is over."""
        if self.s.over:
            return True
        if self.s.depth > 0:
            return self.page.header is None and self.table.top(frames.KIND) == frames.HEADLINE
        if self.page.header is None or self.page.is_fresh:
            return False
        if self.book.ends_turn and isinstance(self.page.header, entries.ActionRound):
            return bool(self.s.stage == BEGIN_TURN)
        if self.book.is_last_page and self.s.turn == TURNS and self.page.first_open():
            return False  # the game's end
        return bool(self.s.stage == BEGIN_ROUND)

    def close_lines(self) -> None:
        """Close the lines that are true now: the first open one about each quantity, and so on."""
        waiting = set()
        for place, line in list(self.page.open_lines()):
            quantity, reason = quantity_of(line.entry), reason_for(line.entry)
            if reason:
                self.page.open[place] = False
                self.uncompared.append(f"{self.book.name}:{line.number}: {reason}")
            elif quantity is None or quantity in waiting:
                continue
            elif is_true(self.s, line.entry):
                self.page.open[place] = False
                self.told.hear(line.entry)
            else:
                waiting.add(quantity)

    def compare(self) -> None:
        """Raises Difference if a line of the phase is left, or the engine moved what no line told of."""
        line = self.page.first_open()
        if line is not None:
            raise Difference(f"{self.book.name}:{line.number}: {difference(self.s, line.entry)}")
        if self.s.over:
            return
        if self.book.ends_turn and self.page.header is not None:
            self.told.end_turn(self.s)
        if unheard := self.told.unheard(self.s):
            raise self.book.differs(unheard)

    # ---- the engine's steps

    def work(self) -> None:
        """What the engine does unasked: a stage of the turn, a step of an event."""
        if self.s.depth == 0:
            self.carry_on()
            return
        kind, card = self.table.top(frames.KIND), self.table.top(frames.VALUE)
        self.dealer.prepare_event()
        self.table.work()
        begins = kind == frames.EVENT and self.s.depth > 0 and self.table.top(frames.KIND) == frames.RUN
        if begins and self.table.top(frames.VALUE) == card and not self.page.begin_event(card):
            raise self.book.differs(f"in the engine the event of {CARD_NAMES[card]} happens, the log has no such line")

    def carry_on(self) -> None:
        """The next stage; a deal is followed by hands that fit, and shuffles the discards in only where the log does."""
        deals, discards = self.s.stage == BEGIN_TURN, self.table.cards_in(DISCARDS)
        self.table.work()
        if deals:
            self.dealer.divide()
        if deals and discards and not self.table.cards_in(DISCARDS):
            lines = self.page.every(entries.Reshuffle)
            if not lines:
                raise self.book.differs("the engine shuffles the discards into the draw pile, the log does not")
            self.page.close(lines[0])

    def decide(self) -> None:
        """A question: the log's answer, which must be legal."""
        self.check_round()
        self.dealer.prepare_question()
        choices = self.table.choices()
        if not choices:
            self.table.pass_over()
            return
        chosen = answer_to(self.table, self.page)
        if chosen is None and len(choices) == 1:
            chosen = choices[0]
        if chosen is None:
            raise self.book.differs(f"the engine asks {self.question()}, and the log has no answer")
        if chosen not in choices:
            allowed = ", ".join(map(in_words, choices))
            raise self.book.differs(
                f"the log chooses {in_words(chosen)}; the engine asks {self.question()} and allows {allowed}"
            )
        self.table.answer(chosen)

    def check_round(self) -> None:
        """The round that the engine begins is the one that the log tells of."""
        header, s = self.page.header, self.s
        if self.table.top(frames.KIND) not in (frames.PLAY, frames.TRAP) or not isinstance(header, entries.ActionRound):
            return
        told = (header.turn, header.number, SEATS[header.side])
        found = (int(s.turn), int(s.action_round), int(s.phasing))
        if told != found:
            raise self.book.differs(f"the log begins {round_in_words(*told)}, the engine {round_in_words(*found)}")

    def question(self) -> str:
        """The question on top in words."""
        card = CARD_NAMES[self.table.top(frames.VALUE)]
        kind = frames.KIND_NAMES[self.table.top(frames.KIND)]
        return f"the {SIDES[self.table.top(frames.SEAT)]} for: {kind}{f' ({card})' if card else ''}"


def round_in_words(turn: int, number: int, seat: int) -> str:
    return f"turn {turn}, round {number} of the {SIDES[seat]}"


def in_words(action: int) -> str:
    """An action in words."""
    name, indices = CODEC.decode(action)
    return WORDS[name][indices[0] if indices else 0]
