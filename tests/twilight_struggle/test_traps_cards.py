"""Traps 25 to 30: whose event comes when, scoring cards, the China Card, the space race."""

from __future__ import annotations

import pytest

from tests.twilight_struggle.table import Table, event
from timeline_env.twilight_struggle.state import DISCARDS, DRAW_PILE, HANDS, IN_FRONT, REMOVED

# ---- 25


def test_trap_25_event_first_and_the_use_of_the_ops_is_chosen_after_it():
    t = Table(ussr=[4], defcon=5, influence={"France": (1, 1), "Chile": (1, 0)}).play("card 4")
    assert t.legal() == ["event", "operations", "space"]
    t.play("event")
    assert (t.s.defcon, t.vp, t.turn) == (4, 1, "ussr")
    assert t.asked == "place"  # DEFCON 4 has closed Europe, and France was all there was to coup


def test_trap_25_ops_first_and_the_event_after():
    t = Table(ussr=[4], defcon=5, influence={"France": (1, 1), "Chile": (1, 0)}).play("card 4", "operations", "coup")
    assert list(t.s.milops) == [3, 0]
    assert (t.s.defcon, t.vp) == (3, 2)  # the coup in a battleground, then the event: 5 less 3


def test_trap_25_the_owner_decides_inside_the_event():
    t = Table(ussr=[63], turn=5, influence={"Chile": (1, 0)}).play("card 63", "event")
    assert (t.turn, t.asked) == ("us", "add")
    t.play("Kenya", "Sudan", "Nigeria", "Zaire")
    assert (t.turn, t.asked) == ("ussr", "operation")


def test_trap_25_if_the_game_ends_in_the_first_half_the_second_never_comes():
    t = Table(ussr=[4], defcon=2, influence={"Chile": (1, 0)}).play("card 4", "event")
    assert (t.winner, t.influence("Chile"), t.asked) == ("us", (1, 0), "")


# ---- 26


def test_trap_26_defectors_in_the_us_headline_stop_the_ussr_headline_and_go_first():
    t = Table(us=[103], ussr=[7], stage="headline", influence={"Italy": (0, 2)}).play("card 7", "card 103")
    assert (t.influence("Italy"), t.place(7), t.place(103), t.vp) == ((0, 2), DISCARDS, DISCARDS, 0)
    assert (t.turn, t.asked, t.s.action_round) == ("ussr", "play", 1)


def test_trap_26_a_scoring_card_is_stopped_too():
    t = Table(us=[103], ussr=[1], stage="headline", influence={"India": (3, 0)}).play("card 1", "card 103")
    assert (t.vp, t.place(1)) == (0, DISCARDS)


def test_trap_26_defectors_in_the_ussr_headline_do_nothing():
    t = Table(ussr=[103], us=[54], stage="headline", turn=5).play("card 103", "card 54")
    assert (t.vp, t.influence("Chile")) == (0, (2, 0))


@pytest.mark.parametrize("use", ["event", "operations"])
def test_trap_26_defectors_in_a_ussr_round_pay_1(use):
    t = Table(ussr=[103], influence={"Chile": (1, 0)}).play("card 103", use, "Chile", "Chile")
    assert (t.vp, t.turn) == (1, "us")


def test_trap_26_defectors_pay_for_the_card_that_fired_them_not_for_the_round():
    """5 discards 103, which pays; or 67, by which the US draws 103 and plays it, which does not."""
    paid = {}
    for word in range(20):
        t = Table(ussr=[5, 67, 103], us=[20, 22], fillers=0, turn=5, influence={"Chile": (1, 0)})
        t.s.rng = word
        t.play("card 5", "event")
        if by_67 := t.asked == "play" and t.turn == "us" and t.legal() == ["card 103", "stop"]:
            t.play("card 103", "event")
        paid[by_67] = (t.vp, t.place(103))
    assert paid == {False: (1, DISCARDS), True: (0, DISCARDS)}


def test_trap_26_defectors_discarded_to_a_five_year_plan_of_star_wars_pay():
    t = Table(ussr=[85, 103], us=[20, 22], discards=[5], fillers=0, turn=8, space=(0, 1), influence={"Chile": (1, 0)})
    t.play("card 85", "event")
    assert (t.vp, t.place(103)) == (1, DISCARDS)


def test_trap_26_defectors_fired_by_star_wars_pay_nothing():
    t = Table(
        ussr=[5, 85], us=[20, 22], discards=[31, 103], fillers=0, turn=8, space=(0, 1), influence={"Chile": (1, 0)}
    )
    t.play("card 5", "event", "card 103")
    assert (t.vp, t.place(103)) == (0, DISCARDS)


def test_trap_26_defectors_taken_by_missile_envy_pay_nothing():
    t = Table(ussr=[85, 103], us=[20, 22], discards=[49], fillers=0, turn=8, space=(0, 1), influence={"Chile": (1, 0)})
    t.play("card 85", "event")
    assert (t.vp, t.place(103)) == (0, DISCARDS)


def test_trap_26_defectors_for_space_pay_nothing():
    t = Table(ussr=[103]).play("card 103", "space", dice=[6])
    assert (t.vp, t.place(103)) == (0, DISCARDS)


def test_trap_26_defectors_in_a_us_round_do_nothing():
    assert Table(us=[103], phasing="us").play("card 103", "event").vp == 0


# ---- 27


def test_trap_27_as_many_scoring_cards_as_rounds_left_must_be_played():
    assert Table(ussr=[1, 3, 34], action_round=5).legal() == ["card 1", "card 3"]
    assert {"card 1", "card 34", "card 6"} <= set(Table(ussr=[1, 34], action_round=5).legal())


def test_trap_27_also_when_trapped():
    t = Table(ussr=[1, 3, 34], action_round=5, lasting={44: 1})
    assert (t.asked, t.legal()) == ("play", ["card 1", "card 3"])
    assert Table(ussr=[1, 34], action_round=5, lasting={44: 1}).asked == "trap"


def test_trap_27_also_when_owing_missile_envy():
    assert Table(ussr=[1, 3, 49], turn=5, action_round=6, lasting={49: 1}).legal() == ["card 1", "card 3"]


def test_trap_27_the_china_card_may_not_push_one_out():
    t = Table(ussr=[1, 3], action_round=5)
    assert "card 6" not in t.legal()


def test_trap_27_77_may_be_played_as_its_event_when_scoring_cards_must_go():
    t = Table(us=[77, 1, 3, 34], phasing="us", turn=5, action_round=6)
    assert t.legal() == ["card 1", "card 3", "card 77"]
    t.play("card 77")  # for its event, unasked
    assert t.asked == "pick" and "stop" not in t.legal()
    assert "stop" not in t.play("card 34").legal()
    assert "stop" in t.play("card 3").legal()  # the other one has a round left
    t.play("stop")
    assert (t.place(1), t.place(77), t.winner) == (HANDS + 1, REMOVED, "")


def test_trap_27_77_in_the_last_round_discards_every_scoring_card():
    t = Table(us=[77, 1, 34], phasing="us", turn=5, action_round=7)
    assert t.legal() == ["card 1", "card 77"]
    t.play("card 77")
    assert "stop" not in t.legal()
    assert "stop" in t.play("card 1").legal()


@pytest.mark.parametrize("lasting", [{42: 1}, {49: 2}])
def test_trap_27_77_stands_in_for_no_scoring_card_in_a_trap_or_while_missile_envy_is_owed(lasting):
    t = Table(us=[77, 1, 3, 49], phasing="us", turn=5, action_round=6, lasting=lasting)
    assert t.legal() == ["card 1", "card 3"]


def test_trap_27_77_stands_in_for_no_scoring_card_of_the_ussr():
    assert Table(ussr=[77, 1, 3], turn=5, action_round=6).legal() == ["card 1", "card 3"]


def test_trap_27_a_card_that_67_draws_in_a_ussr_round_stands_in_for_nothing():
    """The US holds a scoring card for the round that it still has."""
    t = Table(ussr=[67, 77], us=[1], turn=5, action_round=7, fillers=0, influence={"Chile": (1, 1)})
    t.play("card 67", "event", "card 77")
    assert (t.turn, t.legal()) == ("us", ["event", "operations", "space"])


def test_trap_27_a_scoring_card_kept_for_an_eighth_round_that_is_lost_loses():
    """The other side comes to box 8, too: the power is gone (trap 30), and the card could have been played before."""
    kept = {"ussr": [1], "turn": 5, "action_round": 7, "space": (8, 7), "milops": (5, 5)}
    assert {"card 1", "card 8"} <= set(Table(**{**kept, "ussr": [1, 8]}).legal())
    t = Table(**kept, us=[18], phasing="us").play("card 18", "event")
    assert (t.winner, t.ending) == ("us", "a scoring card held")


def test_trap_27_an_opponents_event_cannot_force_holding_one():
    """The USSR traps the US in the last round: the US still plays its scoring card, and does not lose by it."""
    t = Table(ussr=[42], us=[3, 34], turn=5, action_round=7, milops=(5, 5), influence={"Iran": (2, 2)})
    t.play("card 42", "event")
    assert (t.place(3) in (DISCARDS, DRAW_PILE), t.winner, t.s.turn) == (True, "", 6)


def test_trap_27_a_scoring_card_held_at_the_end_of_a_turn_loses():
    t = Table(us=[49, 20], ussr=[1], phasing="us", turn=5, action_round=7, milops=(5, 5), influence={"Chile": (0, 1)})
    t.play("card 20", "operations", "Chile", "Chile")
    assert (t.winner, t.ending) == ("us", "a scoring card held")


# ---- 28


def known_to_ussr(t: Table) -> set[int]:
    return {card for card in range(1, 111) if t.s.known[0, card]}


def test_trap_28_aldrich_ames_opens_the_hand_and_the_ussr_picks_a_discard():
    t = Table(ussr=[98], us=[4, 1], turn=8).play("card 98", "event")
    assert t.legal() == ["card 1", "card 4", "card 20", "card 22"]
    t.play("card 4")
    assert (t.place(4), t.s.defcon, t.place(98)) == (DISCARDS, 5, IN_FRONT)
    assert known_to_ussr(t) == {1, 20, 22}


def test_trap_28_the_hand_stays_open_for_what_is_drawn():
    t = Table(us=[77, 4], phasing="us", turn=8, lasting={98: 1}).play("card 77", "event", "card 4", "stop")
    assert len(known_to_ussr(t)) == 1


@pytest.mark.parametrize(("card", "side", "viewer"), [(26, "us", 1), (62, "ussr", 0)])
def test_trap_28_cia_and_lone_gunman_show_the_hand_once(card, side, viewer):
    other = "ussr" if side == "us" else "us"
    t = Table(**{side: [card], other: [39, 1]}, phasing=side, turn=5).play(f"card {card}", "event")
    shown = {c for c in range(1, 111) if t.s.known[viewer, c]}
    assert {39, 1} < shown and t.s.lasting[card] == 0


def test_trap_28_ask_not_fixes_the_number_before_drawing():
    t = Table(us=[77, 4, 39], phasing="us", turn=5).play("card 77", "event", "card 4")
    assert t.s.held[1] == 3
    t.play("stop")
    assert (t.s.held[1], t.turn) == (4, "ussr")


def test_trap_28_our_man_in_tehrans_discards_do_nothing():
    t = Table(us=[108], phasing="us", turn=5, influence={"Jordan": (0, 2)}).play("card 108", "event")
    before = (t.vp, t.s.defcon, list(t.s.lasting))
    first = t.legal("card")[0]
    t.play(first)
    assert (t.vp, t.s.defcon, list(t.s.lasting)) == before
    assert len(t.legal("card")) == 4


# ---- 29


def test_trap_29_the_china_card_goes_face_down_when_played():
    t = Table(influence={"Chile": (1, 0)}).play("card 6", "operations", *["Chile"] * 4)
    assert (t.s.china, t.s.china_up, t.place(6)) == (1, 0, HANDS + 1)
    assert (t.turn, "card 6" in t.legal()) == ("us", False)


def test_trap_29_it_is_face_up_in_the_next_turn():
    assert Table(stage="next", turn=5, china=1, china_up=0).s.china_up == 1


@pytest.mark.parametrize(("card", "china", "up"), [(58, 1, 1), (76, 0, 1), (71, 0, 0)])
def test_trap_29_events_pass_it_face_up_but_nixon_face_down(card, china, up):
    side = "ussr" if china else "us"
    t = Table(**{side: [card]}, phasing=side, turn=5, china=china, china_up=1 - up).play(f"card {card}", "event")
    assert (t.s.china, t.s.china_up) == (1 - china, up)


def test_trap_29_it_is_legal_for_space_and_never_headlined():
    assert Table().play("card 6").legal() == ["operations", "space"]
    assert Table(ussr=[7], stage="headline").legal() == ["card 7", "card 8", "card 9"]


def test_trap_29_it_is_no_discard_and_never_forced():
    assert "card 6" not in Table(lasting={44: 1}).legal()
    assert Table(us=[10, 20, 22], phasing="us", fillers=0).legal("card") == ["card 10", "card 20", "card 22"]
    assert Table(us=[20, 22], fillers=0).legal() == ["card 6", "stop"]


def test_trap_29_it_is_worth_1_at_the_end():
    assert Table(stage="next", turn=10).vp == -1
    assert Table(stage="next", turn=10, china=1).vp == 1


# ---- 30


def test_trap_30_space_ignores_the_event_and_discards_a_starred_card():
    t = Table(us=[8], phasing="us", influence={"Cuba": (0, 1)}).play("card 8", "space", dice=[3])
    assert (list(t.s.space), t.vp, t.influence("Cuba"), t.place(8)) == ([0, 1], 2, (0, 1), DISCARDS)


def test_trap_30_a_die_too_high_is_an_attempt_all_the_same():
    t = Table(us=[8], phasing="us").play("card 8", "space", dice=[4])
    assert (list(t.s.space), list(t.s.attempts), t.vp) == ([0, 0], [0, 1], 0)


@pytest.mark.parametrize(("space", "attempts"), [((2, 1), True), ((2, 2), False), ((1, 0), False), ((3, 0), True)])
def test_trap_30_two_attempts_with_box_2_while_alone(space, attempts):
    t = Table(ussr=[34], space=space, attempts=(1, 0)).play("card 34")
    assert ("space" in t.legal()) == attempts


def test_trap_30_box_2_gives_its_second_attempt_at_once():
    t = Table(ussr=[34, 39], space=(1, 0), us=[20]).play("card 34", "space", dice=[1])
    assert list(t.s.space) == [2, 0]
    t.play("card 20", "operations", "Canada", "Canada")
    assert "space" in t.play("card 39").legal()


@pytest.mark.parametrize(("other", "points"), [(0, (2, 0, 2, 0, 3, 0, 4, 2)), (8, (1, 0, 0, 0, 1, 0, 2, 0))])
def test_trap_30_every_box_pays_the_first_side_there_and_the_second(other, points):
    """By 18, which needs no die."""
    assert tuple(event(18, by="us", space=(other, box)).vp for box in range(8)) == points


def test_trap_30_captured_nazi_scientist_pays_nothing_beyond_the_last_box():
    assert event(18, by="us", space=(0, 8)).vp == 0


@pytest.mark.parametrize("box", [4, 5, 6])
def test_trap_30_boxes_5_to_7_need_3_ops(box):
    for card, enough in ((22, False), (25, True)):
        t = Table(us=[card], phasing="us", turn=5, space=(0, box)).play(f"card {card}")
        assert ("space" in t.legal()) == enough


@pytest.mark.parametrize(("box", "most"), [*enumerate((3, 4, 3, 4, 3, 4, 3, 2))])
def test_trap_30_every_box_has_its_highest_die(box, most):
    for die, reached in ((most, box + 1), (most + 1, box)):
        t = Table(us=[23], phasing="us", space=(0, box)).play("card 23", "space", dice=[die])
        assert list(t.s.space) == [0, reached]


def test_trap_30_one_small_step_pays_the_last_box_only():
    t = Table(ussr=[80], turn=5, space=(2, 4)).play("card 80", "event")
    assert (list(t.s.space), t.vp) == ([4, 4], 0)  # box 3 would pay nothing to the second, box 4 nothing at all
    t = Table(us=[80], phasing="us", turn=5, space=(4, 3)).play("card 80", "event")
    assert (list(t.s.space), t.vp) == ([4, 5], 3)


def test_trap_30_box_4_makes_the_opponent_choose_the_headline_first_and_show_it():
    t = Table(ussr=[7], us=[63], stage="headline", space=(4, 3))
    assert t.turn == "us"
    t.play("card 63")
    assert (t.turn, list(t.s.open_headline)) == ("ussr", [0, 1])
    assert Table(ussr=[7], us=[63], stage="headline", space=(4, 4)).turn == "ussr"


def test_trap_30_box_6_may_discard_a_held_card_at_the_end_of_the_turn():
    t = Table(us=[18, 34], ussr=[54], phasing="us", fillers=0, turn=5, action_round=7, space=(0, 6), milops=(5, 5))
    t.play("card 18", "operations", "Canada")
    assert (t.turn, t.asked, t.legal()) == ("us", "leave-hand", ["card 34", "stop"])
    t.play("card 34")
    assert t.s.turn == 6


@pytest.mark.parametrize("position", [{"space": (7, 8)}, {"extra_round": (0, 1)}])
def test_trap_30_an_eighth_round_belongs_to_one_side_and_may_be_declined(position):
    t = Table(us=[34], phasing="us", turn=8, action_round=8, milops=(5, 5), **position)
    assert t.legal() == ["card 20", "card 22", "card 34", "stop"]
    assert t.play("stop").s.turn == 9


def test_trap_30_north_sea_oil_gives_the_us_an_eighth_round():
    t = Table(us=[86], phasing="us", turn=8).play("card 86", "event")
    assert (list(t.s.extra_round), t.s.lasting[86]) == ([0, 1], 1)


def test_trap_30_an_eighth_round_in_a_trap_may_be_declined():
    t = Table(us=[34], phasing="us", turn=8, action_round=8, milops=(5, 5), extra_round=(0, 1), lasting={42: 1})
    assert (t.asked, t.legal()[-1]) == ("trap", "stop")


def test_trap_30_space_needs_the_effective_ops():
    assert "space" not in Table(ussr=[39], space=(7, 0), lasting={31: 1}, turn=5).play("card 39").legal()
    assert "space" in Table(ussr=[39], space=(7, 0), lasting={51: 1}, turn=5).play("card 39").legal()
