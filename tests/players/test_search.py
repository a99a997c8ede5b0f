"""Players that search: what they may know, what they find, what they spend."""

from __future__ import annotations

import copy
import time
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.games import pending
from tests.players.agents import an_agent
from tests.timeline.worlds import random_batch, twin_batches
from timeline_env.arena.games import play_games
from timeline_env.engine import record
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.jit import entry
from timeline_env.engine.setting import Setting
from timeline_env.players import Decisions, load_player, names
from timeline_env.players.agents.agent import Agent
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.players.agents.prior import load_appraiser
from timeline_env.players.names import Budget
from timeline_env.players.registry import read_about
from timeline_env.players.search import players as search_players
from timeline_env.players.search.guided_rollout import GuidedRollout
from timeline_env.players.search.guides import ScriptedGuide
from timeline_env.players.search.players import (
    Flat,
    Mcts,
    Puct,
    Race,
    best_mean,
    keep_better_half,
    leader_of,
    make_room,
    most_visited,
    new_tree,
)
from timeline_env.players.search.puct import lose_virtually, take_in
from timeline_env.players.search.uct import add_child, grow_tree, judge, play_worlds, search_flat
from timeline_env.timeline import GAME
from timeline_env.timeline.text.notation import action_to_text

SEARCHES = ("flat", "mcts", "puct", "race")
KINDS = (*SEARCHES, "valued")  # puct whose guide says what positions are worth


def an_undecided_agent(num_players: int, reward: str = "") -> Agent:
    """A network of small random weights: it hardly prefers one action to another."""
    agent = an_agent(num_players, reward=reward)
    return replace(agent, layers=[(0.05 * weight, 0.05 * bias) for weight, bias in agent.layers])


def searcher(kind: str, budget: str, num_players: int = 4, seed: int = 3) -> Any:
    spent = Budget.read(budget)
    if kind == "puct":
        return Puct(spent, NetworkPlayer(an_undecided_agent(num_players)), seed)
    if kind == "race":
        return Race(spent, NetworkPlayer(an_undecided_agent(num_players)), seed)
    if kind == "valued race":
        return Race(spent, NetworkPlayer(an_undecided_agent(num_players, "rank")), seed)
    if kind == "valued":
        return Puct(spent, NetworkPlayer(an_undecided_agent(num_players, "rank")), seed, by_value=True)
    return {"flat": Flat, "mcts": Mcts}[kind](spent, seed)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("players", (2, 5))
def test_worlds_that_differ_only_in_hidden_cards_get_the_same_moves(kind: str, players: int) -> None:
    moves = [searcher(kind, "60", players).act(pending(one)).tolist() for one in twin_batches(players, 130, games=30)]
    assert moves[0] == moves[1]


@pytest.mark.parametrize("kind", SEARCHES)
def test_the_same_seed_gives_the_same_moves_and_another_seed_others(kind: str) -> None:
    asked = pending(random_batch(4, 130, games=30))
    first, again, other = (searcher(kind, "60", seed=seed).act(asked).tolist() for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("kind", SEARCHES)
def test_the_decision_that_wins_the_game_is_found(kind: str, position: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_players, "CANDIDATES", 99)  # the guide of the race knows nothing
    # The last decision of the game: only an impact beside the tick makes the event occur, for yellow's only point.
    last = position("2p phase:4.2 first:o turn:y au:1 y:4.3/energy=39 o:4.9 0:org/occurred 4.3:0y/-y")
    assert len(last.legal()) > 8
    move = searcher(kind, "300", 2).act(pending(last.batch))[0]
    assert action_to_text(last.rules, last.s, int(move)).startswith("impact +")


@pytest.mark.parametrize("kind", ("mcts", "puct"))
def test_the_tree_sees_further_than_one_decision(kind: str, position: Any) -> None:
    # The event is one node away: a step there, then the impact. What the step alone is worth does not tell it from others.
    two = position("2p phase:4.2 first:o turn:y au:2 y:4.2/energy=39 o:4.9 0:org/occurred 4.3:0y/-y")
    move = searcher(kind, "2000", 2).act(pending(two.batch))[0]
    assert action_to_text(two.rules, two.s, int(move)) == "move SE"


def expecting_a_half(num_players: int, budget: str = "400", reward: str = "rank") -> Any:
    """A tree search whose guide expects 0.5 everywhere."""
    agent = an_undecided_agent(num_players, reward)
    constant = [(0 * weight, 0 * bias + 0.5) for weight, bias in agent.value_layers]
    return Puct(Budget.read(budget), NetworkPlayer(replace(agent, value_layers=constant)), by_value=True)


def tree_of(player: Any, decisions: Decisions) -> Any:
    actions = np.flatnonzero(decisions.action_mask[0])
    return player.grow(decisions.batch, decisions.states(), int(decisions.seat[0]), np.uint64(1), actions)


def test_a_leaf_of_many_players_is_worth_what_the_guide_foretells_of_each_seat() -> None:
    tree = tree_of(expecting_a_half(3), pending(random_batch(3, 130, games=1)))
    assert np.allclose(tree["total"], 0.5 * tree["visits"])


def test_a_leaf_of_two_players_is_worth_what_the_guide_foretells_of_the_seat_to_act() -> None:
    player, signs = expecting_a_half(2, "10"), set()
    for steps in range(125, 135):
        batch = random_batch(2, steps, games=1)
        decisions = pending(batch)
        seat, tree = int(decisions.seat[0]), tree_of(player, decisions)
        for node in np.flatnonzero((tree["parent"] == 0) & (tree["visits"] == 1)):
            after = random_batch(2, steps, games=1)
            after.step(tree["action"][node : node + 1].astype(np.int64))
            sign = 1 if after.seat[0] == seat else -1
            assert tree["total"][node] == pytest.approx(0.5 * sign), "the rival's gain is the seat's loss"
            signs.add(sign)
    assert signs == {-1, 1}


def test_a_guide_is_not_believed_of_a_node_where_the_game_was_over_in_the_world_at_hand() -> None:
    (tree, size), logits, asked = new_tree(3), np.zeros((3, 4), np.float32), np.zeros(3, np.bool_)
    for _ in range(2):
        lose_virtually(tree, add_child(tree, size, 0, 0, 1))
    answers, values = np.full((2, 4), 7, np.float32), np.array([[0.25, -0.25], [1.0, -1.0]])
    take_in(tree, logits, asked, np.array([1, 2]), np.array([False, True]), answers, values)
    assert asked.tolist() == [False, True, False] and logits[:, 0].tolist() == [0, 7, 0]
    assert tree["total"].tolist() == [1.25, 0.25, 1.0] and tree["visits"].tolist() == [2, 1, 1]


def test_an_end_in_the_tree_is_worth_what_it_brings(position: Any) -> None:
    last = pending(position("2p phase:4.2 first:o turn:y au:1 y:4.3/energy=39 o:4.9 0:org/occurred 4.3:0y/-y").batch)
    tree = tree_of(expecting_a_half(2), last)
    children = tree[tree["parent"] == 0]
    assert set(children["total"] / children["visits"]) == {-1.0, 1.0}


def test_an_end_in_the_tree_of_a_guide_that_learned_for_wins_is_won_or_not(position: Any) -> None:
    # Yellow decides last: if the event occurs it wins alone, else it shares the places behind the first.
    last = position("3p phase:4.2 first:o turn:y au:1 y:4.3/energy=39 o:4.9 b:4.9 0:org/occurred 4.3:0y/-y")
    for reward, ends in (("rank", {-0.5, 1.0}), ("win", {-1.0, 1.0})):
        tree = tree_of(expecting_a_half(3, reward=reward), pending(last.batch))
        leaves = tree[tree["child"] < 0]
        assert set(leaves["total"] / leaves["visits"]) == ends


def test_a_race_after_random_play_is_judged_by_the_estimate_alone() -> None:
    two = pending(random_batch(2, 130, games=30))
    one, other = (searcher(kind, "400", 2).act(two) for kind in ("race", "valued race"))
    assert one.tolist() == other.tolist()


def test_every_seat_wants_its_own_best(position: Any) -> None:
    """Orange decides last and can undo all but the strongest impact; yellow must not count on a friendly answer."""
    orange = position("2p phase:4.2 first:y turn:o au:1 y:4.3 o:4.3/energy=39 0:org/occurred 4.3:0y/+y")
    move = Mcts(Budget.read("400"), 1).act(pending(orange.batch))[0]
    assert action_to_text(orange.rules, orange.s, int(move)).startswith("impact -")
    yellow = position("2p phase:4.2 first:y turn:y au:1 y:4.3/energy=39 o:4.3/energy=0 0:org/occurred 4.3:0y/+y")
    move = Mcts(Budget.read("4000"), 1).act(pending(yellow.batch))[0]
    # The ten energy of orange's turn buy an impact of 3: only yellow's 3 leaves it at zero, where yellow's stance decides.
    assert action_to_text(yellow.rules, yellow.s, int(move)) == "impact +3"


@pytest.mark.parametrize("kind", KINDS)
def test_a_budget_in_time_ends(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by 2 ms whenever it is looked at: a race looks in each of its parts."""
    asked, looks = pending(random_batch(3, 130)), 0

    def look() -> float:
        nonlocal looks
        looks += 1
        assert looks < 20 * len(asked.games), "it goes on when the time is over"
        return looks * 0.002

    monkeypatch.setattr(names, "time", SimpleNamespace(monotonic=look))
    moves = searcher(kind, "20ms", 3).act(asked)
    assert looks > 5 * len(moves), "it ends before the time is over"
    assert asked.action_mask[np.arange(len(moves)), moves].all()


def slow_down_first(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, seconds: float) -> list[None]:
    """Let a function's first call take so long, as if it compiled; gives a list that has as many items as there were calls."""
    function, calls = getattr(where, name), []

    def slow(*arguments: Any) -> Any:
        calls.append(None)
        if len(calls) == 1:
            time.sleep(seconds)
        return function(*arguments)

    monkeypatch.setattr(where, name, slow)
    return calls


@pytest.mark.parametrize("kind", ["flat", "mcts"])
def test_what_the_first_decision_compiles_is_on_no_clock(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = pending(random_batch(3, 130, games=1))
    calls = slow_down_first(monkeypatch, search_players, "run_loop", 0.4)
    player = searcher(kind, "200ms", 3)
    player.act(asked)
    assert len(calls) > 2 and player.budget == Budget.read("200ms")


def test_a_copy_of_a_search_by_time_gets_ready_anew() -> None:
    player = searcher("flat", "5ms", 3)
    player.act(pending(random_batch(3, 130, games=1)))
    assert player.is_ready and not copy.deepcopy(player).is_ready and searcher("flat", "5", 3).is_ready


def test_a_race_does_not_take_what_it_compiles_for_the_price_of_a_world(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = slow_down_first(monkeypatch, GuidedRollout, "play", 2.0)
    player = load_player("race:20ms@shipped", GAME)
    player.act(pending(random_batch(4, 130, games=1)))
    assert len(calls) > 1 and player.rollout._cost.sums[3] < 1


def test_a_budget_is_spent_in_chunks_to_the_last_simulation() -> None:
    parts: list[tuple[int, int]] = []
    Budget.read("130").spend(64, lambda start, stop: parts.append((start, stop)))
    assert parts == [(0, 64), (64, 128), (128, 130)]
    parts.clear()
    Budget(2**62, 0.0).spend(64, lambda start, stop: parts.append((start, stop)))
    assert parts == [(0, 64)], "something is searched, however short the time"


def test_the_better_half_keeps_the_favourite_and_never_fewer_than_two() -> None:
    worth = np.array([[-1.0, 0.1, 0.4, 0.3, 0.0, 0.2], [-1.0, 0.1, 0.4, 0.3, 0.0, 0.2]])
    assert keep_better_half(worth).tolist() == [0, 2, 3], "the favourite, and the two best of the five others"
    assert keep_better_half(worth[:, :3]).tolist() == [0, 2]
    assert keep_better_half(worth[:, :2]).tolist() == [0, 1]
    assert keep_better_half(worth[:0]).tolist() == [0, 1, 2], "without a world the guide's order stands"


@pytest.mark.parametrize(
    ("worth", "best"),
    [
        ([[0.0, 0.5], [0.2, 0.7], [0.1, 0.6], [0.4, 0.9]], 1),  # the same lead in every world, whatever they are worth
        ([[0.0, 0.5], [0.2, -0.1], [0.1, 0.4], [0.3, 0.3]], 0),  # a mean lead of 0.13 with an error of 0.17
        ([[0.0, 0.5, 0.6], [0.2, 0.7, 0.9], [0.1, 0.6, 0.8], [0.0, 0.5, 0.7]], 2),  # both lead clearly
        ([[0.3, 0.3], [0.1, 0.1], [0.2, 0.2], [0.5, 0.5]], 0),  # level: the guide's first stays
        ([[0.0, 1.0], [0.0, 1.0], [0.0, 1.0]], 0),  # three worlds say little about luck
    ],
)
def test_the_guides_first_stays_unless_another_leads_it_clearly(worth: Any, best: int) -> None:
    assert leader_of(np.array(worth), 2.0) == best


def test_how_clear_a_lead_must_be_is_told() -> None:
    worth = np.array([[0.0, 0.5], [0.2, 0.1], [0.1, 0.4], [0.3, 0.3]])  # a mean lead of 0.175 with an error of 0.138
    assert [leader_of(worth, clear) for clear in (1.0, 1.2, 1.3, 2.0)] == [1, 1, 0, 0]


@pytest.mark.parametrize("plays_on", [False, True])
def test_the_lead_over_a_guide_that_plays_on_need_be_less_clear(
    plays_on: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second action leads by 1.27 standard errors: more than one, less than two."""
    asked = pending(random_batch(2, 130, games=1))
    guide = ScriptedGuide(load_appraiser(GAME, "projector"))
    monkeypatch.setattr(ScriptedGuide, "plays_on", plays_on)
    race = Race(Budget.read("40"), guide, 1)
    monkeypatch.setattr(race.rollout, "affordable", lambda budget: budget.simulations)
    worth = np.array([[0.0, 0.5], [0.2, 0.1], [0.1, 0.4], [0.3, 0.3]])
    monkeypatch.setattr(Race, "play", lambda *_: [worth])
    first, second = np.flatnonzero(asked.action_mask[0])[:2]
    root = asked.states()
    chosen = race.decide(asked.batch, root, int(asked.seat[0]), np.uint64(1), np.array([first, second]))
    assert chosen == (second if plays_on else first)


def test_a_race_with_little_to_spend_plays_as_its_guide_whose_equals_it_takes_by_chance() -> None:
    asked = pending(random_batch(2, 130, games=30))
    guide = ScriptedGuide(load_appraiser(GAME, "projector"))
    logits = np.where(asked.action_mask, guide.logits(asked), -np.inf)
    moves = np.array([Race(Budget.read("1"), guide, seed).act(asked) for seed in range(3)])
    assert (np.take_along_axis(logits, moves.T, axis=1) == logits.max(axis=1, keepdims=True)).all()
    assert (moves != moves[0]).any()


@pytest.mark.parametrize(
    ("simulations", "favourites"), [(1, [2]), (5, [2]), (60, [6]), (72, [6, 3, 2]), (700, [6, 3, 2])]
)
def test_a_race_spends_no_more_than_its_budget_and_compares_in_the_same_worlds(
    simulations: int, favourites: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, played = pending(random_batch(3, 130, games=1)), []

    def note(rules, root, seat, seed, start, stop, actions, worth, movers, views, *scratch):  # type: ignore[no-untyped-def]
        play_worlds(rules, root, seat, seed, start, stop, actions, worth, movers, views, *scratch)
        for world in range(start, stop):
            total, visits = np.zeros(len(actions)), np.zeros(len(actions), np.int64)
            numbers = world * len(actions), (world + 1) * len(actions)
            search_flat(rules, root, seat, seed, *numbers, actions, total, visits, *scratch)
            assert worth[world - start].tolist() == total.tolist()
        played.append((start, stop, len(actions)))

    monkeypatch.setattr(search_players, "run_loop", lambda game, loop, *args: note(*args))
    searcher("race", str(simulations), 3).act(asked)
    assert simulations - 20 < sum((stop - start) * count for start, stop, count in played) <= simulations
    worlds = [(start, stop) for start, stop, _ in played if stop > start]
    assert all(one[1] == two[0] for one, two in pairwise(worlds)), "every world is a new one"
    assert list(dict.fromkeys(count for *_, count in played)) == favourites


def grown(nodes: int, simulations: int, players: int = 4) -> Any:
    asked = pending(random_batch(players, 130))
    (tree, size), batch = new_tree(nodes), asked.batch
    root = asked.states()[:1]
    actions = np.flatnonzero(asked.action_mask[0])
    grow_tree(
        batch.rules, root, int(asked.seat[0]), np.uint64(1), simulations, actions, tree, size, *make_room(batch)
    )  # fmt: skip
    return np.asarray(tree)[: size[0]]


@pytest.mark.parametrize("nodes", (8, 2001))
def test_the_trees_counts_agree_and_it_keeps_within_its_room(nodes: int) -> None:
    tree = grown(nodes, 2000)  # enough for the larger one to be far from full, yet far beyond the root
    assert len(tree) == nodes if nodes == 8 else 30 < len(tree) < nodes
    assert tree["visits"][0] == 2000
    if nodes > 2000:
        assert (tree["available"][tree["parent"] == 0] == 2000).all(), "at the root every action is legal in all worlds"
    for node in range(1, len(tree)):
        below = tree["visits"][tree["parent"] == node].sum()
        assert 1 <= tree["visits"][node] <= tree["available"][node]
        assert below <= tree["visits"][node]
        assert abs(tree["total"][node]) <= tree["visits"][node]
        assert tree["parent"][node] < node
    pairs = list(zip(tree["parent"][1:], tree["mover"][1:], tree["action"][1:], strict=True))
    assert len(set(pairs)) == len(pairs)
    if nodes > 2000:
        assert tree["visits"][tree["parent"] == 0].sum() == 2000


@entry
def judge_one(rules, S, points, rank, values):
    judge(rules, S, points, rank, values)


@pytest.mark.parametrize("players", range(2, 7))
def test_at_the_end_a_seat_is_worth_its_rank(players: int) -> None:
    batch = random_batch(players, 0, games=5)
    running = np.arange(5)
    while len(running):
        batch.step(batch.action_mask[running].argmax(axis=1), running, restart=False)
        running = running[~batch.done[running]]
    world, _, _, points, rank, values = make_room(batch)
    for s in np.asarray(batch.states):
        np.asarray(world)[0] = s
        judge_one(batch.rules, world, points, rank, values)
        assert values.tolist() == pytest.approx((1 - 2 * (rank - 1) / (players - 1)).tolist())
        assert values[rank == 1].tolist() == [1.0] * int((rank == 1).sum())


def test_whole_games_are_played_at_a_mixed_table() -> None:
    players = [searcher(kind, "20", 3) for kind in KINDS]
    seating = np.array([[0, 1, 2], [3, 4, 0]])
    assert set(np.unique(seating)) == set(range(len(KINDS)))
    results = play_games(Setting(GAME, 3), players, seating, game_seeds(0, 2))
    # Played again by their moves alone: no search has changed a position.
    again = Batch(Setting(GAME, 3), 2)
    again.deal(game_seeds(0, 2))
    for game, actions in enumerate(results.games()):
        for action in actions:
            again.step([action], [game], restart=False)
    assert again.done.all()
    assert (again.points == results.points).all() and (again.rank == results.rank).all()


def test_the_positions_of_the_batch_stay_as_they_are() -> None:
    asked = pending(random_batch(4, 130))
    before = record.digest(asked.batch.states)
    searcher("mcts", "60").act(asked)
    assert record.digest(asked.batch.states) == before


def test_searches_go_by_name(tmp_path: Path) -> None:
    an_agent().save(tmp_path / "agent.npz")
    assert isinstance(load_player("flat:200", GAME), Flat)
    mcts, puct = load_player("mcts:50ms", GAME), load_player(f"puct:80@{tmp_path}", GAME)
    assert isinstance(mcts, Mcts) and mcts.budget == Budget(2**62, 0.05)
    assert isinstance(puct, Puct) and puct.budget.simulations == 80
    about = read_about(f"puct:80@{tmp_path}")
    assert about is not None and about.num_players == 4


@pytest.mark.parametrize(
    "name",
    (
        "mcts",
        "race:9",
        "mcts:",
        "mcts:0",
        "mcts:-3",
        "mcts:5s",
        "mcts:1.5",
        "flat:9@somewhere",
        "puct:9",
        "puct:9@",
        "puct:x@y",
    ),
)
def test_a_wrong_name_is_refused_in_one_line_that_repeats_it(name: str) -> None:
    with pytest.raises(ValueError, match="200") as refusal:
        load_player(name, GAME)
    assert repr(name) in str(refusal.value) and "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ("mcts:{}", "mcts:9@{}", "puct:9@{}", "{}", "{0}:{0}", "json:{}"))
def test_a_wrong_name_of_any_length_is_refused_in_a_short_line(name: str) -> None:
    with pytest.raises(ValueError, match="characters") as refusal:
        load_player(name.format("x" * 5000), GAME)
    assert len(str(refusal.value)) < 1000


def test_a_guide_for_another_number_of_players_is_refused(tmp_path: Path) -> None:
    an_agent(3).save(tmp_path / "agent.npz")
    with pytest.raises(ValueError, match="is for num_players 3, not 4"):
        load_player(f"puct:9@{tmp_path}", GAME, num_players=4)


def test_the_best_mean_is_chosen_and_of_the_most_visited_that_of_the_better_mean() -> None:
    actions = np.array([4, 7, 9])
    assert best_mean(actions, np.array([3.0, 2.0, 0.0]), np.array([6, 2, 0])) == 7, "not the largest total"
    tree, _ = new_tree(4)
    tree["parent"], tree["action"] = [-1, 0, 0, 0], [-1, *actions]
    tree["visits"], tree["total"] = [7, 3, 3, 1], [0, 1, 2, 1]
    assert most_visited(tree) == 7
    tree["total"] = [0, 2, 1, 9]
    assert most_visited(tree) == 4
