"""A step that is broken off, as by Ctrl-C: what it earned is lost, so nothing goes on before `reset`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from tests.games import each_game
from timeline_env import timeline_v0, words


def step_first(env: Any) -> None:
    """Take the first legal action, in every game."""
    game = env.unwrapped
    if hasattr(game, "seats") and hasattr(game.seats, "play"):  # many games
        env.step(game.batch.action_mask.argmax(axis=1))
        return
    action = int(game.batch.action_mask[0].argmax())
    env.step({env.agents[game.batch.seat[0]]: action} if hasattr(game, "noop") else action)


def interrupt(owner: Any, name: str, before: bool) -> None:
    """Let the next call of a method be broken off, before or after it has done its work."""
    whole = getattr(owner, name)

    def broken(*arguments: Any) -> Any:
        setattr(owner, name, whole)
        if not before:
            whole(*arguments)
        raise KeyboardInterrupt

    setattr(owner, name, broken)


LAST = {
    "raw_env": "show", "env": "show", "parallel_env": "infos", "single_seat_env": "info", "vector_env": "_infos",
    "vec_env": "_observation",
}  # fmt: skip
"""The kinds of environments, each with a method that it calls near the end of a step."""
MOMENTS = {
    "played": lambda env, last: (env.batch, "step_legal", False),
    "nearly done": lambda env, last: (env, last, True),
}


@pytest.mark.parametrize("moment", MOMENTS.values(), ids=MOMENTS)
@pytest.mark.parametrize("kind", LAST)
@each_game
def test_nothing_goes_on_before_reset(table: Any, kind: str, moment: Callable[[Any, str], Any]) -> None:
    env = table.make(kind)
    env.reset() if kind == "vec_env" else env.reset(seed=3)
    step_first(env)
    interrupt(*moment(env.unwrapped, LAST[kind]))
    with pytest.raises(KeyboardInterrupt):
        step_first(env)
    position = env.unwrapped.batch.states.tobytes()
    for _ in range(2):
        with pytest.raises((ValueError, ResetNeeded), match=r"call reset\(\) first"):
            step_first(env)
    with pytest.raises(ValueError, match=r"nobody is asked: call reset\(\) first"):
        words.ask(env)
    assert env.unwrapped.batch.states.tobytes() == position
    env.reset()
    step_first(env)
    assert words.ask(env).moves


@pytest.mark.parametrize("kind", ["raw_env", "env", "parallel_env"])
def test_it_is_not_saved_and_goes_on_from_what_was_saved_before(kind: str) -> None:
    env = getattr(timeline_v0, kind)()
    env.reset(seed=3)
    state = env.unwrapped.get_state()
    interrupt(env.unwrapped.batch, "step_legal", False)
    with pytest.raises(KeyboardInterrupt):
        step_first(env)
    with pytest.raises(ValueError, match=r"^a step was broken off: call reset\(\) first$"):
        env.unwrapped.get_state()
    env.set_state(state)
    assert env.unwrapped.get_state() == state
    step_first(env)


def test_many_games_go_on_after_an_action_that_was_refused() -> None:
    """Nothing was played then."""
    env = timeline_v0.vec_env(2, 2)
    env.reset()
    with pytest.raises(ValueError, match=r"action -1 is not legal"):
        env.step(np.array([-1, -1]))
    step_first(env)
