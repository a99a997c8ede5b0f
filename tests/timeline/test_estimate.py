"""What a position is worth to each seat if the game were broken off there."""

from __future__ import annotations

import numpy as np
import pytest

from tests.timeline.worlds import random_batch
from timeline_env.engine import record
from timeline_env.engine.jit import entry
from timeline_env.engine.verbs import estimate


@entry
def estimate_one(rules, S, values):
    estimate(rules[0], S[0], values)


def values_of(batch, s):
    values = np.full(batch.num_players, 9.0)
    estimate_one(batch.rules, record.make_readable(np.asarray(s).reshape(1).copy()), values)
    return values


@pytest.mark.parametrize("players", range(2, 7))
def test_the_seats_values_lie_between_minus_1_and_1_and_add_up_to_nothing(players):
    batch = random_batch(players, 130)
    values = np.array([values_of(batch, s) for s in np.asarray(batch.states)])
    assert (abs(values) < 1).all()
    assert abs(values.sum(axis=1)).max() < 1e-12
    assert abs(values).max() > 0.2


def test_whoever_would_score_is_ahead_and_more_points_are_worth_more(position):
    one = position("3p phase:4.0 0:org/occurred 4.0:2y/+y")
    ahead = values_of(one.batch, one.s)
    assert ahead[0] > 0 > ahead[1] == ahead[2]
    two = position("3p phase:4.0 y:0/points=3 0:org/occurred 4.0:2y/+y")
    assert values_of(two.batch, two.s)[0] > ahead[0]
    undone = position("3p phase:4.0 0:org/occurred 4.0:2y/+y/o-1")
    assert values_of(undone.batch, undone.s).tolist() == [0, 0, 0]
