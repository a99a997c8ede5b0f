"""Worlds in which a guide plays on for every seat, and then says what the searching seat can expect.

Where an action leads shows when the turn is over, not before: the guide plays on by its best actions, so that what it is asked
about in the end is a position of the kind that it has learned from. Tesauro and Galperin, "On-line Policy Improvement using
Monte-Carlo Search", NeurIPS 1996, did so in backgammon, and stopped the games early, too.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine import record
from timeline_env.engine.batch import Batch, run_loop
from timeline_env.engine.loops import determinize_games, fill_streams, hide_games
from timeline_env.players.interface import Decisions
from timeline_env.players.names import Budget
from timeline_env.players.search.guides import Guide, worth_of_ranks

TURNS = 2
"""How many turns of the searching seat are played to their ends, the one that it is in included. A run of its decisions counts as one,
even where it ends because others are asked within the turn. See docs/results/search.md."""
REMEMBERED = 0.8
"""How much of what earlier pieces took still counts after each new one."""
AT_ONCE = 128
"""Simulations (a world and an action each) that the guide is asked about together, at most."""


class Cost:
    """The time that a piece of simulations takes: a fixed part and one for each simulation, by least squares over recent pieces."""

    def __init__(self) -> None:
        self.sums = np.zeros(5)  # of 1, n, n², t and n·t

    @property
    def is_known(self) -> bool:
        """Whether any piece has been noted."""
        return bool(self.sums[0] > 0)

    def note(self, simulations: int, seconds: float) -> None:
        """Learn from a piece."""
        self.sums *= REMEMBERED
        self.sums += (1, simulations, simulations**2, seconds, simulations * seconds)

    def simulations_in(self, seconds: float) -> int:
        """How many simulations a piece that takes this time is likely to have."""
        pieces, n, nn, t, nt = self.sums
        fixed, each = 0.0, max(t / n, 1e-9)  # a clock may stand still
        if (spread := pieces * nn - n * n) > 1e-6 * nn * pieces:  # pieces of more than one size
            slope = (pieces * nt - n * t) / spread
            if slope > 0 and t > slope * n:
                fixed, each = (t - slope * n) / pieces, slope
        return max(int((seconds - fixed) / each), 0)


class GuidedRollout:
    """Plays on after actions in worlds that all of them share. It has one batch for them, so only one thread may use it at a time.

    Args:
        guide: who plays on, and says what can be expected.
        turns: see `TURNS`; with more than the game has, it is played to its end.
    """

    def __init__(self, guide: Guide, turns: int = TURNS) -> None:
        self.guide, self.turns = guide, turns
        self._room: Batch | None = None
        self._cost = Cost()

    def affordable(self, budget: Budget) -> int:
        """How many simulations a budget is likely to pay for in one piece, by what they took lately."""
        if self._cost.is_known and math.isfinite(budget.seconds):
            return min(budget.simulations, self._cost.simulations_in(budget.seconds))
        return budget.simulations

    def spend(
        self,
        budget: Budget,
        batch: Batch,
        root: Any,
        seat: int,
        seed: np.uint64,
        first: int,
        actions: NDArray[np.int64],
        least: int,
    ) -> list[NDArray[np.float64]]:
        """`play` in the worlds from number `first` on, in pieces, until the budget is spent.

        The guide is asked about all worlds of a piece together, so the clock cannot be checked meanwhile: a piece is as large as
        the time left is likely to allow, by what simulations took lately; the first has at least `least` worlds.
        """
        count, begun, done = len(actions), time.perf_counter(), 0
        found: list[NDArray[np.float64]] = []
        while True:
            affordable = budget.simulations - done
            if math.isfinite(budget.seconds):
                left = budget.seconds - (time.perf_counter() - begun)
                likely = self._cost.simulations_in(left) if self._cost.is_known else 0
                affordable = min(affordable, likely if found else max(likely, least * count))
            worlds = min(affordable, AT_ONCE) // count
            if worlds <= 0:
                return found
            started = time.perf_counter()
            found.append(self.play(batch, root, seat, seed, first, first + worlds, actions))
            self._cost.note(found[-1].size, time.perf_counter() - started)
            first, done = first + worlds, done + found[-1].size

    def play(
        self, batch: Batch, root: Any, seat: int, seed: np.uint64, start: int, stop: int, actions: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """What every one of the actions is worth in the worlds `start` up to `stop`, -1 to 1; float64 [worlds, n].

        Args:
            batch: describes the games.
            root: the position, a record array [1] without what the seat does not know.
            seat: who takes one of the actions there.
            seed: of the worlds.
            start: the number of the first world.
            stop: the number after the last, above `start`.
            actions: legal ones, int64 [n].
        """
        count = len(actions)
        worlds = self._deal(batch, root, seat, seed, start, stop, count)
        everywhere = games = np.arange((stop - start) * count)
        turns, last = np.zeros(len(games), np.int64), np.full(len(games), seat)  # turns that are over; who acted last
        worlds.step_legal(np.tile(actions, stop - start), games, False)
        while True:
            mover = worlds.seat[games]
            turns[games] += (last[games] == seat) & (mover != seat)
            last[games] = mover
            games = games[(mover >= 0) & (turns[games] < self.turns)]
            if not len(games):
                break
            asked = Decisions.of(worlds, games)
            chosen = np.where(asked.action_mask, self.guide.logits(asked), -np.inf).argmax(axis=1)
            worlds.step_legal(chosen, games, False)
        worth = worth_of_ranks(worlds.rank[everywhere], self.guide.for_wins)[:, seat]
        going_on = everywhere[worlds.seat[everywhere] >= 0]
        worth[going_on] = self._expected(worlds, going_on, seat)
        return worth.reshape(-1, count)

    def _deal(self, batch: Batch, root: Any, seat: int, seed: np.uint64, start: int, stop: int, count: int) -> Batch:
        """Games in which every world is dealt `count` times, one after the other."""
        size = (stop - start) * count
        if self._room is None or self._room.num_games < size or self._room.setting is not batch.setting:
            self._room = Batch(batch.setting, max(size, AT_ONCE))
        words = np.empty(stop - start, np.uint64)
        fill_streams(seed, start, words)
        self._room.states[:size] = root[0]
        states = self._room.states[:size]
        run_loop(batch.game, determinize_games, batch.rules, states, np.full(size, seat), np.repeat(words, count))
        self._room.refresh(np.arange(size))
        return self._room

    def _expected(self, worlds: Batch, games: NDArray[np.int64], seat: int) -> NDArray[np.float64]:
        """What the seat can expect in these games, by what it sees; with two seats, by what the one to act sees and expects."""
        movers = worlds.seat[games]
        viewers = movers if worlds.num_players == 2 else np.full(len(games), seat)
        positions = record.take(worlds.states, games)
        hide_games(worlds.rules, positions, viewers)
        assert self.guide.foretell is not None
        told = self.guide.foretell(worlds, positions, viewers, worlds.observe(games, viewers)).astype(np.float64)
        return np.where(viewers == seat, told, -told)
