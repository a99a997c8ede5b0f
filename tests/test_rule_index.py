"""Timeline: every rule stands on the rules page, in a docstring of the code and in the name of a test; the page's table says where."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tools import rule_index
from tools.rule_index import BOOKS

TIMELINE = BOOKS["timeline"]
PAGE = TIMELINE.page.read_text(encoding="utf-8")
RULES = [f"T{number}" for number in range(1, 31)] + ["T9a"]
EXAMPLES = [f"E{number}" for number in range(1, 6)]
RULINGS = [rule for rule in TIMELINE.numbers.page_rules(PAGE) if rule.startswith("R")]


def test_the_page_states_every_rule_once():
    stated = TIMELINE.numbers.page_rules(PAGE)
    assert sorted(stated) == sorted([*RULES, *EXAMPLES, *RULINGS])
    assert [f"R{number}" for number in range(1, len(RULINGS) + 1)] == RULINGS


@pytest.mark.parametrize("rule", [*RULES, *RULINGS])
def test_every_rule_is_named_in_the_code_and_in_a_test(rule):
    assert rule_index.code_index(TIMELINE).get(rule), f"no docstring of the code names {rule}"
    assert rule_index.test_index(TIMELINE).get(rule), f"no test is named after {rule}"


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_example_of_the_rulebook_is_a_test(example):
    assert list(rule_index.test_index(TIMELINE)[example]) == ["test_examples.py"]


def test_nothing_names_a_rule_that_the_page_does_not_state():
    named = {*rule_index.code_index(TIMELINE), *rule_index.test_index(TIMELINE)}
    assert named <= {*RULES, *EXAMPLES, *RULINGS}


def test_every_source_of_a_rule_is_told():
    """[S] rulebook, [C] ours."""
    lines = [line for line in PAGE.splitlines() if line.startswith("- **T")]
    assert [line for line in lines if not line.partition("** ")[2].startswith(("[S]", "[C]"))] == []


def test_the_table_on_the_page_is_up_to_date():
    assert rule_index.insert_table(TIMELINE, PAGE) == PAGE, "run: python tools/rule_index.py --write"


def test_a_page_without_the_last_mark_is_left_alone():
    with pytest.raises(
        ValueError, match="the page has no lines '<!-- rule index -->' and '<!-- end of the rule index -->'"
    ):
        rule_index.insert_table(TIMELINE, PAGE.replace(rule_index.END, ""))


def test_docstrings_are_read_with_their_ranges():
    assert list(TIMELINE.numbers.docstring_rules("T9, T23–T25, R4-R6: so; see T9a")) == [
        *["T9", "T23", "T24", "T25"],
        *["R4", "R5", "R6", "T9a"],
    ]


def test_the_command_prints_the_table():
    done = subprocess.run(
        [sys.executable, "tools/rule_index.py", "timeline"],
        capture_output=True,
        text=True,
        cwd=rule_index.ROOT,
        check=True,
    )
    assert done.stdout == rule_index.table(TIMELINE, PAGE)
    wrong = subprocess.run(
        [sys.executable, "tools/rule_index.py", "--writ", "x"], capture_output=True, text=True, cwd=rule_index.ROOT
    )
    assert (wrong.returncode, wrong.stdout) == (2, "")
