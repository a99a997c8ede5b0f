"""Rules that the recorded games decided where the sources leave them open, or that their replay corrected."""

import pytest

from tests.twilight_struggle.table import Table
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.cards import CARDS
from timeline_env.twilight_struggle.hands import cards_in
from timeline_env.twilight_struggle.state import DISCARDS, DRAW_PILE, HANDS, REMOVED

EUROPE_SCORING, FIVE_YEAR_PLAN, ALDRICH_AMES, BRUSH_WAR, SHUTTLE, FLOWER_POWER = 2, 5, 98, 36, 73, 59


@pytest.mark.parametrize(("lasting", "allowed"), [({}, [FLOWER_POWER]), ({51: 1}, [FLOWER_POWER, SHUTTLE])])
def test_missile_envy_takes_by_what_a_card_is_worth_now(lasting, allowed):
    """Trap 6 (game 26, turn 4: under 51 a 3 is given away, and a 4 is kept)."""
    t = Table(us=[49], ussr=[SHUTTLE, FLOWER_POWER], phasing="us", turn=4, lasting=lasting)
    t.play("card 49", "event")
    if len(allowed) == 1:
        assert t.place(FLOWER_POWER) != HANDS + USSR
        assert t.place(SHUTTLE) == HANDS + USSR
    else:
        assert (t.turn, t.asked) == ("ussr", "pick")
        assert t.legal("card") == [f"card {card}" for card in sorted(allowed)]


def test_norad_does_not_see_what_the_headlines_did():
    """Trap 14 (game 41, turn 4: 40 in the headline sets DEFCON to 2, and the first round is not paid)."""
    t = Table(influence={"Canada": (0, 4)}, lasting={106: 1}, ussr=[34], fell=1, defcon=2, turn=4)
    t.play("card 34", "event")
    assert (t.turn, t.asked) == ("us", "play")


@pytest.mark.parametrize(
    ("phasing", "card"),
    [
        ("ussr", FIVE_YEAR_PLAN),  # game 43, turn 3; game 51, turn 5
        ("us", ALDRICH_AMES),  # game 67, turn 9
    ],
)
def test_the_last_card_but_a_scoring_card_may_be_played_if_it_sheds_that_card(phasing, card):
    """Trap 27."""
    hand = {phasing: [card, EUROPE_SCORING]}
    t = Table(**hand, phasing=phasing, fillers=0, turn=9, action_round=7, defcon=5)
    assert t.legal("card") == [f"card {EUROPE_SCORING}", f"card {card}"]
    t.play(f"card {card}")
    assert "space" not in t.legal("use")
    t.play("event")
    assert t.place(EUROPE_SCORING) == DISCARDS


@pytest.mark.parametrize(("phasing", "card"), [("ussr", FIVE_YEAR_PLAN), ("us", ALDRICH_AMES)])
def test_a_third_card_leaves_no_choice_but_the_scoring_card(phasing, card):
    """Trap 27: then the discard may be the other one."""
    t = Table(**{phasing: [card, EUROPE_SCORING, SHUTTLE]}, phasing=phasing, fillers=0, turn=9, action_round=7)
    assert t.place(EUROPE_SCORING) == DISCARDS


def test_flower_power_is_paid_in_the_headline():
    """Trap 21 (game 47, turn 7; game 67, turn 9: before the war)."""
    t = Table(us=[BRUSH_WAR], ussr=[9], lasting={FLOWER_POWER: 1}, stage="headline", turn=7)
    t.play("card 9", f"card {BRUSH_WAR}")
    assert t.asked == "war"
    assert t.vp == -2


def test_flower_power_is_paid_for_a_war_out_of_the_discards():
    """Traps 10 and 21 (game 38, turn 8; game 61, turn 9)."""
    t = Table(us=[85], phasing="us", lasting={FLOWER_POWER: 1}, discards=[BRUSH_WAR, 4], space=(0, 1), turn=8)
    t.play("card 85", "event", f"card {BRUSH_WAR}")
    assert t.asked == "war"
    assert t.vp == -2


@pytest.mark.parametrize(("pile", "left"), [(16, 10), (17, 1)])
def test_the_discards_are_shuffled_in_as_soon_as_the_pile_is_empty(pile, left):
    """R4.3 (game 59, turn 7: the deal takes the last card, and the reshuffle follows at once)."""
    t = Table(stage="headline", fillers=0, turn=2)
    s = t.s
    s.depth, s.stage = 0, 3
    s.place[1:CARDS] = REMOVED
    s.place[6] = HANDS + USSR
    s.held[:] = 0
    early = [card for card in range(1, CARDS) if card != 6]
    for card in early[:pile]:
        s.place[card] = DRAW_PILE
    for card in early[pile : pile + 10]:
        s.place[card] = DISCARDS
    t.settle()
    assert s.held[USSR] == s.held[US] == 8
    assert cards_in(s, DRAW_PILE) == left
