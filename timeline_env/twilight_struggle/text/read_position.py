"""Reading a position from text: the counterpart of `notation.to_text`."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from timeline_env.engine import record
from timeline_env.engine.jit import entry
from timeline_env.engine.notation import copy_for_viewer, short_refusals
from timeline_env.reading import unknown_name
from timeline_env.twilight_struggle import board, cards, frames, numbers, state
from timeline_env.twilight_struggle.countries import see_reach
from timeline_env.twilight_struggle.legal import list_legal
from timeline_env.twilight_struggle.play import settle
from timeline_env.twilight_struggle.setup import clear
from timeline_env.twilight_struggle.text import names, read_tokens
from timeline_env.twilight_struggle.text.check_position import check_whole
from timeline_env.twilight_struggle.text.names import country_named, seat_named
from timeline_env.twilight_struggle.text.read_tokens import pair


@short_refusals()
def num_players_in(text: str) -> int:
    """2, the number of players of every position. Raises ValueError if the text does not begin with its time."""
    read_time(text)
    return 2


def read_time(text: str) -> tuple[int, int]:
    """Turn and action round, with which every position begins. Raises ValueError if this one does not."""
    first = (text.split() or [""])[0]
    match = re.fullmatch(r"t([0-9]{1,2})\.r([0-9])", first)
    if not match or not 1 <= int(match[1]) <= numbers.TURNS or int(match[2]) > 8:
        raise ValueError(
            f"position token {first!r}: a position begins with turn and action round, t1.r0 to t{numbers.TURNS}.r8 (r0: set-up and headlines)"
        )
    return int(match[1]), int(match[2])


@short_refusals()
def from_text(rules: Any, text: str) -> np.recarray[Any, Any]:
    """The position that the text describes; what it does not mention is not there, and every other card is in the draw pile.

    Args:
        rules: record array [1], as `load_rules` gives it.
        text: one line.

    Returns:
        The position, a record array [1], ready to be played. Without ``ask:`` the game goes on by itself until a side has a
        choice: from the beginning of the action round, or the choice of headlines, if no ``stage:`` is given.

    Raises:
        ValueError: one line that names the wrong token and what is allowed.
    """
    S = record.new(state.STATE)
    clear_one(S)
    s = S[0]
    s.turn, s.action_round = read_time(text)
    given = split(text)
    if s.action_round:
        s.stage = state.END_ROUND if "ask" in given else state.BEGIN_ROUND
    else:
        s.stage = state.CHOOSE_HEADLINES
    lay_out(rules[0], s)
    for name in [name for name in given if name in names.COUNTRY_WORDS]:
        read(s, name, given[name])
    see_reach_one(S)
    for name in [name for name in read_tokens.READERS if name in given]:
        read(s, name, given[name])
    lay_china(s)
    check_whole(S, given)
    continue_game(rules, S, given)
    if "seen" in given and copy_for_viewer(rules, s, seat_named(given["seen"])).tobytes() != s.tobytes():
        raise ValueError(f"position token 'seen:{given['seen']}': the position gives what this side does not know")
    return S


@entry
def clear_one(S):
    """`clear`, for Python to call."""
    clear(S[0])


@entry
def see_reach_one(S):
    """`see_reach` of both sides, for Python to call."""
    see_reach(S[0], 0)
    see_reach(S[0], 1)


@entry
def list_legal_one(rules, S):
    """`list_legal`, for Python to call."""
    list_legal(rules[0], S[0])


@entry
def settle_one(rules, S):
    """`settle`, for Python to call."""
    settle(rules[0], S[0])


def reach_of(s: Any) -> Any:
    """Reach as the influence gives it now; int8 [2, 84]."""
    copy = record.new(state.STATE)
    copy[0] = s
    see_reach_one(copy)
    return copy[0].reach


def split(text: str) -> dict[str, str]:
    """The tokens after the first by name. Raises ValueError for an unknown or repeated one."""
    given: dict[str, str] = {}
    for token in text.split()[1:]:
        name, colon, value = token.partition(":")
        if name not in read_tokens.READERS and name not in names.COUNTRY_WORDS:
            raise unknown_name("position token", token, [*read_tokens.READERS, "a country such as West_Germany:2/4"])
        if name in given:
            raise ValueError(f"position token {token!r}: duplicate {name}")
        if bool(colon) == (name in read_tokens.FLAGS):
            raise ValueError(
                f"position token {token!r}: {name} must {'have no value' if colon else 'be followed by a colon and a value'}"
            )
        given[name] = value
    if all(side in given for side in board.SEAT_NAMES):
        raise ValueError(f"position tokens {' '.join(board.SEAT_NAMES)!r}: one side is phasing")
    return given


def lay_out(rules: Any, s: Any) -> None:
    """Every card is in the draw pile, or in the box if its period has not come or it is left out (R4.4)."""
    period = int(s.turn >= numbers.MID_WAR) + int(s.turn >= numbers.LATE_WAR)
    in_play = (period >= cards.PERIOD) & ((cards.OPTIONAL == 0) | bool(rules.optional_cards))
    s.place[:] = np.where(in_play, state.DRAW_PILE, state.BOX)
    s.place[0] = state.BOX
    s.china, s.china_up = 0, 1


def lay_china(s: Any) -> None:
    """The China Card is with the side that has it, unless it is being played."""
    if s.place[cards.CHINA] == state.DRAW_PILE:
        s.place[cards.CHINA] = state.HANDS + s.china


def read(s: Any, name: str, value: str) -> None:
    """Write one token into the record. Raises a ValueError that names the token if it is not allowed."""
    try:
        if name in names.COUNTRY_WORDS:
            s.influence[:, country_named(name)] = pair(value, state.MOST_INFLUENCE, "influence")
        else:
            read_tokens.READERS[name](s, value)
    except ValueError as error:
        token = name if name in read_tokens.FLAGS else f"{name}:{value}"
        raise ValueError(f"position token {token!r}: {error}") from None


def continue_game(rules: Any, S: Any, given: dict[str, str]) -> None:
    """List what may be done, or let the game go on until somebody has a choice."""
    s = S[0]
    if s.over:
        if s.depth:
            raise ValueError("position token 'over': nobody is asked when the game is over")
        return
    if "ask" not in given:
        # What comes next may depend on a card that is not given.
        unknown = [name for name, value in given.items() if names.UNKNOWN_WORD in value]
        if unknown:
            raise ValueError(f"position token {unknown[0]!r}: cards are unknown, so 'ask' must give what is pending")
        settle_one(rules, S)
        return
    if s.question[s.depth - 1, frames.KIND] < frames.FIRST_QUESTION and not is_veiled(s, given):
        raise ValueError("position token 'ask': the last must be a question to a side, such as play.us")
    if "seen" in given and s.question[s.depth - 1, frames.SEAT] != seat_named(given["seen"]):
        return
    list_legal_one(rules, S)
    if not s.legal.any():
        raise ValueError("position: the side that is asked has nothing it may do")


def is_veiled(s: Any, given: dict[str, str]) -> bool:
    """True if the viewer only knows that the other side is asked for a card."""
    kind, seat = s.question[s.depth - 1, : frames.SEAT + 1]
    return "seen" in given and kind == frames.ROUND and seat != seat_named(given["seen"])
