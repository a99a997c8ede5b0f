"""T26: artifacts."""

from __future__ import annotations

import pytest

from tests.timeline.conftest import NUMBERS


def yellow(artifacts, energy=5, rest="0:org/+", node="0"):
    return f"3p turn:y y:{node}/energy={energy}/artifacts={artifacts} o:0 b:0 {rest}"


def test_t26_surge_brings_action_units(position):
    p = position(yellow("surge")).play("use surge")
    assert (int(p.s.au), int(p.s.energy[0])) == (NUMBERS.action_units + NUMBERS.surge_au, 5)
    assert "artifacts" not in p.text


def test_t26_surges_never_bring_more_action_units_than_the_record_holds(position):
    assert int(position(yellow("surge", rest="au:127 0:org/+")).play("use surge").s.au) == 127


def test_t26_r2_cell_brings_energy_and_never_more_than_39(position):
    assert int(position(yellow("cell", energy=5)).play("use cell").s.energy[0]) == 5 + NUMBERS.cell_energy
    assert int(position(yellow("cell", energy=38)).play("use cell").s.energy[0]) == NUMBERS.most_energy


def test_t26_with_wings_moves_cost_no_energy_this_turn(position):
    p = position(yellow("wings", energy=1))
    assert p.legal("move") == []
    p.play("use wings", "move N", "move N")
    assert (int(p.s.energy[0]), int(p.s.au)) == (1, NUMBERS.action_units - 2 * NUMBERS.move_au)
    p.play("pass")
    assert int(p.s.winged) == 0
    p.play("move N")
    assert int(p.s.energy[1]) == NUMBERS.income - NUMBERS.move_energy


def test_t26_wings_end_with_the_turn_also_when_a_realization_follows(position):
    p = position("3p phase:0.1 first:o turn:y y:0/artifacts=wings o:4.0 b:4.0 0:org/+").play("use wings", "pass")
    assert (p.turn, int(p.s.winged), int(p.s.au)) == ("yellow", 0, 0), "a displaced pawn is asked"


def test_t26_the_amplifier_is_an_impact_for_nothing(position):
    p = position(yellow("amplifier", energy=0)).play("amplify -")
    assert (int(p.s.au), int(p.s.energy[0])) == (NUMBERS.action_units, 0)
    assert int(p.s.impact[0, 0]) == -NUMBERS.amplifier_impact
    assert "artifacts" not in p.text


def test_t26_r14_the_amplifier_needs_an_event_without_an_impact_of_ones_own(position):
    assert position(yellow("amplifier", rest="0:org/+/y+1")).legal("amplify") == []
    assert position(yellow("amplifier", node="1.0")).legal("amplify") == []
    assert position(yellow("amplifier", rest="0:org/+/o+1")).legal("amplify") == ["amplify +", "amplify -"]


@pytest.mark.parametrize(("stance", "turned"), [("+", -1), ("-", 1)])
def test_t26_the_switch_turns_over_the_stance_of_the_original_event_too(position, stance, turned):
    p = position(yellow("switch", rest=f"0:org/{stance}")).play("use switch")
    assert int(p.s.stance[0]) == turned


def test_t26_the_switch_turns_over_the_stance_of_another_players_event(position):
    text = yellow("switch", node="1.0", rest="0:org/occurred 1.0:0o^3/+o").replace("3p ", "3p phase:1.0 ")
    p = position(text).play("use switch")
    assert " 1.0:0o^3/-o" in p.text


def test_t26_r14_the_switch_needs_an_event_in_ones_node(position):
    assert position(yellow("switch", node="1.0")).legal("use") == []


def test_t26_r14_artifacts_cost_no_action_unit_and_are_used_once(position):
    p = position(yellow("surge,surge,cell")).play("use surge", "use surge")
    assert int(p.s.au) == NUMBERS.action_units + 2 * NUMBERS.surge_au
    assert p.legal("use") == ["use cell"]


def test_t26_artifacts_are_used_in_ones_own_turn_only(position):
    p = position("3p phase:0.1 first:o turn:y y:0/artifacts=cell o:0/artifacts=cell b:4.0 0:org/+").play("pass")
    assert (p.turn, p.legal("use")) == ("orange", []), "a displaced pawn is asked where to go and nothing else"
