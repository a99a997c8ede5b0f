"""How fast the searches simulate: ``python tools/search_speed.py --openspiel``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli, twilight_struggle
from timeline_env.arena.markdown import line, markdown_table
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.extras import require
from timeline_env.games import DEFAULT, PACKAGES, game_named
from timeline_env.players import Decisions
from timeline_env.players.registry import player_from
from timeline_env.players.search.players import make_room
from timeline_env.players.search.rollout import RANDOM_DECISIONS
from timeline_env.players.search.uct import judge
from timeline_env.players.twilight_struggle.rollout import decision

POSITIONS, AGE, SAMPLES = 16, 60, 5
OTHERS_SIMULATIONS, TO_THE_END = 50, 10
"""Simulations of OpenSpiel's search, going on as ours and to the end of the game: enough for a rate, few enough not to take long."""


def prepare_search(setting: Setting, name: str) -> Callable[[], object]:
    """A compiled search that decides in each of the positions when it is called."""
    batch = Batch(setting, POSITIONS)
    batch.play_random(AGE)
    player, asked = player_from(name, setting), Decisions.of(batch, np.arange(POSITIONS))
    player.act(asked)  # compiled here
    return lambda: player.act(asked)


def rates(game: Game, num_players: int, name: str, simulations: int) -> list[float]:
    """Simulations a second in each of the samples, smallest first."""
    return sample_speed(POSITIONS * simulations, prepare_search(Setting(game, num_players), name))


def sample_speed(simulations: int, search: Callable[[], object]) -> list[float]:
    """Simulations a second in each of the samples, smallest first; of processor time, so that other programs count little."""
    found = []
    for _ in range(SAMPLES):
        began = time.process_time()
        search()
        found.append(simulations / (time.process_time() - began))
    return sorted(found)


def openspiel_rates(game: Game, num_players: int, like_ours: bool) -> list[float]:
    """Simulations a second of OpenSpiel's MCTS in each of the samples, smallest first: playing on as ours, or at random to the end."""
    mcts, bridge = require("open_spiel.python.algorithms.mcts", "openspiel"), "timeline_env.bridges.openspiel"
    require(bridge, "openspiel")
    theirs = require("pyspiel", "openspiel").load_game(f"python_{game.name}(players={num_players})")
    random = np.random.RandomState(0)
    if not like_ours:
        evaluator: Any = mcts.RandomRolloutEvaluator(1, random)
    elif game is twilight_struggle.GAME:
        evaluator = LeafEvaluator(game, num_players, random)
    else:
        evaluator = mcts.RandomRolloutEvaluator(1, random, max_length=RANDOM_DECISIONS)
    simulations = OTHERS_SIMULATIONS if like_ours else TO_THE_END
    bot = mcts.MCTSBot(theirs, 1.4, simulations, evaluator, random_state=random)
    states = [aged_state(theirs, random) for _ in range(POSITIONS)]
    bot.mcts_search(states[0])  # compiled here
    return sample_speed(POSITIONS * simulations, lambda: [bot.mcts_search(state) for state in states])


class LeafEvaluator:
    """OpenSpiel's evaluator of leaves that plays on as our search does, through OpenSpiel's states."""

    def __init__(self, game: Game, num_players: int, random: Any) -> None:
        batch = Batch(Setting(game, num_players), 1)
        self.random, self.rules = random, batch.rules
        _, self.known, self.mask, *self.room = make_room(batch)

    def evaluate(self, state: Any) -> Any:
        """What the leaf is worth to each seat."""
        state = state.clone()
        action = 0
        while action >= 0:
            if state.is_chance_node():
                outcomes, _ = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(outcomes[self.random.randint(len(outcomes))])
                continue
            action = decision(self.rules, state.moment.states, self.known, self.mask)
            if action >= 0:
                state.apply_action(action)
        judge(self.rules, state.moment.states, *self.room)
        return self.room[-1].copy()

    def prior(self, state: Any) -> list[tuple[int, float]]:
        """Every legal action with the same probability."""
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


def aged_state(theirs: Any, random: Any) -> Any:
    """A state of OpenSpiel's game, `AGE` random decisions old and with a decision to take."""
    state, left = theirs.new_initial_state(), AGE
    while left or state.is_chance_node():
        left -= not state.is_chance_node()
        actions = state.legal_actions()
        state.apply_action(actions[random.randint(len(actions))])
        if state.is_terminal():  # the game ended too early
            return aged_state(theirs, random)
    return state


def rows(game: Game, simulations: int, openspiel: bool) -> Iterator[str]:
    """The table, line by line, in Markdown."""
    yield from markdown_table(("search", "players", "simulations/s (median of 5)", "lowest", "highest"), [])
    for kind in ("flat", "mcts"):
        for num_players in game.players:
            name = f"{kind}:{simulations}"
            yield row(f"`{name}`", num_players, rates(game, num_players, name, simulations))
    others = {"OpenSpiel's `MCTSBot`, to the same point": True, "OpenSpiel's `MCTSBot`, at random to the end": False}
    for name, like_ours in others.items() if openspiel else ():
        for num_players in game.players:
            yield row(name, num_players, openspiel_rates(game, num_players, like_ours))


def row(name: str, num_players: int, found: list[float]) -> str:
    """One line of the table."""
    return line((name, str(num_players), *(f"{rate:,.0f}" for rate in (found[SAMPLES // 2], found[0], found[-1]))))


def main(
    game: Annotated[str, typer.Option(help=" or ".join(PACKAGES))] = DEFAULT,
    simulations: Annotated[int, typer.Option(min=1, help="a decision")] = 2000,
    openspiel: Annotated[
        bool, typer.Option("--openspiel", help="OpenSpiel's MCTS too (needs the extra openspiel)")
    ] = False,
) -> None:
    """Measure how fast the searches simulate: simulations per second of one core's time, in positions 60 random decisions old.

    With --openspiel OpenSpiel's Python MCTS searches the same game in the same run: once playing on from its leaves as ours do (in
    Timeline by random decisions, as many; in Twilight Struggle by those of `heuristic`, to the same point), once as it comes, with
    random playouts to the end of the game.
    """
    for told in rows(game_named(game), simulations, openspiel):
        print(told, flush=True)


if __name__ == "__main__":
    cli.run(main)
