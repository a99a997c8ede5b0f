"""Record types."""

from __future__ import annotations

import numpy as np
import pytest

from timeline_env.engine import record
from timeline_env.engine.jit import rule
from timeline_env.timeline.numbers import RULES
from timeline_env.timeline.state import STATE


@pytest.mark.parametrize("name", ["round", "flags", "choose", "size", "T", "data"])
def test_a_field_named_like_a_numpy_attribute_is_refused(name):
    with pytest.raises(ValueError, match=f"field '{name}' of a record: the name is taken"):
        record.record((name, "i1", (), "hidden in plain Python"))


def test_a_field_may_stand_only_once():
    with pytest.raises(ValueError, match="field 'pawn' of a record: the name is taken"):
        record.record(("pawn", "i1", (), ""), ("pawn", "i1", 2, ""))


@pytest.mark.parametrize("dtype", [STATE, RULES])
def test_no_field_of_a_game_is_named_like_a_numpy_attribute(dtype):
    assert [name for name in dtype.names if hasattr(np.recarray, name) or hasattr(np.record, name)] == []


def test_equal_positions_have_equal_digests_and_different_ones_do_not():
    first, second = record.new(STATE), record.new(STATE)
    assert record.digest(first) == record.digest(second)
    second[0].pawn[3] = 1
    assert record.digest(first) != record.digest(second)


def test_a_position_takes_at_most_8_kilobytes():
    assert STATE.itemsize <= 8192


def test_copies_are_equal_byte_for_byte():
    states = record.new(STATE, 3)
    states[1].seed = 2**63
    states[1].legal[-1] = 1
    for copied in (np.asarray(states)[[1]], np.asarray(states)[1:2].copy(), record.take(states, np.array([1]))):
        assert record.digest(copied) == record.digest(np.asarray(states)[1:2])
    assert record.take(states, np.array([2, 1])).seed.tolist() == [0, 2**63]
    record.take(states, np.array([1]))[0].seed = 5
    assert states[1].seed == 2**63
    overlaid = ("everything", "node_planes", "seat_planes")
    assert STATE.itemsize == sum(STATE[name].itemsize for name in STATE.names if name not in overlaid)


def test_a_record_with_gaps_between_its_fields_is_refused():
    with pytest.raises(ValueError, match="record of narrow, wide: put the widest fields first"):
        record.record(("narrow", "i1", (), ""), ("wide", "u8", (), ""))


@rule
def raise_all(s, step):
    for place in range(len(s.all_of_it)):
        s.all_of_it[place] += step
    return s.count


def test_a_rule_that_python_calls_is_given_a_record_with_overlays_and_writes_to_it():
    records = record.new(record.record(("count", "i1", (), ""), ("rest", "i1", 2, ""), overlays={"all_of_it": None}), 2)
    assert raise_all(records[1], 3) == 3
    assert records.rest.tolist() == [[0, 0], [3, 3]]
