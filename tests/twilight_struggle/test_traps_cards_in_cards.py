"""Traps 7 to 11: UN Intervention, Grain Sales, Five Year Plan, Star Wars; operations that events grant."""

from __future__ import annotations

import pytest

from tests.twilight_struggle.table import Table
from timeline_env.twilight_struggle.state import DISCARDS, REMOVED

# ---- 7


def test_trap_07_the_companion_is_an_opponents_card_and_no_scoring_card():
    t = Table(ussr=[32, 25, 41, 34, 1, 7], turn=5).play("card 32", "event")
    assert t.legal() == ["card 25", "card 41"]


def test_trap_07_both_are_discarded_and_the_companions_event_does_not_happen():
    t = Table(ussr=[32, 25], turn=5, influence={"Chile": (1, 0)}).play("card 32", "event", "Chile", "Chile", "Chile")
    assert (t.influence("Chile"), t.s.lasting[25]) == ((4, 0), 0)
    assert (t.place(32), t.place(25), t.turn) == (DISCARDS, DISCARDS, "us")


def test_trap_07_the_companion_is_not_used_for_space():
    t = Table(ussr=[32, 25], turn=5, influence={"Chile": (1, 1)}).play("card 32", "event")
    assert t.legal() == ["influence", "coup", "realign"]


def test_trap_07_un_intervention_is_no_event_without_a_companion():
    assert "event" not in Table(ussr=[32, 34, 1], turn=5).play("card 32").legal()


def test_trap_07_un_intervention_is_not_headlined():
    assert "card 32" not in Table(ussr=[32, 25], stage="headline").legal()


@pytest.mark.parametrize("side", ["ussr", "us"])
def test_trap_07_un_intervention_pays_u2_whoever_plays_it(side):
    t = Table(**{side: [32, 25 if side == "ussr" else 7]}, phasing=side, turn=5, lasting={60: 1})
    assert t.play("card 32", "event").vp == -1


def test_trap_07_un_intervention_for_ops_pays_u2_nothing():
    t = Table(ussr=[32, 25], turn=5, lasting={60: 1}, influence={"Chile": (1, 0)}).play("card 32", "operations")
    assert t.vp == 0


@pytest.mark.parametrize(("side", "vp", "lasting"), [("us", 0, 0), ("ussr", 0, 1)])
def test_trap_07_un_intervention_stops_we_will_bury_you_only_in_the_us_round(side, vp, lasting):
    t = Table(**{side: [32, 25 if side == "ussr" else 7]}, phasing=side, turn=5, lasting={50: 1})
    t.play("card 32", "event")
    assert (t.vp, t.s.lasting[50]) == (vp, lasting)


def test_trap_07_un_intervention_works_with_a_card_drawn_by_grain_sales():
    t = Table(us=[67, 32, 20], ussr=[7], phasing="us", fillers=0, influence={"Chile": (0, 1), "Italy": (0, 2)})
    t.play("card 67", "event")
    assert t.legal() == ["card 7", "card 32", "stop"]
    t.play("card 32", "Chile", "Chile", "Chile")
    assert (t.influence("Chile"), t.influence("Italy")) == ((0, 4), (0, 2))
    assert (t.place(7), t.place(32)) == (DISCARDS, DISCARDS)


@pytest.mark.parametrize("drawn", [34, 20, 1], ids=["neutral", "own", "scoring"])
def test_trap_07_un_intervention_is_not_played_with_a_drawn_card_that_is_not_the_opponents(drawn):
    t = Table(us=[67, 32, 22], ussr=[drawn], phasing="us", fillers=0, turn=5).play("card 67", "event")
    assert t.legal() == [f"card {drawn}", "stop"]


def test_trap_08_un_intervention_that_grain_sales_draws_is_used_as_any_card():
    """67 is the card in play: 32 has none of the USSR beside it, so its event may only be given up."""
    t = Table(us=[67, 7, 20], ussr=[32], phasing="us", fillers=0, turn=5, influence={"Chile": (0, 1)})
    assert t.play("card 67", "event", "card 32").legal() == ["event", "operations"]


def test_trap_07_un_intervention_is_not_played_in_the_headline_with_a_card_drawn_by_grain_sales():
    t = Table(us=[67, 32, 20], ussr=[7, 54], stage="headline", fillers=0, turn=5).play("card 54", "card 67")
    assert t.legal() == ["card 7", "stop"]


def test_trap_07_un_intervention_is_not_played_in_the_headline_if_grain_sales_is_the_other_sides():
    t = Table(us=[41, 32, 22], ussr=[67, 7], stage="headline", fillers=0, turn=5).play("card 67", "card 41")
    assert t.legal() == ["card 7", "stop"]


def test_trap_07_un_intervention_drawn_by_grain_sales_in_the_headline_is_operations_only():
    t = Table(us=[67, 7, 20], ussr=[32, 54], stage="headline", fillers=0, turn=5, influence={"Chile": (0, 1)})
    t.play("card 67", "card 32")
    assert t.asked == "place"


def test_trap_07_a_cancelled_defectors_pays_nothing():
    t = Table(ussr=[32, 103], turn=5, influence={"Chile": (1, 0)}).play("card 32", "event", "Chile", "Chile")
    assert (t.vp, t.place(103), t.turn) == (0, DISCARDS, "us")


def test_trap_07_a_cancelled_war_is_not_fought():
    t = Table(us=[32, 11], phasing="us", influence={"Chile": (0, 1), "South Korea": (0, 1)})
    t.play("card 32", "event", "Chile", "Chile")
    assert (t.influence("South Korea"), list(t.s.milops)) == ((0, 1), [0, 0])


# ---- 8


def grain(drawn: int, **position) -> Table:
    """The US has taken a card by Grain Sales."""
    position = {"us": [67, 20, 22], "ussr": [drawn], "phasing": "us", "fillers": 0, "turn": 5, **position}
    return Table(**position).play("card 67", "event")


def test_trap_08_the_card_in_play_is_not_taken():
    t = Table(ussr=[67, 34], us=[20, 22], fillers=0, turn=5, influence={"Chile": (1, 0)}, china=1)
    t.play("card 67", "event")
    assert (t.turn, t.legal()) == ("us", ["card 34", "stop"])


def test_trap_08_the_us_fires_the_ussr_event_when_it_uses_the_ops():
    t = grain(54, influence={"Peru": (0, 1)}).play("card 54", "operations", "Peru")
    assert (t.influence("Peru"), t.influence("Chile")) == ((0, 2), (2, 0))


def test_trap_08_the_us_may_space_the_card():
    t = grain(7, influence={"Italy": (0, 2)}).play("card 7", "space", dice=[1])
    assert (list(t.s.space), t.influence("Italy"), t.place(7)) == ([0, 1], (0, 2), DISCARDS)


def test_trap_08_defectors_drawn_in_the_headline_cancel_a_ussr_headline():
    t = Table(us=[67], ussr=[103, 54], fillers=0, stage="headline", turn=5).play("card 54")
    assert t.legal("card") == ["card 103"]
    t.play("card 103", "event")
    assert (t.place(54), t.influence("Chile"), t.vp) == (DISCARDS, (0, 0), 0)


# ---- 9


@pytest.mark.parametrize("discarded", [34, 31, 7, 1])
def test_trap_09_five_year_plan_only_discards_what_is_not_american(discarded):
    t = Table(us=[5, 20], ussr=[discarded], fillers=0, phasing="us", influence={"Italy": (0, 2), "India": (0, 3)})
    t.play("card 5", "event")
    assert (t.place(discarded), t.vp, t.s.lasting[31], t.influence("Italy")) == (DISCARDS, 0, 0, (0, 2))


def test_trap_09_five_year_plan_runs_an_american_event_for_the_us():
    t = Table(us=[5, 20], ussr=[25], fillers=0, phasing="us")
    assert t.play("card 5", "event").s.lasting[25] == 1


def test_trap_09_the_phasing_player_answers_for_defcon():
    t = Table(us=[5, 20], ussr=[4], fillers=0, phasing="us", defcon=2).play("card 5", "event")
    assert (t.winner, t.ending) == ("ussr", "DEFCON 1")


# ---- 10


def star_wars(*discards: int, **position) -> Table:
    position = {"space": (1, 2), "turn": 8, "phasing": "us", "us": [85], **position}
    return Table(discards=discards, **position).play("card 85")


def test_trap_10_star_wars_needs_the_us_ahead_and_is_not_removed_otherwise():
    t = star_wars(34, space=(2, 2), influence={"Chile": (0, 1)})
    assert "event" not in t.legal()
    assert t.play("operations", "Chile", "Chile").place(85) == DISCARDS


def test_trap_10_star_wars_fires_any_discard_but_scoring_cards():
    t = star_wars(34, 1, 54, 46).play("event")
    assert t.legal() == ["card 34", "card 46", "card 54"]
    t.play("card 34")
    assert (t.vp, t.place(34), t.place(85)) == (3, DISCARDS, REMOVED)


def test_trap_10_a_starred_card_is_removed_afterwards():
    t = star_wars(54, 34).play("event", "card 54")
    assert (t.influence("Chile"), t.place(54)) == ((2, 0), REMOVED)


def test_trap_10_a_war_pays_flower_power():
    t = star_wars(24, 34, lasting={59: 1}).play("event", "card 24")
    assert t.vp == -2
    assert t.play("India", dice=[1]).vp == -2


# ---- 11


@pytest.mark.parametrize(("card", "side", "ops"), [(26, "us", 1), (62, "ussr", 1), (57, "ussr", 4), (67, "us", 2)])
def test_trap_11_coups_granted_by_events_count_as_military_operations(card, side, ops):
    t = Table(**{side: [card, 22, 18]}, phasing=side, turn=5, fillers=0, influence={"Nigeria": (3, 3)})
    t.play(f"card {card}", "event").play("coup", dice=[1])
    assert list(t.s.milops) == ([0, ops] if side == "us" else [ops, 0])


def test_trap_11_missile_envys_coup_counts():
    t = Table(ussr=[49], us=[25], turn=5, influence={"Nigeria": (1, 5)}).play("card 49", "event", "operations")
    assert list(t.play("coup", dice=[1]).s.milops) == [3, 0]


def test_trap_11_abm_treaty_improves_defcon_first():
    t = Table(ussr=[57], turn=5, defcon=2, influence={"Nigeria": (1, 5)}).play("card 57", "event", "coup")
    assert (t.s.defcon, t.winner) == (2, "")


def test_trap_11_granted_ops_obey_defcon():
    t = Table(us=[26], phasing="us", defcon=3, influence={"India": (3, 0), "Egypt": (2, 0)}).play("card 26", "event")
    assert t.play("coup", dice=[6]).influence("India") == (3, 0)
    assert t.influence("Egypt") == (0, 1)  # 6 + 1 - 4 = 3


@pytest.mark.parametrize(
    ("card", "side", "target", "moves"),
    [
        (47, "ussr", "Brazil", ["Peru", "coup"]),
        (91, "ussr", "Cuba", ["coup"]),
        (96, "us", "Poland", ["coup"]),
    ],
)
def test_trap_11_free_coups_are_no_military_operations_know_no_region_limit_and_lower_defcon(card, side, target, moves):
    t = Table(**{side: [card]}, phasing=side, turn=8, defcon=3, influence={target: (5, 5)})
    t.play(f"card {card}", "event", *moves[:-1]).play(moves[-1], dice=[1])
    assert (list(t.s.milops), t.s.defcon) == ([0, 0], 2)
