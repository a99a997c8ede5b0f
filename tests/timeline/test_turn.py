"""T4, T8, T9, T9a: turns, rounds and phases."""

from __future__ import annotations

import pytest

from timeline_env import timeline_v0
from timeline_env.timeline import notation


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


@pytest.mark.parametrize(
    ("players", "rounds"),
    [(2, [2, 2, 2, 3, 3]), (3, [2, 2, 2, 3, 3]), (4, [2, 2, 2, 3, 3]), (5, [3] * 5), (6, [2, 2, 2, 3, 3])],
)
def test_t4_t8_rounds_phases_and_the_first_player_who_moves_one_seat_on_each_round(players, rounds):
    expected, first = [], 0
    for phase, count in enumerate(rounds):
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


def test_t9_a_turn_brings_10_energy_4_action_units_and_a_card(position):
    p = position("3p turn:y y:0 o:0/energy=7/hand=0o,1o b:0 0:org/+ deck:3b,4y").play("pass")
    assert (p.turn, int(p.s.energy[1]), int(p.s.au)) == ("orange", 17, 4)
    assert "o:0/energy=17/hand=0o,1o,3b " in p.text
    assert p.text.endswith("deck:4y")


def test_t9_energy_never_exceeds_39(position):
    p = position("3p turn:y y:0 o:0/energy=30 b:0 0:org/+").play("pass")
    assert int(p.s.energy[1]) == 39


def test_t9_no_card_is_drawn_with_five_in_hand(position):
    p = position("3p turn:y y:0 o:0/hand=0o,0o,0o,1o,1o b:0/hand=0b,0b,0b,1b,atk,sup,log 0:org/+ deck:3b,4y")
    p.play("pass")
    assert p.text.endswith("deck:3b,4y")
    p.play("pass")  # flexible events do not count as cards of the hand
    assert "b:0/energy=10/hand=0b,0b,0b,1b,3b,atk,sup,log" in p.text


def test_t9_no_card_is_drawn_from_an_empty_deck(position):
    p = position("3p turn:y y:0 o:0/hand=0o b:0 0:org/+").play("pass")
    assert "o:0/energy=10/hand=0o " in p.text


def test_t9_passing_ends_the_turn_and_action_units_are_not_kept(position):
    p = position("3p turn:y au:3 y:0/energy=9 o:0 b:0 0:org/+").play("pass")
    assert p.turn == "orange"
    assert int(p.s.au) == 4
    assert int(p.s.energy[0]) == 9


def test_t9_replacing_costs_one_action_unit_and_no_energy(position):
    p = position("3p turn:y y:0/energy=5/hand=0y,1o,2b o:0 b:0 0:org/+ deck:3b,4y").play("replace 1o")
    assert (int(p.s.au), int(p.s.energy[0])) == (3, 5)
    assert "hand=0y,3b,2b " in p.text
    assert p.text.endswith("deck:4y replaced:1o")


def test_t9_only_deck_cards_are_replaced_and_only_while_the_deck_is_not_empty(position):
    p = position("3p turn:y y:0/hand=0y,1o,atk,sup,log o:0 b:0 0:org/+ deck:3b")
    assert p.legal("replace") == ["replace 0y", "replace 1o"]
    assert p.play("replace 0y").legal("replace") == []


def test_t9_r1_a_replaced_card_never_comes_back_and_the_others_do_not_learn_it(position):
    p = position("2p turn:y y:0/energy=1/hand=0y,1o o:0/hand=0o 0:org/+ deck:3o").play("replace 1o")
    assert p.text.endswith("replaced:1o")
    # Yellow has nothing left to do but pass (T9a); orange finds the deck empty.
    assert p.turn == "orange"
    assert "y:0/energy=1/hand=0y,3o o:0/energy=10/hand=0o " in p.text
    assert "replaced:?" in notation.to_text(p.rules, p.s, viewer=1)


def test_t9a_whoever_can_only_pass_passes_unasked(position):
    p = position("3p turn:y au:1 y:0/energy=9 o:0 b:0 0:org/+").play("move N")
    assert p.turn == "orange"


def test_t9a_whoever_has_an_artifact_to_use_is_asked(position):
    p = position("3p turn:y au:1 y:0/energy=9/artifacts=wings o:0 b:0 0:org/+").play("move N")
    assert (p.turn, p.legal()) == ("yellow", ["pass", "use wings"])
