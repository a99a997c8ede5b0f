"""Who meets whom in a tournament, and who sits where. A *table* is the players of a game, whatever their seats."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, permutations

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.games import rotate_seats

Table = tuple[int, ...]
"""The players (indices) at a table, in ascending order; a player may be there more than once."""


def table_against(one: int, other: int, seats: int) -> Table:
    """The table at which `one` sits alone among copies of `other`."""
    return tuple(sorted((one, *[other] * (seats - 1))))


def tables(players: int, seats: int) -> list[Table]:
    """Every table of a tournament of at least two players, each once, in ascending order.

    One against the others: each player alone among copies of each other one. Mixed: as many different players as there are
    seats; with fewer players than seats everybody is there equally often, as far as possible, and who is there
    once more changes from table to table.
    """
    alone = {table_against(one, other, seats) for one, other in permutations(range(players), 2)}
    whole, left = divmod(seats, players)
    mixed = {tuple(sorted([*range(players)] * whole + [*more])) for more in combinations(range(players), left)}
    return sorted(alone | mixed)


def tables_against(entrants: Iterable[int], population: Sequence[int], seats: int) -> list[Table]:
    """Every table at which an entrant sits alone among copies of a player of the population, each once, in ascending order."""
    return sorted({table_against(one, other, seats) for one in entrants for other in population if one != other})


@cache
def circles(table: Table) -> NDArray[np.int64]:
    """Every order in which a table can sit in a circle, int64 [orders, seats]: none is a turn of another."""
    first, *others = table
    orders = {(first, *rest) for rest in permutations(others)}
    turns = range(len(table))
    return np.array(sorted({min((*order[at:], *order[:at]) for at in turns) for order in orders}), np.int64)


def seat_in_circles(table: Table, deals: Sequence[int]) -> NDArray[np.int64]:
    """Who sits where in the games of a table, int64 [deals * seats, seats]; the games of a deal are one after the other.

    A deal is played once for each turn of the table, so that every player sits in every seat equally often. From deal to
    deal the order round the table changes, so that over as many deals as there are orders every seating has been played.
    """
    orders = circles(table)
    return rotate_seats(orders[np.asarray(deals) % len(orders)])
