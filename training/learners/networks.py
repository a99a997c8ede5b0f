"""What a network makes of an observation before its hidden layers: nothing more, or a reading of the board.

Both kinds are what `timeline_env.players.agents.agent` plays with numpy; a test compares them number by number.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from timeline_env.players.agents import agent
from timeline_env.players.agents.agent import About
from timeline_env.players.agents.graph_reader import Board, Group
from training.config import Config

ACTIVATIONS: dict[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU}


class Flat(nn.Module):
    """The observation as it is: the input of a multi-layer perceptron."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.width = width
        self.layers = nn.ModuleList()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x  # [k, width]


class NodeReader(nn.Module):
    """Layers with the same weights for every node of one kind."""

    features: torch.Tensor
    known: torch.Tensor
    here: torch.Tensor
    neighbours: torch.Tensor

    def __init__(self, group: Group, channels: int, convolutions: int, activation: str) -> None:
        super().__init__()
        self.layers = nn.ModuleList(nn.Linear(width, channels) for width in group.inputs(channels, convolutions))
        self.activation = ACTIVATIONS[activation]()
        self.has_here = group.here is not None
        self.register_buffer("features", torch.as_tensor(group.features), persistent=False)
        self.register_buffer("known", torch.as_tensor(group.known), persistent=False)
        self.register_buffer("here", torch.as_tensor(group.here if self.has_here else []), persistent=False)
        self.register_buffer("neighbours", torch.as_tensor(group.neighbours), persistent=False)

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        first, *steps = self.layers
        told = torch.cat([x[:, self.features], self.known.expand(len(x), -1, -1)], dim=2)
        h = self.activation(first(told))  # [k, nodes, channels]
        for step in steps:
            h = self.activation(step(self.add_neighbours(h)))
        own = [torch.einsum("kn,knc->kc", x[:, self.here], h)] if self.has_here else []
        return [h.mean(dim=1), *own]

    def add_neighbours(self, h: torch.Tensor) -> torch.Tensor:
        """Each node's numbers, then the sum over its neighbours for every kind of edge; [k, nodes, (1 + kinds) * channels]."""
        padded = nn.functional.pad(h, (0, 0, 0, 1))
        kinds, nodes, most = self.neighbours.shape
        beyond = padded[:, self.neighbours.permute(1, 0, 2).reshape(-1)].view(len(h), nodes, kinds, most, -1).sum(dim=3)
        return torch.cat([h, beyond.flatten(2)], dim=2)


class BoardReader(nn.Module):
    """Reads every kind of nodes, and passes on the rest; see `timeline_env.players.agents.graph_reader.read_board`."""

    rest: torch.Tensor

    def __init__(self, board: Board, channels: int, convolutions: int, activation: str) -> None:
        super().__init__()
        self.width = board.width(channels)
        self.readers = nn.ModuleList(NodeReader(group, channels, convolutions, activation) for group in board.groups)
        self.register_buffer("rest", torch.as_tensor(board.rest), persistent=False)

    @property
    def layers(self) -> list[nn.Module]:
        """The linear layers in the order in which an agent holds them."""
        return [layer for reader in self.readers for layer in reader.layers]  # type: ignore[union-attr]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([x[:, self.rest], *(out for reader in self.readers for out in reader(x))], dim=1)  # [k, width]


def body_of(config: Config) -> Flat | BoardReader:
    """The module before the hidden layers of a configuration's network; gives [k, `width`] from squashed [k, d]."""
    network, game = config.network, config.registered_game
    if network.kind == "graph":
        board = Board(game, config.num_players, config.pieces)
        return BoardReader(board, network.channels, network.convolutions, network.activation)
    return Flat(len(game.layout(config.num_players).columns(config.pieces)))


def about(config: Config, steps: int) -> About:
    """What an agent trained by this configuration for this many decisions is for."""
    network = config.network
    return About(
        config.game,
        config.registered_game.rules_version,
        config.num_players,
        tuple(config.pieces),
        network.activation,
        steps,
        config.rules or {},
        network.kind,
        network.convolutions if network.kind == "graph" else 0,
        config.prior or "",
        config.prior_scale if config.prior else 0.0,
    )


def squash(observation: torch.Tensor) -> torch.Tensor:
    """What `timeline_env.players.agents.agent.squash` gives, in torch; float32 of any shape.

    On the CPU it is that function, which takes a twentieth of the time of torch's for a whole field.
    """
    if observation.dtype == torch.int8 and not observation.is_cuda:
        return torch.from_numpy(agent.squash(observation.numpy()))
    x = observation.float()
    return torch.sign(x) * torch.log1p(torch.abs(x))


def perceptron(inputs: int, hidden: list[int], outputs: int, last: float, activation: str) -> nn.Sequential:
    """Linear layers with orthogonal weights; `last` is the gain of the last one."""
    widths = [inputs, *hidden, outputs]
    layers: list[nn.Module] = []
    for index, (before, after) in enumerate(pairwise(widths)):
        linear = nn.Linear(before, after)
        nn.init.orthogonal_(linear.weight, last if index == len(hidden) else 2**0.5)
        nn.init.zeros_(linear.bias)
        layers += [linear, ACTIVATIONS[activation]()]
    return nn.Sequential(*layers[:-1])


def arrays(layers: Iterable[Any]) -> list[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """The weights and biases of these modules' linear layers, in their order, as an agent holds them."""
    linear = [layer for layer in layers if isinstance(layer, nn.Linear)]
    return [
        tuple(x.detach().cpu().numpy().astype(np.float32) for x in (layer.weight, layer.bias))  # type: ignore[misc]
        for layer in linear
    ]


def parameters(module: nn.Module) -> int:
    """How many numbers the module learns."""
    return sum(parameter.numel() for parameter in module.parameters())
