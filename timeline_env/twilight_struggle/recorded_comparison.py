"""What a line of a recorded game states, whether it is true of a position, and what the log has told so far."""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.twilight_struggle import recorded_entries as entries
from timeline_env.twilight_struggle.board import COUNTRY_NAMES, SEAT_NAMES, START, US, USSR
from timeline_env.twilight_struggle.cards import CARD_NAMES
from timeline_env.twilight_struggle.tracks import MOST_VP

SIDES = tuple(name.upper() for name in SEAT_NAMES)
"""A seat's name in the log."""
SEATS = {side: seat for seat, side in enumerate(SIDES)}

PREAMBLE = (entries.Seat, entries.Handicap, entries.Scenario, entries.OptionalCards, entries.Clock)
STATED_ONCE = (entries.VictoryPoints, entries.Defcon, entries.Wins, *PREAMBLE)


def quantity_of(entry: entries.Entry) -> tuple[object, ...] | None:
    """What a line states, so that lines about the same come true in order; None if it tells a choice or a draw."""
    if isinstance(entry, entries.Influence):
        return "influence", entry.country, entry.side
    if isinstance(entry, entries.MilitaryOps | entries.SpaceBox):
        return type(entry), entry.side
    if isinstance(entry, entries.InPlay):
        return "in play", entry.card
    return (type(entry),) if isinstance(entry, STATED_ONCE) else None


def is_true(s: Any, entry: entries.Entry) -> bool:
    """True if position `s` is as the line states; of influence only the side that the line is about."""
    if isinstance(entry, entries.Influence):
        stated = entry.us if entry.side == "US" else entry.ussr
        return bool(s.influence[SEATS[entry.side], entry.country] == stated)
    if isinstance(entry, entries.VictoryPoints):
        return bool(s.vp == max(-MOST_VP, min(MOST_VP, entry.score)))
    if isinstance(entry, entries.Defcon):
        return bool(s.defcon == entry.level)
    if isinstance(entry, entries.MilitaryOps):
        return bool(s.milops[SEATS[entry.side]] == entry.level)
    if isinstance(entry, entries.SpaceBox):
        return bool(s.space[SEATS[entry.side]] == entry.box)
    if isinstance(entry, entries.InPlay):
        return bool(s.lasting[entry.card] != 0) == entry.begins
    if isinstance(entry, entries.Wins):
        return bool(s.over) and bool(s.winner == SEATS[entry.side])
    return isinstance(entry, PREAMBLE)


def difference(s: Any, entry: entries.Entry) -> str:
    """A line that did not come true, beside what the engine has."""
    if isinstance(entry, entries.Influence):
        us, ussr = s.influence[US, entry.country], s.influence[USSR, entry.country]
        return (
            f"the log has {entry.us} US and {entry.ussr} USSR influence in {COUNTRY_NAMES[entry.country]}, "
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
        return f"in the log the effect of {CARD_NAMES[entry.card]} {change}, in the engine not"
    if isinstance(entry, entries.Event):
        return f"in the log the event of {CARD_NAMES[entry.card]} happens, in the engine not"
    return f"the engine did not come to this: {entry}"


class Told:
    """Where the log last left the map and the tracks."""

    def __init__(self) -> None:
        self.influence = START.copy()
        self.tracks = {"DEFCON": 5, "the score for the US": 0}
        for side in SIDES:
            self.tracks[military(side)] = 0
            self.tracks[space(side)] = 0

    def hear(self, entry: entries.Entry) -> None:
        """A line came true."""
        if isinstance(entry, entries.Influence):
            self.influence[US, entry.country] = entry.us
            self.influence[USSR, entry.country] = entry.ussr
        elif isinstance(entry, entries.Defcon):
            self.tracks["DEFCON"] = entry.level
        elif isinstance(entry, entries.VictoryPoints):
            self.tracks["the score for the US"] = entry.score
        elif isinstance(entry, entries.MilitaryOps):
            self.tracks[military(entry.side)] = entry.level
        elif isinstance(entry, entries.SpaceBox):
            self.tracks[space(entry.side)] = entry.box

    def end_turn(self, s: Any) -> None:
        """Military operations go back to 0; what they cost is seldom written, so the score is heard from the engine."""
        for side in SIDES:
            self.tracks[military(side)] = 0
        self.tracks["the score for the US"] = int(s.vp)

    def unheard(self, s: Any) -> str:
        """What the engine moved and no line told of, in words; "" if there is nothing."""
        for seat, country in np.argwhere(s.influence != self.influence):
            return (
                f"the log leaves {self.influence[seat, country]} influence of the {SIDES[seat]} in "
                f"{COUNTRY_NAMES[country]}, the engine has {s.influence[seat, country]}"
            )
        found = {"DEFCON": int(s.defcon), "the score for the US": int(s.vp)}
        for seat, side in enumerate(SIDES):
            found[military(side)], found[space(side)] = int(s.milops[seat]), int(s.space[seat])
        for track, level in self.tracks.items():
            if found[track] != level:
                return f"the log leaves {track} at {level}, the engine has {found[track]}"
        return ""


def military(side: str) -> str:
    return f"military operations of the {side}"


def space(side: str) -> str:
    return f"the {side} in the space race"
