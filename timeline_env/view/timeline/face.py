"""What can be read on an event card: lying on the field, or in a hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from timeline_env.timeline import board, state

NOBODY, UNCHOSEN = -1, -2
"""An arc that is empty; an arc whose player is still to be chosen (T27, T28)."""
SPECIAL = {
    state.ATTACKING: "attacking",
    state.SUPPORTING: "supporting",
    state.LOGISTIC: "logistic",
    state.ORIGINAL: "original",
}
FLEXIBLE = (state.ATTACKING, state.SUPPORTING, state.LOGISTIC)
_WORTH = {state.ATTACKING: -1, state.SUPPORTING: 1}


@dataclass(frozen=True)
class Face:
    """A card as a player sees it.

    Attributes:
        name: ``event``, or which special one.
        marks: clockwise from north as the card lies; 1 cause, -1 hindrance, 0 none.
        forward: whether each of these edges faces the future (T11).
        worth: points for the player on the arc; below zero for a loss, 0 if the event scores nobody (T22).
        arcs: the seats under the tick and under the cross, or NOBODY, or UNCHOSEN.
        flexible: whether its organizer decides what it does; it bears a question mark, before that and after (T27–T29).
    """

    name: str
    marks: tuple[int, ...]
    forward: tuple[bool, ...]
    worth: int
    arcs: tuple[int, int]
    flexible: bool


def pending_question(s: Any) -> tuple[int, int]:
    """The kind of the question to be answered next, and the seat that is asked; (-1, -1) if none is pending."""
    if s.depth == 0:
        return -1, -1
    kind, seat, _ = s.question[s.depth - 1]
    return int(kind), int(seat)


def face_in_node(s: Any, node: int) -> Face:
    """The event that lies in a node."""
    kind, seat = pending_question(s)
    choosing = kind in (state.ATTACK_TICK, state.ATTACK_CROSS, state.SUPPORT) and s.pawn[seat] == node
    return _face(
        int(s.card[node]),
        s.mark[:, node],
        board.LATER[node],
        (s.if_yes[:, node], s.if_no[:, node]),
        UNCHOSEN if choosing else NOBODY,
    )


def face_in_hand(rules: Any, card: int) -> Face:
    """A card in a hand, not turned."""
    return _face(
        card,
        rules.mark[card],
        rules.backward[card] == 0,
        (rules.if_yes[card], rules.if_no[card]),
        UNCHOSEN if card in _WORTH else NOBODY,
    )


def radii(rules: Any, card: int) -> list[int]:
    """T13: the radii on which a card can be organized."""
    first = 1 + board.DIRECTIONS
    allowed = rules.in_hand[card, 0, first : first + board.RADII - 1]
    return [radius for radius in range(1, board.RADII) if allowed[radius - 1]]


def _face(card: int, marks: Any, forward: Any, points: tuple[Any, Any], empty: int) -> Face:
    seats = [np.flatnonzero(arc) for arc in points]
    worth = [int(arc[seat[0]]) for arc, seat in zip(points, seats, strict=True) if len(seat)]
    tick, cross = (int(seat[0]) if len(seat) else empty for seat in seats)
    return Face(
        name=SPECIAL.get(card, "event"),
        marks=tuple(int(marks[direction]) for direction in range(board.DIRECTIONS)),
        forward=tuple(bool(forward[direction]) for direction in range(board.DIRECTIONS)),
        worth=worth[0] if worth else _WORTH.get(card, 0),
        arcs=(tick, cross),
        flexible=card in FLEXIBLE,
    )
