"""docs/environment.md says what the code does: its tables are compared with the code, its examples are run."""

import re
from pathlib import Path

import pytest

from tests.commands import python_in
from tests.games import USUAL, each_game
from timeline_env.timeline import GAME

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "environment.md").read_text(encoding="utf-8")


def shape(numbers):
    return " × ".join(map(str, numbers)) or "1"


def span(start, size):
    return str(start) if size == 1 else f"{start}–{start + size - 1}"


def observation_rows(table):
    for piece in table.game.layout(table.num_players):
        size = piece.slice.stop - piece.start
        yield f"| `{piece.name}` | {span(piece.start, size)} | {shape(piece.shape)} | {piece.meaning} |"


def action_rows(table):
    for part in table.game.codec.ranges.values():
        yield f"| `{part.name}` | {span(part.start, part.size)} | {shape(part.shape)} | {part.meaning} |"


def attribute_rows(table):
    env = table.make("env")
    space = env.observation_space("player_0")["observation"]
    yield f"| Agents | `{env.possible_agents}` |"
    yield f"| Action values | `Discrete({env.action_space('player_0').n})` |"
    yield f"| Observation shape | `{space.shape}` |"
    yield f"| State shape | `{env.state_space.shape}` |"


@each_game
@pytest.mark.parametrize("rows", [observation_rows, action_rows])
def test_the_tables_are_those_of_the_code(rows, table):
    expected = "\n".join(rows(table))
    assert expected in PAGE, f"docs/environment.md should have these rows:\n{expected}"


def test_the_sizes_for_every_number_of_players_are_those_of_the_code():
    rows = [f"| {players} | {GAME.layout(players).size} | {GAME.num_actions(players)} |" for players in GAME.players]
    assert len(rows) == 5 and "\n".join(rows) in PAGE


@each_game
def test_the_attributes_are_those_of_the_environment(table):
    assert all(row in PAGE for row in attribute_rows(table))
    space = table.make("env").observation_space("player_0")["observation"]
    row = f"| Observation values | `[{space.low.min():.0f}, {space.high.max():.0f}]` |"
    assert PAGE.count(row) == len(USUAL)


def test_the_shapes_of_the_planes_are_those_of_the_layout():
    planes, nodes = GAME.layout(4)["planes"].shape
    shapes = re.findall(r"# \[16, (\d+), (?:61|9)\b", PAGE)
    assert len(shapes) == 3 and set(map(int, shapes)) == {planes} and nodes == 61


@each_game
def test_every_reward_is_told(table):
    titles = {other.game.name: other.game.title for other in USUAL}
    first, *others = re.split(rf"^# (?={'|'.join(titles.values())})", PAGE, flags=re.MULTILINE)
    section = next((other for other in others if other.startswith(titles[table.game.name])), first)
    assert re.findall(r'^\| `"(\w+)"` \| at ', section, re.MULTILINE) == list(table.game.rewards)


EXAMPLES = python_in("docs/environment.md")


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_the_examples_run(number):
    """Every block starts anew, so that a reader can paste any one of them."""
    names = {}
    exec(compile(EXAMPLES[number], f"docs/environment.md, example {number + 1}", "exec"), names)
    assert len(names) > 1


def test_there_are_examples():
    assert len(EXAMPLES) >= 9
