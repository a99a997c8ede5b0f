"""Reading what lies in a node from a position's text: ``7o^2/+y/b-1/occurred``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from timeline_env.timeline import board
from timeline_env.timeline.text import names
from timeline_env.timeline.text.names import card_named, seat_named

MARKS = {"+": 1, "-": -1, ".": 0}


def read_event(rules: Any, s: Any, node: int, value: str) -> None:
    """Lay the event, or the empty-node token; then what lies on it."""
    if value == "empty":
        s.realized[node] = 1
        return
    card, *parts = value.split("/")
    lay_card(rules, s, node, card)
    seen: set[str] = set()
    for part in parts:
        about = read_part(rules, s, node, part)
        if about in seen:
            raise ValueError(f"part {part!r}: duplicate {about}")
        seen.add(about)


def lay_card(rules: Any, s: Any, node: int, text: str) -> None:
    """Lay the card as printed, turned (T11)."""
    name, caret, turned = text.partition("^")
    if caret and turned not in ("0", "1", "2", "3", "4", "5"):
        raise ValueError(f"turn {turned!r} must be 0 to 5 sixths of a turn clockwise")
    card, turn = card_named(rules, name), int(turned or 0)
    s.card[node], s.turned[node], s.event[node] = card, turn, 1
    s.mark[:, node] = printed_marks(rules, card, turn)
    s.if_yes[:, node] = printed_arcs(rules, card, "yes")
    s.if_no[:, node] = printed_arcs(rules, card, "no")


def printed_marks(rules: Any, card: int, turn: int) -> list[int]:
    """The card's marks clockwise from north when it is turned so (T11)."""
    return [int(rules.mark[card, (direction - turn) % board.DIRECTIONS]) for direction in range(board.DIRECTIONS)]


def printed_arcs(rules: Any, card: int, side: str) -> list[int]:
    """The points that the card's arc under the tick (``yes``) or the cross (``no``) brings each seat (T22)."""
    return [int(points) for points in (rules.if_yes if side == "yes" else rules.if_no)[card]]


def read_part(rules: Any, s: Any, node: int, part: str) -> str:
    """Write one part into the record; return what it is about."""
    for pattern, reader in PARTS.items():
        match = re.fullmatch(pattern, part)
        if match:
            return reader(rules, s, node, match)
    raise ValueError(
        f"part {part!r} must be a stance such as +y, an impact such as y+2, marks= with six signs out of +-. clockwise "
        f"from {names.COMPASS[0]}, yes= or no= with points such as y+1,b-1 or none, occurred or failed"
    )


def read_stance(rules: Any, s: Any, node: int, match: re.Match[str]) -> str:
    """T12: the organizer's token, or a neutral one (T5)."""
    s.stance[node] = MARKS[match[1]]
    if match[2]:
        s.organizer[seat_named(rules, match[2]), node] = 1
    return "stance"


def read_impact(rules: Any, s: Any, node: int, match: re.Match[str]) -> str:
    """T9, T20, T26."""
    seat, most = seat_named(rules, match[1]), max(len(rules.impact_energy), int(rules.amplifier_impact))
    if abs(int(match[2])) > most:
        raise ValueError(f"part {match[0]!r}: an impact is {most} at most")
    s.impact[seat, node] = int(match[2])
    return f"impact of {match[1]}"


def read_marks(rules: Any, s: Any, node: int, match: re.Match[str]) -> str:
    """Marks that are not the card's printed ones, as on a logistic event (T29)."""
    s.mark[:, node] = [MARKS[letter] for letter in match[1]]
    return "marks"


def read_arcs(rules: Any, s: Any, node: int, match: re.Match[str]) -> str:
    """Arcs that are not the card's printed ones, as on the other flexible events (T27, T28)."""
    points = s.if_yes if match[1] == "yes" else s.if_no
    points[:, node] = 0
    for arc in [] if match[2] == "none" else match[2].split(","):
        seat = seat_named(rules, arc[0])
        if points[seat, node]:
            raise ValueError(f"part {match[0]!r}: duplicate {arc[0]}")
        points[seat, node] = int(arc[1:])
    return match[1]


def read_outcome(rules: Any, s: Any, node: int, match: re.Match[str]) -> str:
    """T21: the event is realized, whatever the phase."""
    s.outcome[node] = 1 if match[0] == "occurred" else -1
    s.realized[node] = 1
    return "outcome"


PARTS: dict[str, Callable[[Any, Any, int, re.Match[str]], str]] = {
    r"([+-])([a-z]?)": read_stance,
    r"([a-z])([+-][1-9])": read_impact,
    r"marks=([+.-]{6})": read_marks,
    r"(yes|no)=(none|[a-z][+-][1-9](?:,[a-z][+-][1-9])*)": read_arcs,
    "occurred|failed": read_outcome,
}
