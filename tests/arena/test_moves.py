"""The moves of a tournament's games: kept, replayed, watched."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest

from tests.commands import run_here
from tests.refusals import refusal
from timeline_env.arena.played import Played, join, read
from timeline_env.arena.tournament import GAMES_FILE, plan, run
from timeline_env.engine import replay
from timeline_env.timeline import GAME
from timeline_env.view.watch import pictures

ROOT = Path(__file__).resolve().parents[2]
VARIANT = ROOT / "timeline_env" / "data" / "timeline" / "tiny.toml"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament of a variant, played."""
    folder = tmp_path_factory.mktemp("tournament") / "small"
    run(plan(GAME, ["random", "greedy"], 2, 8, 3, VARIANT), folder, 1)
    return folder


@pytest.fixture(scope="module")
def played(folder: Path) -> Played:
    return read(folder / GAMES_FILE)


def watch(*arguments: object) -> CompletedProcess[str]:
    return run_here("scripts/watch.py", *arguments)


def test_every_game_can_be_replayed_to_its_result(played: Played) -> None:
    assert len(played.deal) == 8
    for number in range(8):
        saved = played.saved_game(number)
        assert len(saved.moves) == played.decisions[number]
        (last,) = replay.replay(saved)
        assert last.over and last.points[:2].tolist() == played.points[number].tolist()


def test_games_that_were_joined_keep_their_moves(played: Played) -> None:
    both = join(played.about, [played, played])
    assert both.saved_game(11) == played.saved_game(3)


def test_what_cannot_be_replayed_says_why(played: Played, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="game 8 must be an integer from 0 to 7"):
        played.saved_game(8)
    with pytest.raises(ValueError, match=r"game 0.0 must be an integer from 0 to 7"):
        played.saved_game(0.0)  # type: ignore[arg-type]
    older = replace(played, about=replace(played.about, rules_version=played.about.rules_version + 1))
    with pytest.raises(ValueError, match=r"were played by rules_version \d+ of timeline; it has \d+"):
        older.saved_game(0)
    illegal = played.actions.copy()
    illegal[-2] = 255
    with pytest.raises(ValueError, match=r"^game 7: move \d+: action 255 is not legal; legal are "):
        replace(played, actions=illegal).saved_game(7)
    replace(played, actions=played.actions[1:]).save(tmp_path / "short.npz")
    with pytest.raises(ValueError, match=r"short.npz' holds no tournament's games: .* actions for \d+ decisions"):
        read(tmp_path / "short.npz")
    with np.load(tmp_path / "short.npz") as arrays:
        np.savez(tmp_path / "none.npz", **{name: array for name, array in arrays.items() if name != "actions"})
    with pytest.raises(ValueError, match=r"none.npz' holds no tournament's games: .*actions"):
        read(tmp_path / "none.npz")


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"game": ["timeline"]}, "game .* must be a text"),
        ({"rules": "/etc/passwd"}, "rules: it must be a table"),
        ({"seats": ["a", "a"]}, "must be those of timeline: yellow, orange"),
        ({"players": [1, 2]}, "players .* must be a list of texts"),
        ({"players": []}, "players must be at least one"),
        ({"seats": []}, "seats must be at least one"),
        ({"sets": []}, r"key 'sets' is unknown \(did you mean 'seats'\?\)"),
        ({"rules_version": True}, "rules_version True must be an integer"),
    ],
)
def test_what_a_file_says_of_its_games_is_checked(
    folder: Path, told: dict[str, object], message: str, tmp_path: Path
) -> None:
    arrays = dict(np.load(folder / GAMES_FILE))
    about = json.loads(str(arrays.pop("about"))) | told
    np.savez(tmp_path / "games.npz", about=np.array(json.dumps(about)), **arrays)
    with pytest.raises(ValueError, match=f"holds no tournament's games: .*{message}"):
        read(tmp_path / "games.npz")


@pytest.mark.parametrize("column", ["game", "seat"])
def test_games_and_seats_are_counted(folder: Path, column: str, tmp_path: Path) -> None:
    arrays = dict(np.load(folder / GAMES_FILE))
    np.savez(tmp_path / "games.npz", **arrays | {column: np.zeros_like(arrays[column])})
    with pytest.raises(ValueError, match="must count the games, and the seats of each"):
        read(tmp_path / "games.npz")


@pytest.mark.parametrize("column", ["table", "deal", "player", "points", "rank", "decisions", "game", "seat"])
def test_columns_are_equally_long(folder: Path, column: str, tmp_path: Path) -> None:
    arrays = dict(np.load(folder / GAMES_FILE))
    seats = len(json.loads(str(arrays["about"]))["seats"])
    for cut in (arrays[column][:0], arrays[column][:-seats], arrays[column][:-1], arrays[column][None]):
        np.savez(tmp_path / "games.npz", **arrays | {column: cut})
        with pytest.raises(ValueError, match=r"games.npz' holds no tournament's games: \w+ (has|must have) "):
            read(tmp_path / "games.npz")


@pytest.mark.parametrize("column", ["deal", "decisions"])
def test_what_is_of_a_game_is_the_same_for_its_seats(folder: Path, column: str, tmp_path: Path) -> None:
    arrays = dict(np.load(folder / GAMES_FILE))
    arrays[column][0] = arrays[column][-1] if column == "deal" else arrays[column][0] + 1
    np.savez(tmp_path / "games.npz", **arrays)
    with pytest.raises(ValueError, match=f"{column} must be the same for all seats of a game"):
        read(tmp_path / "games.npz")


def test_a_game_is_watched_position_by_position_with_its_moves(played: Played) -> None:
    saved = played.saved_game(2)
    shown = list(pictures(saved, "ansi", 1))
    assert len(shown) == len(saved.moves) + 1
    assert "\nlast: " not in shown[0] and all("\nlast: " in text for text in shown[1:])
    assert "the game is over" in shown[-1] and "hand of orange" in shown[0]


def test_the_command_line_shows_a_game_or_saves_it(folder: Path, played: Played, tmp_path: Path) -> None:
    done = watch(folder, "--game", 2, "--text")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "\n".join(pictures(played.saved_game(2), "ansi")) + "\n"
    assert watch(folder, "--game", 2, "--save", tmp_path / "game.json").returncode == 0
    assert replay.load(tmp_path / "game.json") == played.saved_game(2)
    assert watch(tmp_path / "game.json", "--text").stdout == done.stdout
    assert "game 99 must be an integer from 0 to 7" in refusal(watch(folder, "--game", 99))
    assert "viewer 7 must be None or a seat" in refusal(watch(folder, "--text", "--viewer", 7))
