"""How well judges foresee how games end: ``python tools/calibration.py --game timeline --players 4``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.games import finish_games
from timeline_env.engine import record
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.jit import entry
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import estimate
from timeline_env.games import DEFAULT, PACKAGES, game_named
from timeline_env.players.interface import Decisions
from timeline_env.players.registry import player_from
from timeline_env.players.search.guides import load_guide, worth_of_ranks

NOTED = 0.1
"""Share of the decisions that are noted: neighbours are nearly alike."""
SAMPLES = 1000
"""How many samples the bootstrap over games draws."""
FIFTHS = np.linspace(-1, 1, 6)
"""Edges of the second table's columns."""


@dataclass(frozen=True)
class Judge:
    """Says what seats may expect.

    Attributes:
        expect: what the seat to act in each of these games (int64 [k]) of a batch may expect; float64 [k], -1 to 1.
        for_wins: whether that is about a win alone, see `timeline_env.players.search.guides.Guide`; else about the place.
    """

    expect: Callable[[Batch, NDArray[np.int64]], NDArray[np.float64]]
    for_wins: bool = False


@entry
def estimates(rules, S, seats, out):
    """Write into `out` (float64 [k]) the estimate of each position (records [k], which it may change) for the seat in its row."""
    values = np.zeros(rules[0].num_players)
    for k in range(out.shape[0]):
        estimate(rules[0], S[k], values)
        out[k] = values[seats[k]]


def ask_estimate(batch: Batch, games: NDArray[np.int64]) -> NDArray[np.float64]:
    """What the game's estimate says, see `Judge`."""
    positions = record.take(batch.states, games)
    out = np.zeros(len(games))
    estimates(batch.rules, positions, batch.seat[games].astype(np.int64), out)
    return out


BY_ESTIMATE = Judge(ask_estimate)


def judge_by_agent(name: str, setting: Setting) -> Judge:
    """What an agent expects. Raises ValueError if it has not learned what places or wins are worth."""
    guide = load_guide(name, setting)
    foretell = guide.foretell
    if foretell is None:
        raise ValueError(
            f"agent {name!r} does not know what positions are worth: it must have learned for the reward rank or win"
        )

    def expect(batch: Batch, games: NDArray[np.int64]) -> NDArray[np.float64]:
        asked = Decisions.of(batch, games)
        return foretell(batch, asked.states(), asked.seat, asked.observation).astype(np.float64)

    return Judge(expect, guide.for_wins)


@dataclass(frozen=True)
class Found:
    """What the judges said, and what came of it: `expected` and `result` (in each judge's terms) float64 [judges, n], `game` int64 [n]."""

    expected: NDArray[np.float64]
    result: NDArray[np.float64]
    game: NDArray[np.int64]


def play(setting: Setting, names: list[str], judges: list[Judge], games: int, seed: int, progress: Any) -> Found:
    """Play games between players of these names, drawn for each seat; gives what the judges expected on the way, and the results."""
    rng = np.random.default_rng(seed)
    players = [player_from(name, setting, seed + index) for index, name in enumerate(names)]
    batch = Batch(setting, games)
    batch.deal(game_seeds(seed, games))
    seating = rng.integers(len(players), size=(games, batch.num_players))
    expected, whose, seats = [], [], []

    def look(running: NDArray[np.int64]) -> None:
        noted = running[rng.random(len(running)) < NOTED]
        if len(noted):
            expected.append(np.stack([judge.expect(batch, noted) for judge in judges]))
            whose.append(noted)
            seats.append(batch.seat[noted])

    finish_games(batch, players, seating, progress, look)
    game, seat = np.concatenate(whose), np.concatenate(seats)
    results = [worth_of_ranks(batch.rank, judge.for_wins)[game, seat] for judge in judges]
    return Found(np.concatenate(expected, axis=1), np.stack(results), game)


def share_explained(found: Found, judge: int, rng: np.random.Generator) -> Estimate:
    """The share of the results' variance that a judge explains, with the 95 % interval of a bootstrap over games."""
    games = int(found.game.max()) + 1
    result = found.result[judge]
    error = np.bincount(found.game, (found.expected[judge] - result) ** 2, games)
    spread = np.bincount(found.game, (result - result.mean()) ** 2, games)
    often = rng.multinomial(games, np.full(games, 1 / games), SAMPLES)
    low, high = np.percentile(1 - (often @ error) / (often @ spread), [2.5, 97.5])
    return Estimate(1 - error.sum() / spread.sum(), float(low), float(high))


def reliability(found: Found, judge: int) -> list[str]:
    """For each fifth of what is expected: what was expected on average, what came of it, and of how many positions."""
    column = np.clip(np.digitize(found.expected[judge], FIFTHS) - 1, 0, 4)
    cells = []
    for fifth in range(5):
        rows = column == fifth
        count = int(rows.sum())
        if count:
            cells.append(
                f"{found.expected[judge][rows].mean():+.2f}: {found.result[judge][rows].mean():+.2f} ({count:,})"
            )
        else:
            cells.append("–")
    return cells


def main(
    game: Annotated[str, typer.Option(help=" or ".join(PACKAGES))] = DEFAULT,
    players: Annotated[int | None, typer.Option(help="seats; else the game's usual number")] = None,
    agents: Annotated[
        list[str] | None, typer.Option(help="judges beside the estimate, names or paths; shipped if left out")
    ] = None,
    games: Annotated[int, typer.Option(min=10, help="to play")] = 2000,
    seed: Annotated[int, typer.Option(min=0, help="the same seed gives the same tables")] = 0,
) -> None:
    """Measure how well judges foresee how games end: the estimate that searches judge by, and what trained agents expect.

    Agents and the strongest scripted player play; some of their decisions are noted, and every judge says what the seat to act may expect
    there: 1 to be first, -1 to be last; of an agent that learned for wins alone, 1 to win and -1 not to. The first table says how much of
    the results' variance each judge explains (1: all, 0: as much as expecting the mean of them always); the second, for each fifth of
    what is expected, what really came of it.

    The estimate is asked of the position as it is, as searches ask it in the worlds that they deal; an agent sees what the seat sees.

    example:
      python tools/calibration.py --game timeline --players 4
    """
    played = game_named(game)
    setting = Setting(played, played.usual_players if players is None else players)
    judges = {"the estimate": BY_ESTIMATE} | {name: judge_by_agent(name, setting) for name in agents or ["shipped"]}
    names = ["shipped", "shipped@sampled", list(played.baselines)[-1]]
    with cli.progress("games", games) as advance:
        found = play(setting, names, list(judges.values()), games, seed, advance)
    title = f"{game}, {setting.num_players} seats: {games:,} games of {', '.join(names)}; {len(found.game):,} positions"
    rng = np.random.default_rng(seed)
    rows = [[name, share_explained(found, k, rng).text(1, 3)] for k, name in enumerate(judges)]
    cli.show_table(title, ("judge", "explained share of the variance"), rows)
    header = ("judge", *(f"{low:+.1f} to {high:+.1f}" for low, high in pairwise(FIFTHS)))
    cli.show_table(
        "Expected on average: what came of it (positions)",
        header,
        [[name, *reliability(found, k)] for k, name in enumerate(judges)],
    )


if __name__ == "__main__":
    cli.run(main)
