"""The events of the mid war, one by one: cards 36 to 58. Test names begin with the card's number."""

from __future__ import annotations

import pytest

from tests.twilight_struggle.table import mid
from timeline_env.twilight_struggle.board import US
from timeline_env.twilight_struggle.state import DISCARDS, HANDS, IN_FRONT, REMOVED


def test_036_brush_war_takes_a_weak_country_on_a_3():
    t = mid(influence={"Nigeria": (0, 2)}, ussr=[36]).play("card 36", "event", "Nigeria", dice=[3])
    assert t.influence("Nigeria") == (2, 0)
    assert (t.vp, list(t.s.milops), t.s.defcon) == (-1, [3, 0], 5)
    assert t.place(36) == DISCARDS


def test_036_brush_war_fails_on_a_3_beside_an_enemy_country():
    t = mid(influence={"Nigeria": (0, 2), "Cameroon": (0, 1)}, ussr=[36])
    t.play("card 36", "event", "Nigeria", dice=[3])
    assert t.influence("Nigeria") == (0, 2)
    assert (t.vp, list(t.s.milops)) == (0, [3, 0])


def test_036_brush_war_aims_at_stability_1_and_2_only():
    targets = mid(ussr=[36]).play("card 36", "event").legal("country")
    assert {"Italy", "Nigeria", "Iran", "Mexico", "Pakistan"} <= set(targets)
    assert not {"France", "Iraq", "Cuba", "Israel", "India"} & set(targets)
    assert len(targets) == 52


@pytest.mark.parametrize(
    ("ussr", "us", "vp"),
    [
        (["Cuba", "Nicaragua"], ["Panama"], -1),  # presence 1, Cuba 1, next to the US 1; presence 1, Panama 1
        (["Cuba", "Mexico", "Haiti"], ["Panama"], -5),  # domination 3, 2, next to the US 2; presence 1, Panama 1
        (["Haiti"], ["Cuba", "Mexico", "Panama"], 7),  # presence 1; control 5, 3
    ],
)
def test_037_central_america_scoring_pays_1_3_5(ussr, us, vp):
    influence = {**dict.fromkeys(ussr, (3, 0)), **dict.fromkeys(us, (0, 3))}
    assert mid(influence=influence, ussr=[37]).play("card 37").vp == vp


def test_038_southeast_asia_scoring_counts_thailand_twice_and_only_once_a_game():
    t = mid(influence={"Thailand": (0, 2), "Vietnam": (0, 1), "Burma": (2, 0)}, us=[38], phasing="us").play("card 38")
    assert t.vp == 2 + 1 - 1
    assert t.place(38) == REMOVED


@pytest.mark.parametrize(("milops", "vp"), [((3, 1), -1), ((4, 1), -3), ((2, 2), 0), ((1, 4), 0)])
def test_039_arms_race_needs_a_lead_and_pays_3_for_the_requirement(milops, vp):
    assert mid(ussr=[39], milops=milops, defcon=4).play("card 39", "event").vp == vp


def test_040_cuban_missile_crisis_sets_defcon_2_and_marks_the_opponent():
    t = mid(ussr=[40], influence={"Nigeria": (1, 0)}).play("card 40", "event")
    assert (t.s.defcon, t.place(40)) == (2, IN_FRONT)
    t.play("card 20", "operations", "coup")
    assert (t.winner, t.ending) == ("ussr", "a coup in the Cuban Missile Crisis")


def test_041_nuclear_subs_lie_before_the_us_for_the_turn():
    t = mid(us=[41], phasing="us").play("card 41", "event")
    assert (t.place(41), t.s.lasting[41]) == (IN_FRONT, 1)


def test_041_nuclear_subs_keep_defcon_in_us_coups_and_not_in_soviet_ones():
    t = mid(influence={"Nigeria": (1, 1)}, phasing="us", us=[31], lasting={41: 1})
    assert t.play("card 31", "operations", "coup", dice=[1]).s.defcon == 5
    t = mid(influence={"Nigeria": (1, 1)}, ussr=[31], lasting={41: 1})
    assert t.play("card 31", "operations", "coup", dice=[1]).s.defcon == 4


def test_042_quagmire_traps_the_us_and_ends_norad():
    t = mid(ussr=[42], us=[39], lasting={106: 1}).play("card 42", "event")
    assert (t.s.lasting[42], t.s.lasting[106], t.place(42)) == (1, 0, REMOVED)
    assert (t.turn, t.asked) == ("us", "trap")
    t.play("card 39", dice=[4])
    assert (t.s.lasting[42], t.place(39)) == (0, DISCARDS)


def test_042_quagmire_holds_on_a_5():
    t = mid(ussr=[42], us=[39]).play("card 42", "event").play("card 39", dice=[5])
    assert (t.s.lasting[42], t.place(39)) == (1, DISCARDS)


def test_043_salt_negotiations_raise_defcon_by_2_and_take_back_a_card():
    t = mid(ussr=[43], defcon=2, discards=[34, 1]).play("card 43", "event")
    assert t.legal() == ["card 34", "stop"]
    t.play("card 34")
    assert (t.s.defcon, t.place(34), t.place(43)) == (4, HANDS, IN_FRONT)
    assert [bool(t.s.known[US, card]) for card in (34, 1)] == [True, False], "the US has seen what was taken"


def test_043_salt_negotiations_need_not_take_a_card():
    t = mid(ussr=[43], defcon=4, discards=[34]).play("card 43", "event", "stop")
    assert (t.s.defcon, t.place(34)) == (5, DISCARDS)


def test_044_bear_trap_traps_the_ussr():
    t = mid(us=[44], phasing="us").play("card 44", "event")
    assert (t.turn, t.asked, t.legal()) == ("ussr", "trap", ["card 8", "card 9"])
    t.play("card 8", dice=[1])
    assert (t.s.lasting[44], t.place(8)) == (0, DISCARDS)


def test_045_summit_adds_a_region_and_lets_the_winner_move_defcon():
    ruled = {"Cuba": (3, 0), "Mexico": (2, 0), "Haiti": (1, 0)}
    t = mid(us=[45], phasing="us", influence=ruled, defcon=4).play("card 45", "event", dice=[3, 3])
    assert (t.vp, t.turn) == (-2, "ussr")
    assert t.play("option 1").s.defcon == 5


def test_045_summit_may_lower_or_leave_defcon():
    for option, defcon in (("option 0", 3), ("option 2", 4)):
        t = mid(ussr=[45], defcon=4).play("card 45", "event", dice=[2, 6])
        assert (t.turn, t.vp) == ("us", 2)
        assert t.play(option).s.defcon == defcon


def test_045_summit_gives_nothing_on_a_tie():
    t = mid(ussr=[45], defcon=4).play("card 45", "event", dice=[5, 5])
    assert (t.vp, t.s.defcon, t.asked) == (0, 4, "play")


@pytest.mark.parametrize("level", [2, 3, 4, 5])
def test_046_how_i_learned_to_stop_worrying_sets_any_level(level):
    t = mid(ussr=[46], defcon=3, milops=(1, 0)).play("card 46", "event", f"option {level - 1}")
    assert (t.s.defcon, list(t.s.milops), t.place(46)) == (level, [5, 0], REMOVED)


def test_047_junta_adds_2_and_makes_a_free_coup():
    t = mid(ussr=[47], influence={"Brazil": (0, 1)}).play("card 47", "event", "Venezuela")
    assert t.influence("Venezuela") == (2, 0)
    assert t.legal() == ["coup", "realign", "stop"]
    t.play("coup", dice=[4])  # 4 + 2 - 2 x 2 = 2: one goes, one comes
    assert t.influence("Brazil") == (1, 0)
    assert (list(t.s.milops), t.s.defcon) == ([0, 0], 4)


def test_047_junta_adds_in_central_and_south_america_alone():
    places = set(mid(ussr=[47]).play("card 47", "event").legal("country"))
    assert (
        len(places) == 20 and {"Mexico", "Haiti", "Argentina"} <= places and not {"Nigeria", "Spain/Portugal"} & places
    )


def test_047_junta_may_realign_twice_or_not_at_all():
    t = mid(ussr=[47], influence={"Brazil": (0, 4)}).play("card 47", "event", "Venezuela")
    t.play("realign", dice=[4, 3])  # 4 + 1 neighbour against 3 + 1 for more influence
    assert (t.influence("Brazil"), t.legal()) == ((0, 3), ["Brazil", "stop"])
    assert t.play("Brazil", dice=[6, 3]).influence("Brazil") == (0, 0)
    assert t.turn == "us"
    t = mid(ussr=[47], influence={"Brazil": (0, 4)}).play("card 47", "event", "Venezuela", "stop")
    assert (t.influence("Brazil"), t.turn) == ((0, 4), "us")


@pytest.mark.parametrize(("first", "second"), [("Brazil", "Cuba"), ("Cuba", "Brazil")])
def test_047_junta_realigns_in_one_of_its_two_regions(first, second):
    lands = {"Brazil": (0, 9), "Cuba": (0, 9)}
    t = mid(ussr=[47], influence=lands).play("card 47", "event", "Venezuela", "realign")
    assert {first, second} <= set(t.legal())
    assert t.play(first).legal() == [first, "stop"]
    t = mid(ussr=[47], influence=lands).play("card 47", "operations", "realign", first)
    assert {first, second} <= set(t.legal())  # its Ops are bound to no region


def test_048_kitchen_debates_pay_the_us_for_more_battlegrounds():
    t = mid(us=[48], phasing="us", influence={"Nigeria": (0, 1)}).play("card 48", "event")
    assert (t.vp, t.place(48)) == (2, REMOVED)
    t = mid(us=[48], phasing="us", influence={"Nigeria": (0, 1), "Zaire": (1, 0)}).play("card 48")
    assert "event" not in t.legal()


def test_049_missile_envy_takes_the_highest_card_and_leaves_itself():
    t = mid(ussr=[49], us=[34, 18], fillers=1).play("card 49", "event")
    assert (t.vp, t.place(34)) == (-3, DISCARDS)  # Nuclear Test Ban, run by the USSR at DEFCON 5
    assert (t.turn, t.s.card, t.asked) == ("us", 49, "place")  # nothing else may be played, so it was, for its Ops


def test_050_we_will_bury_you_lowers_defcon_and_pays_3_in_the_next_us_round():
    t = mid(ussr=[50]).play("card 50", "event")
    assert (t.s.defcon, t.vp, t.place(50)) == (4, 0, REMOVED)
    assert t.play("card 20", "operations").vp == -3


def test_051_brezhnev_doctrine_makes_2_ops_3():
    t = mid(ussr=[51]).play("card 51", "event")
    assert (t.s.lasting[51], t.place(51)) == (1, IN_FRONT)
    t = mid(ussr=[20], lasting={51: 1}, influence={"Iran": (1, 2)}).play("card 20", "operations", "coup", dice=[4])
    assert t.influence("Iran") == (2, 0)  # 4 + 3 - 4 = 3
    assert list(t.s.milops) == [3, 0]


def test_052_portuguese_empire_crumbles_adds_2_and_2():
    t = mid(ussr=[52]).play("card 52", "event")
    assert (t.influence("Angola"), t.influence("SE African States")) == ((2, 0), (2, 0))
    assert t.place(52) == REMOVED


def test_053_south_african_unrest_adds_2_or_1_and_2_next_to_it():
    assert mid(ussr=[53]).play("card 53", "event", "option 0").influence("South Africa") == (2, 0)
    t = mid(ussr=[53]).play("card 53", "event", "option 1")
    assert t.legal() == ["Angola", "Botswana"]
    t.play("Angola", "Angola")
    assert (t.influence("South Africa"), t.influence("Angola")) == ((1, 0), (2, 0))


def test_053_south_african_unrest_may_be_split_over_two_neighbours():
    t = mid(ussr=[53]).play("card 53", "event", "option 1", "Angola", "Botswana")
    assert (t.influence("Angola"), t.influence("Botswana")) == ((1, 0), (1, 0))


def test_054_allende_adds_2_in_chile():
    t = mid(ussr=[54]).play("card 54", "event")
    assert (t.influence("Chile"), t.place(54)) == ((2, 0), REMOVED)


def test_055_willy_brandt_pays_1_and_opens_west_germany():
    t = mid(ussr=[55], influence={"West Germany": (0, 5)}, lasting={21: 1}).play("card 55", "event")
    assert (t.vp, t.influence("West Germany"), t.s.lasting[55]) == (-1, (1, 5), 1)


def test_055_willy_brandt_cannot_happen_after_tear_down_this_wall():
    assert "event" not in mid(ussr=[55], lasting={96: 1}).play("card 55").legal()


def test_056_muslim_revolution_clears_two_countries():
    us = {"Egypt": (1, 3), "Iran": (0, 2), "Sudan": (0, 1), "Israel": (0, 4)}
    t = mid(ussr=[56], influence=us).play("card 56", "event")
    assert t.legal() == ["Iran", "Egypt", "Sudan"]
    t.play("Egypt", "Iran")
    assert (t.influence("Egypt"), t.influence("Iran"), t.influence("Sudan")) == ((1, 0), (0, 0), (0, 1))


def test_056_muslim_revolution_cannot_happen_after_awacs():
    assert "event" not in mid(ussr=[56], lasting={110: 1}).play("card 56").legal()


def test_057_abm_treaty_raises_defcon_before_its_4_ops():
    t = mid(ussr=[57], defcon=2, influence={"Iran": (0, 2)}).play("card 57", "event")
    assert (t.s.defcon, t.asked) == (3, "operation")
    t.play("coup", dice=[3])  # open at DEFCON 3; 3 + 4 - 4 = 3
    assert (t.influence("Iran"), list(t.s.milops), t.s.defcon) == ((1, 0), [4, 0], 2)


def test_058_cultural_revolution_passes_the_china_card_face_up():
    t = mid(ussr=[58], china=1, china_up=0).play("card 58", "event")
    assert (t.s.china, t.s.china_up, t.vp, t.place(58)) == (0, 1, 0, REMOVED)


def test_058_cultural_revolution_pays_the_ussr_if_it_has_the_card():
    t = mid(ussr=[58]).play("card 58", "event")
    assert (t.s.china, t.vp) == (0, -1)
