"""Stable-Baselines3's vector environment over a batch: hundreds of games in one call, one learner in each.

One step of an environment is the learner's decision and all decisions of the others until the learner is asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from timeline_env.engine.batch import MOST_GAMES, seed_word
from timeline_env.engine.setting import Setting
from timeline_env.extras import require
from timeline_env.players.opponents import Opponents
from timeline_env.reading import check_integer, quote
from timeline_env.wrappers.lens import Lens
from timeline_env.wrappers.seats import SeatGames

require("stable_baselines3", "train")
from stable_baselines3.common.vec_env import VecEnv  # noqa: E402


class SeatVecEnv(VecEnv):
    """`num_envs` games; in each the learner sits in a random seat, and players drawn by weight in the others.

    Observations are int8 [n, d], or float32 if they are normalized: the pieces asked for, one after the other, as the learner's seat sees them.
    `action_masks` is bool [n, A]. Every reward the learner's seat earned since its last decision is delivered, including
    what the others' decisions earned it; what it earned before its first decision of a game comes with that decision.

    A finished game is dealt again at once, with new seats. Its last info holds ``terminal_observation`` ([d]) and
    ``result``: ``points``, ``rank``, ``win`` (1/k for each of k who share the first place), ``seat`` and ``opponents``
    (the players' names in turn order after the learner); and ``episode`` with the sum ``r`` and the number of decisions ``l``.

    Args:
        setting: what is played.
        num_envs: how many games, at least 1.
        opponents: names (see `load_player`), players, or functions of the decisions, each with its weight above 0 or all equally
            likely, see `Opponents`; or an `Opponents`.
        reward: the kind of reward, one of the game's.
        pieces: the observation's pieces that the learner sees; None for all.
        seed: for the deals, the seats and the players; None for a random one.
        normalize: whether observations are scaled to numbers within -1 to 1, see `Layout.normalize`.

    Raises:
        ValueError: a value is not allowed; the message names it and what is allowed.
    """

    def __init__(
        self,
        setting: Setting,
        num_envs: int = 256,
        opponents: Mapping[Any, float] | Iterable[Any] | Opponents | None = None,
        reward: str = "rank",
        pieces: Iterable[str] | None = None,
        seed: int | None = 0,
        normalize: bool = False,
    ) -> None:
        num_envs = check_integer("num_envs", num_envs, 1, MOST_GAMES)
        mixed = {"random": 1.0} if opponents is None else opponents
        self.seats = SeatGames(setting, num_envs, mixed, reward, seed)
        self.batch = self.seats.batch
        self.lens = Lens(self.batch.layout, normalize, "float32" if normalize is True else "int8", pieces)
        self.columns = self.lens.columns
        self.actions = np.zeros(num_envs, np.int64)
        self.render_mode = None
        super().__init__(num_envs, self.lens.space, spaces.Discrete(self.batch.num_actions))

    def reset(self) -> NDArray[Any]:
        """Deal all games, from the seed given to `seed` if one was; gives the observations, [n, d].

        Raises ValueError unless the seed is from 0 to 2**64 - 1.
        """
        seed = self._seeds[0]
        self._reset_seeds()
        self._reset_options()
        if seed is not None:
            self.seats.seed(int(seed_word(seed)))
        self.seats.start(self.seats.all)
        observation = self._observation()
        self.seats.are_pending = True
        return observation

    def step_async(self, actions: NDArray[np.int64]) -> None:
        """Take note of the learner's actions, integers [n]."""
        self.actions = actions

    def step_wait(self) -> tuple[NDArray[Any], NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Play to the learner's next decisions. Raises ValueError if an action is not legal, ResetNeeded before `reset`; nothing was played."""
        reward, over = self.seats.play(self.actions)
        done = np.zeros(self.num_envs, np.bool_)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        if len(over):
            done[over] = True
            for info, i in zip(self._last_infos(over), over, strict=True):
                infos[i] = info
            self.seats.start(over)
        answer = self._observation(), reward, done, infos
        self.seats.are_pending = True
        return answer

    @property
    def is_pending(self) -> bool:
        """Whether all games wait for the learner's decisions: not before `reset`, nor after a step that was broken off."""
        return self.seats.are_pending

    def action_masks(self) -> NDArray[np.bool_]:
        """What the learner may do in each game; bool [n, A]."""
        return self.batch.action_mask.astype(np.bool_)

    def _observation(self) -> NDArray[Any]:
        # A copy: the learner still holds the last observation while this one is made.
        return self.lens.convert(self.batch.observation)

    def _last_infos(self, games: NDArray[np.int64]) -> list[dict[str, Any]]:
        """The infos of games that have just ended."""
        last = self.lens.convert(self.batch.observe(games, self.seats.learner[games]))
        return [
            {"terminal_observation": last[k], "TimeLimit.truncated": False, **self.seats.summary(i)}
            for k, i in enumerate(games)
        ]

    def close(self) -> None:
        """Do nothing: there is nothing to close."""

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """The attribute of the vector environment, once for each game."""
        return [getattr(self, attr_name)] * self._count(indices)

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set the attribute of the vector environment. Raises ValueError for some games alone: they have none of their own."""
        if self._count(indices) != self.num_envs:
            raise ValueError(
                f"indices {quote(indices)} must be None or all: the games share the attribute {quote(attr_name)}"
            )
        setattr(self, attr_name, value)

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Call the method once. Gives for each game its row of an array that has one for every game; else the answer itself."""
        answer, games = getattr(self, method_name)(*method_args, **method_kwargs), list(self._get_indices(indices))
        if isinstance(answer, np.ndarray) and answer.shape[:1] == (self.num_envs,):
            return [answer[game] for game in games]
        return [answer] * len(games)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """No game is wrapped."""
        return [False] * self._count(indices)

    def _count(self, indices: Any) -> int:
        return len(list(self._get_indices(indices)))
