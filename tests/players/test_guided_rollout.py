"""A race whose guide plays on itself: in which worlds, by whose knowledge, how far, and what it takes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.games import pending
from tests.timeline.worlds import random_batch, twin_batches
from timeline_env.engine.batch import Batch
from timeline_env.engine.loops import determinize_games, fill_streams
from timeline_env.engine.setting import Setting
from timeline_env.players import Decisions
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.players.names import Budget
from timeline_env.players.search import guided_rollout
from timeline_env.players.search.guided_rollout import TURNS, GuidedRollout
from timeline_env.players.search.guides import load_guide, worth_of_ranks
from timeline_env.players.search.players import Race
from timeline_env.timeline import GAME


def guide(players: int = 4) -> Any:
    """An agent that reads what its prior foresees."""
    return load_guide("shipped", Setting(GAME, players))


def test_agents_play_on_that_read_an_outlook_and_know_what_positions_are_worth() -> None:
    agent = guide().agent
    assert NetworkPlayer(agent).plays_on
    assert not NetworkPlayer(replace(agent, value_layers=[])).plays_on
    without = load_guide("held_out", Setting(GAME, 4))
    assert without.foretell and not without.plays_on
    assert not load_guide("projector", Setting(GAME, 4)).plays_on


def test_worlds_that_differ_only_in_hidden_cards_get_the_same_moves() -> None:
    batch, twin = twin_batches(4, 130, games=12)
    moves = [Race(Budget.read("100"), guide(), 3).act(pending(one)).tolist() for one in (batch, twin)]
    assert moves[0] == moves[1]
    again = Race(Budget.read("100"), guide(), 3)
    assert again.act(pending(batch)).tolist() == moves[0], "the same seed gives the same moves"
    assert again.act(pending(batch)).tolist() != moves[0], "and other worlds others"


def play_by_hand(asked: Decisions, row: int, world: int, action: int, seed: int, who: Any) -> float:
    """What an action is worth in a world, a game of its own played on decision by decision."""
    seat = int(asked.seat[row])
    words = np.zeros(1, np.uint64)
    fill_streams(np.uint64(seed), world, words)
    game = Batch(asked.batch.setting, 1)
    game.states[:] = asked.states()[row]
    determinize_games(game.rules, game.states, np.array([seat]), words)
    game.refresh()
    game.step([action], restart=False)
    turns, last = 0, seat
    while game.seat[0] >= 0:
        turns += last == seat and game.seat[0] != seat
        if turns == TURNS:
            break
        last = int(game.seat[0])
        game.step(who.act(Decisions.of(game, np.array([0]))), restart=False)
    if game.seat[0] < 0:
        return 1 - 2 * (game.rank[0, seat] - 1) / (game.num_players - 1)
    viewer = int(game.seat[0]) if game.num_players == 2 else seat
    hidden = replace(Decisions.of(game, np.array([0])), seat=np.array([viewer])).states()
    told = float(who.foretell(game, hidden, np.array([viewer]), game.observe([0], [viewer]))[0])
    return told if viewer == seat else -told


@pytest.mark.parametrize(("players", "steps"), [(4, 60), (4, 130), (2, 40), (2, 90)])
def test_a_world_is_worth_what_the_seat_expects_after_the_guide_played_on_for_everybody(
    players: int, steps: int
) -> None:
    asked, who = pending(random_batch(players, steps, games=6)), guide(players)
    rollout = GuidedRollout(who)
    for row in range(len(asked.seat)):
        actions = np.flatnonzero(asked.action_mask[row])[:2]
        root, seat = asked.states()[row : row + 1], int(asked.seat[row])
        worth = rollout.play(asked.batch, root, seat, np.uint64(7), 4, 6, actions)
        by_hand = [[play_by_hand(asked, row, world, action, 7, who) for action in actions] for world in (4, 5)]
        assert worth == pytest.approx(np.array(by_hand), abs=1e-4)


@pytest.mark.parametrize(("reward", "lost"), [("rank", -0.333), ("win", -1.0)])
def test_a_game_that_ends_meanwhile_is_worth_what_it_brought(position: Any, reward: str, lost: float) -> None:
    last = position("4p phase:4.2 first:o turn:y au:1 y:4.3/energy=39 o:4.9 b:4.9 p:4.6 0:org/occurred 4.3:0y/-y")
    asked, agent = pending(last.batch), guide().agent
    who = NetworkPlayer(replace(agent, about=replace(agent.about, reward=reward)))
    actions = np.flatnonzero(asked.action_mask[0])
    worth = GuidedRollout(who).play(last.batch, asked.states(), int(asked.seat[0]), np.uint64(1), 0, 2, actions)
    # The event occurs and yellow wins, or it shares the places behind the first.
    assert np.unique(worth.round(3)).tolist() == [lost, 1.0] and (worth[0] == worth[1]).all()
    best = Race(Budget.read("200"), who, 1).act(asked)
    assert worth[0][actions == best[0]] == [1.0]


def test_all_actions_share_their_worlds_and_worlds_are_numbered() -> None:
    asked, rollout = pending(random_batch(4, 100, games=1)), GuidedRollout(guide())
    seat, (action, *_) = int(asked.seat[0]), np.flatnonzero(asked.action_mask[0])

    def play(start: int, stop: int) -> Any:
        return rollout.play(asked.batch, asked.states(), seat, np.uint64(1), start, stop, np.array([action, action]))

    whole = play(0, 8)
    assert (whole[:, 0] == whole[:, 1]).all() and len(set(whole[:, 0])) > 4
    assert np.concatenate([play(0, 3), play(3, 8)]) == pytest.approx(whole, abs=1e-6)


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int, int]]:
    """What rollouts play from now on: the first world of a piece, the one after its last, and how many actions."""
    played: list[tuple[int, int, int]] = []
    of_rollout = GuidedRollout.play

    def note(self: Any, *arguments: Any) -> Any:
        found = of_rollout(self, *arguments)
        played.append((*arguments[4:6], found.shape[1]))
        return found

    monkeypatch.setattr(GuidedRollout, "play", note)
    return played


@pytest.mark.parametrize("simulations", (1, 5, 60, 700))
def test_a_race_spends_no_more_than_its_budget(simulations: int, pieces: list[tuple[int, int, int]]) -> None:
    Race(Budget.read(str(simulations)), guide(), 3).act(pending(random_batch(4, 130, games=1)))
    assert simulations - 20 < sum((stop - start) * count for start, stop, count in pieces) <= simulations
    assert all((stop - start) * count <= guided_rollout.AT_ONCE for start, stop, count in pieces)
    worlds = [world for start, stop, _ in pieces for world in range(start, stop)]
    assert worlds == [*range(len(worlds))], "every world is a new one"


@pytest.mark.parametrize(
    ("simulations", "wanted"),
    [
        (72, [(0, 4, 6), (4, 12, 3), (12, 24, 2)]),  # four worlds in the first of three rounds
        (71, [(0, 11, 6)]),
        (16, [(0, 4, 4)]),
        (12, [(0, 4, 3)]),
        (7, [(0, 3, 2)]),  # too few worlds for a lead: the guide's first is played
    ],
)
def test_a_small_budget_has_one_round_of_few_favourites(
    simulations: int, wanted: list[tuple[int, int, int]], pieces: list[tuple[int, int, int]]
) -> None:
    asked = next(
        asked for seed in range(99) if (asked := pending(random_batch(4, 130 + seed, games=1))).action_mask.sum() > 5
    )
    Race(Budget.read(str(simulations)), guide(), 3).act(asked)
    assert pieces == wanted


class Clock:
    """A clock that each world moves on by so many seconds a simulation."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.fixed, self.each, self.played = 0.0, 0.0, 0.01, list[int]()
        monkeypatch.setattr(guided_rollout.time, "perf_counter", lambda: self.now)
        of_worlds = GuidedRollout._expected

        def expected(rollout: Any, worlds: Batch, games: Any, seat: int) -> Any:
            self.now += self.fixed + self.each * len(games)
            self.played.append(len(games))
            return of_worlds(rollout, worlds, games, seat)

        monkeypatch.setattr(GuidedRollout, "_expected", expected)


def test_time_is_turned_into_worlds_by_what_they_took_lately(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, clock, rollout = pending(random_batch(4, 100, games=1)), Clock(monkeypatch), GuidedRollout(guide())
    actions = np.flatnonzero(asked.action_mask[0])[:3]

    def played(budget: Budget) -> list[int]:
        clock.played.clear()
        found = rollout.spend(budget, asked.batch, asked.states(), int(asked.seat[0]), np.uint64(1), 0, actions, 1)
        assert [piece.size for piece in found] == clock.played
        return clock.played

    in_time = Budget(2**62, 0.301)
    assert played(in_time) == [3, 27], "a world of three actions, and then what is left of thirty simulations"
    assert played(in_time) == [30]
    clock.each = 0.04  # the machine is slower now: what was thought to fit takes four times as long
    assert played(in_time) == [30]
    assert played(in_time)[0] < 30 and [sum(played(in_time)) for _ in range(20)][-1] <= 9, "which is soon learned"
    clock.each = 0.001  # and much faster: it is found out at once
    assert sum(played(in_time)) > 40
    assert played(Budget(2**62, 0.0001)) == [3], "never less than one world"
    assert played(Budget(400, math.inf)) == [126, 126, 126, 21]
    assert played(Budget(2, math.inf)) == []


def test_a_piece_costs_something_beside_its_simulations(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, clock = pending(random_batch(4, 100, games=1)), Clock(monkeypatch)
    clock.fixed, clock.each, race = 0.004, 0.00049, Race(Budget.read("10ms"), guide(), 3)
    for _ in range(5):
        clock.played.clear()
        race.act(asked)
    assert clock.played == [12], "three favourites in four worlds take as long as the budget says"
    clock.fixed = 0.009
    for _ in range(20):
        clock.played.clear()
        race.act(asked)
    assert clock.played == [8], "and two in four worlds are tried however long they take"


def test_ranks_are_worth_their_places_or_the_win_alone() -> None:
    rank = np.array([[1, 2, 3], [1.5, 1.5, 3], [2, 2, 2]], np.float32)
    assert worth_of_ranks(rank, False).tolist() == [[1, 0, -1], [0.5, 0.5, -1], [0, 0, 0]]
    wins = [[1, -1, -1], [0, 0, -1], [-1 / 3] * 3]
    assert worth_of_ranks(rank, True) == pytest.approx(np.array(wins))


def test_an_agent_that_learned_for_wins_expects_its_chance_of_one() -> None:
    agent = guide().agent
    half = [(0 * weight, 0 * bias + 0.75) for weight, bias in agent.value_layers]
    of_wins = replace(agent, about=replace(agent.about, reward="win"), value_layers=half)
    asked = pending(random_batch(4, 100, games=2))
    told = NetworkPlayer(of_wins).foretell
    assert told is not None
    assert told(asked.batch, asked.states(), asked.seat, asked.observation).tolist() == [0.5, 0.5]
    assert NetworkPlayer(of_wins).for_wins and not NetworkPlayer(agent).for_wins
