"""docs/environment.md says what the code does: its tables are compared with the code, its examples are run."""

import re
from pathlib import Path

import pytest

from timeline_env import timeline_v0
from timeline_env.timeline import GAME

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "environment.md").read_text(encoding="utf-8")


def shape(numbers):
    return " × ".join(map(str, numbers)) or "1"


def span(start, size):
    return str(start) if size == 1 else f"{start}–{start + size - 1}"


def observation_rows():
    for piece in GAME.layout(4):
        size = piece.slice.stop - piece.start
        yield f"| `{piece.name}` | {span(piece.start, size)} | {shape(piece.shape)} | {piece.meaning} |"


def action_rows():
    for part in GAME.codec.ranges.values():
        yield f"| `{part.name}` | {span(part.start, part.size)} | {shape(part.shape)} | {part.meaning} |"


def size_rows():
    for players in GAME.players:
        yield f"| {players} | {GAME.layout(players).size} | {GAME.num_actions(players)} |"


@pytest.mark.parametrize("rows", [observation_rows, action_rows, size_rows])
def test_the_tables_are_those_of_the_code(rows):
    expected = "\n".join(rows())
    assert expected in PAGE, f"docs/environment.md should have these rows:\n{expected}"


def test_the_attributes_are_those_of_the_environment():
    env = timeline_v0.env()
    space = env.observation_space("player_0")["observation"]
    for row in (
        f"| Agents | `{env.possible_agents}` |",
        f"| Action values | `Discrete({env.action_space('player_0').n})` |",
        f"| Observation shape | `{space.shape}` |",
        f"| Observation values | `[{space.low.min():.0f}, {space.high.max():.0f}]` |",
        f"| State shape | `{env.state_space.shape}` |",
    ):
        assert row in PAGE


def test_the_shapes_of_the_planes_are_those_of_the_layout():
    planes, nodes = GAME.layout(4)["planes"].shape
    shapes = re.findall(r"# \[16, (\d+), (?:61|9)\b", PAGE)
    assert len(shapes) == 3 and set(map(int, shapes)) == {planes} and nodes == 61


EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_examples_run(number):
    """Every block starts anew, so that a reader can paste any one of them."""
    names = {}
    exec(compile(EXAMPLES[number], f"docs/environment.md, example {number + 1}", "exec"), names)
    assert len(names) > 1


def test_there_are_examples():
    assert len(EXAMPLES) >= 6
