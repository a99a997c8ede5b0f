"""Random games from deal to end, with every invariant looked at after every decision."""

from __future__ import annotations

import numpy as np
import pytest

from tests.spoiling import put, set_field
from tests.timeline import invariants
from tests.timeline.invariants import MEANING, assert_invariants, broken_in, first_broken
from timeline_env import timeline_v0
from timeline_env.engine import record
from timeline_env.engine.batch import game_seeds
from timeline_env.timeline import GAME
from timeline_env.timeline.board import NODES
from timeline_env.timeline.state import ATTACKING, KINDS_OF_CARD, LOGISTIC, MOST_DECK, STATE

GAMES = 4_000


def most_decisions(rules):
    """No game can have more decisions than this.

    An action unit buys at most three decisions (organizing costs two units and may ask five questions more); a surge
    brings more units; every artifact is used once; every pawn leaves each node of the radii 0 to 3 at most once; a turn
    has one pledge and one pass.
    """
    turns = int(rules.rounds.sum()) * int(rules.num_players)
    artifacts = int(rules.bag_size)
    return turns * (2 + 3 * int(rules.action_units)) + artifacts * (1 + 3 * int(rules.surge_au)) + NODES * 6


def played(rules, seeds, most, head_start=0):
    """The first invariant broken in random games, and where; `head_start` falsifies the count of the points."""
    count, points, where = np.zeros(KINDS_OF_CARD, np.int64), np.full(6, head_start), np.zeros(3, np.int64)
    return first_broken(rules, record.new(STATE), seeds, most, count, points, where), where


@pytest.mark.parametrize("players", range(2, 7))
def test_random_games_end_and_break_no_invariant_after_any_decision(players):
    rules = GAME.load_rules(players)
    code, where = played(rules, game_seeds(players, GAMES), most_decisions(rules[0]))
    assert code == 0, f"{MEANING[code]}: seed {game_seeds(players, GAMES)[where[0]]}, after {where[1]} decisions"
    assert where[2] > 50 * GAMES, "games of this length were not played"


def after(decisions, players=3, seed=0):
    """A position some random decisions into a game, as an array of one record."""
    batch = timeline_v0.batch(1, players, seed)
    batch.play_random(decisions)
    return batch.rules, batch.states


def an_event(s, least=1):
    """A node in which an unrealized event of a deck card lies."""
    return next(n for n in range(least, NODES) if 0 <= s["card"][n] < ATTACKING and not s["realized"][n])


def spoil_event(field, value):
    def spoil(s):
        s[field][an_event(s)] = value

    return spoil


def spoil_mark(s):
    node = an_event(s)
    direction = np.flatnonzero(s["mark"][:, node])[0]
    s["mark"][direction, node] *= -1


def spoil_turn(s):
    node = an_event(s)
    s["turned"][node] = (s["turned"][node] + 3) % 6
    s["mark"][:, node] = np.roll(s["mark"][:, node], 3)


SPOILT = [
    (lambda s: put("deck", s["drawn"], s["deck"][s["drawn"] + 1])(s), invariants.CARDS),
    (lambda s: put("held", 0, s["held"][0] - 1)(s), invariants.CARDS),
    (put("deck", MOST_DECK - 1, 0), invariants.CARDS),
    (set_field("drawn", 0), invariants.PLACES),
    (lambda s: put("flexible", (0, 2), 1 - s["flexible"][0, 2])(s), invariants.FLEXIBLE),
    (put("card", 0, LOGISTIC), invariants.FLEXIBLE),
    (put("artifact", (0, 0), 4), invariants.TOKENS),
    (set_field("bag_drawn", 9), invariants.TOKENS),
    (put("energy", 0, 127), invariants.PURSE),
    (put("energy", 1, -1), invariants.PURSE),
    (set_field("au", -1), invariants.PURSE),
    (spoil_event("event", 0), invariants.EVENTS),
    (put("if_yes", (0, 60), 1), invariants.EVENTS),
    (spoil_mark, invariants.TIME),
    (spoil_turn, invariants.TIME),
    (put("reinforcement", (0, 60), 1), invariants.REINFORCEMENTS),
    (put("reinforcement", (3, 37), 5), invariants.REINFORCEMENTS),
    (put("pledge", 0, 0), invariants.PLEDGES),
    (put("pledge", 1, 3), invariants.PLEDGES),
    (put("realized", 60, 1), invariants.PAST),
    (spoil_event("outcome", 1), invariants.PAST),
    (put("pawn", 0, 0), invariants.PAWNS),
    (spoil_event("stance", 0), invariants.STANCES),
    (put("organizer", (0, 0), 1), invariants.STANCES),
    (lambda s: put("impact", (0, an_event(s)), 10)(s), invariants.STANCES),
    (lambda s: put("if_no", (0, an_event(s)), 9)(s), invariants.ARCS),
    (lambda s: set_field("first", (s["first"] + 1) % 3)(s), invariants.CLOCK),
    (set_field("turns", 3), invariants.CLOCK),
    (put("legal", slice(1, None), 0), invariants.CHOICE),
    (put("legal", -1, 1), invariants.CHOICE),
    (set_field("fault", 1), invariants.CHOICE),
    (put("note", (3, 0), 1), invariants.NOTES),
]


@pytest.mark.parametrize("number", range(len(SPOILT)))
def test_a_spoilt_position_is_found_out(number):
    spoil, code = SPOILT[number]
    rules, states = after(60)
    assert_invariants(rules, states)
    spoil(np.asarray(states)[0])
    found = broken_in(rules, states, np.zeros(KINDS_OF_CARD, np.int64))
    assert MEANING[found] == MEANING[code]


def test_a_logistic_event_without_a_backward_mark_is_found_out():
    for seed in range(50):
        rules, states = after(100, seed=seed)
        s = np.asarray(states)[0]
        nodes = [n for n in range(NODES) if s["card"][n] == LOGISTIC and not s["realized"][n]]
        if nodes:
            s["mark"][:, nodes[0]] = 0
            found = broken_in(rules, states, np.zeros(KINDS_OF_CARD, np.int64))
            assert MEANING[found] == MEANING[invariants.LOGISTICS]
            return
    raise AssertionError("no logistic event in 50 games")


MISPLAYED = [(0, 0, invariants.ENDLESS), (10_000, 1, invariants.POINTS)]


@pytest.mark.parametrize(("most", "head_start", "code"), MISPLAYED)
def test_a_game_too_long_or_with_other_points_is_found_out(most, head_start, code):
    found, _ = played(GAME.load_rules(3), game_seeds(0, 1), most, head_start)
    assert MEANING[found] == MEANING[code]


def test_every_invariant_is_seen_to_be_broken():
    tried = {code for *_, code in (*SPOILT, *MISPLAYED)}
    assert tried | {invariants.LOGISTICS} == set(range(1, len(MEANING)))
