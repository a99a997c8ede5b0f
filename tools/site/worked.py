"""Worked positions: a line of notation, moves from there, and what is true before and after, as the manuals show them.

The first line is the position. Lines that begin with ``>`` are moves, as in docs/notation.md; lines that begin with
``=`` are what holds there::

    3p phase:1.0 turn:y y:1.0/energy=13/hand=7o 0:org/occurred
    = yellow decides
    > organize 7o turn 2 yes
    = yellow has 0 energy

`FORMS` are the sentences that are understood. A sentence that is false cannot be read, so a page cannot show it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from timeline_env.commands.positions import lay_out
from timeline_env.engine.batch import Batch
from timeline_env.engine.jit import entry
from timeline_env.reading import quote
from timeline_env.timeline import GAME
from timeline_env.timeline.realize import points_for
from timeline_env.timeline.state import SEAT_NAMES
from timeline_env.timeline.text import notation
from timeline_env.timeline.text.names import node_named
from timeline_env.view.move import Move

MOVE, SENTENCE = "> ", "= "
OUTCOMES = {"occurred": 1, "did not occur": -1}


@dataclass(frozen=True)
class Worked:
    """A position, what was played and what holds.

    Attributes:
        line: the position in the notation.
        steps: what follows it, as written: moves and sentences, each with its sign.
        before, after: batches of the one game, before the first move and after the last.
        last: the last move, None if there was none.
    """

    line: str
    steps: tuple[tuple[str, str], ...]
    before: Batch
    after: Batch
    last: Move | None


def read(text: str) -> Worked:
    """Lay a worked position out, play its moves and check what is said of it.

    Raises:
        ValueError: it is not written as it should be, a move is not legal, or a sentence is false.
    """
    line, *others = filter(None, map(str.strip, text.splitlines()))
    before, after, last = lay_out(GAME, line), lay_out(GAME, line), None
    for other in others:
        sign, step = other[:2], other[2:]
        if sign == MOVE:
            state = after.states.copy()[0]
            last = Move(state, notation.action_from_text(after.rules, state, step))
            after.step([last.action], restart=False)
        elif sign == SENTENCE:
            check(after, step)
        else:
            raise ValueError(f"line {quote(other)} must begin with {MOVE!r} (a move) or {SENTENCE!r} (what holds)")
    return Worked(line, tuple((other[:2], other[2:]) for other in others), before, after, last)


def check(batch: Batch, sentence: str) -> None:
    """Raise ValueError if the sentence is not true of the position."""
    for form, truth in FORMS.items():
        if match := re.fullmatch(form, sentence):
            told, found = truth(batch, *match.groups())
            if told != found:
                raise ValueError(f"sentence {quote(sentence)} is false: it is {found!r}, not {told!r}")
            return
    raise ValueError(f"sentence {quote(sentence)} is not understood; there are: {'; '.join(FORMS)}")


def seat(name: str) -> int:
    """The seat of a colour."""
    if name not in SEAT_NAMES:
        raise ValueError(f"player {quote(name)} is unknown; known: {', '.join(SEAT_NAMES)}")
    return SEAT_NAMES.index(name)


def decides(batch: Batch, name: str) -> tuple[Any, Any]:
    return name, "nobody" if batch.seat[0] < 0 else SEAT_NAMES[batch.seat[0]]


def has(batch: Batch, name: str, number: str, what: str) -> tuple[Any, Any]:
    return int(number), int(getattr(batch.states[0], "energy" if what == "energy" else "points")[seat(name)])


def stands(batch: Batch, node: str, sum_: str) -> tuple[Any, Any]:
    return int(sum_), int(sum_up(batch.rules, batch.states, node_named(node)))


def ended(batch: Batch, node: str, outcome: str) -> tuple[Any, Any]:
    return OUTCOMES[outcome], int(batch.states[0].outcome[node_named(node)])


def is_at(batch: Batch, name: str, node: str) -> tuple[Any, Any]:
    return node_named(node), int(batch.states[0].pawn[seat(name)])


def may(batch: Batch, name: str, not_: str | None, start: str) -> tuple[Any, Any]:
    actions = map(int, np.flatnonzero(batch.action_mask[0]))
    moves = [notation.action_to_text(batch.rules, batch.states[0], action) for action in actions]
    return (name, not not_), (
        decides(batch, name)[1],
        any(move == start or move.startswith(f"{start} ") for move in moves),
    )


def ranked(batch: Batch, name: str, rank: str) -> tuple[Any, Any]:
    return float(rank), float(batch.rank[0, seat(name)])


FORMS: dict[str, Callable[..., tuple[Any, Any]]] = {
    r"(\w+) decides": decides,
    r"(\w+) has (-?\d+) (points?|energy)": has,
    r"(\w+) is at (\S+)": is_at,
    r"(\w+) may( not)? `(.+)`": may,
    r"(\S+) stands at ([+-]?\d+)": stands,
    r"(\S+) (occurred|did not occur)": ended,
    r"(\w+) has place (\S+)": ranked,
}
"""What can be said: for each sentence a function that gives what it says and what is the case."""


@entry
def sum_up(rules, S, node):
    """T17 to T20: links plus impacts of the node, as the field stands."""
    return points_for(rules[0], S[0], node)
