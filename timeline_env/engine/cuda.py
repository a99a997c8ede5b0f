"""The batch on a GPU: one thread a game, the same rule functions as kernels, all arrays staying on the device.

``timeline_v0.batch(device="cuda")`` gives a `CudaBatch`. Its arrays are device arrays with ``__cuda_array_interface__``;
`CudaBatch.tensors` shows them to PyTorch without a copy. With ``NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1`` the kernels
run in CUDA's simulator, on any machine.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numba import cuda
from numpy.typing import ArrayLike

from timeline_env.engine.batch import TENSORS, Batch, check_integer, check_views, game_seeds, picker_seeds
from timeline_env.engine.loops import look, restart, step_game, step_random
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import deal, observe
from timeline_env.extras import require

THREADS_A_BLOCK = 64
"""Few enough that a batch of some thousand games reaches every multiprocessor."""

DECISIONS_A_LAUNCH = 1_000
"""Of random play in each game: some tenths of a second. Ctrl-C waits for a kernel to end."""

ARRAYS = ("rules", "states", "observation", "action_mask", "seat", "reward", "done", "points", "rank", "pickers")
"""The arrays of a batch that live on the device."""


def deal_kernel(rules, S, seeds, observation, mask, seat):
    """Deal every game from its seed."""
    i = cuda.grid(1)
    if i < S.shape[0]:
        deal(rules[0], S[i], seeds[i])
        look(rules, S, i, observation, mask, seat)


def restart_kernel(rules, S, observation, mask, seat):
    """Deal every game again, each from the seed that follows its own."""
    i = cuda.grid(1)
    if i < S.shape[0]:
        restart(rules, S, i)
        look(rules, S, i, observation, mask, seat)


def illegal_kernel(mask, actions, illegal):
    """Count the actions that are not legal into `illegal[0]` and name one such game in `illegal[1]`."""
    i = cuda.grid(1)
    if i < mask.shape[0] and (actions[i] < 0 or actions[i] >= mask.shape[1] or mask[i, actions[i]] == 0):
        cuda.atomic.add(illegal, 0, 1)
        illegal[1] = i


def step_kernel(rules, S, actions, kind, observation, mask, seat, reward, done, points, rank):
    """One decision in every game; a game that ends is dealt again."""
    i = cuda.grid(1)
    if i < S.shape[0]:
        step_game(rules, S, i, actions[i], kind, True, observation, mask, seat, reward, done, points, rank)


def random_kernel(rules, S, pickers, steps, kind, observation, mask, seat, reward, done, points, rank):
    """`steps` uniformly random legal decisions in every game, all buffers written each time."""
    i = cuda.grid(1)
    if i < S.shape[0]:
        for _ in range(steps):
            step_random(rules, S, i, pickers, kind, observation, mask, seat, reward, done, points, rank)


def observe_kernel(rules, S, games, seats, out):
    """What the seat in the row of each game sees there."""
    k = cuda.grid(1)
    if k < games.shape[0]:
        observe(rules[0], S[games[k]], seats[k], out[k])


@cache
def _compile(kernel: Any) -> Any:
    return cuda.jit(kernel)


class CudaBatch:
    """`num_games` games on the GPU, one decision in each per step; a game that ends is dealt again at once.

    The same as `timeline_env.engine.batch.Batch`, byte for byte, with its arrays on the device: `observation`,
    `action_mask`, `seat`, `reward`, `done`, `points`, `rank`, `states`, `rules`.

    Args:
        setting, num_games, seed, reward: as for `Batch`.

    Raises:
        ValueError: a value that is not allowed, or there is no GPU that numba can use.
    """

    rules: Any
    states: Any
    observation: Any
    action_mask: Any
    seat: Any
    reward: Any
    done: Any
    points: Any
    rank: Any
    pickers: Any

    def __init__(self, setting: Setting, num_games: int, seed: int = 0, reward: str = "rank") -> None:
        if not cuda.is_available():
            raise ValueError("device 'cuda': no GPU that numba can use; allowed here: 'cpu'")
        # Checked and dealt on the host, which gives the same bytes; then everything moves over.
        host = Batch(setting, num_games, seed, reward)
        self.setting, self.game = setting, setting.game
        self.num_games, self.num_players = host.num_games, host.num_players
        self.num_actions, self.layout, self.reward_kind = host.num_actions, host.layout, host.reward_kind
        for name in ARRAYS:
            setattr(self, name, cuda.to_device(getattr(host, name)))
        self._illegal = cuda.to_device(np.zeros(2, np.int64))

    def _launch(self, kernel: Any, *arguments: Any, count: int | None = None) -> None:
        blocks = -(-(count or self.num_games) // THREADS_A_BLOCK)
        _compile(kernel)[blocks, THREADS_A_BLOCK](*arguments)

    def _look_arrays(self) -> tuple[Any, ...]:
        return self.observation, self.action_mask, self.seat

    def _result_arrays(self) -> tuple[Any, ...]:
        return self.reward, self.done, self.points, self.rank

    def reset(self, seed: int | None = None) -> None:
        """Deal all games again: from `seed` (0 to 2**64 - 1), or each from the seed that follows its own."""
        for name in ("reward", "done", "points", "rank"):
            array = getattr(self, name)
            array.copy_to_device(np.zeros(array.shape, array.dtype))
        if seed is None:
            self._launch(restart_kernel, self.rules, self.states, *self._look_arrays())
            return
        self.pickers.copy_to_device(picker_seeds(seed, self.num_games))
        seeds = cuda.to_device(game_seeds(seed, self.num_games))
        self._launch(deal_kernel, self.rules, self.states, seeds, *self._look_arrays())

    def step(self, actions: Any) -> None:
        """Take one decision in every game.

        Args:
            actions: int64 [n] on the device: a device array, a PyTorch tensor, or anything with
                ``__cuda_array_interface__``.

        Raises:
            ValueError: an action is not legal; nothing was played.
        """
        chosen = actions if isinstance(actions, type(self.seat)) else cuda.as_cuda_array(actions)
        if chosen.shape != (self.num_games,) or chosen.dtype != np.int64:
            raise ValueError(f"actions must be int64 of shape ({self.num_games},), not {chosen.dtype} {chosen.shape}")
        self._illegal.copy_to_device(np.zeros(2, np.int64))
        self._launch(illegal_kernel, self.action_mask, chosen, self._illegal)
        count, game = self._illegal.copy_to_host()
        if count:
            raise ValueError(f"{count} actions are not legal, among them that of game {game}")
        arguments = (self.rules, self.states, chosen, self.reward_kind)
        self._launch(step_kernel, *arguments, *self._look_arrays(), *self._result_arrays())

    def play_random(self, steps: int) -> None:
        """Take `steps` uniformly random legal decisions in every game, inside the kernel. Returns before the last ones are done.

        Raises:
            ValueError: `steps` is not an integer of at least 0.
        """
        steps = check_integer("steps", steps, 0)
        while steps:
            at_once = min(steps, DECISIONS_A_LAUNCH)
            arguments = (self.rules, self.states, self.pickers, at_once, self.reward_kind)
            self._launch(random_kernel, *arguments, *self._look_arrays(), *self._result_arrays())
            steps -= at_once
            if steps:
                cuda.synchronize()  # else all launches would queue up, and Ctrl-C wait for them

    def observe(self, games: ArrayLike, seats: ArrayLike) -> Any:
        """What any seats see, whichever seat is to act: int8 [k, d], a new device array; see `Batch.observe`."""
        chosen, lookers = check_views(games, seats, self.num_games, self.num_players)
        out = cuda.device_array((len(chosen), self.layout.size), np.int8)
        arguments = (self.rules, self.states, cuda.to_device(chosen), cuda.to_device(lookers), out)
        self._launch(observe_kernel, *arguments, count=len(chosen))
        return out

    def tensors(self) -> dict[str, Any]:
        """Observation, mask, seat, reward and done as PyTorch tensors over the same memory, by name."""
        torch = require("torch", "train")
        return {name: torch.as_tensor(getattr(self, name), device="cuda") for name in TENSORS}
