"""The stack of pending questions inside a record, and the legal answers to the one on top.

A game that uses the stack has the fields ``question`` ([depth, 3 or more]: kind, seat, value, and what the game adds),
``depth`` and ``fault``. The question on top is the one to be answered next. An event that needs a choice pushes a question
and returns. A game that lists the legal actions in its record has the field ``legal`` ([actions]), all 0 when it is over.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.jit import rule
from timeline_env.engine.memory import copy_run

KIND, SEAT, VALUE = 0, 1, 2


@rule
def push(s, kind, seat, value):
    """Ask `seat` a question before all others and give 1; on overflow push nothing, set ``fault`` for the tests to see, and give 0."""
    if s.depth == s.question.shape[0]:
        s.fault = 1
        return 0
    s.question[s.depth, KIND] = kind
    s.question[s.depth, SEAT] = seat
    s.question[s.depth, VALUE] = value
    s.depth += 1
    return 1


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


def top_of_all(states: Any, part: int) -> NDArray[np.int64]:
    """`top` of many positions, in each of which a question is pending; int64 [n]."""
    return states.question[np.arange(len(states)), states.depth - 1, part].astype(np.int64)


def asked_seats(states: Any) -> NDArray[np.int64]:
    """The seats to act, int64 [n]."""
    return top_of_all(states, SEAT)


@rule
def allow(s, action):
    """Mark an action as legal; gives 1, to be counted."""
    s.legal[action] = 1
    return 1


@rule
def allow_if(s, action, legal):
    """Mark an action as legal or as not, without a branch; gives 1 or 0, to be counted."""
    s.legal[action] = legal
    return legal * 1


@rule
def only_legal_action(s):
    """The first legal action."""
    action = 0
    while s.legal[action] == 0:
        action += 1
    return action


@rule
def legal(rules, s, mask):
    """The legal actions as 1 and the others as 0; int8 [actions], written in place. All 0 when the game is over."""
    copy_run(s.legal, 0, mask.shape[0], mask, 0)
