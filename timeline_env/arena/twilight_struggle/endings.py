"""How a player's games end, beside tournament games between people: by what, on which turn, for whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.deals import SEEDS
from timeline_env.arena.estimates import Estimate, mean, share
from timeline_env.arena.evaluation import MOST_GAMES
from timeline_env.arena.games import finish_games
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.setting import Setting
from timeline_env.players.asking import name_of
from timeline_env.players.registry import Entrant, player_from
from timeline_env.reading import check_integer, check_number, label_errors, quote, read_toml, table_of
from timeline_env.twilight_struggle import GAME, numbers, state
from timeline_env.twilight_struggle.board import DATA, USSR

ENDS = {
    "vp": ("20 victory points", (state.BY_VP,)),
    "final_scoring": ("final scoring", (state.BY_FINAL_SCORING,)),
    "wargames": ("Wargames", (state.BY_WARGAMES,)),
    "defcon": ("DEFCON 1", (state.BY_DEFCON, state.BY_MISSILES)),
    "europe": ("control of Europe", (state.BY_EUROPE,)),
    "held_scoring": ("a scoring card held", (state.BY_HELD_SCORING,)),
}
"""Keys of ``people.toml``, each with its words and the engine's endings that it covers."""
ROUNDED = 0.5
"""How far the sum of the published shares may be from 100."""
GAMES_AT_ONCE = 512


@dataclass(frozen=True)
class People:
    """What ``people.toml`` says of games between people; shares from 0 to 1.

    Attributes:
        source: where the numbers are from.
        games: how many games.
        ussr: the share that the USSR won.
        last_turn: the mean of the turn that a game ended in.
        ends: the share of each of `ENDS`.
    """

    source: str
    games: int
    ussr: float
    last_turn: float
    ends: dict[str, float]


@dataclass(frozen=True)
class Endings:
    """How a player's games ended; all intervals are 95 %, with a deal as one sample.

    Attributes:
        player, against: the players' names; equal where it played itself.
        games, deals: how many.
        ussr: the share that the USSR won, draws half.
        won: the share that the player won.
        last_turn: the mean of the turn that a game ended in.
        ends: the share of each of `ENDS`.
    """

    player: str
    against: str
    games: int
    deals: int
    ussr: Estimate
    won: Estimate
    last_turn: Estimate
    ends: dict[str, Estimate]

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and dicts, for JSON."""
        return asdict(self)


@cache
def people() -> People:
    """The published results. Raises ValueError if the file is damaged."""
    return read_people(DATA / "people.toml")


def read_people(path: Path) -> People:
    """Read a file like ``people.toml``. Raises ValueError if it holds something else."""
    label = f"{quote(str(path))} holds no results of games between people"
    found = table_of(read_toml(path, label), label, "source", "games", "ussr", "last_turn", "ends")
    with label_errors(label):
        if type(found["source"]) is not str or not found["source"]:
            raise ValueError(f"source {quote(found['source'])} must be a text")
        check_integer("games", found["games"], 1)
        ends = table_of(found["ends"], "ends", *ENDS)
        if len(ends) > len(ENDS):
            raise ValueError(f"ends must have the keys {', '.join(ENDS)} alone, not {', '.join(ends)}")
        shares = {key: check_number(f"ends.{key}", ends[key], 0, 100) / 100 for key in ENDS}
        if abs(sum(shares.values()) - 1) > ROUNDED / 100:
            raise ValueError(f"the ends must add up to 100, not {100 * sum(shares.values()):g}")
        last_turn = check_number("last_turn", found["last_turn"], 1, numbers.TURNS)
        return People(
            found["source"], found["games"], check_number("ussr", found["ussr"], 0, 100) / 100, last_turn, shares
        )


def endings(
    player: Entrant,
    against: Entrant | None = None,
    games: int = 1000,
    seed: int = 0,
    progress: Callable[[int], None] = lambda finished: None,
) -> Endings:
    """Play games and count how they end.

    Args:
        player: a name as `load_player` takes it, a player, or a function.
        against: the other, given in the same way; each deal is then played from both sides. None for the player itself:
            every game from a deal of its own.
        games: how many, at least 4; rounded up to whole deals.
        seed: the same seed gives the same deals and the same result.
        progress: called with the number of games that have ended since the last call.

    Raises:
        ValueError: a value is not allowed; the message names it and what is.
        PlayerFailed: a player failed, or answered wrongly.
    """
    games, seed = check_integer("games", games, 4, MOST_GAMES), check_integer("seed", seed, 0, SEEDS - 1)
    setting, turns = Setting(GAME), 1 if against is None else 2
    other = player if against is None else against
    players = [player_from(who, setting, seed + number) for number, who in enumerate((player, other))]
    deals = -(-games // turns)
    seeds = np.repeat(game_seeds(seed, deals), turns)
    seating = (np.arange(len(seeds))[:, None] + np.arange(2)) % 2
    parts = []
    for at in range(0, len(seeds), GAMES_AT_ONCE):
        part = slice(at, at + GAMES_AT_ONCE)
        batch = Batch(setting, len(seeds[part]))
        batch.deal(seeds[part])
        finish_games(batch, players, seating[part], progress)
        parts.append(np.stack([batch.states[name] for name in ("winner", "turn", "ending")], axis=1))
    winner, turn, ending = np.concatenate(parts).astype(np.int64).T
    is_draw, sits = winner < 0, seating.argmin(axis=1)

    def by_deal(values: NDArray[Any]) -> NDArray[np.float64]:
        return values.reshape(deals, turns).mean(axis=1)

    return Endings(
        name_of(player),
        name_of(other),
        len(seeds),
        deals,
        share(by_deal(np.where(is_draw, 0.5, winner == USSR))),
        share(by_deal(np.where(is_draw, 0.5, winner == sits))),
        mean(by_deal(turn)),
        {key: share(by_deal(np.isin(ending, codes))) for key, (_, codes) in ENDS.items()},
    )
