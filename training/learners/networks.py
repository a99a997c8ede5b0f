"""What a network has around its hidden layers: how it reads an observation (as it is, or by the board's nodes), and additions to its logits.

It computes what `timeline_env.players.agents.agent` computes with numpy; a test compares the two number by number.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from timeline_env.players.agents import agent
from timeline_env.players.agents.agent import About, Agent, Layer
from timeline_env.players.agents.graph_reader import Board, Group, heads_of
from timeline_env.players.agents.outlook import kinds_of
from training.config import Config, Now

ACTIVATIONS: dict[str, type[nn.Module]] = {"tanh": nn.Tanh, "relu": nn.ReLU}
ILLEGAL = -1e9
"""The logit of an action that is not legal, or what is added to it: its probability is 0, and the entropy stays finite."""
MOST_LOGIT = 1e6
"""A network with a greater logit has diverged; far below `-ILLEGAL`, so that until then no action that is not legal is drawn."""


class Flat(nn.Module):
    """What is seen as it is: the input of a multi-layer perceptron."""

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

    def __init__(self, board: Board, channels: int, convolutions: int, activation: str, foreseen: int = 0) -> None:
        super().__init__()
        self.width, self.foreseen = board.width(channels) + foreseen, foreseen
        self.readers = nn.ModuleList(NodeReader(group, channels, convolutions, activation) for group in board.groups)
        self.register_buffer("rest", torch.as_tensor(board.rest), persistent=False)

    @property
    def layers(self) -> list[nn.Module]:
        """The linear layers in the order in which an agent holds them."""
        return [layer for reader in self.readers for layer in reader.layers]  # type: ignore[union-attr]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        out = (out for reader in self.readers for out in reader(x))
        return torch.cat([x[:, self.rest], *out, x[:, x.shape[1] - self.foreseen :]], dim=1)  # [k, width]


class NodeHead(nn.Module):
    """What is added to the logits of the actions that name a node; see `timeline_env.players.agents.graph_reader.head_logits`.

    It is 0 until it has learned.
    """

    features: torch.Tensor
    known: torch.Tensor
    actions: torch.Tensor

    def __init__(self, group: Group, hidden: int, width: int, activation: str) -> None:
        super().__init__()
        self.told = group.features.shape[1]
        self.layers = nn.ModuleList(
            [nn.Linear(self.told + group.known.shape[1] + hidden, width), nn.Linear(width, group.actions.shape[1])]
        )
        nn.init.zeros_(self.layers[1].weight)  # type: ignore[arg-type]
        nn.init.zeros_(self.layers[1].bias)  # type: ignore[arg-type]
        self.activation = ACTIVATIONS[activation]()
        for name in ("features", "known", "actions"):
            self.register_buffer(name, torch.as_tensor(getattr(group, name)), persistent=False)

    def add_to(self, logits: torch.Tensor, x: torch.Tensor, hidden: torch.Tensor) -> torch.Tensor:
        """The logits [k, A] with what the head adds, for squashed observations `x` [k, d] and the last hidden layer [k, h]."""
        first, last = self.layers
        weight: torch.Tensor = first.weight  # type: ignore[assignment]
        known = self.known.shape[1]
        told, fixed, trunk = weight.split([self.told, known, weight.shape[1] - self.told - known], dim=1)
        # Gathering columns like this takes a third of the time of x[:, features].
        read = x.index_select(1, self.features.flatten()).view(len(x), *self.features.shape)
        about = read @ told.T
        # In place, since these are the largest arrays of an update; with mixed precision the sums are bfloat16, too.
        about += self.known @ fixed.T + first.bias
        about += (hidden @ trunk.T).unsqueeze(1)
        added = last(self.activation(about))  # [k, nodes, a]
        return logits.index_add(1, self.actions.reshape(-1), added.flatten(1))


class OutlookHead(nn.Module):
    """What is added to the logits by what the prior foresees; see `timeline_env.players.agents.outlook.outlook_logits`.

    It is 0 until it has learned.
    """

    kinds: torch.Tensor

    def __init__(self, foreseen: int, kinds: NDArray[np.float32], hidden: int, width: int, activation: str) -> None:
        super().__init__()
        self.foreseen = foreseen
        self.layers = nn.ModuleList([nn.Linear(foreseen + kinds.shape[1] + hidden, width), nn.Linear(width, 1)])
        nn.init.zeros_(self.layers[1].weight)  # type: ignore[arg-type]
        nn.init.zeros_(self.layers[1].bias)  # type: ignore[arg-type]
        self.activation = ACTIVATIONS[activation]()
        self.register_buffer("kinds", torch.as_tensor(kinds), persistent=False)

    def add_to(
        self, logits: torch.Tensor, hidden: torch.Tensor, bias: torch.Tensor, outlook: torch.Tensor
    ) -> torch.Tensor:
        """The logits [k, A] with what the head adds for legal actions; `outlook` is int8 [k, A, foreseen], `hidden` [k, h]."""
        first, last = self.layers
        weight: torch.Tensor = first.weight  # type: ignore[assignment]
        told, known, trunk = weight.split(
            [self.foreseen, self.kinds.shape[1], weight.shape[1] - self.foreseen - self.kinds.shape[1]], dim=1
        )
        # For the legal actions alone: they are a tenth of all.
        rows, actions = (bias > ILLEGAL / 2).nonzero(as_tuple=True)
        legal = rows * bias.shape[1] + actions
        about = squash(outlook.flatten(0, 1).index_select(0, legal), hidden.dtype) @ told.T
        about = about + (self.kinds @ known.T + first.bias).index_select(0, actions)
        about = about + (hidden @ trunk.T).index_select(0, rows)
        added = last(self.activation(about)).squeeze(1)
        return logits.flatten().index_add(0, legal, added).view_as(logits)


def heads_for(config: Config) -> list[NodeHead]:
    """The heads of a configuration's network, untrained."""
    network = config.network
    if not network.head:
        return []
    groups = heads_of(config.registered_game, config.seats, config.pieces)
    return [NodeHead(group, network.hidden[-1], network.head, network.activation) for group in groups]


def outlook_head_for(config: Config) -> OutlookHead | None:
    """What weighs the prior's outlook in a configuration's network, untrained; None if nothing does."""
    network = config.network
    if not network.outlook:
        return None
    kinds = kinds_of(config.game, config.seats)
    return OutlookHead(config.foreseen, kinds, network.hidden[-1], network.outlook, network.activation)


def body_of(config: Config) -> Flat | BoardReader:
    """The module before the hidden layers of a configuration's network; gives [k, `width`] from what is seen, squashed [k, d]."""
    network, game = config.network, config.registered_game
    if network.kind == "graph":
        board = Board(game, config.seats, config.pieces)
        return BoardReader(board, network.channels, network.convolutions, network.activation, config.foreseen)
    return Flat(len(game.layout(config.seats).columns(config.pieces)) + config.foreseen)


@dataclass(frozen=True)
class Layers:
    """The linear layers of a network, in the order in which an agent holds them; see `Agent`."""

    policy: list[nn.Linear]
    value: list[nn.Linear]
    head: list[nn.Linear]
    outlook: list[nn.Linear]

    @classmethod
    def of(
        cls,
        body: Flat | BoardReader,
        policy: Iterable[nn.Module],
        value: Iterable[nn.Module],
        heads: Iterable[NodeHead] = (),
        outlook: OutlookHead | None = None,
    ) -> Layers:
        """The linear layers of `body` and among the modules that follow it."""
        in_heads = [layer for head in heads for layer in head.layers]
        modules = ([*body.layers, *policy], value, in_heads, outlook.layers if outlook else ())
        return cls(*([m for m in those if isinstance(m, nn.Linear)] for those in modules))

    def make_agent(self, config: Config, steps: int, now: Now) -> Agent:
        """The agent that the network is now, trained by this configuration for so many decisions, the last of them by `now`."""
        reward = now.reward if self.value else ""
        layers = (self.policy, self.value, self.head, self.outlook)
        return Agent(about(config, steps, reward, now), *map(_arrays, layers))

    @torch.no_grad()
    def take(self, agent: Agent, config: Config) -> None:
        """Play by an agent from now on. Its network is the configuration's, except that pieces that it does not read weigh nothing."""
        layout = config.registered_game.layout(config.seats)
        place, columns = np.zeros(layout.size, np.int64), layout.columns(config.pieces)
        place[columns] = np.arange(len(columns))
        # After the observation's columns comes the position's outlook, where it is read.
        read = np.append(place[layout.columns(agent.about.pieces)], len(columns) + np.arange(agent.foreseen))
        for ours, theirs in ((self.head, agent.head_layers), (self.outlook, agent.outlook_layers)):
            for last in ours[1::2] if not theirs else ():
                last.weight.zero_()
                last.bias.zero_()
        trunks = ((self.policy, agent.layers), (self.value, agent.value_layers))
        for ours, theirs in (*trunks, (self.head, agent.head_layers), (self.outlook, agent.outlook_layers)):
            both = zip(ours, theirs, strict=True) if theirs else ()
            for index, (layer, (weight, bias)) in enumerate(both):
                if index == 0 and config.network.kind == "mlp" and (ours is self.policy or ours is self.value):
                    layer.weight.zero_()
                    layer.weight[:, read] = torch.as_tensor(weight, device=layer.weight.device)
                else:
                    layer.weight.copy_(torch.as_tensor(weight))
                layer.bias.copy_(torch.as_tensor(bias))


def _arrays(layers: list[nn.Linear]) -> list[Layer]:
    """Their weights and biases as an agent holds them."""
    return [
        tuple(x.detach().cpu().numpy().astype(np.float32) for x in (layer.weight, layer.bias))  # type: ignore[misc]
        for layer in layers
    ]


def about(config: Config, steps: int, reward: str, now: Now) -> About:
    """What an agent trained by this configuration for this many decisions says of itself; its value predicts this reward."""
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
        (config.prior or "") if now.prior_scale else "",
        now.prior_scale,
        reward,
        config.common,
    )


BITS = torch.from_numpy(agent.SQUASHED).to(torch.bfloat16).view(torch.int16).numpy()
"""[byte]: what the int8 with these bits is squashed to, as the bits of a bfloat16."""


def squash(observation: torch.Tensor, dtype: torch.dtype = torch.float32) -> torch.Tensor:
    """What `timeline_env.players.agents.agent.squash` gives, in torch; float32 or bfloat16 of any shape.

    On the CPU it calls that function, or for bfloat16 looks values up likewise, which for a whole field takes a twentieth of the
    time of torch's functions.
    """
    if observation.dtype == torch.int8 and not observation.is_cuda:
        if dtype == torch.float32:
            return torch.from_numpy(agent.squash(observation.numpy()))
        bits = torch.empty(observation.shape, dtype=torch.int16)
        agent.look_up(BITS, observation.contiguous().view(torch.uint8).flatten().numpy(), bits.flatten().numpy())
        return bits.view(dtype)
    x = observation.float()
    return (torch.sign(x) * torch.log1p(torch.abs(x))).to(dtype)


class Policy:
    """The probabilities of actions, from their logits (float32 [k, A]).

    It uses softmax and log_softmax alone. PyTorch's own categorical distribution takes the exponential of every logit, which
    underflows for actions that are not legal, and is then fifty times as slow.
    """

    def __init__(self, logits: torch.Tensor) -> None:
        self._logits = logits

    @functools.cached_property
    def probs(self) -> torch.Tensor:
        """How probable each action is; [k, A]."""
        return functional.softmax(self._logits, dim=1)

    @functools.cached_property
    def log_probs(self) -> torch.Tensor:
        """The logarithms of `probs`; [k, A]."""
        return functional.log_softmax(self._logits, dim=1)

    def log_prob(self, actions: torch.Tensor) -> torch.Tensor:
        """The logarithm of how probable one action of each row is (int64 [k]); [k]."""
        return self.log_probs.gather(1, actions.unsqueeze(1)).squeeze(1)

    def entropy(self) -> torch.Tensor:
        """The entropy of each row, in nats; [k]."""
        return -(self.probs * self.log_probs).sum(dim=1)

    def sample(self, generator: torch.Generator | None = None) -> torch.Tensor:
        """An action for each row, by its probability, drawn by this generator or torch's own; int64 [k].

        It draws one random number per row, where `torch.multinomial` draws one for every action.
        """
        below = self.probs.cumsum(dim=1, dtype=torch.float64)
        # A float32 below 1 times a float64 stays below the last sum, so an action that is not legal is never found.
        drawn = torch.rand((len(below), 1), generator=generator, device=below.device) * below[:, -1:]
        return torch.searchsorted(below, drawn, right=True).squeeze(1)


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


def refuse_diverged(module: nn.Module, logits: torch.Tensor, rate: float) -> None:
    """Raise ValueError if a weight of a network is infinite or NaN, or one of these logits of its policy is beyond `MOST_LOGIT`."""
    if not all(parameter.isfinite().all() for parameter in module.parameters()):
        wrong = "weights are no longer finite"
    elif not logits.abs().max() < MOST_LOGIT:
        wrong = f"logits are beyond {MOST_LOGIT:,.0f}"
    else:
        return
    raise ValueError(f"the network has diverged, its {wrong}; a ppo.learning_rate below {rate} may help")


def parameters(module: nn.Module) -> int:
    """How many numbers the module learns."""
    return sum(parameter.numel() for parameter in module.parameters())
