"""Pictures as in the README: ``python scripts/picture.py`` draws a position out of a game between the best baselines, or a given one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli

with cli.extra("eval"):
    import typer

import numpy as np

from timeline_env import view
from timeline_env.engine.batch import Batch
from timeline_env.engine.verbs import Game
from timeline_env.extras import require
from timeline_env.files import write_file, write_text
from timeline_env.games import DEFAULT, PACKAGES, game_named
from timeline_env.players import Decisions, load_player


def main(
    game: Annotated[str, typer.Option(help=", ".join(PACKAGES))] = DEFAULT,
    seed: Annotated[int, typer.Option(help="of the deal and of the players")] = 8,
    players: Annotated[int | None, typer.Option(help="seats; else as is usual")] = None,
    decisions: Annotated[
        int | None,
        typer.Option(help="stop after so many; else where there is much to see, or at the end"),
    ] = None,
    position: Annotated[str | None, typer.Option(help="draw this one, a line as in docs/notation.md; no game")] = None,
    out: Annotated[Path, typer.Option(help="the files' name, without .svg and .png")] = Path("docs/picture"),
) -> None:
    """Draw a position out of a game between the best baselines, with the hand of whoever decides, as SVG and PNG."""
    cli.writable("--out", Path(f"{out}.svg"))
    if position is None:
        batch, taken, last = play(game_named(game), seed, players, decisions)
        told = f"seed {seed}, {batch.num_players} players, after {taken} decisions"
    else:
        batch, last, told = laid_out(game_named(game), position), None, position
    viewer = int(batch.seat[0]) if batch.seat[0] >= 0 else None

    def picture(mode: str) -> Any:
        return view.render(batch.game, batch.rules[0], batch.states[0], mode, viewer, last)

    pixels = require("PIL.Image", "render").fromarray(picture("rgb_array"))
    write_text(Path(f"{out}.svg"), picture("svg"))
    write_file(Path(f"{out}.png"), lambda file: pixels.save(file, "PNG", optimize=True))
    print(f"wrote {out}.svg and {out}.png: {told}")


def play(game: Game, seed: int, players: int | None, limit: int | None) -> tuple[Batch, int, view.Move | None]:
    """A game up to where it is to stop, or to its end; how many decisions were taken, and the last of them.

    Raises:
        ValueError: a number that is not allowed.
    """
    if limit is not None and limit < 0:
        raise ValueError(f"--decisions {limit} must be at least 0")
    batch = Batch(game, 1, game.usual_players if players is None else players, seed)
    player, games = load_player(list(game.baselines)[-1], game, seed), np.zeros(1, np.int64)
    taken, last = 0, None
    is_there = STOPS.get(game.name, never)
    while not batch.done[0] and not (is_there(batch.states[0]) if limit is None else taken == limit):
        actions = player.act(Decisions.of(batch, games))
        last = view.Move(batch.states.copy()[0], int(actions[0]))
        batch.step(actions, restart=False)
        taken += 1
    return batch, taken, last


def laid_out(game: Game, position: str) -> Batch:
    """A batch of the one position. Raises ValueError if there is no such position."""
    players = game.notation.num_players_in(position)
    batch = Batch(game, 1, players, 0)
    batch.states[:] = game.notation.from_text(game.load_rules(players), position)
    batch.refresh()
    return batch


def never(s: Any) -> bool:
    return False


def much_lies_on_the_field(s: Any) -> bool:
    """Timeline has come to the third round of phase 3."""
    return bool((s.phase, s.lap) >= (3, 2))


def the_mid_war_is_on(s: Any) -> bool:
    """Twilight Struggle has come to the third action round of turn 5."""
    return bool((s.turn, s.action_round) >= (5, 3))


STOPS: dict[str, Callable[[Any], bool]] = {
    "timeline": much_lies_on_the_field,
    "twilight_struggle": the_mid_war_is_on,
}
"""Where a game stops if nothing else is said."""


if __name__ == "__main__":
    cli.run(main)
