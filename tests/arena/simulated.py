"""Tournaments whose truth is known: players of given strengths, or games that are written down."""

from __future__ import annotations

import numpy as np

from timeline_env.arena.played import About, Played


def written(games: list[tuple[tuple[int, ...], tuple[float, ...]]], players: int, deals: int = 0) -> Played:
    """Games as (who sits in each seat, their ranks), in turn of the deals 0, 1, 2 …; by default each has its own."""
    seating, rank = np.array([g[0] for g in games]), np.array([g[1] for g in games], np.float32)
    return games_of(seating, rank, np.arange(len(games)) % (deals or len(games)), players)


def games_of(seating, rank, deal, players: int) -> Played:
    """Games from arrays; points are minus the rank."""
    n, seats = seating.shape
    about = About("none", 0, tuple("abcdef"[:seats]), tuple(f"p{k}" for k in range(players)), 1, int(deal.max()) + 1, 0)
    zeros = np.zeros(n, np.int32)
    return Played(
        about,
        zeros,
        deal.astype(np.int32),
        seating,
        -rank,
        rank.astype(np.float32),
        zeros + 7,
        np.zeros(7 * n, np.uint8),
    )


def luce(strengths, seats: int, games: int, rng: np.random.Generator) -> Played:
    """Games without ties by players whose log strengths are given: the order of exponential times at the strengths as rates."""
    players = len(strengths)
    seating = np.argsort(rng.random((games, players)), axis=1)[:, :seats]
    times = rng.exponential(size=seating.shape) / np.exp(np.asarray(strengths))[seating]
    rank = times.argsort(axis=1).argsort(axis=1) + 1
    return games_of(seating, rank, np.arange(games), players)


def shared(rank):
    """Ranks in which equal places share their mean, from places that may be equal."""
    better = (rank[:, None, :] < rank[:, :, None]).sum(axis=2)
    equal = (rank[:, None, :] == rank[:, :, None]).sum(axis=2)
    return better + (equal + 1) / 2
