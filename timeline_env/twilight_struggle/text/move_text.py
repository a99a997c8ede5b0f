"""Moves as text, such as ``card 14``, ``operations``, ``West_Germany``; ``docs/notation.md`` describes the grammar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from timeline_env.twilight_struggle import actions, cards, frames
from timeline_env.twilight_struggle.text import names

OPTION_WORDS = {
    cards.SUMMIT: ("lower", "raise", "leave"),
    cards.STOP_WORRYING: tuple(f"defcon {level}" for level in range(1, 6)),
    cards.CHERNOBYL: names.REGION_WORDS,
}
"""The options of the cards that offer more than two."""
YES_OR_NO = ("first", "second")
OPERATIONS = ("influence", "coup", "realign")
BUY_OFFS = ("Cuba", "West_Germany", "Turkey")


def action_to_text(rules: Any, s: Any, action: int) -> str:
    """The move `action` of the side that is asked, as text.

    Args:
        rules: record array [1], as `load_rules` gives it.
        s: the position, one record.
        action: 0 to the number of actions - 1.

    Raises:
        ValueError: there is no such action.
    """
    name, indices = actions.CODEC.decode(action)
    return WRITERS[name](s, *indices)


def option_text(s: Any, option: int) -> str:
    """An option, in the words of the card that offers it."""
    card = int(s.question[s.depth - 1, frames.VALUE]) if s.depth else 0
    words = OPTION_WORDS.get(card, YES_OR_NO)
    return words[option] if option < len(words) else f"option {option + 1}"


WRITERS: dict[str, Callable[..., str]] = {
    "card": lambda s, card: f"card {card + 1}",
    "country": lambda s, country: names.COUNTRY_WORDS[country],
    "use": lambda s, use: names.USE_WORDS[use],
    "operation": lambda s, operation: OPERATIONS[operation],
    "option": option_text,
    "stop": lambda s: "stop",
    "buy_off": lambda s, which: f"buy off with {BUY_OFFS[which]}",
}
"""How the actions of each range are written; the arguments are the indices of the range."""
