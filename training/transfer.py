"""Begin with what another agent knows: its policy put into an untrained one, also when other numbers of players sit down."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from timeline_env.engine.pieces import Layout
from timeline_env.engine.verbs import Game
from timeline_env.players.network import Agent


def transfer(agent: Agent, policy: nn.Sequential, game: Game, num_players: int, pieces: Sequence[str]) -> None:
    """Put the weights of an agent's multi-layer perceptron into another one.

    Where a piece of the observation has another shape, what both shapes have is taken; what is new begins without weight.
    Actions are taken as far as both have them.

    Raises:
        ValueError: the agent reads other pieces, or its layers have other widths.
    """
    about, layers = agent.about, [layer for layer in policy if isinstance(layer, nn.Linear)]
    widths = [layer.out_features for layer in layers[:-1]]
    if about.kind != "mlp" or list(about.pieces) != list(pieces) or [len(b) for _, b in agent.layers[:-1]] != widths:
        raise ValueError(
            f"the agent to begin with reads {about.pieces} through {about.kind}; it must be built as the new one"
        )
    new, old = shared_columns(game.layout(num_players), game.layout(about.num_players), pieces)
    actions = min(layers[-1].out_features, len(agent.layers[-1][1]))
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, agent.layers, strict=True):
            layer.weight.zero_()
            layer.bias.zero_()
            rows = len(bias) if layer is not layers[-1] else actions
            here, there = (new, old) if layer is layers[0] else (np.arange(weight.shape[1]),) * 2
            layer.weight[:rows, here] = torch.as_tensor(weight[:rows, there])
            layer.bias[:rows] = torch.as_tensor(bias[:rows])


def shared_columns(new: Layout, old: Layout, pieces: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Of observations of these pieces the columns that both layouts have, as columns of the one and of the other."""
    mine, theirs, start, begin = [], [], 0, 0
    for name in pieces:
        a, b = new[name], old[name]
        both = tuple(slice(0, min(pair)) for pair in zip(a.shape, b.shape, strict=True))
        size, length = a.slice.stop - a.slice.start, b.slice.stop - b.slice.start
        mine.append(start + np.arange(size).reshape(a.shape)[both].ravel())
        theirs.append(begin + np.arange(length).reshape(b.shape)[both].ravel())
        start, begin = start + size, begin + length
    return np.concatenate(mine), np.concatenate(theirs)
