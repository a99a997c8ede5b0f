"""The stack of pending questions inside a record.

A game that uses it has the fields ``question`` ([depth, 3 or more]: kind, seat, value, and what the game adds), ``depth``
and ``fault``. The question on top is the one to be answered next. An event that needs a choice pushes a question and
returns.
"""

from __future__ import annotations

from timeline_env.engine.jit import rule

KIND, SEAT, VALUE = 0, 1, 2


@rule
def push(s, kind, seat, value):
    """Ask `seat` a question before all others. On overflow nothing is pushed and ``fault`` is set for the tests to see."""
    if s.depth == s.question.shape[0]:
        s.fault = 1
        return
    s.question[s.depth, KIND] = kind
    s.question[s.depth, SEAT] = seat
    s.question[s.depth, VALUE] = value
    s.depth += 1


@rule
def pop(s):
    """Drop the question on top and wipe its place, so that equal positions have equal bytes."""
    s.depth -= 1
    for part in range(s.question.shape[1]):
        s.question[s.depth, part] = 0


@rule
def top(s, part):
    """The KIND, SEAT, VALUE or another part of the question on top; -1 if none is pending."""
    if s.depth == 0:
        return -1
    return s.question[s.depth - 1, part]
