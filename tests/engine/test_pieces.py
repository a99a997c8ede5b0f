"""Named pieces of an observation."""

from __future__ import annotations

import numpy as np
import pytest

from timeline_env import timeline, twilight_struggle
from timeline_env.engine.common import common_layout
from timeline_env.engine.pieces import Layout

LAYOUT = Layout(("clock", (3,), "time", 10), ("board", (2, 4), "rows", [[1], [2]]))


def test_pieces_lie_one_after_the_other():
    assert LAYOUT.size == 11
    assert [(piece.name, piece.slice) for piece in LAYOUT] == [("clock", slice(0, 3)), ("board", slice(3, 11))]


def test_a_view_has_the_pieces_shape_and_is_no_copy():
    observations = np.arange(22, dtype=np.int8).reshape(2, 11)
    board = LAYOUT.view(observations, "board")
    assert board.shape == (2, 2, 4)
    assert board[1, 0].tolist() == [14, 15, 16, 17]
    board[1, 0, 0] = 99
    assert observations[1, 3] == 99
    assert list(LAYOUT.views(observations)) == ["clock", "board"]


def test_what_all_environments_share_cannot_be_written():
    for array in (LAYOUT.scale, common_layout(timeline.GAME).scale, timeline.board.NEIGHBOUR):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 1


def test_every_number_has_a_scale():
    assert LAYOUT.scale.dtype == np.float32
    assert LAYOUT.scale.tolist() == [10, 10, 10, 1, 1, 1, 1, 2, 2, 2, 2]


def test_normalized_numbers_lie_within_minus_1_and_1():
    observations = np.array([[5, -10, 11, 1, 0, -1, 2, 2, 1, -2, -3]], np.int8)
    normalized = LAYOUT.normalize(observations)
    assert normalized.dtype == np.float32
    assert normalized.tolist() == [[0.5, -1, 1, 1, 0, -1, 1, 1, 0.5, -1, -1]]


def test_an_unknown_piece_is_refused_with_the_known_ones():
    with pytest.raises(KeyError, match="no piece 'sky' in the observation; known: clock, board"):
        LAYOUT["sky"]


def test_two_pieces_of_one_name_are_refused():
    with pytest.raises(ValueError, match=r"^duplicate piece 'clock'$"):
        Layout(("clock", (3,), "time", 1), ("board", (2,), "places", 1), ("clock", (1,), "time", 1))


NAMED = Layout(
    ("clock", (2,), "time", 1, ("hour", "minute")),
    ("seats", (2, 3), "rows", 1, ("energy", "points", "cards")),
    ("planes", (2, 4), "planes", 1, ("event", "pawn")),
)


def test_a_number_is_found_by_its_name_in_a_piece_in_every_row_and_in_every_place():
    assert NAMED.index("clock", "minute") == 1
    assert NAMED.index("seats", "points").tolist() == [3, 6]
    assert NAMED.index("planes", "pawn").tolist() == [12, 13, 14, 15]


def test_a_number_without_such_a_name_is_refused_with_those_there_are():
    with pytest.raises(ValueError, match="piece 'clock' has no number 'day'; it has: hour; minute"):
        NAMED.index("clock", "day")
    with pytest.raises(ValueError, match="piece 'board' has no number 'day'; it has: no names"):
        LAYOUT.index("board", "day")


@pytest.mark.parametrize("game", (timeline.GAME, twilight_struggle.GAME), ids=lambda game: game.name)
def test_the_games_names_are_as_many_as_the_numbers_along_an_axis(game):
    for players in game.players:
        named = [piece for piece in game.layout(players) if piece.names]
        assert named
        for piece in named:
            assert len(piece.names) in piece.shape and len(set(piece.names)) == len(piece.names)
    assert (
        twilight_struggle.GAME.layout(2).index("tracks", "DEFCON")
        == twilight_struggle.GAME.layout(2)["tracks"].start + 5
    )
