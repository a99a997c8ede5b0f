"""What a line of a recorded game can say: one small class a kind of line, see `log`.

Everywhere here `side` is ``"US"`` or ``"USSR"``, `card` the number of the card and `country` the id of the country in
the tables of `timeline_env/data/twilight_struggle`, and a score counts for the US: -3 is "USSR 3".
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """What one line says; a header and what follows it on its line are two entries."""


@dataclass(frozen=True)
class Header(Entry):
    """The beginning of a phase: what follows, on its line and up to the next header, belongs to it."""


@dataclass(frozen=True)
class Blank(Entry):
    """An empty line: one after every event, Ops and round; two after Ops that an event of the other side granted."""


@dataclass(frozen=True)
class Seat(Entry):
    """`player` plays `side`; a name may be anything, even a line of another kind."""

    player: str
    side: str


@dataclass(frozen=True)
class Bid(Entry):
    """`player` offers `points` of influence to the other for playing `side`; the result is a `Handicap`."""

    player: str
    points: int
    side: str


@dataclass(frozen=True)
class Handicap(Entry):
    """`side` adds `points` of influence at set-up, after the usual ones."""

    side: str
    points: int


@dataclass(frozen=True)
class Scenario(Entry):
    name: str


@dataclass(frozen=True)
class OptionalCards(Entry):
    """The optional cards, 104 to 110, are in the deck."""


@dataclass(frozen=True)
class Clock(Entry):
    """The time each player has, as written: ``60 Minutes``, ``3 Hours``."""

    time: str


@dataclass(frozen=True)
class HeadlinePhase(Header):
    """The headline phase of `turn`, with the headlines in the order they are shown: the USSR's first, see `Headline`.

    `second_card` is None where the log breaks off before the second is shown.
    """

    turn: int
    first_card: int
    second_card: int | None


@dataclass(frozen=True)
class ActionRound(Header):
    """An action round of `side`; `card` is None if it played none (an eighth round declined, a player out of time)."""

    turn: int
    side: str
    number: int
    card: int | None


@dataclass(frozen=True)
class Cleanup(Header):
    """The end of a turn. Two games have this header, with a `turn` that is wrong; where it is missing, its line is lost too."""

    turn: int


@dataclass(frozen=True)
class GameEnd(Header):
    """The end of the game: a header without words, of the final scoring, or where somebody gave up."""


@dataclass(frozen=True)
class Headline(Entry):
    """`side` shows its headline: first the USSR, or the US where only the USSR has box 4 of the space track."""

    side: str
    card: int


@dataclass(frozen=True)
class Event(Entry):
    """The card's event begins. Some cards whose owner chooses between two effects write the line twice."""

    card: int


@dataclass(frozen=True)
class InPlay(Entry):
    """The card's lasting effect begins, or ends."""

    card: int
    begins: bool


@dataclass(frozen=True)
class Reshuffle(Entry):
    """The discards were shuffled into the draw pile."""


@dataclass(frozen=True)
class Discard(Entry):
    side: str
    card: int


@dataclass(frozen=True)
class Reveal(Entry):
    """`side` shows a card; `drawn` if a card of the other side drew it from its hand (67)."""

    side: str
    card: int
    drawn: bool


@dataclass(frozen=True)
class NoCards(Entry):
    """`side` has no card that it could ``reveal`` or ``discard``."""

    side: str
    purpose: str


@dataclass(frozen=True)
class Plays(Entry):
    """`side` plays a card inside another's event: the companion of 32, or what 67 drew."""

    side: str
    card: int


@dataclass(frozen=True)
class Returns(Entry):
    """`side` gives a card back to `to` (67)."""

    side: str
    card: int
    to: str


@dataclass(frozen=True)
class Operations(Entry):
    """`ops` are used as ``influence``, ``coup``, ``realignment`` or ``space``; what follows says by whom and where.

    For a coup and for space the number includes the changes by 25, 31 and 51; for influence and realignment it is the
    printed one. It never includes a regional bonus (6, 9); the line of a coup's die does.
    """

    use: str
    ops: int


@dataclass(frozen=True)
class Influence(Entry):
    """`change` of `side`'s influence in `country`, and what lies there afterwards."""

    side: str
    change: int
    country: int
    us: int
    ussr: int


@dataclass(frozen=True)
class Target(Entry):
    """Where a coup or a realignment is tried."""

    country: int


@dataclass(frozen=True)
class Coup(Entry):
    """The die of a coup: `result` = `die` + `ops` + `modifier` - 2 x `stability`, and a success is above 0."""

    success: bool
    die: int
    ops: int
    modifier: int
    stability: int
    result: int


@dataclass(frozen=True)
class Roll(Entry):
    """One side's die in a realignment, with what is added and the sum. The -1 of 93 is in neither, though it counts."""

    side: str
    die: int
    modifier: int
    total: int


@dataclass(frozen=True)
class War(Entry):
    country: int


@dataclass(frozen=True)
class WarDie(Entry):
    """The die of a war, what is added to it, and the sum it needs."""

    victory: bool
    die: int
    modifier: int
    needed: int


@dataclass(frozen=True)
class SpaceDie(Entry):
    success: bool
    die: int
    needed: int


@dataclass(frozen=True)
class SpaceBox(Entry):
    """`side` reaches `box` on the space track."""

    side: str
    box: int


@dataclass(frozen=True)
class TrapDie(Entry):
    """The die against 42 or 44."""

    escaped: bool
    die: int


@dataclass(frozen=True)
class Defcon(Entry):
    """DEFCON afterwards. The line is left out when nothing moves."""

    level: int
    improves: bool


@dataclass(frozen=True)
class MilitaryOps(Entry):
    """`side`'s military operations afterwards; written even if they were 5 before."""

    side: str
    level: int


@dataclass(frozen=True)
class VictoryPoints(Entry):
    """`side` gains `points` (None and 0 if nobody did), and the score for the US afterwards."""

    side: str | None
    points: int
    score: int


@dataclass(frozen=True)
class Boycott(Entry):
    """The answer to 20: `side` boycotts or takes part. The dice of the games are not written."""

    side: str
    boycotts: bool


@dataclass(frozen=True)
class RegionChoice(Entry):
    """The region named for 94, as in the table of countries; None if the line is broken off."""

    side: str
    region: str | None


@dataclass(frozen=True)
class Wins(Entry):
    """The game's end, in two games only; `how` as written."""

    side: str
    how: str
