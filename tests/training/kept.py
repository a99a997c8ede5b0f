"""A pool of snapshots in memory, which are not rated."""

from __future__ import annotations

from timeline_env.players.agents.agent import Agent


class KeptPool:
    """In the place of `training.opponents.pool.Pool`."""

    def __init__(self) -> None:
        self.snapshots: dict[str, Agent] = {}
        self.noted: dict[str, tuple[float, float]] = {}

    def agent(self, name: str) -> Agent:
        """A snapshot."""
        return self.snapshots[name]

    def chances(self) -> dict[str, float]:
        """All are drawn equally often."""
        return {name: 1 / len(self.snapshots) for name in self.snapshots}

    def note_games(self, name: str, won: float, games: float) -> None:
        """Sum up the results."""
        before = self.noted.get(name, (0.0, 0.0))
        self.noted[name] = before[0] + won, before[1] + games
