"""How a rule's number is written on the rules page, in docstrings and in the names of tests."""

from __future__ import annotations

import re
from collections.abc import Iterator


def page_rules(page: str) -> list[str]:
    """The rules of the page in their order: T1, T9a, E1, R1 …"""
    return re.findall(r"^- \*\*([TER]\d+a?)\*\* ", page, re.MULTILINE)


def docstring_rules(text: str) -> Iterator[str]:
    """The rules that a docstring names; T10–T13 names all four."""
    for letter, first, last in re.findall(r"\b([TR])(\d+a?)(?:[–-]\1?(\d+))?", text):
        numbers = [first] if not last else [str(number) for number in range(int(first), int(last) + 1)]
        yield from (letter + number for number in numbers)


def test_rules(test: str) -> list[str]:
    """The rules that a test's name begins with: test_t17_…, test_e1_t21_t22_…"""
    numbers = re.match(r"test((?:_[ter]\d+a?)*)_", test)
    return [number[0].upper() + number[1:] for number in re.findall(r"[ter]\d+a?", numbers[1] if numbers else "")]
