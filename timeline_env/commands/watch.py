"""Show a saved game, or a tournament's, move by move."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from timeline_env.arena.tournament import games_in
from timeline_env.commands.options import refuse_idle
from timeline_env.engine import replay
from timeline_env.files import check_writable
from timeline_env.view.watch import pictures
from timeline_env.view.window import Window


def watch(
    source: Annotated[Path, typer.Argument(help="a tournament's or a data set's folder, or a saved game (JSON)")],
    game: Annotated[int | None, typer.Option(help="of a tournament: which game, from 0; else the first")] = None,
    text: Annotated[bool, typer.Option("--text", help="print the positions instead of opening a window")] = False,
    viewer: Annotated[int | None, typer.Option(help="the seat whose hand is shown; else nobody's")] = None,
    pace: Annotated[
        float | None, typer.Option(min=0.01, help="pictures a second, else 2; space pauses the window")
    ] = None,
    save: Annotated[Path | None, typer.Option(help="write the game here as JSON in place of showing it")] = None,
) -> None:
    """Show a game move by move, or write it as a saved game.

    examples:
      timeline-env watch runs/baselines --game 17 --text
      timeline-env watch runs/baselines --game 17 --save game.json
    """
    if save is not None:
        refuse_idle("beside --save", {"--text": text, "--viewer": viewer, "--pace": pace})
        check_writable("--save", save)
    if text:
        refuse_idle("beside --text", {"--pace": pace})
    if source.is_dir():
        saved = games_in(source).saved_game(game or 0)
    else:
        saved = replay.load(source)
        refuse_idle("for a saved game", {"--game": game})
    if save is not None:
        replay.save(save, saved)
        print(f"wrote {save}: {saved.game}, {len(saved.moves)} moves")
    elif text:
        print("\n".join(pictures(saved, "ansi", viewer)))
    else:
        show(saved, viewer, pace or 2.0)


def show(saved: replay.SavedGame, viewer: int | None, pace: float) -> None:
    """Show the game in a window until it is over or the window is closed. Raises OSError if there is no display."""
    window = Window(saved.game)
    for picture in pictures(saved, "rgb_array", viewer):
        try:
            window.show(picture, pace)
        except OSError as error:
            raise OSError(f"{error}; watch --text prints the positions") from None
        if window.closed:
            return
    window.close()
