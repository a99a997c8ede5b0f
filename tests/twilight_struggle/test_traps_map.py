"""Traps 31 to 34: reach and cost of influence, scoring, events that count."""

from __future__ import annotations

import pytest

from tests.twilight_struggle.table import Table
from timeline_env.twilight_struggle.state import REMOVED

# ---- 31


def test_trap_31_reach_is_frozen_at_the_start_of_the_round():
    t = Table(ussr=[34], influence={"Chile": (1, 0)}).play("card 34", "operations")
    assert {"Chile", "Peru", "Argentina"} <= set(t.legal()) and "Uruguay" not in t.legal()
    assert "Uruguay" not in t.play("Argentina").legal()


def test_trap_31_reach_stays_when_the_influence_is_gone():
    """The US event takes the USSR's only influence in Africa before the USSR spends the Ops."""
    t = Table(ussr=[74], turn=5, influence={"Kenya": (1, 0)}).play("card 74", "event")
    assert (t.influence("Kenya"), "Kenya" in t.legal(), "Somalia" in t.legal()) == ((0, 0), True, True)


def test_trap_31_influence_costs_2_until_control_breaks():
    t = Table(ussr=[34], influence={"Chile": (0, 3), "Argentina": (1, 0)}).play("card 34", "operations", "influence")
    t.play("Chile", "Chile", "Chile")  # 2 + 1 + 1
    assert (t.influence("Chile"), t.turn) == ((3, 3), "us")


def test_trap_31_two_ops_are_needed_where_the_enemy_controls():
    t = Table(ussr=[18], influence={"Chile": (0, 3), "Argentina": (1, 0)}).play("card 18", "operations", "influence")
    assert "Chile" not in t.legal() and "Argentina" in t.legal()


def test_trap_31_an_event_places_without_reach_and_at_no_cost():
    t = Table(us=[63], phasing="us", turn=5, influence={"Nigeria": (3, 0)}).play("card 63", "event", "Nigeria")
    assert t.influence("Nigeria") == (3, 1)


# ---- 32


@pytest.mark.parametrize(
    ("ussr", "vp"),
    [
        (["Brazil", "Chile"], -4),  # no other country: presence 2 and 2 battlegrounds, no domination
        (["Brazil", "Chile", "Peru"], -7),  # domination 5 and 2
        (["Peru", "Bolivia"], -2),  # no battleground: presence
    ],
)
def test_trap_32_domination_needs_both_kinds_of_country(ussr, vp):
    assert Table(ussr=[81], turn=5, influence=dict.fromkeys(ussr, (3, 0))).play("card 81").vp == vp


def test_trap_32_presence_is_one_controlled_country():
    assert Table(ussr=[81], turn=5, influence={"Peru": (2, 0), "Brazil": (0, 1)}).play("card 81").vp == -2
    assert Table(ussr=[81], turn=5, influence={"Peru": (1, 0)}).play("card 81").vp == 0


EUROPE = dict.fromkeys(["France", "Italy", "West Germany", "East Germany", "Poland", "Greece"], (0, 4))


def test_trap_32_control_of_europe_wins():
    t = Table(ussr=[2], influence=EUROPE).play("card 2")
    assert (t.winner, t.ending) == ("us", "control of Europe")


def test_trap_32_control_of_europe_wins_the_final_scoring_whatever_else():
    africa = dict.fromkeys(["Nigeria", "Zaire", "Angola", "Algeria", "South Africa", "Kenya"], (9, 0))
    t = Table(stage="next", turn=10, vp=-19, influence={**EUROPE, **africa})
    assert (t.winner, t.ending) == ("us", "control of Europe")


def test_trap_32_reaching_20_does_not_stop_the_final_scoring():
    """Asia would take the US from 18 beyond 20 before Africa takes it back: 18 + 3 + 1 - 1 - (4 + 3) = 14."""
    ruled = {"India": (0, 3), **dict.fromkeys(["Nigeria", "Zaire", "Angola", "Kenya"], (2, 0))}
    t = Table(stage="next", turn=10, vp=18, influence=ruled)
    assert (t.vp, t.winner, t.ending) == (14, "us", "final scoring")


def test_trap_32_awards_of_one_scoring_are_netted_before_the_test_for_20():
    """The US would gain 4 for India and the USSR 4 for Pakistan: nothing moves at 18."""
    t = Table(ussr=[1], vp=18, influence={"India": (0, 3), "Pakistan": (2, 0)}).play("card 1")
    assert (t.vp, t.winner) == (18, "")


def test_trap_32_missing_military_operations_of_both_are_netted():
    t = Table(us=[18, 20], phasing="us", fillers=0, turn=5, action_round=7, vp=18, influence={"Chile": (0, 1)})
    t.play("card 18", "operations", "Chile")  # both lack 5
    assert (t.vp, t.winner) == (18, "")


# ---- 33


@pytest.mark.parametrize(("before", "after"), [((0, 0), (0, 4)), ((2, 1), (2, 6)), ((0, 3), (0, 4)), ((0, 6), (0, 6))])
def test_trap_33_27_adds_what_is_missing_and_removes_nothing(before, after):
    t = Table(us=[27], phasing="us", influence={"Japan": before}).play("card 27", "event")
    assert t.influence("Japan") == after


@pytest.mark.parametrize(("card", "country"), [(8, "Cuba"), (12, "Romania")])
def test_trap_33_8_and_12_remove_first(card, country):
    t = Table(ussr=[card], influence={country: (1, 4)}).play(f"card {card}", "event")
    assert (t.influence(country), t.place(card)) == ((3, 0), REMOVED)


def test_trap_33_comecon_enters_what_the_us_does_not_control_and_marshall_what_the_ussr_does_not():
    influence = {"Poland": (0, 3), "Romania": (3, 0), "Italy": (2, 0), "France": (0, 3), "Hungary": (0, 1)}
    comecon = Table(ussr=[14], influence=influence).play("card 14", "event").legal()
    assert {"Romania", "Hungary"} <= set(comecon) and "Poland" not in comecon and "Italy" not in comecon
    marshall = Table(us=[23], phasing="us", influence=influence).play("card 23", "event").legal()
    assert "France" in marshall and "Italy" not in marshall and "Poland" not in marshall


def test_trap_33_the_truman_doctrine_clears_a_country_that_nobody_controls():
    influence = {"Greece": (1, 0), "Italy": (3, 2), "Poland": (3, 0), "France": (1, 5)}
    t = Table(us=[19], phasing="us", influence=influence).play("card 19", "event")
    assert t.legal() == ["Italy", "Greece"]
    assert t.play("Italy").influence("Italy") == (0, 2)


def test_trap_33_de_stalinization_goes_where_the_us_has_no_control_2_in_each():
    t = Table(ussr=[33], turn=5, influence={"Poland": (4, 0), "Chile": (0, 3)}).play("card 33", "event")
    t.play("Poland", "Poland", "Poland", "stop")
    assert (t.influence("Poland"), "Chile" in t.legal(), "Brazil" in t.legal()) == ((1, 0), False, True)
    assert "Brazil" not in t.play("Brazil", "Brazil").legal()
    t.play("Mexico")
    assert (t.influence("Brazil"), t.influence("Mexico"), t.turn) == ((2, 0), (1, 0), "us")


@pytest.mark.parametrize(("before", "after"), [(3, 1), (4, 2), (1, 0), (0, 0)])
def test_trap_33_nasser_halves_rounding_the_loss_up(before, after):
    t = Table(ussr=[15], influence={"Egypt": (0, before)}).play("card 15", "event")
    assert t.influence("Egypt") == (2, after)


def test_trap_33_marine_barracks_take_2_points_in_all():
    t = Table(ussr=[88], turn=8, influence={"Lebanon": (0, 3), "Iran": (0, 2), "Egypt": (0, 2)}).play(
        "card 88", "event"
    )
    t.play("Iran", "Egypt")
    assert [t.influence(c)[1] for c in ("Lebanon", "Iran", "Egypt")] == [0, 1, 1]
    assert t.turn == "us"


def test_trap_33_the_debt_crisis_doubles_two_countries():
    influence = {"Brazil": (3, 0), "Chile": (2, 0), "Peru": (1, 0), "Cuba": (3, 0)}
    t = Table(ussr=[95], turn=8, influence=influence).play("card 95", "event")
    assert t.legal() == ["Peru", "Brazil", "Chile"]
    t.play("Brazil", "Chile")
    assert (t.influence("Brazil"), t.influence("Chile"), t.influence("Peru")) == ((6, 0), (4, 0), (1, 0))


# ---- 34


@pytest.mark.parametrize(("dice", "vp"), [([3, 5], 0), ([3, 4], -2), ([3, 6], 2)])
def test_trap_34_summit_adds_1_a_region_dominated_or_controlled_and_a_tie_gives_nothing(dice, vp):
    """The USSR dominates Central America and controls Africa."""
    ruled = ["Cuba", "Mexico", "Haiti", "Algeria", "Nigeria", "Zaire", "Angola", "South Africa"]
    t = Table(ussr=[45], turn=5, influence=dict.fromkeys(ruled, (3, 0))).play("card 45", "event", dice=dice)
    assert t.vp == vp


@pytest.mark.parametrize(("dice", "vp"), [([1, 2], -2), ([4, 6, 2, 1], -2), ([2, 5], 2)])
def test_trap_34_the_sponsor_of_the_games_adds_2_and_ties_are_rolled_again(dice, vp):
    assert Table(ussr=[20]).play("card 20", "event").play("option 0", dice=dice).vp == vp


def test_trap_34_a_boycott_gives_the_sponsor_4_ops():
    t = Table(ussr=[20], influence={"Chile": (1, 0)}).play("card 20", "event")
    assert t.turn == "us"
    t.play("option 1")
    assert (t.s.defcon, t.turn) == (4, "ussr")
    t.play("influence", *["Chile"] * 4)
    assert (t.influence("Chile"), t.turn, t.vp) == ((5, 0), "us", 0)


@pytest.mark.parametrize(("milops", "vp"), [((2, 2), 0), ((3, 2), -1), ((4, 2), -3)])
def test_trap_34_arms_race_needs_a_lead_and_pays_3_if_the_requirement_is_met(milops, vp):
    assert Table(ussr=[39], turn=5, milops=milops, defcon=4).play("card 39", "event").vp == vp


@pytest.mark.parametrize(("vp", "winner"), [(10, "us"), (-3, "us"), (-7, "ussr"), (-6, "draw")])
def test_trap_34_wargames_give_6_and_stop_without_final_scoring(vp, winner):
    """The USSR plays it; its control of Brazil would be worth points in a final scoring."""
    t = Table(ussr=[100], turn=8, defcon=2, vp=vp, influence={"Brazil": (3, 0)}).play("card 100", "event", "option 0")
    assert (t.vp, t.winner, t.ending) == (vp + 6, winner, "Wargames")


def test_trap_34_wargames_may_be_left_alone():
    t = Table(ussr=[100], turn=8, defcon=2).play("card 100", "event", "option 1")
    assert (t.vp, t.winner, t.place(100)) == (0, "", REMOVED)


def test_trap_31_reach_is_that_of_each_headline():
    t = Table(ussr=[26], us=[23], stage="headline", action_round=0).play("card 26", "card 23")
    t.play("France", "Italy", "Greece", "Spain/Portugal", "UK", "Benelux", "West Germany", "influence")
    assert {"Algeria", "Turkey"} <= set(t.legal()), "next to what the headline before has placed"
