"""The games of a tournament: one file with a column for each thing known of a seat in a game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.files import read_arrays, write_file
from timeline_env.players.table import win_shares

COLUMNS = {
    "game": np.int32,
    "table": np.int32,
    "deal": np.int32,
    "seat": np.int8,
    "player": np.int16,
    "points": np.float32,
    "rank": np.float32,
    "decisions": np.int32,
}
"""The columns of the file; a row is a seat of a game."""


@dataclass(frozen=True)
class About:
    """What was played; the file's JSON text has these keys."""

    game: str
    rules_version: int
    seats: tuple[str, ...]
    """The seats' names, as many as sit at a table."""
    players: tuple[str, ...]
    """The players' names; their numbers in the file are the indices here."""
    tables: int
    deals: int
    """How many different deals; every table played each of them once for every seat."""
    seed: int


@dataclass(frozen=True)
class Played:
    """The `n` games of a tournament, of P seats each.

    Attributes:
        about: what was played.
        table, deal: int32 [n], the number of the table that played, and of its deal: equal numbers had the same cards.
        seating: int64 [n, P], which player sat in each seat.
        points, rank: float32 [n, P], by seat; rank 1 is best, ties share the mean.
        decisions: int32 [n], how long the game was.
    """

    about: About
    table: NDArray[np.int32]
    deal: NDArray[np.int32]
    seating: NDArray[np.int64]
    points: NDArray[np.float32]
    rank: NDArray[np.float32]
    decisions: NDArray[np.int32]

    @property
    def wins(self) -> NDArray[np.float64]:
        """Each seat's share of the first place; [n, P]."""
        return win_shares(self.rank)

    def save(self, path: Path) -> None:
        """Write the games to `path`, which is replaced at once or not at all."""
        n, seats = self.seating.shape
        by_seat: dict[str, Any] = {
            "seat": np.tile(np.arange(seats), n),
            "player": self.seating,
            "points": self.points,
            "rank": self.rank,
        }
        by_game: dict[str, Any] = {
            "game": np.arange(n),
            "table": self.table,
            "deal": self.deal,
            "decisions": self.decisions,
        }
        columns = by_seat | {name: np.repeat(values, seats) for name, values in by_game.items()}
        arrays: dict[str, Any] = {name: columns[name].astype(kind).ravel() for name, kind in COLUMNS.items()}
        about = np.array(json.dumps(asdict(self.about)))
        write_file(path, lambda file: np.savez_compressed(file, about=about, **arrays))


def read(path: Path) -> Played:
    """Read the games of a tournament; no code of the file is run.

    Raises:
        ValueError: the file holds something else.
    """
    return read_arrays(path, "holds no tournament's games", _played)


def _played(arrays: Any) -> Played:
    told = json.loads(str(arrays["about"]))
    about = About(**told | {"seats": tuple(told["seats"]), "players": tuple(told["players"])})
    columns = {name: arrays[name].reshape(-1, len(about.seats)) for name in COLUMNS}
    table, deal, decisions = (columns[name][:, 0] for name in ("table", "deal", "decisions"))
    return Played(
        about, table, deal, columns["player"].astype(np.int64), columns["points"], columns["rank"], decisions
    )  # fmt: skip


def joined(about: About, parts: Sequence[Played]) -> Played:
    """One tournament of the games of many."""
    names = ("table", "deal", "seating", "points", "rank", "decisions")
    return Played(about, *(np.concatenate([getattr(part, name) for part in parts]) for name in names))
