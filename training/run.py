"""One run from its configuration to its evaluation, with any learner."""

from __future__ import annotations

import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel

from timeline_env import cli
from timeline_env.arena import evaluation_text
from timeline_env.arena.deals import FINAL_GAMES, SEEDS
from timeline_env.arena.evaluation import Evaluation, evaluate
from timeline_env.engine.setting import Setting
from timeline_env.extras import require
from timeline_env.files import remove_partial, write_json, write_text
from timeline_env.players.agents.agent_files import read_agent
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.players.registry import player_from
from timeline_env.reading import flatten, quote
from training.config import Config, Now, check_own, load_config, refuse_own
from training.learners.interface import LIBRARIES, Cluster, Learner, Update, learner_of
from training.learners.rllib.python import run_where_ray_is
from training.opponents.league import League, scripted_weights
from training.opponents.pinned import pin_players, players_named, short_name
from training.opponents.pool import FOLDER, Pool
from training.results import curve, metrics
from training.run_folder import Progress, RunFolder, create, open_run, read_run
from training.start import start_agent


def begin_or_resume(
    config: Path | None,
    overrides: list[str],
    resume: Path | None,
    out: Path | None,
    cluster: Cluster,
    own: Collection[str] = (),
) -> RunFolder:
    """The folder of a new run by a configuration, or of the run that is to be resumed.

    Args:
        config, overrides: of a new run.
        resume: the folder of one that is to go on.
        out: where a new one goes; None for a folder named by the configuration and the time.
        cluster: where RLlib plays.
        own: ``module:Class`` players of the file or the run whose code may be run.

    Raises:
        ValueError: neither or both are asked for, or what was given is wrong; nothing was written then.
    """
    if config is not None and resume is None:
        wanted = load_config(config, overrides, own)
        path = out or Path("runs") / f"{config.stem}-{time.strftime('%Y%m%d-%H%M%S')}"
    elif resume is not None and config is None and out is None:
        wanted, path = read_run(resume)[0].config, resume
        refuse_own(wanted, own, f"run {quote(str(resume))}")
    else:
        raise ValueError("give a configuration (with key=value and --out as you like), or --resume RUN alone")
    check_own(wanted, own)
    cluster.check(wanted)
    run_where_ray_is(wanted)
    return begin(wanted, path, sys.argv) if resume is None else open_run(path, sys.argv)


def find_or_begin(config: Config, path: Path, command: list[str]) -> RunFolder:
    """The run by this configuration at `path`, which keeps the minutes that it was begun with; or a new one.

    Raises:
        ValueError: the folder holds something else.
    """
    if not path.exists():
        return begin(config, path, command)
    run = open_run(path, command)
    asked = pin_players(config, players_named(run.config))
    before, now = flatten_keys(run.config), flatten_keys(asked)
    changed = [
        f"{key} {quote(value)}, now {quote(now[key])}"
        for key, value in before.items()
        if key != "minutes" and value != now[key]
    ]
    if run.config.minutes != config.minutes:
        print(f"{path} was begun with minutes={run.config.minutes}, and keeps them", file=sys.stderr)
    if changed:
        raise ValueError(f"{str(path)!r} holds another run: {'; '.join(changed)}; give another folder")
    return run


def flatten_keys(model: BaseModel, prefix: str = "") -> dict[str, Any]:
    """The values of a configuration by their dotted keys."""
    found: dict[str, Any] = {}
    for key, value in model:
        found |= flatten_keys(value, f"{prefix}{key}.") if isinstance(value, BaseModel) else {f"{prefix}{key}": value}
    return found


def begin(config: Config, path: Path, command: list[str]) -> RunFolder:
    """Make a run's folder, after everything that can be wrong with its configuration has been checked.

    What the run keeps names agents of other runs by their files, see `pin_players`: those runs may go on.

    Raises:
        ValueError: an opponent cannot be loaded or is named twice, no GPU is there where one is asked for, or `path` exists.
        MissingExtra: the learner's library is not installed.
    """
    start_agent(config)
    config = pin_players(config)
    for name in dict.fromkeys((*config.against, *scripted_weights(config.opponents))):
        player_from(name, config.setting, config.seed)
    library, extra = LIBRARIES[config.learner]
    require(library, extra)
    if config.device == "cuda":
        from timeline_env.engine.cuda import check_gpu

        if not require("torch", "train").cuda.is_available():
            raise ValueError("device 'cuda' must be cpu here: PyTorch finds no GPU that it can use")
        check_gpu()
    return create(path, config, command)


def train(run: RunFolder, cluster: Cluster = Cluster()) -> None:  # noqa: B008
    """Learn from where the run is to its last step or minute. Games in progress when it was killed give way to new deals.

    Args:
        run: the run; the caller has locked its folder.
        cluster: where RLlib plays.

    Raises:
        ValueError: what is in the folder cannot be resumed, or the learner is refused, see `learner_of`.
    """
    run.check_here()
    remove_partial(run.path)
    config, so_far = run.config, run.progress()
    if config.share_done(so_far.steps, so_far.seconds) >= 1 and run.last_checkpoint() == so_far.steps:
        return
    seed = (config.seed + so_far.steps) % SEEDS
    league = league_of(run)
    league.begin(np.random.default_rng(seed))
    with tell_out_of_memory(), learner_of(config, league, seed, cluster) as learner:
        if so_far.steps:
            with run.load_state() as state:
                learner.restore(state)
                learner.now = Now(**state["now"])
        elif (agent := start_agent(config)) is not None:
            learner.take(agent)
        with metrics.progress(config, so_far.steps, so_far.seconds) as show:
            TrainingRun(run, learner, league, so_far, show).finish()


@contextmanager
def tell_out_of_memory() -> Iterator[None]:
    """Raise Python's own MemoryError where PyTorch finds that the machine or the GPU has too little memory."""
    try:
        yield
    except RuntimeError as error:
        if type(error).__name__ == "OutOfMemoryError" or "can't allocate memory" in str(error):
            raise MemoryError(flatten(error)) from None
        raise


def league_of(run: RunFolder) -> League:
    """Who plays against the learner."""
    config, wanted, pool = run.config, run.config.pool, None
    if config.has_pool:
        pool = Pool(run.path / FOLDER, config.setting, wanted.size, config.against, wanted.power)
    return League(config.setting, config.opponents, pool)


class TrainingRun:
    """Update after update, with all that is noted and kept meanwhile.

    Args:
        run: where it is noted.
        learner: who learns; its network and optimizer are those of the run.
        league: who else plays.
        so_far: the run's progress.
        show: from `training.results.metrics.progress`.
    """

    def __init__(self, run: RunFolder, learner: Learner, league: League, so_far: Progress, show: metrics.Show) -> None:
        self.run, self.config, self.learner, self.league, self.show = run, run.config, learner, league, show
        self.steps, self.saved = so_far.steps, so_far.seconds
        self.begun = time.monotonic() - so_far.seconds
        self.recent: deque[float] = deque(maxlen=metrics.RECENT)
        self.notes = metrics.Notes(run.path, so_far.steps)
        league.set_learner(learner.agent(self.steps))

    def finish(self) -> None:
        """Take the steps that are left, or those that there is time for."""
        with closing(self.notes):
            while self.config.share_done(self.steps, self.saved) < 1:
                self.update()
            if self.run.last_checkpoint() < self.steps:
                self.run.keep(self.learner.agent(self.steps))

    def update(self) -> None:
        """Play and learn once, and write down what came of it."""
        done = self.config.share_done(self.steps, self.seconds)
        update = self.learner.update(self.config.now(done))
        self.steps += update.decisions
        self.save(update)
        agent = self.learner.agent(self.steps)
        if self.steps - self.run.last_checkpoint() >= self.config.checkpoint_every:
            self.run.keep(agent)
        # After the learner is saved: no snapshot is ahead of it, and the time of rating games counts towards the next update.
        self.league.note_update(agent, self.config.pool.every, self.config.seed, self.learner.seating)

    def save(self, update: Update) -> None:
        """Save the learner and its row of metrics. A kill between the two leaves a row too many, which resuming removes."""
        self.run.check_here()
        self.saved = self.seconds
        self.notes.add(metrics.summary(self.steps, self.saved, update.ended), update.losses)
        self.run.save(self.learner.state() | {"now": vars(self.learner.now)}, Progress(self.steps, self.saved))
        self.recent.extend(info["result"]["win"] for info in update.ended)
        self.show(self.steps, self.saved, metrics.note(self.recent, self.config.num_players))

    @property
    def seconds(self) -> float:
        """Time spent on the run so far."""
        return time.monotonic() - self.begun


def measure(
    path: Path,
    setting: Setting,
    against: str,
    games: int,
    seed: int,
    progress: Callable[[int], None] = lambda finished: None,
) -> Evaluation:
    """Play a trained agent against copies of a player. Its path may hold characters that have a meaning in players' names.

    Args:
        path: of its run folder, or of its file.
        setting: what is played.
        against: the player's name.
        games, seed, progress: as for `evaluate`.

    Raises:
        ValueError: no agent for this setting is there, or as `evaluate` does.
        PlayerFailed: as `evaluate` does.
    """
    player = NetworkPlayer(read_agent(path, setting), seed)
    found = evaluate(
        setting.game, player, [against], games, setting.num_players, seed, setting.changes or None, progress
    )
    return replace(found, player=str(path))


def assess(run: RunFolder) -> list[Evaluation]:
    """Play the agent against each baseline, on deals of their own, and draw the learning curve; all is written into the run's folder."""
    config, wanted = run.config, run.config.evaluation
    titled = config.model_copy(update={"opponents": {short_name(name): 1.0 for name in config.opponents}})
    curve.draw(metrics.read(run.metrics), titled, run.path / "learning_curve.png")
    results = []
    for name in config.against:
        with cli.progress(f"evaluation against {short_name(name)}", wanted.games) as show:
            results.append(measure(run.path, config.setting, name, wanted.games, config.seed + FINAL_GAMES, show))
    write_json(run.path / "evaluation.json", [result.as_dict() for result in results])
    write_text(run.path / "evaluation.md", evaluation_text.markdown(results))
    return results
