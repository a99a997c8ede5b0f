"""Draws the viewer's own hand."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import Any

from timeline_env.twilight_struggle import cards
from timeline_env.view.shapes import Data, Polygon, Shape, label, rectangle
from timeline_env.view.twilight_struggle import palette, words
from timeline_env.view.twilight_struggle.panel import HAND_TOP, LEFT, RIGHT

CARD_WIDTH, CARD_HEIGHT, GAP = 116.0, 66.0, 8.0
LETTERS = 19
"""Letters of a name on one line of a card."""


def draw_hand(s: Any, seat: int) -> Iterator[Shape]:
    """All cards that a side holds, and the China Card if it has it."""
    held = words.hand(s, seat)
    yield label("unit", (LEFT, HAND_TOP + 12), f"hand of the {words.SIDE_NAMES[seat]}", 13, palette.FAINT)
    step = min(CARD_WIDTH + GAP, (RIGHT - LEFT - CARD_WIDTH) / max(len(held) - 1, 1))
    for place, card in enumerate(held):
        yield from draw_card(s, seat, card, LEFT + place * step, HAND_TOP + 24)


def draw_card(s: Any, seat: int, card: int, left: float, top: float) -> Iterator[Shape]:
    """Ops in the side's colour, number and star, the name; ``known`` if the other side knows it."""
    side = words.side_of(card)
    colour = palette.NEUTRAL if side == 2 else palette.SIDES[side]
    data: Data = {"hand": seat, "card": card}
    yield Polygon(
        kind="card",
        data=data,
        points=rectangle(left, top, CARD_WIDTH, CARD_HEIGHT),
        fill=palette.CARD,
        stroke=colour,
        width=1.6,
    )
    yield Polygon(kind="card-ops", points=rectangle(left, top, 26, 24), fill=colour)
    yield label("ops", (left + 13, top + 12), words.value_of(card), 16, palette.CARD, "middle", data)
    number = f"{card}{'*' if cards.STARRED[card] else ''}"
    yield label("card-number", (left + CARD_WIDTH - 6, top + 12), number, 11, palette.FAINT, "end")
    if s.known[1 - seat, card]:
        yield label("known", (left + 34, top + 12), "known", 10.5, colour)
    for line, text in enumerate(wrap(cards.CARD_NAMES[card], LETTERS)[:2]):
        yield label("card-name", (left + 6, top + 36 + 15 * line), text, 11)
