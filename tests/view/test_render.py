"""One function for every render mode, what it refuses, and what it does not import."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from timeline_env import view
from timeline_env.engine import record
from timeline_env.timeline import GAME

QUIET = os.environ | {"TIMELINE_ENV_QUIET": "1"}
SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "picture.py"


def test_each_mode_gives_its_view(six):
    rules, s = six
    assert view.render(GAME, rules, s, "ansi") == view.to_ansi(rules, s)
    assert view.render(GAME, rules, s, "svg", 3) == view.to_svg(rules, s, 3)
    assert np.array_equal(view.render(GAME, rules, s, "rgb_array"), view.to_rgb(rules, s))


def test_an_unknown_mode_game_or_viewer_is_named_with_what_is_allowed(six):
    rules, s = six
    with pytest.raises(ValueError, match="'hologram' is unknown; allowed: ansi, svg, rgb_array"):
        view.render(GAME, rules, s, "hologram")
    with pytest.raises(ValueError, match="game 'go' has no view"):
        view.render(replace(GAME, name="go", view=""), rules, s, "svg")
    for mode in ("ansi", "svg", "rgb_array"):
        with pytest.raises(ValueError, match="viewer 6 must be None or a seat from 0 to 5"):
            view.render(GAME, rules, s, mode, 6)


def run(*arguments):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False, env=QUIET)


def test_text_and_svg_need_neither_pillow_nor_pygame_and_pixels_no_pygame():
    code = """
import sys
from timeline_env import timeline_v0, view
batch = timeline_v0.batch(num_games=1, num_players=3)
view.to_ansi(batch.rules[0], batch.states[0]), view.to_svg(batch.rules[0], batch.states[0])
assert "PIL" not in sys.modules and "pygame" not in sys.modules
view.to_rgb(batch.rules[0], batch.states[0])
assert "pygame" not in sys.modules
"""
    result = run("-c", code)
    assert result.returncode == 0, result.stderr


def test_the_script_writes_the_same_picture_for_the_same_seed(tmp_path):
    for name in ("a", "b"):
        result = run(str(SCRIPT), "--seed", "5", "--players", "3", "--decisions", "20", "--out", str(tmp_path / name))
        assert result.returncode == 0, result.stderr
        assert f"{name}.svg" in result.stdout and "after 20 decisions" in result.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.png", "a.svg", "b.png", "b.svg"]
    for ending in ("svg", "png"):
        assert (tmp_path / f"a.{ending}").read_bytes() == (tmp_path / f"b.{ending}").read_bytes()
    assert ElementTree.parse(tmp_path / "a.svg").getroot().get("width") == "1460"
    assert (tmp_path / "a.png").stat().st_size < 300_000


def test_the_script_draws_the_position_that_it_is_given(tmp_path):
    position = "4p phase:1.0 turn:b b:1.0/energy=13/hand=7o 0:org/occurred 1.0:2o/+y"
    result = run(str(SCRIPT), "--position", position, "--out", str(tmp_path / "a"))
    assert result.returncode == 0, result.stderr
    rules = GAME.load_rules(4)
    s = record.make_readable(GAME.notation.from_text(rules, position))[0]
    assert (tmp_path / "a.svg").read_text() == view.to_svg(rules[0], s, 2)


@pytest.mark.parametrize(
    "wrong", [("--players", "7"), ("--seed", "-1"), ("--decisions", "-1"), ("--position", "9p"), ("--out", "no/such")]
)
def test_the_script_refuses_bad_numbers_in_one_line(tmp_path, wrong):
    result = run(str(SCRIPT), "--out", str(tmp_path / "a"), *wrong)
    assert result.returncode == 2
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ") and wrong[1] in line
    assert not list(tmp_path.iterdir())
