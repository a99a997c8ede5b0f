"""What the tests of the environments share."""

import numpy as np
import pytest


def _play(env, decisions=10**9, seed=0):
    """Random legal decisions in an AEC environment, until the game is over or so many were taken; gives the actions."""
    rng = np.random.default_rng(seed)
    actions = []
    while len(actions) < decisions and not any([*env.terminations.values(), *env.truncations.values()]):
        mask = env.observe(env.agent_selection)["action_mask"]
        actions.append(int(rng.choice(np.flatnonzero(mask))))
        env.step(actions[-1])
    return actions


@pytest.fixture
def play():
    """`play(env, decisions, seed)`: random legal decisions in an AEC environment; gives the actions."""
    return _play
