"""The scripted player of Timeline that plans its turn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from timeline_env.arena.evaluation import evaluate
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.players import Decisions
from timeline_env.players.timeline.forecast import ALL, FORESEEN
from timeline_env.players.timeline.lookahead import A_COST, Projector
from timeline_env.players.timeline.planner import COST, WAY, Planner
from timeline_env.timeline import GAME, actions
from timeline_env.timeline.text.notation import action_to_text


def in_the_middle(num_players: int, games: int = 40, steps: int = 90) -> Decisions:
    """Decisions of games that `Planner` and chance have played by turns."""
    batch = Batch(Setting(GAME, num_players), games, seed=num_players)
    planner = Planner(1)
    for _ in range(steps):
        batch.play_random(1)
        batch.step(planner.act(Decisions.of(batch, np.arange(games))))
    return Decisions.of(batch, np.arange(games))


def arguments(asked: Decisions) -> tuple[Any, ...]:
    return asked.batch.rules, asked.states(), asked.action_mask, asked.seat


def moves_of(position: Any, most: int = 9) -> list[str]:
    """What the planner does until its turn is over."""
    turn, done = position.turn, []
    while position.turn == turn and len(done) < most:
        (action,) = Planner(0).act(Decisions.of(position.batch, np.arange(1)))
        done.append(action_to_text(position.rules, position.s, int(action)))
        position.play(done[-1])
    return done


# Yellow stands where an event of orange lies; 7y wins three points for whoever organizes it, if it occurs.
TURN = "3p phase:1.0 turn:y {}y:1.0/energy=39/hand=5y o:1.3 b:1.3 0:org/occurred 1.0:3o/+o"


def test_it_goes_where_it_can_organize_and_does_it_there(position: Any) -> None:
    done = moves_of(position(TURN.format("")))
    assert done[0].startswith("move ") and any(move.startswith("organize 5y") for move in done)


def test_it_does_not_set_out_for_what_its_action_units_do_not_reach(position: Any) -> None:
    asked = Decisions.of(position(TURN.format("au:2 ")).batch, np.arange(1))
    values = Planner().values(*arguments(asked))[0]
    assert values[actions.MOVE : actions.IMPACT].max() == values[actions.PASS], "two are for the card alone"
    three = Decisions.of(position(TURN.format("au:3 ")).batch, np.arange(1))
    values = Planner().values(*arguments(three))[0]
    assert values[actions.MOVE : actions.IMPACT].max() > values[actions.PASS] + 2


@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_a_move_is_worth_what_it_is_for_and_all_else_what_it_is_to_the_projector(num_players: int) -> None:
    asked = in_the_middle(num_players)
    before = asked.states().tobytes()
    planned, projected = (player.values(*arguments(asked)) for player in (Planner(), Projector()))
    assert asked.states().tobytes() == before
    moves = slice(actions.MOVE, actions.IMPACT)
    assert (planned[:, moves] >= projected[:, moves]).all() and (planned[:, moves] > projected[:, moves] + 0.5).any()
    planned[:, moves] = projected[:, moves]
    assert (planned == projected).all()


@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_its_outlook_of_a_move_is_that_of_the_deed_at_its_end(num_players: int) -> None:
    asked = in_the_middle(num_players)
    values, outlook = Planner().outlook(*arguments(asked))
    legal = asked.action_mask != 0
    points = asked.states()["points"][
        np.arange(len(legal))[:, None], (asked.seat[:, None] + np.arange(num_players)) % num_players
    ]
    then = points[:, None] + outlook[:, -1:, ALL : ALL + num_players] + outlook[:, :-1, ALL : ALL + num_players]
    lead = then[..., 0] - then[..., 1:].mean(axis=2)
    assert np.allclose((lead - A_COST * outlook[:, :-1, COST])[legal], values[legal])
    assert not outlook[:, :-1][~legal].any() and not outlook[:, -1, FORESEEN:].any()
    far = outlook[:, :-1, WAY]
    assert far[:, actions.MOVE : actions.IMPACT].max() > 1 and not far[:, actions.IMPACT :].any()
    _, projected = Projector().outlook(*arguments(asked))
    assert (outlook[:, :-1, :FORESEEN][far == 0] == projected[:, :-1][far == 0]).all()


def test_a_plan_is_carried_out_at_the_worth_that_it_had() -> None:
    """Alone at the table a seat finds at the end of its way what it set out for: nothing else changes during its turn."""
    asked = in_the_middle(3)
    values, outlook = Planner().outlook(*arguments(asked))
    best = values.argmax(axis=1)
    setting_out = outlook[np.arange(len(best)), best, WAY] > 0
    asked.batch.step(best)
    then = Planner().values(*arguments(Decisions.of(asked.batch, asked.games))).max(axis=1)
    same = setting_out & (asked.batch.seat == asked.seat)
    assert same.sum() > 5
    assert (then[same] >= values.max(axis=1)[same] - 1e-9).all()


def test_it_beats_the_projector() -> None:
    assert evaluate(GAME, "planner", ["projector"], games=200, num_players=4, seed=2).overall.win.low > 0.55
