"""One game at a time: what all the environments have in common."""

from __future__ import annotations

import copy
import operator
import secrets
from typing import Any, Self

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from timeline_env.engine.batch import Batch
from timeline_env.engine.verbs import Game
from timeline_env.view.move import Move

RENDER_MODES = ("human", "ansi", "rgb_array", "svg")


class OneGame:
    """A batch of one game, with its spaces, observations, infos and pictures.

    Args:
        game: which game, as registered.
        name: the environment's name with its version, as in ``timeline_v0``.
        num_players: how many seats.
        reward: the kind of reward, one of the game's.
        render_mode: what `render` gives: one of `RENDER_MODES`, or None for nothing.
        rules: a variant: a file or a dict, see the game's `load_rules`; None for the game as it is.
        max_turns: after so many decisions the game is cut short; None for never.

    Raises:
        ValueError: a value that is not allowed, named with what is.
    """

    metadata: dict[str, Any]
    render_mode: str | None

    def __init__(
        self,
        game: Game,
        name: str,
        num_players: int,
        reward: str,
        render_mode: str | None,
        rules: Any,
        max_turns: int | None,
    ) -> None:
        if render_mode is not None and render_mode not in RENDER_MODES:
            raise ValueError(f"render_mode {render_mode!r} is unknown; allowed: {', '.join(RENDER_MODES)}, None")
        if max_turns is not None and (isinstance(max_turns, bool) or not isinstance(max_turns, int) or max_turns < 1):
            raise ValueError(f"max_turns {max_turns!r} must be a whole number of at least 1, or None")
        # Copies of an environment that was never seeded must not all play the same games.
        self.batch = Batch(game, 1, num_players, secrets.randbits(64), reward, rules)
        self.render_mode, self.max_turns, self.turns = render_mode, max_turns, 0
        self.window: Any = None
        self.last_move: Any = None  # for pictures: the `Move` that led to this position
        self.metadata = {
            "name": name,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 4,
        }

    def deal(self, seed: int | None) -> None:
        """Begin a game: from `seed`, or the next one of the stream."""
        self.batch.reset(seed)
        self.turns, self.last_move = 0, None

    def play(self, action: Any) -> None:
        """Take the pending decision. Raises ValueError, with nothing changed, if the action is not legal."""
        number = self.legal_number(action)
        if self.render_mode is not None:
            self.last_move = Move(self.batch.states.copy()[0], number)
        self.batch.step([number], restart=False)
        self.turns += 1

    def legal_number(self, action: Any) -> int:
        """The action as an int. Raises ValueError, naming the legal ones, if it is not legal now."""
        mask = self.batch.action_mask[0]
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if 0 <= number < len(mask) and mask[number]:
            return number
        legal = " ".join(map(str, np.flatnonzero(mask)))
        raise ValueError(f"action {action!r} is not legal for player_{self.batch.seat[0]}; legal are {legal}")

    @property
    def terminated(self) -> bool:
        """Whether the game has come to its end."""
        return bool(self.batch.seat[0] < 0)

    @property
    def truncated(self) -> bool:
        """Whether the game was cut short by `max_turns`."""
        # A game put back by `set_state` may have been played for longer than this environment allows.
        return not self.terminated and self.max_turns is not None and self.turns >= self.max_turns

    def new_observation_space(self, num_actions: int) -> spaces.Dict:
        """Of one agent: the flat observation and the mask of `num_actions` actions."""
        return spaces.Dict(
            {
                "observation": spaces.Box(-128, 127, (self.batch.layout.size,), np.float32),
                "action_mask": spaces.Box(0, 1, (num_actions,), np.int8),
            }
        )

    def seen_by(self, seat: int) -> NDArray[np.float32]:
        """What a seat sees; float32 [d], a new array."""
        if seat == self.batch.seat[0]:
            return self.batch.observation[0].astype(np.float32)
        return self.batch.observe([0], [seat])[0].astype(np.float32)

    def seen_by_all(self) -> NDArray[np.float32]:
        """What each seat sees; float32 [players, d], a new array."""
        players = self.batch.num_players
        return self.batch.observe(np.zeros(players, np.int64), np.arange(players)).astype(np.float32)

    def info(self, seat: int) -> dict[str, Any]:
        """``seat`` and ``seat_name``; at the end of the game also the seat's ``points`` and ``rank`` (1 is best)."""
        info: dict[str, Any] = {"seat": seat, "seat_name": self.batch.game.seat_names[seat]}
        if self.terminated:
            info["points"], info["rank"] = float(self.batch.points[0, seat]), float(self.batch.rank[0, seat])
        return info

    def clone(self) -> Self:
        """An independent copy that goes on as this one would."""
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

    def close(self) -> None:
        """Close the window of ``human`` rendering, if there is one."""
        if self.window is not None:
            self.window.close()
            self.window = None

    def __getstate__(self) -> dict[str, Any]:
        """All but the window, which belongs to this process: a copy opens its own."""
        return self.__dict__ | {"window": None}
