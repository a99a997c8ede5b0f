"""PettingZoo's AEC interface: one agent decides at a time."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from timeline_env.engine.setting import Setting
from timeline_env.reading import quote
from timeline_env.wrappers.multi_agent import MultiAgentGame
from timeline_env.wrappers.one_game import ILLEGAL_REWARD, number_of

MOST_NUMBER = 1e9
"""More than any points or rewards of a saved game."""


class RawEnv(MultiAgentGame, AECEnv):
    """A game as an AEC environment. All agents live until the game ends.

    Args:
        setting, name, reward, render_mode, max_turns, normalize, common: see `OneGame`.
    """

    REMEMBERED: ClassVar[tuple[str, ...]] = (
        "turns", "agents", "agent_selection", "rewards", "_cumulative_rewards",
        "terminations", "truncations", "infos",
    )  # fmt: skip

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
        self.seat_agents(self.num_actions)
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game.

        Args:
            seed: 0 to 2**64 - 1, the same deal each time; None for the next game of the stream that the last seed
                began (of a random stream if there was none).
            options: not used.
        """
        self.deal(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: self.info(seat) for agent, seat in self.seats.items()}
        self.agent_selection = self.possible_agents[self.batch.seat[0]]
        self.show()
        self.running = True

    def step(self, action: Any) -> None:
        """Take the decision of `agent_selection`; None for an agent whose game is over.

        Raises:
            ValueError: the action is not legal, there is no game to step, or a step was broken off; nothing was changed.
        """
        if not self.agents:
            raise ValueError("there is no game to step: call reset() first")
        self.check_running()
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.play(action)
        self._cumulative_rewards[agent] = 0.0
        earned = self.batch.reward[0].tolist()
        self.rewards = dict(zip(self.agents, earned, strict=True))
        if any(earned):  # most decisions earn nobody anything, and adding that up takes as long as the rules
            self._accumulate_rewards()
        seat = self.batch.seat[0]
        if seat < 0 or self.truncated:
            self.finish()
        else:
            self.agent_selection = self.possible_agents[seat]
        self.show()
        self.running = True

    @property
    def is_pending(self) -> bool:
        """See `OneGame.is_pending`. Told by the flags, also after `set_state`, and after an illegal action, at which PettingZoo's wrapper ends the game."""
        return self.running and bool(self.agents) and not any((*self.terminations.values(), *self.truncations.values()))

    def finish(self) -> None:
        """The game is over for all agents at once; each is now to be stepped with None."""
        self.terminations = dict.fromkeys(self.agents, self.terminated)
        self.truncations = dict.fromkeys(self.agents, self.truncated)
        self.infos = {agent: self.info(self.seats[agent]) for agent in self.agents}
        self._deads_step_first()

    def course(self) -> dict[str, Any]:
        """See `MultiAgentGame.course`; without what others have written into the infos, which JSON may not hold."""
        return super().course() | {"infos": {agent: self.info(self.seats[agent]) for agent in self.infos}}

    def check_course(self, course: dict[str, Any], seat: int) -> dict[str, bool]:
        """See `MultiAgentGame.check_course`: either all live and the one that decides is next, or all are to be stepped with None."""
        everybody, agents = self.possible_agents, course["agents"]
        ended, cut = course["terminations"], course["truncations"]
        some = isinstance(agents, list) and agents == [agent for agent in everybody if agent in agents]
        flags = some and is_for_each(agents, ended, is_flag) and is_for_each(agents, cut, is_flag)
        dead = flags and all(ended[agent] or cut[agent] for agent in agents)
        going_on = flags and seat >= 0 and agents == everybody and not any((*ended.values(), *cut.values()))
        return super().check_course(course, seat) | {
            "agents": some,
            "terminations": dead or going_on,
            "truncations": dead or going_on,
            "rewards": some and is_for_each(agents, course["rewards"], is_number),
            "_cumulative_rewards": some and is_for_each(agents, course["_cumulative_rewards"], is_number),
            "infos": some
            and is_for_each(agents, course["infos"], is_dict)
            and all(self.is_info(agent, course["infos"][agent]) for agent in agents),
            "agent_selection": course["agent_selection"]
            in ([everybody[seat]] if going_on else agents if some and agents else everybody),
        }

    def is_info(self, agent: str, info: dict[str, Any]) -> bool:
        """Whether this may be the agent's info: who it is, and numbers; see `OneGame.info`."""
        seat = self.seats[agent]
        told = {"seat": seat, "seat_name": self.batch.game.seat_names[seat]}
        return info.items() >= told.items() and all(is_number(info[name]) for name in info.keys() - told.keys())

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees and may do. The mask of an agent that is not to move is all zeros."""
        return {"observation": self.observe_seat(self.seats[agent]), "action_mask": self.mask(agent)}

    def mask(self, agent: str) -> NDArray[np.int8]:
        """What an agent may do, int8 [actions]: all zeros unless it is to move."""
        return self.legal_mask() if self.seats[agent] == self.batch.seat[0] else np.zeros(self.num_actions, np.int8)


def is_for_each(agents: list[str], values: Any, fits: Callable[[Any], bool]) -> bool:
    """Whether this is a dict with a valid value for each agent and for no other."""
    return isinstance(values, dict) and set(values) == set(agents) and all(map(fits, values.values()))


def is_flag(value: Any) -> bool:
    """Whether this is True or False."""
    return isinstance(value, bool)


def is_dict(value: Any) -> bool:
    """Whether this is a dict."""
    return isinstance(value, dict)


def is_number(value: Any) -> bool:
    """Whether this is a number smaller in size than `MOST_NUMBER`, so neither NaN nor infinite."""
    return isinstance(value, int | float) and abs(value) < MOST_NUMBER


class AssertAction(BaseWrapper):
    """Like PettingZoo's `AssertOutOfBoundsWrapper`, but it refuses True and False, too, and works where Python leaves assertions out."""

    def step(self, action: Any) -> None:
        """Take a decision. Raises AssertionError, with nothing changed, for a value that is no action at all."""
        agent = self.agent_selection
        space = self.action_space(agent)
        if action is not None or not (self.terminations[agent] or self.truncations[agent]):
            number = number_of(action)
            if number is None or not space.contains(number):
                raise AssertionError(f"action {quote(action)} is not in action space {space}")
            action = number
        super().step(action)


class CheckedEnv(OrderEnforcingWrapper):
    """A raw environment that ends the game at an illegal action, with -1 for the agent that took it."""

    def __init__(self, raw: RawEnv) -> None:
        super().__init__(AssertAction(TerminateIllegalWrapper(raw, illegal_reward=ILLEGAL_REWARD)))
        self.raw = raw

    def __getattr__(self, name: str) -> Any:
        """An attribute of the raw environment, without asking the wrappers between, which takes as long as a decision."""
        if name == "_cumulative_rewards" or (not name.startswith("_") and self._has_reset):
            return getattr(self.raw, name)
        return super().__getattr__(name)

    def __str__(self) -> str:
        return str(self.raw)

    def step(self, action: Any) -> None:
        """See `RawEnv.step`; an illegal action ends the game."""
        if self._has_reset:
            self.raw.check_running()  # before the mask is asked: it may be that of another seat
        super().step(action)

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """See `RawEnv.observe`."""
        seen = super().observe(agent)
        # The wrapper that ends illegal games keeps what it saw, and judges the next action by that mask.
        return seen | {"action_mask": seen["action_mask"].copy()}

    def clone(self) -> CheckedEnv:
        """An independent copy that continues as this one would."""
        return copy.deepcopy(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return self.unwrapped._repr_mimebundle_()

    def set_state(self, state: bytes) -> None:
        """Go back to a game that `get_state` saved; see `MultiAgentGame.set_state`."""
        self.unwrapped.set_state(state)
        self._has_reset = self._has_updated = True
        # The wrapper that ends illegal games keeps the last mask it saw; observing gives it the one of this position.
        self.observe(self.agent_selection)
