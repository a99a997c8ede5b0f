"""Section 7 of the rulebook, events: a test for every row, named after it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.twilight_struggle.table import Table
from timeline_env.twilight_struggle.state import DISCARDS, IN_FRONT, REMOVED


def seen(t: Table, seat: int, piece: str) -> list[int]:
    """The cards for which a piece of a seat's observation is not 0."""
    observation = t.batch.observe([0], [seat])[0]
    return [int(k) + 1 for k in np.flatnonzero(observation[t.batch.layout[piece].slice])]


# ---- 7.1


@pytest.mark.parametrize(("card", "side"), [(34, "ussr"), (34, "us"), (54, "ussr"), (64, "us")])
def test_7_1_an_own_or_neutral_card_may_be_played_as_its_event(card, side):
    t = Table(**{side: [card]}, phasing=side, turn=5).play(f"card {card}")
    assert t.legal()[:2] == ["event", "operations"]


def test_7_1_the_event_happens_at_once_and_no_ops_are_used():
    t = Table(ussr=[54], turn=5).play("card 54", "event")
    assert (t.influence("Chile"), t.turn) == ((2, 0), "us")


# ---- 7.2


def test_7_2_southeast_asia_scoring_is_removed_for_good():
    assert Table(ussr=[38], turn=5).play("card 38").place(38) == REMOVED


def test_7_2_the_other_scoring_cards_come_back():
    for card in (1, 2, 3, 37, 79, 81):
        assert Table(ussr=[card], turn=5).play(f"card {card}").place(card) == DISCARDS


# ---- 7.3


def test_7_3_underlined_events_last_to_the_end_of_the_game():
    for turn in range(1, 10):
        assert Table(stage="next", turn=turn, lasting={27: 1}, milops=(5, 5)).s.lasting[27] == 1


@pytest.mark.parametrize(("canceller", "side", "cancelled"), [(96, "us", 55), (97, "us", 59), (42, "ussr", 106)])
def test_7_3_another_event_may_cancel_them(canceller, side, cancelled):
    t = Table(**{side: [canceller]}, phasing=side, turn=8, lasting={cancelled: 1}).play(f"card {canceller}", "event")
    assert (t.s.lasting[canceller], t.s.lasting[cancelled]) == (1, 0)


def test_7_3_the_iron_lady_bars_socialist_governments():
    t = Table(us=[83], ussr=[7], phasing="us", turn=8).play("card 83", "event")
    assert t.s.lasting[83] == 1
    assert "event" not in t.play("card 7").legal()
    assert "event" in Table(ussr=[7], turn=8).play("card 7").legal()


def test_7_3_they_stay_in_view_of_both():
    t = Table(us=[27], phasing="us", lasting={16: 1}).play("card 27", "event")
    assert [seen(t, seat, "lasting") for seat in (0, 1)] == [[16, 27], [16, 27]]


# ---- 7.3.1


def test_7_3_1_green_events_lie_in_front_and_are_in_view():
    t = Table(ussr=[31]).play("card 31", "event")
    assert (t.place(31), t.s.lasting[31]) == (IN_FRONT, 2)  # on the US
    assert 31 in seen(t, 0, "table") and 31 in seen(t, 1, "table")
    k = t.batch.layout["lasting"].start + 30
    assert [int(t.batch.observe([0], [seat])[0][k]) for seat in (0, 1)] == [-1, 1]


@pytest.mark.parametrize(("card", "place"), [(31, DISCARDS), (51, REMOVED), (69, DISCARDS), (43, REMOVED)])
def test_7_3_1_they_end_with_the_turn_and_go_to_the_discards_or_out_of_the_game(card, place):
    t = Table(ussr=[card], us=[18, 20], fillers=0, turn=5, action_round=7, milops=(5, 5), influence={"Chile": (0, 1)})
    t.play(f"card {card}", "event")
    assert (t.s.lasting[card] > 0, t.place(card)) == (True, IN_FRONT)
    t.play("card 18", "operations", "Chile")
    assert (t.s.turn, t.s.lasting[card], t.place(card)) == (6, 0, place)


# ---- 7.4


def spend_in_thailand(lasting: dict[int, int], points: int) -> Table:
    t = Table(influence={"Thailand": (1, 0), "Chile": (1, 0)}, lasting=lasting)
    return t.play("card 6", "operations", *["Thailand"] * points)


@pytest.mark.parametrize(("lasting", "ops"), [({}, 5), ({9: 1}, 6), ({9: 1, 31: 1}, 5), ({31: 1}, 4)])
def test_7_4_events_change_later_ops_and_several_add_up_on_the_china_card_too(lasting, ops):
    t = spend_in_thailand(lasting, ops)
    assert (t.influence("Thailand"), t.turn) == ((1 + ops, 0), "us")


def test_7_4_an_event_changes_only_what_is_played_after_it():
    t = Table(ussr=[31], us=[39], influence={"Chile": (0, 1)}).play("card 31", "event", "card 39", "operations")
    assert t.play("Chile", "Chile").turn == "ussr"  # 3 less 1
    # The US draws 51 by 67 and plays it: the 2 Ops of 67, played before, stay 2.
    t = Table(ussr=[67, 51], us=[20, 22], fillers=0, turn=5, influence={"Chile": (1, 1)})
    t.play("card 67", "event", "card 51", "event", "influence", "Peru", "Peru", "Peru")
    assert t.play("influence", "Chile", "Chile").turn == "us"


# ---- 7.4.1


def test_7_4_1_a_card_taken_from_the_ussr_does_not_bring_51_along():
    t = Table(us=[67, 20], ussr=[39], phasing="us", fillers=0, turn=5, lasting={51: 1}, influence={"Chile": (0, 1)})
    t.play("card 67", "event", "card 39", "operations", "Chile", "Chile", "Chile")
    assert (t.influence("Chile"), t.turn) == ((0, 4), "ussr")


# ---- 7.4.2


def test_7_4_2_a_2_ops_coup_under_red_scare_counts_1():
    t = Table(ussr=[20], lasting={31: 1}, influence={"Haiti": (0, 1)}).play("card 20", "operations", "coup", dice=[2])
    assert list(t.s.milops) == [1, 0]
    assert t.influence("Haiti") == (0, 0)  # 2 + 1 - 2 = 1


def test_7_4_2_brezhnev_makes_a_1_op_card_enough_for_the_bear_trap():
    assert Table(ussr=[18, 34], fillers=0, lasting={44: 1, 51: 1}).legal() == ["card 18", "card 34"]
    assert Table(ussr=[18, 34, 31], fillers=0, lasting={44: 1}).legal() == ["card 31", "card 34"]


def test_7_4_2_cia_created_under_containment_gives_two_points():
    t = Table(us=[26], phasing="us", lasting={25: 1}, influence={"Chile": (0, 1)}).play("card 26", "event")
    t.play("influence", "Chile", "Chile")
    assert (t.influence("Chile"), t.turn) == ((0, 3), "ussr")


# ---- 7.4.3


@pytest.mark.parametrize(("card", "side"), [(26, "us"), (57, "us"), (89, "us"), (62, "ussr"), (90, "ussr")])
def test_7_4_3_influence_by_granted_ops_needs_reach(card, side):
    chile = (1, 0) if side == "ussr" else (0, 1)
    influence = {"Chile": chile, "South Korea": (0, 3), "North Korea": (0, 3)}
    t = Table(**{side: [card]}, phasing=side, turn=8, lasting={87: 1}, influence=influence).play(
        f"card {card}", "event"
    )
    if t.asked == "operation":
        t.play("influence")
    assert (t.asked, "Argentina" in t.legal(), "Kenya" in t.legal()) == ("place", True, False)


def test_7_4_3_granted_coups_obey_defcon_nato_and_the_reformer():
    influence = {"Italy": (0, 2), "India": (0, 3), "Haiti": (0, 1), "Peru": (0, 1)}
    for position, closed in (
        ({"defcon": 3}, {"Italy", "India"}),
        ({"lasting": {21: 1}}, {"Italy"}),
        ({"lasting": {87: 1}}, {"Italy"}),
        ({}, set()),
    ):
        t = Table(ussr=[62], turn=5, influence=influence, **position).play("card 62", "event", "coup")
        assert set(influence) - set(t.legal()) == closed
        t = Table(ussr=[62], turn=5, influence=influence, **position).play("card 62", "event", "realign")
        assert set(influence) - set(t.legal()) == (closed if position != {"lasting": {87: 1}} else set())


def test_7_4_3_granted_influence_obeys_chernobyl():
    t = Table(ussr=[90], turn=8, lasting={87: 1, 94: 1}, influence={"Poland": (3, 0), "Chile": (1, 0)})
    t.play("card 90", "event", "influence")
    assert "Chile" in t.legal() and "Poland" not in t.legal()


# ---- 7.5


def test_7_5_the_ops_may_be_used_though_the_event_is_forbidden():
    t = Table(ussr=[13], lasting={65: 1}, influence={"Chile": (1, 0)}).play("card 13")
    assert t.legal() == ["operations", "space"]
    t.play("operations", "Chile", "Chile")
    assert (t.influence("Chile"), t.vp, list(t.s.milops), t.place(13)) == ((3, 0), 0, [0, 0], DISCARDS)


def test_7_5_the_ops_of_an_opponents_card_may_be_used_though_its_event_cannot_happen():
    t = Table(ussr=[21], influence={"Chile": (1, 0)}).play("card 21", "operations", *["Chile"] * 4)
    assert (t.influence("Chile"), t.s.lasting[21], t.place(21)) == ((5, 0), 0, DISCARDS)


def test_7_5_a_card_with_a_possible_event_may_be_used_for_ops_alone():
    t = Table(ussr=[54], turn=5, influence={"Brazil": (1, 0)}).play("card 54", "operations", "Brazil")
    assert (t.influence("Brazil"), t.influence("Chile"), t.place(54)) == ((2, 0), (0, 0), DISCARDS)


# ---- 7.6


@pytest.mark.parametrize(
    ("card", "target", "least", "vp", "milops"),
    [
        (11, "South Korea", 4, 2, 2),
        (13, "Israel", 4, 2, 2),
        (24, "India", 4, 2, 2),
        (36, "Nigeria", 3, 1, 3),
        (102, "Iran", 4, 2, 2),
    ],
)
def test_7_6_a_war_needs_no_influence_and_counts_whatever_the_die_says(card, target, least, vp, milops):
    for die, won in ((least, True), (least - 1, False)):
        moves = ["event"] if card in (11, 13) else ["event", target]
        t = Table(ussr=[card], turn=8).play(f"card {card}", *moves, dice=[die])
        assert (t.vp, list(t.s.milops), t.influence(target)) == (-vp if won else 0, [milops, 0], (0, 0))


def test_7_6_success_turns_the_enemy_influence():
    t = Table(us=[102], phasing="us", turn=8, influence={"Iraq": (3, 1)}).play("card 102", "event", "Iraq", dice=[6])
    assert (t.influence("Iraq"), t.vp, list(t.s.milops), t.place(102)) == ((0, 4), 2, [0, 2], REMOVED)


def test_7_6_a_war_stays_with_its_owner_when_the_opponent_plays_it():
    t = Table(us=[11], phasing="us", influence={"South Korea": (0, 2)}).play("card 11", "event", dice=[4])
    assert (t.influence("South Korea"), t.vp, list(t.s.milops)) == ((2, 0), -2, [2, 0])
    assert (t.place(11), t.asked) == (REMOVED, "operation")
