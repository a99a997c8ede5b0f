"""The dealer at the table of a recorded game: hidden cards and dice come as the log needs them.

Hands are divided again at every phase (`hands`); what an event draws or shows must then be what the log says.
"""

from __future__ import annotations

from itertools import product

from timeline_env.engine.dice import Draw, die
from timeline_env.twilight_struggle import board, cards, frames, state
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.recorded import comparison, entries, exceptions
from timeline_env.twilight_struggle.recorded.hands import divide, find_coming
from timeline_env.twilight_struggle.recorded.page import Book
from timeline_env.twilight_struggle.recorded.table import RecordedTable

CIA, LONE_GUNMAN, TERRORISM = 26, 62, 92
SHOWS = {CIA: "USSR", LONE_GUNMAN: "US", cards.ALDRICH_AMES: "US", cards.CAMBRIDGE_FIVE: "US"}
"""Events that show a hand, or the scoring cards in it (104), and whose."""
MOST_OPS = 4


class Dealer:
    """Arranges hands, draws and unseen dice before the engine's next step.

    Attributes:
        contradicted: plays of the log that had to be made possible by hand.
    """

    def __init__(self, table: RecordedTable, book: Book) -> None:
        self.table, self.book = table, book
        self.contradicted: list[str] = []

    def divide(self, most_ops: int = MOST_OPS) -> None:
        """Divide the hidden cards again; cards that only fill a hand should be worth no more than `most_ops`."""
        now, later = find_coming(self.book)
        sizes = len(self.table.hand(USSR)), len(self.table.hand(US))
        self.table.deal(divide(self.table.hidden_cards(), sizes, now, later, most_ops))

    # ---- before a card is picked

    def prepare_question(self) -> None:
        """Make sure that what the log chooses can be chosen."""
        kind = self.table.top(frames.KIND)
        if kind == frames.PICK:
            self.prepare_pick()
        elif kind == frames.REALIGN:
            self.prepare_realignment()

    def prepare_pick(self) -> None:
        """Put the card where the log takes it from."""
        source = self.table.top(frames.VALUE)
        revealed = [line.card for line in self.book.page.block(entries.Reveal)]
        if source == cards.MISSILE_ENVY and revealed:
            self.divide(most_ops=int(cards.OPS[revealed[0]]))
        elif source == cards.SALT and revealed:
            self.take_from_front(revealed[0])
        elif source == cards.OUR_MAN_IN_TEHRAN:
            told = [line.card for line in self.book.page.block(entries.Discard)]
            for card in told:
                self.look_at(card, told)

    def take_from_front(self, card: int) -> None:
        """In the recorded games 43 may take back a card that by 7.3.1 is not discarded yet."""
        if self.table.s.place[card] == state.IN_FRONT:
            line = self.book.page.line_of(self.book.page.block(entries.Reveal)[0])
            self.contradicted.append(f"{self.book.name}:{line.number}: {exceptions.TAKEN_FROM_FRONT}")
            self.table.put(card, state.DISCARDS)

    def prepare_realignment(self) -> None:
        """In the recorded games 47 may realign in both of its regions."""
        targets = self.book.page.block(entries.Target)
        within = self.table.top(frames.WITHIN)
        if self.table.top(frames.VALUE) == cards.JUNTA and targets and not board.IN_SET[within, targets[0].country]:
            line = self.book.page.line_of(targets[0])
            self.contradicted.append(f"{self.book.name}:{line.number}: {exceptions.REALIGNED_IN_BOTH}")
            self.table.s.question[self.table.s.depth - 1, frames.WITHIN] = board.LATIN_AMERICA

    def look_at(self, card: int, told: list[int]) -> None:
        """108 looked at this card: it changes places with one that was looked at and kept."""
        place = int(self.table.s.place[card])
        spare = [other for other in self.table.cards_in(state.LOOKED_AT) if other not in told]
        if place in (state.DRAW_PILE, state.HANDS + USSR, state.HANDS + US) and spare:
            self.table.put(spare[0], place)
            self.table.put(card, state.LOOKED_AT)

    # ---- before a step of an event

    def prepare_event(self) -> None:
        """Make the next step of the event on top draw, roll or show what the log says."""
        card = self.table.top(frames.VALUE)
        step = 1 if card == cards.OLYMPIC_GAMES else 0
        if self.table.top(frames.KIND) != frames.RUN or self.table.top(frames.STEP) != step:
            return
        if card in SHOWS:
            self.show_hand(card)
        elif card == cards.FIVE_YEAR_PLAN:
            self.draw_from(USSR, entries.Discard)
        elif card == TERRORISM:
            self.draw_from(1 - self.table.top(frames.SEAT), entries.Discard)
        elif card == cards.GRAIN_SALES:
            self.draw_from(USSR, entries.Reveal)
        elif card in (cards.OLYMPIC_GAMES, cards.SUMMIT):
            self.roll_unseen()

    def show_hand(self, card: int) -> None:
        """Check that the hand holds the cards that the log shows and no others (104: no other scoring cards)."""
        self.divide()
        side = SHOWS[card]
        told = self.take_cards(side, entries.Reveal)
        found = [
            held
            for held in self.table.hand(comparison.SEATS[side])
            if card != cards.CAMBRIDGE_FIVE or cards.KIND[held] == cards.SCORING
        ]
        self.check_none_left(side, "reveal", found)
        if sorted(told) != found:
            raise self.book.make_difference(f"the {side} shows {names(told)}; in the engine it would be {names(found)}")

    def take_cards(self, side: str, kind: type[entries.Reveal] | type[entries.Discard]) -> list[int]:
        """The cards that lines of a kind in the act under way take from a side; the lines are closed."""
        taken: list[int] = []
        while line := self.book.page.take(kind):
            if isinstance(line, entries.Reveal):
                self.book.page.require(line, entries.Reveal(side, line.card, drawn=line.card in taken))
            else:
                self.book.page.require(line, entries.Discard(side, line.card))
            taken.append(line.card)
        return taken

    def check_none_left(self, side: str, purpose: str, left: list[int]) -> None:
        """Check that the log has the line "no card to show or to discard" where there is none, and only there."""
        line = self.book.page.take(entries.NoCards)
        if line is None and not left:
            raise self.book.make_difference(
                f"in the engine the {side} has no card to {purpose}, the log has no such line"
            )
        if line is not None:
            self.book.page.require(line, entries.NoCards(side, purpose))
            if left:
                raise self.book.page.difference_at(line, f"in the engine the {side} has {names(left)} to {purpose}")

    def draw_from(self, seat: int, kind: type[entries.Reveal] | type[entries.Discard]) -> None:
        """Make the cards drawn at random out of a hand those of the log (67 writes its card twice)."""
        self.divide()
        hand, draws = self.table.hand(seat), list[Draw]()
        self.check_none_left(comparison.SIDES[seat], "discard" if kind is entries.Discard else "reveal", hand)
        given = self.take_cards(comparison.SIDES[seat], kind)
        if kind is entries.Reveal and len(given) != 2 * bool(hand):
            raise self.book.make_difference(f"a card that is drawn and shown has two lines, the log has {len(given)}")
        for card in given[: len(given) // 2] if kind is entries.Reveal else given:
            if card not in hand:
                raise self.book.make_difference(
                    f"{cards.CARD_NAMES[card]} is drawn out of the {comparison.SIDES[seat]}'s hand; in the engine it holds {names(hand)}"
                )
            draws.append((len(hand), hand.index(card)))
            hand.remove(card)
        self.table.draw_next(*draws)

    def roll_unseen(self) -> None:
        """20, 45: dice that are not written: the first ones that give the score as written."""
        lines = self.book.page.block(entries.VictoryPoints)
        wanted = lines[0].score if lines else int(self.table.s.vp)
        for dice in product(range(1, 7), repeat=2):
            draws = [die(value) for value in dice]
            if self.table.score_after(*draws) == wanted:
                self.table.draw_next(*draws)
                return


def names(numbers: list[int]) -> str:
    """Cards in words."""
    return ", ".join(cards.CARD_NAMES[card] for card in numbers) or "no card"
