"""Twilight Struggle, version 0: what a user imports. ``from timeline_env import twilight_struggle_v0``.

``player_0`` is the USSR, ``player_1`` the US. The arguments that several of these share:

* ``reward``: ``"rank"``, ``"score"`` or ``"win"``, see `timeline_env.twilight_struggle.scoring.rewards`;
* ``render_mode``: ``"human"``, ``"ansi"``, ``"rgb_array"``, ``"svg"`` or None;
* ``rules``: a variant: a TOML file or a dict, see `timeline_env.twilight_struggle.numbers.load_rules`; None for the game as it is;
* ``max_turns``: after so many decisions (in Gymnasium's environments: of the learner) the game is cut short; None for
  never: every game ends by itself;
* ``normalize``: whether every number of the observation is divided by its scale, which `Layout.scale` tells: float32
  within -1 to 1, as networks learn from best.

All raise ValueError for a value that is not allowed; the message names it and what is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from gymnasium.vector import AutoresetMode
from numpy.typing import DTypeLike

from timeline_env.engine.devices import batch_on
from timeline_env.players import Entrant
from timeline_env.twilight_struggle import GAME
from timeline_env.wrappers.aec import CheckedEnv, RawEnv
from timeline_env.wrappers.gymnasium import SingleSeatEnv
from timeline_env.wrappers.gymnasium_vector import SeatVectorEnv
from timeline_env.wrappers.parallel import SimultaneousEnv

if TYPE_CHECKING:
    from timeline_env.engine.batch import Batch
    from timeline_env.engine.cuda import CudaBatch
    from timeline_env.wrappers.vector import SeatVecEnv

__all__ = ["batch", "env", "parallel_env", "raw_env", "single_seat_env", "vec_env", "vector_env"]

NAME = "twilight_struggle_v0"
PLAYERS = 2


def env(
    reward: str = "rank",
    render_mode: str | None = None,
    rules: Any = None,
    max_turns: int | None = None,
    normalize: bool = False,
) -> CheckedEnv:
    """PettingZoo's AEC environment; an illegal action ends the game with -1 for whoever took it."""
    return CheckedEnv(raw_env(reward, render_mode, rules, max_turns, normalize))


def raw_env(
    reward: str = "rank",
    render_mode: str | None = None,
    rules: Any = None,
    max_turns: int | None = None,
    normalize: bool = False,
) -> RawEnv:
    """The AEC environment without wrappers: faster; an illegal action raises ValueError and changes nothing."""
    return RawEnv(GAME, NAME, PLAYERS, reward, render_mode, rules, max_turns, normalize)


def parallel_env(
    reward: str = "rank",
    render_mode: str | None = None,
    rules: Any = None,
    max_turns: int | None = None,
    normalize: bool = False,
) -> SimultaneousEnv:
    """PettingZoo's parallel environment, with one action more, the last: to wait."""
    return SimultaneousEnv(GAME, NAME, PLAYERS, reward, render_mode, rules, max_turns, normalize)


def single_seat_env(
    opponents: Sequence[Entrant] = ("random",),
    seat: int | None = None,
    reward: str = "rank",
    rules: Any = None,
    render_mode: str | None = None,
    max_turns: int | None = None,
    normalize: bool = False,
    dtype: DTypeLike = "float32",
) -> SingleSeatEnv:
    """Gymnasium's environment: one side learns, one of `opponents` plays the other; see `SingleSeatEnv`."""
    return SingleSeatEnv(GAME, NAME, PLAYERS, opponents, seat, reward, rules, render_mode, max_turns, normalize, dtype)


def vec_env(
    num_envs: int = 256,
    opponents: Mapping[Any, float] | None = None,
    reward: str = "rank",
    pieces: Iterable[str] | None = None,
    seed: int = 0,
    rules: Any = None,
    normalize: bool = False,
) -> SeatVecEnv:
    """Stable-Baselines3's vector environment over one batch: a `timeline_env.wrappers.vector.SeatVecEnv`.

    Raises:
        MissingExtra: Stable-Baselines3 is not installed.
    """
    from timeline_env.wrappers.vector import SeatVecEnv

    return SeatVecEnv(GAME, num_envs, PLAYERS, opponents, reward, pieces, seed, rules, normalize)


def vector_env(
    num_envs: int = 256,
    opponents: Any = ("random",),
    reward: str = "rank",
    rules: Any = None,
    render_mode: str | None = None,
    seat: int | None = None,
    max_turns: int | None = None,
    normalize: bool = False,
    dtype: DTypeLike = "float32",
    autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
    copy: bool = True,
) -> SeatVectorEnv:
    """Gymnasium's vector environment over one batch: a `timeline_env.wrappers.gymnasium_vector.SeatVectorEnv`.

    ``gymnasium.make_vec("timeline/TwilightStruggle-v0", num_envs=256)`` is the same.
    """
    return SeatVectorEnv(
        GAME, NAME, num_envs, PLAYERS, opponents, reward, rules, render_mode, seat, max_turns, normalize, dtype,
        autoreset_mode, copy,
    )  # fmt: skip


@overload
def batch(
    num_games: int = ...,
    seed: int = ...,
    reward: str = ...,
    rules: Any = ...,
    threads: int = ...,
    device: Literal["cpu"] = ...,
) -> Batch: ...


@overload
def batch(
    num_games: int = ...,
    seed: int = ...,
    reward: str = ...,
    rules: Any = ...,
    threads: int = ...,
    *,
    device: str,
) -> Batch | CudaBatch: ...


def batch(
    num_games: int = 4096,
    seed: int = 0,
    reward: str = "rank",
    rules: Any = None,
    threads: int = 1,
    device: str = "cpu",
) -> Batch | CudaBatch:
    """Many games side by side: a `timeline_env.engine.batch.Batch`, on a GPU (`device` "cuda") a `CudaBatch`.

    Raises:
        ValueError: a value that is not allowed, named with what is.
    """
    return batch_on(device, GAME, num_games, PLAYERS, seed, reward, rules, threads)
