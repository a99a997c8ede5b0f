"""Pictures of a position: text, SVG, pixels. A view reads a record and never writes one.

A position is a record ``s`` (one of a batch's ``states``), the game's numbers are a record ``rules`` (a batch's
``rules[0]``)::

    from timeline_env import timeline_v0, view

    batch = timeline_v0.batch(num_games=1, num_players=4)
    print(view.to_ansi(batch.rules[0], batch.states[0]))
    open("position.svg", "w").write(view.to_svg(batch.rules[0], batch.states[0], viewer=0))

Nobody's hand is shown unless ``viewer`` names a seat. The last move is shown if it is given: a `Move`, which is the
position before it and the action. Pixels need the extra ``render``; so does the
window, `timeline_env.view.window.Window`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from timeline_env.engine.verbs import game_of
from timeline_env.reading import unknown_name
from timeline_env.view.move import Move

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from timeline_env.engine.verbs import Game
    from timeline_env.view.svg import Svg

__all__ = ["Move", "render", "to_ansi", "to_rgb", "to_svg"]


def to_ansi(rules: Any, s: Any, viewer: int | None = None, last: Move | None = None, colour: bool | None = None) -> str:
    """The position as text of at most 100 columns; with the terminal's colour codes if `colour` is True, or None and
    the standard output is a terminal. Raises ValueError if `viewer` is no seat of the game, or the game has no view."""
    return view_of(game_of(s.dtype), "text").to_ansi(rules, s, viewer, last, colour)


def to_svg(rules: Any, s: Any, viewer: int | None = None, last: Move | None = None) -> Svg:
    """The position as an SVG document, a string whose picture a notebook shows. Raises ValueError if `viewer` is no seat of
    the game, or the game has no view."""
    from timeline_env.view import svg

    return svg.serialise(view_of(game_of(s.dtype), "drawing").draw(rules, s, viewer, last))


def to_rgb(rules: Any, s: Any, viewer: int | None = None, last: Move | None = None) -> NDArray[np.uint8]:
    """The position as pixels, uint8 [height, width, 3]. Raises ValueError if `viewer` is no seat of the game, or the game has no view."""
    from timeline_env.view import raster

    return raster.paint(view_of(game_of(s.dtype), "drawing").draw(rules, s, viewer, last))


def check_view(game: Game) -> None:
    """Raises ValueError if the game has no view."""
    if not game.view:
        raise ValueError(f"game {game.name!r} has no view, so there are no pictures of it")


def view_of(game: Game, part: str) -> Any:
    """The module ``text`` or ``drawing`` of a game's view, imported when it is first used: most programs never look.

    Raises:
        ValueError: the game has no view.
    """
    check_view(game)
    return importlib.import_module(f"{game.view}.{part}")


VIEWS: dict[str, Callable[..., Any]] = {"ansi": to_ansi, "svg": to_svg, "rgb_array": to_rgb}
"""A view for each render mode."""


def render(
    game: Game, rules: Any, s: Any, mode: str, viewer: int | None = None, last: Move | None = None
) -> str | NDArray[np.uint8]:
    """The position of a game in one of the render modes.

    Args:
        game: which game.
        rules: the game's numbers, a record.
        s: the position, a record; it is only read.
        mode: ``ansi`` or ``svg`` for a string, ``rgb_array`` for uint8 [height, width, 3].
        viewer: the seat whose hand is shown; None for nobody's.
        last: the move that led to the position, which is told and marked; None where there was none.

    Raises:
        ValueError: a mode or seat that is not known, or a game without a view.
    """
    check_view(game)
    if mode not in VIEWS:
        raise unknown_name("render mode", mode, VIEWS)
    return VIEWS[mode](rules, s, viewer, last)
