"""Several tournaments as one: everybody who played in any of them, rated in one pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from timeline_env.arena import statistics
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.played import Played, join, read
from timeline_env.arena.ratings import rate, resample
from timeline_env.arena.statistics import Matrix, shortest_path
from timeline_env.arena.summary import SAMPLES
from timeline_env.arena.tournament import GAMES_FILE, PLAN_FILE
from timeline_env.engine.batch import game_seeds
from timeline_env.reading import quote, read_json, table_of

SAME = ("game", "rules_version", "seats", "rules")
"""What the tournaments of a pool must agree in, of `timeline_env.arena.played.About`."""


@dataclass(frozen=True)
class PoolRatings:
    """What several tournaments together say of K players' strengths; lists are by player, in the order of `players`.

    Attributes:
        players: their names.
        rating: as `timeline_env.arena.ratings.Ratings.rating`.
        games: in how many games each sat.
        deals: how many different deals those games had.
        ahead: how often the row was ranked before the column at the same table.
    """

    players: tuple[str, ...]
    rating: list[Estimate]
    games: list[int]
    deals: list[int]
    ahead: Matrix

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and dicts, for JSON."""
        return asdict(self)


def read_pool(folders: Sequence[Path]) -> Played:
    """The games of these tournaments' folders as those of one tournament.

    Raises:
        ValueError: a folder holds no tournament or is named twice; the tournaments are of different games, rules or numbers of
            seats; or a name means one player in one of them and another in another.
    """
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise ValueError(f"folders {quote(' '.join(map(str, folders)))} must each be named once")
    files: dict[str, tuple[Any, Path]] = {}
    for folder in folders:
        label = f"{quote(str(folder))} is no tournament's folder; {PLAN_FILE} in it"
        named = table_of(read_json(folder / PLAN_FILE, label), label, "players")["players"]
        for name, file in table_of(named, f"{label}: players").items():
            known, where = files.setdefault(name, (file, folder))
            if known != file:
                raise ValueError(
                    f"{name} is one player in {str(where)!r} and another in {str(folder)!r}: the files differ"
                )
    return unite({str(folder): read(folder / GAMES_FILE) for folder in folders})


def unite(tournaments: Mapping[str, Played]) -> Played:
    """The games of several tournaments as if they were of one, in which players of one name are one player.

    Deals with the same cards are one deal, whichever tournaments they were played in.

    Args:
        tournaments: at least one, by what they are called in errors.

    Raises:
        ValueError: they are of different games, rules or numbers of seats.
    """
    (first, told), *_ = ((name, played.about) for name, played in tournaments.items())
    for name, played in tournaments.items():
        for key in SAME:
            ours, theirs = getattr(told, key), getattr(played.about, key)
            if ours != theirs:
                raise ValueError(
                    f"{first!r} and {name!r} cannot be rated in one pool: {key} {quote(ours)}, there {quote(theirs)}"
                )
    games = tournaments.values()
    names = tuple(dict.fromkeys(player for played in games for player in played.about.players))
    cards = np.concatenate([game_seeds(played.about.seed, played.about.deals)[played.deal] for played in games])
    _, first_seen, which = np.unique(cards, return_index=True, return_inverse=True)
    deal = first_seen.argsort().argsort()[which]
    first_table = np.cumsum([0, *(played.about.tables for played in games)])
    about = replace(told, players=names, tables=int(first_table[-1]), deals=len(first_seen))
    numbered = [
        replace(
            played,
            table=played.table + table,
            seating=np.array([names.index(player) for player in played.about.players])[played.seating],
        )
        for table, played in zip(first_table[:-1].tolist(), games, strict=True)
    ]
    return replace(join(about, numbered), deal=deal.astype(np.int32))


def rate_pool(pooled: Played, progress: Callable[[int], None] = lambda finished: None) -> PoolRatings:
    """Rate everybody in a pool; `progress` is called with 1 after each of `SAMPLES` bootstrap samples.

    Raises:
        ValueError: the players fall into groups that never met.
    """
    names = pooled.about.players
    ahead = statistics.cross_play(statistics.share_ahead(pooled))
    check_connected(names, ahead)
    ratings = rate(pooled, resample(pooled.about.deals, SAMPLES), progress=progress)
    present = [(pooled.seating == who).any(axis=1) for who in range(len(names))]
    games = [int(rows.sum()) for rows in present]
    deals = [len(np.unique(pooled.deal[rows])) for rows in present]
    return PoolRatings(names, ratings.rating, games, deals, ahead)


def check_connected(names: Sequence[str], ahead: Matrix) -> None:
    """Raise ValueError if some of the players never met the others, not even by way of common opponents."""
    met = [[b for b, cell in enumerate(row) if cell is not None] for row in ahead]
    apart = [name for who, name in enumerate(names) if who and not shortest_path(met, 0, who)]
    if apart:
        raise ValueError(
            f"nothing ties {', '.join(apart)} to {names[0]}, not even common opponents: they cannot be rated in one pool"
        )
