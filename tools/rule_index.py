"""Where each rule of a game is: on its rules page, in the code, in the tests. ``python tools/rule_index.py --write`` writes it down."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Annotated

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import typer

from timeline_env import cli
from timeline_env.arena.markdown import markdown_table
from timeline_env.files import write_text
from timeline_env.games import PACKAGES, game_named
from tools.between import write_between

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- rule index -->\n", "<!-- end of the rule index -->"

Index = dict[str, dict[str, list[str]]]
"""For each rule, by file, the names in that file."""


@dataclass(frozen=True)
class Book:
    """A game's rules, and how its page, its docstrings and the names of its tests write a rule's number.

    `numbers` is the module that `Game.rule_numbers` names: ``page_rules`` lists the rules of a page in their order, ``docstring_rules``
    those that a docstring names, ``test_rules`` those that a test's name begins with; where there is a folder ``events/``,
    ``programs`` gives what its modules write down as data.
    """

    game: str
    numbers: ModuleType

    @property
    def page(self) -> Path:
        """The rules page."""
        return ROOT / "docs" / "rules" / f"{self.game}.md"

    @property
    def code(self) -> Path:
        """The folder of the game's code."""
        return ROOT / "timeline_env" / self.game

    @property
    def tests(self) -> Path:
        """The folder of the game's tests."""
        return ROOT / "tests" / self.game


BOOKS = {name: Book(name, importlib.import_module(game_named(name).rule_numbers)) for name in PACKAGES}


def documented_names(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Every name of a module that has a docstring, with the docstring: functions, classes, methods, constants."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield node.name, ast.get_docstring(node) or ""
        for item, following in pairwise(body if isinstance(body, list) else []):
            text = following.value.value if is_text(following) else ""
            if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Name):
                yield item.targets[0].id, text


def is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def code_index(book: Book) -> Index:
    """For each rule the names in the game's code whose docstrings name it, and a card's program."""
    index: Index = {}
    for path in sorted(
        [*book.code.glob("*.py"), *(book.code / "events").glob("*.py")]
    ):  # which hold the rules; other folders do not
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for rule, program in book.numbers.programs(tree) if path.parent.name == "events" else []:
            index.setdefault(rule, {}).setdefault(path.name, []).append(program)
        for name, text in documented_names(tree):
            for rule in dict.fromkeys(book.numbers.docstring_rules(text)):
                index.setdefault(rule, {}).setdefault(path.name, []).append(name)
    return index


def test_index(book: Book) -> Index:
    """For each rule the tests whose names begin with its number."""
    index: Index = {}
    for path in sorted(book.tests.glob("test_*.py")):
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            for rule in book.numbers.test_rules(name):
                index.setdefault(rule, {}).setdefault(path.name, []).append(name)
    return index


def table(book: Book, page: str) -> str:
    """The table in Markdown: rule, code, tests."""
    code, tests = code_index(book), test_index(book)
    rows = [(rule, cell(code.get(rule, {})), cell(tests.get(rule, {}))) for rule in book.numbers.page_rules(page)]
    return "\n".join(markdown_table(("rule", "code", "tests"), rows, 3)) + "\n"


def cell(places: dict[str, list[str]]) -> str:
    """Names by file, a file a line."""
    return "<br>".join(f"{file}: {', '.join(f'`{name}`' for name in names)}" for file, names in places.items())


def insert_table(book: Book, page: str) -> str:
    """The page with the table as it should be."""
    return write_between(page, BEGIN, END, table(book, page))


def main(
    game: Annotated[str | None, typer.Argument(help=f"{' or '.join(BOOKS)}; both if left out")] = None,
    write: Annotated[bool, typer.Option("--write", help="write the table into the game's page in docs/rules/")] = False,
) -> None:
    """Print where each rule of a game is: on its rules page, in the code, in the tests.

    examples:
      python tools/rule_index.py                      print both tables
      python tools/rule_index.py twilight_struggle    print one
      python tools/rule_index.py --write              write them into docs/rules/
    """
    for book in [BOOKS[game_named(game).name]] if game else BOOKS.values():
        page = book.page.read_text(encoding="utf-8")
        if not write:
            print(table(book, page), end="")
            continue
        write_text(book.page, insert_table(book, page))


if __name__ == "__main__":
    cli.run(main)
