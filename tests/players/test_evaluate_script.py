"""The command line of the evaluation: its output, its files, its errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

OWN_PLAYER = """
class Cautious:
    def __init__(self, seed=0):
        self.seed = seed

    def act(self, decisions):
        return decisions.action_mask.argmax(axis=1)
"""


def evaluate(*arguments: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "scripts" / "evaluate.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def test_a_player_of_ones_own_is_named_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(OWN_PLAYER)
    done = evaluate("mine:Cautious", "--against", "random", "--against", "greedy", "--games", "30", "--players", "3",
                    "--json", "out.json", cwd=tmp_path)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "mine:Cautious against random, greedy" in done.stdout and "seat 2" in done.stdout
    result = json.loads((tmp_path / "out.json").read_text())
    assert result["games"] == 30 and result["num_players"] == 3 and len(result["by_seat"]) == 3
    assert 0 <= result["overall"]["win"]["low"] <= result["overall"]["win"]["mean"] <= 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("random", "--against"),
        ("nobody --against random", "unknown player 'nobody'"),
        ("random --against random --games 3", "games 3"),
        ("random --against random --players 9", "num_players 9"),
        ("random --against nowhere:Nobody", "nowhere:Nobody"),
        ("random --against random --rules none.toml", "none.toml"),
        ("random --against random --json none/x.json", "none/x.json"),
        ("random --against random --cheat", "--cheat"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_exit_code_2(arguments: str, message: str, tmp_path: Path) -> None:
    done = evaluate(*arguments.split(), cwd=tmp_path)
    errors = [line for line in done.stderr.splitlines() if not line.startswith("timeline_env: ")]
    assert done.returncode == 2 and done.stdout == ""
    assert len(errors) == 1 and errors[0].startswith("error: ") and message in errors[0], done.stderr
