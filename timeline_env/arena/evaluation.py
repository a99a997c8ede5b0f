"""How good a player is: games against others, every seat equally often, the same deals for every seat.

A *deal* is played once for each seat: the whole table turns by one seat from game to game while the cards stay, so that luck
and seat even out. The games of one deal are therefore not independent, and a deal's mean is the one sample that the
intervals are made of. All intervals are 95 %.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.estimates import Row, row
from timeline_env.arena.games import play_games, rotate_seats
from timeline_env.engine.batch import game_seeds
from timeline_env.engine.ranks import win_shares
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.players.asking import name_of
from timeline_env.players.registry import Entrant, player_from
from timeline_env.reading import as_list, check_integer, quote

GAMES_AT_ONCE = 2048
"""Games in one batch: enough to be fast, few enough that progress is seen."""
MOST_GAMES = 10**7
"""More would take weeks, and their seeds and results would need more memory than there is. No file of games holds more deals."""


@dataclass(frozen=True)
class Evaluation:
    """One player against others.

    Attributes:
        game, rules_version, rules, num_players: what was played; `rules` holds what differed from the game as it is.
        seats: the seats' names.
        player, against: the players' names.
        games, deals, seed: how many games, from how many deals, dealt from which seed.
        overall: what the player achieved.
        by_seat: the same for each seat it sat in.
        table: what each seat achieved, over all players who sat in it; it shows whether the game favours a seat.
    """

    game: str
    rules_version: int
    rules: dict[str, Any]
    num_players: int
    seats: list[str]
    player: str
    against: list[str]
    games: int
    deals: int
    seed: int
    overall: Row
    by_seat: list[Row]
    table: list[Row]

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and dicts, for JSON."""
        return asdict(self)


def evaluate(
    game: Game,
    player: Entrant,
    against: Sequence[Entrant],
    games: int = 1000,
    num_players: int | None = None,
    seed: int = 0,
    rules: Any = None,
    progress: Callable[[int], None] = lambda finished: None,
) -> Evaluation:
    """Play `player` against others and say how it did.

    Args:
        game: which game.
        player: a name as `load_player` takes it, a player, or a function of the decisions that gives a legal action for each.
        against: at least one other player, given in the same way; they take the other seats in turn.
        games: how many; rounded up to whole deals, each played once for every seat; enough for each of `against` to sit down.
        num_players: seats of each game; None for the game's usual number.
        seed: the same seed gives the same deals and the same result.
        rules: a variant, see the game's `load_rules`.
        progress: called with the number of games that have ended since the last call.

    Raises:
        ValueError: a value is not allowed; the message names it and what is.
        PlayerFailed: a player failed, or answered wrongly.
    """
    setting = Setting(game, num_players, rules)
    num_players = setting.num_players
    deals = deals_for(games, num_players)
    seed, others = check_integer("seed", seed, 0), as_list(against)
    if not others:
        raise ValueError(f"against {quote(against)} must be a sequence of at least one player")
    if len(others) > (sit := deals + num_players - 2):  # see `seat_in_turn`
        fewest = (len(others) - num_players + 2) * num_players
        raise ValueError(
            f"games {games}: only {sit} of the {len(others)} players of against sit down; {fewest} are enough"
        )
    seeds = np.repeat(game_seeds(seed, deals), num_players)
    entrants = [player, *others]
    players = [player_from(who, setting, seed + index) for index, who in enumerate(entrants)]
    seats = seat_in_turn(deals, num_players, len(others))
    blocks = (slice(at, at + GAMES_AT_ONCE) for at in range(0, len(seats), GAMES_AT_ONCE))
    found = (play_games(setting, players, seats[block], seeds[block], progress) for block in blocks)
    points, rank = zip(*((results.points, results.rank) for results in found), strict=True)  # not the moves
    return Evaluation(
        game.name, game.rules_version, setting.changes, num_players, list(game.seat_names[:num_players]),
        name_of(player), list(map(name_of, others)), len(seats), deals, seed, *rows(np.concatenate(points), np.concatenate(rank)),
    )  # fmt: skip


def deals_for(games: int, num_players: int) -> int:
    """How many deals make this many games or a few more, each played once for every seat. Raises ValueError for fewer than two deals, or too many."""
    games = check_integer("games", games, 2 * num_players, others=": two deals, every seat")
    if games > MOST_GAMES:
        raise ValueError(f"games {games} must be at most {MOST_GAMES}")
    return math.ceil(games / num_players)


def seat_in_turn(deals: int, num_players: int, others: int) -> NDArray[np.int64]:
    """Who sits where, int64 [deals * num_players, num_players]: the player (0) in every seat of each deal.

    The others (1 to `others`) follow it round the table, in their order, each deal starting with the next of them.
    """
    deal, after = np.ix_(np.arange(deals), np.arange(num_players))
    return rotate_seats(np.where(after == 0, 0, 1 + (deal + after - 1) % others))


def rows(points: NDArray[np.float32], rank: NDArray[np.float32]) -> tuple[Row, list[Row], list[Row]]:
    """The player's row overall, its rows by seat, and the table's rows by seat, from the games of whole deals.

    Takes float32 [n, seats] each; in the games of a deal the player sits in one seat after the other.
    """
    num_players = rank.shape[1]
    shape = (-1, num_players, num_players)  # deal, seat of the player, seat
    measures = [values.reshape(shape) for values in (win_shares(rank), rank, points)]
    own = [values.diagonal(axis1=1, axis2=2) for values in measures]  # deal, seat of the player
    table = [values.mean(axis=1) for values in measures]  # deal, seat
    overall = row((values.mean(axis=1) for values in own), num_players)
    seats = range(num_players)
    return (
        overall,
        [row((values[:, seat] for values in own), num_players) for seat in seats],
        [row((values[:, seat] for values in table), num_players) for seat in seats],
    )
