"""The opponents of a learner, drawn by weight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.setting import Setting
from timeline_env.players.asking import name_of
from timeline_env.players.interface import Player
from timeline_env.players.registry import Entrant, player_from
from timeline_env.reading import as_list

MOST_WEIGHT = 10**9
"""More would only be a way to say that the others never play."""


def mix(opponents: Mapping[Any, float] | Iterable[Any]) -> tuple[list[Any], NDArray[np.float64]]:
    """Who plays, and how likely each is drawn: by weight, or all equally. Raises ValueError if none is given or a weight is not above 0."""
    listed = as_list(opponents)
    if listed is None:
        raise ValueError(
            f"opponents {opponents!r} must be a sequence of players, or players with their weights as in {{'random': 1}}"
        )
    weighted = list(opponents.items()) if isinstance(opponents, Mapping) else count(listed)
    for name, weight in weighted:
        if (
            isinstance(weight, bool)
            or not isinstance(weight, int | float | np.integer | np.floating)
            or not 0 < weight <= MOST_WEIGHT
        ):
            raise ValueError(
                f"opponents: the weight {weight!r} of {name!r} must be a number above 0, at most {MOST_WEIGHT:,}"
            )
    if not weighted:
        raise ValueError("opponents is empty; name at least one player")
    weights = np.array([weight for _, weight in weighted], np.float64)
    return [who for who, _ in weighted], weights / weights.sum()


def count(opponents: Iterable[Any]) -> list[tuple[Any, Any]]:
    """Each opponent with how often it is named; players that were given as such stand for themselves, and need not be hashable."""
    found: list[tuple[Any, Any]] = []
    places: dict[str, int] = {}
    for who in opponents:
        if isinstance(who, str) and who in places:
            found[places[who]] = who, found[places[who]][1] + 1
            continue
        if isinstance(who, str):
            places[who] = len(found)
        found.append((who, 1))
    return found


class Opponents:
    """The opponents of a learner: players drawn by weight.

    Attributes:
        names: of the players.
        players: the players; a seating holds indices into it.
        chances: float64 [players], how likely each is drawn for a seat.

    Args:
        setting: what is played.
        weights: names as `load_player` takes them, players, or functions of the decisions, each with its weight above 0; or a
            sequence of them, all equally likely; a name that is in it twice is twice as likely.

    Raises:
        ValueError: a weight that is not allowed; or, when the games begin, a player that cannot be loaded.
    """

    def __init__(self, setting: Setting, weights: Mapping[Any, float] | Iterable[Any]) -> None:
        self.setting = setting
        self.entrants, self.chances = mix(weights)
        self.names = list(map(name_of, self.entrants))
        self.players: list[Player] = []

    def begin(self, rng: np.random.Generator) -> None:
        """Load the players again, each with a seed drawn from `rng`; those given as such stay."""
        self.players = [self.load(who, rng) for who in self.entrants]

    def load(self, who: Entrant, rng: np.random.Generator) -> Player:
        """The player, made with a seed drawn from `rng` if `who` is a name."""
        return player_from(who, self.setting, int(rng.integers(2**32)))

    def draw(self, rng: np.random.Generator, games: int) -> NDArray[np.int64]:
        """A player for every seat of this many games; int64 [games, players]."""
        return rng.choice(len(self.chances), (games, self.setting.num_players), p=self.chances)

    def note_results(self, seating: NDArray[np.int64], rank: NDArray[np.float32]) -> None:
        """Called with the games that ended and the ranks by seat, both [games, players]; here nothing depends on results."""
