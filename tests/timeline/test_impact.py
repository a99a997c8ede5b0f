"""T9 (impact, reinforce), T20."""

from __future__ import annotations

from functools import partial

import pytest

from tests.conftest import Position
from tests.timeline.conftest import LAID_OUT, NUMBERS

EVENT = "1.0:0o^3/+o"
"""Backward cause to the south, forward cause to the north; orange has organized it."""
OWN_PRICES = LAID_OUT | {"prices": {"impact_energy": [1, 2, 3], "own_impact_energy": [4, 6, 8]}}


@pytest.mark.parametrize("impact", [1, -2, 3])
def test_t9_an_impact_has_its_price_in_energy_and_action_units(position, impact):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=39 o:1.0 b:1.0 0:org/occurred {EVENT}").play(f"impact {impact:+d}")
    assert int(p.s.energy[0]) == 39 - NUMBERS.impact_energy[abs(impact) - 1]
    assert int(p.s.au) == NUMBERS.action_units - NUMBERS.impact_au
    assert int(p.s.impact[0, 1]) == impact


def test_t9_an_impact_that_cannot_be_paid_is_not_offered(position):
    energy = NUMBERS.impact_energy[2] - 1
    p = position(f"3p phase:1.0 turn:y y:1.0/energy={energy} o:1.0 b:1.0 0:org/occurred {EVENT}")
    assert p.legal("impact") == ["impact +1", "impact +2", "impact -1", "impact -2"]


@pytest.mark.parametrize(
    ("organizer", "energy", "left", "values"), [("o", 8, [7, 6, 5], 3), ("y", 8, [4, 2, 0], 3), ("y", 5, [1], 1)]
)
def test_t9_an_organizer_may_have_other_prices_on_their_own_event(organizer, energy, left, values):
    lay_out = partial(Position, rules=OWN_PRICES)
    text = f"3p phase:1.0 turn:y y:1.0/energy={energy} o:1.0 b:1.0 0:org/occurred 1.0:0y^3/+{organizer}"
    assert len(lay_out(text).legal("impact")) == 2 * values
    for value, rest in enumerate(left, start=1):
        assert int(lay_out(text).play(f"impact -{value}").s.energy[0]) == rest


def test_t9_nobody_has_organized_the_original_event():
    p = Position("3p turn:y y:0/energy=8 o:0 b:0 0:org/+", rules=OWN_PRICES).play("impact +2")
    assert int(p.s.energy[0]) == 8 - 2


def test_t9_one_impact_per_player_and_event(position):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=39 o:1.0/energy=20 b:1.0 0:org/occurred {EVENT} 1.1:0y^4/+y")
    p.play("impact -1")
    assert p.legal("impact") == []
    assert len(p.play("move SE").legal("impact")) == 6  # on another event
    p.play("pass")
    assert (p.turn, len(p.legal("impact"))) == ("orange", 6)  # another player


def test_t9_an_impact_needs_an_event_in_the_pawns_node(position):
    p = position(f"3p phase:1.0 turn:y y:1.1/energy=39 o:1.0 b:1.0 0:org/occurred {EVENT}")
    assert p.legal("impact") == []


def test_t24_nothing_is_laid_on_a_settled_event_nor_beside_it(position):
    """A pawn that no token mentions stands in the centre, whose tokens have left."""
    p = position("4p phase:1.0 turn:o y:1.0 o:0/energy=39/artifacts=amplifier 0:org/occurred 1.0:0y^3/+y")
    assert p.legal("impact") == p.legal("reinforce") == p.legal("amplify") == []


def test_t9_the_original_event_takes_impacts_too(position):
    assert len(position("3p turn:y y:0/energy=39 o:0 b:0 0:org/+").legal("impact")) == 6


def test_t20_impacts_beside_the_tick_are_added_and_beside_the_cross_subtracted(position):
    alone = position("3p phase:1.0 turn:y y:2.0 o:2.0 b:2.0 0:org/occurred 1.1:0y^4/+y")
    with_impacts = position("3p phase:1.0 turn:y y:2.0 o:2.0 b:2.0 0:org/occurred 1.1:0y^4/+y/y+3/o-2/b+1")
    assert with_impacts.realization_points("1.1") == alone.realization_points("1.1") + 3 - 2 + 1


@pytest.mark.parametrize(("direction", "token"), [("S", 1), ("N", 2)])
def test_t9_a_reinforcement_has_its_price_in_energy_and_action_units(position, direction, token):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=39 o:1.0 b:1.0 0:org/occurred {EVENT}")
    p.play(f"reinforce {direction} +{token}")
    assert int(p.s.energy[0]) == 39 - NUMBERS.reinforce_energy[token - 1]
    assert int(p.s.au) == NUMBERS.action_units - NUMBERS.reinforce_au
    assert p.reinforcement("1.0", direction) == token


def test_t9_a_reinforcement_that_cannot_be_paid_is_not_offered(position):
    energy = NUMBERS.reinforce_energy[1] - 1
    p = position(f"3p phase:1.0 turn:y y:1.0/energy={energy} o:1.0 b:1.0 0:org/occurred {EVENT}")
    assert p.legal("reinforce") == ["reinforce N +1", "reinforce S +1"]


def test_t9_the_same_junction_has_the_same_reinforcement_seen_from_both_sides(position):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=39 o:1.0 b:1.0 0:org/occurred {EVENT}").play("reinforce N +2")
    assert p.reinforcement("2.0", "S") == 2


def test_t9_a_reinforcement_needs_a_mark_on_either_side(position):
    # 1.0 has marks to S and N itself; 1.1 faces it from the south-east with its backward cause; nothing marks NE, SW, NW.
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=39 o:1.0 b:1.0 0:org/occurred {EVENT} 1.1:0y^5/+y")
    assert [move for move in p.legal("reinforce") if move.endswith("+1")] == [
        "reinforce N +1",
        "reinforce SE +1",
        "reinforce S +1",
    ]


def test_t9_r17_tokens_stack_on_a_junction_whoever_laid_them(position):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=39 o:1.0/energy=39 b:1.0 0:org/occurred {EVENT}")
    p.play("reinforce S +1", "reinforce S +1", "pass", "reinforce S +2")
    assert (p.reinforcement("1.0", "S"), p.reinforcement("0", "N")) == (4, 4)
    assert p.realization_points("1.0") == 2 + 4


@pytest.mark.parametrize(("there", "tokens"), [(1, [1, 2]), (2, [1, 2]), (3, [1]), (4, [])])
def test_t9_r17_the_tokens_of_a_junction_add_up_to_4_at_most(position, there, tokens):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=39 o:1.0 b:1.0 0:org/occurred {EVENT} reinforced:0N+{there}")
    assert p.legal("reinforce S") == [f"reinforce S +{token}" for token in tokens]
    assert p.legal("reinforce N") == ["reinforce N +1", "reinforce N +2"]


def test_t9_no_junction_with_a_node_that_was_realized_empty(position):
    # 2.0's backward mark faces 1.0, which is past and empty.
    text = "3p phase:2.0 turn:y y:2.0/energy=39 o:2.0 b:2.0 0:org/occurred 2.0:0y^3/+y"
    assert position(text).legal("reinforce S") == []
    assert len(position(f"{text} 1.0:0y^3/failed").legal("reinforce S")) == 2


def test_t9_t3_no_junction_with_what_lies_beyond_the_edge(position):
    # At the north corner 0y faces south and, beyond the edge, north.
    p = position("3p phase:4.0 turn:y y:4.0/energy=39 o:4.0 b:4.0 0:org/occurred 3.0:0y^3/occurred 4.0:0y^3/+y")
    assert p.legal("reinforce") == ["reinforce S +1", "reinforce S +2"]


def test_t9_a_reinforcement_needs_an_event_in_the_pawns_node(position):
    p = position(f"3p phase:1.0 turn:y y:2.0/energy=39 o:1.0 b:1.0 0:org/occurred {EVENT}")
    assert p.legal("reinforce") == []


def test_t9_r16_a_junction_with_an_empty_node_of_the_future_can_be_reinforced(position):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=39 o:1.0 b:1.0 0:org/occurred {EVENT}")
    assert p.legal("reinforce N") == ["reinforce N +1", "reinforce N +2"]
