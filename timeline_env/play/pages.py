"""What the page needs of a game, from the game's own folder here."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from timeline_env.engine.verbs import Game
from timeline_env.games import PACKAGES
from timeline_env.play.steps import Step


@dataclass(frozen=True)
class GamePage:
    """A game's parts of the page. `rules` is a record array [1], `s` a position as the viewer sees it."""

    paths: Callable[..., Any]
    """``(rules, s)`` gives the path of every legal action."""
    prompt: Callable[..., str]
    """``(rules, s, viewer)`` gives what is asked, as a sentence."""
    draw: Callable[..., Any]
    """``(rules, s, before, paths)`` gives the board."""
    hand: Callable[..., Any]
    """``(rules, s, seat)`` gives the cards of a hand, each with the key of its target."""
    offered: Callable[..., Any]
    """``(rules, s, seat, paths)`` gives the cards that can be chosen from elsewhere."""
    piece: Callable[..., tuple[str, str, str]]
    """``(seat)`` gives the seat's name, letter and colour."""
    facts: Callable[..., list[str]]
    """``(rules, s, seat)`` gives what everybody knows of a seat."""
    panels: Callable[..., Any]
    """``(rules, s, viewer)`` gives the tables beside the board."""
    steps: Callable[..., Any]
    """``(rules, s, action)`` gives everything that a decision leads to, step by step; `s` is the whole position."""
    tell: Callable[..., list[str]]
    """``(rules, step, viewer)`` gives what happened in a step, in sentences."""
    all_public: bool
    """Whether `tell` tells everybody the same."""
    learned: Callable[..., bool]
    """``(before, after, seat)`` gives whether a decision of the seat brought anything to light; both are whole positions."""


def page_of(game: Game) -> GamePage:
    """The parts of a game. Raises ValueError if it has none."""
    if not game.page:
        raise ValueError(f"game {game.name!r} cannot be played on the page; there is a page for: {', '.join(PACKAGES)}")
    paths, words, board, story, panels = (
        importlib.import_module(f"{game.page}.{part}") for part in ("paths", "words", "board", "story", "panels")
    )
    return GamePage(
        paths.paths, words.prompt, board.draw, board.hand, board.offered, board.piece, panels.facts, panels.panels,
        story.steps, story.tell, story.ALL_PUBLIC, panels.learned,
    )  # fmt: skip


def sentences(
    page: GamePage, rules: Any, steps: Iterable[Step], viewer: int | None, known: Callable[[Any], Any]
) -> list[str]:
    """What a decision led to, as a viewer saw it.

    Args:
        page: the game's parts of the page.
        rules: record array [1].
        steps: the steps of the decision, with whole positions.
        viewer: a seat or None.
        known: gives a copy of a position with what the viewer knows.
    """
    told: list[str] = []
    after = None
    for start, end, action in steps:
        before = known(start) if after is None else after
        after = known(end)
        told += page.tell(rules, (before, after, action), viewer)
    return told
