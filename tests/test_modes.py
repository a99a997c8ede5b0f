"""One source, two ways to run it: compiled, and as plain Python for a debugger. Both give the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from timeline_env.games import PACKAGES, game_named

ROOT = Path(__file__).resolve().parents[1]
DECISIONS = 160
"""Of each game and number of players: a whole one of Timeline with three, and half a one of Twilight Struggle."""


def run(game, **environment):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.play_digests", game, str(DECISIONS)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("game", PACKAGES)
def test_the_same_seed_gives_the_same_bytes_compiled_and_in_plain_python(game):
    compiled, plain = run(game, NUMBA_DISABLE_JIT="0"), run(game, NUMBA_DISABLE_JIT="1")
    assert (compiled[0], plain[0]) == ("compiled", "plain Python")
    assert len(compiled) > len(game_named(game).players) * DECISIONS // 20
    assert len(set(compiled)) == len(compiled), "every line is of another position"
    for ours, theirs in zip(compiled[1:], plain[1:], strict=True):
        assert ours == theirs
