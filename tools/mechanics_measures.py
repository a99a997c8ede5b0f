"""What the counts of games say: the measures of Timeline's rules page, each a number of one player at one number of players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.estimates import Estimate, mean, share
from timeline_env.arena.evaluation import seat_in_turn
from timeline_env.arena.games import Results, play_games
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.ranks import win_shares
from timeline_env.engine.setting import Setting
from timeline_env.players.registry import player_from
from timeline_env.timeline.board import NODES, RADII
from tools.mechanics_counts import KINDS, count
from tools.mechanics_players import RestrictedPlayer, mechanics

FLEXIBLE = ("attacking", "supporting", "logistic")


def measure(
    player: str,
    setting: Setting,
    games: int,
    seed: int = 0,
    progress: Callable[[int], None] = lambda finished: None,
) -> dict[str, Any]:
    """Play games with one player in every seat and say what happens in them; see `measures`.

    Args:
        player: a name as `load_player` takes it.
        setting: what is played.
        games: how many, each with a deal of its own; at least 2.
        seed: the same seed gives the same result.
        progress: called with the number of games that have ended since the last call.
    """
    counts, results = watch(player, setting, game_seeds(seed, games), seed, progress)
    return measures(counts, results.points, results.rank)


def watch(
    player: str,
    setting: Setting,
    seeds: NDArray[np.uint64],
    seed: int,
    progress: Callable[[int], None] = lambda finished: None,
) -> tuple[Any, Results]:
    """Play one game from each of the `seeds` with the player in every seat; gives the counts, records [n], and how the games ended."""
    seats = np.zeros((len(seeds), setting.num_players), np.int64)
    results = play_games(setting, [player_from(player, setting, seed)], seats, seeds, progress)
    batch = Batch(setting, len(seeds))
    batch.deal(seeds)
    return count(batch.rules, batch.states, results.games()), results


def measures(counts: Any, points: NDArray[np.float32], rank: NDArray[np.float32]) -> dict[str, Any]:
    """The measures by name, from games of one player in every seat, each game from a deal of its own.

    Args:
        counts: records [n] of the type `tools.mechanics_counts.COUNTS`.
        points, rank: float32 [n, players], how the games ended.

    Returns:
        Shares are from 0 to 1. Where there is nothing to take a share of (attacking events for two players) it is None.
    """
    total = {name: counts[name].sum(axis=0) for name in counts.dtype.names}
    games, events, decisions = len(counts), int(total["events"]), int(total["decisions"].sum())
    by_kind = {name: ratio(n, decisions) for name, n in zip(KINDS, total["decisions"], strict=True)}
    wins = win_shares(rank)
    return {
        "games": games,
        **{name: ratio(*pair) for name, *pair in zip(FLEXIBLE, total["flexible"], total["dealt"], strict=True)},
        "deck cards a game": ratio(events - total["flexible"].sum(), games),
        "events a game": ratio(events, games),
        "events a game laid in each phase": [ratio(laid, games) for laid in total["laid"]],
        "links an event": ratio(total["links"], events),
        "events without links": ratio(total["unlinked"], events),
        "turned by links": ratio(total["by_links"], events),
        "turned by reinforcements": ratio(total["by_reinforcements"], events),
        "laid ahead": ratio(total["ahead"], events),
        "as the stance": ratio(total["as_stance"], events),
        "empty nodes": ratio(total["empty"], games * NODES),
        "like E1 a game": ratio(total["like_e1"], games),
        "points moved in phase 0": ratio(total["moved"][0], games),
        "points moved a game": ratio(total["moved"].sum(), games),
        "most frequent decision": max(part or 0.0 for name, part in by_kind.items() if name != "move"),
        "decisions": by_kind,
        "decisions a game": ratio(decisions, games),
        "deck empty": ratio((counts["deck_empty"] >= 0).sum(), games),
        "deck empty in phase": [ratio((counts["deck_empty"] == phase).sum(), games) for phase in range(RADII)],
        "points": {"mean": float(points.mean()), "sd": float(points.std())},
        "seats": [vars(share(wins[:, seat])) for seat in range(wins.shape[1])],
    }


def ratio(part: Any, whole: Any) -> float | None:
    """Part of the whole; None if the whole is 0."""
    return float(part) / float(whole) if whole else None


def own_wins(player: str, setting: Setting, mechanic: str, seeds: NDArray[np.uint64], seed: int) -> NDArray[np.float64]:
    """The player without a mechanic against whole ones: its share of the wins in each deal, averaged over the seats it sat in.

    Args:
        seeds: uint64 [deals]; each deal is played once for every seat.

    Returns:
        float64 [deals].
    """
    num_players = setting.num_players
    whole, other = (player_from(player, setting, word) for word in (seed, seed + 1))
    players = [RestrictedPlayer(other, mechanics()[mechanic]), whole]
    seats = seat_in_turn(len(seeds), num_players, 1)
    results = play_games(setting, players, seats, np.repeat(seeds, num_players))
    shares = win_shares(results.rank).reshape(-1, num_players, num_players)  # deal, seat of the player, seat
    return shares.diagonal(axis1=1, axis2=2).mean(axis=1)


def loss(wins: NDArray[np.float64], num_players: int) -> Estimate:
    """How much of its share of the wins a player loses without a mechanic: chance, less what it won in each deal."""
    return mean(1 / num_players - wins)
