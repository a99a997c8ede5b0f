"""The command line of the page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.play.test_table import played
from timeline_env.commands.play import assign_seats, play, read_player_again, tell, viewer
from timeline_env.engine.replay import save
from timeline_env.play.session import Session
from timeline_env.timeline import GAME as TIMELINE
from timeline_env.twilight_struggle import GAME as TWILIGHT_STRUGGLE


def test_the_first_seat_is_a_persons_unless_another_is() -> None:
    usual = ["person", "shipped", "shipped"]
    assert assign_seats(TIMELINE, [*usual], []) == usual
    assert assign_seats(TIMELINE, [*usual], ["blue=greedy"]) == ["person", "shipped", "greedy"]
    assert assign_seats(TIMELINE, [*usual], ["blue=person"]) == ["shipped", "shipped", "person"]
    assert assign_seats(TWILIGHT_STRUGGLE, usual[:2], ["us=person"]) == ["shipped", "person"]


@pytest.mark.parametrize("word", ["grey=person", "blue", "blue=", "=greedy"])
def test_a_seat_that_is_not_there_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="must be SEAT=PLAYER; seats: yellow, orange, blue"):
        assign_seats(TIMELINE, ["person"] * 3, [word])


def test_a_seat_is_given_once() -> None:
    with pytest.raises(ValueError, match="--seat 'blue=random': the seat 'blue' is given twice"):
        assign_seats(TIMELINE, ["person"] * 3, ["blue=person", "blue=random"])


@pytest.mark.parametrize("word", ["us", "us=greedy", "us=", "rubbish"])
def test_beside_a_kept_game_a_seat_names_code_alone(word: str) -> None:
    with pytest.raises(ValueError, match=rf"--seat '{word}': beside --resume it names again whose code may run"):
        read_player_again(word)
    assert read_player_again("us=module:Class") == "module:Class"


def test_the_address_is_told_at_once_where_it_goes_into_a_file() -> None:
    code = "from timeline_env.commands.main import main; main()"
    words = ["play", "--no-browser", "--port", "0", "--position", "2p phase:1.0 turn:y"]
    usual = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    process = subprocess.Popen([sys.executable, "-c", code, *words], stdout=subprocess.PIPE, text=True, env=usual)
    assert process.stdout is not None
    giving_up = threading.Timer(60, process.kill)
    giving_up.start()
    try:
        assert process.stdout.readline().startswith("copy: http://127.0.0.1:")
    finally:
        giving_up.cancel()
        process.kill()
        process.communicate()


def test_the_command_that_goes_on_can_be_typed_as_it_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    tell(SimpleNamespace(addresses={}, path=Path("my games/one.json")), "127.0.0.1")
    assert capsys.readouterr().out.endswith("timeline-env play --resume 'my games/one.json'\n")


def test_a_variant_is_played_without_a_word_of_seats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, opened = tmp_path / "rules.toml", []
    rules.write_text("[rounds]\n2 = [1, 1, 1, 1, 1]\n")
    monkeypatch.setattr(Session, "wait", lambda session: (opened.append(session), session.close()))
    play(rules=rules, players=2, port=0, browser=False, save=tmp_path / "game.json")
    table = opened[0].table
    assert table.seats == ("person", [*TIMELINE.baselines][-1]) and table.given == {"rounds": {"2": [1, 1, 1, 1, 1]}}


@pytest.mark.parametrize(
    ("host", "open_to_others"),
    [("127.0.0.1", False), ("127.0.0.2", False), ("::1", False), ("LocalHost", False), ("0.0.0.0", True), ("me", True)],
)
def test_who_serves_to_others_is_told_so(host: str, open_to_others: bool, capsys: pytest.CaptureFixture[str]) -> None:
    tell(SimpleNamespace(addresses={}, path=None), host)
    assert ("others in your network" in capsys.readouterr().out) == open_to_others


def test_views_are_named() -> None:
    assert [viewer(TIMELINE, 2, name) for name in ("everybody", "orange", "everything")] == [None, 1, "everything"]
    with pytest.raises(ValueError, match="must be one of: everybody, yellow, orange, everything"):
        viewer(TIMELINE, 2, "blue")


def test_a_replay_is_written_in_one_step_or_not_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(tmp_path / "game.json", played(TIMELINE, 2, 2).as_saved())
    page = tmp_path / "game.html"
    play(replay=tmp_path / "game.json", number=0, view=["everybody", "orange"], mind="greedy", html=page)
    assert "2 decisions" in capsys.readouterr().out and page.read_text().startswith("<!doctype html>")
    with pytest.raises(ValueError, match="player 'nobody' is unknown"):
        play(replay=tmp_path / "game.json", number=0, view=["orange"], mind="nobody", html=tmp_path / "other.html")
    assert not (tmp_path / "other.html").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"html": Path("game.html")}, "--html means nothing without --replay"),
        ({"resume": Path("game.json"), "players": 2}, "--players means nothing beside --resume"),
        ({"replay": Path("game.json"), "resume": Path("game.json")}, "--resume means nothing beside --replay"),
        ({"save": Path(__file__)}, "is there already"),
        ({"players": 0}, "--players 0 must be an integer of at least 1"),
        ({"players": 9}, "9 seats: timeline is played by 2 to 6"),
        ({"players": 10**20}, "100000000000000000000 seats: timeline is played by 2 to 6"),
        ({"seed": -1, "save": Path("game.json")}, "seed -1 must be an integer"),
        ({"position": "2p phase:9"}, "this is not a position"),
        (
            {"position": "2p phase:1.0 turn:y y:0/energy=20/hand=3? o:0/energy=20/hand=3? 0:org/occurred"},
            "what is unknown (?) must be all that",
        ),
        ({"position": ""}, "a position begins with its players, 2p to 6p"),
    ],
)
def test_options_that_cannot_be_are_refused_before_anything_is_served(
    options: dict, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with pytest.raises(ValueError, match=re.escape(message)):
        play(**options, browser=False)
    assert not list(tmp_path.glob("*.json"))
