"""What a player is given and what it gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from timeline_env.engine import record
from timeline_env.engine.batch import Batch, game_numbers
from timeline_env.engine.loops import hide_games


@dataclass(frozen=True)
class Decisions:
    """`k` decisions to be taken, one row each, in games of one kind.

    Attributes:
        batch: the batch the games belong to; its `game`, `rules`, `num_players` and `layout` describe them. A player
            must not read its positions, which hold hidden cards: that is what `states` is for.
        games: int64 [k], which games of the batch.
        observation: int8 [k, d], what the seat to act sees.
        action_mask: int8 [k, A], 1 for each legal action.
        seat: int64 [k], the seat to act.
    """

    batch: Batch
    games: NDArray[np.int64]
    observation: NDArray[np.int8]
    action_mask: NDArray[np.int8]
    seat: NDArray[np.int64]

    @classmethod
    def of(cls, batch: Batch, games: ArrayLike) -> Decisions:
        """The decisions pending in these games of a batch, integers [k]; all arrays are copies.

        Raises:
            ValueError: these are not integers of one dimension, or one of the games is over.
        """
        games = game_numbers(games).copy()  # a player may write into what it is given
        seat = batch.seat[games]
        if (seat < 0).any():
            raise ValueError(f"game {int(games[seat < 0][0])} is over: nobody decides in it")
        return cls(batch, games, batch.observation[games], batch.action_mask[games], seat)

    def states(self) -> np.recarray:
        """Copies of the positions, records [k], each without what its seat does not know: for players that look ahead."""
        states = record.take(self.batch.states, self.games)
        hide_games(self.batch.rules, states, self.seat)
        return states


class Player(Protocol):
    """Constructed as ``Class(seed=…)``; asked through `act`."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; integers [k]."""
        ...


@dataclass(frozen=True)
class FunctionPlayer:
    """A function as a player: it is given the decisions and gives a legal action for each."""

    function: Callable[[Decisions], Any]

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """What the function gives."""
        return self.function(decisions)


class Appraiser(Player, Protocol):
    """A player that can say what each action is worth to it, for a network to correct."""

    def values(self, rules: Any, states: Any, mask: NDArray[np.int8], seats: NDArray[np.int64]) -> NDArray[np.float64]:
        """What each action is worth, in points or their equivalent; -inf where it is not legal.

        Args:
            rules: the game's numbers, a record array [1].
            states: positions, records [k], without what the seat does not know; left as they were.
            mask: int8 [k, A], 1 for each legal action.
            seats: int64 [k], the seat to act.

        Returns:
            float64 [k, A].
        """
        ...


class Foreseer(Appraiser, Protocol):
    """An appraiser that also says what its values come from, for a network that weighs this anew; see `outlook`."""

    foreseen: int
    """How many numbers it gives for an action."""

    def outlook(
        self, rules: Any, states: Any, mask: NDArray[np.int8], seats: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """What each action is worth and what it changes in the position's prospects; the arguments are those of `values`.

        Returns:
            What `values` gives, and int8 [k, A + 1, foreseen]: for each legal action the changes, 0 for the others; in the
            last row the prospects as they are, which may depend on nothing but what all seats see: with more than two
            players a search asks for every seat's in the position that the seat to act sees.
        """
        ...


class Guard(Protocol):
    """What keeps a player from actions that are certain to be worse than others. Constructed as ``Class()``."""

    def allow(self, decisions: Decisions) -> NDArray[np.int8]:
        """The action mask without those; int8 [k, A], at least one action in each row."""
        ...
