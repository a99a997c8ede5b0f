"""Imports run one way: engine <- games <- players, view <- arena, bridges, wrappers <- what a user imports <- training <- commands <- scripts, tools."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from itertools import permutations

import pytest

from tests.modules import ROOT, module_of
from timeline_env.games import PACKAGES

LAYERS = (
    (
        "timeline_env.engine",
        "timeline_env.cli",
        "timeline_env.configs",
        "timeline_env.extras",
        "timeline_env.failures",
        "timeline_env.files",
        "timeline_env.reading",
    ),
    (*PACKAGES.values(), "timeline_env.games"),
    ("timeline_env.players", "timeline_env.view"),
    ("timeline_env.arena", "timeline_env.bridges", "timeline_env.wrappers"),
    tuple(f"{package}_v0" for package in PACKAGES.values()),
    ("timeline_env.play",),
    ("timeline_env.words",),
    ("training",),
    ("timeline_env.commands",),
    ("scripts", "tools"),
)
"""Lowest first. A module may import its own layer and those below."""
GENERAL = (
    "timeline_env.players",
    "timeline_env.view",
    "timeline_env.arena",
    "timeline_env.play",
    "timeline_env.words",
)
"""Rooms that hold a folder for each game; what lies beside those folders imports nothing of any game."""
APART = (
    *(
        (package, PACKAGES[other])
        for game, other in permutations(PACKAGES, 2)
        for package in (PACKAGES[game], *(f"{room}.{game}" for room in GENERAL))
    ),
    ("timeline_env.players", "timeline_env.view"),
    ("timeline_env.arena", "timeline_env.wrappers"),
    ("timeline_env.arena", "timeline_env.bridges"),
    ("timeline_env.wrappers", "timeline_env.bridges"),
)
"""Rooms of one layer, neither of which imports anything of the other."""


def layer_of(module):
    for height, layer in enumerate(LAYERS):
        if any(module == name or module.startswith(name + ".") for name in layer):
            return height
    return None


def imported(path):
    """Every module that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide their direction"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


SOURCES = [
    path
    for folder in ("timeline_env", "training", "scripts", "tools")
    for path in sorted((ROOT / folder).rglob("*.py"))
]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_imports_from_a_layer_above_its_own(path):
    own = layer_of(module_of(path))
    if own is None:
        assert module_of(path) == "timeline_env", f"{path} belongs to no layer"
        own = LAYERS.index(("training",))
    upward = [name for name in imported(path) if (layer_of(name) or 0) > own]
    assert upward == [], f"{path} imports upwards"


def lies_in(module, room):
    return module == room or module.startswith(room + ".")


@pytest.mark.parametrize("pair", APART, ids=lambda pair: " and ".join(pair))
def test_rooms_that_are_apart_import_nothing_of_each_other(pair):
    crossing = [
        f"{module_of(path)}: {name}"
        for one, other in (pair, pair[::-1])
        for path in SOURCES
        if lies_in(module_of(path), one)
        for name in imported(path)
        if lies_in(name, other)
    ]
    assert crossing == []


@pytest.mark.parametrize("room", GENERAL)
def test_what_lies_beside_the_games_folders_knows_no_game(room):
    games = [f"{parent}.{game}" for game in PACKAGES for parent in ("timeline_env", room)]
    found = [
        f"{module_of(path)}: {name}"
        for path in SOURCES
        if lies_in(module_of(path), room) and not any(lies_in(module_of(path), game) for game in games)
        for name in imported(path)
        if any(lies_in(name, game) for game in games)
    ]
    assert found == []


def test_the_layers_are_told_apart():
    assert layer_of("timeline_env.engine.batch") == 0
    assert layer_of("timeline_env.timeline_v0.batch") == 4
    assert layer_of("timeline_env.timeline.board") == 1
    assert layer_of("numpy") is None
    assert len(SOURCES) > 30


@pytest.mark.parametrize("path", sorted((ROOT / "timeline_env" / "engine").glob("*.py")), ids=lambda path: path.name)
def test_the_engine_names_no_game(path):
    text = path.read_text(encoding="utf-8")
    packages = "|".join(map(re.escape, PACKAGES.values()))
    words = rf"{packages}|\b(pawn|radius|stance|deck card|yellow)s?\b"
    assert re.findall(words, text) == []


def test_the_core_needs_only_numpy_numba_gymnasium_and_pettingzoo():
    code = """
import sys, timeline_env
from timeline_env import timeline_v0
timeline_v0.batch(1, 2)
heavy = {"torch", "stable_baselines3", "sb3_contrib", "matplotlib", "PIL", "pygame", "rich", "typer", "pydantic", "starlette", "uvicorn"}
print(sorted(heavy & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr
