"""The agent that a run begins with instead of an untrained network."""

from __future__ import annotations

from typing import Any

from timeline_env.players.agents.agent import About, Agent
from timeline_env.players.agents.agent_files import read_agent
from timeline_env.players.agents.shipped import NAMES, agent_path
from timeline_env.players.names import GUARDED, SAMPLED, is_misread
from timeline_env.reading import quote, unknown_name
from training.config import Config


def start_agent(config: Config) -> Agent | None:
    """The agent named by the key `start`; None without one.

    Raises:
        ValueError: as `named_agent`, or its network is not the configuration's. The network may read more pieces than the agent if it is an `mlp`.
    """
    agent = named_agent(config)
    if agent is not None:
        _check(agent, config)
    return agent


def named_agent(config: Config) -> Agent | None:
    """The agent named by the key `start`, whatever its network is; None without one.

    Raises:
        ValueError: no such agent is there, it is for another game, or, unless it takes the common form, for another variant or number of
            players; or the path could be read as another player's name.
    """
    if config.start is None:
        return None
    path = agent_path(config.start, config.setting)
    if path is None:
        raise unknown_name("start", config.start, [*NAMES, "the path of a trained agent"])
    if is_misread(config.start):
        raise ValueError(f"start {quote(config.start)} must hold no ':' and not end with {SAMPLED} or {GUARDED}")
    return read_agent(path, config.setting)


PRIOR_KEYS = ("prior", "prior_scale", "final_prior_scale")
"""The keys of a configuration that `keep_prior` sets."""


def keep_prior(about: About) -> dict[str, Any]:
    """The keys that make a run keep, to its end, the prior of the agent that it begins with."""
    prior = {"prior": about.prior or None, "final_prior_scale": None}
    return prior | {"prior_scale": about.prior_scale} if about.prior else prior


def _check(agent: Agent, config: Config) -> None:
    """Raise ValueError if the configuration's network cannot begin with the agent's numbers."""
    about, network, board = agent.about, config.network, agent.board_layers
    convolutions = network.convolutions if network.kind == "graph" else 0
    channels = network.channels if network.kind == "graph" else None
    same = {
        "common": (config.common, about.common),
        "network.kind": (network.kind, about.kind),
        "network.convolutions": (convolutions, about.convolutions),
        "network.channels": (channels, len(agent.layers[0][1]) if board else None),
        "network.hidden": (list(network.hidden), [len(bias) for _, bias in agent.layers[board:-1]]),
        "network.activation": (network.activation, about.activation),
        "prior": (config.prior or "", about.prior),
        # Rounded, since a prior that was fading when the checkpoint was kept has an odd number.
        "prior_scale": (round(config.prior_scale if config.prior else 0.0, 2), round(about.prior_scale, 2)),
    }
    if agent.head_layers:
        same["network.head"] = (network.head, len(agent.head_layers[0][1]))
    if agent.outlook_layers or board:
        same["network.outlook"] = (network.outlook, len(agent.outlook_layers[0][1]) if agent.outlook_layers else 0)
    for key, (ours, theirs) in same.items():
        if ours != theirs:
            raise ValueError(f"{key} {quote(ours)} must be {theirs!r}, as in the agent {quote(config.start)}")
    of_value = [len(bias) for _, bias in agent.value_layers[:-1]]
    if agent.value_layers and of_value != list(network.hidden):
        raise ValueError(
            f"start {quote(config.start)} must have the same hidden layers in policy and value, not {list(network.hidden)} and {of_value}"
        )
    more = set(about.pieces) - set(config.pieces)
    if more or (board and list(about.pieces) != config.pieces):
        raise ValueError(
            f"network.pieces must hold those of the agent {quote(config.start)}: {', '.join(about.pieces)}"
        )
