"""The worlds dealt for a side that looks ahead: what it sees stays, what it does not see comes from nowhere but the seed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from tests.chance import assert_as_expected
from tests.twilight_struggle.invariants import assert_invariants
from tests.twilight_struggle.table import event, put_cards
from timeline_env.engine import record
from timeline_env.engine.batch import Batch
from timeline_env.engine.loops import determinize_games
from timeline_env.engine.setting import Setting
from timeline_env.players import Decisions, load_player
from timeline_env.twilight_struggle import GAME, frames
from timeline_env.twilight_struggle.cards import CARDS, CHINA, KIND, SCORING, UN_INTERVENTION
from timeline_env.twilight_struggle.state import DISCARDS, DRAW_PILE, HANDS, HEADLINES


def positions(games=120, decisions=400):
    """Games that are some random decisions old, each another number; those that are over are left out."""
    batch, generator = Batch(Setting(GAME), games, seed=1), np.random.default_rng(0)
    running = np.arange(games)
    for step in range(decisions):
        running = running[(step < (running + 1) * decisions // games) & (batch.seat[running] >= 0)]
        actions = [generator.choice(np.flatnonzero(batch.action_mask[game])) for game in running]
        batch.step(np.array(actions, np.int64), running, restart=False)
    return batch, np.flatnonzero(batch.seat >= 0)


def worlds(batch, games, seeds):
    """One world for the seat to act of each game, from the seed beside it."""
    states = record.make_readable(np.asarray(batch.states)[games])
    determinize_games(batch.rules, states, batch.seat[games], np.asarray(seeds, np.uint64))
    return states


def test_the_seat_observes_the_same_bytes_and_may_do_the_same():
    batch, games = positions()
    before = batch.observation.copy(), batch.action_mask.copy()
    dealt = worlds(batch, games, games + 1)
    changed = (dealt["place"] != np.asarray(batch.states)["place"][games]).any(axis=1)
    np.asarray(batch.states)[games] = np.asarray(dealt)
    batch.refresh()
    assert batch.observation.tobytes() == before[0].tobytes()
    assert batch.action_mask.tobytes() == before[1].tobytes()
    assert changed.mean() > 0.8 and len(games) > 20


def test_worlds_that_the_seat_cannot_tell_apart_become_the_same_bytes():
    batch, games = positions()
    first = worlds(batch, games, games + 1)
    np.asarray(batch.states)[games] = np.asarray(worlds(batch, games, games + 1000))
    assert worlds(batch, games, games + 1).tobytes() == first.tobytes()


def headlined():
    """The US chooses its headline after the USSR has laid its own, unseen."""
    batch = Batch(Setting(GAME), 1, seed=4)
    while batch.states[0].headline[0] == 0:
        batch.step(batch.action_mask.argmax(axis=1), restart=False)
    s = np.asarray(batch.states)[0]
    assert s["question"][s["depth"] - 1, frames.KIND] == frames.HEADLINE and batch.seat[0] == 1
    return batch, s


def test_every_unseen_card_is_equally_likely_in_hand_and_as_headline():
    batch, s = headlined()
    count = 20_000
    places = np.asarray(worlds(batch, np.zeros(count, np.int64), np.arange(count)))["place"]
    unseen = np.isin(s["place"], [DRAW_PILE, HANDS, HEADLINES])
    unseen[[0, CHINA]] = False
    assert (places[:, ~unseen] == s["place"][~unseen]).all()
    assert ((places == HANDS).sum(axis=1) - (places[:, CHINA] == HANDS) == s["held"][0]).all()
    headlines = (places == HEADLINES).sum(axis=0)
    assert headlines.sum() == count and headlines[UN_INTERVENTION] == 0
    likely = unseen.copy()
    likely[UN_INTERVENTION] = False
    assert_as_expected(headlines[likely], np.full(likely.sum(), count / likely.sum()))
    # Whichever card is the headline, every other unseen one is as likely in the hand; 32 is never the headline.
    share = s["held"][0] / (unseen.sum() - 1) * count
    assert abs((places == HANDS)[:, likely].sum(axis=0) / share - (1 - 1 / likely.sum())).max() < 0.08
    assert abs((places == HANDS)[:, UN_INTERVENTION].sum() / share - 1) < 0.08


def test_r4_5_a_known_card_is_as_likely_the_headline_as_any_other():
    """Three of the USSR's eight cards were known to the US, one of them 32, which is no headline."""
    batch, s = headlined()
    held = np.setdiff1d(np.flatnonzero(s["place"] == HANDS), [CHINA])
    put_cards(batch.states, np.array([UN_INTERVENTION]), HANDS)
    put_cards(batch.states, held[:1], DRAW_PILE)
    known = [UN_INTERVENTION, *held[1:3]]
    batch.states[0].known[1, known] = 1
    count = 8_000
    dealt = np.asarray(worlds(batch, np.zeros(count, np.int64), np.arange(count)))
    assert (dealt["known"] == np.asarray(batch.states)["known"]).all()
    laid = dealt["headline"][:, 0]
    assert (dealt["place"][np.arange(count), laid] == HEADLINES).all()
    assert (np.isin(dealt["place"][:, known], [HANDS, HEADLINES])).all()
    assert ((dealt["place"] == HANDS).sum(axis=1) - (dealt["place"][:, CHINA] == HANDS) == s["held"][0]).all()
    among = s["held"][0] + 1 - 1  # all but 32
    assert_as_expected(np.array([(laid == card).sum() for card in held[1:3]]), np.full(2, count / among))
    assert not (laid == UN_INTERVENTION).any()


def test_r4_5_every_world_is_equally_likely_where_a_card_unseen_is_no_headline():
    """Of the USSR's three cards two are known; the third, or the headline, is one of four unseen, of which 32 may be no headline."""
    batch, s = headlined()
    unseen = [UN_INTERVENTION, 20, 21, 22]
    anywhere = [c for c in range(1, CARDS) if s["place"][c] in (DRAW_PILE, HANDS, HEADLINES) and c != CHINA]
    for cards, place in ((anywhere, DISCARDS), ([7, 9], HANDS), (unseen, DRAW_PILE), ([20], HEADLINES)):
        put_cards(batch.states, np.array(cards), place)
    now = batch.states[0]
    now.held[0], now.headline[0] = 2, 20
    now.known[1, [7, 9]] = 1
    count = 20_000
    dealt = np.asarray(worlds(batch, np.zeros(count, np.int64), np.arange(count)))
    laid = dealt["headline"][:, 0].tolist()
    hands = [tuple(np.flatnonzero(place == HANDS)) for place in dealt["place"]]
    found = Counter(zip(laid, hands, strict=True))
    # 7 or 9 laid: the other and one of four unseen are in the hand. Or one of three unseen laid: 7 and 9 are in the hand.
    assert len(found) == 2 * 4 + 3
    assert_as_expected(np.array([*found.values()]), np.full(11, count / 11))


def test_play_goes_on_by_the_rules_to_the_end():
    batch, running = positions()
    np.asarray(batch.states)[running] = np.asarray(worlds(batch, running, running))
    batch.refresh()
    generator = np.random.default_rng(0)
    while len(running):
        for game in running:
            assert_invariants(batch.rules, batch.states[game : game + 1])
        actions = np.array([generator.choice(np.flatnonzero(batch.action_mask[game])) for game in running])
        batch.step(actions, running, restart=False)
        running = running[~batch.done[running]]


@pytest.mark.parametrize("name", ("flat:40", "mcts:40"))
def test_searches_choose_the_same_in_worlds_that_differ_only_in_hidden_cards(name):
    batch, games = positions()
    first = load_player(name, GAME, 1).act(Decisions.of(batch, games))
    np.asarray(batch.states)[games] = np.asarray(worlds(batch, games, games + 1))
    assert load_player(name, GAME, 1).act(Decisions.of(batch, games)).tolist() == first.tolist()
    assert batch.action_mask[games, first].all()


def test_the_cards_a_side_was_shown_stay():
    batch, games = positions()
    s = np.asarray(batch.states)[games]
    dealt = np.asarray(worlds(batch, games, games))
    shown = s["known"][np.arange(len(games)), batch.seat[games]][:, :CARDS] == 1
    assert shown.any()
    assert (dealt["place"][shown] == s["place"][shown]).all()


def test_104_has_shown_all_scoring_cards_so_no_other_is_dealt_to_the_us():
    t = event(104, us=[3, 37, 25, 26], turn=4)
    in_us_hand = np.asarray(worlds(t.batch, np.zeros(400, np.int64), np.arange(400)))["place"] == HANDS + 1
    assert [card for card in range(1, CARDS) if KIND[card] == SCORING and in_us_hand[:, card].any()] == [3, 37]
    assert (in_us_hand.sum(axis=1) == t.s.held[1]).all()
    assert in_us_hand.any(axis=0).sum() > 40  # every other card is
