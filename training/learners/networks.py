"""What a network makes of an observation before its hidden layers: nothing more, or a reading of the board.

Both kinds are what `timeline_env.players.agents.agent` plays with numpy; a test compares them number by number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from torch import nn

from timeline_env.players.agents import agent
from timeline_env.players.agents.agent import About, Agent, Layer
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


@dataclass(frozen=True)
class Layers:
    """The linear layers of a network, in the order in which an agent holds them; see `Agent`."""

    policy: list[nn.Linear]
    value: list[nn.Linear]

    @classmethod
    def of(cls, body: Flat | BoardReader, policy: Iterable[nn.Module], value: Iterable[nn.Module]) -> Layers:
        """Those among the modules after `body`."""
        return cls(*([m for m in modules if isinstance(m, nn.Linear)] for modules in ([*body.layers, *policy], value)))

    def make_agent(self, config: Config, steps: int, reward: str) -> Agent:
        """The agent that the network is now, trained by this configuration for so many decisions and last paid by this reward."""
        return Agent(about(config, steps, reward), _arrays(self.policy), _arrays(self.value))

    @torch.no_grad()
    def take(self, agent: Agent, config: Config) -> None:
        """Play by an agent from now on, whose network is the configuration's, but for pieces that it does not read: they weigh nothing."""
        layout = config.registered_game.layout(config.num_players)
        place, columns = np.zeros(layout.size, np.int64), layout.columns(config.pieces)
        place[columns] = np.arange(len(columns))
        read = place[layout.columns(agent.about.pieces)]
        for ours, theirs in ((self.policy, agent.layers), (self.value, agent.value_layers)):
            for index, (layer, (weight, bias)) in enumerate(zip(ours, theirs, strict=False)):  # it may carry no value
                if index == 0 and config.network.kind == "mlp":
                    layer.weight.zero_()
                    layer.weight[:, read] = torch.as_tensor(weight)
                else:
                    layer.weight.copy_(torch.as_tensor(weight))
                layer.bias.copy_(torch.as_tensor(bias))


def _arrays(layers: list[nn.Linear]) -> list[Layer]:
    """Their weights and biases as an agent holds them."""
    return [
        tuple(x.detach().cpu().numpy().astype(np.float32) for x in (layer.weight, layer.bias))  # type: ignore[misc]
        for layer in layers
    ]


def about(config: Config, steps: int, reward: str) -> About:
    """What an agent trained by this configuration for this many decisions, and last paid by this reward, is for."""
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
        reward,
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


def parameters(module: nn.Module) -> int:
    """How many numbers the module learns."""
    return sum(parameter.numel() for parameter in module.parameters())
