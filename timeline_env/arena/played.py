"""The games of a tournament or a data set: one file with a column for each thing known about a seat in a game."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.evaluation import MOST_GAMES
from timeline_env.engine.batch import game_seeds
from timeline_env.engine.ranks import win_shares
from timeline_env.engine.replay import SavedGame, record_game
from timeline_env.engine.setting import Setting
from timeline_env.files import write_file
from timeline_env.games import game_named
from timeline_env.reading import (
    check_integer,
    json_in,
    label_errors,
    quote,
    read_arrays,
    required_keys,
    table_of,
    unknown_name,
)

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
MOST = {"tables": 10**7, "deals": MOST_GAMES, "seed": 2**64 - 1, "rules_version": 10**6}
"""The most that a file may name: far more than any tournament has, but a damaged file may name more than a machine can hold."""


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
    rules: dict[str, Any] = field(default_factory=dict)
    """What differed from the game as it is."""
    version: str = ""
    """The version of the package that played the games; empty where it is not recorded."""
    command: str = ""
    """The command that played them; empty where it is not recorded."""


@dataclass(frozen=True)
class Played:
    """The `n` games of a tournament, of P seats each.

    Attributes:
        about: what was played.
        table, deal: int32 [n], the number of the table that played, and that of its deal: games of the same deal had the same cards.
        seating: int64 [n, P], which player sat in each seat.
        points, rank: float32 [n, P], by seat; rank 1 is best, ties share the mean.
        decisions: int32 [n], how long the game was.
        actions: unsigned [sum of the decisions], what was chosen, game after game.
    """

    about: About
    table: NDArray[np.int32]
    deal: NDArray[np.int32]
    seating: NDArray[np.int64]
    points: NDArray[np.float32]
    rank: NDArray[np.float32]
    decisions: NDArray[np.int32]
    actions: NDArray[Any]

    @property
    def wins(self) -> NDArray[np.float64]:
        """Each seat's share of the first place; [n, P]."""
        return win_shares(self.rank)

    def save(self, path: Path) -> None:
        """Write the games to `path`, atomically."""
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
        write_file(path, lambda file: np.savez_compressed(file, about=about, **arrays, actions=self.actions))

    def select(self, start: int, stop: int) -> Played:
        """The games from number `start` up to `stop`."""
        rows = slice(start, stop)
        first, last = (int(self.decisions[:number].sum()) for number in (start, stop))
        return replace(
            self,
            table=self.table[rows],
            deal=self.deal[rows],
            seating=self.seating[rows],
            points=self.points[rows],
            rank=self.rank[rows],
            decisions=self.decisions[rows],
            actions=self.actions[first:last],
        )

    def saved_game(self, number: int) -> SavedGame:
        """One game, numbered from 0, with its moves, to be replayed and watched.

        Raises:
            ValueError: the game does not exist, or was played by other rules than today's.
        """
        number = check_integer("game", number, 0, len(self.decisions) - 1)
        about, game = self.about, game_named(self.about.game)
        if about.rules_version != game.rules_version:
            raise ValueError(
                f"these games were played by rules_version {about.rules_version} of {game.name}; it has {game.rules_version}"
            )
        end = int(self.decisions[: number + 1].sum())
        actions = self.actions[end - int(self.decisions[number]) : end].tolist()
        seed = int(game_seeds(about.seed, about.deals)[self.deal[number]])
        with label_errors(f"game {number}"):
            return record_game(Setting(game, len(about.seats), about.rules), seed, actions)


def read(path: Path) -> Played:
    """Read the games of a tournament; no code in the file is run.

    Raises:
        ValueError: the file holds something else.
    """
    return read_arrays(path, f"{quote(str(path))} holds no tournament's games", _from_arrays)


def _from_arrays(arrays: Any) -> Played:
    told = table_of(json_in(str(arrays["about"])), "about", *required_keys(About))
    about = _read_about(told)
    columns = {name: _column(arrays, name, about) for name in COLUMNS}
    games, seats = columns["game"].shape
    for name, column in columns.items():
        if len(column) != games:
            raise ValueError(f"{name} has {column.size} rows; game has {games * seats}")
    by_game = ("table", "deal", "decisions")
    for name in by_game:
        if (columns[name] != columns[name][:, :1]).any():
            raise ValueError(f"{name} must be the same for all seats of a game")
    if (columns["game"] != np.arange(games)[:, None]).any() or (columns["seat"] != np.arange(seats)).any():
        raise ValueError("game and seat must count the games, and the seats of each")
    table, deal, decisions = (columns[name][:, 0] for name in by_game)
    actions = arrays["actions"]
    if actions.shape != (decisions.sum(),) or actions.dtype.kind != "u":
        raise ValueError(f"{actions.shape} actions for {decisions.sum()} decisions")
    return Played(
        about, table, deal, columns["player"].astype(np.int64), columns["points"], columns["rank"], decisions, actions
    )  # fmt: skip


def _read_about(told: dict[str, Any]) -> About:
    """What was played. Raises ValueError for a value of another kind than `About` has."""
    for name, most in MOST.items():
        if type(told[name]) is not int or not 0 <= told[name] <= most:
            raise ValueError(f"{name} {quote(told[name])} must be an integer from 0 to {most}")
    for name in ("game", "version", "command"):
        if not isinstance(told.get(name, ""), str):
            raise ValueError(f"{name} {quote(told[name])} must be a text")
    for name in ("seats", "players"):
        if not isinstance(told[name], list) or not all(isinstance(each, str) for each in told[name]):
            raise ValueError(f"{name} {quote(told[name])} must be a list of texts")
        if not told[name]:
            raise ValueError(f"{name} must be at least one")
    for name in told:
        if name not in About.__annotations__:
            raise unknown_name("key", name, About.__annotations__)
    table_of(told.get("rules", {}), "rules")
    seats = game_named(told["game"]).seat_names[: len(told["seats"])]
    if tuple(told["seats"]) != tuple(seats):
        raise ValueError(f"seats {quote(told['seats'])} must be those of {told['game']}: {', '.join(seats)}")
    return About(**told | {name: tuple(told[name]) for name in ("seats", "players")})


def _column(arrays: Any, name: str, about: About) -> NDArray[Any]:
    """One of the columns, a row a game: [n, P]. Raises ValueError if it is not what `Played.save` writes."""
    read = arrays[name]
    if read.dtype != COLUMNS[name]:
        raise ValueError(f"{name} must be {np.dtype(COLUMNS[name])}, not {read.dtype}")
    seats = len(about.seats)
    if read.ndim != 1 or read.size % seats:
        raise ValueError(f"{name} must have a row for each seat of each game, not the shape {read.shape}")
    counts = {"table": about.tables, "deal": about.deals, "player": len(about.players), "seat": seats}
    low, high = (1, seats) if name == "rank" else (0, counts[name] - 1) if name in counts else (-np.inf, np.inf)
    low = 0 if name == "decisions" else low
    if not (np.isfinite(read) & (low <= read) & (read <= high)).all():
        raise ValueError(f"{name} holds a value that is not a number from {low} to {high}")
    return read.reshape(-1, seats)


def join(about: About, parts: Sequence[Played]) -> Played:
    """Join the games of several parts into one tournament."""
    names = ("table", "deal", "seating", "points", "rank", "decisions", "actions")
    return Played(about, *(np.concatenate([getattr(part, name) for part in parts]) for name in names))
