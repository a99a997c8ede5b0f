"""Traps 17 to 20: events that are prevented, NATO, Taiwan, Shuttle Diplomacy."""

from __future__ import annotations

import pytest

from tests.twilight_struggle.table import Table
from timeline_env.twilight_struggle.cards import OPS, SIDE, STARRED
from timeline_env.twilight_struggle.state import DISCARDS, IN_FRONT, REMOVED

# ---- 17

BLOCKED = [
    (21, {}),
    (101, {}),
    (7, {83: 1}),
    (13, {65: 1}),
    (55, {96: 1}),
    (56, {110: 1}),
    (59, {97: 1}),
    (61, {86: 1}),
    (85, {}),
    (100, {}),
    (108, {}),
    (104, {}),
]


@pytest.mark.parametrize(("card", "lasting"), BLOCKED)
def test_trap_17_a_blocked_event_is_not_offered_to_its_owner(card, lasting):
    side = "us" if SIDE[card] == 1 else "ussr"
    legal = Table(**{side: [card]}, phasing=side, lasting=lasting, turn=8, defcon=3).play(f"card {card}").legal()
    assert "operations" in legal and "event" not in legal


@pytest.mark.parametrize(("card", "lasting"), [row for row in BLOCKED if row[0] != 100])
def test_trap_17_a_blocked_event_does_not_happen_on_the_opponents_play(card, lasting):
    side = "ussr" if SIDE[card] == 1 else "us"
    seen = {"UK": (0, 5), "Iran": (0, 1), "Egypt": (2, 0)}  # where these events would change something
    held = [card, 3] if card == 104 else [card]
    t = Table(**{side: held}, phasing=side, lasting=lasting, turn=8, influence={"Chile": (1, 1), **seen})
    before = [int(lasts) for lasts in t.s.lasting]
    t.play(f"card {card}", "operations", "influence", *["Chile"] * int(OPS[card]))
    assert [int(lasts) for lasts in t.s.lasting] == before
    assert {name: t.influence(name) for name in seen} == seen
    assert (t.vp, list(t.s.milops), t.place(card)) == (0, [0, 0], DISCARDS)
    assert (t.turn != side, t.asked) == (True, "play")


def test_trap_17_kitchen_debates_without_the_lead_are_1_op():
    t = Table(us=[48], phasing="us", turn=5, influence={"Chile": (1, 1)}).play("card 48")
    assert t.legal() == ["influence", "coup", "realign"]
    t.play("influence", "Chile")
    assert (t.vp, t.place(48)) == (0, DISCARDS)


@pytest.mark.parametrize("allowing", [16, 23])
def test_trap_17_nato_needs_one_of_two_events(allowing):
    t = Table(us=[21], phasing="us", lasting={allowing: 1}).play("card 21", "event")
    assert (t.s.lasting[21], t.place(21)) == (1, REMOVED)


@pytest.mark.parametrize("card", [78, 84, 19])
def test_trap_17_an_event_without_effect_counts_as_played(card):
    assert STARRED[card]
    t = Table(us=[card], phasing="us", turn=8).play(f"card {card}", "event")
    assert (t.vp, t.place(card)) == (0, REMOVED)


# ---- 18


def attacked(side: str, lasting: dict[int, int], **influence) -> Table:
    countries = {name.replace("_", " "): both for name, both in influence.items()}
    return Table(**{side: [34]}, phasing=side, turn=8, lasting=lasting, influence=countries).play(
        "card 34", "operations"
    )


def test_trap_18_nato_protects_us_controlled_europe_from_coups_and_realignments():
    for operation in ("coup", "realign"):
        t = attacked("ussr", {21: 1}, Greece=(0, 2), Turkey=(0, 1), Haiti=(0, 9)).play(operation)
        assert {"Turkey", "Haiti"} == set(t.legal("country"))


def test_trap_18_nato_does_not_protect_from_the_us():
    t = attacked("us", {21: 1}, Greece=(1, 3), Haiti=(9, 0)).play("realign")
    assert set(t.legal("country")) == {"Greece", "Haiti"}


def test_trap_18_nato_protects_from_brush_war():
    influence = {"Greece": (0, 2), "Turkey": (0, 1)}
    targets = Table(ussr=[36], turn=5, lasting={21: 1}, influence=influence).play("card 36", "event").legal()
    assert "Greece" not in targets and "Turkey" in targets
    targets = (
        Table(us=[36], phasing="us", turn=5, lasting={21: 1}, influence=influence).play("card 36", "event").legal()
    )
    assert "Greece" in targets


@pytest.mark.parametrize(
    ("lasting", "open_to_attack"),
    [
        ({21: 1}, {"Haiti", "Peru"}),
        ({21: 1, 17: 1}, {"Haiti", "Peru", "France"}),
        ({21: 1, 55: 1}, {"Haiti", "Peru", "West Germany"}),
        ({21: 1, 96: 1}, {"Haiti", "Peru"}),
    ],
)
def test_trap_18_17_opens_france_and_55_west_germany(lasting, open_to_attack):
    t = attacked("ussr", lasting, France=(0, 3), West_Germany=(0, 4), Haiti=(0, 9), Peru=(0, 9)).play("realign")
    assert set(t.legal("country")) == open_to_attack


def test_trap_18_96_closes_west_germany_again():
    t = Table(us=[96], phasing="us", turn=8, lasting={21: 1, 55: 1}).play("card 96", "event")
    assert (t.s.lasting[55], t.s.lasting[96]) == (0, 1)


def test_trap_18_control_is_checked_at_the_moment():
    t = attacked("ussr", {21: 1}, France=(0, 2), Haiti=(0, 9))
    assert "France" in t.play("coup").legal()


# ---- 19

ASIA = ["Pakistan", "India", "Japan", "South Korea", "North Korea", "Thailand", "Burma"]


@pytest.mark.parametrize(("lasting", "vp"), [({}, 3 - (9 + 6 + 1)), ({35: 1}, (3 + 1) - (7 + 6 + 1))])
def test_trap_19_taiwan_counts_in_asia_and_raises_what_control_needs(lasting, vp):
    ruled = {**dict.fromkeys(ASIA, (4, 0)), "Taiwan": (0, 3)}
    assert Table(ussr=[1], lasting=lasting, influence=ruled).play("card 1").vp == vp


def test_trap_19_taiwan_is_no_battleground_while_not_us_controlled():
    assert Table(ussr=[1], lasting={35: 1}, influence={"Taiwan": (3, 0)}).play("card 1").vp == -3


def test_trap_19_taiwan_counts_in_final_scoring():
    t = Table(stage="next", turn=10, lasting={35: 1}, influence={"Taiwan": (0, 3)})
    assert (t.vp, t.winner) == (3 + 1 - 1, "us")  # presence and a battleground, less the China Card of the USSR


def test_trap_19_taiwan_is_no_battleground_for_summit():
    """Two battlegrounds against one would be domination of Asia."""
    asia = {"Japan": (0, 4), "India": (3, 0), "Taiwan": (0, 3), "Malaysia": (0, 2)}
    t = Table(us=[45], phasing="us", turn=4, lasting={35: 1}, influence=asia).play("card 45", "event", dice=[3, 3])
    assert t.vp == 0


def test_trap_19_a_coup_in_taiwan_keeps_defcon():
    t = Table(ussr=[34], lasting={35: 1}, influence={"Taiwan": (0, 3)}).play("card 34", "operations", "coup", dice=[1])
    assert t.s.defcon == 5


def test_trap_19_it_ends_when_the_us_plays_the_china_card_even_to_space():
    for use in ("operations", "space"):
        t = Table(phasing="us", china=1, lasting={35: 1}, influence={"Chile": (0, 1)})
        assert t.play("card 6", use).s.lasting[35] == 0


def test_trap_19_it_does_not_end_when_the_card_changes_hands_or_the_ussr_plays_it():
    assert Table(ussr=[58], turn=5, china=1, lasting={35: 1}).play("card 58", "event").s.lasting[35] == 1
    t = Table(lasting={35: 1}, influence={"Chile": (1, 0)}).play("card 6", "operations")
    assert t.s.lasting[35] == 1


# ---- 20

MIDEAST = {"Iran": (2, 0), "Libya": (2, 0), "Syria": (2, 0), "Lebanon": (0, 1), "Jordan": (0, 2)}


def test_trap_20_one_battleground_leaves_the_counts_of_countries_and_battlegrounds():
    assert Table(ussr=[3], influence=MIDEAST).play("card 3").vp == 3 - (5 + 2)
    t = Table(ussr=[3], influence=MIDEAST, lasting={73: 1}, turn=5).play("card 3")
    assert t.vp == 3 - (3 + 1)  # two countries each
    assert (t.s.lasting[73], t.place(73)) == (0, DISCARDS)


def test_trap_20_it_waits_through_southeast_asia_and_turn_ends():
    t = Table(us=[73], phasing="us", turn=5, ussr=[38], influence={"Thailand": (2, 0)}).play("card 73", "event")
    assert t.place(73) == IN_FRONT
    t.play("card 38")
    assert (t.vp, t.s.lasting[73], t.place(73)) == (-2, 1, IN_FRONT)
    assert Table(stage="next", turn=5, lasting={73: 1}).s.lasting[73] == 1


def test_trap_20_it_takes_a_battleground_from_asia():
    t = Table(ussr=[1], turn=5, influence={"India": (3, 0), "Pakistan": (2, 0)}, lasting={73: 1}).play("card 1")
    assert t.vp == -(3 + 1)


def test_trap_20_final_scoring_does_not_know_it():
    t = Table(stage="next", turn=10, influence={"India": (3, 0)}, lasting={73: 1})
    assert t.vp == -(3 + 1 + 1)  # presence, India, the China Card
