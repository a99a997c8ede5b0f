"""R10.3: every way to win or to lose. Points below 0 are the USSR's."""

from __future__ import annotations

import numpy as np
import pytest

from tests.twilight_struggle.table import Table, event, headlines
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.twilight_struggle import GAME
from timeline_env.twilight_struggle.board import BATTLEGROUND, COUNTRY_NAMES, EUROPE, ID, IN_SET, STABILITY

EUROPES_BATTLEGROUNDS = [COUNTRY_NAMES[c] for c in np.flatnonzero(IN_SET[EUROPE] * BATTLEGROUND)]


def us_controls(*countries: str) -> dict[str, tuple[int, int]]:
    """Just enough US influence."""
    return {c: (0, int(STABILITY[ID[c]])) for c in countries}


def test_r10_3_1_twenty_points_win_at_once_for_the_us() -> None:
    t = event(4, vp=17, defcon=3)
    assert (t.vp, t.winner, t.ending, t.turn) == (20, "us", "20 victory points", "nobody")


def test_r10_3_1_twenty_points_win_at_once_for_the_ussr() -> None:
    t = event(34, by="ussr", vp=-18)
    assert (t.vp, t.winner, t.ending) == (-20, "ussr", "20 victory points")


def test_r10_3_1_nineteen_points_do_not_win() -> None:
    assert event(4, vp=17, defcon=4).winner == ""


def test_r10_3_1_awards_of_one_scoring_are_netted_before_the_test() -> None:
    t = event(79, by="us", vp=17, influence={**us_controls("Angola", "Kenya"), "Zaire": (1, 0)})
    assert (t.vp, t.winner) == (17 + (1 + 1) - (1 + 1), "")


def test_r10_3_1_the_military_operations_of_both_are_netted_before_the_test() -> None:
    t = Table(stage="end", vp=18, defcon=5, milops=(0, 1))
    assert (t.vp, t.winner) == (19, "")


def test_r10_3_1_missing_military_operations_may_win() -> None:
    t = Table(stage="end", vp=18, defcon=2, milops=(0, 2))
    assert (t.vp, t.winner, t.ending) == (20, "us", "20 victory points")


@pytest.mark.parametrize(("phasing", "winner"), [("ussr", "us"), ("us", "ussr")])
def test_r8_1_defcon_1_loses_for_the_phasing_player_whosever_the_card(phasing: str, winner: str) -> None:
    t = event(4, by=phasing, defcon=2)
    assert (t.winner, t.ending, int(t.s.defcon), t.vp) == (winner, "DEFCON 1", 1, 0)


def test_r8_1_a_coup_in_a_battleground_at_defcon_2_loses() -> None:
    t = Table(ussr=[8], defcon=2, influence={"Angola": (0, 1), "Kenya": (0, 1)})
    t.play("card 8", "operations", "coup", "Angola")
    assert (t.winner, t.ending) == ("us", "DEFCON 1")


def test_r8_1_in_the_headline_phase_the_owner_of_the_headline_is_the_phasing_player() -> None:
    assert headlines(4, 22, defcon=2).winner == "us"
    assert headlines(8, 4, defcon=2).winner == "ussr"


def test_r10_1_control_of_europe_wins_when_europe_is_scored() -> None:
    t = event(2, by="ussr", vp=-19, influence=us_controls(*EUROPES_BATTLEGROUNDS))
    assert (t.winner, t.ending) == ("us", "control of Europe")


@pytest.mark.parametrize(
    ("ussr", "us", "winner"), [([1], [22], "us"), ([8], [1], "ussr"), ([1], [2], "us"), ([8], [22], "")]
)
def test_r4_7_a_scoring_card_held_past_the_turn_loses_and_the_ussr_first(
    ussr: list[int], us: list[int], winner: str
) -> None:
    t = Table(stage="end", ussr=ussr, us=us, milops=(5, 5), fillers=0)
    assert t.winner == winner
    assert (t.ending == "a scoring card held") == bool(winner)


def test_r4_7_military_operations_come_before_the_scoring_card_held() -> None:
    t = Table(stage="end", vp=-17, ussr=[1], defcon=3, milops=(3, 0), fillers=0)
    assert (t.winner, t.ending) == ("ussr", "20 victory points")


def test_040_a_coup_in_the_cuban_missile_crisis_loses() -> None:
    t = Table(ussr=[8], lasting={40: 1}, defcon=2, influence={"Kenya": (0, 1), "Sudan": (0, 1)})
    t.play("card 8", "operations", "coup", "Kenya")
    assert (t.winner, t.ending, int(t.s.defcon)) == ("us", "a coup in the Cuban Missile Crisis", 2)


def test_100_wargames_may_win_by_20_points() -> None:
    t = event(100, "option 0", by="us", vp=-14, defcon=2)
    assert (t.vp, t.winner, t.ending) == (-20, "ussr", "20 victory points")


@pytest.mark.parametrize(
    ("vp", "china", "winner"),
    [(1, 0, "draw"), (2, 0, "us"), (0, 0, "ussr"), (0, 1, "us"), (-1, 1, "draw"), (-2, 1, "ussr")],
)
def test_r10_3_2_after_turn_10_the_higher_points_win_with_1_for_the_china_card(
    vp: int, china: int, winner: str
) -> None:
    t = Table(stage="end", turn=10, vp=vp, china=china, china_up=0, milops=(5, 5), fillers=0)
    assert (t.winner, t.ending) == (winner, "final scoring")


def test_r10_3_2_turn_9_is_not_the_last() -> None:
    assert Table(stage="end", turn=9, vp=5, milops=(5, 5), fillers=0).winner == ""


def test_r10_3_2_southeast_asia_scoring_is_no_part_of_the_final_scoring() -> None:
    t = Table(stage="end", turn=10, milops=(5, 5), china=1, influence=us_controls("Vietnam"), fillers=0)
    assert t.vp == 3 + 1


def test_r10_3_2_twenty_points_on_the_way_stop_nothing() -> None:
    """The US is at 19 before Europe and Asia; the USSR has all of Africa, the Middle East and South America."""
    ussr = {
        c: (int(STABILITY[ID[c]]), 0)
        for c in ("Angola", "Zaire", "Nigeria", "South Africa", "Algeria", "Iran", "Jordan", "Brazil", "Peru")
    }
    us = us_controls("France", "UK", "India", "Burma")
    t = Table(stage="end", turn=10, vp=19, china=0, milops=(5, 5), influence={**ussr, **us}, fillers=0)
    assert t.winner == "us"
    assert t.vp == 19 - 1 + (7 + 1) + (7 + 1) - (6 + 5) - (5 + 1) - (5 + 1)


def test_r10_3_2_control_of_europe_wins_whatever_the_points() -> None:
    t = Table(stage="end", turn=10, vp=-19, milops=(5, 5), influence=us_controls(*EUROPES_BATTLEGROUNDS), fillers=0)
    assert (t.winner, t.ending) == ("us", "control of Europe")


def test_r10_3_2_shuttle_diplomacy_is_no_part_and_taiwan_counts() -> None:
    influence = {"India": (3, 0), "Taiwan": (0, 3)}
    t = Table(stage="end", turn=10, milops=(5, 5), influence=influence, lasting={73: 1, 35: 1}, fillers=0)
    assert t.vp == (3 + 1) - (3 + 1) - 1


@pytest.mark.parametrize(("reward", "paid"), [("rank", [1.0, -1.0]), ("win", [1.0, 0.0]), ("score", [2.0, -2.0])])
def test_the_reward_of_the_last_decision_tells_who_won(reward: str, paid: list[float]) -> None:
    t = Table(ussr=[34, 8], vp=-18, fillers=0)
    batch = Batch(Setting(GAME), 1, reward=reward)
    batch.states[:] = t.batch.states
    batch.refresh()
    for move in ("card 34", "event"):
        batch.step([t.action(move)], restart=False)
    assert batch.reward[0].tolist() == paid
    assert (batch.done.tolist(), batch.seat.tolist(), batch.rank.tolist()) == ([True], [-1], [[1.0, 2.0]])
    assert not batch.action_mask.any()


def test_who_wins_otherwise_than_by_points_has_won_by_20() -> None:
    t = Table({"Angola": (1, 1)}, ussr=[52], vp=3, defcon=2, turn=5, milops=(5, 5), fillers=0)
    batch = Batch(Setting(GAME), 1, reward="score")
    batch.states[:] = t.batch.states
    batch.refresh()
    for move in ("card 52", "operations", "coup"):
        batch.step([t.action(move)], restart=False)
    assert batch.states[0].defcon == 1
    assert batch.points[0].tolist() == [-20.0, 20.0]
    assert batch.reward[0].tolist() == [-17.0, 17.0]
