"""Trained agents: a file of numbers and the player that plays by it, with numpy alone.

An agent is one ``.npz``: the weights as plain arrays and a JSON text that says what they are for. Reading it runs no code.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.batch import Batch
from timeline_env.engine.common import most_players, reading
from timeline_env.engine.jit import entry
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import GAMES, Game
from timeline_env.files import write_file
from timeline_env.players.agents.graph_reader import board_of, head_logits, heads_of, read_board
from timeline_env.players.agents.outlook import foreseen_by, kinds_of, outlook_logits
from timeline_env.players.agents.prior import load_appraiser, prior_logits
from timeline_env.players.interface import Decisions, Guard
from timeline_env.reading import cut, json_in, label_errors, quote, read_arrays, required_keys, table_of

AGENT_FILE = "agent.npz"
CHECKPOINTS = "checkpoints"
"""The folder of a run that holds its checkpoints, each a folder named by its number of steps."""

Layer = tuple[NDArray[np.float32], NDArray[np.float32]]
OF_VALUE = "value_"
"""What the names of the value's arrays begin with, in a file."""
OF_HEAD = "head_"
"""And those of the heads."""
OF_OUTLOOK = "outlook_"
"""And those of the layers that weigh the prior's outlook."""

KINDS = ("mlp", "graph")
"""Of networks."""
KINDS_OF: dict[str, tuple[type, ...]] = {
    "game": (str,),
    "rules_version": (int,),
    "num_players": (int,),
    "pieces": (list,),
    "activation": (str,),
    "steps": (int,),
    "rules": (dict,),
    "kind": (str,),
    "convolutions": (int,),
    "prior": (str,),
    "prior_scale": (float, int),
    "reward": (str,),
    "common": (bool,),
}
"""What the keys of an agent's JSON text hold; those of `About`."""
FORETOLD = ("rank", "win")
"""The rewards that come at the end alone, so that what an agent expects of them says what a position is worth."""
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
    """How many decisions it was trained on."""
    rules: dict[str, Any] = field(default_factory=dict)
    """What differed from the game as it is, see `timeline_env.engine.variants`."""
    kind: str = "mlp"
    """``mlp``, or ``graph``: first through layers that know the board."""
    convolutions: int = 0
    """How often a node takes in what its neighbours hold; 0 without a board."""
    prior: str = ""
    """The scripted player whose opinion of the actions the network corrects, see `timeline_env.players.agents.prior`; or none."""
    prior_scale: float = 0.0
    """How many logits a unit of that player's values is."""
    reward: str = ""
    """The reward that the agent's value foretells; none if it carries no value."""
    common: bool = False
    """Whether its network takes the common form (`timeline_env.engine.common`), by which it plays with any number of players
    and by any variant; then `num_players` and `rules` tell what it was trained in."""

    @property
    def seats(self) -> int:
        """The number of players whose observations and actions have the form that the network takes."""
        return most_players(GAMES[self.game]) if self.common else self.num_players


@dataclass(frozen=True)
class Agent:
    """A policy network, and mostly a value network beside it; each layer is (weight [out, in], bias [out]), float32.

    The first layers of a network that knows the board are those of `timeline_env.players.agents.graph_reader.read_board`.
    """

    about: About
    layers: list[Layer]
    """Of the policy; the last gives the logits."""
    value_layers: list[Layer] = field(default_factory=list)
    """Of the value, after the layers that know the board, which it shares; the last gives one number. None in agents
    that carry no value."""
    head_layers: list[Layer] = field(default_factory=list)
    """Two for each kind of candidates, see `timeline_env.players.agents.graph_reader.head_logits`; or none."""
    outlook_layers: list[Layer] = field(default_factory=list)
    """Two that weigh the prior's outlook of each action, see `timeline_env.players.agents.outlook`; or none. With them policy
    and value take in the position's own outlook, after all else."""

    def logits(
        self,
        observation: NDArray[np.int8],
        outlook: NDArray[np.int8] | None = None,
        mask: NDArray[np.int8] | None = None,
    ) -> NDArray[np.float32]:
        """The policy's logits [k, A].

        Args:
            observation: of the agent's pieces, int8 [k, d]; after them, for an agent that weighs the prior's outlook, the last
                row of that.
            outlook: the rest of it, int8 [k, A, foreseen], see `Foreseer`.
            mask: int8 [k, A], 1 for each legal action, for such an agent.
        """
        x, layers, about = self._read(observation), self.layers[self.board_layers :], self.about
        hidden = self._hide(x, layers)
        logits = _linear(hidden, layers[-1])
        if outlook is not None and mask is not None:
            logits[:, : mask.shape[1]] += outlook_logits(
                squash(outlook), mask != 0, kinds_of(about.game, about.seats)[: mask.shape[1]], hidden,
                self.outlook_layers, ACTIVATIONS[about.activation],
            )  # fmt: skip
        if self.head_layers:
            groups = heads_of(GAMES[about.game], about.seats, about.pieces)
            for index, group in enumerate(groups):
                pair = self.head_layers[2 * index : 2 * index + 2]
                logits[:, group.actions] += head_logits(x, hidden, group, pair, ACTIVATIONS[about.activation])
        return logits

    def value(self, observation: NDArray[np.int8]) -> NDArray[np.float32]:
        """What each seat that sees `observation`, as in `logits`, has still to expect of the reward `About.reward`; [k]."""
        return _linear(self._hide(self._read(observation), self.value_layers), self.value_layers[-1])[:, 0]

    @property
    def foreseen(self) -> int:
        """How many numbers of the position's outlook policy and value take in, after all else."""
        about = self.about
        return foreseen_by(GAMES[about.game], about.prior) if self.outlook_layers else 0

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


class NetworkPlayer:
    """Plays by an agent's policy: its best action, or one drawn from it, of those that a guard allows. It can guide a search."""

    guidance = 1.0
    """PUCT's constant, see `timeline_env.players.search.guides`."""

    def __init__(self, agent: Agent, seed: int = 0, sampled: bool = False, guard: Guard | None = None) -> None:
        self.agent = agent
        self.rng = np.random.default_rng(seed)
        self.sampled, self.guard = sampled, guard
        self.foretell = self._foretell if agent.value_layers and agent.about.reward in FORETOLD else None
        self.for_wins = agent.about.reward == "win"
        self.prior = load_appraiser(GAMES[agent.about.game], agent.about.prior) if agent.about.prior else None
        self.foreseer: Any = self.prior if agent.outlook_layers else None
        self.plays_on = bool(self.foretell and self.foreseer)  # without an outlook it knows less than the estimate does

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]. Raises ValueError if the games have another number of players."""
        logits = self.logits(decisions)
        if self.sampled:
            # The greatest of logits with Gumbel noise is a draw from their softmax.
            logits += self.rng.gumbel(size=logits.shape).astype(np.float32)
        mask = self.guard.allow(decisions) if self.guard else decisions.action_mask
        return np.where(mask, logits, -np.inf).argmax(axis=1)

    def logits(self, decisions: Decisions) -> NDArray[np.float32]:
        """The policy's logits with the prior's, float32 [k, A]; see `timeline_env.players.search.guides.Guide`.

        Raises:
            ValueError: the games have another number of players than the agent, or its weights are so large that a
                logit is infinite or not a number.
        """
        about, batch = self.agent.about, decisions.batch
        if about.num_players != batch.num_players and not about.common:
            raise ValueError(f"the agent is for {about.num_players} players; this game has {batch.num_players}")
        with np.errstate(over="ignore", invalid="ignore"):
            seen = reading(batch.game, batch.num_players, about.seats, about.pieces).read(decisions.observation)
            mask, outlook, values = decisions.action_mask, None, None
            if self.foreseer:
                values, outlook = self.foreseer.outlook(batch.rules, decisions.states(), mask, decisions.seat)
                seen, outlook = np.concatenate([seen, outlook[:, -1]], axis=1), outlook[:, :-1]
            elif self.prior:
                values = self.prior.values(batch.rules, decisions.states(), mask, decisions.seat)
            logits = self.agent.logits(seen, outlook, mask)[:, : batch.num_actions]
            if values is not None:
                logits += prior_logits(values, about.prior_scale)
        if not np.isfinite(logits).all():
            raise ValueError("the agent's weights are too large: a logit is infinite or not a number")
        return logits

    def _foretell(
        self, batch: Batch, positions: Any, seats: NDArray[np.int64], views: NDArray[np.int8]
    ) -> NDArray[np.float32]:
        """See `timeline_env.players.search.guides.Guide`."""
        about = self.agent.about
        seen = reading(batch.game, batch.num_players, about.seats, about.pieces).read(views)
        if self.foreseer:
            nothing = np.zeros((len(seats), batch.num_actions), np.int8)
            prospects = self.foreseer.outlook(batch.rules, positions, nothing, seats)[1][:, -1]
            seen = np.concatenate([seen, prospects], axis=1)
        value = np.nan_to_num(self.agent.value(seen))
        return np.clip(2 * value - 1 if self.for_wins else value, -1, 1)


BYTES = np.arange(256, dtype=np.uint8).view(np.int8).astype(np.float32)
"""[byte]: the number that an int8 with these bits is."""
SQUASHED = np.sign(BYTES) * np.log1p(np.abs(BYTES))
"""[byte]: the same as networks take it."""


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


def checkpoint_folder(run: Path, steps: int) -> Path:
    """Where a run keeps its agent after this many decisions."""
    return run / CHECKPOINTS / f"{steps:012d}"


def checkpoint_folders(run: Path) -> list[Path]:
    """Those that are there, the earliest first; whatever else lies beside them is left out."""
    return sorted(folder for folder in (run / CHECKPOINTS).glob("*") if re.fullmatch("[0-9]{12}", folder.name))


def agent_file(path: Path) -> Path:
    """The agent's file that `path` means: the file itself, a checkpoint's, or that of a run's latest checkpoint.

    Raises:
        ValueError: no agent is there.
    """
    with label_errors(f"{quote(str(path))} is not a trained agent"):  # the name of a file may be too long to ask for it
        if path.is_file():
            return path
        for folder in [path, *reversed(checkpoint_folders(path))]:
            if (folder / AGENT_FILE).is_file():
                return folder / AGENT_FILE
    raise ValueError(
        f"{quote(str(path))} holds no trained agent: neither {AGENT_FILE} nor {CHECKPOINTS}/*/{AGENT_FILE}"
    )


def read_agent(path: Path, setting: Setting) -> Agent:
    """Read an agent that is to play in this setting; `path` is a run folder, a checkpoint or an agent's file.

    Raises:
        ValueError: it is not an agent, or one for another game or rules version; or, unless it takes the common form, for
            another number of players or variant.
    """
    agent, name = agent_at(path), str(agent_file(path))
    setting.check(f"agent {name!r}", agent.about, agent.about.common)
    _check_shapes(agent, setting.game, name)
    _check_prior(agent.about, setting.game, name)
    return agent


def agent_at(path: Path) -> Agent:
    """The agent that `path` means, for any game. Raises ValueError if no agent is there."""
    file = agent_file(path)
    return read_arrays(file, f"{quote(str(file))} is not a trained agent", _agent)


def _agent(arrays: Any) -> Agent:
    about = _about(json_in(str(arrays["about"])))
    return Agent(about, *(_layers(arrays, prefix) for prefix in ("", OF_VALUE, OF_HEAD, OF_OUTLOOK)))


def _layers(arrays: Any, prefix: str) -> list[Layer]:
    """The layers whose arrays' names begin with this."""
    count = len(
        {name.rpartition("_")[2] for name in arrays.files if name.startswith((f"{prefix}weight_", f"{prefix}bias_"))}
    )
    return [
        (_numbers(arrays, f"{prefix}weight_{index}"), _numbers(arrays, f"{prefix}bias_{index}"))
        for index in range(count)
    ]


def _about(told: Any) -> About:
    """What the JSON text says, if every key is of its kind. Raises ValueError if not."""
    for name, value in table_of(told, "about", *required_keys(About)).items():
        if type(value) not in KINDS_OF.get(name, ()):
            allowed = " or ".join(kind.__name__ for kind in KINDS_OF.get(name, ())) or "nothing"
            raise ValueError(f"{cut(name)} {quote(value)}: {allowed} is allowed")
    pieces = told["pieces"]
    if not all(type(piece) is str for piece in pieces) or len(set(pieces)) < len(pieces):
        raise ValueError(f"pieces must be names, each once, not {quote(pieces)}")
    return About(**told | {"pieces": tuple(pieces)})


def _numbers(arrays: Any, name: str) -> NDArray[np.float32]:
    """An array of weights. Raises ValueError if one is infinite or not a number."""
    read = arrays[name]
    if read.dtype.kind != "f":
        raise ValueError(f"{name} must hold floating-point numbers, not {read.dtype}")
    with np.errstate(over="ignore"):
        numbers = read.astype(np.float32)
    if not np.isfinite(numbers).all():
        raise ValueError(f"{name} holds a number that is infinite or not a number")
    return numbers


def _check_prior(about: About, game: Game, name: str) -> None:
    if about.prior:
        if not 0 < about.prior_scale < math.inf:
            raise ValueError(f"agent {name!r}: prior_scale {about.prior_scale!r} must be a number above 0")
        try:
            load_appraiser(game, about.prior)
        except ValueError as error:
            raise ValueError(f"agent {name!r}: {error}") from None


def _check_shapes(agent: Agent, game: Game, name: str) -> None:
    about = agent.about
    allowed = about.activation in ACTIVATIONS and about.kind in KINDS
    most = len(agent.layers)  # each convolution has a layer
    if not allowed or not 0 <= about.convolutions <= most:
        raise ValueError(
            f"agent {name!r}: activation {quote(about.activation)}, kind {quote(about.kind)}, "
            f"convolutions {about.convolutions!r} are not allowed"
        )
    width = len(game.layout(about.seats).columns(about.pieces))
    layers = agent.layers
    if about.kind == "graph":
        width, layers = _split_layers(agent, game, name)
    with label_errors(f"agent {name!r}"):
        width += agent.foreseen
    actions = _check_layers(layers, width, name)
    if actions != game.num_actions(about.seats):
        raise ValueError(f"agent {name!r} has {actions} actions; the game has {game.num_actions(about.seats)}")
    _check_head(agent, game, name)
    _check_outlook(agent, name)
    foretold = [*game.rewards] if agent.value_layers else [""]
    if about.reward not in foretold:
        those = ", ".join(repr(reward) for reward in foretold)
        raise ValueError(f"agent {name!r}: reward {quote(about.reward)} is not allowed; allowed: {those}")
    if agent.value_layers and _check_layers(agent.value_layers, width, name) != 1:
        raise ValueError(f"agent {name!r}: its value must be one number")


def _check_head(agent: Agent, game: Game, name: str) -> None:
    about, layers = agent.about, agent.head_layers
    if not layers:
        return
    if about.kind == "graph":
        raise ValueError(f"agent {name!r}: a network of kind 'graph' has no head")
    try:
        groups = heads_of(game, about.seats, about.pieces)
    except ValueError as error:
        raise ValueError(f"agent {name!r}: {error}") from None
    if len(layers) != 2 * len(groups):
        raise ValueError(f"agent {name!r}: its heads have {len(layers)} layers, not {2 * len(groups)}")
    for index, group in enumerate(groups):
        hidden = agent.layers[-1][0].shape[1]
        width = group.features.shape[1] + group.known.shape[1] + hidden
        if _check_layers(layers[2 * index : 2 * index + 2], width, name) != group.actions.shape[1]:
            raise ValueError(f"agent {name!r}: a head must give {group.actions.shape[1]} numbers for a node")


def _check_outlook(agent: Agent, name: str) -> None:
    about, layers = agent.about, agent.outlook_layers
    if not layers:
        return
    width = agent.foreseen + kinds_of(about.game, about.seats).shape[1] + agent.layers[-1][0].shape[1]
    if len(layers) != 2 or _check_layers(layers, width, name) != 1:
        raise ValueError(f"agent {name!r}: two layers must give one number for an action out of its outlook")


def _check_layers(layers: list[Layer], width: int, name: str) -> int:
    """How many numbers the layers give for `width`."""
    for weight, bias in layers:
        _check_layer(weight, bias, width, name)
        width = len(bias)
    return width


def _split_layers(agent: Agent, game: Game, name: str) -> tuple[int, list[Layer]]:
    """How many numbers the first layers read out of the board, and the layers that follow."""
    about = agent.about
    board = board_of(game.name, about.seats, about.pieces)
    channels = len(np.atleast_1d(agent.layers[0][1])) if agent.layers else 0
    inputs = board.inputs(channels, about.convolutions)
    for (weight, bias), width in zip(agent.layers, inputs, strict=False):
        _check_layer(weight, bias, width, name)
    return board.width(channels), agent.layers[len(inputs) :]


def _check_layer(weight: NDArray[np.float32], bias: NDArray[np.float32], width: int, name: str) -> None:
    if bias.ndim != 1 or weight.shape != (len(bias), width):
        raise ValueError(f"agent {name!r}: a layer of shapes {weight.shape}, {bias.shape} cannot follow one of {width}")
