"""Positions that several tests look at."""

from __future__ import annotations

import pytest

from tests.view.pictures import Picture, positions
from timeline_env import view
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.timeline import GAME


@pytest.fixture(scope="session", params=[2, 4, 6])
def table(request):
    """(rules, positions) for a number of players; from set-up to late, in the middle of realizations too."""
    return positions(request.param)


@pytest.fixture(scope="session")
def drawn(table):
    """(rules, pairs of a position and its picture without a viewer)."""
    rules, seen = table
    return rules, [(s, Picture(view.to_svg(rules, s))) for s in seen]


@pytest.fixture(scope="session")
def six():
    """(rules, a position): the set-up for six players, whose pawns are all in the centre."""
    batch = Batch(Setting(GAME, 6), 1, 1)
    return batch.rules[0], batch.states[0]
