"""The arithmetic of the actions is that of their table."""

import pytest

from timeline_env.timeline import actions

FROM_ONE = {"impact": (0, 1), "reinforce": (0, 1)}
"""What the parts are counted from, where it is not 0: values and strengths from 1."""


@pytest.mark.parametrize("name", ["impact", "reinforce", "organize", "link", "rival"])
def test_actions_are_made_of_their_parts_and_taken_apart_as_in_the_table(name):
    pack, unpack = getattr(actions, f"{name}_action"), getattr(actions, f"{name}_parts")
    for action in range(actions.CODEC[name].start, actions.CODEC[name].stop):
        _, indices = actions.CODEC.decode(action)
        parts = tuple(i + first for i, first in zip(indices, FROM_ONE.get(name, (0,) * len(indices)), strict=True))
        assert unpack(action) == parts
        assert pack(*parts) == action == actions.CODEC.encode(name, *indices)
