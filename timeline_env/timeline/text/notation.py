"""Positions and moves as text that a person can read, write and paste; ``docs/notation.md`` describes the grammar.

Positions are written here. `read_position` reads them, `move_text` writes the moves.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.engine.notation import action_from_text, copy_for_viewer
from timeline_env.engine.verbs import check_viewer
from timeline_env.timeline import board, numbers, state
from timeline_env.timeline.text import names, read_tokens
from timeline_env.timeline.text.move_text import action_to_text
from timeline_env.timeline.text.names import card_name, pile_text
from timeline_env.timeline.text.read_event import printed_arcs, printed_marks
from timeline_env.timeline.text.read_position import first_unrealized, from_text, num_players_in

__all__ = ["action_from_text", "action_to_text", "from_text", "num_players_in", "to_text"]


def to_text(rules: Any, s: Any, viewer: int | None = None) -> str:
    """One line that says all of a position between two decisions.

    Args:
        rules: record array [1], as `load_rules` gives it.
        s: the position, one record.
        viewer: a seat: ``?`` is written for what it does not know; None: everything is given.

    Returns:
        The line; `from_text` turns it back into the same bytes (with a viewer, into the bytes that `hide` leaves).

    Raises:
        ValueError: `viewer` is not a seat of the game.
    """
    own_rules = rules[0]
    check_viewer(own_rules, viewer)
    if viewer is not None:
        s = copy_for_viewer(rules, s, viewer)
    tokens = [
        f"{own_rules.num_players}p",
        f"phase:{s.phase}.{s.lap}",
        f"first:{names.COLOURS[s.first]}",
        *question_text(s),
    ]
    tokens += [player(s, seat) for seat in range(own_rules.num_players)]
    tokens += [f"{names.NODE_NAMES[node]}:{event(own_rules, s, int(node))}" for node in np.flatnonzero(s.event)]
    tokens += [
        f"{names.NODE_NAMES[node]}:empty"
        for node in np.flatnonzero(s.realized > s.event)
        if node >= first_unrealized(s)
    ]
    return " ".join(tokens + reinforcements(s) + piles(own_rules, s, viewer is not None))


def question_text(s: Any) -> list[str]:
    """Who is asked what, and what the player whose turn it is has left."""
    questions = [(int(kind), names.COLOURS[seat], int(value)) for kind, seat, value in s.question[: s.depth]]
    others = [
        f"{read_tokens.ASKED[kind]}.{colour}{edges(value)}" for kind, colour, value in questions if kind != state.TURN
    ]
    tokens = [f"turn:{colour} au:{s.au}" for kind, colour, _ in questions if kind == state.TURN]
    tokens += ["winged"] if s.winged else []
    tokens += [f"realizing:{names.NODE_NAMES[s.realizing]}"] if s.realizing >= 0 else []
    tokens += [f"ask:{','.join(others)}"] if others else []
    return tokens + [name for name in ("over", "fault") if s[name]]


def edges(value: int) -> str:
    """``+N+SE``: the edges of a logistic event that were reinforced without a mark (R4)."""
    return "".join(f"+{name}" for direction, name in enumerate(names.COMPASS) if value >> direction & 1)


def player(s: Any, seat: int) -> str:
    """``y:2.5/energy=13/points=4/notes=0,2,4,0/hand=7o,3b,atk/artifacts=wings/pledge=b/gained=1``; what is 0 is left out."""
    hand = [card_name(card) for card in s.hand[seat, : s.held[seat]]]
    hand += [names.SPECIAL[kind] for kind in np.flatnonzero(s.flexible[seat])]
    artifacts = [numbers.ARTIFACT_NAMES[kind] for kind, count in enumerate(s.artifact[seat]) for _ in range(count)]
    parts = {
        "energy": s.energy[seat],
        "points": s.points[seat],
        "notes": ",".join(map(str, s.note[:, seat])) if s.note[:, seat].any() else "",
        "hand": pile_text(hand),
        "artifacts": ",".join(artifacts),
        "pledge": names.COLOURS[s.pledge[seat]] if s.pledge[seat] != state.NOBODY else "",
        "gained": s.gained[seat],
    }
    told = [f"/{name}={value}" for name, value in parts.items() if value]
    return f"{names.COLOURS[seat]}:{names.NODE_NAMES[s.pawn[seat]]}{''.join(told)}"


def event(rules: Any, s: Any, node: int) -> str:
    """``7o^2/+y/b-1/occurred``: the card and its turn, the stance, impacts, what differs from the card, the outcome."""
    card, turned = int(s.card[node]), int(s.turned[node])
    parts = [card_name(card) + (f"^{turned}" if turned else "")]
    if s.stance[node]:
        organizers = [names.COLOURS[seat] for seat in np.flatnonzero(s.organizer[:, node])]
        parts.append(sign(s.stance[node]) + "".join(organizers))
    parts += [f"{names.COLOURS[seat]}{s.impact[seat, node]:+d}" for seat in np.flatnonzero(s.impact[:, node])]
    marks = [int(mark) for mark in s.mark[:, node]]
    if marks != printed_marks(rules, card, turned):
        parts.append("marks=" + "".join(sign(mark) for mark in marks))
    for side, points in (("yes", s.if_yes[:, node]), ("no", s.if_no[:, node])):
        if [int(p) for p in points] != printed_arcs(rules, card, side):
            parts.append(f"{side}={arcs(points)}")
    if s.outcome[node]:
        parts.append("occurred" if s.outcome[node] > 0 else "failed")
    return "/".join(parts)


def sign(number: int) -> str:
    """``+``, ``-``, or ``.`` for 0."""
    return ".+-"[(number > 0) + 2 * (number < 0)]


def arcs(points: Any) -> str:
    """``b-1``: who gains or loses how much."""
    return ",".join(f"{names.COLOURS[seat]}{points[seat]:+d}" for seat in np.flatnonzero(points)) or "none"


def reinforcements(s: Any) -> list[str]:
    """``reinforced:1.0SE+2,2.5N+1``: every junction once, from its earlier node."""
    junctions = [
        f"{names.NODE_NAMES[node]}{names.COMPASS[direction]}+{s.reinforcement[direction, node]}"
        for node, direction in np.argwhere(s.reinforcement.T)
        if board.NEIGHBOUR[node, direction] > node
    ]
    return [f"reinforced:{','.join(junctions)}"] if junctions else []


def piles(rules: Any, s: Any, hidden: bool) -> list[str]:
    """The deck, the cards put away, the bag, the seed and the generator."""
    tokens = [
        names.UNKNOWN if hidden else numbers.ARTIFACT_NAMES[token] for token in s.bag[s.bag_drawn : rules.bag_size]
    ]
    told = {
        "deck": pile_text([card_name(card) for card in s.deck[s.drawn : rules.deck_size]]),
        "discarded": pile_text([card_name(card) for card in s.deck[: s.discarded]]),
        "bag": pile_text(tokens),
        "seed": s.seed,
        "rng": s.rng,
    }
    return [f"{name}:{value}" for name, value in told.items() if value]
