"""Making data sets: a tournament's folder and files, with another schedule, and a card.

The folder of a data set::

    plan.json            what is played
    parts/               the games played so far, a file for each part; gone at the end
    time.json            how long the games took, and on which processors
    games.npz            all games, see `timeline_env.arena.played`
    croissant.json       the card, see `timeline_env.arena.datasets.card`
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from timeline_env import __version__
from timeline_env.arena import tournament
from timeline_env.arena.datasets.card import CARD_FILE, card
from timeline_env.arena.deals import DATA_SETS, SEEDS
from timeline_env.arena.evaluation import MOST_GAMES
from timeline_env.arena.played import About, Played
from timeline_env.arena.schedule import Table
from timeline_env.arena.tournament import GAMES_FILE, Plan, names_in
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.files import write_json
from timeline_env.reading import check_integer


@dataclass(frozen=True)
class DatasetPlan(Plan):
    """Games for a data set: every game has a deal of its own, and in each seat one of the players, drawn anew."""

    kind: ClassVar[str] = "data set"
    command: str = ""

    @property
    def tables(self) -> list[Table]:
        """One table, at which all meet."""
        return [tuple(range(len(self.players)))]

    @property
    def deals_a_part(self) -> int:
        """More than in a tournament, since no deal is played twice."""
        return min(max(self.deals // 16, 16), 512)

    @property
    def games(self) -> int:
        return self.deals

    @property
    def about(self) -> About:
        return replace(super().about, version=__version__, command=self.command)

    def as_dict(self) -> dict[str, Any]:
        """The plan as it was asked for: each game has a deal of its own, and the seed is the one that was given."""
        found = super().as_dict() | {"kind": self.kind, "games": self.deals, "seed": self.seed - DATA_SETS}
        del found["deals"]
        return found

    def size(self, number: int) -> int:
        return len(self.deals_of(number))

    def play(self, number: int) -> Played:
        deals, everyone = self.deals_of(number), np.arange(len(self.players))
        rng = np.random.default_rng((self.seed, number))
        seating = rng.integers(len(everyone), size=(len(deals), self.seats))
        return self.play_tables(number, 0, everyone, seating, np.asarray(deals))


def plan(
    game: Game,
    players: Iterable[str],
    seats: int | None = None,
    games: int = 1000,
    seed: int = 0,
    rules: Any = None,
    command: str = "",
) -> DatasetPlan:
    """Plan a data set.

    Args:
        game: which game.
        players: names of at least one player, as `load_player` takes them; who sits where is drawn for each game.
        seats: players of each game; None for the game's usual number.
        games: how many, at least 2.
        seed: 0 to 2**32 - 1; the same seed gives the same games.
        rules: a variant, see the game's `load_rules`.
        command: the command that asks for this, to be kept in the file.

    Raises:
        ValueError: a value is not allowed; the message names it and what is.
    """
    setting = Setting(game, seats, rules)
    names = names_in(players, 1)
    games, seed = check_integer("games", games, 2, MOST_GAMES), check_integer("seed", seed, 0, SEEDS - 1)
    wanted = DatasetPlan(setting, names, games, seed + DATA_SETS, command)
    wanted.check_players(1)
    return wanted


def make(
    wanted: DatasetPlan, folder: Path, processes: int, progress: Callable[[int], None] = lambda finished: None
) -> Played:
    """Make a data set, or what is left of it, in `folder`, as `timeline_env.arena.tournament.run` plays a tournament."""
    played = tournament.run(wanted, folder, processes, progress)
    write_json(folder / CARD_FILE, card(played, folder / GAMES_FILE))
    return played
