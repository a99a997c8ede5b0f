"""The stack of what is still to be done, the top first: work for the engine and questions to a player.

A frame is a row of integers in the record's field ``question``. An event that needs a choice pushes a question and
returns; an event within an event is pushed on top. So there is no recursion, and a position in the middle of an event is
copied, saved and searched like any other.
"""

from __future__ import annotations

from timeline_env.engine import questions
from timeline_env.engine.jit import rule

push, pop, top = questions.push, questions.pop, questions.top
KIND, SEAT, VALUE = questions.KIND, questions.SEAT, questions.VALUE
"""What kind of frame; whose event or question it is; the card it comes from."""
LEFT, SIDE, SET, FILTER, CAP, EACH, OPTIONAL = range(3, 10)
"""A question about countries: choices left; whose influence; set of countries; dynamic filter; choices per country at
most (0: no limit); influence of each choice; 1 if the player may stop."""
STEP = 3
"""Work on an event: the next step of its program."""
OPS, ALLOWED, WITHIN, FREE, SPENT, OUTSIDE = 3, 4, 5, 6, 7, 8
"""A question about operations: their value without region bonus; a bit for each operation allowed; the set they must stay
in; 1 if they cost nothing and region limits do not hold; Ops used so far; bits for the regions left (see `lasting`)."""
COLUMNS = 10
DEPTH = 16

# Work, done without asking.
EVENT, RUN, DISPOSE, ROUND = range(1, 5)
# Questions.
FIRST_QUESTION = 10
(HEADLINE, PLAY, USE, OPERATION, PLACE, COUP, REALIGN, ADD, TAKE, TAKE_ALL, WAR, MATCH, DOUBLE, YES_NO, PICK, LEVEL) = (
    range(FIRST_QUESTION, FIRST_QUESTION + 16)
)
(TRAP, ESCAPE, LEAVE_HAND) = range(FIRST_QUESTION + 16, FIRST_QUESTION + 19)
QUESTIONS = range(FIRST_QUESTION, LEAVE_HAND + 1)
KIND_NAMES = {
    EVENT: "event",
    RUN: "run",
    DISPOSE: "dispose",
    ROUND: "round",
    HEADLINE: "headline",
    PLAY: "play",
    USE: "use",
    OPERATION: "operation",
    PLACE: "place",
    COUP: "coup",
    REALIGN: "realign",
    ADD: "add",
    TAKE: "take",
    TAKE_ALL: "take-all",
    WAR: "war",
    MATCH: "match",
    DOUBLE: "double",
    YES_NO: "choice",
    PICK: "pick",
    LEVEL: "level",
    TRAP: "trap",
    ESCAPE: "escape",
    LEAVE_HAND: "leave-hand",
}


@rule
def set_top(s, part, value):
    """Change one column of the frame on top."""
    s.question[s.depth - 1, part] = value


@rule
def ask(s, kind, seat, card, optional):
    """Ask `seat` something for the event of `card`; `optional` is 1 if it may be declined. Return what `push` returns."""
    pushed = push(s, kind, seat, card)
    if pushed:
        set_top(s, OPTIONAL, optional)
    return pushed


@rule
def ask_countries(s, kind, seat, card, left, side, where, sieve, cap, each, optional):
    """Ask `seat` to choose `left` countries for the event of `card`; the parts are described at `LEFT`."""
    s.tally = 0
    if push(s, kind, seat, card):
        set_top(s, LEFT, left)
        set_top(s, SIDE, side)
        set_top(s, SET, where)
        set_top(s, FILTER, sieve)
        set_top(s, CAP, cap)
        set_top(s, EACH, each)
        set_top(s, OPTIONAL, optional)


@rule
def ask_operation(s, seat, card, ops, allowed, within, free, optional):
    """Ask `seat` how to spend `ops` operations points; the parts are described at `OPS`. Return what `push` returns."""
    pushed = push(s, OPERATION, seat, card)
    if pushed:
        set_top(s, OPS, ops)
        set_top(s, ALLOWED, allowed)
        set_top(s, WITHIN, within)
        set_top(s, FREE, free)
        set_top(s, OPTIONAL, optional)
    return pushed
