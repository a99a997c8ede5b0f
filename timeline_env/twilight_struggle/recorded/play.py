"""Plays a recorded game through the engine and compares what its lines say with what the engine does.

The engine is moved step by step (`table`). What chance and hidden cards decide is arranged so that it can come
as the log says (`dealer`); what a player decides is read from the lines (`answers`). Everything else
is the engine's own doing, and each line must come true, in the order of the log: a statement is closed as soon as the
engine is as it says, a choice or an act only when all before it is closed; and whenever no statement is open, no
track, no country and no lasting event may differ from where the log left it (`comparison`). The lines that
the engine rightly contradicts are listed in `exceptions`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from timeline_env.reading import label_errors, quote
from timeline_env.twilight_struggle import actions, board, cards, frames, state
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.recorded import comparison, entries
from timeline_env.twilight_struggle.recorded.answers import answer_to, close_declined
from timeline_env.twilight_struggle.recorded.comparison import (
    LogState,
    describe_end,
    difference,
    is_true,
    lasting_cards,
    military,
    quantity_of,
)
from timeline_env.twilight_struggle.recorded.dealer import Dealer
from timeline_env.twilight_struggle.recorded.exceptions import reason_for
from timeline_env.twilight_struggle.recorded.log import Line, phases, read_game
from timeline_env.twilight_struggle.recorded.page import Book, Difference, LogEnds, Page, UnmetLine
from timeline_env.twilight_struggle.recorded.table import RecordedTable, Variant

ALLIANCE_FOR_PROGRESS = 78
FLOWER_POINTS = 2
WORDS = {
    "card": cards.CARD_NAMES[1:],
    "country": board.COUNTRY_NAMES,
    "use": ("the event", "the operations", "the space race"),
    "operation": ("influence", "a coup", "realignment"),
    "option": tuple(f"option {number}" for number in range(actions.CODEC["option"].size)),
    "stop": ("no more",),
    "buy_off": ("a buy-off",) * actions.CODEC["buy_off"].size,
}
"""How the actions of each range are written; the index is that of the range."""
TOLD_BY_HEADER = (frames.HEADLINE, frames.PLAY, frames.TRAP)
"""Questions that the log always answers; any other that it leaves open is answered if there is only one choice. Where lines follow,
the lack of one is an answer too; at the log's end it is none."""


@dataclass(frozen=True)
class Report:
    """How the replay of one game went.

    Attributes:
        name: of the game's file.
        agreed: lines that came true.
        lines: all lines of the game but headers and empty ones.
        difference: the first line that did not come true, in words; "" if all did.
        contradicted: what the engine rightly contradicts, each with its place and its reason.
        reached: the turn and phase that the log ends in, or that the first difference is in.
        end: how the engine's game ended; "" if it is not over.
    """

    name: str
    agreed: int
    lines: int
    difference: str
    contradicted: tuple[str, ...]
    reached: str
    end: str


def check_game(path: Path) -> Report:
    """Play a recorded game as far as it goes, or to the first difference.

    Raises:
        ValueError: the file is not a recorded game, or one of rules that the engine does not know, or cannot be read.
    """
    return Replay(path.name, read_game(path)).run()


def variant_of(lines: list[Line]) -> Variant:
    """The rules that a game was played by: the handicaps, and whether the optional cards were in.

    Raises:
        ValueError: it was another scenario, or two players have one side.
    """
    said = [line.entry for line in lines]
    seated = set()
    for line in lines:
        entry = line.entry
        if isinstance(entry, entries.Seat):
            if entry.side in seated:
                raise ValueError(f"line {line.number}: {quote(entry.player)} plays the {entry.side} as another does")
            seated.add(entry.side)
        if isinstance(entry, entries.Scenario) and entry.name != "Standard":
            raise ValueError(f"line {line.number}: scenario {quote(entry.name)} must be 'Standard'")
    handicaps = [entry for entry in said if isinstance(entry, entries.Handicap)]
    setup = {
        f"{side.lower()}_bonus": sum(each.points for each in handicaps if each.side == side)
        for side in comparison.SIDES
    }
    return {"setup": setup, "deck": {"optional_cards": entries.OptionalCards() in said}}


class Replay:
    """One recorded game on its way through the engine."""

    def __init__(self, name: str, lines: list[Line], make: Callable[[Variant], RecordedTable] = RecordedTable) -> None:
        self.book = Book(name, phases(lines))
        with label_errors(name):
            self.table = make(variant_of(lines))
        self.dealer = Dealer(self.table, self.book)
        self.told = LogState(self.s)
        self.uncompared: list[str] = []
        self.is_first_line_lost = False
        """True where the turn's end has begun without its first line, see `log`."""

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
        except UnmetLine as untrue:
            found = f"{self.book.name}:{untrue.line.number}: {difference(self.s, untrue.line.entry)}"
        except LogEnds:
            pass
        closed, lines = self.book.count()
        contradicted = (*self.uncompared, *self.dealer.contradicted)
        end = describe_end(self.s) if self.s.over else ""
        return Report(
            self.book.name,
            closed - len(self.uncompared),
            lines,
            found,
            contradicted,
            describe_phase(self.page, self.s),
            end,
        )

    # ---- a phase

    def play_phase(self) -> None:
        """Do all that the engine does before what the next header describes; then the lines must have come true."""
        self.check_header()
        self.close_lines()
        self.dealer.divide()
        while not self.is_over():
            self.work() if not self.table.is_asked else self.decide()
            self.page.is_fresh = False
        self.compare()

    def check_header(self) -> None:
        """Check that only the end's header follows the end of the game, and that a headline phase begins the turn it names."""
        header = self.page.header
        if isinstance(header, entries.GameEnd) and not self.book.is_last_page:
            raise Difference(f"{self.book.name}:{self.page.number}: the log continues after the game's end")
        if self.s.over and not isinstance(header, entries.GameEnd):
            happens = f"in the engine {describe_end(self.s)}"
            raise Difference(f"{self.book.name}:{self.page.number}: the log continues with {header}; {happens}")
        if isinstance(header, entries.HeadlinePhase) and header.turn != self.s.turn:
            text = f"the log begins turn {header.turn}, the engine turn {self.s.turn}"
            raise Difference(f"{self.book.name}:{self.page.number}: {text}")

    def is_over(self) -> bool:
        """True if the engine's next step belongs to the next header, or the game is over."""
        header = self.page.header
        if self.s.over:
            return True
        if self.s.depth > 0:
            return False
        if header is None:
            return bool(self.s.stage > state.SET_UP_BONUS)
        if self.page.is_fresh:
            return False
        if self.book.is_last_page or isinstance(self.book.next_header, entries.GameEnd):
            return False  # go on, as far as the engine gets
        if isinstance(self.book.next_header, entries.Cleanup):
            return bool(self.s.stage == state.END_TURN)
        if self.book.ends_turn and not isinstance(header, entries.HeadlinePhase):
            return bool(self.s.stage == state.BEGIN_TURN)
        return bool(self.s.stage == state.BEGIN_ROUND)

    def close_lines(self) -> None:
        """Close the statements that are true now, in order for each quantity, up to the first line that is no statement."""
        waiting = set()
        for place, line in list(self.page.open_lines()):
            quantity = quantity_of(line.entry)
            if quantity is None:
                return
            if quantity not in waiting and self.is_true_news(line.entry):
                if wrong := self.told.contradiction(line.entry):
                    raise self.page.difference_at(line.entry, wrong)
                self.page.open[place] = False
                self.told.note(self.s, line.entry)
                if reason := reason_for(line.entry):
                    self.uncompared.append(f"{self.book.name}:{line.number}: {reason}")
            else:
                waiting.add(quantity)

    def is_true_news(self, entry: entries.Entry) -> bool:
        """True if the engine is as a line states, and the line says something."""
        if not self.told.is_news(entry):
            return False
        early = self.told.early
        told_early = isinstance(entry, entries.VictoryPoints) and early != 0 and self.s.vp - early == entry.score
        return told_early or is_true(self.s, entry)

    def compare(self) -> None:
        """Raises UnmetLine or Difference if a line of the phase is left, or the engine moved what no line mentions."""
        line = self.page.first_open()
        if line is not None:
            raise UnmetLine(line)
        if not isinstance(self.book.next_header, entries.GameEnd):
            self.check_all_is_mentioned()

    def check_all_is_mentioned(self) -> None:
        """Raises Difference if the engine moved what no line mentions."""
        announced = {entry.card for entry in self.page.open_entries(entries.InPlay)}
        changed = self.told.lasting ^ lasting_cards(self.s)
        if self.book.is_last_page and all(event.card in changed for event in self.page.open_entries(entries.Event)):
            announced |= changed  # the log may break off before that line
        if unheard := self.told.unmentioned_change(self.s, announced):
            raise self.book.make_difference(unheard)

    # ---- the engine's steps

    def work(self) -> None:
        """What the engine does unasked: a stage of the turn, a step of an event."""
        if self.s.depth == 0:
            self.carry_on()
            return
        kind, card = self.table.top(frames.KIND), self.table.top(frames.VALUE)
        self.dealer.prepare_event()
        if kind == frames.RUN and self.table.top(frames.STEP) == 0:
            self.expect_of_event(card)
        self.move(self.table.work, begins=card if kind == frames.EVENT else None)

    def expect_of_event(self, card: int) -> None:
        """Expect the lines that are there even if nothing moves: of scoring, and of 46 and 78."""
        if cards.KIND[card] == cards.SCORING or card == ALLIANCE_FOR_PROGRESS:
            self.told.due.add(comparison.SCORE)
        elif card == cards.STOP_WORRYING:
            self.told.due.add(military(comparison.SIDES[self.table.top(frames.SEAT)]))

    def carry_on(self) -> None:
        """The next stage; a deal is followed by hands that fit."""
        stage = self.s.stage
        if stage == state.END_TURN:
            self.end_turn()
        elif stage == state.NEXT_TURN:
            self.next_turn()
        else:
            self.move(self.table.work)
        if stage == state.BEGIN_TURN:
            self.dealer.divide()

    def end_turn(self) -> None:
        """Military operations are looked at; where the turn's end has no header, the line about them is lost."""
        self.is_first_line_lost = False
        before = int(self.s.vp)
        self.table.work()
        if not isinstance(self.page.header, entries.Cleanup) and self.s.vp != before:
            self.is_first_line_lost = True
            self.told.tracks[comparison.SCORE] = int(self.s.vp)
        self.close_lines()

    def next_turn(self) -> None:
        """What lasts a turn ends; one line about this may be lost, if none was lost before."""
        ending = {card for card in self.told.lasting if cards.KIND[card] == cards.TURN}
        self.table.work()
        for side in comparison.SIDES:
            self.told.tracks[military(side)] = 0
        if self.s.over:
            self.told.due.add(comparison.SCORE)  # the final scoring
        self.close_lines()
        unended = ending & self.told.lasting
        if not isinstance(self.page.header, entries.Cleanup) and not self.is_first_line_lost and len(unended) == 1:
            self.told.lasting -= unended

    def move(self, step: Callable[[], None], begins: int | None = None) -> None:
        """Take a step of the engine, and close what has come true by it; `begins`: the card whose event may begin by it."""
        discards = self.table.cards_in(state.DISCARDS)
        step()
        self.close_lines()
        if discards and not self.table.cards_in(state.DISCARDS):
            self.close_reshuffle()
        if begins and self.table.is_running(begins) and not self.page.begin_event(begins):
            raise self.book.make_difference(
                f"in the engine the event of {cards.CARD_NAMES[begins]} happens, the log has no such line"
            )
        self.close_lines()
        first = self.page.first_open()
        if first is None or quantity_of(first.entry) is None:
            self.check_all_is_mentioned()

    def close_reshuffle(self) -> None:
        """The engine has shuffled the discards into the draw pile: close the log's line about it."""
        lines = self.page.open_entries(entries.Reshuffle)
        if not lines:
            raise self.book.make_difference("the engine shuffles the discards into the draw pile, the log does not")
        self.page.close(lines[0])

    def decide(self) -> None:
        """Answer the question on top as the log does; the answer must be legal."""
        self.check_round()
        self.dealer.prepare_question()
        choices = self.table.choices()
        if not choices:
            close_declined(self.table, self.page)
            self.move(self.table.pass_over)
            return
        kind = self.table.top(frames.KIND)
        if len(choices) > 1 and self.page.is_at_end and not self.is_told_by_header():
            raise LogEnds
        chosen = answer_to(self.table, self.page)
        if chosen is None and len(choices) == 1 and kind not in TOLD_BY_HEADER:
            chosen = choices[0]
        if chosen is None:
            raise self.book.make_difference(f"the engine asks {self.question()}, and the log has no answer")
        if chosen not in choices:
            allowed = ", ".join(map(describe_action, choices))
            raise self.book.difference(
                f"the log chooses {describe_action(chosen)}; the engine asks {self.question()} and allows {allowed}"
            )
        is_fought = kind == frames.WAR or (kind == frames.COUP and not self.table.top(frames.FREE))
        if is_fought and actions.COUNTRY <= chosen < actions.USE:
            self.told.due.add(military(comparison.SIDES[self.table.top(frames.SEAT)]))
        self.told.early += self.close_late_points(chosen)
        self.move(lambda: self.table.answer(chosen))

    def is_told_by_header(self) -> bool:
        """True if the question on top needs no line of its own; the header of the game's end tells that Wargames ended it."""
        kind, card = self.table.top(frames.KIND), self.table.top(frames.VALUE)
        ends_game = isinstance(self.book.next_header, entries.GameEnd) and card == cards.WARGAMES
        return kind in TOLD_BY_HEADER or (kind == frames.YES_NO and ends_game)

    def close_late_points(self, chosen: int) -> int:
        """59: for a war card of the USSR that the US plays for its event first, the log gives the points after the event.

        By trap 21 they are paid before it.
        """
        card, is_event = self.table.top(frames.VALUE), chosen == actions.USE + actions.EVENT
        is_war = (
            is_event
            and cards.KIND[card] == cards.WAR
            and cards.SIDE[card] == USSR
            and self.table.top(frames.SEAT) == US
        )
        return -FLOWER_POINTS if is_war and self.s.lasting[cards.FLOWER_POWER] else 0

    def check_round(self) -> None:
        """Check that the round that the engine begins is the one that the log describes."""
        header, s = self.page.header, self.s
        if self.table.top(frames.KIND) not in (frames.PLAY, frames.TRAP) or not isinstance(header, entries.ActionRound):
            return
        told = (header.turn, header.number, comparison.SEATS[header.side])
        found = (int(s.turn), int(s.action_round), int(s.phasing))
        if told == found:
            return
        line = self.page.first_open()
        if line is not None and quantity_of(line.entry) is not None:
            raise UnmetLine(line)
        raise self.book.make_difference(f"the log begins {describe_round(*told)}, the engine {describe_round(*found)}")

    def question(self) -> str:
        """The question on top in words."""
        card = cards.CARD_NAMES[self.table.top(frames.VALUE)]
        kind = frames.KIND_NAMES[self.table.top(frames.KIND)]
        return f"the {comparison.SIDES[self.table.top(frames.SEAT)]} for: {kind}{f' ({card})' if card else ''}"


def describe_round(turn: int, number: int, seat: int) -> str:
    return f"turn {turn}, round {number} of the {comparison.SIDES[seat]}"


def describe_phase(page: Page, s: Any) -> str:
    """Where in the game a phase is, in words."""
    header = page.header
    if header is None:
        return "the set-up"
    if isinstance(header, entries.ActionRound):
        return describe_round(header.turn, header.number, comparison.SEATS[header.side])
    if isinstance(header, entries.HeadlinePhase):
        return f"the headline phase of turn {header.turn}"
    return "the final scoring" if isinstance(header, entries.GameEnd) else f"the end of turn {s.turn}"


def describe_action(action: int) -> str:
    """An action in words."""
    name, indices = actions.CODEC.decode(action)
    return WORDS[name][indices[0] if indices else 0]
