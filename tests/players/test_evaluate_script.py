"""The command line of the evaluation: its output, its files, its errors."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.commands import run_here
from tests.refusals import refusal
from timeline_env.players.agents.agent import About, Agent
from timeline_env.timeline import GAME

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
    assert "mine:Cautious against random, greedy" in done.stdout
    result = json.loads((tmp_path / "out.json").read_text())
    assert (result["rules"], result["seats"]) == ({}, ["yellow", "orange", "blue"])
    assert "seat 2, blue" in done.stdout
    assert result["games"] == 30 and result["num_players"] == 3 and len(result["by_seat"]) == 3
    assert 0 <= result["overall"]["win"]["low"] <= result["overall"]["win"]["mean"] <= 1


def test_the_game_and_the_seats_are_those_of_the_agent_and_the_variant_is_told(tmp_path: Path) -> None:
    variant = {"rounds": {"3": [1, 1, 1, 1, 1]}}
    shapes = len(GAME.layout(3).columns(["clock"])), GAME.num_actions(3)
    layer = np.zeros(shapes[::-1], np.float32), np.zeros(shapes[1], np.float32)
    Agent(About("timeline", GAME.rules_version, 3, ("clock",), "relu", 1, variant), [layer]).save(tmp_path / "a.npz")
    (tmp_path / "short.toml").write_text("[rounds]\n3 = [1, 1, 1, 1, 1]\n")
    arguments = ("random", "--against", "a.npz", "--games", "6", "--json", "out.json")
    refused = evaluate(*arguments, cwd=tmp_path)
    assert refused.returncode == 2 and "not the game as it is" in refused.stderr
    done = evaluate(*arguments, "--rules", "short.toml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    result = json.loads((tmp_path / "out.json").read_text())
    assert (result["game"], result["num_players"], result["rules"]) == ("timeline", 3, variant)
    assert f"timeline with {variant}, 3 players" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("random", "--against"),
        ("nobody --against random", "player 'nobody' is unknown"),
        ("random --against random --games 3", "games 3"),
        ("random --against random --players 9", "num_players 9"),
        ("random --against nowhere:Nobody", "nowhere:Nobody"),
        ("random --against random --rules none.toml", "none.toml"),
        ("random --against random --json none/x.json", "none/x.json"),
        ("random --against random --cheat", "--cheat"),
        ("random --against random --game chess", "game 'chess' is unknown; allowed: timeline"),
    ],
)
def test_a_wrong_command_line_is_one_line_and_exit_code_2(arguments: str, message: str, tmp_path: Path) -> None:
    assert message in refusal(run_here("scripts/evaluate.py", *arguments.split(), cwd=tmp_path))
