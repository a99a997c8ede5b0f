"""A game as RLlib plays it: networks decide through RLlib's modules, scripted players inside the environment.

An agent of the environment is named by the module that decides for it and by its seat, as in ``learner@0`` or ``snapshot_2@3``,
so that every runner, and one that was started again as well, finds the module by the name alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from timeline_env.engine.batch import Batch
from timeline_env.extras import require
from timeline_env.failures import PlayerFailed
from timeline_env.players import Decisions, Player
from timeline_env.players.asking import answers
from timeline_env.players.registry import player_from
from timeline_env.wrappers.seats import game_info
from training.config import SELF, Config, parse_config
from training.learners.prior import Prior
from training.opponents.league import scripted_weights

require("ray.rllib", "rllib")
from ray.rllib.env.multi_agent_env import MultiAgentEnv  # noqa: E402

LEARNER_MODULE = "learner"
AT = "@"
GAME_ZERO = np.zeros(1, np.int64)


def module_of(agent: str, *_: Any, **__: Any) -> str:
    """The module that decides for an agent."""
    return agent.partition(AT)[0]


def slots(config: Config) -> list[str]:
    """The frozen modules, as many as the pool has room for; none without a pool."""
    return [f"snapshot_{slot}" for slot in range(config.pool.size)] if config.has_pool else []


def modules(config: Config) -> list[str]:
    """The names of all modules."""
    return [LEARNER_MODULE, *slots(config)]


@dataclass(frozen=True)
class Seats:
    """Who may sit at a table, and how they are paid.

    Attributes:
        reward: the kind by which all are paid.
        chances: how likely each player is to be drawn, by name.
        slots: the module of each player that is a snapshot, by name.
        learned: decisions that were learned from so far. A table that begins at that point, since its runner was lost, deals other
            games than the table that it replaces.
    """

    reward: str
    chances: dict[str, float] = field(default_factory=lambda: {SELF: 1.0})
    slots: dict[str, str] = field(default_factory=dict)
    learned: int = 0


@dataclass(frozen=True)
class EndedGame:
    """A game that is over.

    Attributes:
        players: who sat in each seat, by name.
        rank: float32 [players].
        info: of the one seat that is the learner's in every game, as from `timeline_env.wrappers.seats.game_info`.
    """

    players: list[str]
    rank: NDArray[np.float32]
    info: dict[str, Any]


@dataclass(frozen=True)
class TableReport:
    """What has happened at a table since the last report.

    Attributes:
        ended: the games that ended.
        taken: how many decisions the learner took.
        failure: how a scripted player failed, in one line.
        is_new: whether this is its first report.
    """

    ended: list[EndedGame]
    taken: int
    failure: str | None
    is_new: bool


class Table(MultiAgentEnv):
    """One game after the other; in each one random seat is the learner's, and who sits in the others is drawn by `Seats`.

    Observations are dicts of ``observation``, int8 [d], the pieces that the configuration asks for, and ``action_mask``,
    int8 [A], see `observation_space`. An agent is paid all that its seat earned since its last decision; the first payment
    includes what the seat earned before its first decision.

    Args:
        context: under ``config``, the keys of a configuration; RLlib gives it the runner's number as the attribute ``worker_index``.
    """

    def __init__(self, context: Mapping[str, Any]) -> None:
        super().__init__()
        self.config = config = parse_config(dict(context["config"]))
        self.runner = getattr(context, "worker_index", 0)
        self.batch = Batch(config.setting, 1, 0, config.reward)
        self.columns = self.batch.layout.columns(config.network.pieces)
        self.possible_agents = [
            f"{module}{AT}{seat}" for module in modules(config) for seat in range(config.num_players)
        ]
        self.observation_spaces = dict.fromkeys(self.possible_agents, observation_space(config))
        self.action_spaces = dict.fromkeys(self.possible_agents, action_space(config))
        self.prior = Prior(config) if config.prior else None
        self.seats, self.taken = Seats(config.reward), 0
        self.ended: list[EndedGame] = []
        self.failure: str | None = None
        self.is_new = True
        self.begin(config.seed)

    def begin(self, seed: int) -> None:
        """Draw everything from this seed: deals, seats and the scripted players."""
        # RLlib seeds the second table of a runner as the first one of the next runner, or of a run with the next seed.
        self.rng = np.random.default_rng((self.config.seed, seed, self.runner, self.seats.learned))
        self.scripted: dict[str, Player] = {
            name: player_from(name, self.batch.setting, int(self.rng.integers(2**32)))
            for name in scripted_weights(self.config.opponents)
        }

    def exchange(self, seats: Seats) -> TableReport:
        """Pay by this reward from now on, draw players by these chances from the next game on; gives what has happened since the last call."""
        report = TableReport(self.ended, self.taken, self.failure, self.is_new)
        self.ended, self.taken, self.seats, self.is_new = [], 0, seats, False
        self.batch.reward_kind = self.config.registered_game.rewards.index(seats.reward)
        return report

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict, dict]:
        """Deal a game and play to the first decision of a network; gives the observation of the agent that is asked."""
        if seed is not None:
            self.begin(seed)
        self.deal()
        while self.over:  # before a network was asked: there is nothing to learn
            self.deal()
        seat = self.seat_asked
        return {self.agent(seat): self.observe(seat)}, {}

    def step(self, action_dict: dict[str, Any]) -> tuple[dict, dict, dict, dict, dict]:
        """Take the pending decision of a network, and play to the next or the end. Raises ValueError if it is not legal."""
        seat = self.seat_asked
        self.decisions[seat] += 1
        self.taken += self.modules[seat] == LEARNER_MODULE
        self.play(action_dict[self.agent(seat)])
        self.play_scripted()
        # At the end every agent that decided in this game gets a last observation; an agent that never did is unknown to RLlib.
        seats = np.flatnonzero(self.decisions).tolist() if self.over else [self.seat_asked]
        if self.over:
            self.ended.append(self.result())
        seen = {self.agent(seat): self.observe(seat) for seat in seats}
        paid = {self.agent(seat): self.pay(seat) for seat in seats if self.decisions[seat]}
        return seen, paid, {"__all__": self.over}, {"__all__": False}, {}

    def deal(self) -> None:
        """Deal a game with new seats, and play it to the first decision of a network."""
        players = self.batch.num_players
        self.batch.reset(int(self.rng.integers(2**63)))
        names, chances = list(self.seats.chances), list(self.seats.chances.values())
        self.players = [names[i] for i in self.rng.choice(len(names), players, p=chances)]
        self.own = int(self.rng.integers(players))
        self.players[self.own] = SELF
        self.modules = [
            None if name in self.scripted else self.seats.slots.get(name, LEARNER_MODULE) for name in self.players
        ]
        self.unpaid, self.paid = np.zeros(players), np.zeros(players)
        self.decisions = np.zeros(players, np.int64)
        self.play_scripted()

    def play_scripted(self) -> None:
        """Play on to the next decision of a network or the end."""
        while not self.over and self.modules[self.seat_asked] is None:
            self.play(self.ask(self.scripted[self.players[self.seat_asked]]))

    def ask(self, player: Player) -> int:
        """A scripted player's action; the first legal one if the player fails, which the next `exchange` reports.

        An error here would end the runner, of which RLlib says nothing but that it is gone.
        """
        try:
            return int(answers(player, Decisions.of(self.batch, GAME_ZERO))[0])
        except PlayerFailed as error:
            self.failure = str(error)
            return int(self.batch.action_mask[0].argmax())

    def play(self, action: Any) -> None:
        """Take the pending decision."""
        self.batch.step([int(action)], restart=False)
        self.unpaid += self.batch.reward[0]

    @property
    def over(self) -> bool:
        return bool(self.batch.seat[0] < 0)

    @property
    def seat_asked(self) -> int:
        """The seat whose decision is pending."""
        return int(self.batch.seat[0])

    def agent(self, seat: int) -> str:
        """RLlib's name of the agent in this seat."""
        return f"{self.modules[seat]}{AT}{seat}"

    def observe(self, seat: int) -> dict[str, NDArray[Any]]:
        """The seat's observation and mask, which carries the prior if there is one; at the end the mask is empty."""
        observation = self.batch.observe([0], [seat])[0] if self.over else self.batch.observation[0]
        mask = np.zeros(self.batch.num_actions, np.float32 if self.prior else np.int8)
        if not self.over:
            asked = Decisions.of(self.batch, GAME_ZERO)
            mask[:] = self.prior.weights(asked)[0] if self.prior else asked.action_mask[0]
        return {"observation": observation[self.columns], "action_mask": mask}

    def pay(self, seat: int) -> float:
        """What the seat has earned since it was last paid."""
        amount, self.unpaid[seat] = float(self.unpaid[seat]), 0.0
        self.paid[seat] += amount
        return amount

    def result(self) -> EndedGame:
        """The game that is over, and how the learner's own seat did in it."""
        own, rank = self.own, self.batch.rank[0]
        earned = float(self.paid[own] + self.unpaid[own])
        info = game_info(self.batch.points[0], rank, own, earned, int(self.decisions[own]))
        return EndedGame(self.players, rank.copy(), info)


def observation_space(config: Config) -> spaces.Dict:
    """What every agent sees: ``observation``, int8 [d], and ``action_mask``, int8 [A], or float32 [A] with a prior."""
    width = len(config.registered_game.layout(config.num_players).columns(config.network.pieces))
    actions = config.registered_game.num_actions(config.num_players)
    return spaces.Dict(
        {
            "observation": spaces.Box(-128, 127, (width,), np.int8),
            "action_mask": spaces.Box(0, 1, (actions,), np.float32 if config.prior else np.int8),
        }
    )


def action_space(config: Config) -> spaces.Discrete:
    """The action space of every agent."""
    return spaces.Discrete(config.registered_game.num_actions(config.num_players))
