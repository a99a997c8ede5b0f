"""The picture of the README: ``python scripts/picture.py`` draws a position out of a real game between projectors."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli

with cli.extra("eval"):
    import typer

import numpy as np

from timeline_env import view
from timeline_env.engine.batch import Batch
from timeline_env.extras import require
from timeline_env.files import write_file, write_text
from timeline_env.players import Decisions, load_player
from timeline_env.timeline import GAME

PHASE, LAP = 3, 2
"""Where the game stops if nothing else is said: the third round of phase 3, when much lies on the field."""


def main(
    seed: Annotated[int, typer.Option(help="of the deal and of the players")] = 8,
    players: Annotated[int, typer.Option(help="2 to 6")] = 4,
    decisions: Annotated[
        int | None, typer.Option(help="stop after so many; else in the third round of phase 3")
    ] = None,
    out: Annotated[Path, typer.Option(help="the files' name, without .svg and .png")] = Path("docs/picture"),
) -> None:
    """Draw a position out of a game between projectors, with the hand of whoever decides, as SVG and PNG."""
    cli.writable("--out", Path(f"{out}.svg"))
    batch, taken = play(seed, players, decisions)
    viewer = int(batch.seat[0]) if batch.seat[0] >= 0 else None
    position = (batch.rules[0], batch.states[0], viewer)
    picture = require("PIL.Image", "render").fromarray(view.to_rgb(*position))
    write_text(Path(f"{out}.svg"), view.to_svg(*position))
    write_file(Path(f"{out}.png"), lambda file: picture.save(file, "PNG", optimize=True))
    print(f"wrote {out}.svg and {out}.png: seed {seed}, {players} players, after {taken} decisions")


def play(seed: int, players: int, limit: int | None) -> tuple[Batch, int]:
    """A game up to where it is to stop, or to its end, and how many decisions were taken.

    Raises:
        ValueError: a number that is not allowed.
    """
    if limit is not None and limit < 0:
        raise ValueError(f"--decisions {limit} must be at least 0")
    batch = Batch(GAME, 1, players, seed)
    player, games, taken = load_player("projector", GAME, seed), np.zeros(1, np.int64), 0
    while not batch.done[0] and not (is_there(batch.states[0]) if limit is None else taken == limit):
        batch.step(player.act(Decisions.of(batch, games)), restart=False)
        taken += 1
    return batch, taken


def is_there(s: Any) -> bool:
    """Whether the game has come to the place where it stops if nothing else is said."""
    return bool((s.phase, s.lap) >= (PHASE, LAP))


if __name__ == "__main__":
    cli.run(main)
