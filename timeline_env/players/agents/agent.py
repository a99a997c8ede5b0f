"""Trained agents: what they are for, their networks, and what those say of an observation, with numpy alone.

An agent is one ``.npz``: the weights as plain arrays and a JSON text that says what they are for; `agent_files` reads it, and
`network_player` plays by it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.common import most_players
from timeline_env.engine.jit import entry
from timeline_env.engine.verbs import GAMES
from timeline_env.files import write_file
from timeline_env.players.agents.graph_reader import board_of, head_logits, heads_of, read_board
from timeline_env.players.agents.outlook import count_foreseen, kinds_of, outlook_logits

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
OF_VALUE = "value_"
"""What the names of the value network's arrays begin with, in a file."""
OF_HEAD = "head_"
"""The same for the heads."""
OF_OUTLOOK = "outlook_"
"""The same for the layers that weigh the prior's outlook."""

ACTIVATIONS: dict[str, Callable[[Any], Any]] = {"tanh": np.tanh, "relu": lambda x: np.maximum(x, 0)}


@dataclass(frozen=True)
class About:
    """What an agent is for and how its network is built; the file's JSON text has these keys."""

    game: str
    rules_version: int
    num_players: int
    pieces: tuple[str, ...]
    """The observation's pieces that the network reads, in order."""
    activation: str
    """Between the layers: ``tanh`` or ``relu``."""
    steps: int
    """How many decisions it was trained on in its last run; those of an agent that the run began with are not among them."""
    rules: dict[str, Any] = field(default_factory=dict)
    """What differed from the game as it is, see `timeline_env.engine.variants`."""
    kind: str = "mlp"
    """``mlp``, or ``graph``: first through layers that know the board."""
    convolutions: int = 0
    """How often a node takes in what its neighbours hold; 0 without a board."""
    prior: str = ""
    """The scripted player whose opinion of the actions the network corrects, see `timeline_env.players.agents.prior`; or empty."""
    prior_scale: float = 0.0
    """How many logits a unit of that player's values is."""
    reward: str = ""
    """The reward that the agent's value foretells; empty if it carries no value."""
    common: bool = False
    """Whether its network takes the common form (`timeline_env.engine.common`), with which it can play any number of players
    and any variant; then `num_players` and `rules` tell what it was trained on."""

    @property
    def seats(self) -> int:
        """The number of players whose observations and actions have the form that the network takes."""
        return most_players(GAMES[self.game]) if self.common else self.num_players


@dataclass(frozen=True)
class Agent:
    """A policy network, and usually a value network beside it; each layer is (weight [out, in], bias [out]), float32.

    The first layers of a network that knows the board are those of `timeline_env.players.agents.graph_reader.read_board`.
    """

    about: About
    layers: list[Layer]
    """Of the policy; the last gives the logits."""
    value_layers: list[Layer] = field(default_factory=list)
    """Of the value, after the layers that know the board, which it shares; the last gives one number. Empty in agents
    that carry no value."""
    head_layers: list[Layer] = field(default_factory=list)
    """Two for each kind of candidates, see `timeline_env.players.agents.graph_reader.head_logits`; or empty."""
    outlook_layers: list[Layer] = field(default_factory=list)
    """Two that weigh the prior's outlook of each action, see `timeline_env.players.agents.outlook`; or empty. With them policy
    and value take in the position's own outlook, too, after all else."""

    def logits(
        self,
        observation: NDArray[np.int8],
        outlook: NDArray[np.int8] | None = None,
        mask: NDArray[np.int8] | None = None,
    ) -> NDArray[np.float32]:
        """The policy's logits [k, A].

        Args:
            observation: of the agent's pieces, int8 [k, d]; after them, for an agent that weighs the prior's outlook, the
                outlook's last row.
            outlook: its other rows, int8 [k, A, foreseen], see `Foreseer`.
            mask: int8 [k, A], 1 for each legal action, for such an agent.
        """
        x, layers, about = self._read(observation), self.layers[self.board_layers :], self.about
        hidden = self._hide(x, layers)
        logits = _linear(hidden, layers[-1])
        if outlook is not None and mask is not None:
            legal, kinds = mask != 0, kinds_of(about.game, about.seats)[: mask.shape[1]]
            logits[:, : mask.shape[1]] += outlook_logits(
                squash(outlook[legal]), legal, kinds, hidden, self.outlook_layers, ACTIVATIONS[about.activation]
            )
        if self.head_layers:
            groups = heads_of(GAMES[about.game], about.seats, about.pieces)
            for index, group in enumerate(groups):
                pair = self.head_layers[2 * index : 2 * index + 2]
                logits[:, group.actions] += head_logits(x, hidden, group, pair, ACTIVATIONS[about.activation])
        return logits

    def value(self, observation: NDArray[np.int8]) -> NDArray[np.float32]:
        """What each seat that sees `observation`, as in `logits`, can still expect of the reward `About.reward`; [k]."""
        return _linear(self._hide(self._read(observation), self.value_layers), self.value_layers[-1])[:, 0]

    @property
    def foreseen(self) -> int:
        """How many numbers of the position's outlook policy and value take in, after all else."""
        about = self.about
        return count_foreseen(GAMES[about.game], about.prior) if self.outlook_layers else 0

    @property
    def board_layers(self) -> int:
        """How many of the policy's first layers read the board."""
        about = self.about
        if about.kind != "graph":
            return 0
        return len(board_of(about.game, about.seats, about.pieces).inputs(1, about.convolutions))

    def _read(self, observation: NDArray[np.int8]) -> NDArray[np.float32]:
        """What the hidden layers take in, [k, width]."""
        x, about = squash(observation), self.about
        if about.kind != "graph":
            return x
        board = board_of(about.game, about.seats, about.pieces)
        layers, foreseen = self.layers[: self.board_layers], x[:, x.shape[1] - self.foreseen :]
        read = read_board(x, board, layers, about.convolutions, ACTIVATIONS[about.activation])
        return np.concatenate([read, foreseen], axis=1)

    def _hide(self, x: NDArray[np.float32], layers: list[Layer]) -> NDArray[np.float32]:
        """What the last of the layers takes in."""
        for layer in layers[:-1]:
            x = ACTIVATIONS[self.about.activation](_linear(x, layer))
        return x

    def save(self, path: Path) -> None:
        """Write the agent to `path`, atomically."""
        arrays: dict[str, Any] = {"about": np.array(json.dumps(asdict(self.about)))}
        kinds = (("", self.layers), (OF_VALUE, self.value_layers), (OF_HEAD, self.head_layers))
        for prefix, layers in (*kinds, (OF_OUTLOOK, self.outlook_layers)):
            for index, (weight, bias) in enumerate(layers):
                arrays |= {f"{prefix}weight_{index}": weight, f"{prefix}bias_{index}": bias}
        write_file(path, lambda file: np.savez(file, **arrays))


def _linear(x: NDArray[np.float32], layer: Layer) -> NDArray[np.float32]:
    weight, bias = layer
    return x @ weight.T + bias


BYTES = np.arange(256, dtype=np.uint8).view(np.int8).astype(np.float32)
"""[byte]: the number that an int8 with these bits is."""
SQUASHED = np.sign(BYTES) * np.log1p(np.abs(BYTES))
"""[byte]: the same number as networks take it."""


def squash(observation: NDArray[np.int8]) -> NDArray[np.float32]:
    """The numbers of an observation as networks take them: sign(x) log(1 + |x|), so that 39 energy do not drown a mark of 1."""
    out = np.empty(observation.shape, np.float32)
    look_up(SQUASHED, np.ascontiguousarray(observation).view(np.uint8).reshape(-1), out.reshape(-1))
    return out


@entry
def look_up(table, source, out):
    """The numbers of `table` (float32 [256]) that `source` (uint8 [n]) names, into `out` (float32 [n])."""
    for i in range(len(source)):
        out[i] = table[source[i]]
