"""The stack of pending questions."""

from __future__ import annotations

from timeline_env.engine import questions, record

ASKED = record.record(
    ("question", "i1", (2, 3), "kind, seat, value"), ("depth", "i1", (), "pending"), ("fault", "i1", (), "ran over")
)


def test_the_last_question_pushed_is_asked_first():
    states = record.new(ASKED)
    questions.push(states[0], 4, 1, 9)
    questions.push(states[0], 5, 2, 8)
    assert [questions.top(states[0], part) for part in (questions.KIND, questions.SEAT, questions.VALUE)] == [5, 2, 8]
    questions.pop(states[0])
    assert [questions.top(states[0], part) for part in (questions.KIND, questions.SEAT, questions.VALUE)] == [4, 1, 9]


def test_without_a_question_top_is_minus_one():
    assert questions.top(record.new(ASKED)[0], questions.KIND) == -1


def test_a_popped_question_leaves_no_trace():
    states, untouched = record.new(ASKED), record.new(ASKED)
    questions.push(states[0], 4, 1, 9)
    questions.pop(states[0])
    assert states.tobytes() == untouched.tobytes()


def test_a_full_stack_sets_fault_and_pushes_nothing():
    states = record.new(ASKED)
    assert [questions.push(states[0], kind, 0, 0) for kind in (1, 2, 3)] == [1, 1, 0]
    assert (int(states[0].depth), int(states[0].fault), questions.top(states[0], questions.KIND)) == (2, 1, 2)
