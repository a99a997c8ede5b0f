"""Moves as text, such as ``organize 7o turn 2 yes``; ``docs/notation.md`` describes the grammar."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from timeline_env.engine import questions
from timeline_env.timeline import actions, state
from timeline_env.timeline.text import names
from timeline_env.timeline.text.names import card_name


def action_to_text(rules: Any, s: Any, action: int) -> str:
    """The move `action` of the seat that is asked, as text.

    Args:
        rules: record array [1], as `load_rules` gives it.
        s: the position, one record.
        action: a number of the game's codec, which is the table for the greatest number of players.

    Raises:
        ValueError: there is no such action.
    """
    name, indices = actions.CODEC.decode(action)
    return WRITERS[name](rules[0], s, *indices)


def card_in_hand(s: Any, place: int) -> str:
    """``7o``, or ``7o@3`` when the hand has equal cards: the third card of the hand."""
    seat = s.question[s.depth - 1, questions.SEAT]
    if place >= state.MOST_CARDS:
        return names.SPECIAL[place - state.MOST_CARDS]
    hand = [card_name(card) for card in s.hand[seat]]
    return f"{hand[place]}@{place + 1}" if hand.count(hand[place]) > 1 else hand[place]


def reinforce_text(rules: Any, s: Any, direction: int, strength: int) -> str:
    return f"reinforce {names.COMPASS[direction]} +{strength + 1}"


def organize_text(rules: Any, s: Any, place: int, turn: int, side: int) -> str:
    return f"organize {card_in_hand(s, place)} turn {turn} {names.SIDES[side]}"


def link_text(rules: Any, s: Any, direction: int, hindrance: int, strength: int) -> str:
    colour = ("cause", "hindrance")[hindrance]
    return f"link {names.COMPASS[direction]} {colour}" + (f" +{strength}" if strength else "")


def rival_text(rules: Any, s: Any, offset: int, choice: int) -> str:
    seat = s.question[s.depth - 1, questions.SEAT]
    rival = state.SEAT_NAMES[(seat + 1 + offset) % rules.num_players]
    return f"pledge {rival}" if choice == actions.PLEDGE else f"arc {names.SIDES[choice]} {rival}"


WRITERS: dict[str, Callable[..., str]] = {
    "pass": lambda rules, s: "pass",
    "move": lambda rules, s, direction: f"move {names.COMPASS[direction]}",
    "impact": lambda rules, s, side, value: f"impact {'+-'[side]}{value + 1}",
    "reinforce": reinforce_text,
    "artifact": lambda rules, s, use: f"use {('surge', 'cell', 'wings', 'switch')[use]}",
    "amplifier": lambda rules, s, side: f"amplify {'+-'[side]}",
    "organize": organize_text,
    "link": link_text,
    "done": lambda rules, s: "done",
    "rival": rival_text,
}
"""How the actions of each range are written; the arguments are the indices of the range."""
