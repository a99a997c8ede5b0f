"""One game at a time: what all the environments have in common."""

from __future__ import annotations

import copy
import operator
import secrets
from typing import Any, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import DTypeLike, NDArray

from timeline_env.engine.batch import Batch, seed_word
from timeline_env.engine.common import CommonForm
from timeline_env.engine.setting import Setting
from timeline_env.reading import check_integer, quote, unknown_name
from timeline_env.view.move import Move
from timeline_env.wrappers.lens import Lens

RENDER_MODES = ("human", "ansi", "rgb_array", "svg")
THE_GAME = np.zeros(1, np.int64)
"""The index of the only game in a batch of one."""
ILLEGAL_REWARD = -1.0
"""The reward for an action that is not legal, which ends the game or the episode."""


def describe_pictures() -> dict[str, Any]:
    """What an environment's metadata tells the libraries about pictures."""
    return {"render_modes": list(RENDER_MODES), "render_fps": 4}


def check_render_mode(render_mode: str | None) -> None:
    """Raises ValueError if there is no such mode."""
    if not isinstance(render_mode, str | None) or render_mode not in (*RENDER_MODES, None):
        raise unknown_name("render_mode", render_mode, [*RENDER_MODES, "None"])


def check_max_turns(max_turns: int | None) -> None:
    """Raises ValueError if this is neither None nor a number of decisions."""
    if max_turns is not None:
        check_integer("max_turns", max_turns, 1, others=", or None")


def check_seat(seat: int | None, num_players: int) -> None:
    """Raises ValueError if this is neither None nor a seat of this many players."""
    if seat is not None:
        check_integer("seat", seat, 0, num_players - 1, ", or None")


def mask_when_over(num_actions: int) -> NDArray[np.int8]:
    """The mask that comes with the last observation of a game: action 0 alone, so that a masked policy can be asked.

    Vector environments ask once more before they deal again, and ignore the answer.
    """
    mask = np.zeros(num_actions, np.int8)
    mask[0] = 1
    return mask


def masked_space(observation: spaces.Box, num_actions: int) -> spaces.Dict:
    """The space of an observation with the mask of this many actions."""
    return spaces.Dict({"observation": observation, "action_mask": spaces.Box(0, 1, (num_actions,), np.int8)})


class OneGame:
    """A batch of one game, with its spaces, observations, infos and pictures.

    Args:
        setting: what is played.
        name: the environment's name with its version, as in ``timeline_v0``.
        reward: the kind of reward, one of the game's.
        render_mode: what `render` gives: one of `RENDER_MODES`, or None for nothing.
        max_turns: after this many decisions the game is truncated; None for never.
        normalize: whether observations are scaled to numbers within -1 to 1, see `Layout.normalize`.
        dtype: of the observations, float32 or int8.
        common: whether observations and masks have the common form, see `timeline_env.engine.common`.

    Raises:
        ValueError: a value is not allowed; the message names it and what is allowed.
    """

    metadata: dict[str, Any]
    render_mode: str | None

    def __init__(
        self,
        setting: Setting,
        name: str,
        reward: str,
        render_mode: str | None,
        max_turns: int | None,
        normalize: bool = False,
        dtype: DTypeLike = "float32",
        common: bool = False,
    ) -> None:
        if not isinstance(common, bool):
            raise ValueError(f"common {quote(common)} must be True or False")
        check_render_mode(render_mode)
        check_max_turns(max_turns)
        self.batch = Batch(setting, 1, None, reward)
        self.form = CommonForm(setting.game, setting.num_players) if common else None
        self.lens = Lens(self.form.layout if self.form else self.batch.layout, normalize, dtype, form=self.form)
        self.num_actions = self.form.num_actions if self.form else self.batch.num_actions
        self.action = np.zeros(1, np.int64)
        self.render_mode, self.max_turns, self.turns = render_mode, max_turns, 0
        self.dealt = False
        # From a game's beginning on, but not while a step lasts, nor after one that was broken off.
        self.running = False
        self.window: Any = None
        self.last_move: Any = None  # for pictures: the `Move` that led to this position
        self.metadata = describe_pictures() | {"name": name, "is_parallelizable": False}

    def deal(self, seed: int | None) -> None:
        """Begin a game: from `seed`, or the next one of the stream; a stream without a seed begins at random, with the first game.

        It begins no earlier: libraries copy an environment before that, and the copies must not all play the same games.
        """
        if seed is not None:
            seed_word(seed)  # one that is refused leaves the game as it is
        elif not self.dealt:
            seed = secrets.randbits(63)
        self.running = False
        self.batch.reset(seed)
        self.turns, self.last_move, self.dealt = 0, None, True

    def play(self, action: Any) -> None:
        """Take the pending decision. Raises ValueError, with nothing changed, if the action is not legal.

        The caller sets `running` when its step is over: if a player fails meanwhile, or the user stops it, the game does not go on,
        since what the step earned is lost.
        """
        number = self.legal_number(action)
        self.running = False
        if self.render_mode is not None:
            self.last_move = Move(self.batch.states.copy()[0], number)
        self.action[0] = number
        self.batch.step_legal(self.action, THE_GAME, False)
        self.turns += 1

    def legal_mask(self) -> NDArray[np.int8]:
        """What the seat to act may do, int8 [actions], a new array."""
        mask = self.batch.action_mask[0]
        return self.form.mask(mask) if self.form else mask.copy()

    def legal_number(self, action: Any) -> int:
        """The action as an int. Raises ValueError, naming the legal ones, if it is not legal now."""
        mask, number = self.batch.action_mask[0], number_of(action)
        if number is not None and 0 <= number < len(mask) and mask[number]:
            return number
        legal = " ".join(map(str, np.flatnonzero(mask)))
        raise ValueError(
            f"action {' '.join(quote(action).split())} is not legal for player_{self.batch.seat[0]}; legal are {legal}"
        )

    @property
    def terminated(self) -> bool:
        """Whether the game has ended."""
        return bool(self.batch.seat[0] < 0)

    @property
    def truncated(self) -> bool:
        """Whether the game was truncated by `max_turns`."""
        # A game put back by `set_state` may have been played for longer than this environment allows.
        return not self.terminated and self.max_turns is not None and self.turns >= self.max_turns

    @property
    def is_pending(self) -> bool:
        """Whether somebody is to decide: not before `reset`, nor after a step that was broken off."""
        return self.running and not self.terminated and not self.truncated

    def new_observation_space(self, num_actions: int) -> spaces.Dict:
        """The space of one agent: the flat observation and the mask of `num_actions` actions."""
        return masked_space(self.lens.spread(1), num_actions)

    def observe_seat(self, seat: int) -> NDArray[Any]:
        """What a seat sees; [d], a new array."""
        if seat == self.batch.seat[0]:
            return self.lens.convert(self.batch.observation[0])
        return self.lens.convert(self.batch.observe([0], [seat])[0])

    def observe_all(self) -> NDArray[Any]:
        """What each seat sees; [players, d], a new array."""
        players = self.batch.num_players
        return self.lens.convert(self.batch.observe(np.zeros(players, np.int64), np.arange(players)))

    def info(self, seat: int) -> dict[str, Any]:
        """``seat`` and ``seat_name``; at the end of the game also the seat's ``points`` and ``rank`` (1 is best)."""
        info: dict[str, Any] = {"seat": seat, "seat_name": self.batch.game.seat_names[seat]}
        if self.terminated:
            info["points"], info["rank"] = float(self.batch.points[0, seat]), float(self.batch.rank[0, seat])
        return info

    def clone(self) -> Self:
        """An independent copy that continues as this one would."""
        return copy.deepcopy(self)

    @property
    def viewer(self) -> int | None:
        """The seat whose hand pictures show; None for nobody's."""
        return None

    def show(self) -> None:
        """With ``human`` rendering, draw what has happened."""
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The position, and the last move marked in it, in this render mode: a string (``ansi``, ``svg``), uint8 [height,
        width, 3] (``rgb_array``), or a window and None (``human``, which draws by itself after every decision).
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() gives nothing: the environment was made without a render_mode")
            return None
        from timeline_env import view
        from timeline_env.view import window

        human = self.render_mode == "human"
        mode = "rgb_array" if human else self.render_mode
        position = self.batch.rules[0], self.batch.states[0]
        picture = view.render(self.batch.game, *position, mode, self.viewer, self.last_move)
        if not human:
            return picture
        if self.window is None:
            self.window = window.Window(self.metadata["name"])
        self.window.show(picture, self.metadata["render_fps"])
        return None

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """The position in a notebook, as a picture and as text, with no hand shown; for a game without pictures, what `repr` gives."""
        if not self.batch.game.view:
            return {"text/plain": repr(self)}
        from timeline_env import view

        shown = self.batch.rules[0], self.batch.states[0], None, self.last_move
        return {"image/svg+xml": view.to_svg(*shown), "text/plain": view.to_ansi(*shown, colour=False)}

    def close(self) -> None:
        """Close the window of ``human`` rendering, if there is one."""
        if self.window is not None:
            self.window.close()
            self.window = None

    def __getstate__(self) -> dict[str, Any]:
        """All but the window, which belongs to this process: a copy opens its own."""
        return self.__dict__ | {"window": None}


def number_of(action: Any) -> int | None:
    """The action as an int, whatever kind of integer it is; None for what is none, such as True."""
    try:
        return None if isinstance(action, bool) else operator.index(action)
    except TypeError:
        return None
