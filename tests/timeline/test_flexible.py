"""T6, T27–T30: flexible events."""

from __future__ import annotations

import pytest

from timeline_env.timeline import GAME


def at(node, hand="atk,sup,log", players="4p", rest="0:org/occurred"):
    """Yellow's turn in this node, with every flexible event in hand."""
    others = " ".join(f"{colour}:4.0" for colour in "obpgt"[: int(players[0]) - 1])
    return f"{players} phase:1.0 turn:y y:{node}/energy=30/hand={hand} {others} {rest}"


def test_t27_the_attacker_names_two_other_different_players(position):
    p = position(at("1.0")).play("organize atk turn 3 yes")
    assert p.legal() == ["arc yes orange", "arc yes blue", "arc yes purple"]
    p.play("arc yes blue")
    assert p.legal() == ["arc no orange", "arc no purple"]
    p.play("arc no purple")
    assert " 1.0:atk^3/+y/yes=b-1/no=p-1" in p.text
    assert (p.turn, p.legal("organize")) == ("yellow", [])


def test_t27_r15_with_three_players_the_second_arc_follows_from_the_first(position):
    p = position(at("1.0", players="3p")).play("organize atk turn 3 no", "arc yes orange")
    assert " 1.0:atk^3/-y/yes=o-1/no=b-1" in p.text
    assert "pass" in p.legal()


@pytest.mark.parametrize(("impact", "lost"), [(3, 1), (-3, 2)])
def test_t27_the_player_on_the_arc_loses_one_point(position, impact, lost):
    text = "3p phase:1.1 first:o turn:y y:4.0 o:4.0 b:4.0/points=1 0:org/occurred"
    p = position(f"{text} 1.0:atk^3/+y/yes=o-1/no=b-1/y{impact:+d}").play("pass")
    assert p.points() == ([0, -1, 1] if lost == 1 else [0, 0, 0])


def test_t28_the_supporter_puts_one_other_player_on_either_arc(position):
    p = position(at("1.0")).play("organize sup turn 3 no")
    assert p.legal() == [f"arc {side} {seat}" for seat in ("orange", "blue", "purple") for side in ("yes", "no")]
    assert " 1.0:sup^3/-y/yes=o+1 " in position(p.text).play("arc yes orange").text + " "
    p.play("arc no purple")
    assert " 1.0:sup^3/-y/no=p+1" in p.text
    assert p.s.if_yes[:, 1].tolist() == [0] * 6
    assert "pass" in p.legal()


@pytest.mark.parametrize("card", ["atk", "sup"])
def test_t6_two_players_have_the_logistic_event_alone(position, card):
    assert {move.split()[1] for move in position(at("1.0", "log", players="2p")).legal("organize")} == {"log"}
    with pytest.raises(ValueError, match=f"card '{card}' is not in a game of two players"):
        position(at("1.0", card, players="2p"))


def test_t28_a_supporting_event_brings_an_artifact_before_its_arc_is_chosen(position):
    p = position(at("1.0", rest="0:org/occurred bag:wings,cell")).play("organize sup turn 3 no")
    assert "/artifacts=wings " in p.text and p.text.endswith("bag:cell")


def test_t28_the_other_flexible_events_bring_none(position):
    for move in ("organize atk turn 3 no", "organize log turn 0 no"):
        assert "artifacts" not in position(at("1.0", rest="0:org/occurred bag:wings")).play(move).text


def test_t29_r6_the_first_link_is_a_backward_one(position):
    p = position(at("1.2")).play("organize log turn 0 yes")
    # Earlier than 1.2 are 1.1 to the north and the centre to the north-west. The centre was realized with an event.
    assert p.legal() == [
        f"link {direction} {colour}{strength}"
        for direction in ("N", "NW")
        for colour in ("cause", "hindrance")
        for strength in ("", " +1", " +2")
    ], "no token by itself, though the centre's mark faces 1.2"


def test_t29_r6_then_any_edge_or_done(position):
    p = position(at("1.2")).play("organize log turn 0 yes", "link NW cause")
    assert {move.split()[1] for move in p.legal("link")} == {"N", "NE", "SE", "S", "SW"}
    assert p.legal()[-1] == "done"
    p.play("done")
    assert [p.mark("1.2", direction) for direction in ("N", "NE", "SE", "S", "SW", "NW")] == [0, 0, 0, 0, 0, 1]
    assert "pass" in p.legal()


def test_t29_the_strengths_add_up_to_at_most_8(position):
    p = position(at("1.2")).play("organize log turn 0 yes", "link NW cause +2", "link N hindrance")
    assert [move for move in p.legal("link NE") if "cause" in move] == ["link NE cause"]  # 4 + 2 are there, 2 are left
    p.play("link NE hindrance")
    assert "pass" in p.legal(), "at 8 no further link is possible, and done is taken unasked (T9a)"


@pytest.mark.parametrize(("there", "tokens"), [(1, ["", " +1"]), (2, [""]), (3, []), (4, [])])
def test_t29_r4_tokens_that_lie_on_the_junction_count_towards_its_limit_of_4(position, there, tokens):
    p = position(at("1.2", rest=f"0:org/occurred reinforced:1.1S+{there}")).play("organize log turn 0 yes")
    assert p.legal("link N ") == [f"link N {colour}{token}" for colour in ("cause", "hindrance") for token in tokens]


def test_t29_r4_and_towards_the_8_of_all_links(position):
    p = position(at("1.2", rest="0:org/occurred reinforced:1.1S+1,1.2NE+1")).play("organize log turn 0 yes")
    p.play("link N cause", "link NE cause")
    # 3 and 3: 2 are left.
    assert p.legal("link NW cause") == ["link NW cause"]
    assert p.legal("reinforce") == []
    assert [p.reinforcement("1.2", direction) for direction in ("N", "NE")] == [1, 1]


def test_t29_r4_what_neighbours_marks_make_on_other_edges_does_not_count(position):
    # The centre's cause reaches 1.2 from the north-west, reinforced by 4; nothing is set there.
    p = position(at("1.2", rest="0:org/occurred reinforced:0SE+4")).play("organize log turn 0 yes", "link N cause +2")
    assert p.legal("link NE cause") == ["link NE cause", "link NE cause +1", "link NE cause +2"]


def test_t29_r6_a_token_is_set_by_itself_where_the_neighbours_mark_lies(position):
    p = position(at("1.2")).play("organize log turn 0 yes", "link N cause")
    energy = int(p.s.energy[0])
    # Of all neighbours the centre alone has a mark that faces 1.2, to the north-west.
    assert p.legal("reinforce") == ["reinforce NW +1", "reinforce NW +2"]
    p.play("reinforce NW +1")
    assert (p.mark("1.2", "NW"), p.reinforcement("1.2", "NW"), p.reinforcement("0", "SE")) == (0, 1, 1)
    assert int(p.s.energy[0]) == energy, "a token is set for nothing (R5)"
    assert (p.legal("reinforce"), p.legal("link NW ")) == ([], []), "each edge once"


def test_t29_r4_a_token_by_itself_counts_with_its_whole_link(position):
    p = position(at("1.2", rest="0:org/occurred reinforced:0SE+1")).play("organize log turn 0 yes", "link N cause +2")
    assert p.legal("reinforce") == ["reinforce NW +1"], "2 for the link and 1 that lies there"
    p.play("reinforce NW +1")
    assert "pass" in p.legal(), "at 8 nothing more is possible"


def test_t29_r6_each_edge_is_set_once(position):
    p = position(at("1.2")).play("organize log turn 0 yes", "link NW cause")
    assert (p.legal("link NW "), p.legal("reinforce")) == ([], [])


@pytest.mark.parametrize(("tokens", "possible"), [("", True), ("0N+2", True), ("0N+3", False), ("0N+4", False)])
def test_t29_r6_a_logistic_event_is_organized_only_where_some_backward_link_is_weak_enough(position, tokens, possible):
    # Only the centre is earlier than 1.0.
    p = position(at("1.0", rest=f"0:org/occurred {'reinforced:' + tokens if tokens else ''}"))
    assert bool(p.legal("organize log")) == possible
    assert p.legal("organize atk") != []


def test_t29_r4_it_can_be_reinforced_later_beyond_its_limits(position):
    p = position(at("1.2")).play("organize log turn 0 yes", "link NW cause +2", "link N cause +2")
    p.play("reinforce NW +2")
    assert p.reinforcement("1.2", "NW") == 4


def test_t29_r5_a_mark_may_face_beyond_the_edge_but_no_reinforcement_lies_there(position):
    p = position(at("4.0")).play("organize log turn 0 yes", "link S cause")
    assert p.legal("link N ") == ["link N cause", "link N hindrance"]
    assert p.play("link N hindrance", "done").mark("4.0", "N") == -1


def test_t29_a_reinforcement_it_sets_is_an_ordinary_one(position):
    p = position(at("1.2")).play("organize log turn 0 yes", "link NW cause +2", "done")
    assert (p.reinforcement("1.2", "NW"), p.reinforcement("0", "SE")) == (2, 2)
    assert int(p.s.energy[0]) == 30 - 13
    assert p.legal("reinforce") == ["reinforce NW +1", "reinforce NW +2"], "others stack on it (R17)"


def test_t29_r5_no_reinforcement_towards_a_node_realized_empty(position):
    p = position(at("2.0").replace("phase:1.0", "phase:2.0")).play("organize log turn 0 yes")
    assert p.legal() == ["link S cause", "link S hindrance"]


def test_t29_a_mark_set_so_equals_a_printed_one(position):
    text = "4p phase:1.0 turn:y y:1.2 o:4.0 b:4.0 p:4.0 0:org/occurred 1.2:log/+y/marks=.....+"
    # The centre's own mark to the south-east is a cause as well: 2, and a reinforcement of 1.
    assert position(text).realization_points("1.2") == 2
    assert position(f"{text} reinforced:0SE+1").realization_points("1.2") == 3


def test_t29_a_logistic_event_scores_nobody(position):
    text = "4p phase:1.1 first:o turn:y y:4.0 o:4.0 b:4.0 p:4.0 0:org/occurred 1.2:log/+y/marks=.....+"
    p = position(text).play("pass")
    assert (p.outcome("1.2"), p.points()) == (1, [0, 0, 0, 0])


def test_t30_what_is_organized_leaves_the_hand_and_what_is_not_stays(position):
    p = position(at("1.0")).play("organize sup turn 3 yes", "arc yes blue")
    assert "/hand=atk,log " in p.text
    ended = position("3p phase:4.2 first:o turn:y y:4.0/hand=atk,sup,log o:4.0 b:4.0 0:org/failed").play("pass")
    assert "y:4.0/hand=atk,sup,log " in ended.text


@pytest.mark.parametrize(
    ("node", "cards"), [("1.2", {"atk", "sup", "log"}), ("3.4", {"atk", "sup", "log"}), ("4.5", {"sup", "log"})]
)
def test_t30_attacking_events_are_organized_on_radii_1_to_3_only_and_the_others_on_all(position, node, cards):
    p = position(at(node, rest="0:org/occurred"))
    assert {move.split()[1] for move in p.legal("organize")} == cards


@pytest.mark.parametrize("name", ["attacking", "supporting"])
def test_t13_t30_a_flexible_event_bears_the_artifact_sign_only_if_it_names_no_radii(name):
    numbers = {f"{name}_artifact": 1, f"{name}_radii": [1, 2, 3]}
    with pytest.raises(ValueError, match=rf"flexible.{name}_artifact 1 .* a card bears one sign at most \(T13\)"):
        GAME.load_rules(4, {"flexible": numbers})


def test_t11_t27_t28_flexible_events_obey_time_as_others_do(position):
    # atk: backward cause and, opposite, forward hindrance; on 1.0 only the centre is earlier.
    p = position(at("1.0"))
    for event in ("atk", "sup"):
        assert p.legal(f"organize {event}") == [f"organize {event} turn 3 yes", f"organize {event} turn 3 no"]
    p.play("organize atk turn 3 yes", "arc yes blue", "arc no orange")
    assert (p.mark("1.0", "S"), p.mark("1.0", "N")) == (1, -1)
