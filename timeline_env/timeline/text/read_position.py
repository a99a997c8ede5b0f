"""Reading a position from text: the counterpart of `notation.to_text`."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from timeline_env.engine import questions, record
from timeline_env.engine.jit import entry
from timeline_env.engine.notation import short_refusals
from timeline_env.reading import unknown_name
from timeline_env.timeline import state
from timeline_env.timeline.legal import list_legal
from timeline_env.timeline.setup import clear
from timeline_env.timeline.text import names, read_tokens
from timeline_env.timeline.text.check_position import check_time, check_whole, first_unrealized
from timeline_env.timeline.text.names import node_named, seat_named
from timeline_env.timeline.text.read_event import read_event
from timeline_env.timeline.text.read_tokens import push, read_player


@short_refusals()
def num_players_in(text: str) -> int:
    """The number of players of a position's text. Raises ValueError if it does not begin with one."""
    first = (text.split() or [""])[0]
    if not re.fullmatch(f"[2-{state.MAX_PLAYERS}]p", first):
        raise ValueError(f"position token {first!r}: a position begins with its players, 2p to {state.MAX_PLAYERS}p")
    return int(first[0])


@short_refusals()
def from_text(rules: Any, text: str) -> np.recarray[Any, Any]:
    """The position that the text describes; what it does not mention is not there.

    Args:
        rules: record array [1] for the same number of players, as `load_rules` gives it.
        text: one line.

    Returns:
        The position, a record array [1], ready to be played.

    Raises:
        ValueError: one line that names the wrong token and what is allowed.
    """
    if num_players_in(text) != rules[0].num_players:
        raise ValueError(f"position token {text.split()[0]!r}: the rules are for {rules[0].num_players} players")
    S = record.new(state.STATE)
    clear_one(S)
    given = split(rules[0], text)
    read_all(rules[0], S[0], given)
    complete(rules[0], S[0], given)
    list_legal_one(rules, S)
    if not S[0].over and not S[0].legal.any():
        raise ValueError("position token 'ask': the last question has no answer that is allowed")
    return S


@entry
def clear_one(S):
    """`clear`, for Python to call."""
    clear(S[0])


@entry
def list_legal_one(rules, S):
    """`list_legal`, for Python to call; nothing is legal when the game is over."""
    if not S[0].over:
        list_legal(rules[0], S[0])


def split(rules: Any, text: str) -> dict[str, str]:
    """The tokens after the first by name. Raises ValueError for an unknown or repeated one."""
    letters = names.COLOURS[: rules.num_players]
    given: dict[str, str] = {}
    for token in text.split()[1:]:
        name, _, value = token.partition(":")
        if name not in (*read_tokens.READERS, *names.NODE_NAMES, *letters):
            colours = f"a colour out of {' '.join(letters)}"
            raise unknown_name("position token", token, [*read_tokens.READERS, colours, "a node such as 2.5"])
        if name in given:
            raise ValueError(f"position token {token!r}: duplicate {name}")
        given[name] = value
    return given


def read_all(rules: Any, s: Any, given: dict[str, str]) -> None:
    """Write every token into the record; defaults that a token may change come first."""
    s.drawn, s.bag_drawn = rules.deck_size, rules.bag_size
    for name in sorted(given, key=[*read_tokens.READERS, *given].index):
        try:
            read(rules, s, name, given[name])
        except ValueError as error:
            token = f"{name}:{given[name]}" if given[name] else name
            raise ValueError(f"position token {token!r}: {error}") from None


def read(rules: Any, s: Any, name: str, value: str) -> None:
    """Write one token into the record."""
    if name in read_tokens.READERS:
        read_tokens.READERS[name](rules, s, value)
    elif name in names.NODE_NAMES:
        read_event(rules, s, node_named(name), value)
    else:
        read_player(rules, s, seat_named(rules, name), value)


def complete(rules: Any, s: Any, given: dict[str, str]) -> None:
    """Fill in what the tokens imply: whose turn it is, the turns completed, the action units, the realized nodes."""
    check_time(rules, s)
    if s.depth == 0 and not s.over:
        push(s, state.TURN, s.first)
    if s.question[0, questions.KIND] == state.TURN:
        s.turns = (s.question[0, questions.SEAT] - s.first) % rules.num_players
        s.au = s.au if "au" in given else rules.action_units
    elif left := {"au", "winged"} & {*given}:
        raise ValueError(f"position token {min(left)!r}: it belongs to a turn, and it is nobody's turn")
    s.realized[: first_unrealized(s)] = 1
    check_whole(rules, s)
