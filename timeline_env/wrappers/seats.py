"""Many games with one learner in each: what Stable-Baselines3's and Gymnasium's vector environments are built on.

One step is the learner's decision and all decisions of the others until the learner is asked again or the game is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from timeline_env.engine.batch import Batch, seed_or_any
from timeline_env.engine.ranks import win_shares
from timeline_env.engine.setting import Setting
from timeline_env.players.asking import ask
from timeline_env.players.opponents import Opponents

LEARNER = -1
"""The value in `seating` where the learner sits; the other numbers are indices of players."""


class SeatGames:
    """`num_games` games; in each the learner sits in a random seat or a given one, and players drawn by weight in the others.

    Every reward the learner's seat earned since its last decision is delivered, including what the others' decisions
    earned it; what it earned before its first decision of a game comes with that decision.

    Attributes:
        batch: the games; its observation and mask are the learner's, except in games that are over.
        learner: int64 [n], the learner's seat.
        seating: int64 [n, players], who sits where.
        total: float64 [n], what the learner earned in the game so far.
        decisions: int64 [n], how many decisions it took.
        are_pending: whether all games wait for the learner's decisions, or are over. `seed`, `start` and `play` set it to False, and
            their caller to True once all games are dealt and its own work is done, too: so it stays False after a step that was
            broken off, by Ctrl-C or by a player that fails.

    Args:
        setting: what is played.
        num_games: how many games, at least 1.
        opponents: names (see `load_player`), players, or functions of the decisions, each with its weight above 0 or all equally
            likely, see `Opponents`; or an `Opponents`.
        reward: the kind of reward, one of the game's.
        seed: for the deals, the seats and the players; None for a random one.
        seat: the learner's; None for a random one in each game.

    Raises:
        ValueError: a value is not allowed; the message names it and what is allowed.
    """

    def __init__(
        self,
        setting: Setting,
        num_games: int,
        opponents: Mapping[Any, float] | Iterable[Any] | Opponents,
        reward: str,
        seed: int | None,
        seat: int | None = None,
    ) -> None:
        seed = seed_or_any(seed)
        self.batch = Batch(setting, num_games, seed, reward)
        if not isinstance(opponents, Opponents):
            opponents = Opponents(setting, opponents)
        self.opponents, self.seat = opponents, seat
        self.seating = np.zeros((num_games, setting.num_players), np.int64)
        self.learner = np.zeros(num_games, np.int64)
        self.earned = np.zeros(num_games, np.float64)
        self.total = np.zeros(num_games, np.float64)
        self.decisions = np.zeros(num_games, np.int64)
        self.all = np.arange(num_games)
        self.are_pending = False
        self.seed(seed)

    def seed(self, seed: int) -> None:
        """Seed everything that is drawn: deals, seats, players. `start` then deals."""
        self.are_pending = False
        self.rng = np.random.default_rng(seed)
        self.opponents.begin(self.rng)
        self.batch.reset(seed)

    def start(self, games: NDArray[np.int64]) -> None:
        """Deal these games again, with new seats, and play to the learner's first decision."""
        self.are_pending = False
        while len(games):
            self.batch.restart(games)
            self.earned[games] = self.total[games] = self.decisions[games] = 0
            self.seating[games] = self.opponents.draw(self.rng, len(games))
            self.learner[games] = self._seats(len(games))
            self.seating[games, self.learner[games]] = LEARNER
            self._play_others(games)
            games = games[self.batch.seat[games] < 0]  # over before the learner was asked: there is nothing to learn

    def _seats(self, games: int) -> NDArray[np.int64]:
        """Where the learner sits in this many games."""
        if self.seat is not None:
            return np.full(games, self.seat)
        return self.rng.integers(self.batch.num_players, size=games)

    def play(
        self, actions: Any, games: NDArray[np.int64] | None = None
    ) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """Take the learner's decision in every game, or in the chosen ones, and play on to its next one.

        Args:
            actions: integers [n], or [len(games)].
            games: which games, int64; None for all.

        Returns:
            float32 of the same length, what the learner earned; int64 [k], those of the games that are over, which
            `start` deals again.

        Raises:
            ValueError: an action is not legal; nothing was played.
            ResetNeeded: the games are not `are_pending`; nothing was played.
        """
        if not self.are_pending:
            raise ResetNeeded("the games are not dealt, or a step was broken off: call reset() first")
        games = self.all if games is None else games
        self.are_pending = False
        try:
            self._step(games, actions)
        except ValueError:  # it is raised before anything is played
            self.are_pending = True
            raise
        self.decisions[games] += 1
        self._play_others(games)
        reward = self.earned[games].astype(np.float32)
        self.total[games] += self.earned[games]
        self.earned[games] = 0
        over = games[self.batch.seat[games] < 0]
        if len(over):
            self.opponents.note_results(self.seating[over], self.batch.rank[over])
        return reward, over

    def summary(self, i: int) -> dict[str, Any]:
        """What `game_info` gives of a game that is over; its ``result`` tells the learner's seat and the names of the others, too."""
        seat = int(self.learner[i])
        others = [self.opponents.names[index] for index in np.roll(self.seating[i], -seat)[1:]]
        info = game_info(self.batch.points[i], self.batch.rank[i], seat, self.total[i], self.decisions[i])
        return info | {"result": info["result"] | {"seat": seat, "opponents": others}}

    def _play_others(self, games: NDArray[np.int64]) -> None:
        """Play these games until the learner is asked or the game is over."""
        while len(games := self._find_others_to_act(games)):
            self._step(games, ask(self.opponents.players, self.seating, self.batch, games))

    def _find_others_to_act(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        seat = self.batch.seat[games]
        return games[(seat >= 0) & (seat != self.learner[games])]

    def _step(self, games: NDArray[np.int64], actions: Any) -> None:
        self.batch.step(actions, games, restart=False)
        self.earned[games] += self.batch.reward[games, self.learner[games]]


def game_info(
    points: NDArray[np.float32], rank: NDArray[np.float32], seat: int, reward: float, decisions: int
) -> dict[str, Any]:
    """The infos ``result`` and ``episode`` (the sum of the rewards ``r``, the decisions ``l``) of a game that is over.

    Args:
        points, rank: float32 [players].
        seat: the learner's.
        reward: what it earned in the game.
        decisions: how many it took.
    """
    result = {"points": float(points[seat]), "rank": float(rank[seat]), "win": float(win_shares(rank)[seat])}
    return {"result": result, "episode": {"r": float(reward), "l": int(decisions)}}
