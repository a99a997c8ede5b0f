"""What hidden information is worth: ``python tools/hidden.py``."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.arena.estimates import Row
from timeline_env.arena.evaluation import evaluate
from timeline_env.engine import record, rng
from timeline_env.engine.batch import Batch
from timeline_env.engine.jit import entry
from timeline_env.engine.loops import determinize_games
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game, play
from timeline_env.games import DEFAULT, PACKAGES, game_named
from timeline_env.players import Decisions
from timeline_env.players.interface import Player
from timeline_env.players.names import Budget
from timeline_env.players.registry import player_from
from timeline_env.players.search.players import Flat, best_mean, make_room
from timeline_env.players.search.rollout import roll_out
from timeline_env.players.search.uct import judge

BLANKED = {"timeline": (("hand",), ("pledges",)), "twilight_struggle": (("known",), ("discards",), ("hand",))}
"""The pieces of the observation that are put to 0, for each game and row."""
HEADER = ("player", "against", "games", "win rate, %", "mean points")


@entry
def search_world(
    rules, root, seat, seed, start, stop, actions, total, visits, world, known, mask, points, rank, values
):
    """As `timeline_env.players.search.uct.search_flat`, but always in the world `root`: chance alone is new."""
    for i in range(start, stop):
        k = i % actions.shape[0]
        word = rng.stream(seed, i // actions.shape[0])
        world[0] = root[0]
        world[0].rng = rng.mix(word)
        play(rules[0], world[0], actions[k])
        roll_out(rules, world, known, mask, rng.advance(word))
        judge(rules, world, points, rank, values)
        total[k] += values[seat]
        visits[k] += 1


@dataclass(frozen=True)
class Open(Decisions):
    """Decisions that show everything."""

    def states(self) -> Any:
        """Copies of the positions, nothing hidden."""
        return record.take(self.batch.states, self.games)


class OneWorld(Flat):
    """Flat Monte Carlo in a single world: a guess, or the true one."""

    def __init__(self, budget: Budget, seed: int, sees: bool) -> None:
        super().__init__(budget, seed)
        self.sees = sees

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]."""
        return super().act(Open(**vars(decisions)) if self.sees else decisions)

    def decide(self, batch: Batch, root: Any, seat: int, seed: np.uint64, actions: NDArray[np.int64]) -> int:
        """The action with the best mean."""
        if not self.sees:
            determinize_games(batch.rules, root, np.array([seat]), np.array([seed]))
        total, visits, scratch = np.zeros(len(actions)), np.zeros(len(actions), np.int64), make_room(batch)
        self.budget.spend(
            self.chunk,
            lambda start, stop: search_world(
                batch.rules, root, seat, seed, start, stop, actions, total, visits, *scratch
            ),
        )
        return best_mean(actions, total, visits)


@dataclass(frozen=True)
class Blanked:
    """A player to whom some of the observation's numbers are always 0."""

    player: Player
    columns: NDArray[np.int64]

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """What the player does without them."""
        seen = decisions.observation.copy()
        seen[:, self.columns] = 0
        return self.player.act(Decisions(**vars(decisions) | {"observation": seen}))


def contestants(game: Game, num_players: int, simulations: int, seed: int) -> list[tuple[str, Player, str]]:
    """Each player with its name and the name of whom it meets."""
    setting, budget, name = Setting(game, num_players), Budget(simulations, float("inf")), f"flat:{simulations}"
    made: list[tuple[str, Player, str]] = [
        (f"{name}, guesses once", OneWorld(budget, seed, False), name),
        (f"{name}, sees everything", OneWorld(budget, seed, True), name),
    ]
    for pieces in BLANKED[game.name]:
        columns = game.layout(num_players).columns(pieces)
        blind = Blanked(player_from("shipped", setting, seed), np.asarray(columns))
        made.append((f"shipped, {' and '.join(pieces)} blanked", blind, "shipped"))
    return made


def row(name: str, other: str, games: int, found: Row) -> list[str]:
    """One line of the table."""
    return [name, other, f"{games:,}", found.win.text(100), found.points.text(1, 2)]


def main(
    game: Annotated[str, typer.Option(help=" or ".join(PACKAGES))] = DEFAULT,
    players: Annotated[int, typer.Option(help="seats; the others are all the same")] = 2,
    simulations: Annotated[int, typer.Option(min=1, help="a decision")] = 100,
    games: Annotated[int, typer.Option(help="of each row of the searches; the agent plays ten times as many")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="the same seed gives the same table")] = 0,
) -> None:
    """Measure what hidden information is worth: players that ignore it, or see it, against the same player as it is.

    Searches (flat Monte Carlo, so many simulations a decision): one that "guesses once" deals what its seat does not know a single time,
    and takes that for the truth in all its simulations; one that "sees everything" searches in the position as it is, with the other
    hands open, and in Timeline with the order of the deck and the bag; the dice are still thrown anew.

    The agent `shipped` with some of its network's inputs put to 0: what its seat was shown, or can remember. The script that the network
    corrects keeps its own view, and so does the guard of the agent of Twilight Struggle.
    """
    chosen, rows = game_named(game), []
    for name, player, other in contestants(chosen, players, simulations, seed + 1):
        count = games * (10 if other == "shipped" else 1)
        with cli.progress(f"{name}: games", count) as advance:
            found = evaluate(chosen, player, [other], count, players, seed, progress=advance)
        rows.append(row(name, other, found.games, found.overall))
    cli.show_table(f"Hidden information, {game}, {players} seats", HEADER, rows)


if __name__ == "__main__":
    cli.run(main)
