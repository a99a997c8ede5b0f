"""Several tournaments as one: everybody who played in any of them, rated in one pool."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena import statistics
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.played import About, Played, read
from timeline_env.arena.ratings import rate, resample
from timeline_env.arena.statistics import Matrix, shortest_path
from timeline_env.arena.summary import SAMPLES
from timeline_env.arena.tournament import GAMES_FILE, PLAN_FILE, read_total_time
from timeline_env.engine.batch import game_seeds
from timeline_env.engine.variants import without_place
from timeline_env.players.names import PlayerName
from timeline_env.reading import label_errors, quote, read_json, table_of


@dataclass(frozen=True)
class Pool:
    """The games of several tournaments.

    Attributes:
        played: all of them, without their moves. Players of one name are one player; deals of the same cards are one deal,
            whichever tournaments they were played in.
        groups: int64 [deals]; deals that the same tournaments played have the same number.
        processors: for each player who thinks for a time, the processors that its games were played on, as far as they are recorded.
    """

    played: Played
    groups: NDArray[np.int64]
    processors: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class PoolRatings:
    """What a pool says of K players' strengths; lists are by player, in the order of `players`.

    Attributes:
        players: their names.
        rating: as `timeline_env.arena.ratings.Ratings.rating`.
        ties: likewise.
        games: in how many games each sat.
        deals: how many different deals those games had.
        ahead: how often the row was ranked before the column at the same table.
    """

    players: tuple[str, ...]
    rating: list[Estimate]
    ties: dict[int, float]
    games: list[int]
    deals: list[int]
    ahead: Matrix


def read_pool(folders: Sequence[Path]) -> Pool:
    """The games of these tournaments' folders.

    Raises:
        ValueError: there are fewer than two folders, one holds no tournament that was played to its end, two are the same or hold
            the same games; the tournaments are of different games, rules or numbers of seats; or a name means different
            players in two of them.
    """
    if len(folders) < 2 or len({os.path.realpath(folder) for folder in folders}) < len(folders):
        missing = [f"; there is no {quote(str(folder))}" for folder in folders if not folder.exists()]
        told = f"folders {quote(' '.join(map(str, folders)))} must be at least two, each named once"
        raise ValueError(told + "".join(missing[:1]))
    # Sorted, since the bootstrap's draws follow the order, and the intervals must not depend on that of the names.
    found = {folder: read_folder(folder) for folder in sorted(folders)}
    pool = unite({str(folder): played for folder, (_, played) in found.items()})
    known: dict[str, tuple[Any, Path]] = {}
    contents: dict[bytes, Path] = {}
    for folder, (plan, played) in found.items():
        for what, value in (("the rules", plan["rules"]), *plan["players"].items()):
            before, where = known.setdefault(what, (value, folder))
            if before != value:
                raise ValueError(f"{quote(what)} must be the same in {quote(str(where))} and {quote(str(folder))}")
        twin = contents.setdefault(hashlib.sha256(identify_games(played)).digest(), folder)
        if twin != folder:
            raise ValueError(f"{quote(str(twin))} and {quote(str(folder))} hold the same games")
    players = {folder: played.about.players for folder, (_, played) in found.items()}
    return replace(pool, processors=find_processors(players))


def identify_games(played: Played) -> bytes:
    """The same for the same games of the same players, whoever says what they are: a data set's file names its own folder."""
    names = np.array(played.about.players)[played.seating]
    return repr(names.tolist()).encode() + played.decisions.tobytes() + played.actions.tobytes()


def find_processors(players: Mapping[Path, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """`Pool.processors` of the tournaments in these folders. Raises ValueError for a damaged file."""
    found: dict[str, set[str]] = {}
    for folder, names in players.items():
        with label_errors(quote(str(folder))):
            timed = [name for name in names if PlayerName.read(name).is_timed]
        taken = read_total_time(folder) if timed else None
        for name in timed:
            found.setdefault(name, set()).update(taken.processors if taken else ())
    return {name: tuple(sorted(where)) for name, where in found.items()}


def read_folder(folder: Path) -> tuple[dict[str, Any], Played]:
    """A tournament's plan and its games. Raises ValueError if the folder holds none, or one that was not played to its end."""
    label = f"{quote(str(folder))} is no tournament's folder; {PLAN_FILE} in it"
    plan = table_of(read_json(folder / PLAN_FILE, label), label, "players", "rules")
    if not (folder / GAMES_FILE).exists():
        raise ValueError(f"{quote(str(folder))} was not played to its end: there is no {GAMES_FILE}")
    played = read(folder / GAMES_FILE)
    if tuple(table_of(plan["players"], f"{label}: players")) != played.about.players:
        raise ValueError(f"{quote(str(folder))} holds games of other players than its {PLAN_FILE} names")
    return plan, played


def unite(tournaments: Mapping[str, Played]) -> Pool:
    """The games of several tournaments as if they were of one.

    Args:
        tournaments: at least one, by the names that errors call them.

    Raises:
        ValueError: they are of different games, rules or numbers of seats.
    """
    (first, told), *_ = ((name, played.about) for name, played in tournaments.items())
    for name, played in tournaments.items():
        for what, ours, theirs in zip(KINDS, kind_of(told), kind_of(played.about), strict=True):
            if ours != theirs:
                both = f"{quote(ours)} in {quote(first)}, {quote(theirs)} in {quote(name)}"
                raise ValueError(f"tournaments of one pool must have the same {what}: {both}")
    games = [*tournaments.values()]
    names = tuple(dict.fromkeys(player for played in games for player in played.about.players))
    cards = np.concatenate([game_seeds(played.about.seed, played.about.deals)[played.deal] for played in games])
    _, first_seen, which = np.unique(cards, return_index=True, return_inverse=True)
    deal = first_seen.argsort().argsort()[which]  # numbered in order of first appearance
    played_in = np.zeros((len(first_seen), len(games)), np.bool_)
    played_in[deal, np.repeat(np.arange(len(games)), [len(played.deal) for played in games])] = True
    groups = np.unique(played_in, axis=0, return_inverse=True)[1].ravel()
    seating = [np.array([names.index(name) for name in played.about.players])[played.seating] for played in games]
    nothing = np.zeros(len(deal), np.int32)
    united = Played(
        replace(told, players=names, tables=1, deals=len(first_seen), seed=0),
        table=nothing,
        deal=deal.astype(np.int32),
        seating=np.concatenate(seating),
        points=np.concatenate([played.points for played in games]),
        rank=np.concatenate([played.rank for played in games]),
        decisions=nothing,
        actions=np.zeros(0, np.uint8),
    )
    return Pool(united, groups)


KINDS = ("game", "rules version", "number of seats", "changes of the rules")
"""What the tournaments of a pool must agree on."""


def kind_of(about: About) -> tuple[Any, ...]:
    """A tournament's value for each of `KINDS`."""
    return about.game, about.rules_version, len(about.seats), without_place(about.rules)


def rate_pool(pool: Pool, progress: Callable[[int], None] = lambda finished: None) -> PoolRatings:
    """Rate everybody in a pool.

    A bootstrap sample has as many deals of each group as the pool has, so that no sample lacks a tournament of few deals.

    Args:
        pool: the games.
        progress: called with 1 after each of `SAMPLES` samples.

    Raises:
        ValueError: no chain of opponents ties some of the players to the others.
    """
    played, names = pool.played, pool.played.about.players
    ahead = statistics.cross_play(statistics.share_ahead(played))
    check_connected(names, ahead)
    ratings = rate(played, resample(played.about.deals, SAMPLES, pool.groups), progress=progress)
    present = [(played.seating == who).any(axis=1) for who in range(len(names))]
    games = [int(rows.sum()) for rows in present]
    deals = [len(np.unique(played.deal[rows])) for rows in present]
    return PoolRatings(names, ratings.rating, ratings.ties, games, deals, ahead)


def check_connected(names: Sequence[str], ahead: Matrix) -> None:
    """Raise ValueError if some of the players met the others neither directly nor through a chain of opponents."""
    met = [[b for b, cell in enumerate(row) if cell is not None] for row in ahead]
    apart = [name for who, name in enumerate(names) if who and not shortest_path(met, 0, who)]
    if apart:
        raise ValueError(
            f"players {quote(', '.join(apart))} cannot be rated with {quote(names[0])}: no chain of opponents ties them"
        )
