"""A game in the shape of TextArena."""

from __future__ import annotations

import pytest

from examples.kuhn_poker import GAME
from timeline_env.words import TextGame


def test_a_game_is_played_by_text_to_its_end() -> None:
    env = TextGame(GAME.name)
    env.reset(num_players=2, seed=4)
    player, observation = env.get_observation()
    assert player == 0 and observation.startswith("You play Kuhn Poker as first")
    assert env.step("call") == (False, {"error": env.error})
    assert env.get_observation()[1].endswith("Your last answer was refused: " + env.error)
    assert env.step("bet") == (False, {})
    assert env.get_observation()[0] == 1 and "refused" not in env.get_observation()[1]
    assert env.step('{"move": "pass"}') == (True, {})
    rewards, info = env.close()
    assert rewards == {0: 1.0, 1: -1.0}
    assert info[0] == {"role": "first", "turn_count": 1, "refused": 1, "random": 0}
    with pytest.raises(ValueError, match="is over"):
        env.get_observation()


def test_after_the_retries_a_random_move_is_played_and_the_seed_says_which() -> None:
    ends = []
    for _ in range(2):
        env = TextGame(GAME.name, retries=1)
        env.reset(seed=9)
        done = False
        while not done:
            done, _ = env.step("?")
        ends.append(env.close())
    assert ends[0] == ends[1]
    assert all(
        seat["random"] == seat["turn_count"] and seat["refused"] == 2 * seat["random"] for seat in ends[0][1].values()
    )


def test_a_game_that_was_not_dealt_says_so() -> None:
    with pytest.raises(ValueError, match="call reset first"):
        TextGame().step("1")


def test_what_is_wrong_is_said_at_once() -> None:
    with pytest.raises(ValueError, match="retries 'x' must be an integer of at least 0"):
        TextGame(retries="x")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no game was dealt: call reset first"):
        TextGame().close()
