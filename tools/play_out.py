"""How far the race must play its candidates on: ``python tools/play_out.py``."""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.arena.markdown import markdown_table
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.setting import Setting
from timeline_env.players.interface import Decisions
from timeline_env.players.search.guided_rollout import AT_ONCE, GuidedRollout
from timeline_env.players.search.guides import Guide, load_guide
from timeline_env.players.search.players import CANDIDATES, CLEAR_LEAD_PLAYED_ON, leader_of
from timeline_env.reading import quote
from timeline_env.timeline import GAME

GAMES = 64
"""Games that the guide plays side by side."""
APART, AT_EACH = 7, 4
"""Decisions of a game between two that are looked at, and how many games are looked at each time."""
TO_THE_END = 10**6
"""More turns than any game has."""
DRAWS = 10
"""How often worlds are drawn anew for the gain."""


@dataclass(frozen=True)
class Looked:
    """What one position's candidates are worth in each world, float64 [worlds, k]: after some turns, by their number; and in the end, in other worlds."""

    after: dict[int, NDArray[np.float64]]
    end: NDArray[np.float64]

    @property
    def true(self) -> NDArray[np.float64]:
        """The candidates' leads over the first of them in the end; float64 [k]."""
        return (self.end - self.end[:, :1]).mean(axis=0)


def look(
    guide: Guide, setting: Setting, positions: int, worlds: int, turns: list[int], seed: int
) -> tuple[list[Looked], dict[int, float]]:
    """Positions of the guide's games against itself; and the seconds that a simulation took, by the number of turns."""
    rng, batch = np.random.default_rng(seed), Batch(setting, GAMES)
    rollouts = {count: GuidedRollout(guide, count) for count in (*turns, TO_THE_END)}
    seconds, simulations = dict.fromkeys(turns, 0.0), 0
    found: list[Looked] = []
    batch.deal(game_seeds(seed, GAMES))
    step = 0
    with cli.progress("positions", positions) as advance:
        while len(found) < positions:
            asked = Decisions.of(batch, np.arange(GAMES))
            logits = np.where(asked.action_mask, guide.logits(asked), -np.inf)
            step += 1
            rows = rng.choice(GAMES, AT_EACH, replace=False) if step % APART == 0 else ()
            for row in rows[: positions - len(found)]:
                legal = np.flatnonzero(asked.action_mask[row])
                actions = legal[np.argsort(-logits[row, legal], kind="stable")][:CANDIDATES]
                here, there = rng.integers(2**63, size=2, dtype=np.uint64)
                after = {}
                for count in turns:
                    begun = time.perf_counter()
                    after[count] = play(rollouts[count], asked, int(row), here, worlds, actions)
                    seconds[count] += time.perf_counter() - begun
                simulations += worlds * len(actions)
                found.append(Looked(after, play(rollouts[TO_THE_END], asked, int(row), there, 2 * worlds, actions)))
                advance(1)
            batch.step_legal(logits.argmax(axis=1), np.arange(GAMES), True)
    return found, {count: spent / simulations for count, spent in seconds.items()}


def play(
    rollout: GuidedRollout, asked: Decisions, row: int, seed: np.uint64, worlds: int, actions: NDArray[np.int64]
) -> NDArray[np.float64]:
    """What the actions are worth in each of this many worlds; float64 [worlds, k]."""
    root, seat, each = asked.states()[row : row + 1], int(asked.seat[row]), AT_ONCE // len(actions)
    return np.concatenate(
        [
            rollout.play(asked.batch, root, seat, seed, first, min(first + each, worlds), actions)
            for first in range(0, worlds, each)
        ]
    )


def correlation(found: list[Looked], count: int) -> float:
    """The correlation of the leads over the guide's first action after `count` turns with those in the end."""
    leads = [(one.after[count] - one.after[count][:, :1]).mean(axis=0)[1:] for one in found]
    return float(np.corrcoef(np.concatenate(leads), np.concatenate([one.true[1:] for one in found]))[0, 1])


def gain(found: list[Looked], count: int, worlds: int, rng: np.random.Generator) -> tuple[float, float]:
    """What the race gains in the end by playing on in `worlds` worlds for `count` turns; its mean, and twice its standard error."""
    gains = []
    for one in found:
        worth = one.after[count]
        chosen = [
            leader_of(worth[rng.choice(len(worth), worlds, replace=False)], CLEAR_LEAD_PLAYED_ON) for _ in range(DRAWS)
        ]
        gains.append(one.true[chosen].mean())
    return float(np.mean(gains)), 2 * float(np.std(gains, ddof=1)) / math.sqrt(len(gains))


def main(
    players: Annotated[int, typer.Option(help="seats of Timeline")] = 2,
    guide: Annotated[str, typer.Option(help="an agent, a name or a path")] = "shipped",
    turns: Annotated[
        list[int] | None, typer.Option(min=1, help="how many, for a row each; 1 2 3 4 if left out")
    ] = None,
    positions: Annotated[int, typer.Option(min=2, help="how many are looked at")] = 200,
    worlds: Annotated[int, typer.Option(min=4, help="of each position")] = 64,
    seed: Annotated[int, typer.Option(min=0, help="the same seed gives the same worths")] = 0,
) -> None:
    """Measure how far the race must play its candidates on: what it finds them worth after so many turns, beside what they come to in
    the end.

    The guide plays against itself. In some of its decisions each of its favourites is tried in the same worlds, in each of which the
    guide plays on for every seat until so many turns of the seat that decided are over, and then says what that seat has to expect; and
    in other worlds to the end of the game. A row for each number of turns: what a simulation costs; how closely the leads over the
    guide's first go with those in the end (correlation); and the gain: the race chooses an action by so many worlds; by how much it
    is better in the end than the guide's first, from -2 to 2, with twice its standard error over positions.

    example:
      python tools/play_out.py --players 2 --positions 200
    """
    setting = Setting(GAME, players)
    agent = load_guide(guide, setting)
    if not agent.plays_on:
        raise ValueError(
            f"--guide {quote(guide)} does not play on in a race: it must be an agent that reads an outlook"
        )
    tried = sorted(set(turns or [1, 2, 3, 4]))
    found, seconds = look(agent, setting, positions, worlds, tried, seed)
    by_worlds = [count for count in (4, 8, 16, 32, 64, 128) if count <= worlds]
    rng, rows = np.random.default_rng(seed), []
    for count in tried:
        gains = (gain(found, count, some, rng) for some in by_worlds)
        cells = [f"{mean:+.3f} ± {error:.3f}" for mean, error in gains]
        rows.append((f"{count}", f"{1000 * seconds[count]:.2f}", f"{correlation(found, count):.2f}", *cells))
    header = ("turns", "ms a simulation", "correlation", *(f"gain by {some} worlds" for some in by_worlds))
    print("\n".join(markdown_table(header, rows)))


if __name__ == "__main__":
    cli.run(main)
