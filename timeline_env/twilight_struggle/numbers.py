"""Every number of the game: the rulebook's as constants read from ``numbers.toml``, a variant's as one RULES record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from timeline_env.engine import record as records
from timeline_env.engine.variants import read_numbers
from timeline_env.reading import quote, unknown_name
from timeline_env.twilight_struggle import board

MAX_BONUS = 10
"""The most influence that a handicap may give a side."""

RULES = records.record(
    ("num_players", "i1", (), "2"),
    (
        "ussr_bonus",
        "i1",
        (),
        "the USSR's handicap: influence placed after all other in the set-up, where it has some; 0..10",
    ),
    ("us_bonus", "i1", (), "the US's, placed last"),
    ("optional_cards", "i1", (), "1 if the cards 104 to 110 are in the deck"),
)


CHANGEABLE = (("setup", "ussr_bonus"), ("setup", "us_bonus"), ("deck", "optional_cards"))
"""What a variant may change, as (section, key)."""

_NUMBERS = read_numbers(board.DATA / "numbers.toml")


def _numbers(section: str, key: str, count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """A row of numbers that is indexed from 1, with a 0 before it."""
    row = _NUMBERS[section][key]
    assert len(row) == count, f"{section}.{key} must have {count} numbers, not {row}"
    return np.array([0, *row], dtype=np.int64)


TURNS = 10
ROUNDS = _numbers("turns", "rounds", TURNS)
HAND = _numbers("turns", "hand", TURNS)
MID_WAR: int = _NUMBERS["turns"]["mid_war"]
LATE_WAR: int = _NUMBERS["turns"]["late_war"]
SET_UP_USSR_POINTS: int = _NUMBERS["setup_influence"]["ussr"]
SET_UP_US_POINTS: int = _NUMBERS["setup_influence"]["us"]
BOXES = 8
SPACE_OPS = _numbers("space", "ops", BOXES)
SPACE_DIE = _numbers("space", "die", BOXES)
SPACE_FIRST = _numbers("space", "first", BOXES)
SPACE_SECOND = _numbers("space", "second", BOXES)
REGION_POINTS = np.array([[0, *_NUMBERS["regions"][name]] for name in board.REGION_NAMES], dtype=np.int64)
"""[region, 4]: for nothing, presence, domination, control."""


def load_rules(num_players: int = 2, source: str | Path | dict[str, Any] | None = None) -> np.recarray[Any, Any]:
    """The RULES record.

    Args:
        num_players: 2.
        source: a TOML file or a dict with the keys of ``numbers.toml`` that are to differ:
            ``{"setup": {"us_bonus": 2}, "deck": {"optional_cards": False}}``; None for the game as it is.

    Returns:
        A record array of length 1.

    Raises:
        ValueError: another number of players, an unknown key or a value out of its range.
    """
    if isinstance(num_players, bool) or not isinstance(num_players, int | np.integer) or num_players != 2:
        raise ValueError(f"num_players {num_players!r} must be 2: Twilight Struggle is a game for two")
    values = {(section, key): _NUMBERS[section][key] for section, key in CHANGEABLE}
    for section, keys in _changes(source).items():
        if not isinstance(keys, dict):
            raise ValueError(f"rules: {quote(section)} must hold keys and values, not {quote(keys)}")
        for key, value in keys.items():
            if (section, key) not in values:
                raise unknown_name("key of the rules", f"{section}.{key}", map(".".join, values))
            values[section, key] = value
    return _rules(**{key: value for (_, key), value in values.items()})


def _changes(source: Any) -> dict[str, Any]:
    if source is None:
        return {}
    if isinstance(source, str | Path) and source != "":  # as a path that would be this folder
        return read_numbers(Path(source))
    if isinstance(source, dict):
        return source
    raise ValueError(f"rules {quote(source)} must be a TOML file, a dict or None")


def _rules(ussr_bonus: Any, us_bonus: Any, optional_cards: Any) -> np.recarray[Any, Any]:
    for name, bonus in (("ussr_bonus", ussr_bonus), ("us_bonus", us_bonus)):
        if isinstance(bonus, bool) or not isinstance(bonus, int) or not 0 <= bonus <= MAX_BONUS:
            raise ValueError(f"rules: setup.{name} {quote(bonus)} must be an integer from 0 to {MAX_BONUS}")
    if not isinstance(optional_cards, bool):
        raise ValueError(f"rules: deck.optional_cards {quote(optional_cards)} must be true or false")
    rules = records.new(RULES)
    rules[0].num_players = 2
    rules[0].ussr_bonus = ussr_bonus
    rules[0].us_bonus = us_bonus
    rules[0].optional_cards = optional_cards
    return rules
