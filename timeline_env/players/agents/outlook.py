"""What a prior foresees of every action, weighed by a network: two layers with the same weights for all actions.

A prior's values say how good an action is for its seat by a fixed rule. Its outlook says what the action leads to for every
seat, and a network can learn what that is worth in the position at hand: what the prior's rule leaves out, such as who is ahead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.verbs import GAMES, Game
from timeline_env.players.agents.prior import appraisers
from timeline_env.reading import unknown_name


def count_foreseen(game: Game, prior: str | None) -> int:
    """How many numbers this prior gives for an action. Raises ValueError if it gives none."""
    numbers = {name: player.foreseen for name, player in appraisers(game).items() if hasattr(player, "foreseen")}
    if not numbers:
        raise ValueError(f"no prior of {game.name} says what it foresees of actions")
    if prior not in numbers:
        raise unknown_name("prior with an outlook", str(prior), numbers)
    return numbers[prior]


@lru_cache
def kinds_of(game: str, seats: int) -> NDArray[np.float32]:
    """The kind of each action: a 1 for the range of the table of actions that holds it; float32 [A, kinds]."""
    registered = GAMES[game]
    out = np.zeros((registered.num_actions(seats), len(registered.codec.ranges)), np.float32)
    for kind, part in enumerate(registered.codec.ranges.values()):
        out[part.start : part.stop, kind] = 1
    return out


def outlook_logits(
    outlook: NDArray[np.float32],
    legal: NDArray[np.bool_],
    kinds: NDArray[np.float32],
    hidden: NDArray[np.float32],
    layers: Sequence[tuple[NDArray[np.float32], NDArray[np.float32]]],
    activation: Callable[[Any], Any],
) -> NDArray[np.float32]:
    """What the two layers (weight, bias) add to the logits; float32 [k, A].

    Actions that are not legal get the mean of the legal ones: a search asks only once for a node, where in other worlds other
    actions are legal.

    Args:
        outlook: of each legal action, row by row, squashed; float32 [legal actions, foreseen].
        legal: [k, A].
        kinds: as `kinds_of` gives them.
        hidden: the policy's last hidden layer [k, h].
        layers: the first takes in an action's outlook, its kind, and `hidden`.
        activation: between the two layers.
    """
    (weight, bias), (last_weight, last_bias) = layers
    rows, actions = np.nonzero(legal)
    told, known = outlook.shape[1], kinds.shape[1]
    about = outlook @ weight[:, :told].T
    about += (kinds @ weight[:, told : told + known].T + bias)[actions]
    about += (hidden @ weight[:, told + known :].T)[rows]
    out = np.zeros(legal.shape, np.float32)
    out[rows, actions] = (activation(about) @ last_weight.T + last_bias)[:, 0]
    mean = out.sum(axis=1) / np.maximum(legal.sum(axis=1), 1)
    return np.where(legal, out, mean[:, None])
