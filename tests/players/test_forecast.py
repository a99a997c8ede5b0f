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
from timeline_env.players.timeline.lookahead import Greedy, Projector
from timeline_env.players.timeline.planner import Planner
from timeline_env.timeline import GAME, state


def decisions_of_games(num_players: int, games: int = 16, steps: int = 240) -> Iterator[Decisions]:
    """One in four decisions of whole games that `Planner` and chance play by turns, so that all kinds of events come to lie."""
    batch, planner, every = Batch(Setting(GAME, num_players), games, seed=num_players), Planner(1), np.arange(games)
    for step in range(steps):
        if step % 4 == step // 4 % 4:
            yield Decisions.of(batch, every)
        if step % 2:
            batch.play_random(1)
        else:
            batch.step(planner.act(Decisions.of(batch, every)))


@pytest.mark.parametrize("num_players", [2, 3, 6])
@pytest.mark.parametrize("player", [Greedy, Projector])
def test_an_action_is_worth_what_playing_it_out_brings(player: Any, num_players: int) -> None:
    room = record.new(state.STATE, player.room)
    kinds = set()
    for asked in decisions_of_games(num_players):
        rules, states = asked.batch.rules, asked.states()
        values = player().values(rules, states, asked.action_mask, asked.seat)
        assert (np.isfinite(values) == (asked.action_mask != 0)).all()
        for k, action in np.argwhere(asked.action_mask):
            assert values[k, action] == player.value_rule(rules, states, k, asked.seat[k], action, room)
            kinds.add(GAME.codec.decode(int(action))[0])
    assert kinds == {"pass", "move", "impact", "reinforce", "artifact", "amplifier", "organize", "link", "done"} | (
        {"rival"} if num_players > 2 else set()
    )
