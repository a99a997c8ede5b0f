"""T10–T14: organizing an event."""

from __future__ import annotations

import pytest

from tests.timeline.conftest import NUMBERS
from timeline_env.timeline import GAME


def at(node, hand, phase="1.0", rest=""):
    """Yellow's turn in this node, with six players, so that the rows of the whole table of cards are used."""
    others = " ".join(f"{colour}:4.0" for colour in "obpgt")
    past = "0:org/occurred" if phase[0] != "0" else "0:org/+"
    return f"6p phase:{phase} turn:y y:{node}/energy=20/hand={hand} {others} {past} {rest}"


def test_t10_organizing_costs_2_action_units_and_13_energy_and_the_card_leaves_the_hand(position):
    p = position(at("1.0", "5o,0y,4b")).play("organize 0y turn 3 yes")
    assert (int(p.s.au), int(p.s.energy[0])) == (NUMBERS.action_units - 2, 20 - 13)
    assert "y:1.0/energy=7/hand=5o,4b " in p.text
    assert " 1.0:0y^3/+y" in p.text


@pytest.mark.parametrize(
    ("change", "moves"),
    [(("energy=20", "energy=12"), 0), (("turn:y", "turn:y au:1"), 0), (("energy=20", "energy=13"), 2)],
)
def test_t10_without_2_action_units_and_13_energy_nothing_is_organized(position, change, moves):
    assert len(position(at("1.0", "0y").replace(*change)).legal("organize")) == moves


def test_t10_nothing_is_organized_where_an_event_lies(position):
    assert position(at("1.0", "0y", rest="1.0:0o^3/+o")).legal("organize") == []
    assert position(at("0", "0y", phase="0.0")).legal("organize") == []


def test_t11_t12_every_turn_that_fits_is_offered_with_either_stance(position):
    # 0y: a backward mark and, three edges on, a forward one. Only the centre is earlier than 1.0.
    assert position(at("1.0", "0y")).legal("organize") == ["organize 0y turn 3 yes", "organize 0y turn 3 no"]
    # 1.2 has two earlier neighbours, north (1.1) and north-west (the centre); opposite them lie later ones.
    assert position(at("1.2", "0y")).legal("organize") == [
        f"organize 0y turn {turn} {side}" for turn in (0, 5) for side in ("yes", "no")
    ]


def test_t11_a_card_is_turned_clockwise(position):
    p = position(at("1.2", "1y")).play("organize 1y turn 5 yes")  # backward hindrance, forward cause opposite
    assert [p.mark("1.2", direction) for direction in ("N", "NE", "SE", "S", "SW", "NW")] == [0, 0, 1, 0, 0, -1]


def test_t11_a_card_that_fits_in_no_turn_is_not_offered(position):
    # 4y: backward marks on neighbouring edges, but only one neighbour of 1.0 is earlier.
    assert position(at("1.0", "4y")).legal("organize") == []
    # 2.3 has three earlier neighbours in a row, south-west to north.
    assert position(at("2.3", "4y")).legal("organize") == [
        f"organize 4y turn {turn} {side}" for turn in (4, 5) for side in ("yes", "no")
    ]


def test_t11_t3_a_forward_mark_may_face_beyond_the_edge(position):
    # The north corner of radius 4: only south is earlier, and to the north lies nothing.
    p = position(at("4.0", "0y")).play("organize 0y turn 3 yes")
    assert p.mark("4.0", "N") == 1


def test_t12_the_organizer_chooses_the_stance(position):
    for side, stance in (("yes", 1), ("no", -1)):
        p = position(at("1.0", "0y")).play(f"organize 0y turn 3 {side}")
        assert int(p.s.stance[1]) == stance
        assert p.s.organizer[:, 1].tolist() == [1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize(("node", "cards"), [("1.2", {"4y"}), ("2.3", {"4y"}), ("3.4", {"2y"}), ("4.5", {"2y"})])
def test_t13_a_card_is_organized_only_on_the_radii_it_names(position, node, cards):
    # 2y names the radii 3 and 4, 4y the radii 1 and 2; both fit into each of these nodes.
    p = position(at(node, "2y,4y"))
    assert {move.split()[1] for move in p.legal("organize")} == cards


@pytest.mark.parametrize(
    ("phase", "node", "allowed"),
    [
        ("1.0", "1.0", True),  # one more round comes before radius 1 is realized
        ("1.1", "1.0", False),  # radius 1 is realized when this round ends
        ("1.1", "2.0", True),
        ("0.1", "1.0", True),
        ("3.1", "3.0", True),  # phase 3 has three rounds
        ("3.2", "3.0", False),
    ],
)
def test_t13_r8_linked_circles_keep_a_card_out_of_nodes_realized_when_the_round_ends(position, phase, node, allowed):
    # 3y bears the linked circles, 0y does not; both have one backward mark.
    p = position(at(node, "3y,0y", phase))
    assert bool(p.legal("organize 3y")) == allowed
    assert p.legal("organize 0y") != []


HEADER = "template,gain,arcs,points,radii,end_of_round_sign,artifact,marks"


@pytest.mark.parametrize(("radii", "linked", "artifact"), [(12, 1, 0), (34, 0, 1), (1234, 1, 1), (123, 1, 1)])
def test_t13_a_card_bears_one_of_the_three_signs_at_most(tmp_path, radii, linked, artifact):
    (tmp_path / "cards.csv").write_text(f"{HEADER}\n7,gain,i/-,1,{radii},{linked},{artifact},B..F..\n")
    with pytest.raises(ValueError, match=r"cards.csv, template 7: .* a card bears one at most \(T13\)"):
        GAME.load_rules(4, {"cards": str(tmp_path / "cards.csv")})


def test_t14_the_artifact_sign_brings_a_token_from_the_bag(position):
    p = position(at("1.0", "1y", rest="bag:wings,cell")).play("organize 1y turn 3 yes")
    assert "/artifacts=wings " in p.text
    assert p.text.endswith("bag:cell")


def test_t14_without_the_sign_nothing_is_drawn(position):
    p = position(at("1.0", "0y", rest="bag:wings,cell")).play("organize 0y turn 3 yes")
    assert "artifacts" not in p.text
    assert p.text.endswith("bag:wings,cell")


def test_t14_r3_a_blank_brings_nothing(position):
    p = position(at("1.0", "1y", rest="bag:blank,cell")).play("organize 1y turn 3 yes")
    assert "artifacts" not in p.text
    assert p.text.endswith("bag:cell")


def test_t14_r3_an_empty_bag_brings_nothing(position):
    assert "artifacts" not in position(at("1.0", "1y")).play("organize 1y turn 3 yes").text


def test_t14_r3_at_most_three_artifacts_are_kept(position):
    text = at("1.0", "1y/artifacts=wings,wings", rest="bag:cell,cell")
    assert "/artifacts=cell,wings,wings " in position(text).play("organize 1y turn 3 yes").text
    full = position(text.replace("=wings,wings", "=wings,wings,surge")).play("organize 1y turn 3 yes")
    assert "/artifacts=surge,wings,wings " in full.text
    assert full.text.endswith("bag:cell")
