"""The vocabulary of the events: each word's builder, called once at import, and its effect, called in the game.

A card's event is a short program: rows of integers, first the word, then its arguments. A program has no loops and no
arithmetic; it branches by a guard, or by one player's choice. What no word can say is in ``special.py``.
"""

from __future__ import annotations

import numpy as np

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import actions, board, cards, countries, frames, state
from timeline_env.twilight_struggle.countries import add_influence, add_to_control, controls, remove_influence
from timeline_env.twilight_struggle.frames import ask, ask_countries, ask_operation, push, set_top
from timeline_env.twilight_struggle.hands import show_hand
from timeline_env.twilight_struggle.lasting import act_on, ops_of
from timeline_env.twilight_struggle.scoring import do_score
from timeline_env.twilight_struggle.space import advance as advance_in_space
from timeline_env.twilight_struggle.tracks import award, set_defcon

PLAYER, OPPONENT = 2, 3
"""Sides relative to the player who carries out the event, in addition to USSR and US."""
ALL = state.MOST_INFLUENCE

MOST_STEPS = 6
WIDTH = 8
PROGRAM = np.zeros((cards.CARDS, MOST_STEPS, WIDTH), dtype=np.int64)
"""[card, step]: a word and its arguments; filled by ``events/`` before anything is compiled."""
TEXTS = [""] * cards.CARDS
"""What each event does, in our own words."""

Row = tuple[int, ...]
(
    END,
    VP,
    DEFCON,
    ADD,
    REMOVE,
    CONTROL,
    PLACE,
    TAKE,
    TAKE_ALL,
    LASTS,
    ENDS,
    SCORE,
    WAR,
    SHOW,
    OPERATIONS,
    FREE,
    CHOICE,
    STOP,
    ONLY_IF,
    ONLY_IF_CONTROLLED,
    ADVANCE,
    PICK,
    LEVEL,
    SPECIAL,
) = range(24)


def card(number: int, name: str, text: str, *rows: Row) -> None:
    """Write down what a card's event does. `name` is for the reader; a test compares it with the table's."""
    assert not TEXTS[number], f"duplicate card {number}"
    assert len(rows) < MOST_STEPS, f"card {number} has too many steps"
    TEXTS[number] = text
    NAMES[number] = name
    for step, row in enumerate(rows):
        PROGRAM[number, step, : len(row)] = row


NAMES = [""] * cards.CARDS


def vp(side: int, points: int) -> Row:
    """`side` gains points."""
    return VP, side, points


def defcon(change: int) -> Row:
    """DEFCON moves."""
    return DEFCON, change


def add(side: int, country: int, points: int) -> Row:
    """`side` adds influence to one country."""
    return ADD, side, country, points


def remove(side: int, country: int, points: int = ALL) -> Row:
    """`side` loses influence in one country."""
    return REMOVE, side, country, points


def control(side: int, country: int) -> Row:
    """`side` adds what it lacks for control of a country."""
    return CONTROL, side, country


def place(
    side: int,
    times: int,
    where: int,
    cap: int = 0,
    sieve: int = countries.ANY,
    each: int = 1,
    *,
    may_stop: bool = False,
) -> Row:
    """`side` chooses, `times` over, a country of a set and adds `each` influence there; at most `cap` times in one."""
    return PLACE, side, times, where, cap, sieve, each, may_stop


def take(chooser: int, victim: int, times: int, where: int, cap: int = 0, *, may_stop: bool = False) -> Row:
    """`chooser` removes influence of `victim` point by point; at most `cap` from a country."""
    return TAKE, chooser, victim, times, where, cap, may_stop


def take_all(chooser: int, victim: int, times: int, where: int, sieve: int = countries.ANY) -> Row:
    """`chooser` removes all influence of `victim` from this many countries."""
    return TAKE_ALL, chooser, victim, times, where, sieve


def lasts(on: int | None = None) -> Row:
    """7.3: the event is in effect from now on, for a turn (7.3.1) or for good, depending on its kind; `on`: the side it acts on."""
    return LASTS, -1 if on is None else on


def ends(number: int) -> Row:
    """Another card's lasting event is cancelled."""
    return ENDS, number


def score(region: int) -> Row:
    """A region is scored."""
    return SCORE, region


def war(where: int, least: int, points: int, milops: int) -> Row:
    """7.6: war on a country of a set: won with a modified die of at least `least`."""
    return WAR, where, least, points, milops


def show(side: int) -> Row:
    """The hand of `side` is shown to the other."""
    return SHOW, side


def operations(side: int, ops: int, allowed: int = actions.ANY_OPERATION) -> Row:
    """7.4.3: `side` may conduct operations, as with a card of this many Ops."""
    return OPERATIONS, side, ops, allowed


def free(side: int, ops: int, allowed: int, where: int) -> Row:
    """Trap 11: `side` may coup or realign in a set of countries, free of region limits and of military operations."""
    return FREE, side, ops, allowed, where


def choice(chooser: int, other: int) -> Row:
    """`chooser` decides: go on with the next step, or from step `other`."""
    return CHOICE, chooser, other


def stop() -> Row:
    """The event ends here."""
    return (STOP,)


def only_if(number: int) -> Row:
    """Go on only if the lasting event of another card is in effect."""
    return ONLY_IF, number


def only_if_controlled(side: int, country: int) -> Row:
    """Go on only if `side` controls a country."""
    return ONLY_IF_CONTROLLED, side, country


def advance(boxes: int) -> Row:
    """The player goes ahead in the space race; of several boxes only the last pays."""
    return ADVANCE, boxes


def pick(chooser: int, *, may_stop: bool = False) -> Row:
    """`chooser` picks a card: which it may be and what then happens is in ``picks.py``."""
    return PICK, chooser, may_stop


def level(chooser: int, *, may_stop: bool = False) -> Row:
    """`chooser` names a DEFCON level, or a region: see ``picks.py``."""
    return LEVEL, chooser, may_stop


def special(part: int = 0) -> Row:
    """What only this card does: see ``special.py``."""
    return SPECIAL, part


@rule
def side_of(seat, side):
    """USSR and US are absolute; PLAYER and OPPONENT are relative to whoever carries the event out."""
    if side == PLAYER:
        return seat
    return 1 - seat if side == OPPONENT else side


@rule
def do_word(s, seat, number, step):
    """Carry out one row, whatever its word but SPECIAL; the frame on top is the event's own, at its next step."""
    word = PROGRAM[number, step, 0]
    a = PROGRAM[number, step, 1]
    b = PROGRAM[number, step, 2]
    c = PROGRAM[number, step, 3]
    d = PROGRAM[number, step, 4]
    e = PROGRAM[number, step, 5]
    f = PROGRAM[number, step, 6]
    g = PROGRAM[number, step, 7]
    if word == VP:
        award(s, side_of(seat, a), b)
    elif word == DEFCON:
        set_defcon(s, s.defcon + a)
    elif word == ADD:
        add_influence(s, a, b, c)
    elif word == REMOVE:
        remove_influence(s, a, b, c)
    elif word == CONTROL:
        add_to_control(s, a, b)
    elif word == PLACE:
        side = side_of(seat, a)
        ask_countries(s, frames.ADD, side, number, left=b, side=side, where=c, sieve=e, cap=d, each=f, optional=g)
    elif word == TAKE:
        chooser, side = side_of(seat, a), side_of(seat, b)
        ask_countries(
            s, frames.TAKE, chooser, number, left=c, side=side, where=d, sieve=countries.ANY, cap=e, each=1, optional=f
        )
    elif word == TAKE_ALL:
        chooser, side = side_of(seat, a), side_of(seat, b)
        ask_countries(
            s, frames.TAKE_ALL, chooser, number, left=c, side=side, where=d, sieve=e, cap=1, each=ALL, optional=0
        )
    elif word == WAR:
        ask_countries(
            s, frames.WAR, seat, number, left=1, side=1 - seat, where=a, sieve=countries.ANY, cap=0, each=0, optional=0
        )
    elif word == OPERATIONS:
        side = side_of(seat, a)
        ask_operation(s, side, number, ops_of(s, side, b), allowed=c, within=board.EVERYWHERE, free=0, optional=1)
    elif word == FREE:
        side = side_of(seat, a)
        ask_operation(s, side, number, ops_of(s, side, b), allowed=c, within=d, free=1, optional=1)
    else:
        do_plain_word(s, seat, number, word, a, b)


@rule
def do_plain_word(s, seat, number, word, a, b):
    """The words that neither count nor ask about countries."""
    if word == LASTS:
        if a < 0:
            s.lasting[number] = 1
        else:
            act_on(s, number, side_of(seat, a))
    elif word == ENDS:
        s.lasting[a] = 0
    elif word == SCORE:
        do_score(s, a)
    elif word == SHOW:
        show_hand(s, a)
    elif word == CHOICE:
        if push(s, frames.YES_NO, side_of(seat, a), number):
            set_top(s, frames.LEFT, b)
    elif word == ADVANCE:
        advance_in_space(s, seat, a)
    elif word == PICK:
        ask(s, frames.PICK, side_of(seat, a), number, b)
    elif word == LEVEL:
        ask(s, frames.LEVEL, side_of(seat, a), number, b)
    elif (
        word == STOP or (word == ONLY_IF and not s.lasting[a]) or (word == ONLY_IF_CONTROLLED and not controls(s, a, b))
    ):
        set_top(s, frames.STEP, MOST_STEPS - 1)


@rule
def war_row(number, part):
    """Arguments of a war card's row: 2 least die, 3 victory points, 4 military operations."""
    return PROGRAM[number, 0, part]
