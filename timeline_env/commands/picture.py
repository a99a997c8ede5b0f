"""Draw a position as SVG and PNG."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from timeline_env import view
from timeline_env.commands.options import refuse_idle
from timeline_env.commands.positions import SEED, lay_out, play
from timeline_env.extras import require
from timeline_env.files import check_writable, write_file, write_text
from timeline_env.games import DEFAULT, PACKAGES, game_named


def picture(
    game: Annotated[str, typer.Option(help=", ".join(PACKAGES))] = DEFAULT,
    seed: Annotated[int | None, typer.Option(help=f"of the deal and of the players; else {SEED}")] = None,
    players: Annotated[
        int | None, typer.Option(help="seats; if left out, 4 (Timeline) or 2 (Twilight Struggle)")
    ] = None,
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
    if not out.name or out.suffix in (".svg", ".png"):
        raise ValueError(f"--out {str(out)!r} must end with a file's name, without .svg and .png")
    for suffix in (".svg", ".png"):
        check_writable("--out", Path(f"{out}{suffix}"))
    image = require("PIL.Image", "render")  # before the game, not after it
    if position is None:
        seed = SEED if seed is None else seed
        batch, taken, last = play(game_named(game), seed, players, decisions)
        told = f"seed {seed}, {batch.num_players} players, after {taken} decisions"
    else:
        refuse_idle("beside --position", {"--seed": seed, "--players": players, "--decisions": decisions})
        batch, last, told = lay_out(game_named(game), position), None, position
    viewer = int(batch.seat[0]) if batch.seat[0] >= 0 else None

    def draw(mode: str) -> Any:
        return view.render(batch.game, batch.rules[0], batch.states[0], mode, viewer, last)

    pixels = image.fromarray(draw("rgb_array"))
    write_text(Path(f"{out}.svg"), draw("svg"))
    write_file(Path(f"{out}.png"), lambda file: pixels.save(file, "PNG", optimize=True))
    print(f"wrote {out}.svg and {out}.png: {told}")
