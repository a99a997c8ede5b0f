"""The benchmark suite: its own files are sound, what is not allowed is refused, and one command plays it, again and again alike."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import run_here
from tests.refusals import refusal
from timeline_env.arena.played import read
from timeline_env.arena.strength import curves
from timeline_env.arena.suite import load_entry, load_suite
from timeline_env.arena.summary import summarize

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results" / "benchmark"
SUITE = load_suite(ROOT / "configs" / "benchmark" / "playing")
SMALL = """version: 2
title: Small
game: timeline
num_players: 2
seed: 5
games: 6
players: [random, "mcts:2", "mcts:8"]
"""


def command(*arguments: object) -> subprocess.CompletedProcess[str]:
    script = str(ROOT / "scripts" / "benchmark_suite.py")
    return subprocess.run([sys.executable, script, *map(str, arguments)], capture_output=True, text=True)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "suite").mkdir()
    (tmp_path / "suite" / "small.yaml").write_text(SMALL)
    return tmp_path / "suite"


def test_one_command_plays_it_and_plays_it_alike(suite: Path, tmp_path: Path) -> None:
    for out, processes in (("a", 1), ("b", 2), ("a", 1)):
        done = command("--suite", suite, "--out", tmp_path / out, "--processes", processes)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "a/small/games.npz").read_bytes() == (tmp_path / "b/small/games.npz").read_bytes()
    assert (tmp_path / "a/tables.md").read_text() == (tmp_path / "b/tables.md").read_text()
    page = (tmp_path / "a/report.html").read_text()
    assert "Strength over simulations" in page and 'href="#small"' in page
    assert curves(summarize(read(tmp_path / "a/small/games.npz"))) == {"mcts": [(2, 1), (8, 2)]}


def test_your_player_sits_down_in_every_tournament(suite: Path, tmp_path: Path) -> None:
    done = command("--suite", suite, "--out", tmp_path / "mine", "--player", "greedy")
    assert done.returncode == 0, done.stderr
    assert read(tmp_path / "mine/small/games.npz").about.players == ("random", "mcts:2", "mcts:8", "greedy")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version: 2", "version: 1", "version 1"),
        ("seed: 5\n", "", "the key 'seed' is missing"),
        ("seed: 5", "seed: -1", "seed -1"),
        ("seed: 5", "seed: 5\nbudget: 7", "key 'budget' is unknown; allowed: version, title"),
        ("games: 6", "games: 3", "games 3"),
        ("games: 6", "games: '6'", "games '6'"),
        ("game: timeline", "game: chess", "game 'chess' is unknown"),
        ("num_players: 2", "num_players: 9", "num_players 9"),
        ("[random,", "[nobody,", "player 'nobody' is unknown"),
        ("[random,", "{random,", "small.yaml"),
    ],
)
def test_what_is_not_allowed_is_refused(suite: Path, old: str, new: str, message: str) -> None:
    (suite / "small.yaml").write_text(SMALL.replace(old, new))
    with pytest.raises(ValueError) as refused:
        load_entry(suite / "small.yaml")
    assert message in str(refused.value) and "small.yaml" in str(refused.value)


def test_what_is_wrong_in_many_places_is_told_in_a_line_that_can_be_read(suite: Path) -> None:
    (suite / "small.yaml").write_text(SMALL.replace("random", ", ".join(map(str, range(300)))))
    with pytest.raises(ValueError, match=r"players\.0 0: .* characters") as refused:
        load_entry(suite / "small.yaml")
    assert len(str(refused.value)) < 1200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--only", "none"), "--only 'none' is unknown; allowed: timeline_2"),
        (("--suite", "none"), "suite 'none' holds no .yaml file"),
        (("--player", "nobody"), "player 'nobody' is unknown"),
    ],
)
def test_a_wrong_command_line_is_refused_in_one_line(arguments: tuple[str, str], message: str, tmp_path: Path) -> None:
    assert message in refusal(run_here("scripts/benchmark_suite.py", *arguments, "--out", tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", [name for name in SUITE if (RESULTS / name).exists()])
def test_the_results_that_are_shown_are_of_this_suite(name: str) -> None:
    wanted, played = SUITE[name].plan(), read(RESULTS / name / "games.npz")
    assert played.about == wanted.about
    assert len(played.rank) == wanted.games
    summary = json.loads((RESULTS / name / "summary.json").read_text())
    assert summary["games"] == wanted.games


def test_the_page_of_the_benchmark_shows_these_tables() -> None:
    shown = (ROOT / "docs" / "results" / "benchmark.md").read_text(encoding="utf-8")
    assert (RESULTS / "tables.md").read_text(encoding="utf-8") in shown
