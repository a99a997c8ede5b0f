"""Draws the picture of the README: a position out of a real game between projectors, with the hand of whoever decides.

    python scripts/picture.py --seed 8 --players 4 --out docs/picture

writes docs/picture.svg and docs/picture.png.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

from timeline_env import view
from timeline_env.engine.batch import Batch
from timeline_env.players import Decisions, load_player
from timeline_env.timeline import GAME

PHASE, ROUND = 3, 2
"""Without --decisions the game stops when this round of this phase begins, both counted from 0: much lies on the field."""


def main() -> None:
    options = _options()
    try:
        batch, decisions = play(options.seed, options.players, options.decisions)
        rules, s = batch.rules[0], batch.states[0]
        viewer = int(batch.seat[0]) if not s.over else None
        write(options.out + ".svg", view.to_svg(rules, s, viewer).encode())
        write(options.out + ".png", png(view.to_rgb(rules, s, viewer)))
    except (ValueError, ImportError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(2)
    print(f"wrote {options.out}.svg and {options.out}.png: seed {options.seed}, after {decisions} decisions")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Draw a position out of a game between projectors.")
    parser.add_argument("--seed", type=int, default=8, help="of the deal and the players (default 8)")
    parser.add_argument("--players", type=int, default=4, help="2 to 6 (default 4)")
    parser.add_argument("--decisions", type=int, help="stop after so many (default: in the last round of phase 3)")
    parser.add_argument(
        "--out", default="docs/picture", help="the files' name without .svg and .png (default docs/picture)"
    )
    return parser.parse_args()


def play(seed: int, players: int, limit: int | None) -> tuple[Batch, int]:
    """A game that stopped after `limit` decisions, at the default place, or at its end; and how many decisions were taken.

    Raises:
        ValueError: a number that is not allowed.
    """
    if limit is not None and limit < 0:
        raise ValueError(f"--decisions {limit} must be at least 0")
    batch = Batch(GAME, 1, players, seed)
    player, games, taken = load_player("projector", GAME, seed), np.zeros(1, np.int64), 0
    while not batch.done[0] and not (_is_there(batch.states[0]) if limit is None else taken == limit):
        batch.step(player.act(Decisions.of(batch, games)), restart=False)
        taken += 1
    return batch, taken


def _is_there(s: Any) -> bool:
    return bool((s.phase, s.lap) >= (PHASE, ROUND))


def png(pixels: Any) -> bytes:
    """The pixels as a PNG file."""
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG", optimize=True)
    return file.getvalue()


def write(path: str, content: bytes) -> None:
    """Write a file in one step: it is never seen half written."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    part = Path(path + ".part")
    part.write_bytes(content)
    os.replace(part, path)


if __name__ == "__main__":
    main()
