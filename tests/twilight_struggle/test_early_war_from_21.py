"""The early war, card by card: 21 to 35 and 103 to 106. One position, one event, numbers to check by hand (USSR, US)."""

from __future__ import annotations

import numpy as np
import pytest

from tests.twilight_struggle.table import Table, event, headlines
from timeline_env.twilight_struggle.state import DISCARDS, IN_FRONT, REMOVED


def test_021_nato_protects_us_controlled_europe_from_the_ussr() -> None:
    europe = {"Italy": (0, 2), "Spain/Portugal": (0, 1), "Greece": (1, 2), "Iran": (0, 2)}
    t = event(21, lasting={23: 1}, ussr=[11], influence=europe)
    t.play("card 11", "operations", "coup")
    assert t.legal("country") == ["Spain/Portugal", "Greece", "Iran"]


@pytest.mark.parametrize(("lasting", "possible"), [({}, False), ({16: 1}, True), ({23: 1}, True)])
def test_021_nato_needs_warsaw_pact_or_marshall_plan(lasting: dict[int, int], possible: bool) -> None:
    t = Table(us=[21], phasing="us", lasting=lasting).play("card 21")
    assert ("event" in t.legal()) == possible


def test_022_independent_reds_draws_level_in_one_satellite() -> None:
    satellites = {"Yugoslavia": (3, 1), "Hungary": (2, 0), "Bulgaria": (1, 2), "Poland": (3, 0)}
    t = event(22, influence=satellites)
    assert t.legal("country") == ["Hungary", "Yugoslavia"]
    t.play("Yugoslavia")
    assert (t.influence("Yugoslavia"), t.influence("Hungary")) == ((3, 3), (2, 0))


def test_023_marshall_plan_adds_1_in_seven_countries_not_ussr_controlled() -> None:
    seven = ("UK", "France", "Italy", "Greece", "Turkey", "Austria", "Benelux")
    t = event(23, "UK", influence={"West Germany": (4, 0)})
    assert not {"UK", "West Germany", "East Germany"} & set(t.legal())
    t.play(*seven[1:])
    assert [t.influence(c) for c in seven] == [(0, 1)] * 7
    assert (t.turn, t.s.lasting[23]) == ("ussr", 1)


@pytest.mark.parametrize(("die", "india", "vp"), [(5, (0, 2), 2), (4, (2, 0), 0)])
def test_024_indo_pakistani_war_on_india_or_pakistan(die: int, india: tuple[int, int], vp: int) -> None:
    t = event(24, by="us", influence={"India": (2, 0), "Burma": (2, 0)})
    assert t.legal("country") == ["Pakistan", "India"]
    t.play("India", dice=[die])
    assert (t.influence("India"), t.vp, tuple(t.s.milops)) == (india, vp, (0, 2))


@pytest.mark.parametrize(("card", "points"), [(22, 3), (23, 4)])
def test_025_containment_makes_us_ops_worth_1_more_at_most_4(card: int, points: int) -> None:
    t = Table(us=[card], phasing="us", lasting={25: 1}, influence={"Cuba": (0, 1)})
    t.play(f"card {card}", "operations", *["Cuba"] * points)
    assert (t.influence("Cuba"), t.turn) == ((0, 1 + points), "ussr")


def test_025_containment_lies_in_front_of_the_us_for_the_turn() -> None:
    t = event(25)
    assert (t.place(25), t.s.lasting[25]) == (IN_FRONT, 1)


def test_026_cia_shows_the_ussr_hand_and_gives_1_op() -> None:
    t = event(26, ussr=[34, 1], fillers=1, influence={"Cuba": (0, 1)})
    assert all(t.s.known[1, card] for card in t.in_hand("ussr") if card != 6)
    assert list(np.flatnonzero(t.s.known[0])) == []
    t.play("influence", "Cuba")
    assert (t.influence("Cuba"), t.turn) == ((0, 2), "ussr")


def test_026_cia_coup_counts_1_military_operation() -> None:
    t = event(26, "coup", dice=[4], influence={"Panama": (1, 0)})
    assert (t.influence("Panama"), t.s.milops[1], t.s.defcon) == ((0, 0), 1, 4)


def test_027_japan_pact_adds_what_control_lacks_and_protects_japan() -> None:
    t = event(27, ussr=[11], influence={"Japan": (1, 1), "Iran": (0, 1), "Iraq": (0, 1)}, fillers=1)
    assert t.influence("Japan") == (1, 5)
    t.play("card 11", "operations", "coup")
    assert t.legal("country") == ["Iraq", "Iran"]


def test_027_japan_pact_adds_nothing_where_the_us_has_control() -> None:
    assert event(27, influence={"Japan": (1, 6)}).influence("Japan") == (1, 6)


def test_028_suez_crisis_removes_4_at_most_2_each() -> None:
    t = event(28, "UK", "UK", influence={"UK": (0, 5), "France": (0, 3), "Israel": (0, 1), "Egypt": (0, 2)})
    assert (t.turn, t.legal()) == ("ussr", ["France", "Israel"])
    t.play("France", "Israel")
    assert [t.influence(c) for c in ("UK", "France", "Israel")] == [(0, 3), (0, 2), (0, 0)]


@pytest.mark.parametrize(("turn", "left"), [(1, 2), (7, 2), (8, 1)])
def test_029_east_european_unrest_takes_1_from_three_and_2_in_the_late_war(turn: int, left: int) -> None:
    east = ("Poland", "Hungary", "Romania", "Bulgaria")
    t = event(29, turn=turn, influence=dict.fromkeys(east, (3, 0)))
    assert t.turn == "us"
    t.play(*east[:3])
    assert [t.influence(c) for c in east] == [(left, 0)] * 3 + [(3, 0)]


def test_030_decolonization_adds_1_in_four_countries_of_africa_or_southeast_asia() -> None:
    t = event(30, "Angola")
    assert not {"Angola", "India", "Cuba", "Libya"} & set(t.legal())
    t.play("Zaire", "Thailand", "Nigeria")
    assert [t.influence(c) for c in ("Angola", "Zaire", "Thailand", "Nigeria")] == [(1, 0)] * 4
    assert t.turn == "us"


@pytest.mark.parametrize(("card", "points"), [(23, 3), (19, 1)])
def test_031_red_scare_makes_the_opponents_ops_worth_1_less_at_least_1(card: int, points: int) -> None:
    t = event(31, by="ussr", us=[card], influence={"Cuba": (0, 1)})
    t.play(f"card {card}", "operations", *["Cuba"] * points)
    assert (t.influence("Cuba"), t.turn) == ((0, 1 + points), "ussr")


def test_031_red_scare_leaves_its_players_ops_alone() -> None:
    t = Table(ussr=[8], lasting={31: 2}, influence={"Cuba": (1, 0)})
    t.play("card 8", "operations", "Cuba", "Cuba")
    assert (t.influence("Cuba"), t.turn) == ((3, 0), "us")


def test_032_un_intervention_uses_the_ops_of_an_opponents_card_without_its_event() -> None:
    t = event(32, by="us", us=[8, 12, 25], fillers=0, ussr=[34, 31], influence={"Cuba": (0, 1)})
    assert t.legal() == ["card 8", "card 12"]
    t.play("card 8", "Cuba", "Cuba")
    assert t.influence("Cuba") == (0, 3)
    assert (t.place(32), t.place(8), t.turn) == (DISCARDS, DISCARDS, "ussr")


def test_032_un_intervention_is_no_event_without_a_companion_and_no_headline() -> None:
    assert "event" not in Table(us=[32, 25], phasing="us", fillers=0).play("card 32").legal()
    assert "card 32" not in Table(ussr=[32, 25], stage="headline", action_round=0).legal()


def test_033_de_stalinization_moves_up_to_4_at_most_2_to_a_country_not_us_controlled() -> None:
    t = event(
        33, "Poland", "Poland", "East Germany", influence={"Poland": (4, 0), "East Germany": (3, 0), "UK": (0, 5)}
    )
    t.play("stop", "Cuba", "Cuba")
    assert not {"Cuba", "UK"} & set(t.legal())
    t.play("Chile")
    countries = ("Poland", "East Germany", "Cuba", "Chile")
    assert [t.influence(c)[0] for c in countries] == [2, 2, 2, 1]
    assert t.turn == "us"


def test_033_de_stalinization_may_move_nothing() -> None:
    t = event(33, "stop", influence={"Poland": (4, 0)})
    assert (t.influence("Poland"), t.turn, t.place(33)) == ((4, 0), "us", REMOVED)


@pytest.mark.parametrize(("before", "vp", "after"), [(5, 3, 5), (4, 2, 5), (2, 0, 4)])
def test_034_nuclear_test_ban_pays_defcon_less_2_then_raises_it(before: int, vp: int, after: int) -> None:
    t = event(34, by="us", defcon=before)
    assert (t.vp, t.s.defcon) == (vp, after)


def test_035_formosan_resolution_makes_us_taiwan_a_battleground_of_asia() -> None:
    t = event(35, influence={"Taiwan": (0, 3)}, ussr=[1], fillers=1)
    t.play("card 1")
    assert t.vp == 3 + 1


@pytest.mark.parametrize("use", ["space", "operations"])
def test_035_formosan_resolution_ends_when_the_us_plays_the_china_card(use: str) -> None:
    t = Table(phasing="us", china=1, china_up=1, lasting={35: 1}, influence={"Cuba": (0, 1)})
    t.play("card 6", use)
    assert t.s.lasting[35] == 0


def test_103_defectors_as_us_headline_cancels_the_ussr_headline_and_goes_first() -> None:
    t = headlines(34, 103, defcon=4)
    assert (t.vp, t.s.defcon) == (0, 4)
    assert (t.place(34), t.place(103)) == (DISCARDS, DISCARDS)


def test_103_defectors_as_ussr_headline_does_nothing() -> None:
    t = headlines(103, 4)
    assert (t.vp, t.s.defcon, t.place(103)) == (1, 4, DISCARDS)


@pytest.mark.parametrize(("use", "vp"), [("event", 1), ("operations", 1), ("space", 0)])
def test_103_defectors_played_by_the_ussr_gives_the_us_1(use: str, vp: int) -> None:
    t = Table(ussr=[103], influence={"Cuba": (1, 0)}).play("card 103", use, dice=[6] if use == "space" else None)
    if use == "operations":
        t.play("Cuba", "Cuba")
    assert t.vp == vp


def test_103_defectors_in_a_us_action_round_does_nothing() -> None:
    assert event(103).vp == 0


def test_103_defectors_discarded_to_five_year_plan_by_the_ussr_gives_the_us_1() -> None:
    t = Table(ussr=[5, 103], us=[22, 25], fillers=0, influence={"Cuba": (1, 0)}).play("card 5", "event")
    assert (t.vp, t.place(103)) == (1, DISCARDS)


def test_104_cambridge_five_shows_scoring_cards_and_adds_1_in_their_regions() -> None:
    t = event(104, us=[3, 37, 25])
    assert [bool(t.s.known[0, card]) for card in (3, 37, 25)] == [True, True, False]
    assert {"Iran", "Cuba"} <= set(t.legal())
    assert not {"France", "Brazil", "Nigeria", "India"} & set(t.legal())
    t.play("Cuba")
    assert (t.influence("Cuba"), t.turn) == ((1, 0), "us")


def test_104_of_southeast_asia_scoring_the_region_is_its_own() -> None:
    places = event(104, us=[38], turn=5).legal("country")
    assert set(places) == {"Burma", "Laos/Cambodia", "Thailand", "Vietnam", "Malaysia", "Indonesia", "Philippines"}


def test_104_cambridge_five_adds_nothing_without_scoring_cards() -> None:
    t = event(104, us=[25])
    assert (t.s.influence.sum(), t.turn) == (0, "us")


def test_104_cambridge_five_not_in_the_late_war() -> None:
    assert "event" in Table(ussr=[104], turn=7).play("card 104").legal()
    assert "event" not in Table(ussr=[104], turn=8).play("card 104").legal()


def test_105_special_relationship_adds_1_next_to_the_uk() -> None:
    t = event(105, influence={"UK": (0, 5)})
    assert t.legal("country") == ["Canada", "Norway", "Benelux", "France"]
    t.play("France")
    assert (t.influence("France"), t.vp) == ((0, 1), 0)


def test_105_special_relationship_under_nato_adds_2_in_western_europe_and_2_vp() -> None:
    places = event(105, influence={"UK": (0, 5)}, lasting={21: 1}).legal("country")
    assert len(places) == 14 and {"Finland", "Turkey"} <= set(places) and "Poland" not in places
    t = event(105, "West Germany", influence={"UK": (0, 5)}, lasting={21: 1})
    assert (t.influence("West Germany"), t.vp, t.turn) == ((0, 2), 2, "ussr")


def test_105_special_relationship_needs_control_of_the_uk() -> None:
    t = event(105, influence={"UK": (1, 5)}, lasting={21: 1})
    assert (t.vp, t.turn) == (0, "ussr")


NORAD_POSITION = {"Canada": (0, 4), "Panama": (0, 2), "Iran": (0, 2)}


def test_106_norad_adds_1_where_the_us_is_after_a_round_in_which_defcon_fell_to_2() -> None:
    t = Table(ussr=[11], lasting={106: 1}, defcon=3, influence=NORAD_POSITION)
    t.play("card 11", "operations", "coup", "Panama", dice=[1])
    assert (t.turn, t.legal()) == ("us", ["Canada", "Iran", "Panama", "stop"])
    t.play("Iran")
    assert t.influence("Iran") == (0, 3)


@pytest.mark.parametrize("canada", [(0, 3), (1, 4)])
def test_106_norad_needs_control_of_canada(canada: tuple[int, int]) -> None:
    t = Table(ussr=[11], lasting={106: 1}, defcon=3, influence={**NORAD_POSITION, "Canada": canada})
    t.play("card 11", "operations", "coup", "Panama", dice=[1])
    assert (t.s.defcon, t.asked) == (2, "play")


def test_106_norad_pays_nothing_for_a_headline() -> None:
    t = headlines(19, 4, lasting={106: 1}, defcon=3, influence={**NORAD_POSITION, "Cuba": (1, 0)})
    assert (t.s.defcon, t.s.action_round, t.turn) == (2, 1, "ussr")
    t.play(t.legal("card")[-1], "operations", "influence", "Cuba", "Cuba")
    assert (t.asked, t.turn) == ("play", "us")
