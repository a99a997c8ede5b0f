"""Runs of bytes: what is copied, cleared and written, and nothing beside it."""

from __future__ import annotations

import numpy as np
import pytest

from timeline_env.engine.jit import config, rule
from timeline_env.engine.memory import (
    BLOCK,
    block_start,
    clear_run,
    copy_run,
    count_blocks,
    row_at,
    run_of,
    word_of,
)

COUNTS = pytest.mark.parametrize("count", [0, 1, 7, 16])


@rule
def write_squares(out, at, count):
    row = run_of(out, at, count)
    for i in range(count):
        row[i] = i * i


@COUNTS
def test_a_run_is_copied_and_nothing_beside_it(count):
    source, out = np.arange(20, dtype=np.int8), np.full(20, 99, np.int8)
    assert copy_run(source, 2, count, out, 3) == 3 + count
    assert out.tolist() == [99] * 3 + list(range(2, 2 + count)) + [99] * (17 - count)


@COUNTS
def test_a_run_is_cleared_and_nothing_beside_it(count):
    out = np.full(20, 99, np.int8)
    assert clear_run(out, 3, count) == 3 + count
    assert out.tolist() == [99] * 3 + [0] * count + [99] * (17 - count)


def test_what_is_written_into_a_run_of_a_buffer_is_in_the_buffer():
    out = np.full(8, 99, np.int8)
    write_squares(out, 2, 4)
    assert out.tolist() == [99, 99, 0, 1, 4, 9, 99, 99]


@pytest.mark.parametrize("count", [BLOCK, BLOCK + 1, 2 * BLOCK, 84, 110])
def test_blocks_cover_a_run_and_nothing_beside_it(count):
    starts = [block_start(block, count) for block in range(count_blocks(count))]
    covered = [at + i for at in starts for i in range(BLOCK)]
    assert set(covered) == set(range(count))
    assert len(covered) < count + BLOCK


@rule
def write_row(rows, i):
    row = row_at(rows, i)
    for k in range(row.shape[0]):
        row[k] = k


@pytest.mark.parametrize("dtype", [np.int8, np.float32])
def test_what_is_written_into_a_row_is_in_the_rows(dtype):
    rows = np.full((3, 5), 99, dtype)
    write_row(rows, 1)
    assert rows.tolist() == [[99] * 5, [0, 1, 2, 3, 4], [99] * 5]


def test_a_word_is_eight_bytes_from_anywhere():
    source = np.array([7, -1, 2, 0, 127, -128, 3, 4, 5, 6], np.int8)
    for at in range(3):
        assert word_of(source, at) == int.from_bytes(source[at : at + 8].tobytes(), "little")


@pytest.mark.skipif(not config.BOUNDSCHECK, reason="indices are checked in a pass of their own")
def test_a_run_beyond_the_buffer_is_refused_where_indices_are_checked():
    source, out = np.zeros(4, np.int8), np.zeros(4, np.int8)
    for call in (
        lambda: copy_run(source, 2, 3, out, 0),
        lambda: copy_run(source, 0, 3, out, 2),
        lambda: clear_run(out, 2, 3),
        lambda: word_of(source, 0),
    ):
        with pytest.raises(IndexError):
            call()
    with pytest.raises(IndexError):
        write_squares(out, 2, 3)
