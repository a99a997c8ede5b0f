"""One source, two ways to run it: compiled, and as plain Python for a debugger. Both give the same bytes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from timeline_env.timeline import GAME

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = 300
"""Of each of ten games: more than a whole game of two to six players has with these seeds, or nearly."""


def run(**environment):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.timeline.play_digests", str(DECISIONS)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=os.environ | environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_same_seed_gives_the_same_bytes_compiled_and_in_plain_python_for_2_to_6_players():
    compiled, plain = run(NUMBA_DISABLE_JIT="0"), run(NUMBA_DISABLE_JIT="1")
    assert (compiled[0], plain[0]) == ("compiled", "plain Python")
    assert len(compiled) == 1 + len(GAME.players) * (2 * DECISIONS // 20 + 6)
    assert len(set(compiled)) == len(compiled), "every line is of another position"
    for ours, theirs in zip(compiled[1:], plain[1:], strict=True):
        assert ours == theirs
