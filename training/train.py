"""One run from its configuration to its evaluation."""

from __future__ import annotations

from pathlib import Path

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure

from timeline_env import cli
from timeline_env.arena import evaluation_text
from timeline_env.arena.evaluation import Evaluation, evaluate
from timeline_env.files import write_text
from timeline_env.players import load_player
from training import checkpoint, curve, metrics
from training.checkpoint import Progress
from training.config import Config
from training.league import League, reserved, scripted
from training.model import make_env, make_model, to_agent
from training.pool import FOLDER, Pool
from training.recorder import Recorder
from training.run_folder import RunFolder, create


def start(config: Config, path: Path, command: list[str]) -> RunFolder:
    """Make a run's folder, after everything that can be wrong with its configuration has been looked at."""
    for name in {*config.against, *scripted(config.opponents)}:
        load_player(name, config.played, config.seed, config.num_players, config.rules)
    return create(path, config, command)


def train(run: RunFolder) -> None:
    """Learn from where the run stands to its last step or minute. Games in progress when it was killed are dealt anew."""
    config = run.config
    torch.set_num_threads(config.threads)
    league = league_of(run)
    model = make_model(config, make_env(config, config.seed, league), config.seed)
    so_far = checkpoint.restore(run, model)
    if config.done(so_far.steps, so_far.seconds) < 1:
        learn(run, model, so_far, league)
    if run.kept() < model.num_timesteps:
        checkpoint.keep(run, to_agent(model, config))


def learn(run: RunFolder, model: MaskablePPO, so_far: Progress, league: League | None) -> None:
    """Take the steps that are left, or those that there is time for."""
    config = run.config
    model.set_random_seed((config.seed + so_far.steps) % 2**32)
    run.check_here()
    model.set_logger(configure(str(run.path / "tensorboard"), ["tensorboard"]))
    metrics.begin(run.metrics, so_far.steps)
    if league:
        league.learner_is(to_agent(model, config))
    with metrics.progress(config, so_far.steps, so_far.seconds) as tell:
        recorder = Recorder(run, so_far, tell, league)
        model.lr_schedule = recorder.learning_rate
        model.learn(config.steps - so_far.steps, callback=recorder, reset_num_timesteps=False)
        recorder.save()
    if league:
        league.pool.save()


def league_of(run: RunFolder) -> League | None:
    """The opponents, if some are the learner itself or its snapshots."""
    config, wanted = run.config, run.config.pool
    if not reserved(config.opponents):
        return None
    pool = Pool(
        run.path / FOLDER, config.played, config.num_players, wanted.size, config.against, wanted.power, config.rules
    )
    return League(config.played, config.num_players, config.opponents, pool)


def assess(run: RunFolder) -> list[Evaluation]:
    """Play the agent against each baseline and draw the learning curve; all is written into the run's folder."""
    config, wanted = run.config, run.config.evaluation
    curve.draw(metrics.read(run.metrics), config, run.path / "learning_curve.png")
    results = []
    for name in config.against:
        with cli.progress(f"evaluation against {name}", wanted.games) as show:
            results.append(
                evaluate(
                    config.played,
                    str(run.path),
                    [name],
                    wanted.games,
                    config.num_players,
                    config.seed,
                    config.rules,
                    show,
                )
            )
    cli.to_json(run.path / "evaluation.json", [result.as_dict() for result in results])
    write_text(run.path / "evaluation.md", evaluation_text.markdown(results))
    return results
