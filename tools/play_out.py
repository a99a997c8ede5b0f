"""How far the race must play its candidates on: what it finds them worth after so many turns, beside what they come to in the end.

    python tools/play_out.py --players 2 --positions 200

The guide plays against itself. In some of its decisions each of its favourites is tried in the same worlds, in each of which the guide
plays on for every seat until so many turns of the seat that decided are over, and then says what that seat has to expect; and in other
worlds to the end of the game. A row for each number of turns: what a simulation costs; how closely the leads over the guide's first
go with those in the end (correlation); and the gain: how much more than the guide's first the action comes to in the end that the race
would choose by so many worlds, from -2 to 2, with twice its standard error over positions.
"""

from __future__ import annotations

import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
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
from timeline_env.reading import check_integer, quote
from timeline_env.timeline import GAME

GAMES = 64
"""That the guide plays side by side."""
APART, AT_EACH = 7, 4
"""Decisions of a game between two that are looked at, and how many games are looked at each time."""
TO_THE_END = 10**6
"""More turns than any game has."""
DRAWS = 10
"""How often so many of the worlds are drawn for the gain."""


@dataclass(frozen=True)
class Looked:
    """What one position's candidates are worth in each world, float64 [worlds, k]: by numbers of turns, and in the end, in other worlds."""

    after: dict[int, NDArray[np.float64]]
    end: NDArray[np.float64]

    @property
    def true(self) -> NDArray[np.float64]:
        """Their leads over the first in the end; float64 [k]."""
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
    """What the actions are worth in so many worlds; float64 [worlds, k]."""
    root, seat, each = asked.states()[row : row + 1], int(asked.seat[row]), AT_ONCE // len(actions)
    return np.concatenate(
        [
            rollout.play(asked.batch, root, seat, seed, first, min(first + each, worlds), actions)
            for first in range(0, worlds, each)
        ]
    )


def correlation(found: list[Looked], count: int) -> float:
    """Of the leads over the guide's first after so many turns with those in the end."""
    leads = [(one.after[count] - one.after[count][:, :1]).mean(axis=0)[1:] for one in found]
    return float(np.corrcoef(np.concatenate(leads), np.concatenate([one.true[1:] for one in found]))[0, 1])


def gain(found: list[Looked], count: int, worlds: int, rng: np.random.Generator) -> tuple[float, float]:
    """What the race gains in the end by so many worlds played on for so many turns; its mean, and twice its standard error."""
    gains = []
    for one in found:
        worth = one.after[count]
        chosen = [
            leader_of(worth[rng.choice(len(worth), worlds, replace=False)], CLEAR_LEAD_PLAYED_ON) for _ in range(DRAWS)
        ]
        gains.append(one.true[chosen].mean())
    return float(np.mean(gains)), 2 * float(np.std(gains, ddof=1)) / math.sqrt(len(gains))


def main() -> None:
    parser = cli.Parser(description=__doc__)
    parser.add_argument("--players", type=int, default=2, metavar="P", help="seats of Timeline (default: %(default)s)")
    parser.add_argument("--guide", default="shipped", metavar="AGENT", help="a name or a path (default: shipped)")
    parser.add_argument("--turns", type=int, nargs="+", default=[1, 2, 3, 4], metavar="N", help="(default: 1 2 3 4)")
    parser.add_argument("--positions", type=int, default=200, metavar="N", help="(default: %(default)s)")
    parser.add_argument("--worlds", type=int, default=64, metavar="N", help="of each position (default: %(default)s)")
    parser.add_argument(
        "--seed", type=int, default=0, help="the same seed gives the same worths (default: %(default)s)"
    )
    options = parser.parse_args()
    for name, least in (("positions", 2), ("worlds", 4), ("seed", 0)):
        check_integer(f"--{name}", getattr(options, name), least)
    for count in options.turns:
        check_integer("--turns", count, 1)
    setting = Setting(GAME, options.players)
    guide = load_guide(options.guide, setting)
    if not guide.plays_on:
        raise ValueError(
            f"--guide {quote(options.guide)} does not play on in a race: it must be an agent that reads an outlook"
        )
    turns = sorted(set(options.turns))
    found, seconds = look(guide, setting, options.positions, options.worlds, turns, options.seed)
    tried = [worlds for worlds in (4, 8, 16, 32, 64, 128) if worlds <= options.worlds]
    rng, rows = np.random.default_rng(options.seed), []
    for count in turns:
        gains = (gain(found, count, worlds, rng) for worlds in tried)
        cells = [f"{mean:+.3f} ± {error:.3f}" for mean, error in gains]
        rows.append((f"{count}", f"{1000 * seconds[count]:.2f}", f"{correlation(found, count):.2f}", *cells))
    header = ("turns", "ms a simulation", "correlation", *(f"gain by {worlds} worlds" for worlds in tried))
    print("\n".join(markdown_table(header, rows)))


if __name__ == "__main__":
    with cli.refusals():
        main()
