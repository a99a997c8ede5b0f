"""T9 (move), T23: pawns on their way."""

from __future__ import annotations

from tests.timeline.conftest import NUMBERS


def test_t9_a_move_has_its_price_in_energy_and_action_units(position):
    p = position("3p turn:y y:0/energy=23 o:0 b:0 0:org/+").play("move NE")
    assert (int(p.s.au), int(p.s.energy[0])) == (NUMBERS.action_units - NUMBERS.move_au, 23 - NUMBERS.move_energy)
    assert " y:1.1/" in p.text


def test_t9_without_the_energy_nobody_moves(position):
    price = NUMBERS.move_energy
    assert position(f"3p turn:y y:0/energy={price - 1} o:0 b:0 0:org/+").legal("move") == []
    assert len(position(f"3p turn:y y:0/energy={price} o:0 b:0 0:org/+").legal("move")) == 6


def test_t9_t3_a_move_leads_to_an_unrealized_node_of_the_field(position):
    inner = position("3p phase:1.0 turn:y y:1.1/energy=9 o:1.0 b:1.0 0:org/occurred")
    assert inner.legal("move") == ["move N", "move NE", "move SE", "move S", "move NW"]  # the centre is past
    corner = position("3p phase:1.0 turn:y y:4.0/energy=9 o:1.0 b:1.0 0:org/occurred")
    assert corner.legal("move") == ["move SE", "move S", "move SW"]


def test_t9_nothing_that_costs_an_action_unit_can_be_done_without_one(position):
    p = position("3p turn:y au:0 y:0/energy=39/hand=0y,atk,sup,log/artifacts=wings o:0 b:0 0:org/+ deck:1y")
    assert p.legal() == ["pass", "use wings"]


def test_t23_pawns_leave_the_realized_node_free_of_charge(position):
    p = position("3p phase:0.1 first:o turn:y y:0/energy=5 o:4.0 b:4.0 0:org/+").play("pass")
    assert p.turn == "yellow"
    assert p.legal() == ["move N", "move NE", "move SE", "move S", "move SW", "move NW"]
    p.play("move S")
    assert int(p.s.energy[0]) == 5
    assert int(p.s.pawn[0]) == 4


def test_t23_pawns_move_in_turn_order_from_the_player_who_was_first_in_the_completed_round(position):
    p = position("4p phase:0.1 first:b turn:o y:0 o:0 b:0 p:0 0:org/+").play("pass")
    order = []
    for _ in range(4):
        order.append(p.turn)
        p.play("move N")
    assert order == ["blue", "purple", "yellow", "orange"]


def test_t23_r11_pawns_leave_before_the_next_node_is_realized(position):
    text = "3p phase:1.1 first:o turn:y y:1.0/energy=5 o:4.0 b:4.0 0:org/occurred 1.0:0y^3/+y 1.1:0y^4/+y"
    p = position(text).play("pass")
    assert (p.turn, p.outcome("1.0"), p.outcome("1.1")) == ("yellow", 1, 0)
    # A pawn that goes to the next node of the radius is asked again there.
    p.play("move SE")
    assert (p.turn, int(p.s.realizing), p.outcome("1.1")) == ("yellow", 2, -1)
    assert p.legal("move") == ["move N", "move NE", "move SE", "move S"]
    p.play("move N")
    assert (int(p.s.phase), p.turn) == (2, "blue")


def test_t23_after_the_last_phase_no_moves_are_asked_for(position):
    p = position("3p phase:4.2 first:o turn:y y:4.0 o:4.0 b:4.5 0:org/occurred").play("pass")
    assert (p.turn, int(p.s.over)) == ("nobody", 1)
    assert p.s.pawn[:3].tolist() == [37, 37, 42]
