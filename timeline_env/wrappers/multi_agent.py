"""What PettingZoo's two interfaces have in common: agents, a global state, and games saved to bytes and put back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from timeline_env.engine import positions, record
from timeline_env.reading import flatten, json_in
from timeline_env.wrappers.one_game import OneGame

MAGIC = b"timeline_env state 1\n"
DIGEST = 32


class MultiAgentGame(OneGame):
    """A game with an agent for each seat, ``player_0`` and on. All live until the game ends."""

    REMEMBERED: ClassVar[tuple[str, ...]] = ("turns",)
    """The attributes, plain enough for JSON, that belong to the course of a game besides its position."""

    def seat_agents(self, num_actions: int) -> None:
        """Make the agents and their spaces. Each agent has spaces of its own, since a space draws its own samples."""
        self.possible_agents = [f"player_{seat}" for seat in range(self.batch.num_players)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: self.new_observation_space(num_actions) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(num_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """``observation``: float32 [d], scaled if the environment normalizes; ``action_mask``: int8 [actions]."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The actions of an agent, numbered from 0."""
        return self.action_spaces[agent]

    @property
    def state_space(self) -> spaces.Box:
        """The space of `state`: float32 [players * d]."""
        return self.lens.spread(self.batch.num_players)

    def state(self) -> NDArray[np.float32]:
        """The observations of all seats one after the other, from `player_0` on: all that any player knows.

        For critics that see more than a player does; float32 [players * d], to be reshaped to [players, d].
        """
        return self.observe_all().reshape(-1)

    @cached_property
    def identity(self) -> dict[str, Any]:
        """What a saved state must have in common with the environment it is put into."""
        game, batch = self.batch.game, self.batch
        return {
            "environment": type(self).__name__,
            "game": game.name,
            "rules version": game.rules_version,
            "num_players": batch.num_players,
            "reward": game.rewards[batch.reward_kind],
            "rules": record.digest(batch.rules),
        }

    def get_state(self) -> bytes:
        """The whole game, hidden parts included, for `set_state` of an environment with the same arguments.

        Raises ValueError if no game was dealt, or a step was broken off.
        """
        if not self.dealt:
            raise ValueError("there is no game to save: call reset() first")
        self.check_running()
        header = json.dumps({"identity": self.identity, "course": self.course()}).encode()
        body = header + b"\n" + self.batch.states.tobytes()
        return MAGIC + hashlib.sha256(body).digest() + body

    def check_running(self) -> None:
        """Raises ValueError if a step was broken off, as by Ctrl-C: what it earned is lost, and perhaps who is to decide."""
        if not self.running:
            raise ValueError("a step was broken off: call reset() first")

    def course(self) -> dict[str, Any]:
        """What belongs to the course of the game, by the names of the attributes."""
        return {name: getattr(self, name) for name in self.REMEMBERED}

    def set_state(self, state: bytes) -> None:
        """Go back to a game that `get_state` saved.

        Raises:
            ValueError: these bytes are not a saved state, are damaged, hold what no game can hold, or are of another game,
                rules version, variant, number of players or kind of reward; nothing was changed.
        """
        header, content = open_state(state)
        identity = part_of(header, "identity", self.identity)
        for name, ours in self.identity.items():
            if identity[name] != ours:
                raise ValueError(
                    f"this state was saved with {name} {identity[name]!r:.60}; this environment has {ours!r}"
                )
        course = part_of(header, "course", self.REMEMBERED)
        position = positions.from_bytes(self.batch.game, self.batch.rules, content)
        for name, fits in self.check_course(course, int(self.batch.seats_in(position)[0])).items():
            if not fits:
                raise ValueError(f"this saved state is damaged: {name} cannot be {course[name]!r:.60} in its position")
        self.running = False
        self.batch.states.view(np.uint8)[:] = position.view(np.uint8)
        self.batch.refresh()
        self.last_move, self.dealt = None, True
        for name in self.REMEMBERED:
            setattr(self, name, course[name])
        self.running = True

    def check_course(self, course: dict[str, Any], seat: int) -> dict[str, bool]:
        """For each attribute of a saved course, whether a game in which `seat` decides can have it; -1 for a game that is over."""
        agents = course["agents"]
        return {
            "turns": type(course["turns"]) is int and course["turns"] >= 0,
            "agents": agents == [] or (agents == self.possible_agents and seat >= 0),
        }


def open_state(state: bytes) -> tuple[Any, bytes]:
    """The header and the position's bytes. Raises ValueError if these are not the bytes of a saved state."""
    if not isinstance(state, bytes) or not state.startswith(MAGIC):
        raise ValueError(f"this does not begin like a saved state: {state!r:.40}")
    digest, body = state[len(MAGIC) : len(MAGIC) + DIGEST], state[len(MAGIC) + DIGEST :]
    if hashlib.sha256(body).digest() != digest:
        raise ValueError("this saved state is damaged: its checksum does not match")
    header, _, content = body.partition(b"\n")
    try:
        return json_in(header.decode()), content
    except ValueError as error:
        raise ValueError(f"this saved state is damaged: its header cannot be read: {flatten(error)}") from None


def part_of(header: Any, name: str, names: Iterable[str]) -> dict[str, Any]:
    """A part of a header, with exactly these names. Raises ValueError if it has others."""
    part = header.get(name) if isinstance(header, dict) else None
    if not isinstance(part, dict) or set(part) != {*names}:
        raise ValueError(f"this saved state is damaged: its {name} must have {', '.join(names)}")
    return part
