"""Traps 21 to 24: Flower Power, We Will Bury You, what ends with the turn, wars."""

from __future__ import annotations

import pytest

from tests.twilight_struggle.table import Table

# ---- 21


@pytest.mark.parametrize("card", [11, 13, 24, 36, 102])
def test_trap_21_a_war_card_played_by_the_us_pays_2_before_it_resolves(card):
    for use in ("event", "operations"):
        t = Table(us=[card], phasing="us", turn=8, lasting={59: 1}, vp=-18, influence={"Chile": (0, 1)})
        t.play(f"card {card}", use)
        assert (t.winner, t.ending, list(t.s.milops)) == ("ussr", "20 victory points", [0, 0])


def test_trap_21_a_war_in_the_headline_pays():
    t = Table(us=[24], ussr=[54], stage="headline", turn=5, lasting={59: 1}).play("card 54", "card 24")
    assert (t.vp, t.asked) == (-2, "war")


def test_trap_21_a_war_for_space_a_ussr_war_and_a_blocked_war_pay_nothing():
    t = Table(us=[24], phasing="us", turn=5, lasting={59: 1}).play("card 24", "space", dice=[6])
    assert t.vp == 0
    t = Table(ussr=[24], turn=5, lasting={59: 1}).play("card 24", "event")
    assert t.vp == 0
    t = Table(us=[13], phasing="us", turn=5, lasting={59: 1, 65: 1}, influence={"Chile": (0, 1)})
    assert t.play("card 13", "operations").vp == 0


def test_trap_21_a_war_played_with_un_intervention_pays():
    t = Table(us=[32, 11], phasing="us", turn=5, lasting={59: 1}, influence={"Chile": (0, 1)})
    assert t.play("card 32", "event").vp == -2


# ---- 22


def test_trap_22_defcon_falls_at_once_and_3_vp_come_before_anything_in_the_us_round():
    t = Table(ussr=[50], us=[78], turn=5, vp=0, influence={"Chile": (0, 3)}).play("card 50", "event")
    assert (t.s.defcon, t.vp) == (4, 0)
    t = Table(us=[78], phasing="us", turn=5, vp=-17, lasting={50: 1}, influence={"Chile": (0, 3)}).play(
        "card 78", "event"
    )
    assert (t.winner, t.vp) == ("ussr", -20)


def test_trap_22_nothing_is_rolled_after_points_that_win():
    t = Table(us=[78], phasing="us", turn=5, vp=-17, lasting={50: 1}).play("card 78", "space", dice=[])
    assert (t.winner, t.vp, t.s.space[1], t.s.attempts[1]) == ("ussr", -20, 0, 0)


def test_trap_22_un_intervention_as_an_event_saves_the_points():
    t = Table(us=[32, 7], phasing="us", turn=5, lasting={50: 1}, influence={"Chile": (0, 1)})
    t.play("card 32", "event", "Chile", "Chile", "Chile")
    assert (t.vp, t.s.lasting[50], t.turn) == (0, 0, "ussr")


def test_trap_22_un_intervention_for_ops_does_not():
    t = Table(us=[32, 7], phasing="us", turn=5, lasting={50: 1}, influence={"Chile": (0, 1)})
    assert t.play("card 32", "operations").vp == -3


def test_trap_22_a_trapped_us_cannot_stop_it():
    t = Table(us=[32, 7], phasing="us", turn=5, lasting={50: 1, 42: 1})
    assert (t.asked, t.vp) == ("trap", -3)


def test_trap_22_a_us_without_a_card_cannot_stop_it():
    t = Table(ussr=[8, 9], us=[], fillers=0, phasing="us", turn=5, lasting={50: 1})
    assert (t.vp, t.s.lasting[50], t.turn) == (-3, 0, "ussr")


def test_trap_22_a_us_play_in_its_last_round_points_to_the_next_turn():
    t = Table(us=[50, 20, 22], ussr=[8], phasing="us", fillers=0, turn=5, action_round=7, milops=(5, 5))
    t.play("card 50", "event")
    while t.s.turn == 5:
        t.play(t.legal()[0])
    assert (t.vp, t.s.lasting[50]) == (0, 1)


# ---- 23

TURN_EVENTS = [9, 25, 31, 40, 41, 43, 51, 60, 69, 93, 94, 98, 109]


def test_trap_23_what_lasts_a_turn_ends_with_it_and_the_rest_does_not():
    stay = [16, 17, 21, 23, 27, 35, 42, 44, 55, 59, 65, 68, 73, 82, 83, 86, 87, 96, 97, 106, 110]
    t = Table(stage="next", turn=8, lasting=dict.fromkeys([*TURN_EVENTS, *stay], 1))
    assert (t.s.turn, [card for card in range(1, 111) if t.s.lasting[card]]) == (9, stay)


def test_trap_23_death_squads_touch_latin_america_only():
    for target, left in (("Haiti", (0, 1)), ("Nigeria", (0, 0))):  # 1 + 2 + 1 - 2 and 1 + 2 - 2
        t = Table(us=[20], phasing="us", lasting={69: 2}, influence={target: (1, 0)})
        assert t.play("card 20", "operations").play("coup", dice=[1]).influence(target) == left


@pytest.mark.parametrize("side", ["ussr", "us"])
def test_trap_23_salt_takes_1_from_every_coup(side):
    t = Table(**{side: [20]}, phasing=side, lasting={43: 1}, influence={"Nigeria": (1, 1)})
    assert t.play("card 20", "operations", "coup", dice=[1]).influence("Nigeria") == (1, 1)  # 1 + 2 - 1 - 2


def test_trap_23_yuri_and_samantha_pay_for_every_us_coup():
    t = Table(us=[20], phasing="us", lasting={109: 1}, influence={"Nigeria": (1, 0)})
    assert t.play("card 20", "operations", "coup", dice=[1]).vp == -1
    t = Table(us=[47], phasing="us", turn=8, lasting={109: 1}, influence={"Haiti": (1, 0)}).play("card 47", "event")
    assert t.play("Peru").play("coup", dice=[1]).vp == -1
    t = Table(ussr=[20], lasting={109: 1}, influence={"Nigeria": (0, 1)})
    assert t.play("card 20", "operations", "coup", dice=[1]).vp == 0


def test_trap_23_chernobyl_bars_ops_influence_only():
    influence = {"Poland": (3, 0), "Chile": (1, 0)}
    t = Table(ussr=[20], lasting={94: 1}, influence=influence).play("card 20", "operations")
    assert "Chile" in t.legal() and not {"Poland", "Finland"} & set(t.legal())
    t = Table(ussr=[14], lasting={94: 1}, influence=influence).play("card 14", "event")
    assert "Poland" in t.legal()


# ---- 24


def test_trap_24_war_needs_no_influence_and_pays_even_with_nothing_to_replace():
    t = Table(ussr=[11]).play("card 11", "event", dice=[4])
    assert (t.vp, list(t.s.milops), t.influence("South Korea")) == (-2, [2, 0], (0, 0))


@pytest.mark.parametrize(("die", "vp"), [(5, 0), (6, -2)])
def test_trap_24_only_the_arab_israeli_war_counts_its_target(die, vp):
    influence = {"Israel": (0, 4), "Egypt": (0, 2)}
    assert Table(ussr=[13], influence=influence).play("card 13", "event", dice=[die]).vp == vp
    t = Table(ussr=[11], influence={"South Korea": (0, 3), "Japan": (0, 4)}).play("card 11", "event", dice=[die])
    assert t.vp == -2


@pytest.mark.parametrize(
    ("side", "target", "vp"), [("ussr", "Mexico", 0), ("us", "Afghanistan", 0), ("us", "Mexico", 1)]
)
def test_trap_24_a_superpower_is_an_enemy_neighbour(side, target, vp):
    t = Table(**{side: [36]}, phasing=side, turn=5).play("card 36", "event", target, dice=[3])
    assert t.vp == vp


def test_trap_24_war_moves_no_defcon_and_is_no_coup():
    t = Table(us=[24], phasing="us", lasting={40: 2, 109: 1}, influence={"India": (1, 0)}, turn=8, defcon=2)
    t.play("card 24", "event", "India", dice=[4])
    assert (t.winner, t.s.defcon, t.vp, t.influence("India")) == ("", 2, 2, (0, 1))
