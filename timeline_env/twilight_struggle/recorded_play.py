"""Plays a recorded game through the engine and compares what its lines say with what the engine does.

The engine is moved step by step (`recorded_table`). What chance and hidden cards decide is arranged so that it can come
as the log says (`recorded_hands`, and the draws below); what a player decides is read from the lines
(`recorded_answers`). Everything else is the engine's own doing, and each line must come true: a line is closed as soon
as the engine stands as it says, no line of a phase may be left, and at its end no track and no country may stand
elsewhere than the log left it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from timeline_env.twilight_struggle import actions, frames
from timeline_env.twilight_struggle import recorded_entries as entries
from timeline_env.twilight_struggle.board import COUNTRY_NAMES, START, US, USSR
from timeline_env.twilight_struggle.cards import (
    CAMBRIDGE_FIVE,
    CARD_NAMES,
    FIVE_YEAR_PLAN,
    GRAIN_SALES,
    KIND,
    MISSILE_ENVY,
    OLYMPIC_GAMES,
    OPS,
    OUR_MAN_IN_TEHRAN,
    SALT,
    SCORING,
    SUMMIT,
)
from timeline_env.twilight_struggle.recorded_answers import SIDES, answer_to
from timeline_env.twilight_struggle.recorded_exceptions import TAKEN_FROM_FRONT, reason_for
from timeline_env.twilight_struggle.recorded_game import Line, phases, read_game
from timeline_env.twilight_struggle.recorded_hands import SEATS, divide, first_shown, shown
from timeline_env.twilight_struggle.recorded_page import Page
from timeline_env.twilight_struggle.recorded_table import RecordedTable, die
from timeline_env.twilight_struggle.state import (
    BEGIN_ROUND,
    BEGIN_TURN,
    DISCARDS,
    DRAW_PILE,
    HANDS,
    IN_FRONT,
    LOOKED_AT,
)

TERRORISM = 92
SHOWS = {26: "USSR", 62: "US", 98: "US", CAMBRIDGE_FIVE: "US"}
"""Events that show a whole hand, or its scoring cards (104), and whose."""


class Difference(Exception):
    """The engine and the log do not agree; the message says how."""


class LogEnds(Exception):
    """The log breaks off where a player would have to choose."""


@dataclass(frozen=True)
class Report:
    """How the replay of one game went.

    Attributes:
        path: the game.
        agreed: lines that came true.
        lines: lines of the game that say anything, the headers apart.
        difference: the first line that did not come true, in words; "" if all did.
        contradicted: the lines that the engine contradicts, with the reason (see `recorded_exceptions`).
    """

    path: Path
    agreed: int
    lines: int
    difference: str
    contradicted: tuple[str, ...] = ()


def check_game(path: Path) -> Report:
    """Play a recorded game to its end, or to the first difference.

    Raises:
        ValueError: the file is no recorded game.
        OSError: the file cannot be read.
    """
    return Replay(path).run()


class Replay:
    """One recorded game on its way through the engine."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.phases = phases(read_game(path))
        self.table = RecordedTable()
        self.told = Told()
        self.uncompared = 0
        self.contradicted: list[str] = []

    @property
    def s(self):
        return self.table.s

    def run(self) -> Report:
        difference = ""
        self.pages = [Page(phase) for phase in self.phases]
        try:
            for self.now in range(len(self.pages)):
                self.page = self.pages[self.now]
                self.play_phase()
        except Difference as found:
            difference = str(found)
        except LogEnds:
            pass
        lines = sum(len(page.lines) for page in self.pages)
        agreed = sum(page.open.count(False) for page in self.pages)
        return Report(self.path, agreed - self.uncompared, lines, difference, tuple(self.contradicted))

    # ---- a phase

    def play_phase(self) -> None:
        self.read_state()
        if not isinstance(self.page.header, entries.FinalScoring | entries.Cleanup):
            self.has_begun = False
            self.arrange()
            while not self.is_phase_over():
                self.step()
        self.check_page()

    def is_phase_over(self) -> bool:
        """Nothing is pending, and what comes next is told under the next header."""
        if self.s.over:
            return True
        if self.s.depth > 0:
            return self.page.header is None and self.table.top(frames.KIND) == frames.HEADLINE
        if isinstance(self.page.header, entries.ActionRound) and self.is_last_round():
            return bool(self.s.stage == BEGIN_TURN)
        if self.page.header is None:
            return False
        if self.now == len(self.pages) - 1 and self.page.first_open():
            return bool(self.s.stage == BEGIN_TURN) and self.has_begun
        return bool(self.s.stage == BEGIN_ROUND) and self.has_begun

    def is_last_round(self) -> bool:
        """The turn's end belongs to this phase."""
        return self.now + 1 < len(self.pages) and not isinstance(self.pages[self.now + 1].header, entries.ActionRound)

    def step(self) -> None:
        """One step of the engine, and the lines that come true by it."""
        table = self.table
        if not table.is_asked:
            self.work()
        else:
            self.decide()
        self.has_begun = True
        self.read_state()

    # ---- questions

    def decide(self) -> None:
        choices = self.table.choices()
        self.check_player()
        if not choices:
            self.table.pass_over()
            return
        self.prepare()
        choices = self.table.choices()
        chosen = answer_to(self.table, self.page)
        if chosen is None and len(choices) == 1:
            chosen = choices[0]
        if chosen is None:
            raise self.unanswered()
        if chosen not in choices:
            raise self.at_line(
                f"the log chooses {name_of(chosen)}, the engine asks {self.question()} and allows {', '.join(map(name_of, choices))}"
            )
        self.table.answer(chosen)

    def check_player(self) -> None:
        """The round that the engine begins is the one the log tells of."""
        header, s = self.page.header, self.s
        if self.table.top(frames.KIND) not in (frames.PLAY, frames.TRAP) or self.table.top(frames.LEFT):
            return
        if isinstance(header, entries.ActionRound):
            told = (header.turn, header.number, SEATS[header.side])
            found = (int(s.turn), int(s.action_round), int(s.phasing))
            if told != found:
                raise self.at_line(
                    f"the log begins turn {told[0]}, round {told[1]} of the {SIDES[told[2]]}, "
                    f"the engine turn {found[0]}, round {found[1]} of the {SIDES[found[2]]}"
                )

    def unanswered(self) -> Exception:
        return self.at_line(f"the engine asks {self.question()}, and the log has no answer")

    def question(self) -> str:
        """The question on top in words."""
        table = self.table
        card = CARD_NAMES[table.top(frames.VALUE)]
        return f"the {SIDES[table.top(frames.SEAT)]} for {frames.KIND_NAMES[table.top(frames.KIND)]}{f' ({card})' if card else ''}"

    # ---- hidden cards

    def ahead(self):
        """What comes out of the hands from here on: in this turn, and later."""
        now, later = [], []
        rest = now
        for number in range(self.now, len(self.pages)):
            page = self.pages[number]
            if number > self.now and isinstance(page.header, entries.HeadlinePhase):
                rest = later
            if (page.header is not None and number > self.now) or (isinstance(page.header, entries.ActionRound) and not self.has_begun):
                rest += shown([page.header])
            rest += self.shown_on(page)
        return first_shown(now), first_shown(later)

    def shown_on(self, page: Page):
        """Cards shown by the open lines of a page; an event may be under way."""
        begun = [page.lines[page.begun].entry] if page.lines else []
        return shown(begun + [line.entry for _, line in page.open_lines()])

    def arrange(self, most_ops: tuple[int, int] = (4, 4)) -> None:
        """Divide the hidden cards anew."""
        now, later = self.ahead()
        sizes = (len(self.table.hand(USSR)), len(self.table.hand(US)))
        self.table.deal(divide(self.table.hidden(), sizes, now, later, most_ops))

    def prepare(self) -> None:
        """Before a card is chosen: it lies where the log takes it from."""
        kind, card = self.table.top(frames.KIND), self.table.top(frames.VALUE)
        if kind == frames.PICK:
            if card == MISSILE_ENVY:
                lines = self.page.block(entries.Reveal)
                if lines:
                    worth = int(OPS[lines[0].card])
                    self.arrange((worth, worth))
            elif card == SALT:
                self.take_from_front()
            elif card == OUR_MAN_IN_TEHRAN:
                for line in self.page.block(entries.Discard):
                    self.look_at(line.card)

    def take_from_front(self) -> None:
        """There a card that still lies before a player may be taken back (see `recorded_exceptions`)."""
        for line in self.page.block(entries.Reveal):
            if self.s.place[line.card] == IN_FRONT:
                self.contradicted.append(f"{self.path.name}: {CARD_NAMES[line.card]}: {TAKEN_FROM_FRONT}")
                self.table.put(line.card, DISCARDS)

    def look_at(self, card: int) -> None:
        """108 looked at this card."""
        place = int(self.s.place[card])
        if place in (DRAW_PILE, HANDS + USSR, HANDS + US):
            told = [line.card for line in self.page.block(entries.Discard)]
            spare = next((other for other in self.table.cards_in(LOOKED_AT) if other not in told), None)
            if spare is not None:
                self.table.put(spare, place)
                self.table.put(card, LOOKED_AT)

    # ---- what the engine does unasked

    def work(self) -> None:
        table, s = self.table, self.s
        if s.depth == 0:
            self.carry_on()
            return
        kind, card, step = table.top(frames.KIND), table.top(frames.VALUE), table.top(frames.STEP)
        if kind == frames.RUN and step == 0 and card in SHOWS:
            self.show_hand(SHOWS[card], card == CAMBRIDGE_FIVE)
        if kind == frames.RUN and card in CHANCE and CHANCE[card](self):
            return
        table.work()
        if (
            kind == frames.EVENT
            and s.depth
            and table.top(frames.KIND) == frames.RUN
            and table.top(frames.VALUE) == card
        ):
            self.begin_event(card)

    def begin_event(self, card: int) -> None:
        if not self.page.begin_event(card):
            raise self.at_line(f"in the engine the event of {CARD_NAMES[card]} happens, the log has no such line")

    def carry_on(self) -> None:
        """A stage of the turn; hands are filled at its beginning."""
        before = int(self.s.stage), self.table.cards_in(DISCARDS)
        self.table.work()
        if before[0] == BEGIN_TURN:
            self.told.begin_turn()
            self.has_begun = False
            self.arrange()
            if before[1] and not self.table.cards_in(DISCARDS) and self.s.turn > 1:
                line = next(iter(self.page.every(entries.Reshuffle)), None)
                if line is None:
                    raise self.at_line("the engine shuffles the discards into the draw pile, the log does not")
                self.page.close(line)

    def show_hand(self, side: str, scoring_only: bool) -> None:
        """Cards of a hand are shown: it must hold these and no others (of the kind)."""
        self.arrange()
        told = []
        while line := self.page.take(entries.Reveal):
            told.append(line.card)
        self.page.take(entries.NoCards)
        found = [card for card in self.table.hand(SEATS[side]) if not scoring_only or KIND[card] == SCORING]
        if sorted(told) != found:
            raise self.at_line(f"the {side}'s hand is {names(told)}; in the engine it is {names(found)}")

    def draw_discard(self, seat: int, kind: type) -> bool:
        """A card of a hand is drawn at random: the one in the log."""
        self.arrange()
        hand = self.table.hand(seat)
        line = self.page.take(kind)
        if line is None:
            self.page.take(entries.NoCards)
            return False
        if line.card not in hand:
            raise self.at_line(
                f"{CARD_NAMES[line.card]} is drawn from the {SIDES[seat]}'s hand, which in the engine is {names(hand)}"
            )
        self.table.draw_next((len(hand), hand.index(line.card)))
        return False

    def draw_five_year_plan(self) -> bool:
        return self.draw_discard(USSR, entries.Discard)

    def draw_grain(self) -> bool:
        found = self.draw_discard(USSR, entries.Reveal)
        self.page.take(entries.Reveal)
        return found

    def draw_terrorism(self) -> bool:
        """One card, or two after 82."""
        self.arrange()
        seat = 1 - self.table.top(frames.SEAT)
        hand, draws = self.table.hand(seat), []
        while line := self.page.take(entries.Discard):
            if line.card not in hand:
                raise self.at_line(
                    f"{CARD_NAMES[line.card]} is drawn from the {SIDES[seat]}'s hand, which in the engine is {names(hand)}"
                )
            draws.append((len(hand), hand.index(line.card)))
            hand.remove(line.card)
        self.page.take(entries.NoCards)
        self.table.draw_next(*draws)
        return False

    def roll_unseen(self) -> bool:
        """20, 45: dice that are not written: any by which the score comes as written."""
        before = self.table.copy()
        lines = self.page.block(entries.VictoryPoints)
        wanted = lines[0].score if lines and lines[0].points else int(self.s.vp)
        for one, two in product(range(1, 7), repeat=2):
            self.table.draw_next(die(one), die(two))
            self.table.work()
            if self.s.vp == wanted and self.s.rolled <= 2:
                return True
            self.table.restore(before)
        return False

    # ---- comparing

    def read_state(self) -> None:
        """Close the lines that are true now: of each quantity the first open one, and so on."""
        waiting = set()
        for place, line in list(self.page.open_lines()):
            quantity = quantity_of(line.entry)
            if quantity is None or quantity in waiting:
                continue
            if reason_for(line.entry):
                self.page.open[place] = False
                self.uncompared += 1
                self.contradicted.append(f"{self.path.name}:{line.number}: {reason_for(line.entry)}")
            elif self.is_true(line.entry):
                self.page.open[place] = False
                self.told.hear(line.entry)
            else:
                waiting.add(quantity)

    def is_true(self, entry: entries.Entry) -> bool:
        s = self.s
        if isinstance(entry, entries.Influence):
            return bool(
                s.influence[SEATS[entry.side], entry.country] == (entry.us if entry.side == "US" else entry.ussr)
            )
        if isinstance(entry, entries.VictoryPoints):
            return bool(s.vp == max(-20, min(20, entry.score)))
        if isinstance(entry, entries.Defcon):
            return bool(s.defcon == entry.level)
        if isinstance(entry, entries.MilitaryOps):
            return bool(s.milops[SEATS[entry.side]] == entry.level)
        if isinstance(entry, entries.SpaceBox):
            return bool(s.space[SEATS[entry.side]] == entry.box)
        if isinstance(entry, entries.InPlay):
            return bool(s.lasting[entry.card] != 0) == entry.begins
        if isinstance(entry, entries.Wins):
            return bool(s.over) and s.winner == SEATS[entry.side]
        return self.page.header is None and not isinstance(entry, entries.Influence)

    def check_page(self) -> None:
        """All lines of the phase are closed, and the engine stands where the log left it."""
        line = self.page.first_open()
        if line is not None:
            raise Difference(f"{self.path.name}:{line.number}: {self.words(line.entry)}")
        ended = isinstance(self.page.header, entries.ActionRound | entries.FinalScoring | entries.Cleanup) and (
            self.is_last_round() or self.s.over
        )
        if not self.s.over:
            self.told.compare(self.s, ended, self.at_line)

    def words(self, entry: entries.Entry) -> str:
        """A line that did not come true, beside what the engine has."""
        s = self.s
        if isinstance(entry, entries.Influence):
            country = entry.country
            return (
                f"the log has {entry.us} US and {entry.ussr} USSR influence in {COUNTRY_NAMES[country]}, "
                f"the engine {s.influence[US, country]} and {s.influence[USSR, country]}"
            )
        if isinstance(entry, entries.VictoryPoints):
            return f"the log has the score {entry.score}, the engine {s.vp}"
        if isinstance(entry, entries.Defcon):
            return f"the log has DEFCON {entry.level}, the engine {s.defcon}"
        if isinstance(entry, entries.MilitaryOps):
            return f"the log has {entry.level} military operations of the {entry.side}, the engine {s.milops[SEATS[entry.side]]}"
        if isinstance(entry, entries.InPlay):
            state = "has begun" if entry.begins else "has ended"
            return f"in the log {CARD_NAMES[entry.card]} {state}, in the engine not"
        if isinstance(entry, entries.Event):
            return f"in the log the event of {CARD_NAMES[entry.card]} happens, in the engine not"
        return f"this did not come true in the engine: {entry}"

    def at_line(self, text: str) -> Exception:
        """A difference at the first open line, or at the phase's last; none if the log ends there."""
        if all(page.first_open() is None for page in self.pages[self.now :]):
            return LogEnds()
        line = self.page.first_open() or (self.page.lines[-1] if self.page.lines else Line(0, entries.Blank()))
        return Difference(f"{self.path.name}:{line.number}: {text}")


CHANCE = {
    FIVE_YEAR_PLAN: Replay.draw_five_year_plan,
    GRAIN_SALES: Replay.draw_grain,
    TERRORISM: Replay.draw_terrorism,
    OLYMPIC_GAMES: Replay.roll_unseen,
    SUMMIT: Replay.roll_unseen,
}


def quantity_of(entry: entries.Entry) -> tuple[object, ...] | None:
    """What a line states, so that lines about the same are taken in order; None if it tells a choice or a draw."""
    if isinstance(entry, entries.Influence):
        return "influence", entry.country, entry.side
    if isinstance(entry, entries.MilitaryOps | entries.SpaceBox):
        return type(entry), entry.side
    if isinstance(entry, entries.InPlay):
        return "in play", entry.card
    if isinstance(entry, STATED):
        return (type(entry),)
    return None


STATED = (
    entries.VictoryPoints,
    entries.Defcon,
    entries.Wins,
    entries.Seat,
    entries.Handicap,
    entries.Scenario,
    entries.OptionalCards,
    entries.Clock,
)


class Told:
    """Where the log last left everything that it tells of."""

    def __init__(self) -> None:
        self.influence = START.copy()
        self.tracks = {
            "DEFCON": 5,
            "score": 0,
            "military operations of the USSR": 0,
            "military operations of the US": 0,
        }

    def begin_turn(self) -> None:
        for side in SIDES:
            self.tracks[f"military operations of the {side}"] = 0

    def hear(self, entry: entries.Entry) -> None:
        if isinstance(entry, entries.Influence):
            self.influence[US, entry.country] = entry.us
            self.influence[USSR, entry.country] = entry.ussr
        elif isinstance(entry, entries.Defcon):
            self.tracks["DEFCON"] = entry.level
        elif isinstance(entry, entries.VictoryPoints):
            self.tracks["score"] = entry.score
        elif isinstance(entry, entries.MilitaryOps):
            self.tracks[f"military operations of the {entry.side}"] = entry.level

    def compare(self, s, turn_ended: bool, at_line) -> None:
        """Raises Difference if the engine moved anything that the log did not tell of."""
        if turn_ended:
            self.tracks["score"] = int(s.vp)
            self.begin_turn()
        for seat, country in np.argwhere(s.influence != self.influence):
            raise at_line(
                f"the log leaves {self.influence[seat, country]} influence of the {SIDES[seat]} in {COUNTRY_NAMES[country]}, "
                f"the engine has {s.influence[seat, country]}"
            )
        found = {
            "DEFCON": int(s.defcon),
            "score": int(s.vp),
            "military operations of the USSR": int(s.milops[USSR]),
            "military operations of the US": int(s.milops[US]),
        }
        for track, value in found.items():
            if value != self.tracks[track]:
                raise at_line(f"the log leaves {track} at {self.tracks[track]}, the engine has {value}")


def names(cards) -> str:
    return ", ".join(CARD_NAMES[card] for card in cards) or "empty"


def name_of(action: int) -> str:
    """An action in words."""
    if action < actions.COUNTRY:
        return CARD_NAMES[action - actions.CARD + 1]
    if action < actions.USE:
        return COUNTRY_NAMES[action - actions.COUNTRY]
    if action < actions.OPERATION:
        return ("the event", "the operations", "the space race")[action - actions.USE]
    if action < actions.OPTION:
        return ("influence", "a coup", "realignment")[action - actions.OPERATION]
    if action < actions.STOP:
        return f"option {action - actions.OPTION}"
    return "no more" if action == actions.STOP else "a buy-off"
