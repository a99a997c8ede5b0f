"""How a rule's number is written on the rules page, in docstrings, in the events and in the names of tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from timeline_env.twilight_struggle import cards

TRAPS = r"\b[Tt]raps? (\d+(?:(?:, | and )\d+)*)"


def page_rules(page: str) -> list[str]:
    """The rules of the page in their order: the sections R3, R4.1 …, the rows 7.1 …, the traps, and after them every card of the table."""
    stated = re.findall(r"^- \*\*(R\d+(?:\.\d+)?|7(?:\.\d)+|trap \d+)\*\* ", page, re.MULTILINE)
    return [*stated, *(card_rule(number) for number in range(1, cards.CARDS))]


def card_rule(number: int) -> str:
    """How the table names a card."""
    return f"{number} {cards.CARD_NAMES[number]}"


def docstring_rules(text: str) -> Iterator[str]:
    """The rules that a docstring names. R6.4.1 is part of R6.4, R4.1–R4.4 names all four; "traps 6 and 27" names two; cards come before the first colon."""
    for section, first, last in re.findall(r"\bR(\d+)(?:\.(\d+))?(?:\.\d+)*[A-Z]?(?:–R\d+\.(\d+))?", text):
        parts = range(int(first), int(last or first) + 1) if first else []
        yield from [f"R{section}.{part}" for part in parts] or [f"R{section}"]
    yield from re.findall(r"(?<![\d.R])7(?:\.\d)+", text)
    for listed in re.findall(TRAPS, text):
        yield from (f"trap {number}" for number in re.findall(r"\d+", listed))
    head = re.split(r": |\.$|\.\n", re.sub(TRAPS, "", text), maxsplit=1)[0]
    numbers = [int(part) for part in head.split(", ") if re.fullmatch(r"\d{1,3}", part)]
    yield from (card_rule(number) for number in numbers if 0 < number < cards.CARDS)


def test_rules(test: str) -> list[str]:
    """The rule that a test's name begins with: test_trap_05_…, test_7_4_2_…, test_r6_4_1_…, test_045_…"""
    if found := re.match(r"test_trap_(\d+)_", test):
        return [f"trap {int(found[1])}"]
    if found := re.match(r"test_(\d{3})_", test):
        return [card_rule(int(found[1]))]
    if found := re.match(r"test_(7(?:_\d)+)_", test):
        return [found[1].replace("_", ".")]
    if found := re.match(r"test_r(\d+)(?:_(\d+))?(?:_\d+)*_", test):
        return [f"R{found[1]}.{found[2]}" if found[2] else f"R{found[1]}"]
    return []


def programs(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The cards whose events a module writes down, card(7, …) or card(cards.NORAD, …), and how the table shows it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "card":
            number = node.args[0]
            found = getattr(cards, number.attr) if isinstance(number, ast.Attribute) else ast.literal_eval(number)
            yield card_rule(found), f"card({found})"
