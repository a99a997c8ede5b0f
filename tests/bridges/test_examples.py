"""The examples of docs/bridges.md run as printed, and print what they ought to."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from timeline_env.timeline import GAME

DOC = (Path(__file__).resolve().parents[2] / "docs" / "bridges.md").read_text(encoding="utf-8")
OPENSPIEL, TORCHRL, TIANSHOU = re.findall(r"```python\n(.*?)```", DOC, flags=re.DOTALL)


def printed(example: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    exec(example, {})
    return capsys.readouterr().out.splitlines()


def test_openspiel(capsys):
    (line,) = printed(OPENSPIEL, capsys)
    assert line.startswith("2p phase:")


def test_torchrl(capsys):
    shape, rewards = printed(TORCHRL, capsys)
    decisions, one, actions = map(int, re.findall(r"\d+", shape))
    assert decisions > 50 and (one, actions) == (1, GAME.num_actions(3))
    assert sorted(ast.literal_eval(rewards)) == [-1, 0, 1]


def test_tianshou(capsys):
    (rewards,) = printed(TIANSHOU, capsys)
    assert sorted(ast.literal_eval(rewards)) == [-1, 0, 1]
