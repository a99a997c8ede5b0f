"""Where each rule of Timeline is: on the rules page, in the code, in the tests.

examples:
  python scripts/rule_index.py           print the table
  python scripts/rule_index.py --write   write it into docs/rules/timeline.md
"""

from __future__ import annotations

import ast
import os
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "rules" / "timeline.md"
CODE = ROOT / "timeline_env" / "timeline"
TESTS = ROOT / "tests" / "timeline"
NOT_RULES = ("notation.py", "names.py", "move_text.py", "read_event.py", "read_position.py", "read_tokens.py")
"""Files of the game that write positions down, and do nothing by the rules."""
BEGIN, END = "<!-- rule index -->\n", "<!-- end of the rule index -->"

Index = dict[str, dict[str, list[str]]]
"""Rule: file: names in it."""


def rules_in(page: str) -> list[str]:
    """The numbers of the rules that the page states, in its order: T1, T9a, E1, R1 …"""
    return re.findall(r"^- \*\*([TER]\d+a?)\*\* ", page, re.MULTILINE)


def numbers_in(text: str) -> Iterator[str]:
    """The rules named in a docstring; T10–T13 names all four."""
    for letter, first, last in re.findall(r"\b([TR])(\d+a?)(?:[–-]\1?(\d+))?", text):
        numbers = [first] if not last else [str(number) for number in range(int(first), int(last) + 1)]
        yield from (letter + number for number in numbers)


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


def code_index() -> Index:
    """For each rule the names in the game's code whose docstrings name it."""
    index: Index = {}
    for path in sorted(CODE.glob("*.py")):
        if path.name not in NOT_RULES:
            for name, text in documented(ast.parse(path.read_text(encoding="utf-8"))):
                for rule in dict.fromkeys(numbers_in(text)):
                    index.setdefault(rule, {}).setdefault(path.name, []).append(name)
    return index


def test_index() -> Index:
    """For each rule the tests whose names begin with its number: test_t17_…, test_e1_t21_t22_…"""
    index: Index = {}
    for path in sorted(TESTS.glob("test_*.py")):
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            numbers = re.match(r"test((?:_[ter]\d+a?)*)_", name)
            for number in re.findall(r"[ter]\d+a?", numbers[1] if numbers else ""):
                index.setdefault(number[0].upper() + number[1:], {}).setdefault(path.name, []).append(name)
    return index


def table(page: str) -> str:
    """The table in Markdown: rule, code, tests."""
    code, tests = code_index(), test_index()
    lines = ["| rule | code | tests |", "|---|---|---|"]
    for rule in rules_in(page):
        lines.append(f"| {rule} | {cell(code.get(rule, {}))} | {cell(tests.get(rule, {}))} |")
    return "\n".join(lines) + "\n"


def cell(places: dict[str, list[str]]) -> str:
    """Names by file, a file a line."""
    return "<br>".join(f"{file}: {', '.join(f'`{name}`' for name in names)}" for file, names in places.items())


def written(page: str) -> str:
    """The page with the table as it should be."""
    before, _, rest = page.partition(BEGIN)
    return f"{before}{BEGIN}{table(page)}{END}{rest.partition(END)[2]}"


def main() -> None:
    """Run the command."""
    summary, _, examples = (__doc__ or "").partition("\n\n")
    options = cli.Parser(description=summary, epilog=examples)
    options.add_argument("--write", action="store_true", help=f"write the table into {PAGE.relative_to(ROOT)}")
    page = PAGE.read_text(encoding="utf-8")
    if not options.parse_args().write:
        print(table(page), end="")
        return
    unfinished = PAGE.with_suffix(".unfinished")
    unfinished.write_text(written(page), encoding="utf-8")
    os.replace(unfinished, PAGE)


if __name__ == "__main__":
    main()
