"""States of the generator that draw what is wanted."""

from __future__ import annotations

import pytest

from tests.engine.test_rng import holder
from timeline_env.engine import rng
from timeline_env.engine.dice import die, generator


@pytest.mark.parametrize("draws", [(), (die(1),), (die(6), die(1)), ((20, 13), die(4), (3, 2))])
def test_from_the_generator_s_state_the_wanted_numbers_are_drawn(draws: tuple[tuple[int, int], ...]) -> None:
    states = holder(generator(draws))
    assert [int(rng.draw(states[0], below)) for below, _ in draws] == [value for _, value in draws]


def test_a_die_shows_its_value_one_more_than_the_number_drawn() -> None:
    assert [die(value) for value in (1, 6)] == [(6, 0), (6, 5)]
