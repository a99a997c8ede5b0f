"""Compile the games ahead of their first use."""

from __future__ import annotations

import time
from typing import Annotated

import numpy as np
import typer

from timeline_env.arena.games import play_games
from timeline_env.arena.processes import run_parallel
from timeline_env.engine import jit
from timeline_env.engine.batch import Batch
from timeline_env.engine.cache import NOT_SAVED
from timeline_env.engine.setting import Setting
from timeline_env.games import PACKAGES, game_named
from timeline_env.players.agents.prior import appraisers
from timeline_env.players.agents.shipped import SHIPPED, shipped_agent
from timeline_env.players.registry import player_from


def compile(
    games: Annotated[list[str] | None, typer.Argument(help=f"{', '.join(PACKAGES)}; else all")] = None,
    rules_only: Annotated[bool, typer.Option("--rules-only", help="environments and batches, but no players")] = False,
) -> None:
    """Compile the rules of all games, or of those named, ahead and side by side, for images and CI.

    examples:
      timeline-env compile
      timeline-env compile timeline --rules-only
    """
    chosen = [game_named(name) for name in games or PACKAGES]
    if jit.PLAIN_PYTHON:
        raise ValueError("NUMBA_DISABLE_JIT is set, so there is nothing to compile")
    if jit.NOT_KEPT:
        raise ValueError(f"nothing would be kept: {jit.NOT_KEPT}; NUMBA_CACHE_DIR names another folder")
    start = time.perf_counter()
    run_parallel(keep_game, [(game.name, rules_only) for game in chosen], len(chosen), lambda games: None)
    print(f"compiled in {time.perf_counter() - start:.1f} s; kept in {jit.CACHE_FOLDER}")


def keep_game(name: str, rules_only: bool) -> int:
    """Compile a game as `compile_game` does. Raises OSError if some of it could not be kept, as on a full disk."""
    done = compile_game(name, rules_only)
    if NOT_SAVED:
        raise OSError(f"what was compiled cannot be kept in {jit.CACHE_FOLDER}: {NOT_SAVED[0]}")
    return done


def compile_game(name: str, rules_only: bool) -> int:
    """Call once everything that environments, batches, positions in text and (unless `rules_only`) players compile for a game; gives 1, for one game."""
    game = game_named(name)
    setting = Setting(game, game.players[0])
    print(f"{game.name}: batches", flush=True)
    batch = Batch(setting, 2)
    batch.play_random(1)
    batch.restart(np.arange(1))
    batch.step(batch.action_mask.argmax(axis=1))
    batch.observe([0], [0])
    batch.refresh()
    game.notation.from_text(batch.rules, game.notation.to_text(batch.rules, batch.states[0]))
    if rules_only:
        return 1
    seating, seeds = np.zeros((1, setting.num_players), np.int64), np.zeros(1, np.uint64)
    for player in players_of(setting):
        print(f"{game.name}: player {player}", flush=True)
        play_games(setting, [player_from(player, setting)], seating, seeds)
    return 1


def players_of(setting: Setting) -> list[str]:
    """A player of each kind that compiles something of its own."""
    game = setting.game
    shipped = [SHIPPED] * shipped_agent(game.name, setting.num_players).is_file()
    guides = [*[*appraisers(game)][-1:], *shipped]
    races = [f"race:12@{guide}" for guide in guides]  # enough simulations for a round of three
    return [*game.baselines, *shipped, "flat:1", "mcts:1", *(f"puct:1@{guide}" for guide in guides), *races]
