"""T15–T21, T24: realization. Positions stand before the last pass of a phase; pawns wait out of the way."""

from __future__ import annotations

import pytest

PHASE_1 = "3p phase:1.1 first:o turn:y y:4.0 o:4.0 b:4.0"
PHASE_2 = "3p phase:2.1 first:o turn:y y:4.0 o:4.0 b:4.0"
# With three players: 0y has a backward cause and, opposite, a forward cause; 1y a backward hindrance and, opposite, a
# forward cause. The centre's marks are, clockwise from north, cause, hindrance, cause, hindrance, cause, hindrance.


def test_t15_points_are_noted_before_the_first_node_is_realized(position):
    text = PHASE_2.replace("y:4.0", "y:4.0/points=3").replace("b:4.0", "b:4.0/points=-2")
    p = position(f"{text} 0:org/occurred 1.0:0y^3/occurred 2.0:0y^3/+y").play("pass")
    assert p.points() == [4, 0, -2]
    assert p.s.note[:, :3].tolist() == [[0, 0, 0], [3, 0, -2], [0, 0, 0], [0, 0, 0]]


def test_t15_nothing_is_noted_at_the_end_of_phase_0(position):
    p = position("3p phase:0.1 first:o turn:y y:4.0/points=3 o:4.0 b:4.0 0:org/+").play("pass")
    assert not p.s.note.any()


def test_t16_an_empty_node_gets_the_empty_token(position):
    p = position(f"{PHASE_1} 0:org/occurred").play("pass")
    assert p.s.realized[:7].tolist() == [1] * 7
    assert p.s.outcome[1:7].tolist() == [0] * 6


def test_t17_a_mark_on_the_new_event_alone_makes_a_link(position):
    # 1.1 faces 1.0 with its backward cause; 1.0's marks face north and south.
    p = position(f"{PHASE_2} 0:org/failed 1.0:0y^3/occurred 2.1:0y^3/+y")
    # From 2.1, south is 1.1, which is empty. No link at all.
    assert p.realization_points("2.1") == 0
    p = position(f"{PHASE_2} 0:org/failed 1.0:0y^3/occurred 2.1:0y^4/+y")
    # From 2.1, south-west is 1.0, which has no mark to the north-east.
    assert p.realization_points("2.1") == 2


def test_t17_a_mark_on_the_realized_event_alone_makes_a_link(position):
    # 1.1 faces 1.0, to the north-west, but the centre's hindrance to the north-east reaches 1.1 as well.
    p = position(f"{PHASE_1} 0:org/occurred 1.1:0y^5/+y")
    assert p.realization_points("1.1") == -2


def test_t17_colour_on_the_realized_event_counts(position):
    # 1.1 faces the centre with a cause; the centre faces 1.1 with a hindrance, and is realized.
    assert position(f"{PHASE_1} 0:org/occurred 1.1:0y^4/+y").realization_points("1.1") == -2
    # 1.0 faces the centre with a hindrance; the centre faces 1.0 with a cause.
    assert position(f"{PHASE_1} 0:org/occurred 1.0:1y^3/+y").realization_points("1.0") == 2


def test_t17_one_junction_is_one_link_even_if_both_sides_bear_the_same_colour(position):
    assert position(f"{PHASE_1} 0:org/occurred 1.0:0y^3/+y").realization_points("1.0") == 2


def test_t17_an_empty_neighbour_gives_no_link(position):
    # 2.0 faces 1.0 with its backward cause; 1.0 was realized empty.
    p = position(f"{PHASE_2} 0:org/occurred 2.0:0y^3/-y")
    assert p.realization_points("2.0") == 0
    assert p.play("pass").outcome("2.0") == -1


def test_t17_r10_an_event_not_yet_realized_gives_no_link(position):
    # 1.1 faces 1.0, which will be realized first, with a cause: nothing counts before, and then it does.
    p = position(f"{PHASE_1} 0:org/occurred 1.0:0y^3/+y 1.1:0y^5/-y/y+1")
    assert p.realization_points("1.1") == -2 + 1
    assert (p.play("pass").outcome("1.0"), p.outcome("1.1")) == (1, 1)  # 2 - 2 + 1 is above 0


def test_t17_forward_marks_of_the_new_event_give_it_nothing(position):
    # 1.0 faces 2.0, which is still to come, with a forward mark; the centre's cause alone counts.
    p = position(f"{PHASE_1} 0:org/occurred 1.0:0y^3/+y 2.0:0o^3/+o")
    assert p.realization_points("1.0") == 2
    p.play("pass")
    assert (p.outcome("1.0"), p.outcome("2.0")) == (1, 0)
    assert p.realization_points("2.0") == 2


@pytest.mark.parametrize(("reinforced", "points"), [("", 2), (" reinforced:0N+1", 3), (" reinforced:0N+2", 4)])
def test_t18_a_links_strength_is_2_plus_the_junctions_reinforcement(position, reinforced, points):
    assert position(f"{PHASE_1} 0:org/occurred 1.0:0y^3/+y{reinforced}").realization_points("1.0") == points


def test_t18_a_reinforcement_without_a_link_counts_nothing(position):
    # The junction of 2.1 and 1.0 bears no mark of either: they face south and north.
    text = f"{PHASE_2} 0:org/failed 1.0:0y^3/occurred 2.1:0y^3/+y reinforced:2.1SW+2"
    assert position(text).realization_points("2.1") == 0


@pytest.mark.parametrize(
    ("node", "turn", "centre", "points"),
    [("1.0", 3, "occurred", 2), ("1.0", 3, "failed", -2), ("1.1", 4, "occurred", -2), ("1.1", 4, "failed", 2)],
)
def test_t19_a_cause_that_occurred_and_a_hindrance_that_did_not_speak_for_the_event(
    position, node, turn, centre, points
):
    # The centre faces 1.0 with a cause and 1.1 with a hindrance.
    p = position(f"{PHASE_1} 0:org/{centre} {node}:0y^{turn}/+y")
    assert p.realization_points(node) == points
    assert p.play("pass").outcome(node) == (1 if points > 0 else -1)


@pytest.mark.parametrize(
    ("impact", "stance", "outcome"), [("o-1", "-", 1), ("o-3", "+", -1), ("o-2", "+", 1), ("o-2", "-", -1)]
)
def test_t21_above_0_it_occurs_below_0_it_does_not_at_0_the_stance_decides(position, impact, stance, outcome):
    # The centre's cause brings 2.
    p = position(f"{PHASE_1} 0:org/occurred 1.0:0y^3/{stance}y/{impact}")
    assert p.play("pass").outcome("1.0") == outcome


@pytest.mark.parametrize(
    ("stance", "impacts", "outcome"), [("+", "", 1), ("-", "", -1), ("-", "/y+1", 1), ("+", "/y-3/o+2", -1)]
)
def test_t21_t5_the_original_event_is_decided_by_impacts_and_its_neutral_token(position, stance, impacts, outcome):
    p = position(f"3p phase:0.1 first:o turn:y y:4.0 o:4.0 b:4.0 0:org/{stance}{impacts}").play("pass")
    assert p.outcome("0") == outcome
    assert int(p.s.stance[0]) == 0
    assert p.points() == [0, 0, 0]


def test_t4_nodes_of_a_radius_are_realized_one_by_one_in_time_order(position):
    # 1.0 fails; 1.1 hangs on 1.0 by a cause and the centre by a hindrance (-2 - 2); 1.2 on 1.1 and the centre (-2 + 2).
    text = f"{PHASE_1} 0:org/occurred 1.0:0y^3/+y/o-3 1.1:0y^5/+y 1.2:0y/-y"
    p = position(text).play("pass")
    assert [p.outcome(node) for node in ("1.0", "1.1", "1.2")] == [-1, -1, -1]
    p = position(text.replace("o-3", "o-1").replace("1.1:0y^5/+y", "1.1:0y^5/+y/b+1")).play("pass")
    assert [p.outcome(node) for node in ("1.0", "1.1", "1.2")] == [1, 1, 1]


def test_t24_impacts_and_the_stance_leave_the_event(position):
    p = position(f"{PHASE_1} 0:org/occurred 1.0:0y^3/+y/o-1/b+2").play("pass")
    assert " 1.0:0y^3/occurred " in p.text + " "
    assert not p.s.impact.any() and not p.s.stance.any() and not p.s.organizer.any()


def test_t24_reinforcements_towards_later_nodes_stay_and_towards_earlier_ones_go(position):
    p = position(f"{PHASE_1} 0:org/occurred 1.0:0y^3/+y reinforced:0N+1,1.0N+2").play("pass")
    assert (p.reinforcement("1.0", "S"), p.reinforcement("0", "N")) == (0, 0)
    assert (p.reinforcement("1.0", "N"), p.reinforcement("2.0", "S")) == (2, 2)


def test_t16_t24_r9_also_at_an_empty_node_reinforcements_towards_earlier_nodes_go(position):
    # 2.0 is empty; 1.0 faces it with a forward mark, 3.0 with a backward one.
    text = f"{PHASE_2} 0:org/occurred 1.0:0y^3/occurred 3.0:0y^3/+y reinforced:1.0N+1,2.0N+2"
    p = position(text).play("pass")
    assert (p.reinforcement("2.0", "S"), p.reinforcement("1.0", "N")) == (0, 0)
    assert (p.reinforcement("2.0", "N"), p.reinforcement("3.0", "S")) == (2, 2)


def test_t24_a_reinforcement_between_two_events_of_a_radius_stays_until_the_later_is_realized(position):
    text = "3p phase:1.1 first:o turn:y y:1.0 o:4.0 b:4.0 0:org/occurred 1.0:0y^3/+y 1.1:0y^5/+y reinforced:1.0SE+2"
    p = position(text).play("pass")
    # Yellow's pawn is asked to leave 1.0, before 1.1 is realized: 4 for the cause, -2 for the centre's hindrance.
    assert (p.outcome("1.0"), p.reinforcement("1.1", "NW"), p.realization_points("1.1")) == (1, 2, 2)
    p.play("move N")
    assert (p.outcome("1.1"), p.reinforcement("1.1", "NW")) == (1, 0)


def test_t24_a_logistic_events_backward_marks_go_and_its_forward_marks_stay(position):
    p = position(f"{PHASE_1} 0:org/occurred 1.0:log/+y/marks=-+.+.. reinforced:1.0N+2").play("pass")
    assert [p.mark("1.0", direction) for direction in ("N", "NE", "S")] == [-1, 1, 0]
    assert p.reinforcement("1.0", "N") == 2


def test_t24_printed_marks_stay(position):
    p = position(f"{PHASE_1} 0:org/occurred 1.0:0y^3/+y").play("pass")
    assert (p.mark("1.0", "N"), p.mark("1.0", "S")) == (1, 1)


def test_t24_r12_the_tokens_on_the_arcs_of_flexible_events_go(position):
    text = f"{PHASE_1} 0:org/occurred 1.0:atk^3/+y/yes=o-1/no=b-1 1.1:sup^4/+y/no=o+1"
    p = position(text).play("pass")
    assert p.points() == [0, -1 + 1, 0]  # 1.1's hindrance occurred, so it fails
    assert not p.s.if_yes.any() and not p.s.if_no.any()


def test_t24_r11_tokens_leave_only_when_the_pawns_have_moved(position):
    text = "3p phase:1.1 first:o turn:y y:1.0 o:4.0 b:4.0 0:org/occurred 1.0:0y^3/+y/o+1"
    p = position(text).play("pass")
    assert int(p.s.impact[1, 1]) == 1, "tokens still lie there while the pawns move"
    assert int(p.play("move N").s.impact[1, 1]) == 0
