"""Short names of nodes, directions, colours, cards and artifacts, as the notation writes them."""

from __future__ import annotations

import re
from typing import Any

from timeline_env.timeline import board, numbers, state

COLOURS = "".join(name[0] for name in state.SEAT_NAMES)
"""One letter a seat: y o b p g t."""
COMPASS = ("N", "NE", "SE", "S", "SW", "NW")
"""The directions 0 to 5."""
SIDES = ("yes", "no")
"""The tick and the cross."""
SPECIAL = ("atk", "sup", "log", "org")
"""Attacking, supporting, logistic, and the original event."""
NODE_NAMES = (
    "0",
    *(f"{board.RADIUS[node]}.{node - board.FIRST[board.RADIUS[node]]}" for node in range(1, len(board.COORDINATES))),
)
"""[61]: the radius and the place on it, from 0 at its north corner clockwise; the centre is ``0``."""
UNKNOWN = "?"
MOST_NAMES = 1000
"""More than any pile holds."""

_NODES = {name: node for node, name in enumerate(NODE_NAMES)}


def node_named(text: str) -> int:
    """The node of this name. Raises ValueError if there is none."""
    if text not in _NODES:
        rings = ", ".join(
            f"{NODE_NAMES[board.FIRST[r]]} to {NODE_NAMES[board.FIRST[r + 1] - 1]}" for r in range(1, board.RADII)
        )
        raise ValueError(f"node {text!r} does not exist; allowed: 0, {rings}")
    return _NODES[text]


def seat_named(rules: Any, letter: str) -> int:
    """The seat of this colour letter. Raises ValueError if nobody has it."""
    letters = COLOURS[: rules.num_players]
    if len(letter) != 1 or letter not in letters:
        raise ValueError(f"colour {letter!r} is not at this table; allowed: {' '.join(letters)}")
    return letters.index(letter)


def card_name(card: int) -> str:
    """``7o``: the card of row 7 for the orange seat; rows count from 0 among those used by this number of players."""
    if card == state.NO_CARD:
        return UNKNOWN
    if card >= state.ATTACKING:
        return SPECIAL[card - state.ATTACKING]
    return f"{card // 6}{COLOURS[card % 6]}"


def card_named(rules: Any, text: str) -> int:
    """The card of this name. Raises ValueError if these rules have none."""
    if text in SPECIAL:
        if rules.num_players == 2 and text in SPECIAL[:2]:
            raise ValueError(f"card {text!r} is not in a game of two players (T6)")
        return state.ATTACKING + SPECIAL.index(text)
    deck = rules.deck[: rules.deck_size]
    match = re.fullmatch(f"(0|[1-9][0-9]?)([{COLOURS}])", text)
    card = 6 * int(match[1]) + COLOURS.index(match[2]) if match else state.NO_CARD
    if card not in deck:
        allowed = f"{card_name(deck.min())} to {card_name(deck.max())}"
        raise ValueError(f"card {text!r} does not exist; allowed: {allowed}, {', '.join(SPECIAL)}")
    return card


def artifact_named(text: str) -> int:
    """The token of this name. Raises ValueError if there is none."""
    if text not in numbers.ARTIFACT_NAMES[: state.BLANK]:
        raise ValueError(
            f"artifact {text!r} does not exist; allowed: {', '.join(numbers.ARTIFACT_NAMES[: state.BLANK])}"
        )
    return numbers.ARTIFACT_NAMES.index(text)


def pile_text(names: list[str]) -> str:
    """``3?,7o``: names in order, separated by commas; neighbouring unknowns are counted."""
    parts: list[str] = []
    unknown = 0
    for name in [*names, ""]:
        if name == UNKNOWN:
            unknown += 1
            continue
        if unknown:
            parts.append((str(unknown) if unknown > 1 else "") + UNKNOWN)
        unknown = 0
        parts.append(name)
    return ",".join(parts[:-1])


def pile_names(text: str) -> list[str]:
    """The names of a pile written by `pile_text`. Raises ValueError if they are more than any pile holds."""
    names: list[str] = []
    for part in text.split(","):
        count = part.removesuffix(UNKNOWN)
        # A mistyped number must not fill the memory.
        counted = part.endswith(UNKNOWN) and count.isdecimal() and len(count) <= 3
        names += [UNKNOWN] * int(count) if counted else [part]
        if len(names) > MOST_NAMES:
            raise ValueError(f"more than {MOST_NAMES:,} cards or tokens are named")
    return names
