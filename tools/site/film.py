"""A film of a game, as a small GIF: what heads an environment's page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from timeline_env import view
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.files import write_file
from timeline_env.players import Decisions, load_player

SEED = 8
FRAMES, WIDTH, COLOURS = 30, 720, 64
PACE, REST = 900, 4000
"""Milliseconds that a frame is shown, and the last one."""


def make(game: Game, file: Path) -> None:
    """Let the game's strongest scripted player play against itself, and write the film of that game, with no hand shown."""
    batch, moves = play(game)
    shown = sorted({*np.linspace(0, len(moves) - 1, FRAMES, dtype=int)})
    frames = [frame(batch, *moves[index]) for index in shown]
    write(file, frames, [PACE] * (len(frames) - 1) + [REST], WIDTH, COLOURS)


def write(file: Path, frames: Sequence[Image.Image], pace: Sequence[int], width: int, colours: int) -> None:
    """Write a GIF of this width in pixels and so many colours; each of the frames is shown for its milliseconds of `pace`."""
    small = [image.resize((width, image.height * width // image.width), Image.Resampling.LANCZOS) for image in frames]
    # One palette for all frames; the last one has every colour on the field. The usual method would lose small coloured
    # things, such as tokens.
    palette = small[-1].quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
    first, *others = [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in small]
    settings = {"save_all": True, "append_images": others, "duration": list(pace), "loop": 0, "optimize": True}
    write_file(file, lambda out: first.save(out, "GIF", **settings))


def play(game: Game) -> tuple[Batch, list[tuple[np.recarray[Any, Any], view.Move]]]:
    """The batch of a whole game, and each position with the move that led to it."""
    batch = Batch(Setting(game), 1, SEED)
    player, moves = load_player(player_of(game), game, SEED), []
    while not batch.done[0]:
        before, actions = batch.states.copy(), player.act(Decisions.of(batch, np.zeros(1, np.int64)))
        batch.step(actions, restart=False)
        moves.append((batch.states.copy(), view.Move(before[0], int(actions[0]))))
    return batch, moves


def player_of(game: Game) -> str:
    """Who plays in the film."""
    return list(game.baselines)[-1]


def frame(batch: Batch, states: np.recarray[Any, Any], move: view.Move) -> Image.Image:
    """One picture."""
    return Image.fromarray(view.to_rgb(batch.rules[0], states[0], last=move))
