"""Gymnasium's vector environment over a batch: hundreds of games in one call, one learner in each."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import DTypeLike, NDArray

from timeline_env.engine.batch import MOST_GAMES, seed_word
from timeline_env.engine.setting import Setting
from timeline_env.reading import check_integer, quote, unknown_name
from timeline_env.wrappers.lens import Lens
from timeline_env.wrappers.one_game import (
    ILLEGAL_REWARD,
    check_max_turns,
    check_render_mode,
    check_seat,
    describe_pictures,
    mask_when_over,
    masked_space,
)
from timeline_env.wrappers.seats import SeatGames


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """`num_envs` games, each as `SingleSeatEnv` plays one; players drawn by weight sit in the other seats.

    Observations are ``{"observation": [n, d], "action_mask": int8 [n, A]}``. An illegal action ends its game with reward
    -1 and ``illegal_action`` in the infos; the other games continue. The infos always have ``seat`` and ``seat_name``; at
    the end of a game also ``points``, ``rank`` and ``result``.

    Args:
        setting, reward: see `SeatGames`.
        name: the environment's, for its metadata.
        num_envs: how many games.
        opponents: names (see `load_player`), players, or functions of the decisions, each with its weight; or a sequence of them, all
            equally likely; one that is in it twice is twice as likely.
        render_mode: what `render` gives of every game, see `OneGame`; ``human`` is a window with the first one.
        seat: the learner's; None for a random one in each game.
        max_turns: after this many decisions of the learner a game is truncated; None for never.
        normalize, dtype: see `OneGame`.
        autoreset_mode: when a game that is over is dealt again: in the step that follows (Gymnasium's default), in the
            step that ended it (then its last observation and infos are in ``final_obs`` and ``final_info``), or by
            ``reset(options={"reset_mask": …})`` alone.
        copy: whether every step gives new arrays; if not, masks and int8 observations are the batch's own memory, which
            the next step rewrites.

    Raises:
        ValueError: a value is not allowed; the message names it and what is allowed.
    """

    window: Any = None
    """The window of ``human`` rendering, once there is one. Set here because Gymnasium also closes an environment that was refused
    while it was being made."""

    def __init__(
        self,
        setting: Setting,
        name: str,
        num_envs: int = 256,
        opponents: Any = ("random",),
        reward: str = "rank",
        render_mode: str | None = None,
        seat: int | None = None,
        max_turns: int | None = None,
        normalize: bool = False,
        dtype: DTypeLike = "float32",
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
    ) -> None:
        num_envs = check_integer("num_envs", num_envs, 1, MOST_GAMES)
        check_render_mode(render_mode)
        check_max_turns(max_turns)
        if not isinstance(copy, bool):
            raise ValueError(f"copy {quote(copy)} must be True or False")
        self.seats = SeatGames(setting, num_envs, opponents, reward, 0, seat)
        check_seat(seat, setting.num_players)
        self.batch = self.seats.batch
        self.num_envs, self.max_turns, self.copy = num_envs, max_turns, copy
        self.autoreset_mode = _mode(autoreset_mode)
        self.metadata = describe_pictures() | {"name": name, "autoreset_mode": self.autoreset_mode}
        self.render_mode = render_mode
        self.lens = Lens(self.batch.layout, normalize, dtype)
        self.single_observation_space = masked_space(self.lens.space, self.batch.num_actions)
        self.single_action_space = spaces.Discrete(self.batch.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seat_names = np.array(setting.game.seat_names, object)
        self.over, self.dealt = np.zeros(num_envs, np.bool_), False

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Deal games and play to the learner's first decisions.

        Args:
            seed: one number for everything that is drawn; None to continue, at first from a random seed.
            options: ``reset_mask``, bool [n]: which games; by default all. The games of a batch share a seed, so
                no seed can be given with a mask.

        Raises:
            ValueError: a seed that is not from 0 to 2**64 - 1, a list of seeds, a seed given with a mask, another option, or a mask of another shape or dtype.
        """
        if isinstance(seed, list):
            raise ValueError("seed must be one integer for all games, or None")
        games = self._to_reset(seed, options)
        super().reset(seed=None if seed is None else int(seed_word(seed)))
        pending = self.seats.are_pending
        if seed is not None or not self.dealt:
            self.seats.seed(int(self.np_random.integers(2**63)))
            games, self.dealt = self.seats.all, True
        self._deal(games)
        self._show()
        answer = self._observation(), self._infos()
        self.seats.are_pending = pending or len(games) == self.num_envs
        return answer

    def __getstate__(self) -> dict[str, Any]:
        """All but the window, which belongs to this process: a copy opens its own."""
        return self.__dict__ | {"window": None}

    def _to_reset(self, seed: int | None, options: dict[str, Any] | None) -> NDArray[np.int64]:
        """The games that `reset` is to deal."""
        if not isinstance(options, dict | None):
            raise ValueError(f"options {quote(options)} must be a dict or None")
        for key in options or ():
            if key != "reset_mask":
                raise unknown_name("option", key, ["reset_mask"])
        mask = (options or {}).get("reset_mask")
        if mask is None:
            return self.seats.all
        if not isinstance(mask, np.ndarray) or mask.shape != (self.num_envs,) or mask.dtype != np.bool_:
            raise ValueError(f"reset_mask {quote(mask)} must be a bool array of shape ({self.num_envs},)")
        if seed is not None:
            raise ValueError(f"seed {quote(seed)} is for all games: it cannot be given with a reset_mask")
        return np.flatnonzero(mask)

    def step(
        self, actions: Any
    ) -> tuple[dict[str, NDArray[Any]], NDArray[np.float32], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take the learner's decisions, and play on to its next ones.

        A game that ended in the last step is dealt again instead (unless `autoreset_mode` says otherwise), with reward 0.

        Args:
            actions: integers [n]; those of games that are dealt again are ignored.

        Returns:
            Observations; rewards float32 [n]; whether the games ended, and whether they were truncated, bool [n]; infos.

        Raises:
            ValueError: the actions are not integers of this shape; nothing was played.
            ResetNeeded: nothing was dealt yet, or a game is over and is not dealt again by itself; nothing was played.
        """
        if not self.dealt:
            raise ResetNeeded("call reset() before step()")
        chosen = np.asarray(actions)
        if chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            raise ValueError(f"actions must be integers of shape ({self.num_envs},), not {chosen.dtype} {chosen.shape}")
        if self.autoreset_mode == AutoresetMode.DISABLED and self.over.any():
            raise ResetNeeded(f"game {self.over.argmax()} is over: call reset() with a reset_mask first")
        legal = self._legal(chosen)
        illegal = np.flatnonzero(~self.over & ~legal)
        playing, waiting = np.flatnonzero(~self.over & legal), np.flatnonzero(self.over)
        why = [self._why_illegal(int(i), int(chosen[i])) for i in illegal]
        reward = np.zeros(self.num_envs, np.float32)
        reward[illegal] = ILLEGAL_REWARD
        reward[playing], over = self.seats.play(chosen[playing], playing)
        self._deal(waiting)
        terminated, truncated = np.zeros(self.num_envs, np.bool_), np.zeros(self.num_envs, np.bool_)
        terminated[over] = terminated[illegal] = True
        if self.max_turns is not None:
            truncated = ~terminated & (self.seats.decisions >= self.max_turns)
        self._show_last(over)
        infos = self._infos()
        for i in over:
            infos = self._add_info(infos, self._result(int(i)), int(i))
        for i, reason in zip(illegal.tolist(), why, strict=True):
            infos = self._add_info(infos, {"illegal_action": reason}, i)
        self.over = terminated | truncated
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self.over.any():
            infos = self._deal_at_once(infos)
        self._show()
        answer = self._observation(), reward, terminated, truncated, infos
        self.seats.are_pending = True
        return answer

    @property
    def is_pending(self) -> bool:
        """Whether the games wait for the learner's decisions or are over: not before `reset`, nor after a step that was broken off."""
        return self.dealt and self.seats.are_pending

    def _legal(self, actions: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether each game's action is legal; bool [n]."""
        known = (actions >= 0) & (actions < self.batch.num_actions)
        return known & (self.batch.action_mask[self.seats.all, np.where(known, actions, 0)] != 0)

    def _why_illegal(self, i: int, action: int) -> str:
        legal = " ".join(map(str, np.flatnonzero(self.batch.action_mask[i])))
        return f"action {action} is not legal for player_{self.seats.learner[i]}; legal are {legal}"

    def _deal(self, games: NDArray[np.int64]) -> None:
        """Deal games and play them to the learner's first decision."""
        self.seats.start(games)
        self.over[games] = False

    def _show_last(self, games: NDArray[np.int64]) -> None:
        """Let the learner, not the seat that moved last, observe games that have ended."""
        if len(games):
            self.batch.observation[games] = self.batch.observe(games, self.seats.learner[games])
            self.batch.action_mask[games] = mask_when_over(self.batch.num_actions)

    def _deal_at_once(self, infos: dict[str, Any]) -> dict[str, Any]:
        """Deal new games for those that are over; gives their infos, with the last ones as ``final_info``."""
        ended = self.over.copy()
        games = np.flatnonzero(ended)
        seen, masks = self.lens.convert(self.batch.observation[games]), self.batch.action_mask[games]
        self._deal(games)
        last = infos | {"_seat": ended.copy(), "_seat_name": ended.copy()}
        new = self._infos() | {"final_info": last, "_final_info": ended}
        for k, i in enumerate(games.tolist()):
            new = self._add_info(new, {"final_obs": {"observation": seen[k], "action_mask": masks[k]}}, i)
        return new

    def _infos(self) -> dict[str, Any]:
        """The info of every game."""
        everywhere = np.ones(self.num_envs, np.bool_)
        seat = self.seats.learner.copy()
        return {"seat": seat, "_seat": everywhere, "seat_name": self.seat_names[seat], "_seat_name": everywhere.copy()}

    def _result(self, i: int) -> dict[str, Any]:
        """The info of a game that has ended."""
        result = self.seats.summary(i)["result"]
        return {"points": result["points"], "rank": result["rank"], "result": result}

    def _observation(self) -> dict[str, NDArray[Any]]:
        raw, mask = self.batch.observation, self.batch.action_mask
        own = not self.copy and self.lens.dtype == raw.dtype
        return {
            "observation": raw if own else self.lens.convert(raw),
            "action_mask": mask.copy() if self.copy else mask,
        }

    def render(self) -> tuple[Any, ...] | None:
        """A picture of every game in this render mode, as its learner sees it, no move marked; with ``human`` None, and a window.

        See `OneGame.render`. The window shows the first game, and draws by itself after every step.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() gives nothing: the environment was made without a render_mode")
            return None
        if self.render_mode != "human":
            return tuple(self._picture(i, self.render_mode) for i in range(self.num_envs))
        from timeline_env.view import window

        if self.window is None:
            self.window = window.Window(self.metadata["name"])
        self.window.show(self._picture(0, "rgb_array"), self.metadata["render_fps"])
        return None

    def _picture(self, i: int, mode: str) -> Any:
        from timeline_env import view

        viewer = int(self.seats.learner[i])
        return view.render(self.batch.game, self.batch.rules[0], self.batch.states[i], mode, viewer)

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close_extras(self, **kwargs: Any) -> None:
        """Close the window of ``human`` rendering, if there is one; `close` calls this."""
        if self.window is not None:
            self.window.close()
            self.window = None


def _mode(mode: str | AutoresetMode) -> AutoresetMode:
    try:
        return AutoresetMode(mode)
    except ValueError:
        raise unknown_name("autoreset_mode", mode, [str(each.value) for each in AutoresetMode]) from None
