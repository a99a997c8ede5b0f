"""Reading a position from text: the counterpart of `notation.to_text`."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from timeline_env.engine import questions, record
from timeline_env.engine.jit import entry
from timeline_env.engine.notation import short_refusals
from timeline_env.reading import unknown_name
from timeline_env.timeline import board, state
from timeline_env.timeline.legal import list_legal
from timeline_env.timeline.setup import clear
from timeline_env.timeline.text import names, read_tokens
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
    """What the tokens imply: whose turn it is, the turns completed, the action units, the realized nodes."""
    check_time(rules, s)
    if s.depth == 0 and not s.over:
        push(s, state.TURN, s.first)
    if s.question[0, questions.KIND] == state.TURN:
        s.turns = (s.question[0, questions.SEAT] - s.first) % rules.num_players
        s.au = s.au if "au" in given else rules.action_units
    elif left := {"au", "winged"} & {*given}:
        raise ValueError(f"position token {min(left)!r}: it belongs to a turn, and it is nobody's turn")
    s.realized[: first_unrealized(s)] = 1
    check_events(s)
    check_ways_out(s)
    asked = [(int(kind), int(seat)) for kind, seat, _ in s.question[: s.depth]]
    check_order(asked)
    for kind, seat in asked:
        check_question(s, kind, seat)


def first_unrealized(s: Any) -> int:
    """Every node before this one is realized: those of the phases gone by, and up to the one being realized."""
    if s.over:
        return board.NODES
    return int(s.realizing) + 1 if s.realizing >= 0 else int(board.FIRST[s.phase])


def check_time(rules: Any, s: Any) -> None:
    """Raise ValueError unless phase, rounds, the node being realized and the end of the game agree."""
    rounds = int(rules.rounds[s.phase])
    if s.over:
        if (s.phase, s.lap, s.realizing, s.depth) != (board.RADII - 1, 0, -1, 0):
            raise ValueError(f"position token 'over': it needs phase:{board.RADII - 1}.0, and nobody is asked anything")
    elif s.realizing >= 0:
        if board.RADIUS[s.realizing] != s.phase or s.lap != rounds or s.depth == 0:
            raise ValueError(
                f"position token 'realizing:{names.NODE_NAMES[s.realizing]}': it needs the phase of its radius with all its "
                f"{rounds} rounds completed, phase:{s.phase}.{rounds}, and a pawn that is asked, such as ask:aside.y"
            )
    elif s.lap >= rounds:
        raise ValueError(f"position token 'phase:{s.phase}.{s.lap}': phase {s.phase} has the rounds 0 to {rounds - 1}")


def check_events(s: Any) -> None:
    """Raise ValueError unless events have a stance until their time has come (T12), and then an outcome (T21)."""
    past = first_unrealized(s)
    for node in np.flatnonzero(s.event):
        if node < past and not s.outcome[node]:
            raise ValueError(
                f"position token '{names.NODE_NAMES[node]}': an event in the past needs /occurred or /failed"
            )
        if node >= past and not s.stance[node]:
            raise ValueError(
                f"position token '{names.NODE_NAMES[node]}': an event whose time has not come needs a stance, such as /+y or /-"
            )


def check_ways_out(s: Any) -> None:
    """Raise ValueError unless whoever will be displaced finds a later node that is not realized (T23), as there is one wherever nothing is realized early."""
    open_later = (np.arange(board.NODES)[:, None] < board.NEIGHBOUR) & (s.realized[board.NEIGHBOUR] == 0)
    for node in range(first_unrealized(s), int(board.FIRST[board.RADII - 1])):
        if not open_later[node].any():
            around = " ".join(names.NODE_NAMES[other] for other in board.NEIGHBOUR[node] if other > node)
            raise ValueError(
                f"position token '{around.split()[0]}': a pawn that is displaced from {names.NODE_NAMES[node]} needs a node "
                f"that is not realized, one of {around}"
            )


def check_order(asked: list[tuple[int, int]]) -> None:
    """Raise ValueError unless each pawn is displaced once, and of flexible events only one asks at a time, whoever has the turn (T23, T27–T29)."""
    seats = [seat for kind, seat in asked if kind == state.DISPLACED]
    if len(seats) > len(set(seats)):
        raise ValueError("position token 'ask': each displaced pawn is asked once")
    events = [kind for kind, _ in asked if kind in read_tokens.ASKED_BY]
    turns = {seat for kind, seat in asked if kind == state.TURN or kind in read_tokens.ASKED_BY}
    if len(events) > 1 or len(turns) > 1 or (turns and seats):
        raise ValueError("position token 'ask': one flexible event can ask, and only the seat whose turn it is")


def check_question(s: Any, kind: int, seat: int) -> None:
    """Raise ValueError unless a displaced pawn stands in the node being realized, and a flexible event that asks lies under the pawn (T23, T27–T29)."""
    if kind == state.TURN:
        return
    name = f"position token 'ask': question {read_tokens.ASKED[kind]}.{names.COLOURS[seat]}"
    if kind == state.DISPLACED:
        if s.realizing < 0 or s.pawn[seat] != s.realizing:
            raise ValueError(f"{name}: it needs realizing: the node of the {names.COLOURS[seat]} pawn")
    elif s.realizing >= 0 or s.card[s.pawn[seat]] != read_tokens.ASKED_BY[kind]:
        event = names.SPECIAL[read_tokens.ASKED_BY[kind] - state.ATTACKING]
        raise ValueError(f"{name}: the event {event} must lie in the node of the {names.COLOURS[seat]} pawn")
    elif kind in (state.ATTACK_TICK, state.SUPPORT) and (s.if_yes | s.if_no)[:, s.pawn[seat]].any():
        raise ValueError(f"{name}: nobody may be on an arc of its event yet")
    elif kind == state.ATTACK_CROSS and s.if_no[:, s.pawn[seat]].any():
        raise ValueError(f"{name}: nobody may be on the arc under the cross yet")
