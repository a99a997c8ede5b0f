"""The tool that runs other people's programs: what it replaces, and what it says of each."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tools import programs
from tools.programs import Program

MINE = Program(
    "theirs/mine@HEAD", "examples/mine.py", ("numpy",), "a line", environment_lines=(("their_env()", "ours()"),)
)


@pytest.fixture
def clones(tmp_path):
    """A folder with a clone of a repository that holds a program."""
    file = tmp_path / "clones" / "mine" / "examples" / "mine.py"
    file.parent.mkdir(parents=True)
    file.write_text("ours = lambda: 'played'\nprint(their_env())\n")
    git = ["git", "-C", str(tmp_path / "clones" / "mine"), "-c", "user.name=a", "-c", "user.email=a@b"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "theirs"]):
        subprocess.run([*git, *command], check=True)
    return tmp_path / "clones"


def row(program, clones, seconds=60.0):
    return programs.try_program(program, sys.executable, clones, clones.parent / "out", seconds)


def test_a_program_is_run_with_our_lines_in_the_place_of_theirs(clones):
    name, version, result, takes = row(MINE, clones)
    assert (name, result, takes) == ("mine: examples/mine.py", "runs", "a line")
    assert version == f"HEAD, numpy {np.__version__}"
    assert (clones.parent / "out" / "mine" / "output.txt").read_text() == "played\n"


def test_failures_and_budgets_are_told(clones):
    assert row(replace(MINE, environment_lines=()), clones)[2].startswith("fails: NameError: name 'their_env'")
    assert row(replace(MINE, run="import time; time.sleep(60)"), clones, 0.2)[2] == "not over after 0 s"
    assert row(replace(MINE, budget_lines=(("10**6", "8"),)), clones)[2] == "not run: it no longer has '10**6'"
    assert row(replace(MINE, file="gone.py"), clones)[2].startswith("not run: fatal:")


def test_the_page_has_a_line_for_each(clones):
    assert "| mine: examples/mine.py | a | b\\|c | d |\n" in programs.page(
        [["mine: examples/mine.py", "a", "b|c", "d"]]
    )


def is_installed(program):
    """Whether its source is a package that is here, not a clone."""
    return "@" not in program.source and importlib.util.find_spec(program.source) is not None


INSTALLED = list(filter(is_installed, programs.programs()))


@pytest.mark.parametrize("program", programs.programs(), ids=lambda program: program.name)
def test_the_listed_programs_have_an_environment_to_run_in(program):
    assert program.environment in ("main", "rllib", "benchmarl")


def test_the_packages_with_programs_for_this_environment_are_installed():
    here = [program for program in programs.programs() if program.environment == "main" and "@" not in program.source]
    assert here and all(program in INSTALLED for program in here)


@pytest.mark.parametrize("program", INSTALLED, ids=lambda program: program.name)
def test_the_listed_programs_that_are_installed_can_be_fitted(program):
    """They still hold what is replaced in them."""
    text, _ = programs.text_and_version(program, sys.executable, Path())
    compile(program.adapt(text), program.file, "exec")
