"""Whole games, the engine beside a second reading of the rules: at every decision the same moves and the same table."""

from __future__ import annotations

from collections import Counter
from functools import cache

import numpy as np
import pytest

from tests.timeline.referee import usual_numbers, whole_deck
from tests.timeline.side_by_side import SideBySide, evenly, rarely
from timeline_env.timeline import GAME
from timeline_env.timeline.numbers import ARTIFACT_NAMES
from timeline_env.timeline.text.names import card_name

GAMES = 4
KINDS = {
    *("pass", "move", "impact", "reinforce", "token alone", "use", "amplify", "link", "done", "pledge", "arc"),
    *("organize card", "organize atk", "organize sup", "organize log"),
}
"""Every kind of move, as `SideBySide.play` names them."""

NUMBERS_OF_ITS_OWN = {
    "player": {"start_cards": 2, "income": 21, "most_energy": 43, "action_units": 6, "most_cards": 4},
    "prices": {
        "move_energy": 1,
        "impact_energy": [1, 3, 7],
        "own_impact_energy": [4, 8, 12],
        "reinforce_energy": [2, 4],
    },
    "artifacts": {"most_kept": 2, "surge_au": 3, "cell_energy": 9, "amplifier_impact": 4},
    "agreements": {"pledges": 0},
    "flexible": {"attacking_marks": "b.F...", "attacking_radii": [1, 2, 3, 4], "attacking_artifact": 1},
}
"""Other [C] numbers than the usual ones, wherever they may differ."""


@cache
def seen_in_games(players, taste):
    """What `SideBySide.play` tells of so many games, added up."""
    table, generator = SideBySide(players), np.random.default_rng(players)
    return sum((table.play(seed, taste(generator)) for seed in range(GAMES)), Counter())


@cache
def seen_in_a_variant(players):
    """What it tells of one game by numbers of its own."""
    return SideBySide(players, NUMBERS_OF_ITS_OWN).play(players, rarely(np.random.default_rng(players)))


@pytest.mark.parametrize("taste", [evenly, rarely])
@pytest.mark.parametrize("players", range(2, 7))
def test_the_engine_and_the_referee_agree_on_every_decision(players, taste):
    seen_in_games(players, taste)


@pytest.mark.parametrize("players", range(2, 7))
def test_they_agree_on_a_variant_too(players):
    seen_in_a_variant(players)


def test_every_kind_of_move_is_played_in_these_games():
    usual = [seen_in_games(players, taste) for players in range(2, 7) for taste in (evenly, rarely)]
    variant = [seen_in_a_variant(players) for players in range(2, 7)]
    for games, kinds in ((usual, KINDS), (variant, KINDS - {"pledge"})):
        assert {kind for seen in games for what, kind in seen if what == "played"} == kinds


@pytest.mark.parametrize("players", range(2, 7))
def test_t7_they_agree_on_what_is_in_the_deck_and_in_the_bag(players):
    rules, numbers = GAME.load_rules(players)[0], usual_numbers()
    deck = [card_name(card) for card in rules.deck[: rules.deck_size]]
    bag = [ARTIFACT_NAMES[token] for token in rules.bag[: rules.bag_size]]
    assert sorted(deck) == whole_deck(players, numbers)
    assert {kind: bag.count(kind) for kind in set(bag)} == numbers["artifacts"]["bag"]
