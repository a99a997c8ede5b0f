"""Flat Monte Carlo on a GPU: the actions of thousands of positions tried at once, one thread for each action.

::

    player = DeviceFlat(Budget.read("200"), seed=0)  # decides as flat:200 with the same seed, but for last digits of an estimate
    player.act(Decisions.of(batch, np.arange(batch.num_games)))
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import cuda
from numpy.typing import NDArray

from timeline_env.engine import record, rng
from timeline_env.engine.cuda import MOST_WORKERS, THREADS_A_BLOCK, blocks_of, check_gpu, configure_launch, to_device
from timeline_env.players.interface import Decisions
from timeline_env.players.names import Budget
from timeline_env.players.search.players import best_mean
from timeline_env.players.search.uct import try_action

WORLDS_A_LAUNCH = 16
"""Simulations of an action in one kernel: Ctrl-C waits for a kernel to end."""


def flat_kernel(
    rules,
    roots,
    seats,
    seeds,
    position,
    actions,
    visits,
    start,
    stop,
    worlds,
    known,
    masks,
    points,
    rank,
    values,
    total,
):
    """Run simulations `start` up to `stop` of every job (an action in a position), but no more than its `visits`; sums go to `total`.

    A thread takes one job after the other. The n-th simulation of every action of a position is played in the same world.
    """
    thread = cuda.grid(1)
    for job in range(thread, position.shape[0], cuda.gridsize(1)):
        k = position[job]
        for i in range(start, min(stop, visits[job])):
            total[job] += try_action(
                rules, roots[k : k + 1], seats[k], rng.stream(seeds[k], i), actions[job], worlds[thread : thread + 1],
                known[thread : thread + 1], masks[thread], points[thread], rank[thread], values[thread],
            )  # fmt: skip


class DeviceFlat:
    """Chooses as `timeline_env.players.search.players.Flat` does with the same seed, for all decisions at once on the GPU.

    Args:
        budget: of each decision, in simulations.
        seed: of all that is drawn.

    Raises:
        ValueError: the budget is a time, or there is no GPU that numba can use.
    """

    def __init__(self, budget: Budget, seed: int = 0) -> None:
        if budget.seconds < float("inf"):
            raise ValueError(f"budget {budget.seconds * 1000:g}ms must be in simulations on a GPU, such as 200")
        check_gpu()
        self.budget, self.rng = budget, np.random.default_rng(seed)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]."""
        tried, seeds = [], np.zeros(len(decisions.seat), np.uint64)
        for k, mask in enumerate(decisions.action_mask):
            seeds[k] = self.rng.integers(2**64, dtype=np.uint64)
            tried.append(self.rng.permutation(np.flatnonzero(mask)))
        visits = [self._share(len(actions)) for actions in tried]
        ends = np.cumsum([len(actions) for actions in tried])[:-1]
        totals = np.split(self._totals(decisions, seeds, tried, visits), ends)
        return np.array([best_mean(*row) for row in zip(tried, totals, visits, strict=True)], np.int64)

    def _share(self, actions: int) -> NDArray[np.int64]:
        """How many simulations each of so many actions gets."""
        whole, rest = divmod(self.budget.simulations, actions)
        return whole + (np.arange(actions) < rest)

    def _totals(
        self,
        decisions: Decisions,
        seeds: NDArray[np.uint64],
        tried: list[NDArray[np.int64]],
        visits: list[NDArray[np.int64]],
    ) -> NDArray[np.float64]:
        """The sum of what the simulations of every action of every position came to, one after the other."""
        batch, actions, counts = decisions.batch, np.concatenate(tried), np.concatenate(visits)
        position = np.repeat(np.arange(len(tried)), list(map(len, tried)))
        blocks = min(blocks_of(len(actions), THREADS_A_BLOCK), MOST_WORKERS // THREADS_A_BLOCK)
        total: Any = to_device(np.zeros(len(actions)))
        given = (batch.rules, decisions.states(), decisions.seat, seeds, position, actions, counts)
        there = [to_device(array) for array in given]
        rooms = [to_device(array) for array in workrooms(batch, blocks * THREADS_A_BLOCK)]
        for start in range(0, int(counts.max()), WORLDS_A_LAUNCH):
            configure_launch(flat_kernel, blocks, THREADS_A_BLOCK)(
                *there, start, start + WORLDS_A_LAUNCH, *rooms, total
            )
            cuda.synchronize()
        return total.copy_to_host()


def workrooms(batch: Any, threads: int) -> tuple[Any, ...]:
    """Room for a simulation of each thread: what `timeline_env.players.search.players.make_room` is for one."""
    points, rank = np.zeros((2, threads, batch.num_players), np.float32)
    return (
        record.new(batch.game.state, threads),
        record.new(batch.game.state, threads),
        np.zeros((threads, batch.num_actions), np.int8),
        points,
        rank,
        np.zeros((threads, batch.num_players)),
    )
