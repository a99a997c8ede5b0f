"""What a player of Twilight Struggle thinks of the cards: ``card_values.csv`` and ``openings.csv``, checked when they are read.

``value`` is what an event is worth to its owner, in victory points; a neutral event's to its player. A danger is the
highest DEFCON at which the event may lose the game for the player of the card (trap 12), 0 for none: played by the owner
of the event, or by the other side.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.twilight_struggle import board, cards, state
from timeline_env.twilight_struggle.board import read_table

MOST_VALUE = 10.0


def number(row: dict[str, str], column: str, most: float) -> float:
    """A number of a row. Raises ValueError if it is not a number from 0 to `most`."""
    try:
        value = float(row[column])
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"row {row}: {column!r} must be a number") from None
    if not 0 <= value <= most:
        raise ValueError(f"row {row}: {column!r} must be from 0 to {most:g}")
    return value


def values_in(rows: list[dict[str, str]]) -> NDArray[np.float64]:
    """[card]: what its event is worth to its owner."""
    return np.array([0.0, *(number(row, "value", MOST_VALUE) for row in check_rows(rows))])


def dangers_in(rows: list[dict[str, str]]) -> NDArray[np.int64]:
    """[seat, card]: the highest DEFCON at which the event may lose the game for the seat that plays the card."""
    table = np.zeros((2, cards.CARDS), dtype=np.int64)
    for card, row in enumerate(check_rows(rows), 1):
        for seat in range(2):
            column = "danger_played_by_owner" if cards.SIDE[card] in (seat, cards.NEUTRAL) else "danger_played_by_other"
            table[seat, card] = int(number(row, column, 5))
    return table


def check_rows(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The rows. Raises ValueError unless they are the cards in order, by their names."""
    names = [row.get("name") for row in rows]
    if names != list(cards.CARD_NAMES[1:]):
        wrong = next(
            (name for name, right in zip(names, cards.CARD_NAMES[1:], strict=False) if name != right), len(names)
        )
        raise ValueError(f"card_values.csv must have the {cards.CARDS - 1} cards in order; wrong from {wrong!r} on")
    return rows


def read_openings(rows: list[dict[str, str]]) -> NDArray[np.int64]:
    """[side, country]: the influence that a side wants after the set-up."""
    table = board.START.copy()
    for row in rows:
        if row.get("country") not in board.ID:
            raise ValueError(f"openings.csv: country {row.get('country')!r} is unknown")
        for side, name in enumerate(board.SEAT_NAMES):
            place: Any = side, board.ID[row["country"]]
            table[place] = max(table[place], int(number(row, name, state.MOST_INFLUENCE)))
    return table


_ROWS = read_table("card_values.csv")
VALUE = values_in(_ROWS)
DANGER = dangers_in(_ROWS)
OPENING = read_openings(read_table("openings.csv"))
