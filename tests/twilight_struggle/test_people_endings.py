"""How games end: the counts add up, and the published results are checked when they are read."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.commands import run_here
from tests.refusals import refusal
from timeline_env.arena.twilight_struggle.endings import ENDS, endings, people, read_people
from timeline_env.twilight_struggle import state
from timeline_env.twilight_struggle.board import DATA

MAIN = ("-m", "timeline_env.commands.main")
FILE = DATA / "people.toml"


def test_the_published_results() -> None:
    known = people()
    assert known.games == 47928 and known.ussr == 0.499 and known.last_turn == 8.33
    assert known.ends["vp"] == 0.415 and known.ends["europe"] == 0.0155
    assert abs(sum(known.ends.values()) - 1) < 0.001


def test_every_end_of_the_engine_is_counted_once() -> None:
    codes = [code for _, codes in ENDS.values() for code in codes]
    assert sorted(codes) == list(range(state.BY_VP, len(state.ENDING_NAMES)))


def test_the_ends_of_games_add_up() -> None:
    found = endings("cautious", games=np.int64(40), seed=np.int64(3))  # type: ignore[arg-type]
    assert json.dumps(found.as_dict())
    assert (found.games, found.deals, found.against) == (40, 40, "cautious")
    assert sum(share.mean for share in found.ends.values()) == pytest.approx(1)
    assert 1 <= found.last_turn.low <= found.last_turn.mean <= 10
    assert endings("cautious", games=40, seed=3) == found != endings("cautious", games=40, seed=4)


def test_against_another_each_deal_is_played_from_both_sides() -> None:
    found = endings("cautious", "random", games=21)
    assert (found.games, found.deals) == (22, 11)
    assert found.won.mean > 0.6
    assert sum(share.mean for share in found.ends.values()) == pytest.approx(1)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("vp = 41.5", "vp = 51.5", "the ends must add up to 100, not 110.05"),
        ("vp = 41.5", "vp = '41.5'", "ends.vp '41.5' must be a number from 0 to 100"),
        ("vp = 41.5", "points = 41.5", "ends: it must be a table with the keys vp, "),
        ("games = 47928", "games = 0", "games 0 must be an integer of at least 1"),
        ("ussr = 49.9", "ussr = 149.9", "ussr 149.9 must be a number from 0 to 100"),
        ("last_turn = 8.33", "last_turn = nan", "last_turn nan must be a number from 1 to 10"),
        ("games = 47928", "", "it must be a table with the keys source, games, "),
        ("source = ", "source = 1 #", "source 1 must be a text"),
        ("[ends]", "[ends]\nbluff = 0", "ends must have the keys vp, .* alone, not bluff, "),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, old: str, new: str, says: str) -> None:
    path = tmp_path / "people.toml"
    text = FILE.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=f"^'.*people.toml' holds no results of games between people: {says}"):
        read_people(path)


def test_the_commands_print_tables_and_write_json(tmp_path: Path) -> None:
    logs = Path(__file__).parent / "games" / "game_28.json"
    for command, words, key in (
        ("agree", ("random", "--logs", logs), "decisions"),
        ("endings", ("random", "--games", 8), "people"),
        ("dominated", ("random", "--logs", logs, "--games", 4), "criteria"),
    ):
        path = tmp_path / f"{command}.json"
        done = run_here(*MAIN, "people", command, *words, "--json", path)
        assert done.returncode == 0 and "random" in done.stdout, done.stderr
        assert path.stat().st_size > 500
        found = json.loads(path.read_text(encoding="utf-8"))
        assert found[key] if isinstance(found, dict) else all(each[key] for each in found)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("dominated", "give PLAYERS, --logs, or both"),
        ("agree random --logs none", "there is no file and no folder 'none'"),
        ("dominated random random", "players 'random random' must be at least one, each named once"),
        ("endings random random", "players 'random random' must be at least one, each named once"),
        ("endings random --games 2", "games 2 must be an integer from 4 to 10,000,000"),
        ("agree nobody --logs LOG", "player 'nobody'"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(words: str, says: str, tmp_path: Path) -> None:
    log = str(Path(__file__).parent / "games" / "game_28.json")
    done = run_here(*MAIN, "people", *words.replace("LOG", log).split(), cwd=tmp_path)
    assert says in refusal(done)
