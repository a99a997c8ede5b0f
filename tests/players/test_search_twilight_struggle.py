"""Players that search in Twilight Struggle: what they may know, where they play on to, what guides them."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.games import pending
from tests.twilight_struggle.worlds import asked, other_world
from timeline_env import twilight_struggle_v0
from timeline_env.engine import rng
from timeline_env.engine.batch import Batch
from timeline_env.engine.jit import entry
from timeline_env.engine.loops import determinize_games
from timeline_env.engine.verbs import determinize, observe, to_act
from timeline_env.players import Decisions, load_player
from timeline_env.players.agents.prior import load_appraiser
from timeline_env.players.names import Budget
from timeline_env.players.search import players
from timeline_env.players.search.guides import ScriptedGuide
from timeline_env.players.search.players import Puct, Race, make_room
from timeline_env.players.search.rollout import roll_out
from timeline_env.players.search.uct import play_on, search_flat
from timeline_env.twilight_struggle import GAME, cards, frames

NAMES = ("flat:40", "mcts:40", "puct:40@heuristic", "race:40@heuristic", "race:200@shipped", "value:40@shipped")


def played(decisions: int, games: int = 20) -> Any:
    """Games that the heuristic has played against itself for so many decisions."""
    batch = twilight_struggle_v0.batch(num_games=games, seed=1)
    player = load_player("heuristic", GAME)
    for _ in range(decisions):
        batch.step(player.act(pending(batch)))
    return batch


@pytest.mark.parametrize("name", NAMES)
def test_worlds_that_differ_only_in_hidden_cards_get_the_same_moves(name: str) -> None:
    batch, twin = played(100), played(100)
    generator, different = np.random.default_rng(0), 0
    for game, s in enumerate(np.asarray(batch.states)):
        world = other_world(batch.rules, s, int(batch.seat[game]), generator)
        different += world["place"].tobytes() != s["place"].tobytes()
        np.asarray(twin.states)[game] = world
    twin.refresh()
    assert different > 10
    moves = [load_player(name, GAME, 3).act(pending(one)).tolist() for one in (batch, twin)]
    assert moves[0] == moves[1]


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_moves(name: str) -> None:
    decisions = pending(played(60))
    assert load_player(name, GAME, 1).act(decisions).tolist() == load_player(name, GAME, 1).act(decisions).tolist()


class Witness(ScriptedGuide):
    """A guide that keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(load_appraiser(GAME, "heuristic"))
        self.seen: list[Any] = []
        self.masks: list[NDArray[np.int8]] = []
        self.seats: list[NDArray[np.int64]] = []

    def logits(self, decisions: Decisions) -> NDArray[np.float32]:
        self.seen.append(np.array(decisions.states()))
        self.masks.append(decisions.action_mask.copy())
        self.seats.append(decisions.seat.copy())
        return super().logits(decisions)


class Teller(ScriptedGuide):
    """A guide that expects 0.5 in every position, and keeps what it was shown."""

    def __init__(self) -> None:
        super().__init__(load_appraiser(GAME, "heuristic"))
        self.shown: list[NDArray[np.int8]] = []
        self.foretell: Any = self.expect

    def expect(self, batch: Batch, positions: None, seats: NDArray[np.int64], views: NDArray[np.int8]) -> Any:
        assert batch.num_players == 2
        self.shown.append(views.copy())
        return np.full(len(views), 0.5, np.float32)


@entry
def see_end(rules, root, seat, seed, number, action, world, known, mask, view):
    """Where an action leads in a world, as the seat to act there sees it; gives that seat."""
    play_on(rules, root, seat, rng.stream(seed, number), action, world, known, mask)
    mover = to_act(world[0])
    if mover >= 0:
        observe(rules[0], world[0], mover, view)
    return mover


def test_a_race_is_judged_by_the_estimate_and_by_what_the_seat_to_act_expects() -> None:
    decisions, guide, signs = pending(played(100)), Teller(), set()
    batch, view = decisions.batch, np.zeros(decisions.batch.layout.size, np.int8)
    for game, root in enumerate(np.split(decisions.states(), batch.num_games)):
        seat, word, budget = int(decisions.seat[game]), np.uint64(game), Budget.read("20")
        actions = np.flatnonzero(decisions.action_mask[game])[:4]
        guide.shown.clear()
        estimate, both = (
            np.concatenate(Race(budget, each).play(batch, root, seat, word, actions, 0, budget, 1)).ravel()
            for each in (Witness(), guide)
        )
        (world, known, mask, *_), expected = make_room(batch), []
        for place, (number, action) in enumerate(product(range(len(both) // len(actions)), actions)):
            mover = see_end(batch.rules, root, seat, word, number, action, world, known, mask, view)
            if mover < 0:
                assert both[place] == estimate[place] in (-1, 0, 1), "a game that is over is worth what it brings"
                continue
            expected.append(view.copy())
            sign = 1 if mover == seat else -1
            signs.add(sign)
            assert 2 * both[place] - estimate[place] == pytest.approx(0.5 * sign), "the rival's gain is the seat's loss"
        assert np.array_equal(np.concatenate(guide.shown), np.reshape(expected, (-1, len(view))))
    assert signs == {-1, 1}


def test_a_guide_is_asked_in_the_name_of_whoever_acts_and_told_no_more_than_that_seat_knows() -> None:
    guide = Witness()
    Puct(Budget.read("200"), guide, 3).act(pending(played(100, games=4)))
    seen, masks, seats = np.concatenate(guide.seen), np.concatenate(guide.masks), np.concatenate(guide.seats)
    assert set(seats.tolist()) == {0, 1}
    for s, mask, seat in zip(seen, masks, seats, strict=True):
        if not s["over"]:
            assert asked(s)[1] == seat
            assert mask.tolist() == s["legal"].tolist()
            assert s["rng"] == 0 == s["seed"]


@pytest.mark.parametrize("name", ("mcts:{}", "puct:{}@heuristic"))
def test_every_actions_first_simulation_is_played_in_the_same_world_as_in_flat_search(name: str) -> None:
    """There nothing is drawn on the way on, so what an action is worth in a world does not depend on the search."""
    decisions, compared = pending(played(100)), 0
    batch, states = decisions.batch, decisions.states()
    for game in range(len(states)):
        actions = np.flatnonzero(decisions.action_mask[game])
        asked_about = batch.rules, states[game : game + 1], int(decisions.seat[game]), np.uint64(5)
        total, visits = np.zeros(len(actions)), np.zeros(len(actions), np.int64)
        search_flat(*asked_about, 0, len(actions), actions, total, visits, *make_room(batch))
        searcher: Any = load_player(name.format(len(actions)), GAME)
        tree = np.asarray(searcher.grow(batch, *asked_about[1:], actions))
        for child in tree[(tree["parent"] == 0) & (tree["visits"] == 1)]:
            assert child["total"] == pytest.approx(total[actions == child["action"]][0])
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("nodes", (8, 301))
def test_a_guided_trees_counts_agree_and_it_keeps_within_its_room(nodes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(players, "MOST_GUIDED_NODES", nodes - 1)
    decisions = pending(played(100, games=1))
    searcher: Any = load_player("puct:300@heuristic", GAME)
    actions = np.flatnonzero(decisions.action_mask[0])
    tree = np.asarray(searcher.grow(decisions.batch, decisions.states(), int(decisions.seat[0]), np.uint64(1), actions))
    assert len(tree) == 8 if nodes == 8 else 30 < len(tree) <= nodes
    assert tree["visits"][0] == 301, "one more asks the guide about the root"
    assert tree["visits"][tree["parent"] == 0].sum() == 300
    for node in range(1, len(tree)):
        assert tree["visits"][tree["parent"] == node].sum() <= tree["visits"][node]
        assert abs(tree["total"][node]) <= tree["visits"][node] + 1e-9


@entry
def roll_out_all(rules, S, seats, world, known, mask):
    for k in range(S.shape[0]):
        world[0] = S[k]
        determinize(rules[0], world[0], seats[k], 7)
        roll_out(rules, world, known, mask, 7)
        S[k] = world[0]


def is_choosing_card(s: Any) -> bool:
    """Whether a card for an action round is asked for, or the first headline of a turn."""
    if asked(s)[0] == frames.PLAY:
        return bool(s["question"][s["depth"] - 1][frames.VALUE] == cards.NO_CARD)
    return asked(s)[0] == frames.HEADLINE and not s["headline"].any()


@pytest.mark.parametrize("decisions", (3, 60, 100, 200))
def test_a_search_plays_on_until_a_card_is_to_be_chosen(decisions: int) -> None:
    batch = played(decisions)
    ends, worlds = pending(batch).states(), pending(batch).states()
    world, known, mask, *_ = make_room(batch)
    roll_out_all(batch.rules, ends, batch.seat, world, known, mask)
    # The same worlds step by step: both sides are the heuristic, asked as any player is.
    determinize_games(batch.rules, worlds, batch.seat, np.full(batch.num_games, 7, np.uint64))
    np.asarray(batch.states)[:] = np.asarray(worlds)
    batch.refresh()
    player, going_on = load_player("heuristic", GAME), np.arange(batch.num_games)
    while len(going_on := going_on[[not (s["over"] or is_choosing_card(s)) for s in batch.states[going_on]]]):
        batch.step(player.act(Decisions.of(batch, going_on)), going_on, restart=False)
    assert (batch.seat >= 0).sum() > batch.num_games / 2
    assert ends.tobytes() == batch.states.tobytes()


def test_a_script_guides_by_its_name_if_it_values_actions() -> None:
    guided = load_player("puct:80@heuristic", GAME)
    assert isinstance(guided, Puct) and isinstance(guided.guide, ScriptedGuide)
    assert guided.budget.simulations == 80


@pytest.mark.parametrize("name", ("puct:9@random", "puct:9@cautious", "puct:9@nobody", "puct:x@heuristic"))
def test_a_wrong_guide_is_refused_in_one_line_that_names_it(name: str) -> None:
    with pytest.raises(ValueError, match=r"must be|is unknown; allowed: heuristic, shipped") as refusal:
        load_player(name, GAME)
    assert repr(name) in str(refusal.value) and "\n" not in str(refusal.value)
