"""The player that picks a legal action at random."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.loops import pick_random
from timeline_env.players.interface import Decisions


class Random:
    """Every legal action equally likely."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]."""
        words = self.rng.integers(2**64, size=len(decisions.seat), dtype=np.uint64)
        actions = np.empty(len(words), np.int64)
        pick_random(decisions.action_mask, words, actions)
        return actions
