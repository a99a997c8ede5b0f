"""What a line of a recorded game states, whether it is true of a position, and what the log has said so far."""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.reading import quote
from timeline_env.twilight_struggle import board, cards, state, tracks
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.recorded import entries, exceptions

SIDES = tuple(name.upper() for name in board.SEAT_NAMES)
"""A seat's name in the log."""
SEATS = {side: seat for seat, side in enumerate(SIDES)}

PREAMBLE = (entries.Seat, entries.Bid, entries.Handicap, entries.Scenario, entries.OptionalCards, entries.Clock)
"""Lines from which the rules of the game and its players are read."""
ENDINGS = {"Victory Points": state.BY_VP, "Final Scoring": state.BY_FINAL_SCORING}
"""How a game was won, as the log writes it. Other words are for the ends that are not among these."""
UNTOLD = (cards.MISSILE_ENVY, cards.ALDRICH_AMES)
"""Cards whose lasting event has no line when it begins or ends."""

Quantity = tuple[object, ...]


def quantity_of(entry: entries.Entry) -> Quantity | None:
    """What a line is about, so that lines about the same thing come true in order; None if it gives a choice or a draw."""
    if isinstance(entry, entries.Influence):
        return "influence", entry.country, entry.side
    if isinstance(entry, entries.MilitaryOps):
        return military(entry.side)
    if isinstance(entry, entries.SpaceBox):
        return space(entry.side)
    if isinstance(entry, entries.InPlay):
        return "in play", entry.card
    if isinstance(entry, entries.Defcon):
        return DEFCON
    if isinstance(entry, entries.VictoryPoints):
        return SCORE
    return (type(entry),) if isinstance(entry, (entries.Wins, *PREAMBLE)) else None


def military(side: str) -> Quantity:
    return "military operations of the", side


def space(side: str) -> Quantity:
    return "the box in the space race of the", side


DEFCON: Quantity = ("DEFCON",)
SCORE: Quantity = ("the score for the US",)


def is_true(s: Any, entry: entries.Entry) -> bool:
    """True if position `s` is as the line states; of influence only the side that the line is about."""
    if isinstance(entry, entries.Influence):
        return bool(s.influence[SEATS[entry.side], entry.country] == level_of(entry))
    if isinstance(entry, entries.VictoryPoints):
        return bool(s.vp == clip_score(entry.score))
    if isinstance(entry, entries.Defcon):
        return bool(s.defcon == entry.level)
    if isinstance(entry, entries.MilitaryOps):
        return bool(s.milops[SEATS[entry.side]] == entry.level)
    if isinstance(entry, entries.SpaceBox):
        return bool(s.space[SEATS[entry.side]] == entry.box)
    if isinstance(entry, entries.InPlay):
        return (entry.card in lasting_cards(s)) == entry.begins
    if isinstance(entry, entries.Wins):
        return bool(s.over) and bool(s.winner == SEATS[entry.side]) and is_won_by(int(s.ending), entry.how)
    return isinstance(entry, PREAMBLE)


def level_of(entry: entries.Influence) -> int:
    """The influence afterwards of the side that the line is about."""
    return entry.us if entry.side == "US" else entry.ussr


def clip_score(score: int) -> int:
    """The score, as far as the marker goes; the log counts beyond that."""
    return max(-tracks.MOST_VP, min(tracks.MOST_VP, score))


def is_won_by(ending: int, how: str) -> bool:
    """True if the log can write the engine's end of the game in this way."""
    return ENDINGS[how] == ending if how in ENDINGS else ending not in ENDINGS.values()


def difference(s: Any, entry: entries.Entry) -> str:
    """A line that did not come true, with what the engine has."""
    if isinstance(entry, entries.Influence):
        us, ussr = s.influence[US, entry.country], s.influence[USSR, entry.country]
        return (
            f"the log has {entry.us} US and {entry.ussr} USSR influence in {board.COUNTRY_NAMES[entry.country]}, "
            f"the engine {us} and {ussr}"
        )
    if isinstance(entry, entries.VictoryPoints):
        return f"the log has the score {entry.score} for the US, the engine {s.vp}"
    if isinstance(entry, entries.Defcon):
        return f"the log has DEFCON {entry.level}, the engine {s.defcon}"
    if isinstance(entry, entries.MilitaryOps):
        return f"the log has {entry.level} military operations of the {entry.side}, the engine {s.milops[SEATS[entry.side]]}"
    if isinstance(entry, entries.SpaceBox):
        return f"the log has the {entry.side} in box {entry.box} of the space race, the engine in {s.space[SEATS[entry.side]]}"
    if isinstance(entry, entries.InPlay):
        change = "begins" if entry.begins else "ends"
        return f"in the log the effect of {cards.CARD_NAMES[entry.card]} {change}, in the engine not"
    if isinstance(entry, entries.Event):
        return f"in the log the event of {cards.CARD_NAMES[entry.card]} happens, in the engine not"
    if isinstance(entry, entries.Wins):
        return f"in the log the {entry.side} wins by {quote(entry.how)}, in the engine {describe_end(s)}"
    return f"the engine did not come to this: {entry}"


def describe_end(s: Any) -> str:
    """Who has won and how."""
    if not s.over:
        return "the game is not over"
    winner = "nobody" if s.winner < 0 else f"the {SIDES[s.winner]}"
    return f"{winner} wins by {state.ENDING_NAMES[s.ending]}"


class LogState:
    """Where the log last left the map, the tracks and what lasts.

    Attributes:
        due: quantities for which the engine's last step has a line even if nothing moves.
        early: points for the US that the engine has awarded already, and that the log tells of later.
    """

    def __init__(self, s: Any) -> None:
        self.influence = s.influence.copy()
        self.tracks = tracks_of(s)
        self.lasting = lasting_cards(s)
        self.due: set[Quantity] = set()
        self.early = 0
        self.is_won = False

    def note(self, s: Any, entry: entries.Entry) -> None:
        """Note that a line came true in position `s`."""
        if isinstance(entry, entries.Influence):
            self.influence[US, entry.country] = entry.us
            self.influence[USSR, entry.country] = entry.ussr
        elif isinstance(entry, entries.Defcon):
            self.tracks[DEFCON] = entry.level
        elif isinstance(entry, entries.VictoryPoints):
            self.tracks[SCORE] = entry.score
            self.early = int(s.vp) - clip_score(entry.score)
        elif isinstance(entry, entries.MilitaryOps):
            self.tracks[military(entry.side)] = entry.level
        elif isinstance(entry, entries.SpaceBox):
            self.tracks[space(entry.side)] = entry.box
        elif isinstance(entry, entries.InPlay):
            self.lasting ^= {entry.card}
        elif isinstance(entry, entries.Wins):
            self.is_won = True
        quantity = quantity_of(entry)
        if quantity is not None:
            self.due.discard(quantity)

    def contradiction(self, entry: entries.Entry) -> str:
        """Why a line cannot follow what the log said before, in words; "" if it can."""
        if isinstance(entry, entries.Influence):
            expected = self.influence[:, entry.country].astype(np.int64)  # a damaged log may tell of any number
            expected[SEATS[entry.side]] += entry.change
            if (entry.us, entry.ussr) != (expected[US], expected[USSR]):
                return (
                    f"the log changes the {entry.side}'s influence in {board.COUNTRY_NAMES[entry.country]} by {entry.change:+} "
                    f"to {entry.us} US and {entry.ussr} USSR; by what it told before it is {expected[US]} and {expected[USSR]}"
                )
        elif isinstance(entry, entries.VictoryPoints):
            gained = entry.points if entry.side == "US" else -entry.points
            if self.tracks[SCORE] + gained != entry.score:
                return (
                    f"the log has {entry.points} points gained and the score {entry.score} for the US, "
                    f"which was {self.tracks[SCORE]}"
                )
        elif isinstance(entry, entries.Defcon) and entry.improves != (entry.level > self.tracks[DEFCON]):
            moves = "improves" if entry.improves else "degrades"
            return f"in the log DEFCON {moves} to {entry.level} from {self.tracks[DEFCON]}"
        return ""

    def is_news(self, entry: entries.Entry) -> bool:
        """True if the line states a change, or something that has a line even if nothing moves."""
        if isinstance(entry, entries.InPlay):
            return (entry.card in self.lasting) != entry.begins
        if isinstance(entry, entries.Wins):
            return not self.is_won
        if isinstance(entry, entries.Defcon):
            return entry.level != self.tracks[DEFCON]
        if isinstance(entry, entries.SpaceBox):
            return entry.box != self.tracks[space(entry.side)]
        quantity = quantity_of(entry)
        if isinstance(entry, entries.MilitaryOps):
            return quantity in self.due or self.tracks[military(entry.side)] != entry.level
        if isinstance(entry, entries.VictoryPoints):
            return quantity in self.due or entry.points != 0
        return True

    def unmentioned_change(self, s: Any, announced: set[int]) -> str:
        """What the engine moved and no line told of, in words; "" if there is nothing.

        Args:
            s: the position.
            announced: cards whose lasting event begins or ends by the lines ahead: the engine may be earlier.
        """
        for seat, country in np.argwhere(s.influence != self.influence):
            return (
                f"the log leaves {self.influence[seat, country]} influence of the {SIDES[seat]} in "
                f"{board.COUNTRY_NAMES[country]}, the engine has {s.influence[seat, country]}"
            )
        found = tracks_of(s)
        found[SCORE] -= self.early
        for quantity, level in self.tracks.items():
            told = clip_score(level) if quantity == SCORE else level
            if found[quantity] != told:
                return f"the log leaves {describe(quantity)} at {level}, the engine has {found[quantity]}"
        for card in sorted((lasting_cards(s) ^ self.lasting) - announced):
            change = "ends" if card in self.lasting else "begins"
            return f"in the engine the effect of {cards.CARD_NAMES[card]} {change}, the log has no such line"
        for quantity in self.due:
            return f"the log has no line about {describe(quantity)}"
        return ""


def tracks_of(s: Any) -> dict[Quantity, int]:
    """The values of the tracks."""
    found = {DEFCON: int(s.defcon), SCORE: int(s.vp)}
    for seat, side in enumerate(SIDES):
        found[military(side)], found[space(side)] = int(s.milops[seat]), int(s.space[seat])
    return found


def lasting_cards(s: Any) -> set[int]:
    """The cards whose lasting event is in effect as the log says, see `MARKERS`."""
    return {
        int(card)
        for card in np.flatnonzero(s.lasting)
        if card not in UNTOLD
        and not (card in exceptions.MARKERS and s.place[exceptions.MARKERS[int(card)]] == state.REMOVED)
    }


def describe(quantity: Quantity) -> str:
    return " ".join(map(str, quantity))
