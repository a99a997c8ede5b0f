"""The scripted players of Timeline value actions by what they change of a forecast; a game that plays them out must agree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from timeline_env.engine import record
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.players import Decisions
from timeline_env.players.timeline.forecast import (
    BALANCE,
    FORESEEN,
    KEPT,
    OUTCOME,
    is_foreseen,
    make_forecast,
    try_out,
    undo,
)
from timeline_env.players.timeline.lookahead import Greedy, Projector
from timeline_env.players.timeline.planner import Planner
from timeline_env.timeline import GAME, board, state

STAYING = {"prices": {"move_au": 20}, "agreements": {"pledges": 0}}
"""Nobody can move or pledge: a player without artifacts, cards and energy has no choice, and phases end unasked."""
POOR = {"player": {"income": 0}, "agreements": {"pledges": 0}}


def whole_games(num_players: int, changes: dict[str, Any] | None = None, games: int = 16) -> Iterator[Batch]:
    """Before every decision: games that `Planner` and chance play by turns, so that all kinds of events come to lie."""
    batch, planner, every = Batch(Setting(GAME, num_players, changes), games, num_players), Planner(1), np.arange(games)
    for step in range(240):
        yield batch
        if step % 2:
            batch.play_random(1)
        else:
            batch.step(planner.act(Decisions.of(batch, every)))


def decisions_of_games(num_players: int, changes: dict[str, Any] | None = None, games: int = 16) -> Iterator[Decisions]:
    """One in four decisions of `whole_games`."""
    for step, batch in enumerate(whole_games(num_players, changes, games)):
        if step % 4 == step // 4 % 4:
            yield Decisions.of(batch, np.arange(games))


def turns_over(batch: Batch) -> Any:
    """How many turns of each game are over, those in which nobody was asked among them; int64 [games]."""
    s, rounds = batch.states, np.cumsum([0, *batch.rules["rounds"][0]])
    return batch.num_players * (rounds[s["phase"]] + s["lap"]) + s["turns"]


def check_values(player: Any, asked: Decisions) -> set[str]:
    """Compare the values of all legal actions with playing them out; gives the kinds of these actions."""
    rules, states, room = asked.batch.rules, asked.states(), record.new(state.STATE, player.room)
    values = player().values(rules, states, asked.action_mask, asked.seat)
    assert (np.isfinite(values) == (asked.action_mask != 0)).all()
    kinds = set()
    for k, action in np.argwhere(asked.action_mask):
        assert values[k, action] == player.value_rule(rules, states, k, asked.seat[k], action, room)
        kinds.add(GAME.codec.decode(int(action))[0])
    return kinds


@pytest.mark.parametrize("num_players", [2, 3, 6])
@pytest.mark.parametrize("player", [Greedy, Projector])
def test_an_action_is_worth_what_playing_it_out_brings(player: Any, num_players: int) -> None:
    kinds = set().union(*(check_values(player, asked) for asked in decisions_of_games(num_players)))
    assert kinds == {"pass", "move", "impact", "reinforce", "artifact", "amplifier", "organize", "link", "done"} | (
        {"rival"} if num_players > 2 else set()
    )


@pytest.mark.parametrize("changes", [STAYING, POOR])
@pytest.mark.parametrize("num_players", [2, 4])
def test_so_it_is_where_players_are_left_without_a_choice(num_players: int, changes: dict[str, Any]) -> None:
    for asked in decisions_of_games(num_players, changes, games=8):
        check_values(Greedy, asked)
        check_values(Projector, asked)
    skipped, over = 0, np.zeros(8, np.int64)
    for batch in whole_games(num_players, changes, games=8):
        before, over = over, turns_over(batch)
        skipped += (over > before + 1).sum()  # the decision has ended one of these turns
    assert skipped > 0


def test_so_it_is_where_the_phase_ends_because_the_next_player_has_no_choice(position: Any) -> None:
    shut_in = "o:4.0/energy=0 3.0:empty 4.1:empty 4.23:empty"
    board = "0:org/occurred 1.0:4y/-o 2.2:5o/+o 2.3:4o/-o 2.5:4y/+y"
    game = position(f"2p phase:1.2 first:y turn:y au:1 y:2.5/energy=39 {shut_in} {board}")
    check_values(Greedy, Decisions.of(game.batch, np.arange(1)))
    game.play("pass")
    assert game.s.phase == 2


@pytest.mark.parametrize("num_players", [2, 4])
def test_a_forecast_is_as_it_was_after_whatever_was_tried_out_on_it(num_players: int) -> None:
    fields = set(state.STATE.names or ()) - {"card", "turned", "everything"}
    kept, outlook = np.zeros(KEPT, np.int64), np.zeros(FORESEEN, np.int16)
    tried = 0
    for asked in decisions_of_games(num_players, games=4):
        states = asked.states()
        for k in np.flatnonzero(states["question"][np.arange(4), states["depth"] - 1, 0] == state.TURN):
            s, seat = states[k], asked.seat[k]
            make_forecast(asked.batch.rules[0], s, seat, board.NODES, kept, outlook)
            before, was = {name: s[name].copy() for name in fields}, kept[[OUTCOME, BALANCE]].copy()
            for action in filter(is_foreseen, np.flatnonzero(asked.action_mask[k])):
                undo(asked.batch.rules[0], s, seat, action, kept, try_out(asked.batch.rules[0], s, seat, action, kept))
                assert all((s[name] == before[name]).all() for name in fields)
                tried += 1
            assert (kept[[OUTCOME, BALANCE]] == was).all()
    assert tried > 500
