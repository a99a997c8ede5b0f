"""The tool that compares the engine with the tests' referee: it counts what it compared, and a difference ends it."""

from __future__ import annotations

import pytest

from tests.timeline.side_by_side import SideBySide
from tools import second_reading


def test_it_tells_how_much_it_compared(capsys: pytest.CaptureFixture[str]) -> None:
    second_reading.main(players=[2], games=2)
    told = capsys.readouterr().out
    assert told.startswith("2 players: 2 games, ") and "decisions compared, no difference; played: " in told
    assert int(told.split()[4]) > 100


def test_a_difference_is_told_with_its_game_and_ends_with_1(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    play = SideBySide.play

    def differing(table: SideBySide, seed: int, choose: object) -> object:
        assert seed < 8, "yellow has 20 energy here, 19 there"
        return play(table, seed, choose)

    monkeypatch.setattr(SideBySide, "play", differing)
    with pytest.raises(SystemExit) as ended:
        second_reading.main(players=[2], games=3, seed=7)
    assert ended.value.code == 1
    assert "2 players, seed 8: yellow has 20 energy here, 19 there" in capsys.readouterr().out
