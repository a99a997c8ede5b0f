"""Traps 1 to 6: what operations are worth, to whom; headline order; Quagmire and Bear Trap; Missile Envy."""

from __future__ import annotations

import pytest

from tests.twilight_struggle.table import Table
from timeline_env.twilight_struggle.state import DISCARDS, HANDS, REMOVED

LATE = {"turn": 8}


def coup(side: str, card: int, target: str = "Nigeria", **position) -> Table:
    """A side coups the only target there is with a card, rolling a 1."""
    influence = {target: (1, 5) if side == "ussr" else (5, 1)}
    t = Table(influence=influence, phasing=side, **{side: [card]}, **position)
    return t.play(f"card {card}", "operations").play("coup", dice=[1])


def milops(t: Table, side: str) -> int:
    return int(t.s.milops[("ussr", "us").index(side)])


# ---- 1


@pytest.mark.parametrize(
    ("side", "lasting", "ops"),
    [("us", {25: 1}, 3), ("ussr", {51: 1}, 3), ("us", {31: 2}, 1), ("ussr", {31: 1}, 1), ("us", {51: 1, 31: 1}, 2)],
)
def test_trap_01_modifiers_change_the_coup_and_its_military_operations(side, lasting, ops):
    t = coup(side, 20, lasting=lasting)  # 1 + ops - 2
    assert milops(t, side) == ops
    assert t.influence("Nigeria") == ((1, 6 - ops) if side == "ussr" else (6 - ops, 1))


@pytest.mark.parametrize(("lasting", "points"), [({51: 1}, 3), ({31: 1}, 1), ({51: 1, 31: 1}, 2), ({25: 1}, 2)])
def test_trap_01_modifiers_change_influence(lasting, points):
    t = Table(influence={"Chile": (1, 0)}, ussr=[20], lasting=lasting).play("card 20", "operations")
    t.play(*["Chile"] * points)
    assert (t.influence("Chile"), t.turn) == ((1 + points, 0), "us")


@pytest.mark.parametrize(("lasting", "rolls"), [({51: 1}, 3), ({31: 1}, 1)])
def test_trap_01_modifiers_change_the_number_of_realignment_rolls(lasting, rolls):
    t = Table(influence={"Chile": (1, 40), "Peru": (0, 1)}, ussr=[20], lasting=lasting).play("card 20", "operations")
    t.play("realign")
    for _ in range(rolls):
        assert t.asked == "realign"
        t.play("Chile")
    assert t.turn == "us"


def test_trap_01_modifiers_decide_whether_a_card_is_enough_for_space():
    assert "space" not in Table(ussr=[20], lasting={31: 1}).play("card 20").legal()
    assert "space" in Table(ussr=[18], lasting={51: 1}).play("card 18").legal()


def test_trap_01_modifiers_decide_which_card_blockade_takes():
    t = Table(ussr=[10], us=[20], lasting={25: 1}, influence={"West Germany": (0, 4)}, fillers=1)
    assert t.play("card 10", "event").legal() == ["card 20", "card 22", "stop"]
    t = Table(ussr=[10], us=[39, 34], lasting={31: 2}, influence={"West Germany": (0, 4)}, fillers=1)
    assert t.play("card 10", "event").legal() == ["card 34", "stop"]


def test_trap_01_modifiers_decide_which_card_the_debt_crisis_takes():
    t = Table(ussr=[95], us=[39, 34], lasting={31: 2}, fillers=1, **LATE).play("card 95", "event")
    assert t.legal() == ["card 34", "stop"]


def test_trap_01_a_stolen_us_card_uses_us_modifiers():
    t = Table(us=[67, 20], ussr=[39], phasing="us", lasting={51: 1, 25: 1}, fillers=0, influence={"Nigeria": (5, 1)})
    t.play("card 67", "event").play("card 39", "operations").play("coup", dice=[1])
    assert milops(t, "us") == 4


def test_trap_01_modifiers_change_a_free_coup_of_an_event():
    t = Table(ussr=[47], turn=5, lasting={51: 1}, influence={"Brazil": (0, 1)}).play("card 47", "event", "Venezuela")
    assert t.play("coup", dice=[2]).influence("Brazil") == (0, 0)  # 2 + 2 + 1 - 2 x 2


def test_trap_01_modifiers_change_the_ops_of_grain_sales_when_the_card_is_given_back():
    position = {"us": [67, 20, 22], "ussr": [34], "phasing": "us", "fillers": 0, "turn": 5}
    t = Table(**position, lasting={25: 1}, influence={"Chile": (0, 1)}).play("card 67", "event", "stop")
    assert t.play("Chile", "Chile", "Chile").influence("Chile") == (0, 4)
    assert t.turn == "ussr"


def test_trap_01_che_on_a_us_play_uses_ussr_modifiers():
    t = Table(us=[107], phasing="us", lasting={51: 1, 31: 2}, influence={"Haiti": (0, 5), "Chile": (0, 1)}, turn=5)
    t.play("card 107", "event", "Haiti")
    assert milops(t, "ussr") == 4


# ---- 2


@pytest.mark.parametrize(
    ("card", "lasting", "ops"),
    [(34, {51: 1}, 4), (34, {51: 1, 31: 1}, 4), (18, {31: 1}, 1), (39, {51: 1, 31: 1}, 3), (34, {31: 1}, 3)],
)
def test_trap_02_modifiers_are_summed_and_then_held_to_1_to_4(card, lasting, ops):
    assert milops(coup("ussr", card, lasting=lasting), "ussr") == ops


@pytest.mark.parametrize(("target", "lasting", "ops"), [("India", {}, 5), ("Nigeria", {}, 4), ("India", {31: 1}, 4)])
def test_trap_02_the_china_card_is_worth_5_in_asia(target, lasting, ops):
    t = Table(ussr=[], influence={target: (1, 9)}, lasting=lasting)
    assert milops(t.play("card 6", "operations").play("coup", dice=[1]), "ussr") == ops


@pytest.mark.parametrize(("lasting", "points"), [({9: 1}, 6), ({9: 1, 31: 1}, 5), ({}, 5)])
def test_trap_02_the_china_card_in_southeast_asia_under_9_is_6(lasting, points):
    t = Table(influence={"Vietnam": (1, 0)}, lasting=lasting).play("card 6", "operations", *["Thailand"] * points)
    assert (t.influence("Thailand"), t.turn) == ((points, 0), "us")


def test_trap_02_a_1_op_card_under_9_and_31_is_2():
    t = Table(influence={"Vietnam": (1, 0)}, ussr=[18], lasting={9: 1, 31: 1})
    assert t.play("card 18", "operations", "Vietnam", "Vietnam").influence("Vietnam") == (3, 0)
    assert t.turn == "us"


# ---- 3


def test_trap_03_the_bonus_op_goes_inside_the_region_only():
    t = Table(influence={"Vietnam": (1, 0), "Chile": (1, 0)}, ussr=[20], lasting={9: 1}).play("card 20", "operations")
    t.play("Thailand", "Thailand")
    assert set(t.legal("country")) == {"Vietnam", "Thailand", "Laos/Cambodia"}


def test_trap_03_one_point_outside_loses_the_bonus():
    t = Table(influence={"Vietnam": (1, 0), "Chile": (1, 0)}, ussr=[20], lasting={9: 1}).play("card 20", "operations")
    assert t.play("Thailand", "Chile").turn == "us"


def test_trap_03_a_bonus_op_alone_buys_nothing_in_an_enemy_controlled_country():
    t = Table(influence={"Thailand": (1, 5), "Burma": (1, 0)}, ussr=[20], lasting={9: 1})
    t.play("card 20", "operations", "influence", "Thailand")
    assert (t.influence("Thailand"), "Thailand" in t.legal(), "Burma" in t.legal()) == ((2, 5), False, True)


def test_trap_03_vietnam_revolts_helps_the_ussr_only_and_makes_a_4_op_coup_5():
    assert milops(coup("ussr", 34, "Thailand", lasting={9: 1}), "ussr") == 5
    assert milops(coup("us", 34, "Thailand", lasting={9: 1}), "us") == 4


def test_trap_03_the_fifth_realignment_must_be_in_asia():
    t = Table(influence={"India": (0, 40), "Chile": (0, 40)}, phasing="ussr").play("card 6", "operations", "realign")
    t.play(*["India"] * 4)
    assert t.legal() == ["India", "stop"]
    t = Table(influence={"India": (0, 40), "Chile": (0, 40)}, phasing="ussr").play("card 6", "operations", "realign")
    assert t.play(*["India"] * 3, "Chile").turn == "us"


# ---- 4


def test_trap_04_headline_order_uses_printed_ops():
    """The USSR's 3 Ops are before the US's 2, though 31 and 25 would turn them round."""
    t = Table(ussr=[7], us=[63], stage="headline", lasting={31: 1, 25: 1}, influence={"Italy": (0, 2)}, turn=5)
    t.play("card 7", "card 63")
    assert (t.influence("Italy"), t.asked, t.turn) == ((0, 0), "add", "us")


def test_trap_04_the_us_is_first_on_a_tie():
    t = Table(ussr=[30], us=[63], stage="headline", turn=5).play("card 30", "card 63")
    assert (t.turn, t.s.phasing) == ("us", 1)


# ---- 5


def trapped(**position) -> Table:
    """The US in the Quagmire, at the beginning of its round."""
    return Table(phasing="us", turn=5, **{"lasting": {42: 1}, **position})


def test_trap_05_the_discard_is_worth_2_as_modified_and_never_the_china_card():
    assert trapped(us=[18], china=1).legal() == ["card 20", "card 22"]
    assert trapped(us=[18], lasting={42: 1, 25: 1}).legal() == ["card 18", "card 20", "card 22"]
    assert trapped(us=[39, 34], lasting={42: 1, 31: 2}).legal() == ["card 34", "card 39"]


def test_trap_05_a_discard_does_nothing_and_4_frees_from_the_next_round_on():
    t = trapped(us=[34], ussr=[7]).play("card 34", dice=[4])
    assert (t.vp, t.place(34), t.turn, t.s.lasting[42]) == (0, DISCARDS, "ussr", 0)
    assert t.play("card 7", "operations", "Finland", "Finland", "Finland").asked == "play"


def test_trap_05_a_5_does_not_free():
    t = trapped(us=[34], ussr=[7]).play("card 34", dice=[5])
    t.play("card 7", "operations", "Finland", "Finland", "Finland")
    assert (t.turn, t.asked, t.legal()) == ("us", "trap", ["card 20", "card 22"])


def test_trap_05_without_a_discard_scoring_cards_are_played_and_else_the_round_is_lost():
    t = trapped(us=[18, 1], fillers=0, influence={"India": (0, 3)}, ussr=[7, 8])
    assert (t.place(1), t.place(18), t.turn) == (DISCARDS, HANDS + 1, "ussr")
    t = trapped(us=[18, 48], fillers=0, ussr=[7, 8])
    assert (t.place(18), t.place(48), t.turn) == (HANDS + 1, HANDS + 1, "ussr")


def test_trap_05_a_missile_envy_worth_1_keeps_no_scoring_card_back():
    t = Table(us=[1, 49, 18], fillers=0, phasing="us", turn=4, lasting={42: 1, 49: 2, 31: 2})
    assert t.place(1) == DISCARDS  # the only card that could be played
    assert t.in_hand("us") == [18, 49]
    assert t.s.lasting[49] == 2


def test_trap_05_the_headline_is_untouched_and_the_trap_lasts_across_turns():
    t = Table(us=[63], ussr=[54], stage="headline", turn=5, lasting={42: 1}).play("card 54", "card 63")
    assert (t.turn, t.asked) == ("us", "add")
    t = Table(stage="next", turn=5, lasting={42: 1})
    assert (t.s.turn, t.s.lasting[42]) == (6, 1)


def test_trap_05_missile_envy_received_must_be_the_discard_if_it_is_worth_2():
    t = trapped(us=[49, 39], lasting={42: 1, 49: 2}, ussr=[7])
    assert (t.place(49), t.turn) == (DISCARDS, "ussr")
    t = trapped(us=[49, 39, 34], lasting={42: 1, 49: 2, 31: 2})
    assert t.legal() == ["card 34", "card 39"]


def test_trap_05_the_bear_trap_holds_the_ussr():
    t = Table(ussr=[18, 39], lasting={44: 1}, turn=5)
    assert (t.asked, t.legal()) == ("trap", ["card 8", "card 9", "card 39"])
    assert t.play("card 39", dice=[1]).s.lasting[44] == 0


# ---- 6


def test_trap_06_missile_envy_takes_what_is_worth_most_as_modified():
    """Under 51 a card of 3 Ops is worth as much as one of 4."""
    t = Table(us=[49], ussr=[34, 39, 8], phasing="us", turn=5, lasting={51: 1}, fillers=1).play("card 49", "event")
    assert (t.turn, t.legal()) == ("ussr", ["card 34", "card 39"])


def test_trap_06_missile_envy_takes_the_highest_and_the_opponent_breaks_ties():
    t = Table(ussr=[49], us=[39, 25, 1], turn=5, lasting={31: 2}).play("card 49", "event")
    assert (t.turn, t.asked, t.legal()) == ("us", "pick", ["card 25", "card 39"])


def test_trap_06_the_china_card_and_scoring_cards_are_not_taken():
    t = Table(ussr=[49, 8, 9], us=[1], turn=5, fillers=0, china=1).play("card 49", "event")
    assert (t.s.china, t.place(1), t.place(49)) == (1, HANDS + 1, DISCARDS)


def test_trap_06_an_opponents_card_is_used_for_ops_without_event():
    t = Table(ussr=[49], us=[25], turn=5, influence={"Chile": (1, 0)}).play("card 49", "event")
    assert (t.turn, t.legal()) == ("ussr", ["operations", "space"])
    t.play("operations", "Chile", "Chile", "Chile")
    assert (t.influence("Chile"), t.s.lasting[25], t.place(25)) == ((4, 0), 0, DISCARDS)


def test_trap_06_the_receiver_must_spend_missile_envy_for_ops_in_the_next_round():
    t = Table(us=[49, 34], phasing="us", lasting={49: 2}, turn=5, influence={"Chile": (2, 2)})
    assert (t.s.card, t.asked, t.legal()) == (49, "operation", ["influence", "coup", "realign"])


def test_trap_06_missile_envy_is_owed_in_the_next_turn_too_and_may_not_be_headlined():
    t = Table(us=[49, 34], ussr=[7], stage="headline", lasting={49: 2}, turn=6)
    t.play("card 7")
    assert (t.turn, "card 34" in t.legal(), "card 49" in t.legal()) == ("us", True, False)


def test_trap_06_missile_envy_stays_owed_where_a_turn_ends():
    t = Table(stage="next", turn=5, us=[49], lasting={49: 2})
    assert (t.s.turn, t.s.lasting[49], t.place(49)) == (6, 2, HANDS + 1)


def test_trap_06_missile_envy_is_still_owed_when_67_drew_it_and_it_is_given_back():
    t = Table(us=[67], ussr=[49], fillers=0, phasing="us", lasting={49: 1}, turn=5).play("event")
    assert t.legal() == ["card 49", "stop"]
    t.play("stop")
    assert (t.place(49), t.s.lasting[49]) == (HANDS, 1)


def test_trap_06_missile_envy_is_paid_off_when_67_drew_it_and_the_us_plays_it():
    t = Table(us=[67], ussr=[49], fillers=0, phasing="us", lasting={49: 1}, turn=5).play("event", "card 49")
    assert t.legal() == ["event", "operations", "space"]
    assert t.play("operations").s.lasting[49] == 0


def test_trap_06_a_forced_scoring_card_goes_first():
    t = Table(us=[49, 1, 34], phasing="us", lasting={49: 2}, turn=5, action_round=7, influence={"India": (0, 3)})
    assert (t.vp, t.place(1)) == (4, DISCARDS)  # presence 3, India 1


def test_trap_06_a_starred_card_taken_and_run_is_removed():
    t = Table(ussr=[49], us=[46], turn=5, fillers=1).play("card 49", "event")
    assert t.play("card 46", "option 4").place(46) == REMOVED  # the US has two cards of 2 Ops to choose from


def test_r6_2_ones_own_superpower_next_door_counts_in_a_realignment():
    t = Table(us=[26], phasing="us", influence={"Mexico": (2, 2)}).play("card 26", "operations", "realign", dice=[3, 3])
    assert t.influence("Mexico") == (1, 2)
