"""T5, T7, T13, T22: the cards, read from a table and built so that turning all seats by one gives the same deck."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from timeline_env.reading import cut, quote, read_rows
from timeline_env.timeline import board, state

MARKS = {".": 0, "B": 1, "b": -1, "F": 1, "f": -1}
"""Letters of a mark: B is backward, F forward, . none; a capital is a cause (+1), a small letter a hindrance (-1)."""
ALL_RADII = "".join(map(str, range(1, board.RADII)))
COLUMNS = ["template", "gain", "arcs", "points", "radii", "end_of_round_sign", "artifact", "marks"]


@dataclass(frozen=True)
class Card:
    """One row of the table: a card for some seat i.

    Attributes:
        name: the row's number, or the name of a special card.
        sign: +1 gain, -1 loss, 0 scores nobody (T22).
        arcs: seats further than i under the tick and under the cross; None for an empty arc.
        points: 1 to 3, one more than the number of orbits (T22).
        radii: radii on which it can be organized (T13).
        linked: bears the linked circles (T13).
        artifact: bears the artifact sign (T14).
        marks: six letters clockwise from north.
    """

    name: str
    sign: int
    arcs: tuple[int | None, int | None]
    points: int
    radii: frozenset[int]
    linked: bool
    artifact: bool
    marks: str

    def rotations(self) -> np.ndarray:
        """T11, T13: [61] int8: for each node, a bit for every turn, in sixths clockwise, in which the card may lie there."""
        letters = np.array([*self.marks])
        empty, forward = letters == ".", (letters == "F") | (letters == "f")
        # A card without marks lies the same however it is turned; one way is enough.
        turns = np.arange(1 if empty.all() else board.DIRECTIONS)[:, None]
        turned = (np.arange(board.DIRECTIONS) - turns) % board.DIRECTIONS  # [turn, direction] -> the mark that faces it
        in_time = (empty[turned][:, None] | (forward[turned][:, None] == board.LATER)).all(axis=2)
        in_its_radii = np.isin(board.RADIUS, [*self.radii])
        return ((in_time & in_its_radii) << turns).sum(axis=0).astype(np.int8)


def read_cards(path: Path, num_players: int) -> list[Card]:
    """T7, R7: the rows of a table of cards that are used for this number of players.

    Raises:
        ValueError: a cell is not allowed; the message names the file, the row and the value.
    """
    cards = [_card(row, path) for row in read_rows(path, str(path), COLUMNS)]
    used = [card for card in cards if all(arc is None or arc < num_players for arc in card.arcs)]
    if not used:
        raise ValueError(f"{path}: no row can be used by {num_players} players")
    return used


def _card(row: dict[str, str], path: Path) -> Card:
    def check(column: str, allowed: bool, what: str) -> None:
        if not allowed:
            raise ValueError(f"{path}, template {cut(row['template'])}: {column} {quote(row[column])} must be {what}")

    tick, _, cross = row["arcs"].partition("/")
    seats = {"-": None, "i": 0} | {f"i+{k}": k for k in range(1, state.MAX_PLAYERS)}
    check("gain", row["gain"] in ("gain", "loss"), "gain or loss")
    check("arcs", tick in seats and cross in seats and tick != cross, "two of i, i+1 … i+5, -, separated by /")
    check("points", row["points"] in ("1", "2", "3"), "1, 2 or 3")
    check("radii", row["radii"] != "" and set(row["radii"]) <= set("1234"), "digits out of 1234")
    check("end_of_round_sign", row["end_of_round_sign"] in ("0", "1"), "0 or 1")
    check("artifact", row["artifact"] in ("0", "1"), "0 or 1")
    check(
        "marks", len(row["marks"]) == board.DIRECTIONS and set(row["marks"]) <= set(MARKS), "six letters out of .BbFf"
    )
    check("marks", bool(set(row["marks"]) & set("Bb")), "with at least one backward mark (T7)")
    signs = (row["radii"] != ALL_RADII) + (row["end_of_round_sign"] == "1") + (row["artifact"] == "1")
    check("radii", signs <= 1, f"{ALL_RADII} on a card with another sign: a card bears one at most (T13)")
    return Card(
        name=row["template"],
        sign=1 if row["gain"] == "gain" else -1,
        arcs=(seats[tick], seats[cross]),
        points=int(row["points"]),
        radii=frozenset(map(int, row["radii"])),
        linked=row["end_of_round_sign"] == "1",
        artifact=row["artifact"] == "1",
        marks=row["marks"],
    )


def special_cards(flexible: dict[str, Any], original: dict[str, Any]) -> list[Card]:
    """T5, T27–T30: attacking, supporting, logistic and the original event, in the order of their numbers.

    Args:
        flexible, original: the tables of that name in the numbers file.

    Raises:
        ValueError: a mark or radius is not allowed.
    """
    for name, marks, letters in (
        ("flexible.attacking_marks", flexible["attacking_marks"], "BbFf."),
        ("flexible.supporting_marks", flexible["supporting_marks"], "BbFf."),
        ("original.marks", original["marks"], "Ff"),
    ):
        if len(marks) != board.DIRECTIONS or not set(marks) <= set(letters):
            raise ValueError(f"{name} {marks!r} must be six letters out of {letters}")
    for name in ("attacking", "supporting"):
        radii, artifact = flexible[f"{name}_radii"], flexible[f"{name}_artifact"]
        if not radii or any(radius not in range(1, board.RADII) for radius in radii):
            raise ValueError(f"flexible.{name}_radii {radii} must be radii out of 1, 2, 3, 4")
        if artifact not in (0, 1) or (artifact and len(set(radii)) < board.RADII - 1):
            raise ValueError(
                f"flexible.{name}_artifact {artifact!r} must be 0 or 1, and 1 only on a card for every radius: "
                "a card bears one sign at most (T13)"
            )

    def card(name: str, sign: int, points: int, radii: Iterable[int], marks: str, artifact: int = 0) -> Card:
        return Card(name, sign, (None, None), points, frozenset(radii), False, bool(artifact), marks)

    def flexible_card(name: str, sign: int) -> Card:
        return card(name, sign, 1, *(flexible[f"{name}_{part}"] for part in ("radii", "marks", "artifact")))

    return [
        flexible_card("attacking", -1),
        flexible_card("supporting", 1),
        card("logistic", 0, 0, range(1, board.RADII), "......"),
        card("original", 0, 0, [0], original["marks"]),
    ]
