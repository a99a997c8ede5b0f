"""Twilight Struggle, version 0: what a user imports. ``from timeline_env import twilight_struggle_v0``.

``player_0`` is the USSR, ``player_1`` the US. The arguments that several of these share:

* ``reward``: ``"rank"``, ``"score"`` or ``"win"``, see `timeline_env.twilight_struggle.scoring.rewards`;
* ``render_mode``: ``"human"``, ``"ansi"``, ``"rgb_array"``, ``"svg"`` or None;
* ``rules``: a variant: a TOML file or a dict, see `timeline_env.twilight_struggle.numbers.load_rules`; None for the game as it is;
* ``max_turns``: after so many decisions the game is cut short; None for never: every game ends by itself.

All raise ValueError for a value that is not allowed; the message names it and what is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from timeline_env.engine.devices import batch_on
from timeline_env.players import Player
from timeline_env.twilight_struggle import GAME
from timeline_env.wrappers.aec import CheckedEnv, RawEnv
from timeline_env.wrappers.gymnasium import SingleSeatEnv
from timeline_env.wrappers.gymnasium_vector import SeatVectorEnv
from timeline_env.wrappers.parallel import SimultaneousEnv

__all__ = ["batch", "env", "parallel_env", "raw_env", "single_seat_env", "vec_env", "vector_env"]

NAME = "twilight_struggle_v0"
PLAYERS = 2


def env(
    reward: str = "rank", render_mode: str | None = None, rules: Any = None, max_turns: int | None = None
) -> CheckedEnv:
    """PettingZoo's AEC environment; an illegal action ends the game with -1 for whoever took it."""
    return CheckedEnv(raw_env(reward, render_mode, rules, max_turns))


def raw_env(
    reward: str = "rank", render_mode: str | None = None, rules: Any = None, max_turns: int | None = None
) -> RawEnv:
    """The AEC environment without wrappers: faster; an illegal action raises ValueError and changes nothing."""
    return RawEnv(GAME, NAME, PLAYERS, reward, render_mode, rules, max_turns)


def parallel_env(
    reward: str = "rank", render_mode: str | None = None, rules: Any = None, max_turns: int | None = None
) -> SimultaneousEnv:
    """PettingZoo's parallel environment, with one action more, the last: to wait."""
    return SimultaneousEnv(GAME, NAME, PLAYERS, reward, render_mode, rules, max_turns)


def single_seat_env(
    opponents: Sequence[str | Player] = ("random",),
    seat: int | None = None,
    reward: str = "rank",
    rules: Any = None,
    render_mode: str | None = None,
) -> SingleSeatEnv:
    """Gymnasium's environment: one side learns, one of `opponents` plays the other; see `SingleSeatEnv`."""
    return SingleSeatEnv(GAME, NAME, PLAYERS, opponents, seat, reward, rules, render_mode)


def vec_env(
    num_envs: int = 256,
    opponents: Mapping[str, float] | None = None,
    reward: str = "rank",
    pieces: Iterable[str] | None = None,
    seed: int = 0,
    rules: Any = None,
) -> Any:
    """Stable-Baselines3's vector environment over one batch: a `timeline_env.wrappers.vector.SeatVecEnv`.

    Raises:
        MissingExtra: Stable-Baselines3 is not installed.
    """
    from timeline_env.wrappers.vector import SeatVecEnv

    return SeatVecEnv(GAME, num_envs, PLAYERS, opponents, reward, pieces, seed, rules)


def vector_env(
    num_envs: int = 256,
    opponents: Any = ("random",),
    reward: str = "rank",
    rules: Any = None,
    render_mode: None = None,
) -> SeatVectorEnv:
    """Gymnasium's vector environment over one batch: a `timeline_env.wrappers.gymnasium_vector.SeatVectorEnv`.

    ``gymnasium.make_vec("timeline/TwilightStruggle-v0", num_envs=256, vectorization_mode="vector_entry_point")`` is the
    same. It draws no pictures: `render_mode` is there because Gymnasium passes it, and must be None.
    """
    return SeatVectorEnv(GAME, num_envs, PLAYERS, opponents, reward, rules, render_mode)


def batch(
    num_games: int = 4096,
    seed: int = 0,
    reward: str = "rank",
    rules: Any = None,
    threads: int = 1,
    device: str = "cpu",
) -> Any:
    """Many games side by side: a `timeline_env.engine.batch.Batch`, on a GPU (`device` "cuda") a `CudaBatch`.

    Raises:
        ValueError: a value that is not allowed, named with what is.
    """
    return batch_on(device, GAME, num_games, PLAYERS, seed, reward, rules, threads)
