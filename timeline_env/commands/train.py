"""Train an agent by a configuration, or resume a run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from timeline_env import cli
from timeline_env.arena import evaluation_text
from timeline_env.extras import extra


def train(
    config: Annotated[
        Path | None,
        typer.Argument(help="the name of a shipped configuration, or a YAML file; not with --resume"),
    ] = None,
    overrides: Annotated[
        list[str] | None, typer.Argument(help="key=value changes a key: steps=100000 ppo.gamma=0.98 learner=ppo")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="resume the run in this folder")] = None,
    out: Annotated[Path | None, typer.Option(help="the new run's folder; by default runs/NAME-TIME")] = None,
    code: Annotated[
        list[str] | None,
        typer.Option(
            help="module:Class players that the configuration (or the run to resume) names and whose code may be run"
        ),
    ] = None,
    address: Annotated[
        str | None,
        typer.Option(
            help="with learner rllib: a Ray cluster to join, HOST:PORT or auto; by default this machine alone"
        ),
    ] = None,
    runners: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="with learner rllib: processes that play; by default the most that share the key envs equally, a CPU left free",
        ),
    ] = None,
) -> None:
    """Train an agent by the configuration, then play it against the baselines. A killed run is resumed with --resume.

    examples:
      timeline-env train timeline_quick
      timeline-env train timeline_quick num_players=3 steps=500000 --out runs/three
      timeline-env train --resume runs/three
    """
    with extra("train"):
        import training.run
        from training.learners.interface import Cluster

    cluster = Cluster(address, runners)
    run = training.run.begin_or_resume(config, overrides or [], resume, out, cluster, code or ())
    print(f"run folder: {run.path}", file=sys.stderr)
    with run.lock():
        training.run.train(run, cluster)
        for result in training.run.assess(run):
            cli.show_table(evaluation_text.title(result), evaluation_text.HEADER, evaluation_text.player_rows(result))
    print(f"{run.path}/learning_curve.png shows how it learned; {run.path}/evaluation.md holds these tables")
