"""Who sits beside the learner while it learns: itself, frozen snapshots of its pool, scripted players."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.verbs import Game
from timeline_env.players.interface import Player
from timeline_env.players.network import Agent, NetworkPlayer
from timeline_env.players.table import Opponents, mix
from timeline_env.wrappers.seats import LEARNER
from training.pool import Pool, beaten

SELF, POOL = "self", "pool"
"""What stands in `opponents` for the learner as it plays now, and for its snapshots."""
OWN = 0
"""The learner's index among the players, where its other seats are players."""


def reserved(weights: Mapping[str, float]) -> bool:
    """Whether a configuration's `opponents` ask for the learner itself or its snapshots."""
    return not {SELF, POOL}.isdisjoint(weights)


class League(Opponents):
    """Opponents of which some are the learner itself and snapshots of it; see `Opponents`.

    While the pool is empty, its share goes to the others. Snapshots draw from their policies, as the learner does.

    Args:
        game, num_players: what is played.
        weights: players' names with their weights; `self` and `pool` stand for the learner and its snapshots.
        pool: the snapshots.
    """

    def __init__(self, game: Game, num_players: int, weights: Mapping[str, float], pool: Pool) -> None:
        mix(weights)
        scripted = {name: weight for name, weight in weights.items() if name not in (SELF, POOL)}
        super().__init__(game, num_players, {SELF: 1.0, **scripted})
        self.scripted, self.pool = list(scripted), pool
        self.weights = dict(weights)

    def begin(self, rng: np.random.Generator) -> None:
        """Load all players anew, each with a seed drawn from `rng`. The learner itself is told by `learner_is`."""
        self.rng = np.random.default_rng(rng.integers(2**32))
        scripted = Opponents(self.game, self.num_players, dict.fromkeys(self.scripted, 1.0)) if self.scripted else None
        if scripted:
            scripted.begin(rng)
        self.names = [SELF, *self.scripted]
        own: list[Player] = self.players[:1] or [Gone()]
        self.players = own + (scripted.players if scripted else [])
        self.refresh(np.zeros(0, np.int64))

    def learner_is(self, agent: Agent) -> None:
        """Let the learner's other seats be played by this agent from now on."""
        self.players[OWN] = NetworkPlayer(agent, int(self.rng.integers(2**32)), sampled=True)

    def refresh(self, seated: NDArray[np.int64]) -> None:
        """Take in what the pool has taken in, and let go whoever left it and sits (`seated`, any shape) in no game."""
        for name in self.pool.snapshots:
            if name not in self.names:
                self.names.append(name)
                self.players.append(
                    NetworkPlayer(self.pool.agent(name), int(self.rng.integers(2**32)), sampled=True)
                )
        for index in range(1 + len(self.scripted), len(self.names)):
            if self.names[index] not in self.pool.snapshots and not (seated == index).any():
                self.players[index] = Gone()
        self.weigh()

    def weigh(self) -> None:
        """Set everybody's chance, from the proportions asked for and from how often snapshots still beat the learner."""
        chances = self.pool.chances()
        share = self.weights.get(POOL, 0.0)
        weights = [chances[name] * share if name in chances else self.weights.get(name, 0.0) for name in self.names]
        total = sum(weights)
        # With nothing but an empty pool to draw from, the learner plays itself.
        self.chances = np.array(weights) / total if total else np.eye(len(weights))[OWN]

    def ended(self, seating: NDArray[np.int64], rank: NDArray[np.float32]) -> None:
        """Note for each snapshot how often it was better than the learner, in all its seats, in games that ended."""
        learner = (seating == LEARNER) | (seating == OWN)
        for index in np.unique(seating[seating > len(self.scripted)]):
            games, seats = np.nonzero(seating == index)
            won = beaten(rank[games, seats][:, None], rank[games])[learner[games]]
            self.pool.met(self.names[index], float(won.sum()), float(len(won)))


class Gone:
    """In the place of a player that sits in no game."""

    def act(self, decisions: object) -> NDArray[np.int64]:
        """Never asked."""
        raise RuntimeError("a player that has left was asked for its decision")
