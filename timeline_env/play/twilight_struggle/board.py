"""Twilight Struggle: the map with its tracks, the cards, and where on them each target lies."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from timeline_env.play import scene
from timeline_env.play.paths import Path
from timeline_env.play.scene import Picture
from timeline_env.play.twilight_struggle import words
from timeline_env.twilight_struggle import board, cards
from timeline_env.view.twilight_struggle import palette
from timeline_env.view.twilight_struggle import words as view_words
from timeline_env.view.twilight_struggle.field import draw_changes, draw_field
from timeline_env.view.twilight_struggle.hand import CARD_HEIGHT, CARD_WIDTH, draw_card
from timeline_env.view.twilight_struggle.panel import CELL, CELL_HEIGHT, HAND_TOP, TOP, TRACKS_LEFT, draw_panel
from timeline_env.view.twilight_struggle.places import BOX_HEIGHT, BOX_WIDTH, CORNERS, MAP_WIDTH

DEFCON_AT = (TRACKS_LEFT + 70, TOP + 111)
"""The corner of the track's box for DEFCON 5."""
EDGE = 3.0
"""The margin around a card."""


def draw(rules: Any, s: Any, before: Any, paths: dict[int, Path]) -> Picture:
    """The map, the tracks and the cards in view, with everything that can be clicked on them.

    Args:
        rules: record array [1].
        s: the position as it is seen.
        before: the position before the last decision, or None: where influence has changed since is framed.
        paths: of the legal actions, if the viewer decides.
    """
    title = f"Twilight Struggle, {view_words.time(s)}: {view_words.decision(s)}"
    shapes = [*draw_field(s), *draw_panel(s)]
    if before is not None:
        shapes += draw_changes(before, s)
    spots = [spot for path in paths.values() for target in path for spot in _spots(s, target.key)]
    return scene.document(MAP_WIDTH, HAND_TOP, title, palette.PAPER, [scene.elements(shapes), *spots])


def _spots(s: Any, key: str) -> Iterator[str]:
    """Where a target lies; cards and plain buttons lie nowhere on the map."""
    kind, _, number = key.partition("-")
    if kind == "country":
        yield scene.hit(key, _box(int(number)))
    elif kind == "region":
        yield scene.hit(key, *map(_box, np.flatnonzero(int(number) == board.REGION).tolist()))
    elif kind == "defcon":
        yield scene.hit(key, _level(int(number)))
    elif kind == "level":
        yield scene.hit(key, _level(words.level_after(s, cards.SUMMIT, int(number))))


def _box(country: int) -> scene.Polygon:
    left, top = CORNERS[country]
    return scene.frame(left - 2, top - 2, BOX_WIDTH + 4, BOX_HEIGHT + 4)


def _level(level: int) -> scene.Polygon:
    return scene.frame(DEFCON_AT[0] + (5 - level) * CELL, DEFCON_AT[1], CELL, CELL_HEIGHT)


def hand(rules: Any, s: Any, seat: int) -> list[tuple[str, Picture]]:
    """Each card of a hand as a picture, with the key of its target."""
    return [(f"card-{card}", card_picture(s, seat, card)) for card in view_words.hand(s, seat)]


def card_picture(s: Any, seat: int, card: int) -> Picture:
    """One card."""
    shapes = scene.plain(draw_card(s, seat, card, EDGE, EDGE))
    title = f"{words.title(card)}: {words.card(card)}"
    return scene.document(CARD_WIDTH + 2 * EDGE, CARD_HEIGHT + 2 * EDGE, title, palette.PAPER, [scene.elements(shapes)])


def offered(rules: Any, s: Any, seat: int, paths: dict[int, Path]) -> list[tuple[str, Picture]]:
    """Cards that can be chosen and are not in the own hand."""
    held = {key for key, _ in hand(rules, s, seat)}
    keys = [target.key for path in paths.values() for target in path if target.key.startswith("card-")]
    return [(key, card_picture(s, seat, int(key.removeprefix("card-")))) for key in keys if key not in held]


def piece(seat: int) -> tuple[str, str, str]:
    """A side's name, letter and colour."""
    return words.SIDES[seat], "SU"[seat], palette.SIDES[seat]
