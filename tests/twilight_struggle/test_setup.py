"""R3: the set-up. R4.3: the first deal."""

from __future__ import annotations

import numpy as np
import pytest

from tests.twilight_struggle.table import Table
from timeline_env.twilight_struggle.board import COUNTRY_NAMES, EASTERN_EUROPE, IN_SET, START, WESTERN_EUROPE
from timeline_env.twilight_struggle.cards import CHINA, OPTIONAL, PERIOD
from timeline_env.twilight_struggle.state import BOX, DRAW_PILE

PLACED_BY_USSR = ("Poland", "Poland", "Poland", "Poland", "East Germany", "Yugoslavia")
PLACED_BY_US = ("West Germany", "West Germany", "West Germany", "West Germany", "Italy", "Italy", "France")


def names(where: int) -> set[str]:
    """The countries of a set."""
    return {COUNTRY_NAMES[c] for c in np.flatnonzero(IN_SET[where])}


def test_r3_the_board_at_the_start() -> None:
    t = Table.dealt()
    assert np.array_equal(t.s.influence, START)
    assert [t.influence(c) for c in ("North Korea", "UK", "Finland", "Israel")] == [(3, 0), (0, 5), (1, 0), (0, 1)]
    assert (t.vp, t.s.defcon, t.s.turn, t.s.action_round) == (0, 5, 1, 0)
    assert not t.s.milops.any()
    assert not t.s.space.any()


def test_r3_the_china_card_lies_face_up_with_the_ussr() -> None:
    t = Table.dealt()
    assert (t.s.china, t.s.china_up, CHINA in t.in_hand("ussr")) == (0, 1, True)


def test_r3_eight_cards_each_of_the_early_war() -> None:
    t = Table.dealt()
    assert list(t.s.held) == [8, 8]
    assert len(t.in_hand("ussr")) == 8 + 1
    assert len(t.in_hand("us")) == 8
    assert all(PERIOD[card] == 0 for side in ("ussr", "us") for card in t.in_hand(side))


@pytest.mark.parametrize(("optional", "pile"), [(True, 38 - 16), (False, 35 - 16)])
def test_r3_the_rest_of_the_early_war_is_the_draw_pile_and_the_other_periods_wait(optional: bool, pile: int) -> None:
    t = Table.dealt(rules={"deck": {"optional_cards": optional}})
    assert len(t.cards_at(DRAW_PILE)) == pile
    boxed = t.cards_at(BOX)
    assert {card for card in boxed if not OPTIONAL[card]} == {card for card in range(1, 104) if PERIOD[card] > 0}
    assert {104, 105, 106} & set(boxed) == (set() if optional else {104, 105, 106})


def test_r3_hands_depend_on_the_seed_and_on_nothing_else() -> None:
    hands = [tuple(Table.dealt(seed).in_hand("ussr")) for seed in range(10)]
    assert len(set(hands)) == 10
    assert hands == [tuple(Table.dealt(seed).in_hand("ussr")) for seed in range(10)]


def test_r3_2_ussr_places_6_in_eastern_europe_any_number_in_a_country() -> None:
    t = Table.dealt()
    assert t.turn == "ussr"
    for country in PLACED_BY_USSR:
        assert set(t.legal()) == names(EASTERN_EUROPE)
        t.play(country)
    assert (t.influence("Poland"), t.influence("East Germany"), t.influence("Yugoslavia")) == ((4, 0), (4, 0), (1, 0))
    assert t.turn == "us"


def test_r3_3_us_places_7_in_western_europe_and_then_come_the_headlines() -> None:
    t = Table.dealt().play(*PLACED_BY_USSR)
    for country in PLACED_BY_US:
        assert set(t.legal()) == names(WESTERN_EUROPE)
        t.play(country)
    assert t.influence("West Germany") == (0, 4)
    assert t.s.influence.sum(axis=1).tolist() == [15, 25]
    assert (t.asked, t.turn) == ("headline", "ussr")


def test_r3_us_bonus_is_placed_last_where_the_us_has_influence() -> None:
    t = Table.dealt(rules={"setup": {"us_bonus": 2}}).play(*PLACED_BY_USSR, *PLACED_BY_US)
    assert (t.asked, t.turn) == ("add", "us")
    assert {"Iran", "Italy", "Panama", "UK"} <= set(t.legal())
    assert not {"Greece", "Poland", "Egypt", "Finland"} & set(t.legal())
    t.play("Iran", "Italy")
    assert (t.influence("Iran"), t.influence("Italy")) == ((0, 2), (0, 3))
    assert t.s.influence.sum(axis=1).tolist() == [15, 27]
    assert t.asked == "headline"


def test_r3_a_bonus_of_the_ussr_is_placed_before_that_of_the_us() -> None:
    t = Table.dealt(rules={"setup": {"ussr_bonus": 1, "us_bonus": 1}}).play(*PLACED_BY_USSR, *PLACED_BY_US)
    assert (t.asked, t.turn) == ("add", "ussr")
    assert {"Iraq", "Poland"} <= set(t.legal())
    assert not {"Iran", "Greece"} & set(t.legal())
    t.play("Iraq")
    assert (t.asked, t.turn) == ("add", "us")
    t.play("Iran")
    assert (t.influence("Iraq"), t.influence("Iran")) == ((2, 0), (0, 2))
    assert t.asked == "headline"
