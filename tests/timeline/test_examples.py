"""E1–E5: the rulebook's worked examples, laid out and played."""

from __future__ import annotations

import pytest

from tests.timeline.conftest import laid_out_by

E1_CARDS = """template,gain,arcs,points,radii,end_of_round_sign,artifact,marks
0,loss,i/i+2,1,1234,0,0,.F..Bb
1,gain,i/i+1,1,1234,0,0,..F.B.
2,gain,i/i+1,1,1234,0,0,.....B
"""
"""The event in question, the upper and the lower one: marks clockwise from north, as they lie in the picture."""

E1 = (
    "6p phase:2.1 first:o turn:y y:4.0 o:4.0 b:4.0 p:4.0 g:4.0 t:4.0 0:org/occurred "
    "1.1:1p/failed 1.2:2g/occurred 2.3:0o/+y/b+1/p+1/t-1 reinforced:1.2NE+1,1.1SE+2,2.3NE+1"
)
"""2.3 has its back cause to the south-west (1.2, the lower event) and its back hindrance to the north-west (1.1)."""


@pytest.fixture
def e1(position, tmp_path):
    (tmp_path / "cards.csv").write_text(E1_CARDS)
    return lambda text: position(text, rules=laid_out_by(tmp_path / "cards.csv"))


def test_e1_t17_t18_t19_t20_the_sum_is_3_less_4_plus_1(e1):
    assert e1(E1).realization_points("2.3") == 3 - 4 + 1


@pytest.mark.parametrize(
    ("without", "points"),
    [
        ("1.2:2g/occurred ", 0 - 4 + 1),  # the back cause to the lower event: +3
        ("1.1:1p/failed ", 3 - 0 + 1),  # the upper event's cause overrides the hindrance: -4
        ("/b+1/p+1/t-1", 3 - 4 + 0),
    ],
)
def test_e1_each_part_of_the_sum(e1, without, points):
    assert e1(E1.replace(without, "")).realization_points("2.3") == points


def test_e1_the_hindrance_alone_would_speak_for_the_event(e1):
    # Were it not for the upper event's own cause, its failure would count +4 through the hindrance.
    facing_nothing = E1.replace("1.1:1p/failed", "1.1:2p/failed")
    assert e1(facing_nothing).realization_points("2.3") == 3 + 4 + 1


def test_e1_t21_t22_the_organizers_token_beside_the_tick_decides_and_orange_loses_1(e1):
    p = e1(E1).play("pass")
    assert p.outcome("2.3") == 1
    assert p.points() == [0, -1, 0, 0, 0, 0]


def test_e1_t24_all_tokens_go_but_one_reinforcement_facing_the_future(e1):
    p = e1(E1).play("pass")
    assert " 2.3:0o/occurred reinforced:2.3NE+1" in p.text
    assert p.reinforcement("3.4", "SW") == 1


ATTACK = "6p phase:1.1 first:t turn:g y:4.0 o:4.0 b:4.0 p:4.0 g:1.0/energy=16/hand=atk t:4.0 0:org/occurred"
ORGANIZED = ["organize atk turn 3 yes", "arc yes blue", "arc no purple"]


@pytest.mark.parametrize(
    ("impact", "outcome", "points"),
    [
        ("", 1, [0, 0, -1, 0, 0, 0]),  # the centre's cause: 2
        ("/o-3", -1, [0, 0, 0, -1, 0, 0]),
        ("/o-2", 1, [0, 0, -1, 0, 0, 0]),  # a tie, and grey's token lies beside the tick
    ],
)
def test_e2_t27_attacking_blue_loses_1_if_it_occurs_purple_if_it_does_not(position, impact, outcome, points):
    organized = position(ATTACK).play(*ORGANIZED).text
    event = "1.0:atk^3/+g/yes=b-1/no=p-1"
    assert f" {event}" in organized
    p = position(organized.replace(event, event + impact)).play("pass")
    assert p.outcome("1.0") == outcome
    assert p.points() == points


SUPPORT = "6p phase:1.1 first:y turn:t y:4.0 o:4.0 b:4.0 p:4.0 g:4.0 t:1.0/energy=16/hand=sup 0:org/occurred"


@pytest.mark.parametrize(
    ("impact", "outcome", "points"),
    [
        ("", 1, [0] * 6),
        ("/y-3", -1, [0, 1, 0, 0, 0, 0]),
        ("/y-2", -1, [0, 1, 0, 0, 0, 0]),  # a tie, and turquoise's token lies beside the cross
    ],
)
def test_e3_t28_supporting_orange_gains_1_if_it_does_not_occur(position, impact, outcome, points):
    organized = position(SUPPORT).play("organize sup turn 3 no", "arc no orange").text
    event = "1.0:sup^3/-t/no=o+1"
    assert f" {event}" in organized
    p = position(organized.replace(event, event + impact)).play("pass")
    assert p.outcome("1.0") == outcome
    assert p.points() == points


LOGISTIC = "3p phase:1.0 turn:y y:1.0/energy=13/hand=log o:4.0 b:4.0 0:org/occurred"


def test_e4_t29_logistic_strengths_of_2_2_and_4_are_legal_and_nothing_more_is(position):
    p = position(LOGISTIC).play("organize log turn 0 yes", "link S cause", "link N hindrance")
    # 4 so far: one more link of 4 is legal, and no link is stronger.
    assert p.legal("link NE hindrance") == ["link NE hindrance", "link NE hindrance +1", "link NE hindrance +2"]
    p.play("link NE hindrance +2")
    # At 8 the event is complete: yellow is asked for the turn again.
    assert p.legal("link") == p.legal("done") == []
    assert [p.mark("1.0", direction) for direction in ("N", "NE", "SE", "S", "SW", "NW")] == [-1, -1, 0, 1, 0, 0]
    assert [p.reinforcement("1.0", direction) for direction in ("N", "NE", "S")] == [0, 2, 0]


def test_e4_at_7_nothing_can_be_added(position):
    p = position(LOGISTIC).play("organize log turn 0 yes", "link S cause +1", "link N hindrance")
    assert p.legal("link NE") == ["link NE cause", "link NE cause +1", "link NE hindrance", "link NE hindrance +1"]
    p.play("link NE hindrance")
    # 3 + 2 + 2 = 7: a link more would be 9.
    assert p.legal("link") == []


@pytest.mark.parametrize(("node", "legal"), [("1.2", False), ("2.3", False), ("3.4", True), ("4.5", True)])
def test_e5_t13_radii_3_and_4_white_legal_there_and_not_on_1_and_2(position, node, legal):
    p = position(f"6p turn:y y:{node}/energy=13/hand=2y o:0 b:0 p:0 g:0 t:0 0:org/+")
    assert bool(p.legal("organize 2y")) == legal
