"""One run on a Ray cluster, from where it stands to its end. Its folder is that of every other run."""

from __future__ import annotations

import logging
import os
import shutil
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from timeline_env.extras import require
from timeline_env.players.opponents import mix
from timeline_env.wrappers.seats import LEARNER
from training import checkpoint, metrics
from training.checkpoint import LEARNER_FILE, Progress, come_to, readable
from training.config import Config
from training.league import OWN, League
from training.rllib.algorithm import Learner, settings
from training.rllib.table import Ended, Seats, slots
from training.run_folder import RunFolder
from training.train import league_of

ray = require("ray", "rllib")

KIND = "RLlib's PPO"
ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 20
"""Updates without a decision of the learner after which the run is given up: no runner plays, and none comes back."""


@contextmanager
def cluster(address: str | None) -> Iterator[None]:
    """Join the Ray cluster at this address, or start one on this machine; its processes find this code at the same path."""
    path = os.pathsep.join([str(ROOT), os.getcwd(), *filter(None, [os.environ.get("PYTHONPATH")])])
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)  # it greets every run with warnings about itself
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # or Ray reports home
    try:
        ray.init(
            address=address or "local",
            include_dashboard=False,
            log_to_driver=False,
            logging_level="ERROR",
            runtime_env={"env_vars": {"PYTHONPATH": path, "TIMELINE_ENV_QUIET": "1"}},
        )
    except (ConnectionError, ValueError, RuntimeError, ray.exceptions.RayError) as error:
        raise ValueError(f"no Ray cluster at {address!r}: {error}") from None
    try:
        yield
    finally:
        ray.shutdown()


def share(config: Config, wanted: int | None) -> int:
    """How many runners play: as many as wanted, else the most that share `envs` equally and leave a CPU to the learner."""
    if wanted is not None:
        return wanted
    most = max(1, int(ray.cluster_resources().get("CPU", 1)) - 1)
    return max(runners for runners in range(1, most + 1) if config.envs % runners == 0)


def train(run: RunFolder, runners: int | None) -> None:
    """Learn from where the run stands to its last step or minute. Games in progress when it was killed are dealt anew.

    Args:
        run: the run; the cluster is joined already.
        runners: how many processes play; None for as many as the cluster has room for.

    Raises:
        ValueError: `envs` cannot be shared equally among the runners, or what is in the folder cannot be gone on with.
    """
    config = run.config
    file = run.path / LEARNER_FILE
    so_far = steps_in(file)
    algorithm = settings(config, share(config, runners), (config.seed + so_far.steps) % 2**31).build_algo()
    try:
        learner = Learner(algorithm, config)
        if so_far.steps:
            with readable(file, KIND) as state:
                learner.go_on(state["policy"], state["optimizer"])
        with metrics.progress(config, so_far.steps, so_far.seconds) as tell:
            Course(run, learner, so_far, tell).finish()
    finally:
        algorithm.stop()
        shutil.rmtree(algorithm.logdir, ignore_errors=True)  # an empty folder in the user's home


def steps_in(file: Path) -> Progress:
    """How far the run has come, before the seconds that a cluster takes."""
    if not file.is_file():
        return Progress()
    with readable(file, KIND) as state:
        return come_to(state)


class Course:
    """Update after update, with all that is noted beside it.

    Args:
        run: where it is noted.
        learner: who learns; its network and optimizer stand where the run does.
        so_far: where that is.
        tell: of `training.metrics.progress`.
    """

    def __init__(self, run: RunFolder, learner: Learner, so_far: Progress, tell: metrics.Tell) -> None:
        self.run, self.config, self.learner, self.tell = run, run.config, learner, tell
        self.steps, self.updates, self.idle = so_far.steps, so_far.updates, 0
        self.begun, self.saved = time.monotonic() - so_far.seconds, so_far.seconds
        self.recent: deque[float] = deque(maxlen=metrics.RECENT)
        self.slots: dict[str, str] = {}
        self.league = league_of(run)
        if self.league:
            self.league.begin(np.random.default_rng(self.config.seed + self.steps))
            self.fill_slots()

    def finish(self) -> None:
        """Take the steps that are left, or those that there is time for."""
        metrics.begin(self.run.metrics, self.steps)
        self.learner.tell(self.seats())
        while self.config.done(self.steps, self.saved) < 1:
            self.update()
        if self.run.kept() < self.steps:
            checkpoint.keep(self.run, self.learner.agent(self.steps))

    def update(self) -> None:
        """Play and learn once, and write down what came of it."""
        self.learner.update(self.config.ppo.rate(1 - self.config.done(self.steps, self.seconds)))
        told = self.learner.tell(self.seats())
        taken = sum(each.taken for each in told)
        self.note(taken, [game for each in told for game in each.ended])
        if taken:
            self.keep()
        self.learner.tell(self.seats())

    def note(self, taken: int, ended: list[Ended]) -> None:
        """Count decisions and results. Raises ConnectionError if there have been none for long."""
        self.idle = 0 if taken else self.idle + 1
        if self.idle == PATIENCE:
            raise ConnectionError(
                f"no runner has played for {PATIENCE} updates; see Ray's logs, then go on with --resume"
            )
        self.steps, self.updates = self.steps + taken, self.updates + 1
        infos = [game.info for game in ended]
        self.recent.extend(info["result"]["win"] for info in infos)
        if taken:
            metrics.append(self.run.metrics, metrics.summary(self.steps, self.seconds, infos))
        self.tell(self.steps, self.seconds, metrics.note(self.recent, self.config.num_players))
        if self.league:
            self.league_ended(self.league, ended)

    def league_ended(self, league: League, ended: list[Ended]) -> None:
        """Tell the pool how its snapshots did."""
        if ended:
            seating = [[league.names.index(name) for name in game.players] for game in ended]
            league.ended(np.where(np.array(seating) == OWN, LEARNER, seating), np.array([game.rank for game in ended]))

    def keep(self) -> None:
        """Save the learner; keep an agent and add a snapshot when it is time."""
        self.saved = self.seconds
        checkpoint.write(self.run, KIND, *self.learner.state(), Progress(self.steps, self.updates, self.saved))
        agent = self.learner.agent(self.steps)
        if self.steps - self.run.kept() >= self.config.checkpoint_every:
            checkpoint.keep(self.run, agent)
        if self.league:
            self.league.learned(agent, self.config.pool.every, self.config.seed, np.zeros(0, np.int64))
            self.fill_slots()

    def fill_slots(self) -> None:
        """Give every snapshot of the pool a frozen module; whoever has left the pool makes room."""
        pool = self.league.pool  # type: ignore[union-attr]
        self.slots = {name: slot for name, slot in self.slots.items() if name in pool.snapshots}
        free = [slot for slot in slots(self.config) if slot not in self.slots.values()]
        new = dict(zip((name for name in pool.snapshots if name not in self.slots), free, strict=False))
        self.slots |= new
        if new:
            self.learner.play_by({slot: pool.agent(name) for name, slot in new.items()})

    def seats(self) -> Seats:
        """Who may sit at a table now."""
        if self.league is None:
            names, chances = mix(self.config.opponents)
        else:
            names, chances = self.league.names, self.league.chances
        likely = {name: float(chance) for name, chance in zip(names, chances, strict=True) if chance > 0}
        return Seats(likely, dict(self.slots))

    @property
    def seconds(self) -> float:
        """Time spent on the run so far."""
        return time.monotonic() - self.begun
