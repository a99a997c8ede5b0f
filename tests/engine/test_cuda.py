"""The batch on a GPU, as far as it can be seen without one: the kernels compile, and the simulator plays the same games."""

from __future__ import annotations

import ast

import pytest

from tests.simulator import run, simulate

SIMULATED = """
    import sys
    import numpy as np
    from numba import cuda
    from timeline_env import timeline_v0, twilight_struggle_v0
    from timeline_env.engine import cuda as kernels
    from timeline_env.engine.cuda import ARRAYS

    kernels.DECISIONS_AHEAD = 40  # so that more than that are asked for
    kernels.OBSERVERS_A_BLOCK = 4  # the simulator has a thread of the host for each
    waits = []
    cuda.synchronize = lambda: waits.append(1)
    v0 = {"timeline": timeline_v0, "twilight_struggle": twilight_struggle_v0}[sys.argv[1]]

    def check_same(here, there, names=ARRAYS):
        for name in names:
            expected, found = np.asarray(getattr(here, name)), getattr(there, name).copy_to_host()
            assert expected.tobytes() == np.asarray(found).tobytes(), name

    def refused(call, *arguments):
        try:
            call(*arguments)
        except ValueError as error:
            return str(error)
        raise AssertionError("nothing was refused")

    for players in map(int, sys.argv[2:]):
        here = v0.batch(3, players, seed=3)
        there = v0.batch(3, players, seed=3, device="cuda")
        there.threads_a_block, there.views_a_block = 2, 2  # so that there is a block that is not full
        here.play_random(100)
        there.play_random(50)
        there.play_random(50, observed=False)
        check_same(here, there)
        assert len(waits) == 2  # Ctrl-C is heard between the launches
        waits.clear()
        actions = here.action_mask.argmax(axis=1)
        here.step(actions)
        there.step(cuda.to_device(actions))
        check_same(here, there)
        actions = here.action_mask.argmax(axis=1)
        here.step(actions)
        there.step_async(actions)
        there.check()
        check_same(here, there)
        seats = np.arange(5) % players
        games = [0, 1, 2, 1, 0]
        assert here.observe(games, seats).tobytes() == np.asarray(there.observe(games, seats).copy_to_host()).tobytes()

        kernels.config.ENABLE_CUDASIM = 0  # as on a GPU, where actions on the host are refused before anything is launched
        assert "on the device, not a ndarray on the host" in refused(there.step, actions)
        kernels.config.ENABLE_CUDASIM = 1

        wrong = here.action_mask.argmax(axis=1)
        wrong[1] = 9999
        told = "1 actions are not legal, among them that of game 1"
        assert refused(there.step, cuda.to_device(wrong)) == told
        check_same(here, there)  # nothing was played
        there.step_async(cuda.to_device(wrong))
        others = np.array([0, 2])
        here.step(wrong[others], others)
        here.reward[1], here.done[1] = 0, False
        check_same(here, there)  # that game stands still, the others go on
        assert refused(there.check) == told
        there.check()  # it is told once
        assert refused(there.step_async, np.zeros(2, np.int64)) == "actions must be int64 of shape (3,), not int64 (2,)"
        here.rank[:] = 1
        there.rank.copy_to_device(here.rank)
        assert refused(there.reset, -1) == refused(here.reset, -1)
        check_same(here, there)  # nothing was changed
        for seed in (9, None):
            here.reset(seed)
            there.reset(seed)
            check_same(here, there)
        for steps in (-1, 2.0, True):
            assert refused(there.play_random, steps) == f"steps {steps!r} must be an integer of at least 0"
        kernels.SHARED_BYTES = 100
        size = there.layout.size
        line = f"device 'cuda': an observation of {size} numbers; allowed: at most 100"
        assert refused(lambda: v0.batch(1, players, device="cuda")) == line
        kernels.SHARED_BYTES = 48 * 1024
    print("same bytes")
"""

COMPILED = """
    import re
    import sys
    from types import SimpleNamespace
    from numba import cuda, from_dtype, types
    import numba.cuda.compiler
    from timeline_env.engine import cuda as kernels
    from timeline_env.games import game_named
    from timeline_env.players.agents import cuda_appraiser
    from timeline_env.players.agents.prior import device_appraisers
    from timeline_env.players.search import on_device

    CONSTANT_MEMORY = 65_536  # bytes of it that a kernel may have

    # Without a GPU numba cannot ask which one to compile for: it is told.
    for module in list(sys.modules.values()):
        if module.__name__.startswith(("numba.cuda", "numba_cuda")) and hasattr(module, "get_current_device"):
            module.get_current_device = lambda: SimpleNamespace(compute_capability=(9, 0))

    def array(kind, dimensions):
        return types.Array(kind, dimensions, "C")

    game = game_named(sys.argv[1])
    rules, states = array(from_dtype(game.rules), 1), array(from_dtype(game.state), 1)
    mask, words, numbers = array(types.int8, 2), array(types.uint64, 1), array(types.int64, 1)
    floats, doubles, size = array(types.float32, 2), array(types.float64, 2), types.int64
    result, place = (floats, array(types.boolean, 1), floats, floats), (size, size)
    room = (states, states, mask, floats, floats, doubles)
    signatures = {
        kernels.follow_kernel: (states, words),
        kernels.illegal_kernel: (mask, numbers, numbers),
        kernels.pick_kernel: (mask, words, numbers),
        kernels.observe_kernel: (rules, states, numbers, numbers, *place, array(types.int8, 1)),
        kernels.play_kernel: (rules, states, numbers, size, mask, numbers, *result, numbers),
        kernels.deal_kernel: (rules, states, words, mask, numbers),
        cuda_appraiser.hide_kernel: (rules, states, numbers, states),
        on_device.flat_kernel: (
            rules, states, numbers, words, numbers, numbers, numbers, *place, *room, array(types.float64, 1)
        ),
    }
    for module in (kernels, cuda_appraiser, on_device):
        assert {kernel for name, kernel in vars(module).items() if name.endswith("_kernel")} <= set(signatures)
    for player in device_appraisers(game).values():
        kernel = cuda_appraiser.appraise_kernel_of(player.value_rule)
        signatures[kernel] = (rules, states, mask, numbers, states, size, doubles)
    assert kernels.compile_for_device(kernels.play_kernel)  # which has the tables shared from here on
    for kernel, signature in signatures.items():
        compiled, _ = numba.cuda.compiler._compile_pyfunc_with_fixup(
            kernel, signature, debug=False, device=False, abi="numba", cc=(9, 0),
            opt=False,  # a third of the time of optimized code
        )
        for capability in ((9, 0), (8, 0)):  # typed once, and written for both
            ptx = "".join(compiled.get_asm_strs(cc=capability))
            assert ".visible .entry" in ptx and ".target sm_%d%d" % capability in ptx, kernel
            constant = sum(map(int, re.findall(r"^\\.const .*?\\[(\\d+)\\]", ptx, re.M)))
            assert constant <= CONSTANT_MEMORY, (kernel, constant)
            assert not re.search(r"\\b(ld|st)[.a-z]*\\.v4", ptx), kernel  # records begin at a multiple of 8, not of 16
    print("compiled")
"""


@pytest.mark.parametrize("arguments", [("timeline", "2", "5"), ("twilight_struggle", "2")], ids=" ".join)
def test_simulated_kernels_play_the_same_bytes_as_the_cpu(arguments):
    assert simulate(SIMULATED, *arguments) == "same bytes"


@pytest.mark.parametrize("game", ["timeline", "twilight_struggle"])
def test_kernels_compile_to_ptx_for_both_capabilities(game):
    assert run(COMPILED, game, NUMBA_DISABLE_JIT="0") == "compiled"


ADVISED = """
    import warnings
    from numba import cuda
    from timeline_env.engine import cuda as kernels

    @cuda.jit
    def theirs():
        pass

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        kernels.configure_launch(kernels.pick_kernel, 1, 64)
        ours = len(said)
        theirs[1, 64]
    print(ours, len(said))
"""


def test_numba_advises_on_the_kernels_of_others_alone():
    assert run(ADVISED, NUMBA_DISABLE_JIT="0") == "0 1"


KEPT = """
    import sys
    from types import SimpleNamespace
    import numba.cuda.dispatcher
    import numba_cuda
    from numba.cuda.cudadrv import devices
    from numba.cuda.descriptor import cuda_target
    from numba.cuda import types
    from numba.cuda.core.caching import NullCache
    from timeline_env.engine import cuda as kernels
    from timeline_env.games import game_named
    from timeline_env.players.agents import cuda_appraiser
    from timeline_env.players.agents.prior import device_appraisers

    device = SimpleNamespace(compute_capability=(9, 0), id=0)
    devices.get_context = lambda: SimpleNamespace(device=device)
    numba.cuda.dispatcher.get_current_device = lambda: device
    context = cuda_target.target_context

    def array(kind, dimensions):
        return types.Array(kind, dimensions, "C")

    def cache_of(kernel):
        kernels.compile_for_device.cache_clear()  # as in a new run
        return kernels.compile_for_device(kernel)._cache

    def told(found):
        return None if found is None else (found.entry_name, *found._codelibrary.get_cubin(), len(found._codelibrary.llvm_strs))

    signature = (array(types.int8, 2), array(types.uint64, 1), array(types.int64, 1))
    game = game_named("timeline")
    over = [cuda_appraiser.appraise_kernel_of(player.value_rule) for player in device_appraisers(game).values()]
    if sys.argv[1] == "other":
        numba_cuda.__version__ = "0.31.0"
    if sys.argv[1] == "first":
        assert cache_of(kernels.pick_kernel).load_overload(signature, context) is None
        made = numba.cuda.dispatcher._Kernel(kernels.pick_kernel, signature)
        for n, kernel in enumerate([kernels.pick_kernel, *over]):
            made._codelibrary._cubin_cache[9, 0, "a"] = b"code", n  # which only a driver can make
            cache_of(kernel).save_overload(signature, made)
        made._codelibrary._linking_files = {"other.cu"}  # with which numba writes none
        cache_of(kernels.follow_kernel).save_overload(signature, made)
        assert isinstance(cache_of(cuda_appraiser.appraise_kernel_of(lambda: None)), NullCache)
    for kernel in [kernels.pick_kernel, *over, kernels.follow_kernel]:
        print(told(cache_of(kernel).load_overload(signature, context)))
    device.compute_capability = 8, 0
    print(told(cache_of(kernels.pick_kernel).load_overload(signature, context)))
"""


def test_kernels_are_kept_for_later_runs_for_each_device_and_each_rule(tmp_path):
    quiet = {"NUMBA_DISABLE_JIT": "0", "NUMBA_CACHE_DIR": str(tmp_path)}
    first, second = (run(KEPT, which, **quiet).splitlines() for which in ("first", "second"))
    assert first == second
    pick, *over, follow, other_device = map(ast.literal_eval, second)
    name, *cubin, modules = pick
    assert "pick_kernel" in name and cubin == [b"code", 0] and modules > 1
    assert [kernel[2] for kernel in over] == list(range(1, len(over) + 1)) and len(over) >= 2
    assert (follow, other_device) == (None, None)
    assert set(run(KEPT, "other", **quiet).split()) == {"None"}, "another version of numba-cuda has its own"
    for file in tmp_path.rglob("*pick_kernel*.nbc"):
        file.write_bytes(file.read_bytes()[:-1])
    assert run(KEPT, "second", **quiet).splitlines() == ["None", *second[1:]], "a damaged file is not read"
