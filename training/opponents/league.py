"""Who plays with the learner while it learns: itself, frozen snapshots of its pool, scripted players."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.batch import Batch
from timeline_env.engine.ranks import pair_scores
from timeline_env.engine.setting import Setting
from timeline_env.players.agents.agent import Agent
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.players.asking import ask
from timeline_env.players.opponents import Opponents, mix
from timeline_env.wrappers.seats import LEARNER
from training.config import POOL, SELF
from training.opponents.pool import Pool

OWN = 0
"""The learner's index among the league's players, for the other seats that it fills."""


def scripted_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """The opponents that are players in their own right, with their weights: all but the learner and its snapshots."""
    return {name: weight for name, weight in weights.items() if name not in (SELF, POOL)}


class League(Opponents):
    """Opponents that may include the learner itself and snapshots of it; see `Opponents`.

    While the pool is empty, its share goes to the others. Snapshots sample actions from their policies, as the learner does.

    Args:
        setting: what is played.
        weights: players' names with their weights; `self` and `pool` stand for the learner and its snapshots.
        pool: the snapshots; None if the weights do not ask for them.
    """

    def __init__(self, setting: Setting, weights: Mapping[str, float], pool: Pool | None) -> None:
        mix(weights)
        super().__init__(setting, {SELF: 1.0, **scripted_weights(weights)})
        self.scripted, self.pool = list(scripted_weights(weights)), pool
        self.weights = dict(weights)

    def begin(self, rng: np.random.Generator) -> None:
        """Load all players, each with a seed drawn from `rng`. The learner itself comes with `set_learner`."""
        self.rng = np.random.default_rng(rng.integers(2**32))
        own = self.players[OWN] if self.players else DepartedPlayer()
        self.names = [SELF, *self.scripted]
        self.players = [own, *(self.load(name, rng) for name in self.scripted)]
        self.refresh(np.zeros(0, np.int64))

    def set_learner(self, agent: Agent) -> None:
        """Let the learner's other seats be played by this agent from now on."""
        self.players[OWN] = NetworkPlayer(agent, int(self.rng.integers(2**32)), sampled=True)

    def refresh(self, seated: NDArray[np.int64]) -> None:
        """Add the snapshots that are new in the pool, and drop those that left it and sit in no game (`seated`: who sits, any shape)."""
        if self.pool:
            for name in self.pool.snapshots:
                if name not in self.names:
                    self.names.append(name)
                    seed = int(self.rng.integers(2**32))
                    self.players.append(NetworkPlayer(self.pool.agent(name), seed, sampled=True))
            for index in range(1 + len(self.scripted), len(self.names)):
                if self.names[index] not in self.pool.snapshots and not (seated == index).any():
                    self.players[index] = DepartedPlayer()
        self.weigh()

    def note_update(self, agent: Agent, every: int, seed: int, seated: NDArray[np.int64]) -> None:
        """After an update: if there is a pool, add a snapshot once the last one is `every` decisions old, and save the results.

        Args:
            agent: the current learner; it plays its own other seats from now on.
            every: decisions between two snapshots.
            seed: for the games that a snapshot is rated by.
            seated: who sits in the games under way, any shape.
        """
        if self.pool:
            if agent.about.steps - self.pool.latest() >= every:
                self.pool.add(agent, seed + agent.about.steps)
                self.refresh(seated)
            self.pool.save()
            self.weigh()
        self.set_learner(agent)

    def weigh(self) -> None:
        """Set everybody's chance, from the proportions asked for and from how often snapshots still beat the learner."""
        chances = self.pool.chances() if self.pool else {}
        share = self.weights.get(POOL, 0.0)
        weights = [chances[name] * share if name in chances else self.weights.get(name, 0.0) for name in self.names]
        total = sum(weights)
        # With nothing but an empty pool to draw from, the learner plays itself.
        self.chances = np.array(weights) / total if total else np.eye(len(weights))[OWN]

    def note_results(self, seating: NDArray[np.int64], rank: NDArray[np.float32]) -> None:
        """Note for each snapshot how often it was better than the learner, in all its seats, in games that ended."""
        if self.pool is None:
            return
        learner = (seating == LEARNER) | (seating == OWN)  # OWN: seats that it plays without learning from them
        for index in np.unique(seating[seating > len(self.scripted)]):
            games, seats = np.nonzero(seating == index)
            won = pair_scores(rank[games, seats][:, None], rank[games])[learner[games]]
            self.pool.note_games(self.names[index], float(won.sum()), float(len(won)))


class Table:
    """The seats of a batch whose finished games are dealt again, for a learner that plays several seats of a game.

    In every game one random seat is the learner's; a league draws who sits in the others, and where that is the learner
    itself, it learns from these seats too.

    Attributes:
        seating: int64 [n, players], who sits where: `LEARNER`, or the index of one of the league's players.
        own: int64 [n], the one seat of each game that is the learner's by lot.

    Args:
        league: who else plays; its players are loaded.
        batch: the games.
        seed: for the seats.
    """

    def __init__(self, league: League, batch: Batch, seed: int) -> None:
        self.league, self.batch = league, batch
        self.rng = np.random.default_rng(seed)
        self.seating = np.zeros((batch.num_games, batch.num_players), np.int64)
        self.own = np.zeros(batch.num_games, np.int64)
        self.draw(np.arange(batch.num_games))

    def draw(self, games: NDArray[np.int64]) -> None:
        """Draw new players for these games."""
        drawn = self.league.draw(self.rng, len(games))
        self.own[games] = self.rng.integers(self.batch.num_players, size=len(games))
        drawn[np.arange(len(games)), self.own[games]] = OWN
        self.seating[games] = np.where(drawn == OWN, LEARNER, drawn)

    def answer(self, actions: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Replace the learner's decisions (int64 [n]) with the others' where others are asked; gives where the learner is, [n]."""
        mine = self.seating[np.arange(len(actions)), self.batch.seat] == LEARNER
        others = np.flatnonzero(~mine)
        actions[others] = ask(self.league.players, self.seating, self.batch, others)
        return mine

    def note_step(self) -> None:
        """After a step: note the results of the games that ended, and seat the next ones."""
        over = np.flatnonzero(self.batch.done)
        if len(over):
            self.league.note_results(self.seating[over], self.batch.rank[over])
            self.draw(over)


class DepartedPlayer:
    """Takes the place of a snapshot that has left the pool and sits in no game."""

    def act(self, decisions: object) -> NDArray[np.int64]:
        """Never asked."""
        raise RuntimeError("a player that has left was asked for its decision")
