"""What a card says that a side *may* do, that side may leave: one test a card."""

from __future__ import annotations

import pytest

from tests.twilight_struggle.table import Table, event
from timeline_env.twilight_struggle.board import US
from timeline_env.twilight_struggle.state import IN_FRONT, REMOVED

SMALL = {"Angola": (1, 1), "Iran": (1, 1)}


def left(t: Table, by: str) -> Table:
    """The position after `by` was asked, could have stopped and did; no country is changed."""
    before = t.s.influence.copy()
    assert (t.turn, t.legal()[-1]) == (by, "stop")
    assert len(t.legal()) > 1
    t.play("stop")
    assert (t.s.influence == before).all()
    return t


def test_020_olympic_games_boycotted_need_no_operations() -> None:
    t = left(event(20, "option 1", by="ussr", influence=SMALL), "ussr")
    assert (t.s.defcon, t.turn, list(t.s.milops)) == (4, "us", [0, 0])


def test_026_cia_created_needs_no_operation() -> None:
    t = left(event(26, influence=SMALL), "us")
    assert (t.turn, t.place(26)) == ("ussr", REMOVED)


def test_026_cia_created_in_a_ussr_round_leaves_the_cards_own_operations_to_be_used() -> None:
    t = left(Table(SMALL, ussr=[26]).play("card 26", "event"), "us")
    assert (t.turn, t.legal()) == ("ussr", ["influence", "coup", "realign"])


def test_057_abm_treaty_needs_no_operations() -> None:
    t = left(event(57, by="us", influence=SMALL, defcon=3), "us")
    assert (t.s.defcon, t.turn) == (4, "ussr")


def test_062_lone_gunman_needs_no_operation() -> None:
    assert left(event(62, influence=SMALL), "ussr").turn == "us"


def test_066_puppet_governments_may_enter_fewer_countries_or_none() -> None:
    assert left(event(66), "us").turn == "ussr"
    t = event(66, "Brazil")
    assert t.legal()[-1] == "stop"
    assert t.play("stop").influence("Brazil") == (0, 1)


def test_089_kal_007_needs_no_operations() -> None:
    t = left(event(89, influence={**SMALL, "South Korea": (0, 3)}), "us")
    assert (t.vp, t.turn) == (2, "ussr")


def test_090_glasnost_needs_no_operations() -> None:
    t = left(event(90, influence=SMALL, lasting={87: 1}), "ussr")
    assert (t.vp, t.turn) == (-2, "us")


def test_094_chernobyl_may_name_no_region() -> None:
    t = left(event(94, ussr=[8], influence={"Poland": (1, 0)}), "us")
    assert (t.s.lasting[94], t.place(94)) == (0, IN_FRONT)
    assert "Poland" in t.play("card 8", "operations").legal()


def test_099_pershing_may_take_from_fewer_countries_or_none() -> None:
    where = dict.fromkeys(("UK", "France", "Italy"), (0, 3))
    assert left(event(99, influence=where), "ussr").vp == -1
    t = event(99, "UK", "stop", influence=where)
    assert [t.influence(name)[1] for name in where] == [2, 3, 3]


def test_104_cambridge_five_need_not_add() -> None:
    t = left(event(104, us=[3, 37]), "ussr")
    assert (t.turn, [bool(t.s.known[0, card]) for card in (3, 37)]) == ("us", [True, True])


@pytest.mark.parametrize("phasing", ["ussr", "us"])
def test_106_norad_need_not_add_and_is_asked_in_the_round_that_it_ends(phasing: str) -> None:
    where = {"Canada": (0, 4), "Iran": (0, 2), "Panama": (1, 1), "Haiti": (1, 0)}
    hands = {"ussr": [11], "us": [22]}
    t = Table(where, **hands, phasing=phasing, lasting={106: 1}, defcon=3, action_round=6)
    t.play(f"card {hands[phasing][0]}", "operations", "coup", "Panama", dice=[1])
    assert (t.asked, t.s.action_round, t.s.phasing) == ("add", 6, int(phasing == "us"))
    left(t, "us")
    assert (t.s.action_round, t.s.phasing) == ((6, US) if phasing == "ussr" else (0, 0))
