"""Every part of every kind of line is compared: each is falsified in turn, and the check must fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import pytest

from tests.twilight_struggle.recorded_logs import GAME, PIECES, lines_of, replay
from timeline_env.twilight_struggle.recorded import entries
from timeline_env.twilight_struggle.recorded.log import Line

LOGS = {"a game": (None, GAME), **PIECES}
ONLY_SAID = {"Seat.player", "Bid.player", "Bid.points", "Bid.side", "Clock.time", "Cleanup.turn"}
"""What the engine cannot know, and the turn in the header of a turn's end, which is wrong in real logs."""
WORDS: dict[str, tuple[Any, ...]] = {
    "side": ("US", "USSR"),
    "to": ("US", "USSR"),
    "use": ("influence", "coup", "realignment", "space"),
    "purpose": ("reveal", "discard"),
    "region": ("europe", "asia", "africa"),
    "how": ("Victory Points", "Final Scoring", "Europe"),
    "name": ("Standard", "Late War"),
}


def otherwise(part: str, value: Any) -> list[Any]:
    """Other values that the part of a line could have."""
    if isinstance(value, bool):
        return [not value]
    if part in ("card", "first_card", "second_card"):
        return [17]
    if part == "country":
        return [0, 43]
    if part == "die":
        return [other for other in range(1, 7) if other != value]
    if isinstance(value, int):
        return [value - 1, value + 1]
    return [other for other in WORDS.get(part, ("other",)) if other != value]


def falsified(kind: str, part: str) -> Iterator[tuple[str, list[Line], str | None]]:
    """What is done, the lines with one part of one line falsified, and the position they begin at."""
    for log, (position, text) in LOGS.items():
        lines = lines_of(text)
        for place, line in enumerate(lines):
            value = getattr(line.entry, part) if type(line.entry).__name__ == kind else None
            for other in otherwise(part, value) if value is not None else []:
                changed = Line(line.number, replace(line.entry, **{part: other}))
                yield f"{log}: {line} with {other}", [*lines[:place], changed, *lines[place + 1 :]], position


def is_noticed(lines: list[Line], position: str | None) -> bool:
    """True if the check fails, or refuses the log."""
    try:
        return bool(replay(lines, position).difference)
    except ValueError:
        return True


PARTS = [
    (kind.__name__, part.name)
    for kind in vars(entries).values()
    if isinstance(kind, type) and issubclass(kind, entries.Entry)
    for part in fields(kind)
]


@pytest.mark.parametrize("log", LOGS)
def test_the_logs_agree(log):
    position, text = LOGS[log]
    report = replay(lines_of(text), position)
    assert report.difference == ""
    assert report.agreed == report.lines


@pytest.mark.parametrize(("kind", "part"), PARTS)
def test_a_false_part_of_a_line_is_noticed(kind, part):
    cases = list(falsified(kind, part))
    assert cases, "no log above has such a line"
    assert any(is_noticed(lines, position) for _, lines, position in cases) != (f"{kind}.{part}" in ONLY_SAID)


STRICT = [
    ("Operations", "ops"),
    ("Influence", "side"),
    ("Influence", "change"),
    ("Influence", "us"),
    ("Influence", "ussr"),
    ("VictoryPoints", "side"),
    ("VictoryPoints", "points"),
    ("VictoryPoints", "score"),
    ("Coup", "success"),
    ("Coup", "die"),
    ("Coup", "ops"),
    ("Coup", "modifier"),
    ("Coup", "stability"),
    ("Coup", "result"),
    ("Roll", "side"),
    ("Roll", "die"),
    ("Roll", "modifier"),
    ("Roll", "total"),
    ("WarDie", "victory"),
    ("WarDie", "modifier"),
    ("WarDie", "needed"),
    ("SpaceDie", "success"),
    ("SpaceDie", "needed"),
    ("SpaceBox", "side"),
    ("SpaceBox", "box"),
    ("TrapDie", "escaped"),
    ("Headline", "side"),
    ("Headline", "card"),
    ("HeadlinePhase", "turn"),
    ("ActionRound", "turn"),
    ("ActionRound", "side"),
    ("ActionRound", "number"),
    ("MilitaryOps", "side"),
    ("MilitaryOps", "level"),
    ("Defcon", "improves"),
    ("InPlay", "card"),
    ("InPlay", "begins"),
    ("Event", "card"),
    ("Wins", "side"),
    ("Wins", "how"),
]
"""Parts that have one true value wherever they stand."""


@pytest.mark.parametrize(("kind", "part"), STRICT)
def test_a_part_with_one_true_value_is_noticed_in_every_line(kind, part):
    cases = list(falsified(kind, part))
    assert cases
    for what, lines, position in cases:
        assert is_noticed(lines, position), what


def without(text: str, place: int) -> list[Line]:
    lines = lines_of(text)
    return lines[:place] + lines[place + 1 :]


NASSER = "\nTurn %s, USSR AR4: Nasser*: Event: Nasser*\nUSSR +2 in Egypt [0][2]\n"
CONTAINMENT = "\nTurn 5, US %s: Containment*: Event: Containment*\nContainment* is now in play.\n"
HEADLINE = "Event: Vietnam Revolts*\n"
GOES_ON = {
    "a realignment under Iran-Contra": NASSER % 9,
    "the Bear Trap and Quagmire": """
Turn 5, USSR AR4: Warsaw Pact Formed*: USSR discards Warsaw Pact Formed*
Trap Roll: 1 <= 4 -- Trap Escaped
Bear Trap* is no longer in play.
"""
    + CONTAINMENT % "AR4",
    # What is chosen in these two is seen only in what follows: the level, and the card that is taken back.
    "DEFCON at will": """
Turn 5, USSR AR4: Duck and Cover: Event: Duck and Cover
DEFCON degrades to 4
US gains 1 VP. Score is US 1.
""",
    "SALT": NASSER % 5 + "\nTurn 5, US AR4: Five Year Plan: Place Influence (3 Ops):\nUS +3 in Canada [3][0]\n",
    "a crisis bought off before the target is named": CONTAINMENT % "AR3",
    "a placement where a crisis ends with the turn": HEADLINE,
    "a trapped side in an eighth round": """
Turn 6, Headline Phase: Containment* & Vietnam Revolts*: DEFCON improves to 4
US Headlines Containment*
USSR Headlines Vietnam Revolts*
Event: Containment*
""",
    "the end of a turn under its header": "US Headlines CIA Created*\n" + HEADLINE,
    "a shuffle before the hands are dealt": HEADLINE,
    "a shuffle in the middle of an event": NASSER % 5,
}
"""How logs go on that have no act, or no line before the only one: in them there would be nothing to leave out."""
CANNOT_GO_ON = ("Wargames, which end the game", "the final scoring", "twenty points")
"""Logs of this kind in which the game ends: nothing can follow."""
MAY_LACK = (
    entries.Seat,
    entries.Blank,
    entries.Bid,
    entries.Clock,
    entries.Scenario,
    entries.OptionalCards,
    entries.Header,
)
MAY_LACK_HERE = {
    # Only one country can be the target, and the die that is rolled without the line happens to be the log's.
    "a crisis bought off before the target is named": entries.Coup,
    # In nearly all real logs the first line of a turn's end is lost.
    "a placement where a crisis ends with the turn": entries.InPlay,
    # The US may stop before each.
    "a shuffle in the middle of an event": entries.Discard,
}


@pytest.mark.parametrize("log", [log for log in LOGS if log not in CANNOT_GO_ON])
def test_a_line_that_lacks_is_noticed_if_the_log_goes_on(log):
    position, text = LOGS[log]
    text += GOES_ON.get(log, "")
    lines = lines_of(text)
    assert replay(lines, position).difference == ""
    may_lack = (*MAY_LACK, MAY_LACK_HERE.get(log, ()))
    acts = [place for place, line in enumerate(lines) if isinstance(line.entry, entries.Event | entries.Operations)]
    checked = [place for place in range(acts[-1]) if not isinstance(lines[place].entry, may_lack)]
    assert checked
    for place in checked:
        assert is_noticed(without(text, place), position), lines[place]


@pytest.mark.parametrize("log", LOGS)
def test_a_line_that_stands_twice_is_noticed(log):
    position, text = LOGS[log]
    lines = lines_of(text)
    for place, line in enumerate(lines):
        if not isinstance(line.entry, TWICE_THE_SAME):
            assert is_noticed([*lines[: place + 1], replace(line), *lines[place + 1 :]], position), line


TWICE_THE_SAME = (entries.Blank, entries.Bid, entries.Clock, entries.Scenario, entries.OptionalCards)
