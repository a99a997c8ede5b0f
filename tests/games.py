"""The games that the tests of engine, players and environments run over: those of the one table, `timeline_env.games.PACKAGES`."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from timeline_env.engine.batch import Batch
from timeline_env.engine.verbs import Game
from timeline_env.games import PACKAGES, environments_of
from timeline_env.players.interface import Decisions
from timeline_env.players.random import Random

ENVIRONMENTS = tuple(environments_of(name) for name in PACKAGES)
"""What users import, for each game."""


@dataclass(frozen=True)
class Table:
    """A game and a number of players."""

    v0: ModuleType
    num_players: int

    @property
    def game(self) -> Game:
        return self.v0.GAME

    @property
    def gymnasium_id(self) -> str:
        return f"timeline/{self.game.name.title().replace('_', '')}-v0"

    def make(self, kind: str, **settings: Any) -> Any:
        """``make("env", reward="win")``: one of the module's environments, or its batch."""
        return getattr(self.v0, kind)(num_players=self.num_players, **settings)

    def __str__(self) -> str:
        return f"{self.game.name}-{self.num_players}"


USUAL = [Table(v0, v0.GAME.usual_players) for v0 in ENVIRONMENTS]
TABLES = [Table(v0, num_players) for v0 in ENVIRONMENTS for num_players in v0.GAME.players]


def changed_fields(before: Any, after: Any) -> set[str]:
    """The names of the fields in which two records of a game differ."""
    return {name for name in before.dtype.names if after[name].tobytes() != before[name].tobytes()} - {"everything"}


def pending(batch: Batch) -> Decisions:
    """The decisions of all games that are not over."""
    return Decisions.of(batch, np.flatnonzero(batch.seat >= 0))


each_game = pytest.mark.parametrize("table", USUAL, ids=str)
"""For a test of ``table``: every game, with its usual number of players."""
each_table = pytest.mark.parametrize("table", TABLES, ids=str)
"""The same with every number of players."""
each_reward = pytest.mark.parametrize(
    ("table", "reward"), [(table, reward) for table in TABLES for reward in table.game.rewards], ids=str
)
"""The same with every kind of reward."""


class Stopped(Random):
    """Plays at random until it is told to stop, as by Ctrl-C."""

    stops = False

    def act(self, decisions):
        if self.stops:
            raise KeyboardInterrupt
        return super().act(decisions)
