"""Reading recorded games: the text log of the licensed digital edition, one line after another, into typed entries.

A log consists of lines. A few before the first turn say who plays and lay the influence of the set-up. Then come headers, each
with everything that happens until the next one:

    Turn 2, Headline Phase: <first card> & <second card>: <line>
    Turn 2, USSR AR1: <card>: <line>
    Turn 2, Cleanup: <line>
    : : <line>                                              (the end of the game)

What follows a header's last colon is a line like any other, so a header gives an entry of its own and the rest of
the line another one with the same number. An action round's use is the first `Operations` or `Event` that follows, but
lines that come before it (35 cancelled by the China Card, the points of 59 and 50, a trap's discard) may stand there in
its place. Cards of the other side are in the order in which their two halves were played.

What a log leaves out, so that a program that plays it through the rules knows what to make up or not to compare:

* Influence is one line a country and use of Ops, so a line of +3 is three points placed one after another. Set-up and
  handicap are summed in the same way.
* Where the header of the turn's end is missing (all games but two), the first line of that end is gone with it: the points
  for military operations, or the first card that is no longer in play. The next score shows it.
* Hands, draws, the dice of 20 and 45, and the US's -1 under 93 in the sums of a realignment are not written.
* DEFCON has no line if it does not move; an event has no line if it cannot happen; one that happens and changes nothing
  has its `Event` and no more. A card with a star that has an `Event` is out of the game.
* Most games break off where somebody gave up, or where a play ended the game, without the lines of that last play.

`read_game` reads strictly: a line that is not known is an error. It does not judge whether a line follows the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from timeline_env.reading import quote, read_text
from timeline_env.twilight_struggle.recorded import entries
from timeline_env.twilight_struggle.recorded.names import card_number, country_id, region_name

SET_UP = r"(?:SETUP: (?:: )?)?"
SIDE = r"(USSR|US)"
CARD = r"(\S.*?)"
USES = {"Place Influence": "influence", "Coup": "coup", "Realignment": "realignment", "Space Race": "space"}


@dataclass(frozen=True)
class Line:
    """One entry and the number of its line, from 1; a header and what follows it there share the number."""

    number: int
    entry: entries.Entry


@dataclass(frozen=True)
class Phase:
    """A header (None before the first turn), the number of its line, and the lines that belong to it, the header not among them."""

    header: entries.Header | None
    number: int
    lines: tuple[Line, ...]


def read_game(path: Path) -> list[Line]:
    """All entries of a log. What comes after the last line break is left out: half of a line may read like another one.

    Raises:
        ValueError: a line is not known; the message names the file, the line's number and its text. Or there is no line,
            or the file cannot be read.
    """
    lines = []
    for number, text in enumerate(whole_lines(path), 1):
        try:
            lines += [Line(number, entry) for entry in read_line(text)]
        except ValueError as error:
            raise ValueError(f"{path}, line {number}: {quote(text)}: {error}") from None
    if not lines:
        raise ValueError(f"{path}: it holds no recorded game")
    return lines


def whole_lines(path: Path) -> list[str]:
    """The lines of the file up to the last line break, without spaces at their ends.

    Only the newline character separates lines, whatever other separators a name may contain.

    Raises:
        ValueError: the file cannot be read, or is not a text.
    """
    return [line.rstrip() for line in read_text(path, str(path)).split("\n")[:-1]]


def phases(lines: Iterable[Line]) -> list[Phase]:
    """The entries separated at the headers; the first phase is the set-up, the phases are in the order of the log."""
    found: list[tuple[entries.Header | None, int, list[Line]]] = [(None, 1, [])]
    for line in lines:
        if isinstance(line.entry, entries.Header):
            found.append((line.entry, line.number, []))
        else:
            found[-1][2].append(line)
    return [Phase(header, number, tuple(body)) for header, number, body in found]


def read_line(text: str) -> Iterator[entries.Entry]:
    """The entries of one line: one, or a header's two.

    Raises:
        ValueError: the line is not known, or names a card or a country that does not exist.
    """
    for pattern, named in NAMED:
        match = re.fullmatch(pattern, text, re.ASCII)
        if match:
            yield named(*match.groups())
            return
    if re.search(r"\d{10}", text):
        raise ValueError("a recorded game has no number of more than nine digits")
    rest = text
    for pattern, header in HEADERS:
        match = re.match(pattern, text, re.ASCII)
        if match:
            yield header(*match.groups())
            rest = text[match.end() :]
            if not rest:
                return
            break
    broken = re.fullmatch(rf"{SIDE} chooses (.* is now in play\.)", rest)
    if broken:
        yield entries.RegionChoice(broken[1], None)
        rest = broken[2]
    yield read_body(rest)


def read_body(text: str) -> entries.Entry:
    """The entry of a line, or of what a header leaves of it.

    Raises:
        ValueError: as `read_line`.
    """
    for pattern, make in LINES:
        match = re.fullmatch(pattern, text, re.ASCII)
        if match:
            return make(*match.groups())
    raise ValueError("a recorded game has no line of this form")


def parse_signed(text: str | None) -> int:
    """A number with or without sign; 0 if it is not there."""
    return int(text or 0)


def score(side: str | None, points: str | None) -> int:
    """The score for the US; 0, for "even", if no side is named."""
    return parse_signed(points) * (1 if side == "US" else -1)


def action_round(turn: str, side: str, played: str, card: str) -> entries.ActionRound:
    """An action round; without a card there is only the colon."""
    return entries.ActionRound(int(turn), side, int(played), card_number(card) if card else None)


NAMED: tuple[tuple[str, Callable[..., entries.Entry]], ...] = (
    (
        rf"{SET_UP}(.+) will play as (USA|USSR)\.",
        lambda player, side: entries.Seat(player, side.removesuffix("A")),
    ),
    (
        rf"{SET_UP}(.+) bids (\d+) Influence for {SIDE}A?",
        lambda player, points, side: entries.Bid(player, int(points), side),
    ),
)
"""Lines with a player's name, looked for before all others: a name may read like any of them."""

HEADERS: tuple[tuple[str, Callable[..., entries.Entry]], ...] = (
    (
        r"Turn (\d+), Headline Phase: ([^:&]+)(?: & ([^:&]+))?:(?: |$)",
        lambda turn, first, second: entries.HeadlinePhase(
            int(turn), card_number(first), card_number(second) if second else None
        ),
    ),
    (rf"Turn (\d+), {SIDE} AR([1-8]): ((?:\S[^:]*)?):(?: |$)", action_round),
    (r"Turn (\d+), Cleanup(?:: |$)", lambda turn: entries.Cleanup(int(turn))),
    (r": :(?: |$)", lambda: entries.GameEnd()),
)

LINES: tuple[tuple[str, Callable[..., entries.Entry]], ...] = (
    ("", lambda: entries.Blank()),
    # before the first turn
    (
        rf"(?:Handicap influence|Additional Influence from bidding): {SIDE} \+(\d+)",
        lambda side, points: entries.Handicap(side, int(points)),
    ),
    (r"Scenario: (\S.*)", entries.Scenario),
    (r"Optional Cards Added", lambda: entries.OptionalCards()),
    (r"Time per Player: (\S.*)", entries.Clock),
    # cards
    (rf"{SIDE} Headlines {CARD}", lambda side, card: entries.Headline(side, card_number(card))),
    (rf"Event: {CARD}", lambda card: entries.Event(card_number(card))),
    (
        rf"{CARD} is (now|no longer) in play\.",
        lambda card, when: entries.InPlay(card_number(card), begins=when == "now"),
    ),
    (r"\*RESHUFFLE\*", lambda: entries.Reshuffle()),
    (rf"{SIDE} has no cards to (reveal|discard)", entries.NoCards),
    (rf"{SIDE} discards {CARD}", lambda side, card: entries.Discard(side, card_number(card))),
    (
        rf"{SIDE} reveals {CARD}( from hand)?",
        lambda side, card, drawn: entries.Reveal(side, card_number(card), drawn=drawn is not None),
    ),
    (rf"{SIDE} plays {CARD}", lambda side, card: entries.Plays(side, card_number(card))),
    (rf"{SIDE} returns {CARD} to {SIDE}", lambda side, card, to: entries.Returns(side, card_number(card), to)),
    # operations
    (
        rf"({'|'.join(USES)}) \((\d) Ops\):",
        lambda use, ops: entries.Operations(USES[use], int(ops)),
    ),
    (
        rf"{SIDE} ([+-]\d+) in {CARD} \[(\d+)\]\[(\d+)\]",
        lambda side, change, place, us, ussr: entries.Influence(
            side, int(change), country_id(place), int(us), int(ussr)
        ),
    ),
    (rf"Target: {CARD}", lambda place: entries.Target(country_id(place))),
    (
        r"(SUCCESS|FAILURE): ([1-6]) \[ \+ (\d)(?: \(([+-]\d+)\) )? - 2x(\d) = (-?\d+) \]",
        lambda word, die, ops, modifier, stability, result: entries.Coup(
            word == "SUCCESS", int(die), int(ops), parse_signed(modifier), int(stability), int(result)
        ),
    ),
    (
        rf"{SIDE} rolls ([1-6])(?: \(([+-]\d+)\) = (-?\d+))?",
        lambda side, die, modifier, total: entries.Roll(side, int(die), parse_signed(modifier), int(total or die)),
    ),
    (rf"War in {CARD}", lambda place: entries.War(country_id(place))),
    (
        r"(VICTORY|DEFEAT): ([1-6])(?: \((-\d+)\) )? (?:>=|<) ([34])",
        lambda word, die, modifier, needed: entries.WarDie(
            word == "VICTORY", int(die), parse_signed(modifier), int(needed)
        ),
    ),
    (
        r"Die roll: ([1-6]) -- (Success|Failed)! \(Needed ([1-6]) or less\)",
        lambda die, word, needed: entries.SpaceDie(word == "Success", int(die), int(needed)),
    ),
    (rf"{SIDE} advances to ([1-8]) in the Space Race\.", lambda side, box: entries.SpaceBox(side, int(box))),
    (
        r"Trap Roll: ([1-6]) (?:<=|>) 4 -- Trap (Escaped|Remains in Effect)",
        lambda die, word: entries.TrapDie(word == "Escaped", int(die)),
    ),
    # tracks and choices
    (r"DEFCON (improves|degrades) to ([1-5])", lambda word, level: entries.Defcon(int(level), word == "improves")),
    (rf"{SIDE} Military Ops to ([0-5])", lambda side, level: entries.MilitaryOps(side, int(level))),
    (
        rf"(?:{SIDE} gains (\d+) VP|No VP awarded)\. Score is (?:even|{SIDE} (\d+))\.",
        lambda side, gained, leader, lead: entries.VictoryPoints(side, parse_signed(gained), score(leader, lead)),
    ),
    (
        rf"{SIDE} chooses to (boycott|participate in) the Olympics",
        lambda side, answer: entries.Boycott(side, answer == "boycott"),
    ),
    (rf"{SIDE} chooses {CARD}", lambda side, region: entries.RegionChoice(side, region_name(region))),
    (rf"{SIDE} wins by (\S.*)", entries.Wins),
)
"""How a line is written -> its entry. The first that fits the whole line counts."""
