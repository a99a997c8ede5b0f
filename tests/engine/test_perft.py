"""Lines of play counted from a position."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.commands import run_here
from tests.refusals import refusal
from timeline_env.engine.batch import Batch
from timeline_env.engine.perft import Case, check, deal_position, first_moves, perft, read_cases, start_position
from timeline_env.engine.setting import Setting
from timeline_env.timeline import GAME

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests" / "perft").glob("*.perft"))
CASES = [case for path in FILES for case in read_cases(path)]


def count_naively(batch, depth):
    """Lines of play by plain recursion over a batch of one game, every decision played."""
    if depth == 0:
        return 1
    here, lines = batch.states.copy(), 0
    for action in np.flatnonzero(batch.action_mask[0]):
        batch.step([action], restart=False)
        lines += count_naively(batch, depth - 1)
        batch.states[:] = here
        batch.refresh()
    return lines


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.where.rpartition("/")[2])
def test_counts_are_those_of_the_files(case):
    assert check(GAME, case) == []


def test_the_files_hold_every_number_of_players_and_kind_of_question():
    starts = " ".join(case.start for case in CASES)
    assert len(CASES) >= 18 and all(len(case.counts) >= 3 for case in CASES)
    assert all(f"position {players}p " in starts and f"players {players}" in starts for players in range(2, 7))
    assert all(f"ask:{question}." in starts for question in ("aside", "tick", "support", "links"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.where.rpartition("/")[2])
def test_counts_are_those_of_a_plain_recursion(case):
    rules, S = start_position(GAME, case.start)
    batch = Batch(Setting(GAME, int(rules[0].num_players)), 1)
    depth = max(depth for depth, count in case.counts.items() if count < 3000)
    batch.states[:] = S
    batch.refresh()
    assert sum(perft(GAME, rules, S, depth).values()) == count_naively(batch, depth) == case.counts[depth]


def test_the_split_names_every_first_move_with_the_lines_behind_it():
    rules, S = deal_position(Setting(GAME, 3), 7)
    batch = Batch(Setting(GAME, 3), 1)
    before = S.tobytes()
    lines = perft(GAME, rules, S, 3)
    assert S.tobytes() == before
    for move, count in lines.items():
        batch.states[:] = S
        batch.refresh()
        batch.step([GAME.notation.action_from_text(rules, S[0], move)], restart=False)
        assert count == sum(perft(GAME, rules, batch.states, 2).values()), move
    assert len(lines) == sum(perft(GAME, rules, S, 1).values())


@pytest.mark.parametrize("depth", [1, 2, 4])
def test_every_first_move_is_told_when_its_lines_are_counted(depth, monkeypatch):
    monkeypatch.setattr("timeline_env.engine.perft.ACTIONS_A_CALL", 50)
    rules, S = deal_position(Setting(GAME, 3), 7)
    told = []
    lines = perft(GAME, rules, S, depth, told.append)
    assert sum(told) == len(lines) == first_moves(GAME, rules, S) and (depth == 1 or max(told) < len(lines))


def test_a_finished_game_has_no_lines():
    assert perft(GAME, *start_position(GAME, "position 2p phase:4.0 over"), 2) == {}


def test_a_wrong_count_is_reported_with_its_place():
    assert check(GAME, Case("file:1", "seed 7 players 3", {1: 27, 2: 1})) == [
        "file:1: 679 lines of 2 decisions; 1 were expected"
    ]


@pytest.mark.parametrize("depth", [0, -1, 1.5, True])
def test_a_depth_that_is_not_allowed_gives_one_line(depth):
    with pytest.raises(ValueError, match=f"depth {depth} must be an integer of at least 1"):
        perft(GAME, *deal_position(Setting(GAME, 2), 0), depth)


@pytest.mark.parametrize("line", ["1 2", "seed 7 players 3\n1 x", "position 2p\nfoo", "position 2p\n1 2 3"])
def test_a_malformed_file_gives_one_line_with_its_place(tmp_path, line):
    path = tmp_path / "wrong.perft"
    path.write_text(line + "\n")
    with pytest.raises(ValueError, match=rf"wrong.perft:{line.count(chr(10)) + 1}: .* must be 'position TEXT'"):
        read_cases(path)


@pytest.mark.parametrize("line", ["position 2p\n0 5", "position 2p\n2 25\n1 5\n2 26"])
def test_a_depth_is_at_least_1_and_named_once(tmp_path, line):
    path = tmp_path / "wrong.perft"
    path.write_text(line + "\n")
    with pytest.raises(ValueError, match=rf"wrong.perft:{line.count(chr(10)) + 1}: depth [02] must be at least 1"):
        read_cases(path)


@pytest.mark.parametrize("start", ["seed x players 2", "seed 1", "position 9p", "seed 1 players 7"])
def test_a_malformed_start_gives_one_line_with_its_place(start):
    with pytest.raises(ValueError, match=r"^file:3: "):
        check(GAME, Case("file:3", start, {1: 1}))


def test_the_example_in_the_docs_counts_right(tmp_path):
    block = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8").partition("```perft\n")[2].partition("```")[0]
    (tmp_path / "docs.perft").write_text(block)
    cases = read_cases(tmp_path / "docs.perft")
    assert len(cases) == 2 and [difference for case in cases for difference in check(GAME, case)] == []


def script(*arguments):
    return run_here("scripts/perft.py", *arguments)


def test_the_script_prints_every_first_move_and_the_sum():
    rules, S = deal_position(Setting(GAME, 3), 7)
    out = script("--seed", 7, "--players", 3, "--depth", 2).stdout.splitlines()
    assert [line.rsplit(maxsplit=1) for line in out[:-1]] == [[m, str(n)] for m, n in perft(GAME, rules, S, 2).items()]
    assert out[-1].startswith("27 moves, 679 lines of 2 decisions, ")


def test_the_script_counts_from_a_position():
    assert "29 moves" in script("5p phase:0.0 first:o turn:y au:1 y:0/energy=13 0:org/-", "--depth", 1).stdout


def test_the_script_checks_files(tmp_path):
    right = script("--check", *FILES)
    assert (right.returncode, right.stdout) == (0, f"{len(CASES)} positions checked, 0 counts differ\n")
    (tmp_path / "wrong.perft").write_text("seed 7 players 3\n1 28\n")
    wrong = script("--check", tmp_path / "wrong.perft")
    assert wrong.returncode == 1
    assert "wrong.perft:1: 27 lines of 1 decisions; 28 were expected" in wrong.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "give one of POSITION, --seed N and --check FILE"),
        (("9p",), "position token '9p': a position begins with its players, 2p to 6p"),
        (("--seed", "x"), "--seed 'x': input should be a valid integer"),
        (("--seed", "-1"), "seed -1 must be an integer from 0 to 2**64 - 1"),
        (("2p", "--depth", "0"), "depth 0 must be an integer of at least 1"),
        (("2p", "--depth", "1001"), "--depth '1001': input should be less than or equal to 1000"),
        (("--check", "none.perft"), "perft file 'none.perft': No such file or directory"),
        (("--check", "/dev/null"), "perft file '/dev/null' holds no position"),
    ],
)
def test_the_script_says_what_is_wrong_in_one_line(arguments, said):
    assert refusal(script(*arguments)).startswith(f"error: {said}")
