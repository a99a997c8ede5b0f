"""The check for whoever has a GPU: in CUDA's simulator, with little to do, and where there is no GPU."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.refusals import refusal
from tests.simulator import simulate

ROOT = Path(__file__).resolve().parents[2]

CHECKED = """
    import sys
    from timeline_env import cli
    from tools import gpu_check

    gpu_check.AT_ONCE, gpu_check.GAMES, gpu_check.COMPARED = 1, 2, 2
    gpu_check.THREADS, gpu_check.VIEWS, gpu_check.STEPS = (2,), (1,), 2
    sys.argv += ["--sizes", "2", "--seconds", "0.001", "--decisions", "5", "--simulations", "2"]
    cli.run(gpu_check.main)
"""


def test_everything_is_checked_and_measured_in_the_simulator():
    told = simulate(CHECKED, "--game", "timeline")
    assert told.startswith("machine: CUDA's simulator, python ")
    table = [line.strip("| ").split(" | ") for line in told.splitlines() if line.startswith("| timeline")]
    seen = {what: result for _, what, result, _ in table}
    assert all(re.fullmatch(r"\d+\.\d", seconds) for _, _, _, seconds in table)
    assert [what for what, result in seen.items() if result == "the same"] == [
        *(f"bytes of the batch, {players} players" for players in range(2, 7)),
        "what `greedy` thinks of the actions",
        "what `projector` thinks of the actions",
        "choices of `flat:2`",
    ]
    speeds = {what: result for what, result in seen.items() if result != "the same"}
    assert all(re.fullmatch(r"[0-9,]+", speed) for speed in speeds.values())
    assert len(table) == len(seen) == 8 + 4 + 3 + 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "error: there is no GPU that numba can use: nothing was checked"),
        (
            ["--sizes", "0"],
            "error: --sizes '0': input should be greater than or equal to 1; --help shows what is allowed",
        ),
        (["--seconds", "nan"], "error: --seconds nan must be a number from 0.001 to 1000000"),
    ],
)
def test_what_cannot_be_checked_is_told_in_one_line(arguments, message):
    hidden = os.environ | {"CUDA_VISIBLE_DEVICES": ""}
    command = [sys.executable, str(ROOT / "tools" / "gpu_check.py"), *arguments]
    assert refusal(subprocess.run(command, env=hidden, capture_output=True, text=True)) == message
