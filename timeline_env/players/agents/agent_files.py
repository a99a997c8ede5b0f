"""Where a trained agent lies, and how it is read: without running code from it, and whole or not at all."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.players.agents.agent import ACTIVATIONS, OF_HEAD, OF_OUTLOOK, OF_VALUE, About, Agent, Layer
from timeline_env.players.agents.graph_reader import board_of, heads_of
from timeline_env.players.agents.outlook import kinds_of
from timeline_env.players.agents.prior import load_appraiser
from timeline_env.reading import cut, json_in, label_errors, quote, read_arrays, required_keys, table_of

AGENT_FILE = "agent.npz"
CHECKPOINTS = "checkpoints"
"""The folder of a run that holds its checkpoints, each a folder named by its number of steps."""

KINDS = ("mlp", "graph")
"""The kinds of networks."""
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
"""The types of the values in an agent's JSON text, by key; the keys are those of `About`."""


def checkpoint_folder(run: Path, steps: int) -> Path:
    """Where a run keeps its agent after this many decisions."""
    return run / CHECKPOINTS / f"{steps:012d}"


def checkpoint_folders(run: Path) -> list[Path]:
    """The run's checkpoint folders, the earliest first; whatever else lies beside them is left out."""
    found = (folder for folder in (run / CHECKPOINTS).glob("*") if re.fullmatch("[0-9]{12,}", folder.name))
    return sorted(found, key=lambda folder: int(folder.name))


def agent_file(path: Path) -> Path:
    """The agent's file that `path` means: the file itself, a checkpoint's, or that of a run's latest checkpoint.

    Raises:
        ValueError: no agent is there.
    """
    with label_errors(f"{quote(str(path))} is not a trained agent"):  # the path may be too long to ask for
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
    """What the JSON text says, if the value of every key has the right type. Raises ValueError if not."""
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
    if not layers:
        raise ValueError(f"agent {name!r} has no layers")
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
    """How many numbers the layers give for an input of `width`."""
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
