"""Games through the pipe of text: the table says what came of them."""

from __future__ import annotations

from tools import text_games
from tools.text_games import Row


def test_whole_games_are_the_same_through_the_pipe_however_many_answers_are_malformed() -> None:
    assert text_games.play_row(Row("timeline", "projector", 0.3), games=2)[-1] == "the same games"
