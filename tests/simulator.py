"""Programs that are run in a process of their own, also in CUDA's simulator: kernels as plain Python, on any machine."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

SMALL_BLOCKS = """
    from numba import cuda
    from timeline_env.engine import cuda as kernels

    def move_as_a_gpu_would(array, *given, move=cuda.to_device, **named):
        memoryview(array)  # numba asks for this; records with overlays refuse it
        return move(array, *given, **named)

    cuda.to_device = move_as_a_gpu_would

    kernels.THREADS_A_BLOCK = kernels.OBSERVERS_A_BLOCK = 4  # the simulator has a thread of the host for each
    kernels.MOST_WORKERS = 8
"""
"""What such a program begins with."""


def run(program: str, *arguments: str, **environment: str) -> str:
    """Run a program in a fresh process; gives its output."""
    finished = subprocess.run(
        [sys.executable, "-W", "error::RuntimeWarning", "-c", textwrap.dedent(program), *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.strip()


def simulate(program: str, *arguments: str) -> str:
    """Run a program in CUDA's simulator; gives its output."""
    return run(SMALL_BLOCKS + program, *arguments, NUMBA_ENABLE_CUDASIM="1", NUMBA_DISABLE_JIT="1", OMP_NUM_THREADS="1")
