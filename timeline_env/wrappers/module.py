"""What a game's module ``…_v0`` offers its users: every environment of the game, and its batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

from gymnasium.vector import AutoresetMode
from numpy.typing import DTypeLike

from timeline_env.engine.common import CommonForm
from timeline_env.engine.devices import batch_on
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.players import Entrant
from timeline_env.reading import quote
from timeline_env.wrappers.aec import CheckedEnv, RawEnv
from timeline_env.wrappers.gymnasium import SingleSeatEnv
from timeline_env.wrappers.gymnasium_vector import SeatVectorEnv
from timeline_env.wrappers.one_game import describe_pictures
from timeline_env.wrappers.parallel import SimultaneousEnv

if TYPE_CHECKING:
    from timeline_env.engine.batch import Batch
    from timeline_env.engine.cuda import CudaBatch
    from timeline_env.wrappers.vector import SeatVecEnv

Maker = TypeVar("Maker", bound=Callable[..., Any])


def tell_pictures(make: Maker) -> Maker:
    """Let `gymnasium.make` see the render modes of what this makes, as it sees those of a class: with them it offers
    ``rgb_array_list`` and ``ansi_list``, the pictures of all decisions.
    """
    make.__dict__["metadata"] = describe_pictures()
    return make


class Environments:
    """Makes the environments of one game. Its methods are the functions of the game's module ``…_v0``.

    The arguments that several of them share:

    * ``num_players``: how many seats; None for the game's usual number;
    * ``reward``: the kind of reward, one of the game's;
    * ``render_mode``: ``"human"``, ``"ansi"``, ``"rgb_array"``, ``"svg"`` or None;
    * ``rules``: a variant: a TOML file or a dict, see the game's ``load_rules``; None for the game as it is;
    * ``max_turns``: after this many decisions (in Gymnasium's environments: of the learner) the game is truncated; None
      for never;
    * ``normalize``: whether every number of the observation is divided by its scale, see `Layout.scale`:
      float32 within -1 to 1, which networks learn from best;
    * ``common``: whether observations and masks have the same form for every number of players, see
      `timeline_env.engine.common.CommonForm`;
    * ``switches``: the switches of the game (see `Game.switches`), each True or False; False changes `rules`.

    All raise ValueError for a value that is not allowed; the message names it and what is.

    Args:
        game: the game.
        name: the environments' name with its version, as in ``timeline_v0``.
    """

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.name = game, name

    def env(
        self,
        num_players: int | None = None,
        reward: str = "rank",
        render_mode: str | None = None,
        rules: Any = None,
        max_turns: int | None = None,
        normalize: bool = False,
        common: bool = False,
        **switches: bool,
    ) -> CheckedEnv:
        """PettingZoo's AEC environment; an illegal action ends the game with -1 for the agent that took it."""
        return CheckedEnv(
            self.raw_env(num_players, reward, render_mode, rules, max_turns, normalize, common, **switches)
        )

    def raw_env(
        self,
        num_players: int | None = None,
        reward: str = "rank",
        render_mode: str | None = None,
        rules: Any = None,
        max_turns: int | None = None,
        normalize: bool = False,
        common: bool = False,
        **switches: bool,
    ) -> RawEnv:
        """The AEC environment without wrappers: faster; an illegal action raises ValueError and changes nothing."""
        setting = self._setting(num_players, rules, switches)
        return RawEnv(setting, self.name, reward, render_mode, max_turns, normalize, common)

    def parallel_env(
        self,
        num_players: int | None = None,
        reward: str = "rank",
        render_mode: str | None = None,
        rules: Any = None,
        max_turns: int | None = None,
        normalize: bool = False,
        common: bool = False,
        **switches: bool,
    ) -> SimultaneousEnv:
        """PettingZoo's parallel environment, with one action more, the last: to wait."""
        setting = self._setting(num_players, rules, switches)
        return SimultaneousEnv(setting, self.name, reward, render_mode, max_turns, normalize, common)

    @tell_pictures
    def single_seat_env(
        self,
        num_players: int | None = None,
        opponents: Sequence[Entrant] = ("random",),
        seat: int | None = None,
        reward: str = "rank",
        rules: Any = None,
        render_mode: str | None = None,
        max_turns: int | None = None,
        normalize: bool = False,
        dtype: DTypeLike = "float32",
        **switches: bool,
    ) -> SingleSeatEnv:
        """Gymnasium's environment: one seat learns, `opponents` play the others; see `SingleSeatEnv`."""
        setting = self._setting(num_players, rules, switches)
        return SingleSeatEnv(setting, self.name, opponents, seat, reward, render_mode, max_turns, normalize, dtype)

    def vec_env(
        self,
        num_envs: int = 256,
        num_players: int | None = None,
        opponents: Mapping[Any, float] | Iterable[Any] | None = None,
        reward: str = "rank",
        pieces: Iterable[str] | None = None,
        seed: int | None = 0,
        rules: Any = None,
        normalize: bool = False,
        **switches: bool,
    ) -> SeatVecEnv:
        """Stable-Baselines3's vector environment over one batch: a `timeline_env.wrappers.vector.SeatVecEnv`.

        Raises:
            MissingExtra: Stable-Baselines3 is not installed.
        """
        from timeline_env.wrappers.vector import SeatVecEnv

        setting = self._setting(num_players, rules, switches)
        return SeatVecEnv(setting, num_envs, opponents, reward, pieces, seed, normalize)

    def vector_env(
        self,
        num_envs: int = 256,
        num_players: int | None = None,
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
        **switches: bool,
    ) -> SeatVectorEnv:
        """Gymnasium's vector environment over one batch: a `timeline_env.wrappers.gymnasium_vector.SeatVectorEnv`.

        ``gymnasium.make_vec`` with the game's id, as in ``timeline/Timeline-v0``, is the same, except that it has one game
        unless `num_envs` is given.
        """
        setting = self._setting(num_players, rules, switches)
        return SeatVectorEnv(
            setting, self.name, num_envs, opponents, reward, render_mode, seat, max_turns, normalize, dtype,
            autoreset_mode, copy,
        )  # fmt: skip

    @overload
    def batch(
        self,
        num_games: int = ...,
        num_players: int | None = ...,
        seed: int | None = ...,
        reward: str = ...,
        rules: Any = ...,
        threads: int = ...,
        device: Literal["cpu"] = ...,
        **switches: bool,
    ) -> Batch: ...

    @overload
    def batch(
        self,
        num_games: int = ...,
        num_players: int | None = ...,
        seed: int | None = ...,
        reward: str = ...,
        rules: Any = ...,
        threads: int = ...,
        *,
        device: str,
        **switches: bool,
    ) -> Batch | CudaBatch: ...

    def batch(
        self,
        num_games: int = 4096,
        num_players: int | None = None,
        seed: int | None = 0,
        reward: str = "rank",
        rules: Any = None,
        threads: int = 1,
        device: str = "cpu",
        **switches: bool,
    ) -> Batch | CudaBatch:
        """Many games side by side: a `timeline_env.engine.batch.Batch`, on a GPU (`device` "cuda") a `CudaBatch`.

        Args:
            device: ``"cpu"``, or ``"cuda"`` for a GPU.

        Raises:
            ValueError: a value is not allowed; the message names it and what is allowed.
        """
        setting = self._setting(num_players, rules, switches)
        return batch_on(device, setting, num_games, seed, reward, threads)

    def common_form(self, num_players: int | None = None) -> CommonForm:
        """How the observations and masks of a batch for this number of players lie in the form that is the same for all numbers.

        Raises:
            ValueError: the game is not for so many players, or has no common form.
        """
        return CommonForm(self.game, self._setting(num_players, None, {}).num_players)

    def _setting(self, num_players: int | None, rules: Any, switches: Mapping[str, bool]) -> Setting:
        """What is played, with the changes of `rules` and of every switch that is off.

        Raises:
            TypeError: there is no such switch.
            ValueError: a switch is neither True nor False; or there is no such variant for this number of players.
        """
        setting = Setting(self.game, num_players, rules)
        for name, on in switches.items():
            if name not in self.game.switches:
                # In Python's words: TorchRL tries an argument that few environments have, and reads them.
                raise TypeError(f"{self.name} got an unexpected keyword argument {name!r}")
            if type(on) is not bool:
                raise ValueError(f"{name} {quote(on)} must be True or False")
            if not on:
                off = {table: setting.changes.get(table, {}) | it for table, it in self.game.switches[name].items()}
                setting = Setting(self.game, num_players, setting.changes | off)
        return setting
