"""T4, T8, T9, T9a: turns, rounds and phases."""

from __future__ import annotations

import pytest

from tests.timeline.conftest import NUMBERS
from timeline_env import timeline_v0
from timeline_env.timeline import GAME
from timeline_env.timeline.text import notation


def course(players):
    """Who is asked when everybody passes at once: (phase, round, seat) of each turn."""
    batch = timeline_v0.batch(1, players)
    turns = []
    while not batch.done[0]:
        s = batch.states[0]
        if batch.action_mask[0, 0]:
            turns.append((int(s.phase), int(s.lap), int(batch.seat[0])))
        batch.step([batch.action_mask[0].argmax()], restart=False)
    return turns


@pytest.mark.parametrize("players", range(2, 7))
def test_t4_t8_rounds_phases_and_the_first_player_who_moves_one_seat_on_each_round(players):
    expected, first = [], 0
    for phase, count in enumerate(GAME.load_rules(players)[0].rounds):
        for lap in range(count):
            expected += [(phase, lap, (first + turn) % players) for turn in range(players)]
            first += 1
    assert course(players) == expected


def test_t4_when_the_marker_leaves_a_phase_every_node_of_its_radius_is_realized(position):
    p = position("3p phase:1.1 first:o turn:y y:2.0 o:2.0 b:2.0 0:org/occurred 1.2:0y^5/+y")
    p.play("pass")
    assert p.s.realized.tolist() == [1] * 7 + [0] * 54
    assert (int(p.s.phase), int(p.s.lap), p.turn) == (2, 0, "blue")


def test_t4_nothing_is_realized_between_two_rounds_of_a_phase(position):
    p = position("3p phase:1.0 first:o turn:y y:2.0 o:2.0 b:2.0 0:org/occurred 1.2:0y^5/+y")
    p.play("pass")
    assert p.s.realized.tolist() == [1] + [0] * 60
    assert (int(p.s.phase), int(p.s.lap), p.turn) == (1, 1, "blue")


def test_t9_a_turn_brings_energy_action_units_and_a_card(position):
    p = position("3p turn:y y:0 o:0/energy=7/hand=0o,1o b:0 0:org/+ deck:3b,4y").play("pass")
    assert (p.turn, int(p.s.energy[1]), int(p.s.au)) == ("orange", 7 + NUMBERS.income, NUMBERS.action_units)
    assert "/hand=0o,1o,3b " in p.text
    assert p.text.endswith("deck:4y")


def test_t9_energy_never_exceeds_39(position):
    p = position("3p turn:y y:0 o:0/energy=38 b:0 0:org/+").play("pass")
    assert int(p.s.energy[1]) == NUMBERS.most_energy == 39


def test_t9_r1_whoever_has_five_cards_in_hand_puts_the_oldest_away_for_the_next(position):
    p = position("3p turn:y y:0 o:0/hand=0o,1o,2o,3o,4o b:0/hand=0b,1b,2b,3b,atk,sup,log 0:org/+ deck:3b,4y,0y")
    p.play("pass")
    assert "/hand=1o,2o,3o,4o,3b " in p.text
    assert p.text.endswith("deck:4y,0y discarded:0o")
    p.play("pass")  # flexible events do not count as cards of the hand
    assert "/hand=0b,1b,2b,3b,4y,atk,sup,log " in p.text
    assert p.text.endswith("deck:0y discarded:0o")


def test_t9_r1_nobody_sees_which_cards_were_put_away_and_they_never_come_back(position):
    p = position("2p turn:y y:0 o:0/hand=0o,1o,2o,3o,0y 0:org/+ deck:3o").play("pass")
    assert p.text.endswith("discarded:0o"), "the deck is empty, and stays so"
    assert notation.to_text(p.rules, p.s, viewer=0).endswith("discarded:?")
    p.play("pass", "pass")
    assert p.text.endswith("discarded:0o"), "who draws later draws nothing"


def test_t9_no_card_is_drawn_from_an_empty_deck_and_none_put_away(position):
    p = position("3p turn:y y:0 o:0/hand=0o b:0/hand=0b,1b,2b,3b,4b 0:org/+").play("pass", "pass")
    assert f" o:0/energy={NUMBERS.income}/hand=0o " in p.text
    assert "/hand=0b,1b,2b,3b,4b " in p.text


def test_t9_passing_ends_the_turn_and_action_units_are_not_kept(position):
    p = position("3p turn:y au:3 y:0/energy=9 o:0 b:0 0:org/+").play("pass")
    assert p.turn == "orange"
    assert int(p.s.au) == NUMBERS.action_units
    assert int(p.s.energy[0]) == 9


@pytest.mark.parametrize(
    ("start", "most", "words"),
    [
        (3, 0, "most_cards 0 must be an integer from 1 to 5"),
        (5, 4, "start_cards 5: at most player.most_cards, 4, is allowed"),
    ],
)
def test_t9_a_variant_may_not_deal_more_cards_than_a_hand_holds(start, most, words):
    with pytest.raises(ValueError, match=words):
        GAME.load_rules(4, {"player": {"start_cards": start, "most_cards": most}})


def test_t9a_whoever_can_only_pass_passes_unasked(position):
    p = position("3p turn:y au:1 y:0/energy=9 o:0 b:0 0:org/+").play("move N")
    assert p.turn == "orange"


def test_t9a_whoever_has_an_artifact_to_use_is_asked(position):
    p = position("3p turn:y au:1 y:0/energy=9/artifacts=wings o:0 b:0 0:org/+").play("move N")
    assert (p.turn, p.legal()) == ("yellow", ["pass", "use wings"])
