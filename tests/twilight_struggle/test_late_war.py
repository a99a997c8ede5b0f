"""The late war, card by card: 82 to 102, 109 and 110. One position, one event, numbers to check by hand (USSR, US)."""

from __future__ import annotations

import pytest

from tests.twilight_struggle.table import Table, event
from timeline_env.twilight_struggle.state import DISCARDS, HANDS, IN_FRONT, REMOVED

US_HAND = HANDS + 1


def test_082_iranian_hostage_crisis_clears_the_us_from_iran_and_adds_2() -> None:
    t = event(82, influence={"Iran": (1, 3)})
    assert t.influence("Iran") == (3, 0)
    assert (t.place(82), t.s.lasting[82]) == (REMOVED, 1)


def test_083_iron_lady_pays_1_adds_1_in_argentina_and_clears_the_ussr_from_the_uk() -> None:
    t = event(83, influence={"UK": (2, 5)})
    assert (t.vp, t.influence("Argentina"), t.influence("UK")) == (1, (1, 0), (0, 5))
    assert t.s.lasting[83] == 1


@pytest.mark.parametrize(("libya", "vp"), [(0, 0), (1, 0), (2, 1), (5, 2)])
def test_084_reagan_bombs_libya_pays_1_for_every_2(libya: int, vp: int) -> None:
    t = event(84, influence={"Libya": (libya, 3)})
    assert (t.vp, t.influence("Libya"), t.place(84)) == (vp, (libya, 3), REMOVED)


def test_085_star_wars_fires_a_discard_and_removes_a_starred_one() -> None:
    t = event(85, space=(1, 2), discards=[1, 8, 25, 22], influence={"Cuba": (0, 1)})
    assert (t.turn, t.legal()) == ("us", ["card 8", "card 22", "card 25"])
    t.play("card 8")
    assert t.influence("Cuba") == (3, 0)
    assert (t.place(8), t.place(85)) == (REMOVED, REMOVED)


@pytest.mark.parametrize("space", [(0, 0), (2, 1), (2, 2)])
def test_085_star_wars_needs_the_us_ahead_in_space(space: tuple[int, int]) -> None:
    t = Table(us=[85], phasing="us", turn=8, space=space, discards=[22]).play("card 85")
    assert "event" not in t.legal()


def test_085_star_wars_cannot_fire_un_intervention_which_is_not_in_hand() -> None:
    t = event(85, us=[8], space=(0, 1), discards=[32, 22, 25])
    assert (t.turn, t.legal()) == ("us", ["card 22", "card 25"])


def test_085_star_wars_without_a_discard_does_nothing() -> None:
    t = event(85, space=(0, 1), discards=[1, 2])
    assert (t.turn, t.place(85)) == ("ussr", REMOVED)


def test_085_star_wars_on_a_war_card_pays_flower_power() -> None:
    t = event(85, "card 24", space=(0, 1), discards=[24, 22], lasting={59: 1})
    assert (t.turn, t.vp) == ("us", -2)
    t.play("India", dice=[6])
    assert t.vp == 0


def test_086_north_sea_oil_gives_the_us_an_eighth_round_it_may_decline() -> None:
    t = event(86, action_round=7, us=[25, 22], ussr=[8, 9], influence={"Cuba": (1, 0)})
    assert (t.turn, int(t.s.action_round), "stop" in t.legal()) == ("us", 8, True)
    t.play("stop")
    assert (int(t.s.turn), list(t.s.extra_round)) == (9, [0, 0])


def test_086_north_sea_oil_forbids_opec() -> None:
    assert "event" not in Table(ussr=[61], turn=8, lasting={86: 1}).play("card 61").legal()


@pytest.mark.parametrize(("vp", "points"), [(0, 4), (3, 4), (-1, 6)])
def test_087_reformer_adds_4_or_6_if_the_ussr_leads_at_most_2_each(vp: int, points: int) -> None:
    t = event(87, "Poland", "Poland", vp=vp)
    assert not {"Poland", "Iran"} & set(t.legal())
    t.play(*["France", "France", "Italy", "Italy"][: points - 2])
    assert (int(t.s.influence[0].sum()), t.turn) == (points, "us")


def test_087_reformer_forbids_ussr_coups_in_europe_but_not_realignment() -> None:
    where = {"Italy": (0, 1), "Angola": (0, 1), "Zaire": (0, 1)}
    coup = Table(ussr=[11], lasting={87: 1}, influence=where).play("card 11", "operations", "coup")
    assert coup.legal("country") == ["Zaire", "Angola"]
    realign = Table(ussr=[11], lasting={87: 1}, influence=where).play("card 11", "operations", "realign")
    assert "Italy" in realign.legal()


def test_088_marine_barracks_bombing_clears_lebanon_and_takes_2_points_in_the_middle_east() -> None:
    t = event(88, influence={"Lebanon": (0, 3), "Israel": (0, 4), "Iran": (0, 1), "Italy": (0, 2)})
    assert (t.turn, t.legal()) == ("ussr", ["Israel", "Iran"])
    t.play("Israel", "Israel")
    assert [t.influence(c) for c in ("Lebanon", "Israel", "Iran")] == [(0, 0), (0, 2), (0, 1)]


def test_089_kal_007_lowers_defcon_and_pays_2() -> None:
    t = event(89, defcon=4)
    assert (t.s.defcon, t.vp, t.turn) == (3, 2, "ussr")


def test_089_kal_007_gives_4_ops_without_coups_if_the_us_controls_south_korea() -> None:
    t = event(89, defcon=5, influence={"South Korea": (0, 3), "Angola": (1, 1)})
    assert t.legal() == ["influence", "realign", "stop"]
    t.play("influence", *["Angola"] * 4)
    assert (t.influence("Angola"), t.turn) == ((1, 5), "ussr")


def test_089_kal_007_at_defcon_2_loses_before_it_pays() -> None:
    t = event(89, defcon=2)
    assert (t.winner, t.ending, t.vp) == ("ussr", "DEFCON 1", 0)


def test_090_glasnost_pays_2_and_raises_defcon() -> None:
    t = event(90, defcon=3, influence={"Angola": (1, 1)})
    assert (t.vp, t.s.defcon, t.turn) == (-2, 4, "us")


def test_090_glasnost_after_the_reformer_gives_4_ops_without_coups() -> None:
    t = event(90, lasting={87: 1}, influence={"Angola": (1, 1)})
    assert t.legal() == ["influence", "realign", "stop"]
    t.play("influence", *["Angola"] * 4)
    assert (t.influence("Angola"), t.turn, t.s.lasting[87]) == ((5, 1), "us", 1)


def test_091_ortega_clears_nicaragua_and_allows_a_free_coup_next_to_it() -> None:
    where = {"Nicaragua": (0, 2), "Cuba": (0, 3), "Honduras": (0, 1), "Mexico": (0, 1)}
    t = event(91, defcon=3, influence=where)
    assert t.influence("Nicaragua") == (0, 0)
    assert t.legal() == ["coup", "stop"]
    t.play("coup")
    assert t.legal("country") == ["Honduras", "Cuba"]
    t.play("Cuba", dice=[6])
    assert (t.influence("Cuba"), t.s.defcon, t.s.milops[0]) == ((0, 1), 2, 0)


def test_092_terrorism_discards_a_random_card_of_the_opponent() -> None:
    t = event(92, by="us", ussr=[8, 9, 11], us=[22, 25], fillers=0)
    assert sum(t.place(card) == DISCARDS for card in (8, 9, 11)) == 1
    assert t.in_hand("us") == [22, 25]


@pytest.mark.parametrize(("lasting", "count"), [({}, 1), ({82: 1}, 2)])
def test_092_terrorism_takes_two_from_the_us_after_the_hostage_crisis(lasting: dict[int, int], count: int) -> None:
    t = event(92, by="ussr", ussr=[8, 9], us=[22, 25, 26, 29], fillers=0, lasting=lasting)
    assert sum(t.place(card) == DISCARDS for card in (22, 25, 26, 29)) == count


def test_092_terrorism_of_the_us_takes_one_even_after_the_hostage_crisis() -> None:
    t = event(92, by="us", ussr=[8, 9, 11], us=[22, 25], fillers=0, lasting={82: 1})
    assert sum(t.place(card) == DISCARDS for card in (8, 9, 11)) == 1


@pytest.mark.parametrize(("us_die", "after"), [(5, (3, 3)), (6, (2, 3))])
def test_093_iran_contra_takes_1_from_us_realignment_rolls(us_die: int, after: tuple[int, int]) -> None:
    t = event(93, us=[25], influence={"Angola": (3, 3), "Zaire": (1, 1)})
    assert t.place(93) == IN_FRONT
    t.play("card 25", "operations", "realign").play("Angola", dice=[4, us_die])
    assert t.influence("Angola") == after


def test_094_chernobyl_bars_ussr_influence_by_ops_in_one_region() -> None:
    t = event(94, "option 0", ussr=[8], influence={"Poland": (1, 0), "Angola": (1, 0)})
    assert (t.place(94), t.s.lasting[94]) == (IN_FRONT, 1)
    t.play("card 8", "operations")
    assert "Poland" not in t.legal()
    assert {"Angola", "Zaire"} <= set(t.legal())


def test_094_chernobyl_leaves_events_alone() -> None:
    t = event(14, "Poland", lasting={94: 1})
    assert t.influence("Poland") == (1, 0)


def test_095_debt_crisis_is_met_by_a_discard_worth_3() -> None:
    t = event(95, us=[25], influence={"Brazil": (2, 1), "Chile": (1, 0)})
    assert (t.turn, t.legal()) == ("us", ["card 25", "stop"])
    t.play("card 25")
    assert (t.influence("Brazil"), t.influence("Chile")) == ((2, 1), (1, 0))
    assert t.place(25) == DISCARDS


def test_095_debt_crisis_doubles_two_countries_of_south_america_otherwise() -> None:
    where = {"Brazil": (2, 1), "Chile": (1, 0), "Peru": (3, 3), "Panama": (2, 0)}
    t = event(95, "stop", us=[25], influence=where)
    assert (t.turn, t.legal()) == ("ussr", ["Peru", "Brazil", "Chile"])
    t.play("Peru", "Brazil")
    assert [t.influence(c) for c in ("Peru", "Brazil", "Chile")] == [(6, 3), (4, 1), (1, 0)]


def test_095_debt_crisis_doubles_one_country_if_there_is_no_other() -> None:
    assert event(95, influence={"Colombia": (4, 0)}).influence("Colombia") == (8, 0)


def test_096_tear_down_this_wall_adds_3_and_allows_a_free_coup_in_europe() -> None:
    where = {"East Germany": (3, 0), "Poland": (1, 0), "Iran": (1, 0)}
    t = event(96, defcon=3, lasting={55: 1}, influence=where)
    assert t.influence("East Germany") == (3, 3)
    assert (t.s.lasting[55], t.s.lasting[96]) == (0, 1)
    assert t.legal() == ["coup", "realign", "stop"]
    t.play("coup")
    assert t.legal("country") == ["East Germany", "Poland"]
    t.play("Poland", dice=[5])
    assert (t.influence("Poland"), t.s.defcon, t.s.milops[1]) == ((0, 1), 2, 0)


def test_096_tear_down_this_wall_closes_west_germany_under_nato_and_forbids_willy_brandt() -> None:
    where = {"West Germany": (0, 4), "Iran": (1, 1), "Iraq": (0, 1), "Poland": (1, 0)}
    t = event(96, "stop", lasting={55: 1, 21: 1}, ussr=[11], influence=where)
    t.play("card 11", "operations", "coup")
    assert t.legal("country") == ["Iraq", "Iran"]
    assert "event" not in Table(ussr=[55], turn=8, lasting={96: 1}).play("card 55").legal()


def test_097_evil_empire_pays_1_and_ends_flower_power() -> None:
    t = event(97, lasting={59: 1})
    assert (t.vp, t.s.lasting[59], t.s.lasting[97]) == (1, 0, 1)
    assert "event" not in Table(ussr=[59], turn=8, lasting={97: 1}).play("card 59").legal()


def test_098_aldrich_ames_opens_the_us_hand_and_discards_the_card_the_ussr_names() -> None:
    t = event(98, us=[25, 1], fillers=1)
    assert t.turn == "ussr"
    assert all(t.s.known[0, card] for card in t.in_hand("us"))
    assert {"card 1", "card 25"} <= set(t.legal())
    t.play("card 1")
    assert (t.place(1), t.place(25), t.vp) == (DISCARDS, US_HAND, 0)
    assert t.place(98) == IN_FRONT


def test_098_aldrich_ames_shows_what_the_us_draws_later_that_turn() -> None:
    t = event(77, "card 25", "stop", us=[25], turn=8, lasting={98: 1})
    drawn = [card for card in t.in_hand("us") if t.s.known[0, card]]
    assert len(drawn) == 1


def test_099_pershing_pays_1_and_takes_1_from_three_countries() -> None:
    where = dict.fromkeys(("UK", "France", "Italy", "Canada", "Poland"), (0, 3))
    t = event(99, "UK", influence=where)
    assert (t.turn, t.legal()) == ("ussr", ["Canada", "France", "Italy", "stop"])
    t.play("France", "Italy")
    assert [t.influence(c)[1] for c in ("UK", "France", "Italy", "Canada")] == [2, 2, 2, 3]
    assert t.vp == -1


@pytest.mark.parametrize(
    ("by", "vp", "after", "winner"),
    [
        ("ussr", -7, -1, "ussr"),
        ("ussr", -6, 0, "draw"),
        ("ussr", -5, 1, "us"),
        ("us", 7, 1, "us"),
        ("us", 5, -1, "ussr"),
    ],
)
def test_100_wargames_gives_the_opponent_6_and_ends_the_game(by: str, vp: int, after: int, winner: str) -> None:
    t = event(100, by=by, defcon=2, vp=vp)
    assert t.turn == by
    t.play("option 0")
    assert (t.vp, t.winner, t.ending) == (after, winner, "Wargames")


def test_100_wargames_has_no_final_scoring() -> None:
    t = event(100, "option 0", by="us", defcon=2, vp=7, influence={"Angola": (1, 0), "Nigeria": (1, 0)})
    assert (t.vp, t.winner) == (1, "us")


def test_100_wargames_may_be_played_without_ending_the_game() -> None:
    t = event(100, "option 1", by="us", defcon=2, vp=7)
    assert (t.vp, t.winner, t.place(100)) == (7, "", REMOVED)


def test_100_wargames_needs_defcon_2() -> None:
    assert "event" not in Table(us=[100], phasing="us", turn=8, defcon=3).play("card 100").legal()


def test_101_solidarity_adds_3_in_poland_after_john_paul() -> None:
    assert event(101, lasting={68: 1}, influence={"Poland": (3, 0)}).influence("Poland") == (3, 3)
    assert "event" not in Table(us=[101], phasing="us", turn=8).play("card 101").legal()


@pytest.mark.parametrize(("die", "iraq", "vp"), [(6, (0, 3), 2), (5, (3, 0), 0)])
def test_102_iran_iraq_war_less_1_for_each_ussr_neighbour(die: int, iraq: tuple[int, int], vp: int) -> None:
    t = event(102, by="us", influence={"Iraq": (3, 0), "Iran": (2, 0), "Saudi Arabia": (3, 0)})
    assert t.legal("country") == ["Iraq", "Iran"]
    t.play("Iraq", dice=[die])
    assert (t.influence("Iraq"), t.vp, tuple(t.s.milops)) == (iraq, vp, (0, 2))
    assert t.place(102) == REMOVED


def test_109_yuri_pays_1_for_each_us_coup_of_the_turn_won_or_lost() -> None:
    t = event(109, us=[25], influence={"Angola": (1, 0), "Kenya": (3, 0)})
    assert t.place(109) == IN_FRONT
    t.play("card 25", "operations", "coup", "Kenya", dice=[1])
    assert (t.vp, t.influence("Kenya")) == (-1, (3, 0))


def test_109_yuri_pays_nothing_for_the_coup_that_loses_by_defcon() -> None:
    t = Table(us=[25], phasing="us", lasting={109: 1}, defcon=2, influence={"Angola": (1, 0), "Kenya": (3, 0)})
    t.play("card 25", "operations", "coup", "Angola")
    assert (t.winner, t.s.defcon, t.vp) == ("ussr", 1, 0)


def test_109_yuri_pays_nothing_for_ussr_coups() -> None:
    t = Table(ussr=[11], lasting={109: 1}, influence={"Kenya": (0, 1), "Sudan": (0, 1)})
    assert t.play("card 11", "operations", "coup", "Kenya", dice=[1]).vp == 0


def test_110_awacs_adds_2_in_saudi_arabia_and_forbids_muslim_revolution() -> None:
    t = event(110, influence={"Saudi Arabia": (1, 0)})
    assert (t.influence("Saudi Arabia"), t.s.lasting[110]) == ((1, 2), 1)
    assert "event" not in Table(ussr=[56], turn=8, lasting={110: 1}).play("card 56").legal()
