"""T9 (impact, reinforce), T20."""

from __future__ import annotations

import pytest

EVENT = "1.0:0y^3/+y"
"""Backward cause to the south, forward cause to the north."""


@pytest.mark.parametrize(("move", "energy", "impact"), [("impact +1", 2, 1), ("impact -2", 5, -2), ("impact +3", 9, 3)])
def test_t9_an_impact_of_1_2_or_3_costs_2_5_or_9_energy_and_one_action_unit(position, move, energy, impact):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=20 o:1.0 b:1.0 0:org/occurred {EVENT}").play(move)
    assert (int(p.s.energy[0]), int(p.s.au)) == (20 - energy, 3)
    assert int(p.s.impact[0, 1]) == impact


def test_t9_an_impact_that_cannot_be_paid_is_not_offered(position):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=8 o:1.0 b:1.0 0:org/occurred {EVENT}")
    assert p.legal("impact") == ["impact +1", "impact +2", "impact -1", "impact -2"]


def test_t9_one_impact_per_player_and_event(position):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=20 o:1.0 b:1.0 0:org/occurred {EVENT} 1.1:0y^4/+y")
    p.play("impact -1")
    assert p.legal("impact") == []
    assert len(p.play("move SE").legal("impact")) == 6  # on another event
    p.play("pass")
    assert (p.turn, len(p.legal("impact"))) == ("orange", 6)  # another player


def test_t9_an_impact_needs_an_event_in_the_pawns_node(position):
    p = position(f"3p phase:1.0 turn:y y:1.1/energy=20 o:1.0 b:1.0 0:org/occurred {EVENT}")
    assert p.legal("impact") == []


def test_t9_the_original_event_takes_impacts_too(position):
    assert len(position("3p turn:y y:0/energy=20 o:0 b:0 0:org/+").legal("impact")) == 6


def test_t20_impacts_beside_the_tick_are_added_and_beside_the_cross_subtracted(position):
    alone = position("3p phase:1.0 turn:y y:2.0 o:2.0 b:2.0 0:org/occurred 1.1:0y^4/+y")
    with_impacts = position("3p phase:1.0 turn:y y:2.0 o:2.0 b:2.0 0:org/occurred 1.1:0y^4/+y/y+3/o-2/b+1")
    assert with_impacts.realization_points("1.1") == alone.realization_points("1.1") + 3 - 2 + 1


@pytest.mark.parametrize(("move", "energy", "strength"), [("reinforce S +1", 3, 1), ("reinforce N +2", 7, 2)])
def test_t9_a_reinforcement_of_1_or_2_costs_3_or_7_energy_and_one_action_unit(position, move, energy, strength):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=20 o:1.0 b:1.0 0:org/occurred {EVENT}").play(move)
    assert (int(p.s.energy[0]), int(p.s.au)) == (20 - energy, 3)
    assert p.reinforcement("1.0", move.split()[1]) == strength


def test_t9_the_same_junction_has_the_same_reinforcement_seen_from_both_sides(position):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=20 o:1.0 b:1.0 0:org/occurred {EVENT}").play("reinforce N +2")
    assert p.reinforcement("2.0", "S") == 2


def test_t9_a_reinforcement_needs_a_mark_on_either_side(position):
    # 1.0 has marks to S and N itself; 1.1 faces it from the south-east with its backward cause; nothing marks NE, SW, NW.
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=20 o:1.0 b:1.0 0:org/occurred {EVENT} 1.1:0y^5/+y")
    assert [move for move in p.legal("reinforce") if move.endswith("+1")] == [
        "reinforce N +1",
        "reinforce SE +1",
        "reinforce S +1",
    ]


def test_t9_a_junction_takes_one_reinforcement(position):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=20 o:1.0 b:1.0 0:org/occurred {EVENT} reinforced:0N+1")
    assert p.legal("reinforce S") == []
    assert p.legal("reinforce N") == ["reinforce N +1", "reinforce N +2"]


def test_t9_no_junction_with_a_node_that_was_realized_empty(position):
    # 2.0's backward mark faces 1.0, which is past and empty.
    text = "3p phase:2.0 turn:y y:2.0/energy=20 o:2.0 b:2.0 0:org/occurred 2.0:0y^3/+y"
    assert position(text).legal("reinforce S") == []
    assert len(position(f"{text} 1.0:0y^3/failed").legal("reinforce S")) == 2


def test_t9_t3_no_junction_with_what_lies_beyond_the_edge(position):
    # At the north corner 0y faces south and, beyond the edge, north.
    p = position("3p phase:4.0 turn:y y:4.0/energy=20 o:4.0 b:4.0 0:org/occurred 3.0:0y^3/occurred 4.0:0y^3/+y")
    assert p.legal("reinforce") == ["reinforce S +1", "reinforce S +2"]


def test_t9_a_reinforcement_needs_an_event_in_the_pawns_node(position):
    p = position(f"3p phase:1.0 turn:y y:2.0/energy=20 o:1.0 b:1.0 0:org/occurred {EVENT}")
    assert p.legal("reinforce") == []


def test_t9_r16_a_junction_with_an_empty_node_of_the_future_can_be_reinforced(position):
    p = position(f"3p phase:1.0 turn:y y:1.0/energy=20 o:1.0 b:1.0 0:org/occurred {EVENT}")
    assert p.legal("reinforce N") == ["reinforce N +1", "reinforce N +2"]
