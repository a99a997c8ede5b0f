"""The batch on a GPU: the same rule functions as kernels, all arrays staying on the device.

``timeline_v0.batch(device="cuda")`` gives a `CudaBatch`. Its arrays are device arrays with ``__cuda_array_interface__``;
`CudaBatch.tensors` shows them to PyTorch without a copy. With ``NUMBA_ENABLE_CUDASIM=1 NUMBA_DISABLE_JIT=1`` the kernels
run in CUDA's simulator, on any machine.

A decision takes two kernels, because they need different things from the device: playing branches and needs many
registers, observing writes most of the bytes. `play_kernel` has one thread per game. `observe_kernel` has one block for
several games: it gathers their rows in the block's shared memory and then writes them out together.
"""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
from numba import cuda, types
from numpy.typing import ArrayLike, NDArray

from timeline_env.engine.batch import TENSORS, Batch, check_views, game_seeds, picker_seeds, tensor_over
from timeline_env.engine.jit import config
from timeline_env.engine.loops import ask, next_seed, pick_random_action, play_game
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import deal, observe
from timeline_env.extras import hint, require
from timeline_env.reading import check_integer

NUMBA_CUDA = "numba_cuda", "cuda"
"""The module that numba needs for a GPU, and the extra that it comes with."""
THREADS_A_BLOCK = 64
"""Few enough that a batch of a few thousand games reaches every multiprocessor."""

OBSERVERS_A_BLOCK = 32
"""One warp: all its threads write, and as many of them observe as `VIEWS_A_BLOCK` says."""

VIEWS_A_BLOCK = 8
"""Few, so that the rows of many blocks fit in the shared memory of a multiprocessor: 13 to 25 KB per block, of 164 KB or more."""

SHARED_BYTES = 48 * 1024
"""The shared memory that a block may have without asking the driver for more."""

MOST_WORKERS = 32_768
"""The most threads of a kernel whose threads need room for positions of their own: at most 120 MB for each such position."""

DECISIONS_AHEAD = 1_000
"""Decisions of random play in each game that are queued up at once: some tenths of a second. Ctrl-C waits for kernels to end."""

GLOBAL_MEMORY = 1
"""The address space of global memory, in LLVM for NVIDIA's devices."""

OURS = "timeline_env"
"""Part of the compiled name of each of our functions."""

ARRAYS = ("rules", "states", "observation", "action_mask", "seat", "reward", "done", "points", "rank", "pickers")
"""The arrays of a batch that live on the device."""


def deal_kernel(rules, S, seeds, mask, seat):
    """Deal every game from its seed."""
    i = cuda.grid(1)
    if i < S.shape[0]:
        deal(rules[0], S[i], seeds[i])
        ask(rules, S, i, mask, seat)


def follow_kernel(S, seeds):
    """Write the seed that follows each game's own into `seeds`."""
    i = cuda.grid(1)
    if i < S.shape[0]:
        seeds[i] = next_seed(S[i].seed)


def illegal_kernel(mask, actions, illegal):
    """Count the actions that are not legal into `illegal[0]` and name one such game in `illegal[1]`."""
    i = cuda.grid(1)
    if i < mask.shape[0] and (actions[i] < 0 or actions[i] >= mask.shape[1] or mask[i, actions[i]] == 0):
        cuda.atomic.add(illegal, 0, 1)
        illegal[1] = i


def play_kernel(rules, S, actions, kind, mask, seat, reward, done, points, rank, illegal):
    """Take one decision in every game, without its observation; a game that ends is dealt again.

    A game whose action is not legal stands still, earns nothing, and is counted as by `illegal_kernel`.
    """
    i = cuda.grid(1)
    if i < S.shape[0]:
        if 0 <= actions[i] < mask.shape[1] and mask[i, actions[i]] != 0:
            play_game(rules, S, i, actions[i], kind, True, mask, seat, reward, done, points, rank)
        else:
            cuda.atomic.add(illegal, 0, 1)
            illegal[1] = i
            done[i] = False
            for player in range(reward.shape[1]):
                reward[i, player] = 0.0


def pick_kernel(mask, pickers, actions):
    """Write a uniformly random legal action for every game into `actions`."""
    i = cuda.grid(1)
    if i < mask.shape[0]:
        actions[i] = pick_random_action(mask, pickers, i)


def observe_kernel(rules, S, games, seats, views, size, out):
    """Write what each game's seat, in the same row of `seats`, sees (seat 0 where the game is over), `views` rows per block.

    The first threads of a block observe, each into its row of the shared memory, by the same function as on the CPU. Then
    all threads copy the rows out: the rows follow one another there as they do in `out` (int8 [k * size]), so a warp writes
    32 consecutive bytes at a time.
    """
    tile = cuda.shared.array(0, types.int8)
    first, thread = cuda.blockIdx.x * views, cuda.threadIdx.x
    count = min(views, games.shape[0] - first)
    if thread < count:
        k = first + thread
        observe(rules[0], S[games[k]], max(seats[k], 0), tile[thread * size : (thread + 1) * size])
    cuda.syncthreads()
    for byte in range(thread, count * size, cuda.blockDim.x):
        out[first * size + byte] = tile[byte]


def check_gpu() -> None:
    """Raise ValueError if there is no GPU that numba can use, and MissingExtra without what the extra ``cuda`` installs."""
    if not cuda.is_available():
        module, extra = NUMBA_CUDA
        why = "" if find_spec(module) else f"; without {module} it finds none: {hint(extra)}"
        raise ValueError(f"device 'cuda': no GPU that numba can use; allowed here: 'cpu'{why}")
    if not config.ENABLE_CUDASIM:
        require(*NUMBA_CUDA)


@cache
def compile_for_device(kernel: Any) -> Any:
    """The kernel as the device runs it; compiled for the kinds of its arguments at its first launch, and kept for later runs."""
    dispatcher = cuda.jit(kernel)
    if not config.ENABLE_CUDASIM:
        from timeline_env.engine.kernel_cache import keep_kernel

        share_tables()
        keep_kernel(dispatcher)
    return dispatcher


def configure_launch(kernel: Any, *at: int) -> Any:
    """The kernel for so many blocks, of so many threads, and so on; without numba's warning that these are too few.

    How many games there are is the user's choice. Numba gives this warning only here, and the setting for it is put back at once,
    so that the user's own kernels keep theirs.
    """
    previous, config.CUDA_LOW_OCCUPANCY_WARNINGS = config.CUDA_LOW_OCCUPANCY_WARNINGS, 0
    try:
        return compile_for_device(kernel)[at]
    finally:
        config.CUDA_LOW_OCCUPANCY_WARNINGS = previous


@cache
def share_tables() -> None:
    """Make every table that our rules read be in a kernel only once, in the device's global memory, from now on.

    Numba puts a copy for each place that reads a table into constant memory, of which there are 64 KB: the kernels of Twilight
    Struggle had 786 KB. This leans on a method that numba-cuda does not document. Other people's kernels keep their copies.
    """
    from llvmlite import ir
    from numba.cuda.target import CUDATargetContext

    target: Any = CUDATargetContext  # a method of it is replaced
    make_copy = target.make_constant_array

    def make_shared(context: Any, builder: Any, kind: Any, table: Any) -> Any:
        if OURS not in builder.function.name or not table.flags.c_contiguous:
            return make_copy(context, builder, kind, table)
        content = table.tobytes()
        name = f"table_{hashlib.sha256(content).hexdigest()[:24]}"
        held = builder.module.globals.get(name)
        if held is None:
            held = ir.GlobalVariable(builder.module, ir.ArrayType(ir.IntType(8), len(content)), name, GLOBAL_MEMORY)
            held.linkage = "linkonce_odr"  # each function of a kernel brings a copy; one is kept
            held.global_constant = True
            held.initializer = ir.Constant(held.value_type, bytearray(content))
            held.align = 16
        array = context.make_array(kind)(context, builder)
        context.populate_array(
            array,
            data=builder.bitcast(builder.addrspacecast(held, ir.IntType(8).as_pointer()), array.data.type),
            shape=[context.get_constant(types.intp, size) for size in table.shape],
            strides=[context.get_constant(types.intp, stride) for stride in table.strides],
            itemsize=array.itemsize,
            parent=array.parent,
            meminfo=None,
        )
        return array._getvalue()

    target.make_constant_array = make_shared


def to_device(array: NDArray[Any]) -> Any:
    """A copy of the array on the device.

    Records move as bytes: numba asks for the memory of an array, and numpy exports none for records with overlays.
    """
    if array.dtype.fields is None:
        return cuda.to_device(array)
    moved = cuda.to_device(array.view(np.uint8))
    records = moved.view(array.dtype)
    return type(moved)(records) if config.ENABLE_CUDASIM else records  # the simulator's view is the host's


def blocks_of(count: int, a_block: int) -> int:
    """How many blocks of `a_block` hold `count`; at least one."""
    return max(1, -(-count // a_block))


class CudaBatch:
    """`num_games` games on the GPU, one decision in each per step; a game that ends is dealt again at once.

    The same as `timeline_env.engine.batch.Batch`, byte for byte, with its arrays on the device: `observation`,
    `action_mask`, `seat`, `reward`, `done`, `points`, `rank`, `states`, `rules`. Kernels run one after the other on the
    default stream, which is PyTorch's too.

    Attributes:
        threads_a_block, views_a_block: how kernels are launched; the results do not depend on it.

    Args:
        setting, num_games, seed, reward: as for `Batch`.

    Raises:
        ValueError: a value that is not allowed, or there is no GPU that numba can use.
        MissingExtra: numba-cuda is not installed.
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

    def __init__(self, setting: Setting, num_games: int, seed: int | None = 0, reward: str = "rank") -> None:
        check_gpu()
        # Checked and dealt on the host, which gives the same bytes; then everything moves over.
        host = Batch(setting, num_games, seed, reward)
        self.setting, self.game = setting, setting.game
        self.num_games, self.num_players = host.num_games, host.num_players
        self.num_actions, self.layout, self.reward_kind = host.num_actions, host.layout, host.reward_kind
        if self.layout.size > SHARED_BYTES:
            raise ValueError(
                f"device 'cuda': an observation of {self.layout.size} numbers; allowed: at most {SHARED_BYTES}"
            )
        self.threads_a_block, self.views_a_block = THREADS_A_BLOCK, VIEWS_A_BLOCK
        for name in ARRAYS:
            setattr(self, name, to_device(getattr(host, name)))
        self._all, self._picked = (to_device(np.arange(self.num_games)) for _ in range(2))
        self._illegal = to_device(np.zeros(2, np.int64))

    def launch(self, kernel: Any, *arguments: Any, count: int | None = None) -> None:
        """Start a kernel of one thread a game, or with `count` threads. Does not wait for it."""
        blocks = blocks_of(self.num_games if count is None else count, self.threads_a_block)
        configure_launch(kernel, blocks, self.threads_a_block)(*arguments)

    def _write_views(self, games: Any, seats: Any, out: Any) -> None:
        """Start observing the games from the seats, all int64 [k] on the device, into `out` (int8 [k, d])."""
        views = min(self.views_a_block, OBSERVERS_A_BLOCK, SHARED_BYTES // self.layout.size)
        at = blocks_of(len(games), views), OBSERVERS_A_BLOCK, 0, views * self.layout.size
        configure_launch(observe_kernel, *at)(
            self.rules, self.states, games, seats, views, self.layout.size, out.ravel()
        )

    def _observe_all(self) -> None:
        self._write_views(self._all, self.seat, self.observation)

    def _play(self, actions: Any) -> None:
        self.launch(
            play_kernel, self.rules, self.states, actions, self.reward_kind, self.action_mask, self.seat, self.reward,
            self.done, self.points, self.rank, self._illegal,
        )  # fmt: skip

    def reset(self, seed: int | None = None) -> None:
        """Deal all games again: from `seed` (0 to 2**64 - 1), or each from the seed that follows its own.

        Raises:
            ValueError: a seed that is not allowed; nothing was changed.
        """
        if seed is None:
            seeds = cuda.device_array(self.num_games, np.uint64)
            self.launch(follow_kernel, self.states, seeds)
        else:
            seeds = to_device(game_seeds(seed, self.num_games))
            self.pickers.copy_to_device(picker_seeds(seed, self.num_games))
        for name in ("reward", "done", "points", "rank"):
            array = getattr(self, name)
            array.copy_to_device(np.zeros(array.shape, array.dtype))
        self.launch(deal_kernel, self.rules, self.states, seeds, self.action_mask, self.seat)
        self._observe_all()

    def step(self, actions: Any) -> None:
        """Take one decision in every game. Waits until the device has looked at the actions.

        Args:
            actions: int64 [n] on the device: a device array, a PyTorch tensor, or anything with
                ``__cuda_array_interface__``.

        Raises:
            ValueError: an action is not legal, or one of an earlier `step_async` was not; nothing was played.
        """
        chosen = self._on_device(actions)
        self.launch(illegal_kernel, self.action_mask, chosen, self._illegal)
        self.check()
        self._play(chosen)
        self._observe_all()

    def step_async(self, actions: Any) -> None:
        """Take one decision in every game, and return before it is done: the host never waits for the device.

        A game whose action is not legal stands still: its `reward` is 0, it is not `done`. The next `check` or `step` raises the error.

        Args:
            actions: as for `step`.
        """
        self._play(self._on_device(actions))
        self._observe_all()

    def check(self) -> None:
        """Wait for the device. Raises ValueError if an action since the last check was not legal."""
        count, game = self._illegal.copy_to_host()
        if count:
            self._illegal.copy_to_device(np.zeros(2, np.int64))
            raise ValueError(f"{count} actions are not legal, among them that of game {game}")

    def _on_device(self, actions: Any) -> Any:
        """The actions as a device array. Raises ValueError if they have another shape or kind."""
        chosen = actions
        if not isinstance(actions, type(self.seat)):
            # The simulator's device is the host. Elsewhere both sides use the default stream: there is nothing to wait for.
            simulated = config.ENABLE_CUDASIM
            if not simulated and not hasattr(actions, "__cuda_array_interface__"):
                raise ValueError(
                    f"actions must be int64 of shape ({self.num_games},) on the device, not a {type(actions).__name__} on the host"
                )
            chosen = to_device(np.asarray(actions)) if simulated else cuda.as_cuda_array(actions, sync=False)
        if chosen.shape != (self.num_games,) or chosen.dtype != np.int64:
            raise ValueError(f"actions must be int64 of shape ({self.num_games},), not {chosen.dtype} {chosen.shape}")
        return chosen

    def play_random(self, steps: int, observed: bool = True) -> None:
        """Take `steps` uniformly random legal decisions in every game. Returns before the last ones are done.

        Args:
            steps: how many, at least 0.
            observed: whether the observation is written after each of them, or after the last one alone.

        Raises:
            ValueError: `steps` is not an integer of at least 0.
        """
        steps = check_integer("steps", steps, 0)
        for done in range(1, steps + 1):
            self.launch(pick_kernel, self.action_mask, self.pickers, self._picked)
            self._play(self._picked)
            if observed or done == steps:
                self._observe_all()
            if done % DECISIONS_AHEAD == 0 and done < steps:
                cuda.synchronize()  # else all launches would queue up, and Ctrl-C wait for them

    def observe(self, games: ArrayLike, seats: ArrayLike) -> Any:
        """What any seats see, whichever seat is to act: int8 [k, d], a new device array; see `Batch.observe`."""
        chosen, lookers = check_views(games, seats, self.num_games, self.num_players)
        out = cuda.device_array((len(chosen), self.layout.size), np.int8)
        self._write_views(to_device(chosen), to_device(lookers), out)
        return out

    def tensors(self) -> dict[str, Any]:
        """Observation, mask, seat, reward and done as PyTorch tensors over the same memory, by name."""
        return {name: tensor_over(getattr(self, name)) for name in TENSORS}
