"""How much, at least, a player can be exploited."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from timeline_env import cli
from timeline_env.arena import evaluation_text
from timeline_env.arena.evaluation import deals_for
from timeline_env.arena.exploitability import bound, words
from timeline_env.commands import options
from timeline_env.engine.variants import changes
from timeline_env.extras import extra
from timeline_env.players import load_player
from timeline_env.players.registry import find_game

MINUTES = 10.0
"""Minutes of training, unless the user says for how long, or from how many decisions."""


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
    minutes: Annotated[
        float | None, typer.Option(min=0.01, help="minutes of training; 10 if neither this nor --decisions is given")
    ] = None,
    decisions: Annotated[
        int | None, typer.Option(min=1, help="from how many decisions it learns, rounded up to whole updates")
    ] = None,
    games: Annotated[
        int, typer.Option(help="final games, rounded up to whole deals, each played once for every seat")
    ] = 4000,
    config: options.ChallengerConfig = None,
    rules: options.Rules = None,
    seed: options.TrainingSeed = 0,
) -> None:
    """Train a challenger against copies of PLAYER, then say by how much, at least, PLAYER can be exploited.

    examples:
      timeline-env best-response greedy --players 2 --minutes 5 --out runs/against_greedy
      timeline-env best-response projector --players 4 --decisions 10000000 --out runs/against_projector
    """
    played, players = find_game([player], game, players)
    players = played.usual_players if players is None else players
    load_player(player, played, seed, players, rules)
    deals_for(games, players)
    with extra("train"):
        from training.best_response import challenger_config, respond
        from training.learners.rllib.python import run_where_ray_is
    if minutes is None and decisions is None:
        minutes = MINUTES
    wanted = challenger_config(
        player, played, minutes, decisions, config, num_players=players, rules=changes(rules) or None, seed=seed
    )
    run_where_ray_is(wanted)
    found = respond(player, wanted, out, games, sys.argv)
    result = found.evaluation
    cli.show_table(evaluation_text.title(result), evaluation_text.HEADER, evaluation_text.player_rows(result))
    print(f"Trained on {found.decisions:,} decisions. {words(result, bound(result))}")
