"""Players that search: they play on in worlds dealt from what their seat knows, and never read a hidden card.

How they are named: `timeline_env.players.names`. A budget in simulations gives the same moves for the same seed.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine import record
from timeline_env.engine.batch import Batch, run_loop
from timeline_env.engine.setting import Setting
from timeline_env.players.interface import Decisions
from timeline_env.players.names import GUIDED, Budget, PlayerName
from timeline_env.players.search.guided_rollout import GuidedRollout
from timeline_env.players.search.guides import Guide, Leaves, expectations, load_guide, worth_of_ranks
from timeline_env.players.search.puct import BATCH, collect_leaves, take_in
from timeline_env.players.search.uct import NODE, grow_tree, play_worlds, search_flat
from timeline_env.reading import label_errors, quote

MOST_NODES = 2**20
"""The most nodes of one tree; a search that goes on beyond them grows it no further."""
MOST_GUIDED_NODES = 2**14
"""The same where every node keeps the policy's logits."""
CANDIDATES = 6
"""How many of a guide's favourites race."""
NO_VALUE = "the guide must be an agent that carries a value of the reward 'rank' or 'win'"
CLEAR_LEAD = 2.0
"""By how many standard errors an action must lead the guide's first to be played in its place."""
CLEAR_LEAD_PLAYED_ON = 1.0
"""The same where the guide plays on: then each world says more about an action. See docs/results/search.md."""
FEWEST_WORLDS = 4
"""With fewer, a standard error means nothing."""


class Search(ABC):
    """What the kinds of search share: each decision is searched by itself, from its position as its seat knows it."""

    chunk = 64
    """Simulations between two looks at the clock."""

    def __init__(self, budget: Budget, seed: int = 0) -> None:
        self.budget = budget
        self.is_ready = math.isinf(budget.seconds)
        self.rng = np.random.default_rng(seed)

    def __getstate__(self) -> dict[str, Any]:
        """A copy may be for another process, where nothing is compiled yet."""
        return self.__dict__ | {"is_ready": math.isinf(self.budget.seconds)}

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]."""
        states, seats, candidates = decisions.states(), decisions.seat.tolist(), self.candidates(decisions)
        found = np.empty(len(seats), np.int64)
        for k, seat in enumerate(seats):
            seed = self.rng.integers(2**64, dtype=np.uint64)
            question = decisions.batch, states[k : k + 1], seat, seed, next(candidates)
            if not self.is_ready:
                self.get_ready(*question)
            found[k] = self.decide(*question)
        return found

    def get_ready(self, *question: Any) -> None:
        """Decide once, in as little time as possible, so that compiling, or reading from the cache, does not count as time to decide."""
        timed, self.budget = self.budget, replace(self.budget, seconds=0.0)
        try:
            self.decide(*question)
        finally:
            self.budget = timed
        self.is_ready = True

    def candidates(self, decisions: Decisions) -> Iterator[NDArray[np.int64]]:
        """For every row the actions to search, in the order in which they are first tried: all legal ones, shuffled."""
        for mask in decisions.action_mask:
            yield self.rng.permutation(np.flatnonzero(mask))

    @abstractmethod
    def decide(self, batch: Batch, root: Any, seat: int, seed: np.uint64, actions: NDArray[np.int64]) -> int:
        """The best of `actions` of `seat` in the position `root`, a record array [1] without what the seat does not know."""


class Flat(Search):
    """Flat Monte Carlo: every action is tried equally often; the best mean wins."""

    def decide(self, batch: Batch, root: Any, seat: int, seed: np.uint64, actions: NDArray[np.int64]) -> int:
        total, visits, scratch = np.zeros(len(actions)), np.zeros(len(actions), np.int64), make_room(batch)
        self.budget.spend(
            self.chunk,
            lambda start, stop: run_loop(
                batch.game, search_flat, batch.rules, root, seat, seed, start, stop, actions, total, visits, *scratch
            ),
        )
        return best_mean(actions, total, visits)


class Mcts(Search):
    """Information-set Monte Carlo tree search (UCT): one tree over all the worlds; the action visited most wins."""

    def decide(self, batch: Batch, root: Any, seat: int, seed: np.uint64, actions: NDArray[np.int64]) -> int:
        return most_visited(self.grow(batch, root, seat, seed, actions))

    def grow(self, batch: Batch, root: Any, seat: int, seed: np.uint64, actions: NDArray[np.int64]) -> Any:
        """The tree that the budget pays for; records [nodes]."""
        tree, size = new_tree(min(self.budget.simulations, MOST_NODES) + 1)
        scratch = make_room(batch)
        self.budget.spend(
            self.chunk,
            lambda start, stop: run_loop(
                batch.game, grow_tree, batch.rules, root, seat, seed, stop - start, actions, tree, size, *scratch
            ),
        )
        return tree[: size[0]]


class Puct(Search):
    """A tree search guided by a policy (PUCT), the guide asked for many leaves at once.

    Args:
        budget: of each decision.
        guide: whose policy says where to look first.
        seed: of all that is drawn.
        by_value: whether leaves are judged by what the guide foretells; else they are played on and judged by the estimate.

    Raises:
        ValueError: leaves are to be judged by a guide that carries no value.
    """

    chunk = BATCH

    def __init__(self, budget: Budget, guide: Guide, seed: int = 0, by_value: bool = False) -> None:
        super().__init__(budget, seed)
        self.guide, self.foretell = guide, guide.foretell if by_value else None
        if by_value and self.foretell is None:
            raise ValueError(NO_VALUE)

    def decide(self, batch: Batch, root: Any, seat: int, seed: np.uint64, actions: NDArray[np.int64]) -> int:
        return most_visited(self.grow(batch, root, seat, seed, actions))

    def grow(self, batch: Batch, root: Any, seat: int, seed: np.uint64, actions: NDArray[np.int64]) -> Any:
        """The tree that the budget pays for; records [nodes]."""
        tree, size = new_tree(min(self.budget.simulations, MOST_GUIDED_NODES) + 1)
        logits, asked = np.zeros((len(tree), batch.num_actions), np.float32), np.zeros(len(tree), np.bool_)
        nodes, ended = np.zeros(BATCH, np.int64), np.zeros(BATCH, np.bool_)
        values = np.zeros((BATCH, batch.num_players))
        leaves, (world, known, mask, points, rank, _) = Leaves.room(batch, BATCH), make_room(batch)

        # With two seats the view of the one to act is enough, which the guide is shown anyway.
        every_view = np.zeros((BATCH, batch.num_players if batch.num_players > 2 else 0, batch.layout.size), np.int8)

        def simulate(start: int, stop: int) -> None:
            run_loop(
                batch.game, collect_leaves,
                batch.rules, root, seat, seed, stop - start, actions, tree, size, logits, asked, self.guide.guidance,
                self.foretell is not None, nodes, leaves.positions, leaves.observation, leaves.action_mask, leaves.seat, ended,
                every_view, values, world, known, mask, points, rank,
            )  # fmt: skip
            count = stop - start
            if self.foretell and self.guide.for_wins:
                over = np.flatnonzero(ended[:count])
                values[over] = worth_of_ranks(-values[over], True)  # the less a rank is worth, the greater it is
            going_on = np.flatnonzero(~ended[:count])
            if self.foretell and len(going_on):
                views = every_view if batch.num_players > 2 else leaves.observation[:, None]
                values[going_on] = expectations(
                    self.foretell, batch, leaves.positions[going_on], leaves.seat[going_on], views[going_on]
                )
            answers = np.ascontiguousarray(self.guide.logits(leaves.first(count)), np.float32)
            run_loop(batch.game, take_in, tree, logits, asked, nodes[:count], ended, answers, values)

        simulate(0, 1)  # asks about the root, before which there is nothing to choose by
        self.budget.spend(self.chunk, simulate)
        return tree[: size[0]]


class Race(Search):
    """A guide's favourites, all in the same worlds; the worse half drops out, until two are left (successive halving).

    With a budget too small for that there is one round, of fewer favourites. What is compared is the difference in the same
    world, so that both share its luck. The guide's first is never dropped, and is played unless another has a clear lead. A
    guide that `plays_on` does so, and says what the worlds are worth (`timeline_env.players.search.guided_rollout`). With two
    players, where a script plays on to a position of the kind that an agent learns from, a world is worth the mean of the
    estimate and of what the guide foretells, if it can (`expectations`).

    Source: Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits", ICML 2013 (sequential halving).

    Args:
        budget: of each decision, in equal parts for the rounds.
        guide: whose favourites they are.
        seed: of all that is drawn.
    """

    chunk = 32

    def __init__(self, budget: Budget, guide: Guide, seed: int = 0) -> None:
        super().__init__(budget, seed)
        self.guide, self.rollout = guide, GuidedRollout(guide)

    def get_ready(self, *question: Any) -> None:
        super().get_ready(*question)
        self.rollout = GuidedRollout(self.guide)  # a new one, which does not know how long that took

    def candidates(self, decisions: Decisions) -> Iterator[NDArray[np.int64]]:
        """For every row the guide's favourites among the legal actions, the best first; equals in a random order."""
        for row, shuffled in zip(self.guide.logits(decisions), super().candidates(decisions), strict=True):
            yield shuffled[np.argsort(-row[shuffled], kind="stable")][:CANDIDATES]

    def decide(self, batch: Batch, root: Any, seat: int, seed: np.uint64, actions: NDArray[np.int64]) -> int:
        rounds = (len(actions) - 1).bit_length()
        simulations = self.rollout.affordable(self.budget) if self.guide.plays_on else self.budget.simulations
        if simulations < rounds * FEWEST_WORLDS * len(actions):  # one round, of no more actions than it can tell apart
            actions, rounds = actions[: max(simulations // FEWEST_WORLDS, 2)], min(rounds, 1)
        worth, least = np.zeros((0, len(actions))), FEWEST_WORLDS if rounds == 1 else 1
        for k in range(rounds):
            if k > 0:
                kept = keep_better_half(worth)
                actions, worth = actions[kept], worth[:, kept]
            played = self.play(batch, root, seat, seed, actions, len(worth), self.budget.share(rounds), least)
            worth = np.concatenate([worth, *played])
        return int(actions[leader_of(worth, CLEAR_LEAD_PLAYED_ON if self.guide.plays_on else CLEAR_LEAD)])

    def play(
        self,
        batch: Batch,
        root: Any,
        seat: int,
        seed: np.uint64,
        actions: NDArray[np.int64],
        first: int,
        budget: Budget,
        least: int,
    ) -> list[NDArray[np.float64]]:
        """What the actions are worth in the worlds from number `first` on, -1 to 1; float64 [worlds, n], in pieces.

        Where the guide plays on, a budget of time pays for `least` worlds at least.
        """
        if self.guide.plays_on:
            return self.rollout.spend(budget, batch, root, seat, seed, first, actions, least)
        count, scratch = len(actions), make_room(batch)
        found: list[NDArray[np.float64]] = []
        foretell = self.guide.foretell if batch.num_players == 2 and batch.game.rollout else None

        def simulate(start: int, stop: int) -> None:
            worlds = stop // count - start // count
            worth, movers = np.zeros((worlds, count)), np.zeros((worlds, count), np.int64)
            views = np.zeros((worlds if foretell else 0, count, batch.layout.size), np.int8)
            begun = first + start // count
            run_loop(
                batch.game, play_worlds,
                batch.rules, root, seat, seed, begun, begun + worlds, actions, worth, movers, views, *scratch,
            )  # fmt: skip
            if foretell:
                going_on = movers >= 0
                expected = expectations(foretell, batch, None, movers[going_on], views[going_on][:, None])
                worth[going_on] = (worth[going_on] + expected[:, seat]) / 2
            found.append(worth)

        budget.spend(max(self.chunk // count, 1) * count, simulate)
        return found


def keep_better_half(worth: NDArray[np.float64]) -> NDArray[np.int64]:
    """The columns with the better means, at least two; the first column is always one of them. In their order."""
    count = worth.shape[1]
    means = worth.mean(axis=0) if len(worth) else np.zeros(count)
    best = np.argsort(-means[1:], kind="stable")[: max((count + 1) // 2, 2) - 1] + 1
    return np.sort(np.append(0, best))


def leader_of(worth: NDArray[np.float64], clear: float) -> int:
    """The column that leads the first by most, of those that do so by `clear` standard errors; else the first."""
    if len(worth) < FEWEST_WORLDS:
        return 0
    leads = worth - worth[:, :1]
    mean, error = leads.mean(axis=0), leads.std(axis=0, ddof=1) / np.sqrt(len(worth))
    return int(np.where(mean > clear * error, mean, 0.0).argmax())


def make_room(batch: Batch) -> tuple[Any, ...]:
    """Room for one simulation: a position, what is known of it, a mask, and points, rank and value of each seat."""
    points, rank = np.zeros((2, batch.num_players), np.float32)
    return (
        record.new(batch.game.state),
        record.new(batch.game.state),
        np.zeros(batch.num_actions, np.int8),
        points,
        rank,
        np.zeros(batch.num_players),
    )


def new_tree(nodes: int) -> tuple[Any, NDArray[np.int64]]:
    """Room for this many nodes, and the number of them in use: one, the root."""
    tree = record.new(NODE, nodes)
    tree["parent"][0], tree["child"][0], tree["sibling"][0] = -1, -1, -1
    return tree, np.ones(1, np.int64)


def best_mean(actions: NDArray[np.int64], total: NDArray[np.float64], visits: NDArray[np.int64]) -> int:
    """The action whose simulations have the best mean; the first of equals."""
    return int(actions[np.where(visits > 0, total / np.maximum(visits, 1), -np.inf).argmax()])


def most_visited(tree: Any) -> int:
    """The root's action that was visited most; among equals, that of the best mean."""
    children = np.flatnonzero(tree["parent"] == 0)
    best = np.lexsort((tree["total"][children], tree["visits"][children]))[-1]
    return int(tree["action"][children[best]])


def search_player(name: PlayerName, setting: Setting, seed: int = 0) -> Search:
    """The search of this name. Raises ValueError, which names the player, if its guide cannot be loaded."""
    if name.search in GUIDED:
        with label_errors(f"player {quote(name.text)}"):
            if name.search == "value" and name.agent in setting.game.baselines:
                raise ValueError(NO_VALUE)
            guide = load_guide(name.agent, setting)
            if name.search == "race":
                return Race(name.budget, guide, seed)
            return Puct(name.budget, guide, seed, name.search == "value")
    return {"flat": Flat, "mcts": Mcts}[name.search](name.budget, seed)
