"""Gymnasium's vector environment over a batch: hundreds of games in one call, one learner in each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from timeline_env.engine.verbs import Game
from timeline_env.wrappers.seats import SeatGames


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` games; in each the learner sits in a random seat, and players drawn by weight in the others.

    Observations are ``{"observation": int8 [n, d], "action_mask": int8 [n, A]}``, the batch's own arrays: written in
    place by every step, without a copy. A finished game is dealt anew in the same step; the last observation, the
    result and the sum of its rewards are then in the infos ``final_obs``, ``result`` and ``episode``, with
    ``_final_obs`` and so on saying for which games.

    Args:
        game, num_players, opponents, reward, rules: see `SeatGames`; `opponents` may also be a sequence of names.
        num_envs: how many games.
        render_mode: None: it draws no pictures.

    Raises:
        ValueError: a value that is not allowed, named with what is.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int = 256,
        num_players: int = 4,
        opponents: Any = ("random",),
        reward: str = "rank",
        rules: Any = None,
        render_mode: None = None,
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"render_mode {render_mode!r}: the vector environment draws no pictures; None is allowed")
        if isinstance(opponents, str) or not isinstance(opponents, Iterable):
            raise ValueError(f"opponents {opponents!r} must be a sequence of names, or names with their weights")
        mixed = opponents if isinstance(opponents, Mapping) else dict.fromkeys(opponents, 1.0)
        self.seats = SeatGames(game, num_envs, num_players, mixed, reward, 0, rules)
        self.batch = self.seats.batch
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        size, actions = self.batch.layout.size, self.batch.num_actions
        self.single_observation_space = spaces.Dict(
            {
                "observation": spaces.Box(-128, 127, (size,), np.int8),
                "action_mask": spaces.Box(0, 1, (actions,), np.int8),
            }
        )
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[np.int8]], dict[str, Any]]:
        """Deal all games anew and play to the learner's first decisions.

        Args:
            seed: one number for everything that is drawn; None to go on, at first from a random seed.
            options: not used.

        Raises:
            ValueError: a list of seeds: the games of a batch share one.
        """
        if isinstance(seed, list):
            raise ValueError("seed must be one whole number for all games, or None")
        first = self._np_random is None
        super().reset(seed=seed)
        if seed is not None or first:
            self.seats.seed(int(self.np_random.integers(2**63)))
        self.seats.start(self.seats.all)
        return self._observation(), {}

    def step(
        self, actions: Any
    ) -> tuple[dict[str, NDArray[np.int8]], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play to the learner's next decisions. Raises ValueError if an action is not legal; nothing was played.

        Returns:
            Observations; rewards float32 [n]; whether the games ended, bool [n]; False [n] (none is cut short); infos.
        """
        reward, over = self.seats.play(actions)
        ended = np.zeros(self.num_envs, np.bool_)
        ended[over] = True
        infos: dict[str, Any] = {}
        if len(over):
            last = self.batch.observe(over, self.seats.learner[over])
            for k, i in enumerate(over):
                final = {"observation": last[k], "action_mask": np.zeros(self.batch.num_actions, np.int8)}
                infos = self._add_info(infos, {"final_obs": final, **self.seats.summary(i)}, int(i))
            self.seats.start(over)
        return self._observation(), reward, ended, np.zeros(self.num_envs, np.bool_), infos

    def _observation(self) -> dict[str, NDArray[np.int8]]:
        return {"observation": self.batch.observation, "action_mask": self.batch.action_mask}
