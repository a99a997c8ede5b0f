"""The scales of the observations: random games stay within them, and reach those that the game bounds."""

from __future__ import annotations

import numpy as np
import pytest

from tests.games import each_table

SELDOM = {
    "clock": {14},  # action units with three surges in one turn
    "seats": {3, 25},  # three artifacts of a kind; points
    "near": {25},  # realization points
    "own_influence": {20},
    "other_influence": {20},
    "chosen": {7},
    "needed": {25},
    "other_needed": {25},
    "regions": {8, 20},  # all of Southeast Asia; control of Europe
    "tracks": {110},  # cards in the draw pile
    "numbers": {6},
}
"""Scales, by piece, of what the game does not bound, or of what random games hardly bring to its bound."""


def greatest(batch):
    """The greatest absolute value of each number in two games each, as whoever was to act saw it; int64 [d]."""
    found, ended = np.zeros(batch.layout.size, np.int64), 0
    while ended < 2 * batch.num_games:
        batch.play_random(1)
        ended += int(batch.done.sum())
        np.maximum(found, np.abs(batch.observation.astype(np.int64)).max(axis=0), out=found)
    return found


@pytest.fixture(scope="module")
def seen():
    """`seen(table)`: the greatest values of random games, played once for each table."""
    known = {}

    def play(table):
        if str(table) not in known:
            batch = table.make("batch", num_games=300, seed=1)
            known[str(table)] = batch.layout, greatest(batch)
        return known[str(table)]

    return play


@each_table
def test_no_number_of_a_random_game_is_beyond_its_scale(table, seen):
    layout, found = seen(table)
    assert (layout.scale >= 1).all()
    beyond = {piece.name for piece in layout if (found > layout.scale)[piece.slice].any()}
    assert not beyond


@each_table
def test_a_scale_that_the_game_bounds_is_not_loose(table, seen):
    """Among the numbers of a piece with the same scale, one comes within a tenth of it."""
    layout, found = seen(table)
    for piece in layout:
        scale, values = layout.scale[piece.slice], found[piece.slice]
        if piece.name == "pledges" and table.num_players == 2:  # who has one rival only pledges nothing (R18)
            assert not values.any()
            continue
        for bound in set(scale.tolist()) - SELDOM.get(piece.name, set()):
            assert values[scale == bound].max() >= 0.9 * bound, (piece.name, bound)
