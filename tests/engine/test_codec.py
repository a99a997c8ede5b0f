"""Named ranges of actions."""

from __future__ import annotations

import pytest

from timeline_env.engine.codec import Codec

CODEC = Codec(("stop", (), "ends"), ("go", (2, 3), "somewhere"), ("wait", (4,), "a while"))


def test_every_action_goes_to_its_name_and_indices_and_back():
    names = [CODEC.decode(action) for action in range(CODEC.size)]
    assert CODEC.size == 11
    assert names[:3] == [("stop", ()), ("go", (0, 0)), ("go", (0, 1))]
    assert names[-1] == ("wait", (3,))
    assert [CODEC.encode(name, *indices) for name, indices in names] == list(range(11))


def test_a_range_knows_where_it_begins_and_ends():
    assert (CODEC["go"].start, CODEC["go"].stop, CODEC["go"].size) == (1, 7, 6)


@pytest.mark.parametrize("action", [-1, 11])
def test_an_action_that_does_not_exist_is_refused(action):
    with pytest.raises(ValueError, match=rf"action {action} does not exist; actions are 0 to 10"):
        CODEC.decode(action)


@pytest.mark.parametrize("indices", [(), (0,), (2, 0), (0, 3), (-1, 0), (0, 0, 0)])
def test_indices_that_do_not_exist_are_refused(indices):
    with pytest.raises(ValueError, match="the indices must be below"):
        CODEC.encode("go", *indices)


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="action 'fly' is unknown; allowed: stop, go, wait"):
        CODEC.encode("fly")


def test_a_name_may_stand_only_once():
    with pytest.raises(ValueError, match="duplicate action range 'go'"):
        Codec(("go", (2,), ""), ("go", (3,), ""))
