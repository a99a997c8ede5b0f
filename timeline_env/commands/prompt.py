"""Show what a player that asks a command, or a language model, is sent."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from timeline_env import words
from timeline_env.commands.options import refuse_idle
from timeline_env.commands.positions import SEED, lay_out, play
from timeline_env.games import DEFAULT, PACKAGES, game_named
from timeline_env.words.player import message

DECISIONS = 40
"""After so many decisions a game has come far enough that there is much to ask."""


def prompt(
    game: Annotated[str, typer.Option(help=", ".join(PACKAGES))] = DEFAULT,
    seed: Annotated[int | None, typer.Option(help=f"of the deal and of the players; else {SEED}")] = None,
    players: Annotated[
        int | None, typer.Option(help="seats; if left out, 4 (Timeline) or 2 (Twilight Struggle)")
    ] = None,
    decisions: Annotated[
        int | None, typer.Option(min=0, help=f"show what follows after so many; else {DECISIONS}")
    ] = None,
    position: Annotated[str | None, typer.Option(help="show this one, a line as in docs/notation.md; no game")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="the position as JSON in place of a drawing")] = False,
    line: Annotated[bool, typer.Option("--line", help="print the whole line that a command is sent")] = False,
) -> None:
    """Print the prompt of a decision out of a game between the best baselines.

    examples:
      timeline-env prompt --game twilight_struggle --seed 3
      timeline-env prompt --line --decisions 60
    """
    chosen = game_named(game)
    if position is None:
        decisions = DECISIONS if decisions is None else decisions
        batch, taken, _ = play(chosen, SEED if seed is None else seed, players, decisions)
        if batch.done[0]:
            raise ValueError(f"--decisions {decisions} must be less than {taken}, after which this game ends")
    else:
        refuse_idle("beside --position", {"--seed": seed, "--players": players, "--decisions": decisions})
        batch = lay_out(chosen, position)
    question = words.ask(batch)
    text = question.prompt(as_json)
    print(json.dumps(message(question, text)) if line else text)
