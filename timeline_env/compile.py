"""Compiles the rules of all games, or of those named, ahead and side by side, for images and CI: ``python -m timeline_env.compile``."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from timeline_env import cli
from timeline_env.arena.games import play_games
from timeline_env.engine import jit
from timeline_env.engine.batch import Batch
from timeline_env.engine.verbs import Game
from timeline_env.games import PACKAGES, game_named
from timeline_env.players.agents.prior import appraisers
from timeline_env.players.agents.shipped import SHIPPED, shipped_agent
from timeline_env.players.registry import load_player


def compile_game(name: str, rules_only: bool) -> None:
    """Call everything that environments, batches and (unless `rules_only`) players compile for a game once."""
    game = game_named(name)
    num_players = game.players[0]
    print(f"{game.name}: batches", flush=True)
    batch = Batch(game, 2, num_players)
    batch.play_random(1)
    batch.restart(np.arange(1))
    batch.observe([0], [0])
    batch.refresh()
    if rules_only:
        return
    seating, seeds = np.zeros((1, num_players), np.int64), np.zeros(1, np.uint64)
    for player in players_of(game, num_players):
        print(f"{game.name}: player {player}", flush=True)
        play_games(game, [load_player(player, game, 0, num_players)], seating, seeds)


def players_of(game: Game, num_players: int) -> list[str]:
    """A player of each kind that compiles something of its own."""
    shipped = [SHIPPED] * shipped_agent(game.name, num_players).is_file()
    guides = [*[*appraisers(game)][-1:], *shipped]
    return [*game.baselines, *shipped, "flat:1", "mcts:1", *(f"puct:1@{guide}" for guide in guides)]


def main() -> None:
    """Compile the games and say where the result is kept."""
    options = cli.Parser(prog="python -m timeline_env.compile", description=__doc__)
    options.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(PACKAGES)} (default: all)")
    options.add_argument("--rules-only", action="store_true", help="environments and batches, but no players")
    asked = options.parse_args()
    with cli.refusals():
        games = [game_named(name) for name in asked.games or PACKAGES]
    if jit.PLAIN_PYTHON:
        cli.fail("NUMBA_DISABLE_JIT is set, so there is nothing to compile")
    if jit.NOT_KEPT:
        cli.fail(f"nothing would be kept: {jit.NOT_KEPT}; NUMBA_CACHE_DIR names another folder")
    start = time.perf_counter()
    with ProcessPoolExecutor(len(games), get_context("spawn")) as processes:
        for done in [processes.submit(compile_game, game.name, asked.rules_only) for game in games]:
            done.result()
    print(f"compiled in {time.perf_counter() - start:.1f} s; kept in {jit.CACHE_FOLDER}")


if __name__ == "__main__":
    main()
