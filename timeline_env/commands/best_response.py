"""How much, at least, a player can be exploited."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from timeline_env import cli
from timeline_env.arena import evaluation_text
from timeline_env.arena.evaluation import Evaluation, evaluate
from timeline_env.arena.exploitability import bound, words
from timeline_env.commands import options
from timeline_env.engine.variants import changes
from timeline_env.extras import extra
from timeline_env.players import load_player
from timeline_env.players.registry import find_game, read_about

FRESH = 2**32
"""Added to the seed for the deals of the final games: no training and no choice has seen them."""


def best_response(
    player: Annotated[
        str,
        typer.Argument(
            help="a baseline of the game, module:Class or a trained agent's path; frozen, it plays in all other seats"
        ),
    ],
    out: Annotated[
        Path,
        typer.Option(
            help="the run's folder; a run that is there is resumed, with as many minutes as it was begun with"
        ),
    ],
    game: options.GameName = None,
    players: options.Players = None,
    minutes: Annotated[float, typer.Option(min=0.01, help="how long the challenger is trained")] = 10.0,
    games: Annotated[
        int, typer.Option(help="final games, rounded up to whole deals, each played once for every seat")
    ] = 4000,
    config: Annotated[
        Path | None,
        typer.Option(help="how the challenger is trained: a configuration's name or file; else the game's quick one"),
    ] = None,
    rules: options.Rules = None,
    seed: Annotated[
        int, typer.Option(min=0, max=FRESH - 1, help="of the training; the final deals follow from it")
    ] = 0,
) -> None:
    """Train a challenger against copies of PLAYER, then say by how much, at least, PLAYER can be exploited.

    example:
      timeline-env best-response greedy --players 2 --minutes 5 --out runs/against_greedy
    """
    played, players = find_game([player], game, players)
    players = played.usual_players if players is None else players
    load_player(player, played, seed, players, rules)
    if games < 2 * players:
        raise ValueError(f"--games {games} must be at least {2 * players}: two deals, every seat")
    with extra("train"):
        from training.best_response import begin_or_resume, challenger_config
        from training.learners.rllib.python import run_where_ray_is
        from training.run import train
    wanted = challenger_config(
        player, played, minutes, config, num_players=players, rules=changes(rules) or None, seed=seed
    )
    run_where_ray_is(wanted)
    run = begin_or_resume(wanted, out, sys.argv)
    with run.lock():
        train(run)
        with cli.progress("final games", games) as advance:
            result = evaluate(played, str(out), [player], games, players, seed + FRESH, run.config.rules, advance)
        challenger = read_about(str(out))
        assert challenger is not None
        show(result, out, challenger.steps)


def show(result: Evaluation, out: Path, steps: int) -> None:
    """Print the games by seat and the bound, and keep both."""
    found = bound(result)
    cli.show_table(evaluation_text.title(result), evaluation_text.HEADER, evaluation_text.player_rows(result))
    print(f"Trained on {steps:,} decisions. {words(result, found)}")
    content = {"decisions": steps, "bound": asdict(found), "evaluation": result.as_dict()}
    cli.to_json(out / "best_response.json", content)
