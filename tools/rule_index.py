"""Where each rule of a game is: on its rules page, in the code, in the tests.

examples:
  python tools/rule_index.py                      print both tables
  python tools/rule_index.py twilight_struggle    print one
  python tools/rule_index.py --write              write them into docs/rules/
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.files import write_text
from timeline_env.twilight_struggle import cards

ROOT = Path(__file__).resolve().parents[1]
BEGIN, END = "<!-- rule index -->\n", "<!-- end of the rule index -->"

Index = dict[str, dict[str, list[str]]]
"""Rule: file: names in it."""


@dataclass(frozen=True)
class Book:
    """A game's rules: how its page, its docstrings and the names of its tests write a rule's number.

    `stated` lists the rules of a page in their order, `named` those that a docstring names, `shown` those that a test's
    name begins with.
    """

    game: str
    stated: Callable[[str], list[str]]
    named: Callable[[str], Iterator[str]]
    shown: Callable[[str], list[str]]

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


def timeline_stated(page: str) -> list[str]:
    """T1, T9a, E1, R1 …"""
    return re.findall(r"^- \*\*([TER]\d+a?)\*\* ", page, re.MULTILINE)


def timeline_named(text: str) -> Iterator[str]:
    """T10–T13 names all four."""
    for letter, first, last in re.findall(r"\b([TR])(\d+a?)(?:[–-]\1?(\d+))?", text):
        numbers = [first] if not last else [str(number) for number in range(int(first), int(last) + 1)]
        yield from (letter + number for number in numbers)


def timeline_shown(test: str) -> list[str]:
    """test_t17_…, test_e1_t21_t22_…"""
    numbers = re.match(r"test((?:_[ter]\d+a?)*)_", test)
    return [number[0].upper() + number[1:] for number in re.findall(r"[ter]\d+a?", numbers[1] if numbers else "")]


def struggle_stated(page: str) -> list[str]:
    """The sections R3, R4.1 …, the rows 7.1 …, the traps, and after them every card of the table."""
    stated = re.findall(r"^- \*\*(R\d+(?:\.\d+)?|7(?:\.\d)+|trap \d+)\*\* ", page, re.MULTILINE)
    return [*stated, *(card_rule(number) for number in range(1, cards.CARDS))]


def card_rule(number: int) -> str:
    """How the table names a card."""
    return f"{number} {cards.CARD_NAMES[number]}"


def struggle_named(text: str) -> Iterator[str]:
    """R6.4.1 is part of R6.4, R4.1–R4.4 names all four; "traps 6 and 27" names two; cards come before the first colon."""
    for section, first, last in re.findall(r"\bR(\d+)(?:\.(\d+))?(?:\.\d+)*[A-Z]?(?:–R\d+\.(\d+))?", text):
        parts = range(int(first), int(last or first) + 1) if first else []
        yield from [f"R{section}.{part}" for part in parts] or [f"R{section}"]
    yield from re.findall(r"(?<![\d.R])7(?:\.\d)+", text)
    for listed in re.findall(TRAPS, text):
        yield from (f"trap {number}" for number in re.findall(r"\d+", listed))
    head = re.split(r": |\.$|\.\n", re.sub(TRAPS, "", text), maxsplit=1)[0]
    numbers = [int(part) for part in head.split(", ") if re.fullmatch(r"\d{1,3}", part)]
    yield from (card_rule(number) for number in numbers if 0 < number < cards.CARDS)


TRAPS = r"\b[Tt]raps? (\d+(?:(?:, | and )\d+)*)"


def struggle_shown(test: str) -> list[str]:
    """test_trap_05_…, test_7_4_2_…, test_r6_4_1_…, test_045_…"""
    if found := re.match(r"test_trap_(\d+)_", test):
        return [f"trap {int(found[1])}"]
    if found := re.match(r"test_(\d{3})_", test):
        return [card_rule(int(found[1]))]
    if found := re.match(r"test_(7(?:_\d)+)_", test):
        return [found[1].replace("_", ".")]
    if found := re.match(r"test_r(\d+)(?:_(\d+))?(?:_\d+)*_", test):
        return [f"R{found[1]}.{found[2]}" if found[2] else f"R{found[1]}"]
    return []


TIMELINE = Book("timeline", timeline_stated, timeline_named, timeline_shown)
STRUGGLE = Book("twilight_struggle", struggle_stated, struggle_named, struggle_shown)
BOOKS = {book.game: book for book in (TIMELINE, STRUGGLE)}


def documented(tree: ast.Module) -> Iterator[tuple[str, str]]:
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


def programs(tree: ast.Module) -> Iterator[int]:
    """The cards whose events a module writes down: card(7, …), card(cards.NORAD, …)."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "card":
            number = node.args[0]
            if isinstance(number, ast.Constant) and isinstance(number.value, int):
                yield number.value
            elif isinstance(number, ast.Attribute):
                yield getattr(cards, number.attr)


def code_index(book: Book) -> Index:
    """For each rule the names in the game's code whose docstrings name it, and a card's program."""
    index: Index = {}
    for path in sorted(
        [*book.code.glob("*.py"), *(book.code / "events").glob("*.py")]
    ):  # the rules; other folders are not
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for number in programs(tree) if path.parent.name == "events" else []:
            index.setdefault(card_rule(number), {}).setdefault(path.name, []).append(f"card({number})")
        for name, text in documented(tree):
            for rule in dict.fromkeys(book.named(text)):
                index.setdefault(rule, {}).setdefault(path.name, []).append(name)
    return index


def test_index(book: Book) -> Index:
    """For each rule the tests whose names begin with its number."""
    index: Index = {}
    for path in sorted(book.tests.glob("test_*.py")):
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            for rule in book.shown(name):
                index.setdefault(rule, {}).setdefault(path.name, []).append(name)
    return index


def table(book: Book, page: str) -> str:
    """The table in Markdown: rule, code, tests."""
    code, tests = code_index(book), test_index(book)
    lines = ["| rule | code | tests |", "|---|---|---|"]
    for rule in book.stated(page):
        lines.append(f"| {rule} | {cell(code.get(rule, {}))} | {cell(tests.get(rule, {}))} |")
    return "\n".join(lines) + "\n"


def cell(places: dict[str, list[str]]) -> str:
    """Names by file, a file a line."""
    return "<br>".join(f"{file}: {', '.join(f'`{name}`' for name in names)}" for file, names in places.items())


def written(book: Book, page: str) -> str:
    """The page with the table as it should be."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}{table(book, page)}{END}{rest.partition(END)[2]}"


def main() -> None:
    """Run the command."""
    summary, _, examples = (__doc__ or "").partition("\n\n")
    options = cli.Parser(description=summary, epilog=examples)
    options.add_argument("game", nargs="?", choices=list(BOOKS), help="the game; both if left out")
    options.add_argument("--write", action="store_true", help="write the table into the game's page in docs/rules/")
    given = options.parse_args()
    for book in [BOOKS[given.game]] if given.game else BOOKS.values():
        page = book.page.read_text(encoding="utf-8")
        if not given.write:
            print(table(book, page), end="")
            continue
        write_text(book.page, written(book, page))


if __name__ == "__main__":
    main()
