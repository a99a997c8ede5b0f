"""What happens beside learning: results are counted, checkpoints written, progress shown."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import replace
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback

from training import checkpoint, metrics
from training.checkpoint import Progress
from training.league import League
from training.model import to_agent
from training.run_folder import RunFolder


class Recorder(BaseCallback):
    """Called by the learner after every step and around every update."""

    def __init__(self, run: RunFolder, so_far: Progress, tell: metrics.Tell, league: League | None) -> None:
        super().__init__()
        self.run, self.league = run, league
        self.tell = tell
        self.saved = so_far.steps
        self.begun = time.monotonic() - so_far.seconds
        self.over = False
        self.ended: list[dict[str, Any]] = []
        self.recent: deque[float] = deque(maxlen=metrics.RECENT)

    def _on_step(self) -> bool:
        if self.over:
            self.model.num_timesteps = self.num_timesteps = self.saved  # of this step nothing is learned
            return False
        self.ended += [info for info in self.locals["infos"] if info]
        return True

    def _on_rollout_end(self) -> None:
        self.row = row = metrics.summary(self.num_timesteps, self.seconds, self.ended)
        self.recent.extend(info["result"]["win"] for info in self.ended)
        self.ended.clear()
        if row.games:
            self.logger.record("rollout/win_rate", row.win)
            self.logger.record("rollout/mean_rank", row.rank)
            self.logger.record("rollout/mean_points", row.points)
        self.tell(self.num_timesteps, self.seconds, metrics.note(self.recent, self.run.config.num_players))

    def _on_rollout_start(self) -> None:
        # The update is done only now, so that what is saved is what these steps have taught.
        self.save()
        agent = to_agent(self.model, self.run.config)  # type: ignore[arg-type]
        if self.num_timesteps - self.run.kept() >= self.run.config.checkpoint_every:
            checkpoint.keep(self.run, agent)
        if self.league and not self.over:
            seated = self.training_env.get_attr("seats")[0].seating
            self.league.learned(agent, self.run.config.pool.every, self.run.config.seed, seated)

    def save(self) -> None:
        """Write down what the last update gave, and the learner as it stands, unless this very one is there."""
        if self.num_timesteps > self.saved:
            seconds = self.seconds
            metrics.append(self.run.metrics, replace(self.row, seconds=round(seconds, 1)))
            checkpoint.save(self.run, self.model, seconds)  # type: ignore[arg-type]
            self.saved = self.num_timesteps
            self.over = self.run.config.done(self.saved, seconds) >= 1

    def learning_rate(self, _: float) -> float:
        """Adam's step by how much of the run is left; in the place of MaskablePPO's, which knows no time."""
        config = self.run.config
        return config.ppo.rate(1 - config.done(self.num_timesteps, self.seconds))

    @property
    def seconds(self) -> float:
        """Time spent on the run so far."""
        return time.monotonic() - self.begun
