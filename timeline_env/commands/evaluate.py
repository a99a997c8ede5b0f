"""How good a player is against others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from timeline_env import cli
from timeline_env.arena import evaluation, evaluation_text
from timeline_env.commands import options
from timeline_env.files import check_writable, write_json
from timeline_env.players.registry import find_game


def evaluate(
    player: Annotated[
        str,
        typer.Argument(
            help="a baseline of the game, mcts:200, race:50ms@shipped, module:Class, process:COMMAND or a trained agent's path"
        ),
    ],
    against: Annotated[
        list[str],
        typer.Option(
            help="players in the other seats; with two seats several of them take turns, deal by deal, with more they share the table"
        ),
    ],
    game: options.GameName = None,
    games: Annotated[int, typer.Option(help="rounded up to whole deals, each played once for every seat")] = 1000,
    players: options.Players = None,
    seed: options.Seed = 0,
    rules: options.Rules = None,
    json: Annotated[Path | None, typer.Option(help="write the result here, too")] = None,
) -> None:
    """Play PLAYER against others, in every seat equally often and with the same deals for every seat.

    examples:
      timeline-env evaluate runs/three --against projector random
      timeline-env evaluate heuristic --against cautious --game twilight_struggle --games 2000
    """
    if json is not None:
        check_writable("--json", json)
    played, players = find_game([player, *against], game, players)
    with cli.progress("games", games) as advance:
        result = evaluation.evaluate(played, player, against, games, players, seed, rules, advance)
    cli.show_table(evaluation_text.title(result), evaluation_text.HEADER, evaluation_text.player_rows(result))
    cli.show_table("Every seat, whoever sat in it", evaluation_text.HEADER, evaluation_text.table_rows(result))
    if json is not None:
        write_json(json, result.as_dict())
