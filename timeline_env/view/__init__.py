"""Pictures of a position: text, SVG, pixels. A view reads a record and never writes one.

A position is a record ``s`` (one of a batch's ``states``), the game's numbers are a record ``rules`` (a batch's
``rules[0]``)::

    from timeline_env import timeline_v0, view

    batch = timeline_v0.batch(num_games=1, num_players=4)
    print(view.to_ansi(batch.rules[0], batch.states[0]))
    open("position.svg", "w").write(view.to_svg(batch.rules[0], batch.states[0], viewer=0))

Nobody's hand is shown unless ``viewer`` names a seat. The last move is shown if it is given: a `Move`, which is the
position before it and the action. Pixels need the extra ``timeline-env[render]``; so does the
window, `timeline_env.view.window.Window`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from timeline_env.engine.verbs import game_of
from timeline_env.view.move import Move

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from timeline_env.engine.verbs import Game

__all__ = ["Move", "render", "to_ansi", "to_rgb", "to_svg"]


MODULES = {
    "timeline": ("timeline_env.view.timeline.text", "timeline_env.view.timeline.drawing"),
    "twilight_struggle": ("timeline_env.view.twilight_struggle.text", "timeline_env.view.twilight_struggle.drawing"),
}
"""For each game, by name, the modules with its ``to_ansi`` and its ``draw``. They are imported when they are first used:
most programs never look."""


def to_ansi(rules: Any, s: Any, viewer: int | None = None, last: Move | None = None, colour: bool | None = None) -> str:
    """The position as text of at most 100 columns; with the terminal's colour codes if `colour`, or None and the standard
    output is a terminal. Raises ValueError if `viewer` is no seat of the game."""
    text, _ = _modules(s)
    return text.to_ansi(rules, s, viewer, last, colour)


def to_svg(rules: Any, s: Any, viewer: int | None = None, last: Move | None = None) -> str:
    """The position as an SVG document. Raises ValueError if `viewer` is no seat of the game."""
    from timeline_env.view import svg

    _, drawing = _modules(s)
    return svg.serialise(drawing.draw(rules, s, viewer, last))


def to_rgb(rules: Any, s: Any, viewer: int | None = None, last: Move | None = None) -> NDArray[np.uint8]:
    """The position as pixels, uint8 [height, width, 3]. Raises ValueError if `viewer` is no seat of the game."""
    from timeline_env.view import raster

    _, drawing = _modules(s)
    return raster.paint(drawing.draw(rules, s, viewer, last))


def _modules(s: Any) -> tuple[Any, Any]:
    """The modules for the game whose position this is."""
    text, drawing = MODULES[game_of(s.dtype).name]
    return importlib.import_module(text), importlib.import_module(drawing)


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
        ValueError: a game, mode or seat that is not known.
    """
    if game.name not in MODULES:
        raise ValueError(f"game {game.name!r} has no view; known: {', '.join(MODULES)}")
    if mode not in VIEWS:
        raise ValueError(f"render mode {mode!r} is unknown; allowed: {', '.join(VIEWS)}")
    return VIEWS[mode](rules, s, viewer, last)
