"""Random games from deal to end, with every invariant looked at after every decision."""

from __future__ import annotations

import numpy as np
import pytest

from tests.spoiling import put, set_field
from tests.twilight_struggle import invariants
from tests.twilight_struggle.invariants import (
    MEANING,
    MOST_DECISIONS,
    assert_invariants,
    broken_in,
    first_broken,
    where_array,
)
from timeline_env.engine import record
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.setting import Setting
from timeline_env.twilight_struggle import GAME
from timeline_env.twilight_struggle.cards import CHINA
from timeline_env.twilight_struggle.numbers import HAND
from timeline_env.twilight_struggle.state import BOX, DISCARDS, DRAW_PILE, HANDS, IN_FRONT, REMOVED, TABLE

GAMES = 8_000


def played(rules, seeds, most_decisions=MOST_DECISIONS, head_start=0):
    """The first invariant broken in random games, and where; `head_start` falsifies the count of the points."""
    where = where_array()
    numbers, S = GAME.load_rules(2, rules), record.new(GAME.state)
    return first_broken(numbers, S, seeds, most_decisions, np.array([head_start]), where), where


@pytest.mark.parametrize(
    "rules", [{}, {"setup": {"us_bonus": 2}}, {"deck": {"optional_cards": False}}], ids=["whole", "bonus", "base"]
)
def test_random_games_end_and_break_no_invariant_after_any_decision(rules):
    seeds = game_seeds(len(str(rules)), GAMES)
    code, where = played(rules, seeds)
    assert code == 0, f"{MEANING[code]}: seed {seeds[where[0]]}, after {where[1]} decisions"
    assert where[2] > 100 * GAMES, "games of this length were not played"


def after(decisions, seed=0):
    """A position some random decisions into a game, as an array of one record."""
    batch = Batch(Setting(GAME), 1, seed)
    batch.play_random(decisions)
    return batch.rules, batch.states


def move_card(source, target):
    """A card of one place, without the counting that goes with it."""

    def spoil(s):
        cards = [card for card in np.flatnonzero(s["place"] == source) if card not in (0, CHINA)]
        s["place"][cards[0]] = target

    return spoil


def fill_hand(s):
    """Cards out of the draw pile, one more than the turn allows, with the counting that goes with them."""
    missing = HAND[s["turn"]] + 3 - s["held"][0]
    s["place"][np.flatnonzero(s["place"] == DRAW_PILE)[:missing]] = HANDS
    s["held"][0] += missing


SPOILT = [
    (move_card(HANDS, DRAW_PILE), invariants.WHERE),
    (put("held", 1, 9), invariants.WHERE),
    (put("place", 1, 11), invariants.WHERE),
    (move_card(BOX, DISCARDS), invariants.BOXED),
    (move_card(DRAW_PILE, BOX), invariants.BOXED),
    (set_field("turn", 4), invariants.BOXED),
    (put("place", 1, REMOVED), invariants.OUT),
    (put("place", 2, IN_FRONT), invariants.OUT),
    (fill_hand, invariants.HAND_SIZE),
    (move_card(DRAW_PILE, TABLE), invariants.ON_TABLE),
    (lambda s: put("known", (0, np.flatnonzero(s["place"] == DRAW_PILE)[0]), 1)(s), invariants.KNOWN),
    (lambda s: set_field("china", 1 - s["china"])(s), invariants.CHINA_CARD),
    (put("influence", (0, 3), -1), invariants.INFLUENCE),
    (put("influence", (1, 83), 100), invariants.INFLUENCE),
    (set_field("defcon", 6), invariants.TRACKS),
    (set_field("vp", 21), invariants.TRACKS),
    (put("milops", 0, 6), invariants.TRACKS),
    (put("space", 1, 9), invariants.TRACKS),
    (set_field("action_round", 10), invariants.TRACKS),
    (set_field("defcon", 1), invariants.DEFCON),
    (put("legal", slice(1, None), 0), invariants.CHOICE),
    (set_field("over", 1), invariants.CHOICE),
    (set_field("fault", 1), invariants.STACK),
    (put("question", (15, 3), 1), invariants.STACK),
]


@pytest.mark.parametrize("number", range(len(SPOILT)))
def test_a_spoilt_position_is_found_out(number):
    spoil, code = SPOILT[number]
    rules, states = after(40)
    assert_invariants(rules, states)
    spoil(np.asarray(states)[0])
    assert MEANING[broken_in(rules, states)] == MEANING[code]


MISPLAYED = [(0, 0, invariants.ENDLESS), (MOST_DECISIONS, 1, invariants.POINTS)]


@pytest.mark.parametrize(("most_decisions", "head_start", "code"), MISPLAYED)
def test_a_game_too_long_or_with_other_points_is_found_out(most_decisions, head_start, code):
    found, _ = played({}, game_seeds(0, 1), most_decisions, head_start)
    assert MEANING[found] == MEANING[code]


def test_every_invariant_is_seen_to_be_broken():
    assert {code for *_, code in (*SPOILT, *MISPLAYED)} == set(range(1, len(MEANING)))
