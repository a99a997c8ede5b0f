"""Timeline, version 0: what a user imports. ``from timeline_env import timeline_v0``.

The arguments that several of these share:

* ``num_players``: 2 to 6;
* ``reward``: ``"rank"``, ``"score"``, ``"win"`` or ``"lead"``, see `timeline_env.timeline.score.rewards`;
* ``render_mode``: ``"human"``, ``"ansi"``, ``"rgb_array"``, ``"svg"`` or None;
* ``rules``: a variant: a TOML file or a dict, see `timeline_env.timeline.numbers.load_rules`; None for the game as it is;
* ``max_turns``: after so many decisions (in Gymnasium's environments: of the learner) the game is cut short; None for
  never: every game ends by itself;
* ``normalize``: whether every number of the observation is divided by its scale, which `Layout.scale` tells: float32
  within -1 to 1, as networks learn from best;
* ``pledges``: whether players may pledge whom they will name (T28); False is the variant without, whatever `rules` says.

All raise ValueError for a value that is not allowed; the message names it and what is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, overload

from gymnasium.vector import AutoresetMode
from numpy.typing import DTypeLike

from timeline_env.engine.devices import batch_on
from timeline_env.engine.variants import changes
from timeline_env.players import Entrant
from timeline_env.timeline import GAME
from timeline_env.wrappers.aec import CheckedEnv, RawEnv
from timeline_env.wrappers.gymnasium import SingleSeatEnv
from timeline_env.wrappers.gymnasium_vector import SeatVectorEnv
from timeline_env.wrappers.parallel import SimultaneousEnv

if TYPE_CHECKING:
    from timeline_env.engine.batch import Batch
    from timeline_env.engine.cuda import CudaBatch
    from timeline_env.wrappers.vector import SeatVecEnv

__all__ = ["batch", "env", "parallel_env", "raw_env", "single_seat_env", "vec_env", "vector_env"]

NAME = "timeline_v0"


def env(
    num_players: int = 4,
    reward: str = "rank",
    render_mode: str | None = None,
    rules: Any = None,
    max_turns: int | None = None,
    normalize: bool = False,
    pledges: bool = True,
) -> CheckedEnv:
    """PettingZoo's AEC environment; an illegal action ends the game with -1 for whoever took it."""
    return CheckedEnv(raw_env(num_players, reward, render_mode, rules, max_turns, normalize, pledges))


def raw_env(
    num_players: int = 4,
    reward: str = "rank",
    render_mode: str | None = None,
    rules: Any = None,
    max_turns: int | None = None,
    normalize: bool = False,
    pledges: bool = True,
) -> RawEnv:
    """The AEC environment without wrappers: faster; an illegal action raises ValueError and changes nothing."""
    rules = variant(num_players, rules, pledges)
    return RawEnv(GAME, NAME, num_players, reward, render_mode, rules, max_turns, normalize)


def parallel_env(
    num_players: int = 4,
    reward: str = "rank",
    render_mode: str | None = None,
    rules: Any = None,
    max_turns: int | None = None,
    normalize: bool = False,
    pledges: bool = True,
) -> SimultaneousEnv:
    """PettingZoo's parallel environment, with one action more, the last: to wait."""
    rules = variant(num_players, rules, pledges)
    return SimultaneousEnv(GAME, NAME, num_players, reward, render_mode, rules, max_turns, normalize)


def single_seat_env(
    num_players: int = 4,
    opponents: Sequence[Entrant] = ("random",),
    seat: int | None = None,
    reward: str = "rank",
    rules: Any = None,
    render_mode: str | None = None,
    max_turns: int | None = None,
    normalize: bool = False,
    dtype: DTypeLike = "float32",
    pledges: bool = True,
) -> SingleSeatEnv:
    """Gymnasium's environment: one seat learns, `opponents` play the others; see `SingleSeatEnv`."""
    rules = variant(num_players, rules, pledges)
    return SingleSeatEnv(
        GAME, NAME, num_players, opponents, seat, reward, rules, render_mode, max_turns, normalize, dtype
    )


def vec_env(
    num_envs: int = 256,
    num_players: int = 4,
    opponents: Mapping[Any, float] | None = None,
    reward: str = "rank",
    pieces: Iterable[str] | None = None,
    seed: int = 0,
    rules: Any = None,
    normalize: bool = False,
    pledges: bool = True,
) -> SeatVecEnv:
    """Stable-Baselines3's vector environment over one batch: a `timeline_env.wrappers.vector.SeatVecEnv`.

    Raises:
        MissingExtra: Stable-Baselines3 is not installed.
    """
    from timeline_env.wrappers.vector import SeatVecEnv

    rules = variant(num_players, rules, pledges)
    return SeatVecEnv(GAME, num_envs, num_players, opponents, reward, pieces, seed, rules, normalize)


def vector_env(
    num_envs: int = 256,
    num_players: int = 4,
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
    pledges: bool = True,
) -> SeatVectorEnv:
    """Gymnasium's vector environment over one batch: a `timeline_env.wrappers.gymnasium_vector.SeatVectorEnv`.

    ``gymnasium.make_vec("timeline/Timeline-v0", num_envs=256)`` is the same.
    """
    rules = variant(num_players, rules, pledges)
    return SeatVectorEnv(
        GAME, NAME, num_envs, num_players, opponents, reward, rules, render_mode, seat, max_turns, normalize, dtype,
        autoreset_mode, copy,
    )  # fmt: skip


@overload
def batch(
    num_games: int = ...,
    num_players: int = ...,
    seed: int = ...,
    reward: str = ...,
    rules: Any = ...,
    threads: int = ...,
    device: Literal["cpu"] = ...,
    pledges: bool = ...,
) -> Batch: ...


@overload
def batch(
    num_games: int = ...,
    num_players: int = ...,
    seed: int = ...,
    reward: str = ...,
    rules: Any = ...,
    threads: int = ...,
    *,
    device: str,
    pledges: bool = ...,
) -> Batch | CudaBatch: ...


def batch(
    num_games: int = 4096,
    num_players: int = 4,
    seed: int = 0,
    reward: str = "rank",
    rules: Any = None,
    threads: int = 1,
    device: str = "cpu",
    pledges: bool = True,
) -> Batch | CudaBatch:
    """Many games side by side: a `timeline_env.engine.batch.Batch`, on a GPU (`device` "cuda") a `CudaBatch`.

    Raises:
        ValueError: a value that is not allowed, named with what is.
    """
    rules = variant(num_players, rules, pledges)
    return batch_on(device, GAME, num_games, num_players, seed, reward, rules, threads)


def variant(num_players: int, rules: Any, pledges: bool) -> Any:
    """What `rules` changes, and without `pledges` that nobody may pledge (R18).

    Raises:
        ValueError: `pledges` is neither True nor False; or there is no such variant for this number of players.
    """
    if type(pledges) is not bool:
        raise ValueError(f"pledges {pledges!r} must be True or False")
    if pledges:
        return rules
    GAME.load_rules(num_players, rules)  # names what is not allowed in it
    changed = changes(rules)
    return changed | {"agreements": changed.get("agreements", {}) | {"pledges": 0}}
