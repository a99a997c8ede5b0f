"""The player of Twilight Struggle that picks at random, but nothing that may lose the game at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.jit import entry
from timeline_env.engine.loops import pick_random
from timeline_env.players.interface import Decisions
from timeline_env.players.twilight_struggle.danger import is_reckless


class Cautious:
    """Every legal action that does not risk the game at once equally likely; if all do, every legal action."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]."""
        mask = np.array(decisions.action_mask)
        drop_reckless(decisions.states(), decisions.seat, mask)
        words = self.rng.integers(2**64, size=len(mask), dtype=np.uint64)
        actions: Any = np.empty(len(mask), np.int64)
        pick_random(mask, words, actions)
        return actions


@entry
def drop_reckless(S, seats, mask):
    """Take the reckless actions out of each row of `mask`, unless nothing would be left."""
    for k in range(mask.shape[0]):
        safe = 0
        for action in range(mask.shape[1]):
            if mask[k, action] and not is_reckless(S[k], seats[k], action):
                safe += 1
        if safe:
            for action in range(mask.shape[1]):
                if mask[k, action] and is_reckless(S[k], seats[k], action):
                    mask[k, action] = 0
