"""The early war, card by card: 1 to 20. One position, one event, numbers to check by hand (USSR, US)."""

from __future__ import annotations

import pytest

from tests.twilight_struggle.table import Table, event
from timeline_env.twilight_struggle.state import DISCARDS, HANDS, IN_FRONT, REMOVED

US_HAND = HANDS + 1


def test_001_asia_scoring_us_dominates_for_7_and_ussr_has_presence() -> None:
    t = event(
        1, by="ussr", influence={"Japan": (0, 4), "South Korea": (0, 3), "Australia": (0, 4), "North Korea": (3, 0)}
    )
    assert t.vp == (7 + 2) - (3 + 1)
    assert t.place(1) == DISCARDS


def test_002_europe_scoring_presence_of_both_and_one_battleground_more() -> None:
    t = event(2, by="us", influence={"France": (0, 3), "UK": (0, 5), "Poland": (3, 0), "East Germany": (3, 0)})
    assert t.vp == (3 + 1) - (3 + 2)


def test_003_middle_east_scoring_ussr_dominates_for_5() -> None:
    t = event(
        3,
        by="us",
        influence={
            "Iraq": (3, 0),
            "Syria": (2, 0),
            "Libya": (2, 0),
            "Egypt": (2, 0),
            "Israel": (0, 4),
            "Iran": (0, 2),
        },
    )
    assert t.vp == (3 + 2) - (5 + 3)


def test_004_duck_and_cover_gives_5_less_the_new_defcon() -> None:
    t = event(4, defcon=4)
    assert (t.s.defcon, t.vp) == (3, 2)


def test_005_five_year_plan_fires_a_us_event() -> None:
    t = event(5, ussr=[19], us=[22], fillers=0, influence={"Italy": (1, 0)})
    assert t.influence("Italy") == (0, 0)
    assert t.place(19) == REMOVED


@pytest.mark.parametrize("card", [8, 34, 1])
def test_005_five_year_plan_only_discards_any_other_card(card: int) -> None:
    t = event(5, ussr=[card], us=[22], fillers=0)
    assert t.place(card) == DISCARDS
    assert (t.vp, t.influence("Cuba"), t.s.defcon) == (0, (0, 0), 5)


def test_005_five_year_plan_takes_nothing_from_an_empty_hand() -> None:
    t = event(5, us=[22, 25], fillers=0)
    assert t.place(5) == DISCARDS
    assert not t.winner


def test_006_china_card_is_worth_5_in_asia_and_passes_face_down() -> None:
    t = Table(influence={"Thailand": (1, 0)})
    t.play("card 6", "operations", *["Thailand"] * 5)
    assert t.influence("Thailand") == (6, 0)
    assert (t.s.china, t.s.china_up, t.turn) == (1, 0, "us")
    assert "card 6" not in t.legal("card")


def test_006_china_card_is_worth_4_once_a_point_is_elsewhere() -> None:
    t = Table(influence={"Thailand": (1, 0), "Cuba": (1, 0)})
    t.play("card 6", "operations", "Cuba", *["Thailand"] * 3)
    assert (t.influence("Thailand"), t.turn) == ((4, 0), "us")


def test_006_china_card_has_no_event() -> None:
    assert Table().play("card 6").legal("use") == ["operations", "space"]


def test_007_socialist_governments_removes_3_in_western_europe_at_most_2_each() -> None:
    t = event(7, "France", "France", influence={"France": (0, 3), "UK": (0, 5), "Finland": (0, 1), "Poland": (0, 2)})
    assert (t.turn, t.legal()) == ("ussr", ["UK", "Finland"])
    t.play("UK")
    assert (t.influence("France"), t.influence("UK")) == ((0, 1), (0, 4))
    assert t.turn == "us"


def test_007_socialist_governments_not_after_the_iron_lady() -> None:
    t = Table(ussr=[7], lasting={83: 1}, influence={"France": (0, 3)}).play("card 7")
    assert "event" not in t.legal()


def test_008_fidel_removes_us_and_gains_control_of_cuba() -> None:
    t = event(8, influence={"Cuba": (1, 2)})
    assert t.influence("Cuba") == (3, 0)
    assert t.place(8) == REMOVED


def test_009_vietnam_revolts_adds_2_in_vietnam_and_lies_in_front_of_the_ussr() -> None:
    t = event(9)
    assert t.influence("Vietnam") == (2, 0)
    assert (t.place(9), t.s.lasting[9]) == (IN_FRONT, 1)


def test_009_vietnam_revolts_makes_2_ops_worth_3_in_southeast_asia() -> None:
    t = Table(ussr=[8], lasting={9: 1}, influence={"Vietnam": (1, 0)})
    t.play("card 8", "operations", *["Vietnam"] * 3)
    assert (t.influence("Vietnam"), t.turn) == ((4, 0), "us")


def test_010_blockade_is_lifted_by_a_discard_worth_3() -> None:
    t = event(10, us=[4], influence={"West Germany": (0, 4)})
    assert (t.turn, t.legal()) == ("us", ["card 4", "stop"])
    t.play("card 4")
    assert t.influence("West Germany") == (0, 4)
    assert t.place(4) == DISCARDS


def test_010_blockade_takes_all_us_influence_from_west_germany_otherwise() -> None:
    kept = event(10, "stop", us=[4], influence={"West Germany": (1, 4)})
    assert (kept.influence("West Germany"), kept.place(4)) == ((1, 0), US_HAND)
    unable = event(10, us=[19], influence={"West Germany": (1, 4)})
    assert unable.influence("West Germany") == (1, 0)


def test_010_blockade_counts_ops_under_containment() -> None:
    t = event(10, us=[22], lasting={25: 1}, influence={"West Germany": (0, 4)}, fillers=1)
    assert "card 22" in t.legal()


@pytest.mark.parametrize(("die", "korea", "vp"), [(6, (4, 0), -2), (5, (1, 3), 0)])
def test_011_korean_war_is_won_on_4_less_1_for_each_us_neighbour(die: int, korea: tuple[int, int], vp: int) -> None:
    t = event(11, dice=[die], influence={"South Korea": (1, 3), "Japan": (0, 4), "Taiwan": (0, 3)})
    assert (t.influence("South Korea"), t.vp) == (korea, vp)
    assert tuple(t.s.milops) == (2, 0)
    assert t.s.defcon == 5


def test_012_romanian_abdication_removes_us_and_gains_control_of_romania() -> None:
    t = event(12, influence={"Romania": (1, 2)})
    assert t.influence("Romania") == (3, 0)


@pytest.mark.parametrize(("die", "israel", "vp"), [(6, (4, 0), -2), (5, (0, 4), 0)])
def test_013_arab_israeli_war_counts_israel_itself(die: int, israel: tuple[int, int], vp: int) -> None:
    t = event(13, dice=[die], influence={"Israel": (0, 4), "Egypt": (0, 2)})
    assert (t.influence("Israel"), t.vp, t.s.milops[0]) == (israel, vp, 2)


def test_013_arab_israeli_war_not_after_camp_david() -> None:
    assert "event" not in Table(ussr=[13], lasting={65: 1}).play("card 13").legal()


def test_014_comecon_adds_1_in_four_countries_not_us_controlled() -> None:
    t = event(14, "Poland", influence={"East Germany": (0, 3)})
    assert "Poland" not in t.legal()
    assert "East Germany" not in t.legal()
    assert "Austria" in t.legal()
    t.play("Hungary", "Romania", "Finland")
    assert [t.influence(c) for c in ("Poland", "Hungary", "Romania", "Finland")] == [(1, 0)] * 4
    assert t.turn == "us"


@pytest.mark.parametrize(("before", "after"), [(3, 1), (2, 1), (1, 0), (0, 0)])
def test_015_nasser_adds_2_and_halves_the_us_rounded_up(before: int, after: int) -> None:
    assert event(15, influence={"Egypt": (0, before)}).influence("Egypt") == (2, after)


def test_016_warsaw_pact_removes_all_us_influence_from_four_countries() -> None:
    east = ("East Germany", "Poland", "Hungary", "Austria", "Romania")
    t = event(16, by="us", influence=dict.fromkeys((*east, "France"), (1, 3)))
    assert (t.turn, t.legal()) == ("ussr", ["option 0", "option 1"])
    t.play("option 0", east[0])
    assert t.turn == "ussr"
    t.play(*east[1:4])
    assert [t.influence(c) for c in east] == [(1, 0)] * 4 + [(1, 3)]
    assert t.influence("France") == (1, 3)


def test_016_warsaw_pact_adds_5_at_most_2_in_a_country() -> None:
    t = event(16, "option 1", "Poland", "Poland", "Hungary", "Hungary")
    assert not {"Poland", "Hungary", "France"} & set(t.legal())
    t.play("Bulgaria")
    assert [t.influence(c) for c in ("Poland", "Hungary", "Bulgaria")] == [(2, 0), (2, 0), (1, 0)]


def test_017_de_gaulle_takes_2_and_adds_1_in_france() -> None:
    assert event(17, influence={"France": (0, 3)}).influence("France") == (1, 1)


def test_017_de_gaulle_opens_france_under_nato() -> None:
    t = Table(ussr=[11], lasting={21: 1, 17: 1}, influence={"France": (0, 3), "Italy": (0, 2), "Iran": (0, 2)})
    assert t.play("card 11", "operations", "coup").legal("country") == ["France", "Iran"]


def test_018_captured_nazi_scientist_advances_a_box_without_an_attempt() -> None:
    t = event(18, by="us", space=(0, 0))
    assert (tuple(t.s.space), t.vp, t.s.attempts[1]) == ((0, 1), 2, 0)
    second = event(18, by="us", space=(1, 0))
    assert (tuple(second.s.space), second.vp) == ((1, 1), 1)


def test_019_truman_doctrine_clears_a_country_of_europe_that_nobody_controls() -> None:
    t = event(19, influence={"Italy": (1, 0), "Greece": (1, 1), "Poland": (3, 0), "France": (1, 4), "Iran": (1, 0)})
    assert (t.turn, t.legal()) == ("us", ["Italy", "Greece"])
    t.play("Greece")
    assert (t.influence("Greece"), t.influence("Italy")) == ((0, 1), (1, 0))


def test_020_olympic_games_sponsor_adds_2_and_ties_are_rolled_again() -> None:
    t = event(20, by="ussr")
    assert (t.turn, t.legal()) == ("us", ["option 0", "option 1"])
    t.play("option 0", dice=[3, 5, 2, 6])
    assert (t.vp, t.s.defcon) == (2, 5)
    t = event(20, "option 0", by="ussr", dice=[3, 4])
    assert t.vp == -2


def test_020_olympic_games_boycotted_lower_defcon_and_give_4_ops() -> None:
    t = event(20, "option 1", by="us", influence={"Cuba": (0, 1)}, defcon=4)
    assert (t.s.defcon, t.turn) == (3, "us")
    t.play("influence", *["Cuba"] * 4)
    assert (t.influence("Cuba"), t.vp, t.turn) == ((0, 5), 0, "ussr")
