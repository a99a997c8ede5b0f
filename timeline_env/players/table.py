"""Players at a table: whole games between any players, many at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.batch import Batch
from timeline_env.engine.verbs import Game
from timeline_env.players.asking import answers, name_of
from timeline_env.players.interface import Decisions, Player
from timeline_env.players.registry import Entrant, player_from


@dataclass(frozen=True)
class Results:
    """How `n` games ended.

    Attributes:
        seating: int64 [n, players], which player (index) sat in each seat.
        points, rank: float32 [n, players], by seat; rank 1 is best, ties share the mean.
        decisions: int64 [n], how many decisions were taken.
        actions: unsigned [sum of the decisions], what was chosen, game after game; None where that was not kept.
    """

    seating: NDArray[np.int64]
    points: NDArray[np.float32]
    rank: NDArray[np.float32]
    decisions: NDArray[np.int64]
    actions: NDArray[Any] | None = None

    def games(self) -> list[NDArray[np.int64]]:
        """The actions of each game, int64. Raises ValueError if they were not kept."""
        if self.actions is None:
            raise ValueError("these games hold no moves")
        return np.split(self.actions.astype(np.int64), np.cumsum(self.decisions)[:-1])


def win_shares(rank: NDArray[np.float32]) -> NDArray[np.float64]:
    """1 for the winner, 1/k for each of k who share the first place, else 0; [..., players] from ranks of that shape."""
    first = rank == rank.min(axis=-1, keepdims=True)
    return first / first.sum(axis=-1, keepdims=True)


def beaten(first: NDArray[Any], second: NDArray[Any]) -> NDArray[np.float64]:
    """1 where the first rank is better than the second, half where they are equal, else 0."""
    return np.where(first == second, 0.5, first < second)


def mix(opponents: Mapping[Any, float]) -> tuple[list[Any], NDArray[np.float64]]:
    """Who plays, and how likely each is drawn. Raises ValueError if there is none or a weight is not above 0."""
    if not isinstance(opponents, Mapping):
        raise ValueError(f"opponents {opponents!r} must give each player a weight, as in {{'random': 1}}")
    for name, weight in opponents.items():
        if isinstance(weight, bool) or not isinstance(weight, int | float) or not 0 < weight < float("inf"):
            raise ValueError(f"opponents: the weight {weight!r} of {name!r} must be a number above 0")
    if not opponents:
        raise ValueError("opponents is empty; name at least one player with its weight")
    weights = np.array(list(opponents.values()), np.float64)
    return list(opponents), weights / weights.sum()


def turned(tables: NDArray[np.int64]) -> NDArray[np.int64]:
    """Every table turned by one seat at a time, so that each player sits in each of its seats.

    Takes int64 [n, players], who sits where; gives int64 [n * players, players], the turns of a table one after the other.
    """
    seats = tables.shape[1]
    turn, place = np.ix_(np.arange(seats), np.arange(seats))
    return tables[:, (place - turn) % seats].reshape(-1, seats)


class Opponents:
    """Who sits beside a learner: players drawn by weight.

    Attributes:
        names: of the players.
        players: the players; an index here is what stands in a seating.
        chances: float64 [players], how likely each is drawn for a seat.

    Args:
        game: which game.
        num_players: seats of each game.
        weights: names as `load_player` takes them, players, or functions of the decisions, each with its weight above 0.
        rules: a variant, see the game's `load_rules`.

    Raises:
        ValueError: a weight that is not allowed; or, when the games begin, a player that cannot be loaded.
    """

    def __init__(self, game: Game, num_players: int, weights: Mapping[Any, float], rules: Any = None) -> None:
        self.game, self.num_players, self.rules = game, num_players, rules
        self.entrants, self.chances = mix(weights)
        self.names = list(map(name_of, self.entrants))
        self.players: list[Player] = []

    def begin(self, rng: np.random.Generator) -> None:
        """Load the players anew, each with a seed drawn from `rng`; those given as such stay."""
        self.players = [self.load(who, rng) for who in self.entrants]

    def load(self, who: Entrant, rng: np.random.Generator) -> Player:
        """The player, with a seed drawn from `rng` if this is its name."""
        return player_from(who, self.game, int(rng.integers(2**32)), self.num_players, self.rules)

    def draw(self, rng: np.random.Generator, games: int) -> NDArray[np.int64]:
        """A player for every seat of so many games; int64 [games, players]."""
        return rng.choice(len(self.chances), (games, self.num_players), p=self.chances)

    def ended(self, seating: NDArray[np.int64], rank: NDArray[np.float32]) -> None:
        """Told of games that ended, with the ranks by seat, both [games, players]; here nothing depends on results."""


def ask(
    players: Sequence[Player], seating: NDArray[np.int64], batch: Batch, games: NDArray[np.int64]
) -> NDArray[np.int64]:
    """The actions of whoever sits in the seat to act, for these games of a batch; int64 [len(games)]."""
    actions = np.empty(len(games), np.int64)
    who = seating[games, batch.seat[games]]
    for index, player in enumerate(players):
        rows = np.flatnonzero(who == index)
        if len(rows):
            actions[rows] = answers(player, Decisions.of(batch, games[rows]))
    return actions


def play_games(
    game: Game,
    players: Sequence[Player],
    seating: NDArray[np.int64],
    seeds: NDArray[np.uint64],
    rules: Any = None,
    progress: Callable[[int], None] = lambda finished: None,
) -> Results:
    """Play one game for each row of `seating`, dealt from the seed beside it.

    Args:
        game: which game.
        players: who plays.
        seating: int64 [n, players a game], an index into `players` for each seat.
        seeds: uint64 [n]; rows with the same seed have the same deal.
        rules: a variant, see the game's `load_rules`.
        progress: called with the number of games that have ended since the last call.
    """
    batch = Batch(game, len(seating), seating.shape[1], rules=rules)
    batch.deal(seeds)
    running = np.arange(len(seating))
    kind = np.min_scalar_type(batch.num_actions)
    asked, chosen = [], []
    while len(running):
        actions = ask(players, seating, batch, running)
        batch.step(actions, running, restart=False)
        asked.append(running)
        chosen.append(actions.astype(kind))
        still = running[~batch.done[running]]
        progress(len(running) - len(still))
        running = still
    games = np.concatenate(asked)
    in_turn = np.concatenate(chosen)[np.argsort(games, kind="stable")]
    decisions = np.bincount(games, minlength=len(seating))
    return Results(seating, batch.points.copy(), batch.rank.copy(), decisions, in_turn)
