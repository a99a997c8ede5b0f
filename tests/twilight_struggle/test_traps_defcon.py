"""Traps 12 to 16: DEFCON, the Cuban Missile Crisis, NORAD, military operations."""

from __future__ import annotations

import pytest

from tests.twilight_struggle.table import Table
from timeline_env.twilight_struggle.state import REMOVED

# ---- 12


@pytest.mark.parametrize(
    ("card", "phasing", "moves"),
    [
        (4, "us", ["event"]),
        (4, "ussr", ["event"]),
        (20, "ussr", ["event", "option 1"]),
        (46, "us", ["event", "option 0"]),
        (50, "us", ["event"]),
        (89, "ussr", ["event"]),
    ],
)
def test_trap_12_at_1_the_phasing_player_loses(card, phasing, moves):
    t = Table(**{phasing: [card]}, phasing=phasing, defcon=2, turn=8).play(f"card {card}", *moves)
    assert (t.s.defcon, t.ending) == (1, "DEFCON 1")
    assert t.winner == ("us" if phasing == "ussr" else "ussr")


@pytest.mark.parametrize(
    ("card", "phasing", "target"),
    [(26, "ussr", "Nigeria"), (62, "us", "Nigeria"), (91, "us", "Cuba"), (67, "ussr", "Nigeria")],
)
def test_trap_12_a_coup_inside_the_opponents_card_loses_for_its_player(card, phasing, target):
    t = Table(**{phasing: [card]}, phasing=phasing, defcon=2, turn=8, influence={target: (3, 3)})
    t.play(f"card {card}", "event")
    if card == 67:
        t.play("stop")
    t.play("coup")
    assert (t.s.defcon, t.winner) == (1, "us" if phasing == "ussr" else "ussr")


def test_trap_12_summits_winner_may_end_the_game_for_the_phasing_player():
    t = Table(ussr=[45], defcon=2, turn=5).play("card 45", "event", dice=[1, 6]).play("option 0")
    assert (t.winner, t.ending, t.vp) == ("us", "DEFCON 1", 2)


def test_trap_12_a_card_fired_by_star_wars_loses_for_the_phasing_player():
    t = Table(ussr=[85], discards=[4, 34], space=(0, 1), defcon=2, turn=8).play("card 85", "event", "card 4")
    assert (t.winner, t.ending) == ("us", "DEFCON 1")


def test_trap_12_in_the_headline_its_owner_is_phasing():
    t = Table(us=[50], ussr=[54], stage="headline", defcon=2, turn=5).play("card 54", "card 50")
    assert (t.winner, t.ending) == ("ussr", "DEFCON 1")


# ---- 13


def crisis(marked: str, phasing: str, **position) -> Table:
    """The Cuban Missile Crisis marks a side."""
    lasting = {40: 1 if marked == "ussr" else 2}
    return Table(**{"phasing": phasing, "lasting": lasting, "turn": 5, "defcon": 2, **position})


def test_trap_13_a_coup_by_the_marked_side_loses():
    t = crisis("ussr", "ussr", influence={"Haiti": (0, 1)}, ussr=[34]).play("card 34", "operations", "coup")
    assert (t.winner, t.ending) == ("us", "a coup in the Cuban Missile Crisis")


def test_trap_13_a_coup_inside_the_opponents_card_loses_for_the_marked_side_over_trap_12():
    t = crisis("ussr", "us", influence={"Nigeria": (1, 3)}, us=[62]).play("card 62", "event", "coup")
    assert (t.winner, t.ending) == ("us", "a coup in the Cuban Missile Crisis")


def test_trap_13_a_free_coup_loses_too():
    t = crisis("ussr", "ussr", influence={"Brazil": (0, 1)}, ussr=[47]).play("card 47", "event", "Peru", "coup")
    assert (t.winner, t.ending) == ("us", "a coup in the Cuban Missile Crisis")


def test_trap_13_the_other_side_may_coup():
    t = crisis("us", "ussr", influence={"Haiti": (0, 1)}, ussr=[34])
    assert t.play("card 34", "operations", "coup", dice=[1]).winner == ""


def test_trap_13_the_ussr_buys_itself_off_in_cuba():
    t = crisis("ussr", "ussr", influence={"Cuba": (3, 0), "Haiti": (0, 1)}, ussr=[34]).play("buy_off 0")
    assert (t.influence("Cuba"), t.s.lasting[40], t.s.defcon, t.asked) == ((1, 0), 0, 2, "play")
    assert t.play("card 34", "operations", "coup", dice=[1]).winner == ""


@pytest.mark.parametrize(("move", "country"), [("buy_off 1", "West Germany"), ("buy_off 2", "Turkey")])
def test_trap_13_the_us_buys_itself_off_in_one_of_west_germany_and_turkey(move, country):
    t = crisis("us", "us", influence={"West Germany": (0, 4), "Turkey": (0, 2)})
    assert t.legal("buy_off") == ["buy_off 1", "buy_off 2"]
    left = t.influence(country)[1] - 2
    assert t.play(move).influence(country) == (0, left)


def test_trap_13_one_influence_buys_nobody_off():
    assert crisis("us", "us", influence={"West Germany": (0, 1), "Turkey": (0, 1)}).legal("buy_off") == []
    assert crisis("us", "us", influence={"Cuba": (0, 5)}).legal("buy_off") == []


def test_trap_13_it_may_be_bought_off_in_the_other_players_round():
    t = crisis("ussr", "us", influence={"Cuba": (2, 0)})
    assert (t.turn, t.legal()) == ("ussr", ["stop", "buy_off 0"])
    t.play("buy_off 0")
    assert (t.influence("Cuba"), t.turn, t.asked) == ((0, 0), "us", "play")


@pytest.mark.parametrize(("move", "country"), [("buy_off 1", "West Germany"), ("buy_off 2", "Turkey")])
def test_trap_13_the_us_too_buys_itself_off_in_the_other_players_round(move, country):
    t = crisis("us", "ussr", influence={country: (0, 2)})
    assert (t.turn, t.legal()) == ("us", ["stop", move])
    t.play(move)
    assert (t.influence(country), t.s.lasting[40], t.turn, t.asked) == ((0, 0), 0, "ussr", "play")


def test_trap_13_it_may_be_bought_off_in_the_middle_of_the_own_play():
    t = crisis("ussr", "ussr", influence={"Cuba": (3, 0), "Haiti": (0, 1)}, ussr=[34]).play("card 34", "operations")
    assert t.play("buy_off 0").legal("operation") == ["influence", "coup", "realign"]


def test_trap_13_realignment_and_wars_are_safe():
    t = crisis("ussr", "ussr", influence={"Brazil": (0, 9)}, ussr=[34]).play("card 34", "operations", "realign")
    assert t.winner == ""
    t = crisis("ussr", "ussr", influence={"Nigeria": (0, 1)}, ussr=[36]).play("card 36", "event", "Nigeria", dice=[3])
    assert (t.winner, t.influence("Nigeria")) == ("", (1, 0))


# ---- 14


def norad(phasing: str, **position) -> Table:
    return Table(**{"phasing": phasing, "lasting": {106: 1}, "turn": 5, "defcon": 3, **position})


WITH_CANADA = {"Canada": (0, 4), "Japan": (0, 2), "Nigeria": (3, 3)}


@pytest.mark.parametrize("side", ["ussr", "us"])
def test_trap_14_norad_pays_1_after_any_round_in_which_defcon_moved_to_2(side):
    t = norad(side, influence=WITH_CANADA, **{side: [34]}).play("card 34", "operations")
    t.play("coup", dice=[1])  # in Nigeria: Canada and Japan are closed at 3
    assert (t.turn, t.asked) == ("us", "add")
    assert {"Canada", "Japan"} <= set(t.legal("country")) <= set(WITH_CANADA)
    t.play("Japan")
    assert (t.influence("Japan"), t.asked) == ((0, 3), "play")


def test_trap_14_norad_needs_canada_at_the_end_of_the_round():
    t = norad("us", influence={"Canada": (0, 3), "Nigeria": (3, 3)}, us=[34])
    assert t.play("card 34", "operations", "coup", dice=[1]).asked == "play"


def test_trap_14_norad_pays_nothing_when_canada_was_lost_by_the_end_of_the_round():
    """4 lowers DEFCON to 2 while the US controls Canada; the influence that follows breaks that."""
    t = norad("ussr", influence={"Canada": (0, 4), "UK": (1, 0)}, ussr=[4]).play("card 4", "event")
    assert t.s.defcon == 2
    t.play("Canada", "UK")
    assert (t.influence("Canada"), t.turn, t.asked) == ((1, 4), "us", "play")


def test_trap_14_norad_pays_when_an_event_moved_defcon():
    t = norad("ussr", influence=WITH_CANADA, ussr=[50]).play("card 50", "event")
    assert (t.turn, t.asked) == ("us", "add")


def test_trap_14_norad_pays_nothing_for_a_headline_not_even_after_the_first_round():
    t = norad("ussr", influence=WITH_CANADA, ussr=[50, 7], us=[63], stage="headline").play("card 50", "card 63")
    t.play(*["Burma", "Thailand", "Malaysia", "Vietnam"])
    assert (t.s.defcon, t.turn, t.asked) == (2, "ussr", "play")
    t.play("card 8", "event")
    assert (t.turn, t.asked) == ("us", "play")


def test_trap_14_norad_pays_nothing_when_defcon_was_at_2_before():
    t = norad("ussr", influence=WITH_CANADA, ussr=[8], defcon=2).play("card 8", "event")
    assert (t.turn, t.asked) == ("us", "play")


def test_trap_14_quagmire_ends_norad():
    assert norad("ussr", ussr=[42]).play("card 42", "event").s.lasting[106] == 0


# ---- 15


def test_trap_15_nuclear_subs_cover_us_coups_paid_by_ops():
    t = Table(us=[34], phasing="us", lasting={41: 1}, influence={"Nigeria": (5, 1)})
    assert t.play("card 34", "operations", "coup", dice=[1]).s.defcon == 5


def test_trap_15_nuclear_subs_cover_no_free_coup():
    t = Table(us=[47], phasing="us", turn=5, lasting={41: 1}, influence={"Brazil": (5, 0)}).play("card 47", "event")
    assert t.play("Peru").play("coup", dice=[1]).s.defcon == 4


@pytest.mark.parametrize(
    ("card", "moves", "defcon"),
    [(40, ["event"], 2), (4, ["event"], 4), (20, ["event", "option 1"], 4), (89, ["event"], 4)],
)
def test_trap_15_events_still_move_defcon_under_nuclear_subs(card, moves, defcon):
    t = Table(us=[card], phasing="us", turn=8, lasting={41: 1}).play(f"card {card}", *moves)
    assert t.s.defcon == defcon


@pytest.mark.parametrize(("before", "after"), [(1 + 1, 4), (3, 5), (4, 5)])
def test_trap_15_salt_moves_defcon_up_and_46_both_ways(before, after):
    assert Table(ussr=[43], turn=5, defcon=before).play("card 43", "event").s.defcon == after
    assert Table(ussr=[46], turn=5, defcon=before).play("card 46", "event", "option 4").s.defcon == 5
    assert Table(ussr=[46], turn=5, defcon=before).play("card 46", "event", "option 1").s.defcon == 2


def test_trap_15_46_set_to_1_is_suicide():
    t = Table(ussr=[46], turn=5).play("card 46", "event", "option 0")
    assert (t.winner, t.ending) == ("us", "DEFCON 1")


# ---- 16


def test_trap_16_the_requirement_is_defcon_before_the_next_turn_improves_it():
    """At 3 the USSR lacks 2 and the US 3: the USSR gains 1."""
    t = end_of_turn(defcon=3, milops=(1, 0))
    assert (t.vp, t.s.defcon, t.s.turn) == (-1, 4, 6)
    assert list(t.s.milops) == [0, 0]


def end_of_turn(**position) -> Table:
    """The US plays its last card of turn 5, 1 Op in Chile."""
    t = Table(us=[18, 20], phasing="us", fillers=0, turn=5, action_round=7, influence={"Chile": (0, 1)}, **position)
    return t.play("card 18", "operations", "Chile")


@pytest.mark.parametrize(
    ("card", "phasing", "milops"),
    [(11, "us", [2, 0]), (13, "us", [2, 0]), (24, "us", [0, 2]), (36, "us", [0, 3]), (102, "ussr", [2, 0])],
)
def test_trap_16_war_credit_is_the_cards_own_number_and_the_event_owners(card, phasing, milops):
    t = Table(**{phasing: [card]}, phasing=phasing, turn=8).play(f"card {card}", "event")
    if t.asked == "war":
        t.play(t.legal("country")[0])
    assert list(t.s.milops) == milops


def test_trap_16_46_gives_5_and_5_is_the_most():
    t = Table(ussr=[46], turn=5, milops=(2, 0)).play("card 46", "event", "option 4")
    assert (list(t.s.milops), t.place(46)) == ([5, 0], REMOVED)
    t = Table(ussr=[34], milops=(3, 0), influence={"Haiti": (0, 1)}).play("card 34", "operations", "coup", dice=[1])
    assert list(t.s.milops) == [5, 0]
