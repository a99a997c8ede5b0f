"""What a picture says in words; the same for text and for drawings."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from timeline_env.engine import record
from timeline_env.timeline import board, numbers, state
from timeline_env.timeline.text import names
from timeline_env.timeline.text.move_text import action_to_text
from timeline_env.view.move import Move
from timeline_env.view.timeline.face import SPECIAL, pending_question


def decision(s: Any) -> str:
    """Who decides what."""
    kind, seat = pending_question(s)
    if kind < 0:
        return "the game is over"
    node = names.NODE_NAMES[s.pawn[seat]]
    what = {
        state.TURN: f"takes a turn: {s.au} AU left" + (", moves cost no energy" if s.winged else ""),
        state.DISPLACED: f"moves out of node {node}, which was realized",
        state.ATTACK_TICK: f"chooses who loses a point if {node} occurs",
        state.ATTACK_CROSS: f"chooses who loses a point if {node} does not occur",
        state.SUPPORT: f"chooses who gains a point at {node}, and on which arc",
        state.LINKS: f"sets the links of the logistic event at {node}",
    }
    return f"{state.SEAT_NAMES[seat]} {what[kind]}"


def last_move(rules: Any, move: Move) -> str:
    """A move as everybody knows it: not where in the hand a card was."""
    answer = action_to_text(record.make_readable(np.array([rules])), move.before, move.action)
    return f"{state.SEAT_NAMES[pending_question(move.before)[1]]}, {re.sub('@[0-9]+', '', answer)}"


def changed_nodes(rules: Any, before: Any, s: Any) -> list[int]:
    """The nodes that a move changed, or where it put a pawn."""
    planes = [
        np.array([r[name] for r in (before, s)]).reshape(2, -1, board.NODES) for name in ("node_planes", "seat_planes")
    ]
    found = np.any([(old != new).any(axis=0) for old, new in planes], axis=0)
    pawns = s.pawn[: rules.num_players]
    found[pawns[before.pawn[: rules.num_players] != pawns]] = True
    return np.flatnonzero(found).tolist()


def time(rules: Any, s: Any) -> str:
    """Phase and round, or what is being realized."""
    if s.over:
        return "after phase 4"
    if s.realizing >= 0:
        return f"end of phase {s.phase}: realizing node {names.NODE_NAMES[s.realizing]}"
    return f"phase {s.phase}, round {s.lap + 1} of {rules.rounds[s.phase]}"


def horizon(rules: Any, s: Any) -> int:
    """T4: which round of the track the marker is on, counted from 0; the number of rounds once it has left the last.

    While the nodes of a phase are realized it is on the first round of the next.
    """
    rounds = [int(count) for count in rules.rounds]
    return sum(rounds) if s.over else sum(rounds[: s.phase]) + int(s.lap)


def first_of_round(rules: Any, s: Any) -> int:
    """T8: the seat that began the round; while nodes are realized, and after the end, the place of the first player has moved on already."""
    return (int(s.first) - (s.realizing >= 0 or bool(s.over))) % int(rules.num_players)


def artifacts(s: Any, seat: int) -> list[str]:
    """Names of the artifacts a player keeps."""
    return [numbers.ARTIFACT_NAMES[kind] for kind in range(state.ARTIFACT_KINDS) for _ in range(s.artifact[seat, kind])]


def flexible(s: Any, seat: int) -> list[str]:
    """T30: names of the flexible events a player still holds."""
    return [SPECIAL[state.ATTACKING + kind] for kind in range(state.FLEXIBLE_KINDS) if s.flexible[seat, kind]]


def notes(s: Any, seat: int) -> list[str]:
    """T15: the points noted so far, the earliest phase first."""
    noted = board.RADII - 1 if s.over else int(s.phase) - (s.realizing < 0)
    return [str(note) for note in s.note[: max(noted, 0), seat]]


def possessions(s: Any, seat: int) -> dict[str, list[str]]:
    """What everybody can see of a player, apart from numbers."""
    return {"flexible": flexible(s, seat), "artifacts": artifacts(s, seat), "notes": notes(s, seat)}


def pledge(s: Any, seat: int) -> str:
    """T28: whom a player has pledged to name; nothing without a pledge."""
    return "" if s.pledge[seat] == state.NOBODY else f"pledges to name {state.SEAT_NAMES[s.pledge[seat]]}"


def piles(rules: Any, s: Any) -> str:
    """What is left of the deck and of the bag."""
    return f"deck {rules.deck_size - s.drawn}, bag {rules.bag_size - s.bag_drawn}"


def hand(s: Any, seat: int) -> list[int]:
    """The cards in a hand: deck cards, then flexible events."""
    deck_cards = [int(card) for card in s.hand[seat] if card != state.NO_CARD]
    return deck_cards + [state.ATTACKING + kind for kind in range(state.FLEXIBLE_KINDS) if s.flexible[seat, kind]]
