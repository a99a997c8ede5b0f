"""What a scripted player thinks of each action, as logits for a network to correct (residual policy learning).

Sources: Silver and others, "Residual policy learning", 2018; Johannink and others, "Residual reinforcement learning for robot
control", 2019: what is known is added to what is learned, so that learning begins at the known player's strength.
"""

from __future__ import annotations

import importlib

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.verbs import Game
from timeline_env.players.interface import Appraiser

FAINTEST = -20.0
"""No legal action has a logit further below the best one's: however bad it seems, a network can still come to prefer it."""


def load_appraiser(game: Game, name: str) -> Appraiser:
    """The baseline of this name. Raises ValueError if the game has none that can say what actions are worth."""
    found = {}
    for baseline, place in game.baselines.items():
        module, _, attribute = place.partition(":")
        player = getattr(importlib.import_module(module), attribute)
        if hasattr(player, "values"):
            found[baseline] = player
    if name not in found:
        raise ValueError(f"prior {name!r} must be a player of {game.name} that values actions: {', '.join(found)}")
    return found[name](seed=0)


def prior_logits(values: NDArray[np.float64], scale: float) -> NDArray[np.float32]:
    """Logits from what actions are worth, float32 [k, A] from float64 [k, A]: the best has 0, each unit less costs `scale`."""
    best = np.maximum(values.max(axis=1, keepdims=True), np.finfo(np.float64).min)  # finite where the game is over
    below = values - best
    return np.maximum(scale * below, FAINTEST).astype(np.float32)
