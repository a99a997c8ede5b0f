"""PettingZoo's parallel interface: every agent acts in every step, and those that wait do nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
from pettingzoo import ParallelEnv

from timeline_env.engine.setting import Setting
from timeline_env.reading import cut, quote
from timeline_env.wrappers.multi_agent import MultiAgentGame
from timeline_env.wrappers.one_game import ILLEGAL_REWARD


class SimultaneousEnv(MultiAgentGame, ParallelEnv):
    """A game as a parallel environment with one action more, the last: to wait.

    The agent to move has its legal actions; for all others waiting is the only legal one, so no mask is all zeros.
    What a waiting agent sends is ignored. An illegal action of the agent to move ends the game for all, with -1
    for that agent and ``illegal_action`` in its info.

    Args:
        setting, name, reward, render_mode, max_turns, normalize, common: see `OneGame`.
    """

    REMEMBERED: ClassVar[tuple[str, ...]] = ("turns", "agents")

    def __init__(
        self,
        setting: Setting,
        name: str,
        reward: str = "rank",
        render_mode: str | None = None,
        max_turns: int | None = None,
        normalize: bool = False,
        common: bool = False,
    ) -> None:
        super().__init__(setting, name, reward, render_mode, max_turns, normalize, common=common)
        self.metadata["is_parallelizable"] = True
        self.noop = self.num_actions
        self.seat_agents(self.noop + 1)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game; see `RawEnv.reset`. Gives every agent's observation and info."""
        self.deal(seed)
        self.agents = self.possible_agents[:]
        self.show()
        answer = self.observations(), self.infos()
        self.running = True
        return answer

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]:
        """Take the decision of the agent to move.

        Args:
            actions: by agent; only the one of the agent to move is needed.

        Returns:
            Observations, rewards, terminations, truncations and infos of all agents.

        Raises:
            ValueError: the action of the agent to move is missing, there is no game to step, or a step was broken off; nothing was
                changed.
        """
        if not self.agents:
            raise ValueError("there is no game to step: call reset() first")
        self.check_running()
        if not isinstance(actions, Mapping):
            raise ValueError(f"actions {quote(actions)} must give each agent's name an action")
        mover = self.agents[self.batch.seat[0]]
        if mover not in actions:
            raise ValueError(
                f"the action of {mover}, who is to move, is missing; given: {cut(', '.join(map(str, actions))) or 'none'}"
            )
        agents = self.agents
        illegal = self.try_to_play(actions[mover])
        infos = self.infos()
        if illegal:
            rewards = dict.fromkeys(agents, 0.0) | {mover: ILLEGAL_REWARD}
            infos[mover]["illegal_action"] = illegal
        else:
            rewards = dict(zip(agents, self.batch.reward[0].tolist(), strict=True))
        terminated, truncated = self.terminated or bool(illegal), self.truncated and not illegal
        self.agents = [] if terminated or truncated else agents
        self.show()
        answer = (
            self.observations(), rewards, dict.fromkeys(agents, terminated), dict.fromkeys(agents, truncated), infos,
        )  # fmt: skip
        self.running = True
        return answer

    @property
    def is_pending(self) -> bool:
        """See `OneGame.is_pending`; nobody is left when a game is over, truncated, or ended by an illegal action."""
        return self.running and bool(self.agents)

    def try_to_play(self, action: Any) -> str:
        """Take the pending decision. Gives why the action is illegal; empty if it was played."""
        try:
            self.play(action)
        except ValueError as error:
            return str(error)
        return ""

    def observations(self) -> dict[str, dict[str, np.ndarray]]:
        """What every agent sees and may do."""
        masks = np.zeros((len(self.possible_agents), self.noop + 1), np.int8)
        masks[:, self.noop] = 1
        seat = self.batch.seat[0]
        if seat >= 0:
            masks[seat, :-1], masks[seat, -1] = self.legal_mask(), 0
        seen = self.observe_all()
        return {
            agent: {"observation": seen[i], "action_mask": masks[i]} for i, agent in enumerate(self.possible_agents)
        }

    def infos(self) -> dict[str, dict[str, Any]]:
        """Every agent's info, see `OneGame.info`."""
        return {agent: self.info(seat) for seat, agent in enumerate(self.possible_agents)}
