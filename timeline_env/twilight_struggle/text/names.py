"""Words of the notation for what the record holds as numbers."""

from __future__ import annotations

from timeline_env.engine.notation import parse_integer
from timeline_env.reading import unknown_name
from timeline_env.twilight_struggle import board, cards, frames, state

COUNTRY_WORDS = tuple(name.replace(" ", "_") for name in board.COUNTRY_NAMES)
"""[84]: ``West_Germany``."""
REGION_WORDS = tuple(name.replace("_", "-") for name in board.REGION_NAMES)
SET_WORDS = (
    *REGION_WORDS, "western-europe", "eastern-europe", "southeast-asia", "latin-america", "africa-and-southeast-asia",
    "outside-europe", "everywhere", "india-pakistan", "iran-iraq", "weak", "suez", "revolution", "opec", "satellites", "near-uk",
    "near-nicaragua", "near-south-africa", "guerrilla", "korea", "israel",
)  # fmt: skip
"""The sets of countries, in the order of ``board``."""
FILTER_WORDS = ("any", "not-enemy-controlled", "uncontrolled", "empty", "with-influence", "scoring-card-shown")
"""The filters of questions about countries, in the order of ``countries``."""
OPERATION_WORDS = ("none", "i", "c", "ic", "r", "ir", "cr", "icr")
"""Which operations are allowed: influence, coup, realign; the place is the sum of their bits."""
USE_WORDS = ("event", "operations", "space")
ENDING_WORDS = ("", "vp", "defcon", "europe", "held-scoring", "missiles", "wargames", "final-scoring")
"""How a game ended, in the order of ``state.ENDING_NAMES``."""
UNKNOWN_WORD, KNOWN_SIGN = "?", "!"
KNOWN_BEFORE_SIGN = "~"
"""Marks a headline not shown yet: the other side knows that this card is the headline or in the hand."""
PILES = {
    "discards": state.DISCARDS,
    "removed": state.REMOVED,
    "table": state.TABLE,
    "front": state.IN_FRONT,
    "looked-at": state.LOOKED_AT,
}

COUNTRY_PARTS = ("left", "side", "set", "filter", "cap", "each", "optional")
OPERATION_PARTS = ("ops", "allowed", "within", "free", "spent", "outside", "optional")
PARTS = (
    {kind: dict(zip(COUNTRY_PARTS, range(3, 10), strict=True)) for kind in range(frames.ADD, frames.DOUBLE + 1)}
    | {
        kind: dict(zip(OPERATION_PARTS, range(3, 10), strict=True))
        for kind in (frames.OPERATION, frames.PLACE, frames.COUP, frames.REALIGN)
    }
    | {
        frames.RUN: {"step": frames.STEP},
        frames.PLAY: {"drawn": frames.LEFT, "trapped": frames.FREE, "optional": frames.OPTIONAL},
        frames.USE: {"bare": frames.FREE},
        frames.YES_NO: {"step": frames.LEFT},
        frames.PICK: {"left": frames.LEFT, "optional": frames.OPTIONAL},
        frames.TRAP: {"optional": frames.OPTIONAL},
        frames.LEAVE_HAND: {"optional": frames.OPTIONAL},
        frames.LEVEL: {"optional": frames.OPTIONAL},
    }
)
"""The parts of each kind of frame, by name, and their columns; a kind that is not here has none."""
PART_WORDS = {
    "side": board.SEAT_NAMES,
    "set": SET_WORDS,
    "within": SET_WORDS,
    "filter": FILTER_WORDS,
    "allowed": OPERATION_WORDS,
}
"""Parts that are written as words."""
KINDS = {name: kind for kind, name in frames.KIND_NAMES.items()}


def index_in(text: str, words: tuple[str, ...], what: str) -> int:
    """The place of a word among those allowed. Raises ValueError if it is not there."""
    if text not in words:
        raise unknown_name(what, text, words)
    return words.index(text)


def card_named(text: str) -> int:
    """The number of a card. Raises ValueError if there is none."""
    return parse_integer(text, 1, cards.CARDS - 1, "card")


def seat_named(text: str) -> int:
    """The seat of a side. Raises ValueError if there is none."""
    return index_in(text, board.SEAT_NAMES, "side")


def country_named(text: str) -> int:
    """The number of a country. Raises ValueError if there is none of that name."""
    if text not in COUNTRY_WORDS:
        raise ValueError(f"country {text!r} does not exist; names are as in countries.csv, such as West_Germany")
    return COUNTRY_WORDS.index(text)
