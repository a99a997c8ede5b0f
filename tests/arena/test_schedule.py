"""Who meets whom and who sits where."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from timeline_env.arena.schedule import circles, seat_in_circles, tables


def test_two_seats_make_a_round_robin() -> None:
    assert tables(4, 2) == [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]


def test_four_seats_are_one_against_three_and_as_many_different_players_as_there_are() -> None:
    assert tables(2, 4) == [(0, 0, 0, 1), (0, 0, 1, 1), (0, 1, 1, 1)]
    three = [table for table in tables(3, 4) if len(set(table)) > 2]
    assert three == [(0, 0, 1, 2), (0, 1, 1, 2), (0, 1, 2, 2)]
    assert [table for table in tables(5, 4) if len(set(table)) == 4] == [
        (0, 1, 2, 3), (0, 1, 2, 4), (0, 1, 3, 4), (0, 2, 3, 4), (1, 2, 3, 4)
    ]  # fmt: skip


@pytest.mark.parametrize("players", [2, 3, 4, 6, 7])
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_every_player_sits_at_the_tables_equally_often(players: int, seats: int) -> None:
    times = np.bincount(np.concatenate([np.array(table) for table in tables(players, seats)]))
    assert len(times) == players and (times == times[0]).all()


def test_over_all_orders_every_seating_is_played_once() -> None:
    played = seat_in_circles((0, 1, 2, 3), range(len(circles((0, 1, 2, 3)))))
    assert sorted(map(tuple, played.tolist())) == sorted(permutations(range(4)))


@pytest.mark.parametrize("table", [(0, 1), (0, 0, 1), (0, 1, 1, 2), (0, 1, 2, 3, 4), (0, 0, 1, 1, 2, 2)])
def test_in_every_deal_each_player_is_in_each_seat_equally_often(table: tuple[int, ...]) -> None:
    seats = len(table)
    for deal in seat_in_circles(table, range(7)).reshape(7, seats, seats):
        for who in set(table):
            assert ((deal == who).sum(axis=0) == table.count(who)).all()


def test_no_order_round_the_table_is_a_turn_of_another() -> None:
    assert circles((0, 1, 1, 1)).tolist() == [[0, 1, 1, 1]]
    assert circles((0, 0, 1, 1)).tolist() == [[0, 0, 1, 1], [0, 1, 0, 1]]
    assert len(circles((0, 1, 2, 3, 4, 5))) == 120
