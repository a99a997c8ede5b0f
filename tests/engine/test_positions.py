"""Positions from bytes: what no game can hold is refused before compiled code sees it."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from tests.games import each_game, each_table
from timeline_env.engine import positions

FREE = ("seed", "rng")
"""Fields that may hold anything."""


def fields_of(dtype):
    """The fields that no other one lies over, by name: dtype and offset."""
    found, end = {}, 0
    for name, (kind, offset, *_) in sorted(dtype.fields.items(), key=lambda field: (field[1][1], field[1][0].itemsize)):
        if offset >= end:
            found[name], end = (kind, offset), offset + kind.itemsize
    return found


@each_table
def test_every_position_of_a_game_is_what_its_bytes_say(table):
    batch = table.make("batch", num_games=1, seed=4)
    for _ in range(12):
        found = positions.from_bytes(table.game, batch.rules, batch.states.tobytes())
        assert found.tobytes() == batch.states.tobytes()
        assert batch.seats_in(found).tolist() == batch.seat.tolist()
        batch.play_random(17)


@each_game
def test_the_seats_of_every_other_record_of_an_array(table):
    batch = table.make("batch", num_games=8, seed=4)
    batch.play_random(3)
    assert batch.seats_in(batch.states[::2]).tolist() == batch.seat[::2].tolist()


@each_game
def test_no_field_is_without_a_check(table):
    """The least number that a field can hold is no position's, whatever the field means; a new field is no exception."""
    batch = table.make("batch", num_games=1, seed=5)
    batch.play_random(60)
    for name, (kind, offset) in fields_of(table.game.state).items():
        values = np.dtype(kind.base)
        for place in (0, kind.itemsize // values.itemsize - 1):
            content = bytearray(batch.states.tobytes())
            start = offset + place * values.itemsize
            content[start : start + values.itemsize] = np.array(np.iinfo(values).min, values).tobytes()
            if name not in FREE:
                with pytest.raises(ValueError, match=r"^[^\n]+$"):
                    positions.from_bytes(table.game, batch.rules, bytes(content))


@each_game
def test_another_number_of_bytes_is_refused(table):
    batch = table.make("batch", num_games=1, seed=6)
    size = table.game.state.itemsize
    for content in (b"", batch.states.tobytes()[:-1], batch.states.tobytes() + b"\0"):
        with pytest.raises(
            ValueError, match=f"^{len(content)} bytes are not a position of {table.game.name}; it has {size}$"
        ):
            positions.from_bytes(table.game, batch.rules, content)


@each_game
def test_forged_positions_are_refused_in_one_line_or_can_be_played_on(table):
    seed, environment = 1, os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.engine.forged", table.game.name, str(seed), "40"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, f"seed {seed}: {done.stderr}"
    assert int(done.stdout) > 0, "none was accepted, so that nothing was played on"
