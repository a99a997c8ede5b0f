"""What docs/text.md shows is so."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from examples.kuhn_poker import GAME
from tests.commands import ROOT, run_here
from timeline_env import words
from timeline_env.commands.prompt import prompt
from timeline_env.players.command import OPTIONS
from timeline_env.words.log import COUNTED
from timeline_env.words.player import message

PAGE = (ROOT / "docs" / "text.md").read_text(encoding="utf-8")
COMMAND = re.search(r"^timeline-env (prompt .*)$", PAGE, re.MULTILINE)
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def test_the_command_prints_the_prompt_of_a_game_without_a_view(capsys: pytest.CaptureFixture[str]) -> None:
    prompt(game=GAME.name, decisions=0)
    assert "You play Kuhn Poker as first" in capsys.readouterr().out


def test_the_prompt_is_what_the_command_prints() -> None:
    assert COMMAND is not None
    done = run_here("-m", "timeline_env.commands.main", *shlex.split(COMMAND[1]))
    assert f"```text\n{done.stdout}```" in PAGE


def test_the_tables_have_every_key_option_and_fault() -> None:
    batch = words.TextGame()
    batch.reset(seed=0)
    question = words.ask(batch.batch)
    first_columns = set(re.findall(r"`([\w-]+)[^`]*`", " ".join(re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE))))
    assert {*message(question, ""), *OPTIONS, *COUNTED} - {"decisions"} <= first_columns


def test_the_program_around_a_model_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "agent.py").write_text(BLOCKS[0])
    prompt(game=GAME.name, decisions=0, line=True)
    asked = capsys.readouterr().out
    assert asked.count("\n") == 1
    done = subprocess.run([sys.executable, "agent.py"], input=2 * asked, cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout == "1\n1\n"


def test_the_python_of_the_page_runs() -> None:
    for block in BLOCKS[1:]:
        exec(block, {})
