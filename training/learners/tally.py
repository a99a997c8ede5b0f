"""What the seats of games earn and decide from one rollout to the next, until each game ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.wrappers.seats import game_info


class Tally:
    """What every seat of `games` games side by side has earned and decided so far, over one rollout after the other."""

    def __init__(self, games: int, players: int) -> None:
        self.earned, self.decisions = np.zeros((games, players)), np.zeros((games, players), np.int64)

    def count(self, rollout: Any) -> list[dict[str, Any]]:
        """The games that ended in a `training.learners.ppo.Rollout`, each as from `game_info`."""
        ended, games = [], np.arange(len(self.earned))
        parts = ("reward", "seat", "done", "points", "rank", "own")
        for reward, seat, done, points, rank, own in zip(
            *(getattr(rollout, name).cpu().numpy() for name in parts), strict=True
        ):
            self.earned += reward
            self.decisions[games, seat] += 1
            for i in np.flatnonzero(done):
                mine = i, own[i]
                ended.append(game_info(points[i], rank[i], own[i], self.earned[mine], self.decisions[mine]))
            self.earned[done], self.decisions[done] = 0, 0
        return ended
