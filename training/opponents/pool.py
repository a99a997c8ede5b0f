"""A bounded pool of frozen snapshots of a learner. Its files are written atomically.

::

    pool/pool.json      its members: each one's rating, its results when it was added, how often it beats the learner
    pool/NAME.npz       each snapshot, to play with

A snapshot's file is written before the table that lists it, and deleted after the table that no longer does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from timeline_env.arena.evaluation import seat_in_turn
from timeline_env.arena.games import Results, play_games
from timeline_env.arena.ratings import rate_pairs
from timeline_env.engine.batch import game_seeds
from timeline_env.engine.ranks import pair_scores
from timeline_env.engine.setting import Setting
from timeline_env.files import write_json
from timeline_env.players.agents.agent import Agent
from timeline_env.players.agents.agent_files import read_agent
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.players.registry import player_from
from timeline_env.reading import quote, read_json

TABLE = "pool.json"
SNAPSHOT = re.compile(rf"[0-9]{{12,}}\.npz|\.([0-9]{{12,}}\.npz|{re.escape(TABLE)})\.[0-9a-f]{{8}}\.partial")
"""Matches the names of snapshots' files, see `_name`, and of files that a kill left half-written."""
FOLDER = "pool"
"""Where a run keeps its pool."""
REMEMBERED = 500.0
"""How many games against the learner a snapshot's record amounts to at most: older ones fade, since the learner changes."""
RATING_DEALS = 30
"""Deals that a snapshot is rated by, each played once from every seat."""


Number = Annotated[float, Field(allow_inf_nan=False)]
Count = Annotated[float, Field(ge=0, le=1e9, allow_inf_nan=False)]


@dataclass
class Snapshot:
    """One member of the pool.

    Attributes:
        steps: decisions of the learner when it was frozen.
        rating: points above the first of the scripted players it is rated against, see `rate_pairs`; recomputed
            from `beat` when a pool is read.
        beat: for each player it met when it or the other was added: in how many games it was the better of the two (a tie
            counts half), and out of how many.
        won, met: in how many games it was better than the learner, and out of how many; older games count less.
    """

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid")

    steps: Annotated[int, Field(ge=0)]
    rating: Number = 0.0
    beat: dict[str, Annotated[list[Count], Field(min_length=2, max_length=2)]] = field(default_factory=dict)
    won: Count = 0.0
    met: Count = 0.0

    @property
    def share_against_learner(self) -> float:
        """How often it is still better than the learner, from 0 to 1; half for one that has not been met."""
        return (self.won + 1) / (self.met + 2)


class Pool:
    """The snapshots of one run, by name in the order in which they were added.

    Args:
        folder: where they are kept; its parent exists.
        setting: what is played.
        size: how many snapshots are kept; beyond it the one that the learner beats most often is dropped.
        against: the scripted players that every snapshot is rated against.
        power: how strongly snapshots that still beat the learner are preferred: each is drawn by (how often it does) ** power.

    Raises:
        ValueError: what is in the folder is not a pool of this game.
    """

    def __init__(self, folder: Path, setting: Setting, size: int, against: Sequence[str], power: float = 2.0) -> None:
        self.folder, self.setting = folder, setting
        self.size, self.against, self.power = size, list(against), power
        folder.mkdir(exist_ok=True)
        self.snapshots = self._read()
        if len(self.snapshots) > size:  # a run that goes on with a smaller pool
            newest = max(self.snapshots, key=lambda name: self.snapshots[name].steps)
            while len(self.snapshots) > size:
                self._let_go(self._easiest(newest))
            self.save()
        self._rate()
        self._sweep()

    def agent(self, name: str) -> Agent:
        """The snapshot's network. Raises ValueError if its file is damaged."""
        return read_agent(self._file(name), self.setting)

    def chances(self) -> dict[str, float]:
        """How likely each snapshot is to be drawn, by prioritised fictitious self-play: likelier if it still beats the learner often.

        Source: Vinyals et al., "Grandmaster level in StarCraft II using multi-agent reinforcement learning", 2019, f_hard.
        """
        weights = {name: snapshot.share_against_learner**self.power for name, snapshot in self.snapshots.items()}
        return {name: weight / sum(weights.values()) for name, weight in weights.items()}

    def note_games(self, name: str, won: float, games: float) -> None:
        """Note how a snapshot did against the learner; one that has left the pool meanwhile is ignored."""
        if name in self.snapshots:
            snapshot = self.snapshots[name]
            keep = min(1.0, REMEMBERED / (snapshot.met + games))
            snapshot.won, snapshot.met = keep * (snapshot.won + won), keep * (snapshot.met + games)

    def add(self, agent: Agent, seed: int) -> str:
        """Freeze, rate and add a snapshot; drop the one that the learner beats most often if there are too many. Returns its name."""
        name = _name(agent.about.steps)
        agent.save(self._file(name))
        self.snapshots[name] = Snapshot(agent.about.steps)
        self._play_for_rating(name, agent, seed)
        while len(self.snapshots) > self.size:
            self._let_go(self._easiest(name))
        self._rate()
        self.save()
        self._sweep()
        return name

    def save(self) -> None:
        """Write the table, atomically."""
        write_json(self.folder / TABLE, {name: asdict(snapshot) for name, snapshot in self.snapshots.items()})

    def latest(self) -> int:
        """Decisions of the learner when the last snapshot was added; 0 without one."""
        return max((snapshot.steps for snapshot in self.snapshots.values()), default=0)

    def _easiest(self, newest: str) -> str:
        others = [name for name in self.snapshots if name != newest]
        return min(others, key=lambda name: self.snapshots[name].share_against_learner)

    def _let_go(self, name: str) -> None:
        del self.snapshots[name]
        for snapshot in self.snapshots.values():
            snapshot.beat.pop(name, None)

    def _play_for_rating(self, name: str, agent: Agent, seed: int) -> None:
        """Play the newcomer in every seat against the scripted players and the pool by turns, and note who was better."""
        others = [*self.against, *(other for other in self.snapshots if other != name)]
        players = [
            NetworkPlayer(agent, seed),
            *(self._player(other, seed + place) for place, other in enumerate(others, 1)),
        ]
        deals = max(RATING_DEALS, 2 * len(others))
        seats = seat_in_turn(deals, self.setting.num_players, len(others))
        seeds = np.repeat(game_seeds(seed, deals), self.setting.num_players)
        results = play_games(self.setting, players, seats, seeds)
        for (i, j), (won, games) in count_better(results).items():
            first, second = [name, *others][i], [name, *others][j]
            if first in self.snapshots:
                before = self.snapshots[first].beat.get(second, [0.0, 0.0])
                self.snapshots[first].beat[second] = [before[0] + won, before[1] + games]

    def _player(self, name: str, seed: int) -> Any:
        if name in self.snapshots:
            return NetworkPlayer(self.agent(name), seed)
        return player_from(name, self.setting, seed)

    def _rate(self) -> None:
        """Give everybody its rating, from all games of those that are in the pool now."""
        names = [*self.against, *self.snapshots]
        wins = np.zeros((len(names), len(names)))
        for name, snapshot in self.snapshots.items():
            for other, (won, games) in snapshot.beat.items():
                i, j = names.index(name), names.index(other)
                wins[i, j] = won
                wins[j, i] = games - won
        for name, rating in zip(names, rate_pairs(wins), strict=True):
            if name in self.snapshots:
                self.snapshots[name].rating = rating

    def _file(self, name: str) -> Path:
        return self.folder / f"{name}.npz"

    def _read(self) -> dict[str, Snapshot]:
        table = self.folder / TABLE
        if not table.exists():
            return {}
        label = f"{quote(str(table))} is not a pool's table"
        content = read_json(table, label)
        try:
            found = TypeAdapter(dict[str, Snapshot]).validate_python(content)
        except ValidationError as error:
            detail = error.errors()[0]
            raise ValueError(f"{label}: {quote(detail['loc'])} {quote(detail['input'])}: {detail['msg']}") from None
        for name, snapshot in found.items():
            others = {*self.against, *found} - {name}
            counts = [(snapshot.won, snapshot.met), *snapshot.beat.values()]
            agrees = name == _name(snapshot.steps) and snapshot.beat.keys() <= others
            if not agrees or any(won > games for won, games in counts):
                raise ValueError(f"{label}: what it says of {quote(name)} does not agree with itself")
        return found

    def _sweep(self) -> None:
        """Delete the files, complete or partial, of snapshots that are not listed: they have left, or a kill came before the table.

        Other files are left alone: the folder may be a link to somebody else's.
        """
        for file in self.folder.iterdir():
            if SNAPSHOT.fullmatch(file.name) and file.stem not in self.snapshots:
                file.unlink()


def _name(steps: int) -> str:
    """The name of the snapshot after this many decisions, also of its file."""
    return f"{steps:012d}"


def count_better(results: Results) -> dict[tuple[int, int], tuple[float, int]]:
    """For every ordered pair of different players that sat at a table: how often the first was the better, and in how many games."""
    found: dict[tuple[int, int], tuple[float, int]] = {}
    for a, b in permutations(range(results.seating.shape[1]), 2):
        won = pair_scores(results.rank[:, a], results.rank[:, b])
        for i, j in {(int(i), int(j)) for i, j in results.seating[:, (a, b)] if i != j}:
            rows = (results.seating[:, a] == i) & (results.seating[:, b] == j)
            so_far = found.get((i, j), (0.0, 0))
            found[i, j] = so_far[0] + float(won[rows].sum()), so_far[1] + int(rows.sum())
    return found
