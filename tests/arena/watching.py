"""A player that remembers what it was shown and what it chose."""

from __future__ import annotations

import numpy as np

from timeline_env.players import Decisions


class Watching:
    """Takes a random legal action, and keeps every decision in `seen`: game, observation, mask, seat, action."""

    seen: list[tuple[np.ndarray, ...]] = []  # noqa: RUF012

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, decisions: Decisions) -> np.ndarray:
        chances = self.rng.random(decisions.action_mask.shape)
        actions = np.where(decisions.action_mask == 1, chances, -1).argmax(axis=1)
        self.seen.append((decisions.games, decisions.observation, decisions.action_mask, decisions.seat, actions))
        return actions
