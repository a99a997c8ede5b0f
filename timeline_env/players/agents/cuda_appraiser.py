"""What a scripted player thinks of each action, by kernels: the same rules of thumb for all games of a batch on a GPU.

A player class can do this if it has, beside `values`, a compiled function ``value_rule(rules, S, k, seat, action, scratch)``
(what a legal action is worth in position ``S[k]``, which it must leave alone, since other threads read it at the same time;
`scratch` is a record array to play in) and ``room``, how many positions `scratch` has.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import cuda

from timeline_env.engine import record
from timeline_env.engine.cuda import MOST_WORKERS, CudaBatch, blocks_of, configure_launch, to_device
from timeline_env.engine.verbs import hide


def hide_kernel(rules, S, seats, known):
    """Write the positions as the seats to act know them into `known`."""
    i = cuda.grid(1)
    if i < S.shape[0]:
        known[i] = S[i]
        hide(rules[0], known[i], max(seats[i], 0))


@cache
def appraise_kernel_of(value_rule: Any) -> Any:
    """The kernel that asks a player's `value_rule` about every legal action."""

    def appraise_kernel(rules, S, mask, seats, scratch, room, out):
        """Write what each action is worth into `out` (float64 [n, A]); a thread takes one action after the other."""
        thread = cuda.grid(1)
        own = scratch[thread * room : (thread + 1) * room]
        for job in range(thread, mask.shape[0] * mask.shape[1], cuda.gridsize(1)):
            k, action = job // mask.shape[1], job % mask.shape[1]
            out[k, action] = value_rule(rules, S, k, seats[k], action, own) if mask[k, action] else -np.inf

    return appraise_kernel


class CudaAppraiser:
    """A player's opinion of the actions pending in all games of a batch.

    Attributes:
        values: float64 [n, A] on the device, -inf where an action is not legal; written by `look`.

    Args:
        player: one of `timeline_env.players.agents.prior.device_appraisers`.
        batch: the games.
    """

    def __init__(self, player: Any, batch: CudaBatch) -> None:
        self.batch, self.room = batch, player.room
        self.kernel = appraise_kernel_of(player.value_rule)
        self.blocks = min(
            blocks_of(batch.num_games * batch.num_actions, batch.threads_a_block), MOST_WORKERS // batch.threads_a_block
        )
        self.values = cuda.device_array((batch.num_games, batch.num_actions), np.float64)
        self.known = to_device(record.new(batch.game.state, batch.num_games))
        self.scratch = to_device(record.new(batch.game.state, self.blocks * batch.threads_a_block * self.room))

    def look(self) -> None:
        """Start valuing the actions that are pending now."""
        batch = self.batch
        batch.launch(hide_kernel, batch.rules, batch.states, batch.seat, self.known)
        configure_launch(self.kernel, self.blocks, batch.threads_a_block)(
            batch.rules, self.known, batch.action_mask, batch.seat, self.scratch, self.room, self.values
        )
