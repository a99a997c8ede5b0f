"""How a search plays on from a leaf until the position can be judged: by the game's script, or else a few random decisions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba.extending import overload

from timeline_env.engine import rng
from timeline_env.engine.jit import NO_WRAPPERS, rule
from timeline_env.engine.loops import pick
from timeline_env.engine.verbs import GAMES, Game, game_of, legal, play, to_act
from timeline_env.players.names import import_name

RANDOM_DECISIONS = 10
"""Enough that what was started shows its worth. See docs/search.md."""


def roll_out(rules, world, known, mask, word):
    """Play on in `world` (record array [1]), in place; resolved by its type, like the verbs.

    `known` (record array [1]) and `mask` (int8 [actions]) are overwritten; `word` (uint64) is the only source of randomness.
    """
    rollout_of(game_of(world.dtype))(rules, world, known, mask, word)


def rollout_of(game: Game) -> Callable[..., None]:
    """The function that plays on from the game's leaves."""
    if not game.rollout:
        return decide_at_random
    found: Callable[..., None] = import_name(game.rollout)
    return found


@rule
def decide_at_random(rules, world, known, mask, word):
    """`RANDOM_DECISIONS` uniformly random decisions, or fewer if the game ends."""
    for _ in range(RANDOM_DECISIONS):
        if to_act(world[0]) < 0:
            return
        legal(rules[0], world[0], mask)
        word = rng.advance(word)
        play(rules[0], world[0], pick(mask, rng.mix(word)))


def _implementation(world: Any) -> Any:
    for game in GAMES.values():
        if numba.from_dtype(game.state) == world.dtype:
            function = rollout_of(game)
            return getattr(function, "py_func", function)
    return None


overload(roll_out, jit_options=NO_WRAPPERS)(lambda rules, world, known, mask, word: _implementation(world))
