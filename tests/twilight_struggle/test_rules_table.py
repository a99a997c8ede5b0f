"""Every card, every row of chapter 7 and every trap stands in the code and in the name of a test; the page's table says where."""

from __future__ import annotations

import subprocess
import sys

import pytest

from timeline_env.twilight_struggle.cards import CARDS
from tools import rule_index
from tools.rule_index import BOOKS

STRUGGLE = BOOKS["twilight_struggle"]
PAGE = STRUGGLE.page.read_text(encoding="utf-8")
CODE, TESTS = rule_index.code_index(STRUGGLE), rule_index.test_index(STRUGGLE)
ROWS = ["7.1", "7.2", "7.3", "7.3.1", "7.4", "7.4.1", "7.4.2", "7.4.3", "7.5", "7.6"]
TRAPS = [f"trap {number}" for number in range(1, 35)]
ALL_CARDS = [STRUGGLE.numbers.card_rule(number) for number in range(1, CARDS)]
SECTIONS = [rule for rule in STRUGGLE.numbers.page_rules(PAGE) if rule.startswith("R")]


def test_the_page_states_every_section_row_trap_and_card_once():
    assert STRUGGLE.numbers.page_rules(PAGE) == [*SECTIONS, *ROWS, *TRAPS, *ALL_CARDS]
    assert len(set(SECTIONS)) == len(SECTIONS) >= 20


@pytest.mark.parametrize("rule", [*ROWS, *TRAPS, *ALL_CARDS])
def test_every_row_trap_and_card_is_in_the_code_and_in_a_test(rule):
    assert CODE.get(rule), f"no docstring and no program names {rule}"
    assert TESTS.get(rule), f"no test is named after {rule}"


@pytest.mark.parametrize("rule", SECTIONS)
def test_every_section_is_named_in_the_code(rule):
    assert CODE.get(rule), f"no docstring of the code names {rule}"


def test_nothing_names_a_rule_that_the_page_does_not_state():
    assert {*CODE, *TESTS} - set(STRUGGLE.numbers.page_rules(PAGE)) == set()


def test_every_card_has_its_program_in_one_file():
    for number, rule in enumerate(ALL_CARDS, 1):
        assert [name for names in CODE[rule].values() for name in names if name == f"card({number})"] == [
            f"card({number})"
        ]


def test_the_table_on_the_page_is_up_to_date():
    assert rule_index.insert_table(STRUGGLE, PAGE) == PAGE, "run: python tools/rule_index.py --write"


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("R6.3.1, trap 13: the coup", ["R6.3", "trap 13"]),
        ("R4.1–R4.3: the turn", ["R4.1", "R4.2", "R4.3"]),
        ("R4.5C, traps 6 and 27: order", ["R4.5", "trap 6", "trap 27"]),
        ("7.4, 7.4.2: Ops of 2 or 3", ["7.4", "7.4.2"]),
        ("58, 71, 76, trap 29: passed", ["trap 29", *(STRUGGLE.numbers.card_rule(number) for number in (58, 71, 76))]),
        ("5 or more: 20, 30", []),
        ("4.", ["4 Duck and Cover"]),
    ],
)
def test_docstrings_are_read(text, rules):
    assert list(STRUGGLE.numbers.docstring_rules(text)) == rules


@pytest.mark.parametrize(
    ("name", "rules"),
    [
        ("test_trap_05_the_discard", ["trap 5"]),
        ("test_7_4_2_a_2_ops_coup", ["7.4.2"]),
        ("test_045_summit", ["45 Summit"]),
        ("test_r10_3_2_final_scoring", ["R10.3"]),
        ("test_r3_the_board", ["R3"]),
        ("test_the_board", []),
    ],
)
def test_names_of_tests_are_read(name, rules):
    assert STRUGGLE.numbers.test_rules(name) == rules


def test_the_command_prints_the_table_of_one_game():
    done = subprocess.run(
        [sys.executable, "tools/rule_index.py", "twilight_struggle"],
        capture_output=True,
        text=True,
        cwd=rule_index.ROOT,
        check=True,
    )
    assert done.stdout == rule_index.table(STRUGGLE, PAGE)
