"""The worlds dealt for a seat that looks ahead: what it sees stays, what it does not see comes from nowhere but the seed."""

from __future__ import annotations

import numpy as np
import pytest

from tests.chance import assert_as_expected
from tests.games import changed_fields
from tests.timeline.invariants import assert_invariants
from tests.timeline.worlds import other_world, random_batch
from timeline_env.engine import record
from timeline_env.engine.loops import determinize_games, hide_games, observe_games
from timeline_env.timeline.state import ATTACKING

PLAYERS = pytest.mark.parametrize("players", range(2, 7))
HIDDEN = {"hand", "deck", "bag", "seed", "rng", "legal"}


def worlds(batch, s, seat, seeds):
    """One world for each seed, from the record `s`."""
    states = record.make_readable(np.repeat(s.reshape(1), len(seeds)))
    determinize_games(batch.rules, states, np.full(len(seeds), seat), np.asarray(seeds, np.uint64))
    return states


def seen(batch, states, seat):
    out = np.full((1, batch.layout.size), 99, np.int8)
    observe_games(batch.rules, states, np.zeros(1, np.int64), np.array([seat]), out)
    return out[0]


@PLAYERS
def test_the_seat_observes_the_same_bytes_before_and_after(players):
    batch, moved = random_batch(players, 130), 0
    for s in np.asarray(batch.states):
        for seat in range(players):
            world = worlds(batch, s, seat, [7])
            assert seen(batch, world, seat).tobytes() == seen(batch, record.make_readable(s.reshape(1)), seat).tobytes()
            changed = changed_fields(s, world[0])
            assert changed <= HIDDEN
            moved += "deck" in changed
            if s["depth"] and s["question"][s["depth"] - 1, 1] == seat:
                assert "legal" not in changed
    assert moved > 5 * players


@PLAYERS
def test_worlds_that_the_seat_cannot_tell_apart_become_the_same_bytes(players):
    batch, generator, different = random_batch(players, 130), np.random.default_rng(4), 0
    rules = np.asarray(batch.rules)[0]
    for s in np.asarray(batch.states):
        for seat in range(players):
            other = other_world(rules, s, seat, generator)
            different += (other["deck"] != s["deck"]).any()
            hidden = record.make_readable(s.reshape(1).copy())
            hide_games(batch.rules, hidden, np.array([seat]))
            determinize_games(batch.rules, hidden, np.array([seat]), np.array([5], np.uint64))
            dealt = {worlds(batch, one, seat, [5]).tobytes() for one in (s, other)} | {hidden.tobytes()}
            assert len(dealt) == 1
    assert different > 10 * players


def midgame(players=3):
    """A position in which cards were put away, tokens drawn and the other players hold cards."""
    batch = random_batch(players, 200, games=30, seed=3)
    states = np.asarray(batch.states)
    wanted = (states["discarded"] > 1) & (states["bag_drawn"] > 1) & (states["held"][:, :players].min(axis=1) > 1)
    wanted &= (states["over"] == 0) & (states["bag_drawn"] < batch.rules[0].bag_size)
    return batch, states[wanted][0]


def unseen(batch, s, seat):
    """How many of each card lie where `seat` does not see them."""
    rules = np.asarray(batch.rules)[0]
    own, field = s["hand"][seat][: s["held"][seat]], s["card"][(s["card"] >= 0) & (s["card"] < ATTACKING)]
    left = np.bincount(rules["deck"][: rules["deck_size"]], minlength=ATTACKING)
    return left - np.bincount(np.concatenate([own, field]), minlength=ATTACKING)


def test_every_unseen_card_is_equally_likely_in_every_hidden_place():
    batch, s = midgame()
    rules, seat, count = np.asarray(batch.rules)[0], 1, 20_000
    states = np.asarray(worlds(batch, s, seat, np.arange(count)))
    left = unseen(batch, s, seat)
    assert left.min() == 0
    assert left.sum() == s["held"][[0, 2]].sum() + s["discarded"] + rules["deck_size"] - s["drawn"]
    places = [states["hand"][:, 0, 0], states["hand"][:, 2, 1], states["deck"][:, 0]]
    for cards in [*places, states["deck"][:, s["drawn"]], states["deck"][:, rules["deck_size"] - 1]]:
        found = np.bincount(cards, minlength=ATTACKING)
        assert found[left == 0].sum() == 0
        assert_as_expected(found[left > 0], count * left[left > 0] / left.sum())


def test_two_hidden_places_are_independent():
    batch, s = midgame()
    count = 20_000
    states = np.asarray(worlds(batch, s, 1, np.arange(count)))
    first, second = states["hand"][:, 0, 0] % 3, states["deck"][:, s["drawn"]] % 3
    together = np.bincount(3 * first + second, minlength=9)
    # Two cards drawn one after the other, without putting back: for whom each was made.
    cards = np.bincount(np.arange(ATTACKING) % 3, weights=unseen(batch, s, 1))
    pairs = np.outer(cards, cards) - np.diag(cards)
    assert_as_expected(together, count * (pairs / pairs.sum()).reshape(-1))


def test_every_token_that_nobody_keeps_is_equally_likely_in_every_place_of_the_bag():
    batch, s = midgame()
    rules, count = np.asarray(batch.rules)[0], 20_000
    states = np.asarray(worlds(batch, s, 1, np.arange(count)))
    left = np.bincount(rules["bag"][: rules["bag_size"]], minlength=6)
    left[:5] -= s["artifact"].sum(axis=0)
    for place in (s["bag_drawn"], rules["bag_size"] - 1):
        found = np.bincount(states["bag"][:, place], minlength=6)
        assert_as_expected(found, count * left / left.sum())


@PLAYERS
def test_play_goes_on_by_the_rules_to_the_end(players):
    batch, twin = random_batch(players, 100), random_batch(players, 100)
    states = np.asarray(twin.states)
    for game, s in enumerate(np.asarray(batch.states)):
        states[game] = np.asarray(worlds(batch, s, game % players, [game]))[0]
    twin.refresh()
    generator, running = np.random.default_rng(0), np.arange(twin.num_games)
    while len(running):
        assert_invariants(twin.rules, twin.states)
        actions = np.array([generator.choice(np.flatnonzero(twin.action_mask[game])) for game in running])
        twin.step(actions, running, restart=False)
        running = running[~twin.done[running]]
    assert (twin.rank.sum(axis=1) == players * (players + 1) / 2).all()


def test_without_hidden_cards_nothing_changes_but_the_generator():
    """At the end of the deck of a two-player game with an empty bag the world is known when the other hand is empty."""
    batch = random_batch(2, 100)
    s = np.asarray(batch.states)[0].copy()
    rules = np.asarray(batch.rules)[0]
    s["hand"][1], s["held"][1], s["discarded"] = -1, 0, 0
    s["deck"], s["drawn"] = -1, rules["deck_size"]
    s["bag"], s["bag_drawn"] = -1, rules["bag_size"]
    world = np.asarray(worlds(batch, s, 0, [9]))[0]
    assert changed_fields(s, world) <= {"seed", "rng", "legal"}
