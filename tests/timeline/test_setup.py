"""T5–T7: the set-up."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.timeline.conftest import LAID_OUT
from timeline_env import timeline_v0
from timeline_env.timeline import GAME
from timeline_env.timeline.state import SEAT_NAMES

CENTRE = 0
PLAYERS = pytest.mark.parametrize("players", range(2, 7))


def dealt(players, seed=0):
    return np.asarray(timeline_v0.batch(1, players, seed).states)[0]


def test_t5_the_original_event_lies_in_the_centre_with_marks_forward_cause_and_hindrance_in_turn():
    s = dealt(3)
    assert s["event"].tolist() == [1] + [0] * 60
    assert s["mark"][:, CENTRE].tolist() == [1, -1, 1, -1, 1, -1]


def test_t5_the_original_event_has_a_neutral_stance_and_scores_nobody():
    s = dealt(3)
    assert abs(s["stance"][CENTRE]) == 1
    assert not s["organizer"].any()
    assert not s["if_yes"].any() and not s["if_no"].any()


def test_t5_the_neutral_token_lies_beside_either_sign_equally_often():
    stances = np.asarray(timeline_v0.batch(2000, 3).states)["stance"][:, CENTRE]
    assert set(stances.tolist()) == {-1, 1}
    assert abs(int(stances.sum())) < 5 * 2000**0.5


def test_t6_colours_in_seat_order():
    assert SEAT_NAMES == ("yellow", "orange", "blue", "purple", "grey", "turquoise")


@PLAYERS
def test_t6_everybody_begins_in_the_centre_with_energy_cards_and_the_flexible_events(players):
    s, rules = dealt(players), GAME.load_rules(players)[0]
    # The first player's turn has begun: income and a card (T9).
    energy, cards = rules.start_energy, rules.start_cards
    assert s["energy"][:players].tolist() == [energy + rules.income] + [energy] * (players - 1)
    assert s["held"][:players].tolist() == [cards + 1] + [cards] * (players - 1)
    assert s["pawn"].tolist() == [CENTRE] * 6
    assert s["points"].tolist() == [0] * 6
    assert not s["artifact"].any()
    names_rivals = int(players > 2)
    assert s["flexible"][:players].tolist() == [[names_rivals, names_rivals, 1]] * players
    assert s["pledge"].tolist() == [-1] * 6
    assert not s["flexible"][players:].any()


@pytest.mark.parametrize("players", [0, 1, 7, True])
def test_t6_two_to_six_players(players):
    with pytest.raises(ValueError, match="must be an integer from 2 to 6"):
        GAME.load_rules(players)


def faces(rules, turn=0):
    """Every card of the deck as it looks when all seats are turned by `turn`."""
    players = int(rules["num_players"])
    cards = Counter()
    for card in rules["deck"][: rules["deck_size"]]:
        yes, no = (np.roll(rules[arc][card, :players], turn).tolist() for arc in ("if_yes", "if_no"))
        rest = [rules[field][card].tolist() for field in ("mark", "backward", "linked", "gives_artifact", "turns")]
        cards[str([yes, no, *rest])] += 1
    return cards


@PLAYERS
def test_t7_turning_all_seats_by_one_gives_the_same_deck(players):
    rules = np.asarray(GAME.load_rules(players))[0]
    assert faces(rules) == faces(rules, turn=1)


@PLAYERS
def test_t7_r7_the_deck_has_the_rows_of_the_table_that_this_number_of_players_can_use(players):
    rules = np.asarray(GAME.load_rules(players, LAID_OUT | {"copies": {players: 2}}))[0]
    # Of the tests' table: one of gain and one of loss with each arc alone, and one of each for every other player.
    rows = 2 * (2 + players - 1)
    assert rules["deck_size"] == rows * players * 2


@PLAYERS
def test_t7_the_deck_outlasts_every_game(players):
    rules = GAME.load_rules(players)[0]
    assert rules.deck_size > players * (rules.start_cards + rules.rounds.sum())


def test_t7_a_row_of_the_table_of_cards_that_is_too_short_is_named(tmp_path):
    file = tmp_path / "cards.csv"
    file.write_text("template,gain,arcs,points,radii,end_of_round_sign,artifact,marks\n3,gain\n")
    with pytest.raises(ValueError, match=r"cards.csv, template 3: arcs '' must be two of i"):
        GAME.load_rules(4, {"cards": str(file)})


@PLAYERS
def test_t7_every_card_of_the_deck_has_a_backward_mark(players):
    rules = np.asarray(GAME.load_rules(players))[0]
    cards = rules["deck"][: rules["deck_size"]]
    assert (rules["backward"][cards].sum(axis=1) >= 1).all()
    assert (rules["mark"][cards][rules["backward"][cards] == 1] != 0).all()


def test_t7_the_bag_holds_each_artifact_and_blanks_as_often_as_the_numbers_say():
    bag = {"surge": 1, "cell": 2, "wings": 3, "amplifier": 4, "switch": 5, "blank": 6}
    rules = np.asarray(GAME.load_rules(4, {"artifacts": {"bag": bag}}))[0]
    assert np.bincount(rules["bag"][: rules["bag_size"]]).tolist() == list(bag.values())


@PLAYERS
def test_t7_deck_and_bag_are_shuffled_anew_for_every_game(players):
    first, second = dealt(players, seed=1), dealt(players, seed=2)
    assert first["deck"].tolist() != second["deck"].tolist()
    assert sorted(first["bag"].tolist()) == sorted(second["bag"].tolist())
    assert first["bag"].tolist() != second["bag"].tolist()


def test_t7_after_the_deal_the_game_has_no_chance():
    batch = timeline_v0.batch(1, 4, seed=3)
    generator, pickings = np.asarray(batch.states)["rng"].copy(), np.random.default_rng(0)
    while not batch.done[0]:
        batch.step([pickings.choice(np.flatnonzero(batch.action_mask[0]))], restart=False)
        assert np.asarray(batch.states)["rng"] == generator
