"""Draw a position as SVG and PNG."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from timeline_env import cli, view
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.extras import require
from timeline_env.files import write_file, write_text
from timeline_env.games import DEFAULT, PACKAGES, game_named
from timeline_env.players import Decisions
from timeline_env.players.registry import player_from


def picture(
    game: Annotated[str, typer.Option(help=", ".join(PACKAGES))] = DEFAULT,
    seed: Annotated[int, typer.Option(help="of the deal and of the players")] = 8,
    players: Annotated[int | None, typer.Option(help="seats; else as is usual")] = None,
    decisions: Annotated[
        int | None,
        typer.Option(help="stop after so many; else where there is much to see, or at the end"),
    ] = None,
    position: Annotated[str | None, typer.Option(help="draw this one, a line as in docs/notation.md; no game")] = None,
    out: Annotated[Path, typer.Option(help="the files' name, without .svg and .png")] = Path("picture"),
) -> None:
    """Draw a position out of a game between the best baselines, with the hand of whoever decides, as SVG and PNG.

    examples:
      timeline-env picture --game twilight_struggle --seed 3 --out game
      timeline-env picture --position "4p phase:1.0 turn:y y:0/energy=20 0:org/occurred" --out position
    """
    if not out.name:
        raise ValueError(f"--out {str(out)!r} must end with a file's name, without .svg and .png")
    cli.check_writable("--out", Path(f"{out}.svg"))
    if position is None:
        batch, taken, last = play(game_named(game), seed, players, decisions)
        told = f"seed {seed}, {batch.num_players} players, after {taken} decisions"
    else:
        batch, last, told = lay_out(game_named(game), position), None, position
    viewer = int(batch.seat[0]) if batch.seat[0] >= 0 else None

    def draw(mode: str) -> Any:
        return view.render(batch.game, batch.rules[0], batch.states[0], mode, viewer, last)

    pixels = require("PIL.Image", "render").fromarray(draw("rgb_array"))
    write_text(Path(f"{out}.svg"), draw("svg"))
    write_file(Path(f"{out}.png"), lambda file: pixels.save(file, "PNG", optimize=True))
    print(f"wrote {out}.svg and {out}.png: {told}")


def play(game: Game, seed: int, players: int | None, limit: int | None) -> tuple[Batch, int, view.Move | None]:
    """A game up to where it is to stop, or to its end; how many decisions were taken, and the last of them.

    Raises:
        ValueError: a number that is not allowed.
    """
    if limit is not None and limit < 0:
        raise ValueError(f"--decisions {limit} must be at least 0")
    batch = Batch(Setting(game, players), 1, seed)
    player, games = player_from(list(game.baselines)[-1], batch.setting, seed), np.zeros(1, np.int64)
    taken, last = 0, None
    is_there = worth_a_picture(game)
    while not batch.done[0] and not (is_there(batch.states[0]) if limit is None else taken == limit):
        actions = player.act(Decisions.of(batch, games))
        last = view.Move(batch.states.copy()[0], int(actions[0]))
        batch.step(actions, restart=False)
        taken += 1
    return batch, taken, last


def lay_out(game: Game, position: str) -> Batch:
    """A batch of the one position. Raises ValueError if there is no such position."""
    batch = Batch(Setting(game, game.notation.num_players_in(position)), 1)
    batch.states[:] = game.notation.from_text(batch.rules, position)
    batch.refresh()
    return batch


def worth_a_picture(game: Game) -> Callable[[Any], bool]:
    """Whether there is much to see in a position, as the game's view has it. Raises ValueError if the game has no view."""
    found: Callable[[Any], bool] = view.view_of(game, "drawing").worth_a_picture
    return found
