"""The batch on a GPU, as far as it can be seen without one: the kernels compile, and the simulator plays the same games."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

SIMULATED = """
    import numpy as np
    from numba import cuda
    from timeline_env import timeline_v0
    from timeline_env.engine import cuda as kernels
    from timeline_env.engine.cuda import ARRAYS

    kernels.DECISIONS_A_LAUNCH = 40  # so that more than one is needed
    waits = []
    cuda.synchronize = lambda: waits.append(1)

    def check_same(here, there):
        for name in ARRAYS:
            expected, found = np.asarray(getattr(here, name)), getattr(there, name).copy_to_host()
            assert expected.tobytes() == np.asarray(found).tobytes(), name

    for players in (2, 5):
        here = timeline_v0.batch(2, players, seed=3)
        there = timeline_v0.batch(2, players, seed=3, device="cuda")
        here.play_random(150)
        there.play_random(150)
        check_same(here, there)
        assert len(waits) == 3  # Ctrl-C is heard between the launches
        waits.clear()
        actions = here.action_mask.argmax(axis=1)
        here.step(actions)
        there.step(cuda.to_device(actions))
        check_same(here, there)
        seats = np.arange(2) % players
        assert here.observe([0, 1], seats).tobytes() == np.asarray(there.observe([0, 1], seats).copy_to_host()).tobytes()
        for seed in (9, None):
            here.reset(seed)
            there.reset(seed)
            check_same(here, there)
        first = here.action_mask[0].argmax()
        try:
            there.step(cuda.to_device(np.array([first, 9999])))
        except ValueError as error:
            assert str(error) == "1 actions are not legal, among them that of game 1", error
        else:
            raise AssertionError("an illegal action was played")
        check_same(here, there)
        for steps in (-1, 2.0, True):
            try:
                there.play_random(steps)
            except ValueError as error:
                assert str(error) == f"steps {steps!r} must be an integer of at least 0", error
            else:
                raise AssertionError("a wrong number of steps was played")
    print("same bytes")
"""

COMPILED = """
    import sys
    from types import SimpleNamespace
    from numba import cuda, from_dtype, types
    import numba.cuda.dispatcher
    from timeline_env.engine import cuda as kernels
    from timeline_env.timeline import GAME

    # Without a GPU numba cannot ask which one to compile for: it is told.
    for module in list(sys.modules.values()):
        if module.__name__.startswith(("numba.cuda", "numba_cuda")) and hasattr(module, "get_current_device"):
            module.get_current_device = lambda: SimpleNamespace(compute_capability=(9, 0))

    def array(kind, dimensions):
        return types.Array(kind, dimensions, "C")

    rules, states = array(from_dtype(GAME.rules), 1), array(from_dtype(GAME.state), 1)
    look = (array(types.int8, 2), array(types.int8, 2), array(types.int64, 1))
    result = (array(types.float32, 2), array(types.boolean, 1), array(types.float32, 2), array(types.float32, 2))
    words, numbers = array(types.uint64, 1), array(types.int64, 1)
    signatures = {
        kernels.deal_kernel: (rules, states, words, *look),
        kernels.restart_kernel: (rules, states, *look),
        kernels.illegal_kernel: (array(types.int8, 2), numbers, numbers),
        kernels.step_kernel: (rules, states, numbers, types.int64, *look, *result),
        kernels.random_kernel: (rules, states, words, types.int64, types.int64, *look, *result),
        kernels.observe_kernel: (rules, states, numbers, numbers, array(types.int8, 2)),
    }
    assert set(signatures) == {kernel for name, kernel in vars(kernels).items() if name.endswith("_kernel")}
    for kernel, signature in signatures.items():
        ptx, _ = cuda.compile_ptx(kernel, signature, cc=(9, 0), device=False, opt=False)  # a third of the time
        assert ".visible .entry" in ptx and ".target sm_90" in ptx, kernel
    print("compiled")
"""


def run(program: str, **environment: str) -> str:
    """Run a program in a fresh process; gives its output."""
    finished = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", textwrap.dedent(program)],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.strip()


def test_simulated_kernels_play_the_same_bytes_as_the_cpu():
    assert run(SIMULATED, NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1") == "same bytes"


def test_every_kernel_compiles_to_ptx():
    assert run(COMPILED, NUMBA_DISABLE_JIT="0") == "compiled"
