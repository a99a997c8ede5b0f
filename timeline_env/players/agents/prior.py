"""What a scripted player thinks of each action, as logits for a network to correct (residual policy learning).

Sources: Silver and others, "Residual policy learning", 2018; Johannink and others, "Residual reinforcement learning for robot
control", 2019: what is known is added to what is learned, so that learning begins at the known player's strength.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.verbs import Game
from timeline_env.players.interface import Appraiser
from timeline_env.players.names import import_name
from timeline_env.reading import nearest_hint

FAINTEST = -20.0
"""No legal action has a logit further below the best one's: however bad it seems, a network can still come to prefer it."""


def appraisers(game: Game) -> dict[str, Any]:
    """The classes of the game's baselines that say what actions are worth, by name."""
    found = {}
    for baseline, place in game.baselines.items():
        player = import_name(place)
        if hasattr(player, "values"):
            found[baseline] = player
    return found


def device_appraisers(game: Game) -> dict[str, Any]:
    """Those of the `appraisers` that can also do so on a GPU, see `timeline_env.players.agents.cuda_appraiser`."""
    return {name: player for name, player in appraisers(game).items() if hasattr(player, "value_rule")}


def load_appraiser(game: Game, name: str) -> Appraiser:
    """The baseline of this name. Raises ValueError if the game has none that can say what actions are worth."""
    found = appraisers(game)
    if name not in found:
        those = f"that values actions{nearest_hint(name, found)}: {', '.join(found)}"
        raise ValueError(f"prior {name!r} must be a player of {game.name} {those}")
    return found[name](seed=0)


def prior_logits(values: NDArray[np.float64], scale: float) -> NDArray[np.float32]:
    """Logits from what actions are worth, float32 [k, A] from float64 [k, A]: the best has 0, each unit less costs `scale`.

    Actions that are not legal, -inf in `values`, get the mean of the legal ones (0 where the game is over): a search asks only
    once for a node, where in other worlds other actions are legal.
    """
    legal = values > -np.inf
    best = np.where(legal.any(axis=1), values.max(axis=1), 0.0)[:, None]
    logits = np.maximum(scale * np.where(legal, values - best, 0.0), FAINTEST)
    mean = logits.sum(axis=1, where=legal) / np.maximum(legal.sum(axis=1), 1)
    return np.where(legal, logits, mean[:, None]).astype(np.float32)
