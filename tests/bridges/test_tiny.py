"""The tiny endgame is enumerated, and its solution is one."""

from __future__ import annotations

import pyspiel
import pytest

from tools.solve_tiny import solve, tiny_game


@pytest.fixture(scope="module")
def found():
    return solve(outcomes=4, iterations=30)


def test_what_is_enumerated_is_known(found):
    assert (found["histories"], found["information states"]) == (303, 40)


def test_random_play_is_exploitable_and_the_solution_hardly(found):
    assert found["exploitability, uniformly random"] == pytest.approx(0.630808, abs=1e-6)
    assert 0 <= found["exploitability, CFR+"] < 0.01


def test_it_has_a_name_of_its_own_and_takes_no_other_rules():
    assert pyspiel.load_game("python_tiny_timeline").num_players() == 2
    with pytest.raises(pyspiel.SpielError, match="rules"):
        pyspiel.load_game("python_tiny_timeline(rules=other.toml)")


def test_both_seats_have_something_to_hide():
    game = tiny_game(4)
    for seat in range(2):
        states = [game.new_initial_state() for _ in range(4)]
        for outcome, state in enumerate(states):
            state.apply_action(outcome)
        assert len({state.observation_string(seat) for state in states}) > 1
