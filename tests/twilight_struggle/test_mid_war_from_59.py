"""The events of the mid war, one by one: cards 59 to 81, 107 and 108. Test names begin with the card's number."""

from __future__ import annotations

import pytest

from tests.twilight_struggle.table import Table, headlines, mid
from timeline_env.twilight_struggle.state import DISCARDS, DRAW_PILE, HANDS, IN_FRONT, REMOVED


def us_event(card: int, **position) -> Table:
    """The US plays a card as its event, in turn 5."""
    return mid(us=[card], phasing="us", **position).play(f"card {card}", "event")


def test_059_flower_power_pays_2_when_the_us_plays_a_war():
    t = mid(ussr=[59], us=[24]).play("card 59", "event")
    assert (t.s.lasting[59], t.place(59), t.vp) == (1, REMOVED, 0)
    assert t.play("card 24", "operations").vp == -2


def test_060_u2_incident_pays_1_and_1_more_for_un_intervention():
    t = mid(ussr=[60], us=[32, 7]).play("card 60", "event")
    assert (t.vp, t.place(60)) == (-1, IN_FRONT)
    assert t.play("card 32", "event").vp == -2


def test_061_opec_pays_1_for_each_of_seven_countries():
    ruled = {
        "Egypt": (2, 0),
        "Venezuela": (2, 0),
        "Gulf States": (3, 0),
        "Iraq": (2, 0),
        "Iran": (0, 2),
        "Israel": (4, 0),
    }
    assert mid(ussr=[61], influence=ruled).play("card 61", "event").vp == -3


def test_061_opec_cannot_happen_after_north_sea_oil():
    assert "event" not in mid(ussr=[61], lasting={86: 1}).play("card 61").legal()


def test_062_lone_gunman_shows_the_us_hand_and_gives_1_op():
    t = mid(ussr=[62], us=[1, 39], influence={"Nigeria": (1, 1), "Iran": (1, 0)}).play("card 62", "event")
    assert {1, 39} <= {card for card in range(1, 111) if t.s.known[0, card]}
    t.play("influence", "Iran")
    assert (t.influence("Iran"), t.turn) == ((2, 0), "us")


def test_062_lone_gunman_may_coup_with_1_op():
    t = mid(ussr=[62], influence={"Nigeria": (1, 1)}).play("card 62", "event").play("coup", dice=[3])
    assert (t.influence("Nigeria"), list(t.s.milops)) == ((2, 0), [1, 0])  # 3 + 1 - 2 = 2


def test_063_colonial_rear_guards_add_1_in_four_countries():
    t = us_event(63).play("Nigeria", "Burma", "Kenya")
    assert not {"Nigeria", "Burma", "Kenya", "India", "Egypt"} & set(t.legal("country"))
    t.play("Thailand")
    assert [t.influence(c) for c in ("Nigeria", "Burma", "Kenya", "Thailand")] == [(0, 1)] * 4
    assert t.place(63) == DISCARDS


def test_064_panama_canal_returned_adds_1_in_three_countries():
    t = us_event(64)
    assert [t.influence(c) for c in ("Panama", "Costa Rica", "Venezuela")] == [(0, 1)] * 3
    assert t.place(64) == REMOVED


def test_065_camp_david_accords_pay_1_and_add_three():
    t = us_event(65)
    assert [t.influence(c) for c in ("Israel", "Jordan", "Egypt")] == [(0, 1)] * 3
    assert (t.vp, t.s.lasting[65], t.place(65)) == (1, 1, REMOVED)


def test_065_camp_david_accords_end_the_arab_israeli_war():
    assert "event" not in mid(ussr=[13], lasting={65: 1}).play("card 13").legal()


def test_066_puppet_governments_enter_three_empty_countries():
    t = us_event(66, influence={"Chile": (1, 0), "Peru": (0, 1)})
    assert not {"Chile", "Peru"} & set(t.legal())
    t.play("Brazil", "Iraq", "Sweden")
    assert [t.influence(c) for c in ("Brazil", "Iraq", "Sweden")] == [(0, 1)] * 3
    assert t.place(66) == REMOVED


def test_067_grain_sales_plays_the_card_it_took():
    t = mid(us=[67, 20, 22], ussr=[34], phasing="us", fillers=0).play("card 67", "event")
    assert t.legal() == ["card 34", "stop"]
    t.play("card 34", "event")
    assert (t.vp, t.place(34), t.place(67)) == (3, DISCARDS, DISCARDS)


def test_067_grain_sales_gives_the_card_back_for_2_ops():
    t = mid(us=[67, 20, 22], ussr=[34], phasing="us", fillers=0, influence={"Chile": (0, 1)})
    t.play("card 67", "event", "stop")
    assert (t.place(34), t.s.known[1, 34], t.turn) == (HANDS, 1, "us")
    t.play("Chile", "Chile")
    assert (t.influence("Chile"), t.turn) == ((0, 3), "ussr")


def test_067_grain_sales_without_a_card_to_take_is_2_ops():
    t = mid(us=[67, 20, 22], phasing="us", fillers=0, influence={"Chile": (0, 1)}).play("card 67", "event")
    assert (t.turn, t.asked) == ("us", "place")


def test_068_john_paul_ii_changes_poland_and_allows_solidarity():
    t = us_event(68, influence={"Poland": (3, 0)})
    assert (t.influence("Poland"), t.s.lasting[68], t.place(68)) == ((1, 1), 1, REMOVED)
    assert "event" in mid(us=[101], phasing="us", lasting={68: 1}).play("card 101").legal()


def test_069_latin_american_death_squads_hurt_the_opponent():
    t = us_event(69, ussr=[34], influence={"Brazil": (1, 2)})
    assert (t.s.lasting[69], t.place(69)) == (2, IN_FRONT)
    t.play("card 34", "operations", "coup", dice=[1])  # 1 + 4 - 1 - 4 = 0
    assert t.influence("Brazil") == (1, 2)


def test_069_latin_american_death_squads_help_their_player():
    t = mid(us=[34], phasing="us", influence={"Brazil": (2, 1)}, lasting={69: 2})
    t.play("card 34", "operations", "coup", dice=[1])  # 1 + 4 + 1 - 4 = 2
    assert t.influence("Brazil") == (0, 1)


def test_070_oas_founded_adds_2_in_latin_america():
    t = us_event(70)
    assert {"Mexico", "Chile"} <= set(t.legal()) and not {"Kenya", "Canada"} & set(t.legal())
    t.play("Mexico", "Chile")
    assert (t.influence("Mexico"), t.influence("Chile"), t.place(70)) == ((0, 1), (0, 1), REMOVED)


def test_071_nixon_receives_the_china_card_face_down():
    t = us_event(71)
    assert (t.s.china, t.s.china_up, t.vp, t.place(71)) == (1, 0, 0, REMOVED)


def test_071_nixon_pays_2_to_the_us_with_the_china_card():
    t = us_event(71, china=1)
    assert (t.s.china, t.vp) == (1, 2)


def test_072_sadat_expels_soviets():
    t = us_event(72, influence={"Egypt": (4, 1)})
    assert (t.influence("Egypt"), t.place(72)) == ((0, 2), REMOVED)


def test_073_shuttle_diplomacy_takes_a_battleground_from_the_ussr_once():
    ruled = {"Iran": (2, 0), "Libya": (2, 0), "Syria": (2, 0), "Egypt": (0, 2)}
    t = us_event(73, influence=ruled)
    assert (t.s.lasting[73], t.place(73)) == (1, IN_FRONT)
    t = mid(ussr=[3], influence=ruled).play("card 3")
    assert t.vp == -(5 + 2) + (3 + 1)  # without it: domination and 2 battlegrounds against presence and 1
    t = mid(ussr=[3], influence=ruled, lasting={73: 1}).play("card 3")
    assert t.vp == -(3 + 1) + (3 + 1)  # with it: presence and 1 against presence and 1
    assert (t.s.lasting[73], t.place(73)) == (0, DISCARDS)


def test_074_voice_of_america_removes_4_outside_europe_2_from_a_country():
    t = us_event(74, influence={"Poland": (3, 0), "Cuba": (3, 0), "Iraq": (1, 0), "Angola": (3, 0)})
    assert t.legal() == ["Iraq", "Cuba", "Angola"]
    t.play("Cuba", "Cuba")
    assert t.legal() == ["Iraq", "Angola"]
    t.play("Angola", "Angola")
    assert (t.influence("Cuba"), t.influence("Angola"), t.influence("Iraq")) == ((1, 0), (1, 0), (1, 0))
    assert (t.influence("Poland"), t.place(74)) == ((3, 0), DISCARDS)


def test_075_liberation_theology_adds_3_in_central_america_2_in_a_country():
    t = mid(ussr=[75]).play("card 75", "event", "Cuba", "Cuba")
    assert len(t.legal()) == 9 and not {"Cuba", "Brazil"} & set(t.legal())
    t.play("Panama")
    assert (t.influence("Cuba"), t.influence("Panama")) == ((2, 0), (1, 0))


def test_076_ussuri_river_skirmish_receives_the_china_card_face_up():
    t = us_event(76, china_up=0)
    assert (t.s.china, t.s.china_up, t.place(76)) == (1, 1, REMOVED)


def test_076_ussuri_river_skirmish_adds_4_in_asia_if_the_us_has_the_card():
    t = us_event(76, china=1).play("India", "India", "Japan")
    assert "India" not in t.legal() and "Iran" not in t.legal()
    t.play("Thailand")
    assert [t.influence(c) for c in ("India", "Japan", "Thailand")] == [(0, 2), (0, 1), (0, 1)]


def test_077_ask_not_discards_and_then_draws_as_many():
    t = mid(us=[77, 1, 39], phasing="us").play("card 77", "event")
    held = int(t.s.held[1])
    t.play("card 1", "card 39")
    assert t.s.held[1] == held - 2
    t.play("stop")
    assert (t.s.held[1], t.place(1), t.place(39), t.place(77)) == (held, DISCARDS, DISCARDS, REMOVED)


def test_078_alliance_for_progress_pays_for_latin_battlegrounds():
    ruled = {"Mexico": (0, 2), "Chile": (0, 3), "Peru": (0, 2), "Brazil": (2, 0), "Nigeria": (0, 1)}
    t = us_event(78, influence=ruled)
    assert (t.vp, t.place(78)) == (2, REMOVED)


@pytest.mark.parametrize(
    ("ussr", "us", "vp"),
    [
        (["Kenya"], ["Nigeria"], 1),  # presence 1; presence 1 and Nigeria 1
        (["Nigeria", "Zaire", "Kenya"], ["Sudan"], -5),  # domination 4 and 2; presence 1
    ],
)
def test_079_africa_scoring_pays_1_4_6(ussr, us, vp):
    influence = {**dict.fromkeys(ussr, (2, 0)), **dict.fromkeys(us, (0, 2))}
    assert mid(influence=influence, ussr=[79]).play("card 79").vp == vp


def test_079_africa_control_is_6():
    ruled = dict.fromkeys(["Algeria", "Nigeria", "Zaire", "Angola", "South Africa"], (3, 0))
    assert mid(influence=ruled, ussr=[79]).play("card 79").vp == -(6 + 5)


def test_080_one_small_step_moves_two_boxes_and_pays_the_second():
    t = mid(ussr=[80], space=(1, 3)).play("card 80", "event")
    assert (list(t.s.space), t.vp, list(t.s.attempts)) == ([3, 3], 0, [0, 0])
    t = mid(ussr=[80], space=(0, 1)).play("card 80", "event")
    assert (list(t.s.space), t.vp) == ([2, 1], 0)


def test_080_one_small_step_needs_to_be_behind():
    for space in ((1, 1), (2, 1)):
        assert "event" not in mid(ussr=[80], space=space).play("card 80").legal()
    assert "event" in mid(ussr=[80], space=(0, 1)).play("card 80").legal()


def test_080_one_small_step_as_the_headline_of_a_side_that_is_not_behind_does_nothing():
    t = headlines(80, 22, turn=5, space=(1, 1))
    assert (list(t.s.space), t.vp, t.place(80)) == ([1, 1], 0, DISCARDS)


@pytest.mark.parametrize(
    ("ussr", "us", "vp"),
    [
        (["Brazil"], ["Peru"], -1),  # presence 2 and 1; presence 2
        (["Brazil", "Peru"], ["Bolivia"], -4),  # domination 5 and 1; presence 2
        (["Peru"], ["Brazil", "Chile", "Argentina", "Venezuela"], 8),  # presence 2; control 6 and 4
    ],
)
def test_081_south_america_scoring_pays_2_5_6(ussr, us, vp):
    influence = {**dict.fromkeys(ussr, (3, 0)), **dict.fromkeys(us, (0, 3))}
    assert mid(influence=influence, ussr=[81]).play("card 81").vp == vp


def test_107_che_coups_twice_if_influence_went():
    weak = {"Haiti": (0, 1), "Peru": (0, 1), "Brazil": (0, 2), "Iran": (0, 1)}
    t = mid(ussr=[107], influence=weak).play("card 107", "event")
    assert t.legal() == ["Haiti", "Peru", "stop"]
    t.play("Haiti", dice=[2])  # 2 + 3 - 2 = 3
    assert (t.influence("Haiti"), t.legal()) == ((2, 0), ["Peru", "stop"])
    t.play("Peru", dice=[4])  # 4 + 3 - 4 = 3
    assert (t.influence("Peru"), list(t.s.milops), t.s.defcon) == ((2, 0), [5, 0], 5)
    assert (t.turn, t.place(107)) == ("us", DISCARDS)


def test_107_che_coups_once_if_nothing_went():
    t = mid(ussr=[107], influence={"Peru": (0, 1), "Haiti": (0, 1)}).play("card 107", "event")
    t.play("Peru", dice=[1])
    assert (t.influence("Peru"), list(t.s.milops), t.turn) == ((0, 1), [3, 0], "us")


def test_107_che_may_be_left():
    t = mid(ussr=[107], influence={"Peru": (0, 1)}).play("card 107", "event", "stop")
    assert (t.influence("Peru"), list(t.s.milops), t.turn) == ((0, 1), [0, 0], "us")


def test_108_our_man_in_tehran_looks_at_five_and_discards_any():
    t = us_event(108, influence={"Jordan": (0, 2)})
    seen = t.legal("card")
    assert (len(seen), t.legal()[-1]) == (5, "stop")
    first, second, *others = [int(move.split()[1]) for move in seen]
    t.play(f"card {first}", f"card {second}", "stop")
    assert (t.place(first), t.place(second)) == (DISCARDS, DISCARDS)
    assert {t.place(card) for card in others} == {DRAW_PILE}
    assert t.place(108) == REMOVED


def test_108_our_man_in_tehran_needs_a_middle_eastern_country():
    assert "event" not in mid(us=[108], phasing="us", influence={"Jordan": (0, 1)}).play("card 108").legal()
