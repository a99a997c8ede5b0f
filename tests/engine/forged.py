"""Positions with some bytes put there by hand: each is refused in one clear line, or can be played on.

Run as ``NUMBA_DISABLE_JIT=1 python -m tests.engine.forged GAME SEED COUNT``: in plain Python an index out of its range and a
number too large for its field are errors.
"""

from __future__ import annotations

import sys

import numpy as np

from timeline_env.engine import positions
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.games import game_named

PLAYED_ON = 6
"""Decisions taken from whatever is accepted."""
VALUES = (-128, -2, -1, 0, 1, 2, 3, 6, 21, 60, 84, 111, 127)


def forged(rng, content, other, fields):
    """The bytes with a few changed: to any values, or in one field to those of another position."""
    content = bytearray(content)
    if rng.random() < 0.5:
        dtype, offset = fields[list(fields)[rng.integers(len(fields))]][:2]
        content[offset : offset + dtype.itemsize] = other[offset : offset + dtype.itemsize]
        return bytes(content)
    for place in rng.integers(len(content), size=rng.integers(1, 4)):
        content[place] = int(rng.choice(VALUES)) % 256
    return bytes(content)


def main(name, seed, count):
    game, rng = game_named(name), np.random.default_rng(seed)
    real = Batch(Setting(game), 8, seed=seed)
    tried = Batch(Setting(game), 1)
    accepted = 0
    for _ in range(count):
        real.play_random(int(rng.integers(4)))
        one, other = (real.states[index].tobytes() for index in rng.integers(real.num_games, size=2))
        try:
            tried.states[:] = positions.from_bytes(game, real.rules, forged(rng, one, other, game.state.fields))
        except ValueError as error:
            assert "\n" not in str(error)
            continue
        accepted += 1
        tried.refresh()
        for _ in range(PLAYED_ON):
            if tried.seat[0] >= 0:
                assert tried.action_mask[0].any(), "somebody is asked and may do nothing"
                tried.play_random(1)
    print(accepted)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
