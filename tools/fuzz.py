#!/usr/bin/env python
"""Damaged inputs of every kind: ``python tools/fuzz.py --number 1000``."""

from __future__ import annotations

import gc
import multiprocessing
import os
import resource
import secrets
import shutil
import signal
import sys
import tempfile
import traceback
import warnings
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import typer

from timeline_env import cli
from timeline_env.reading import flatten, quote, unknown_name

with cli.require_extra("dev"):
    from tools.fuzz_kinds import KINDS

PATIENCE = 60
"""Seconds of processor time that an input may take; then the kernel ends the process."""
START = "spawn"
"""How the process begins that tries inputs; a fork would copy the locks of threads."""
MOST_MEMORY = 2**30
"""Bytes that an input may take."""
MOST_LINE = 2000
"""Characters that a message may have."""


@dataclass(frozen=True)
class Outcome:
    """The result of an input; `wrong` is empty if it was refused in one clear line, or accepted and used."""

    kind: str
    number: int
    data: bytes
    wrong: str


@cache
def samples(name: str) -> Sequence[bytes]:
    """The good inputs of a kind."""
    with tempfile.TemporaryDirectory() as folder:
        return KINDS[name].samples(Path(folder))


def make_input(name: str, seed: int, number: int) -> bytes:
    """A damaged input."""
    rng, good = np.random.default_rng([seed, number]), samples(name)
    return KINDS[name].damage(rng, good[int(rng.integers(len(good)))], good)


def use(name: str, data: bytes) -> None:
    """Do with an input what a user would."""
    folder = Path(desk().name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            KINDS[name].use(data, folder)
    finally:
        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


@cache
def desk() -> tempfile.TemporaryDirectory[str]:
    """The folder that all inputs use in turn: making one takes longer than reading a position."""
    return tempfile.TemporaryDirectory()


@cache
def warm_up(name: str) -> None:
    """Use a good input, so that what is made or compiled once does not count; it must not be refused."""
    use(name, samples(name)[0])


def complaint(name: str, data: bytes) -> str:
    """The answer to an input, if it is not one clear line."""
    try:
        with limited_memory():
            use(name, data)
    except ValueError as error:
        line = str(error)
        if "\n" in line or not 0 < len(line) <= MOST_LINE:
            return f"no clear line of {len(line)} characters: {quote(line)}{place_of(error)}"
    except Exception as error:
        return f"{type(error).__name__}: {flatten(error)}{place_of(error)}"
    return ""


@contextmanager
def limited_memory() -> Iterator[None]:
    """Within it at most `MOST_MEMORY` more can be taken; beyond that Python raises MemoryError.

    Garbage of earlier inputs is not collected meanwhile: freed, it would be additional room.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    gc.disable()
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        resource.setrlimit(resource.RLIMIT_AS, (pages * os.sysconf("SC_PAGE_SIZE") + MOST_MEMORY, hard))
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        gc.enable()


def place_of(error: BaseException) -> str:
    """The last line of ours that an error passed through."""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "site-packages" not in frame.filename]
    return f" ({Path(ours[-1].filename).name}:{ours[-1].lineno})"


def work(tasks: Sequence[tuple[str, int]], seed: int, tell: Any) -> None:
    """Try inputs, in a process of its own. Each is sent before it is tried, so that it is known if it ends the process."""
    for name, number in tasks:
        warm_up(name)
        data = make_input(name, seed, number)
        tell.send(data)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        wrong = complaint(name, data)
        signal.setitimer(signal.ITIMER_PROF, 0)
        tell.send(wrong)


def fuzz(names: Sequence[str], seed: int, number: int) -> Iterator[Outcome]:
    """Try this many inputs of each kind. One that kills its process is reported like any other, and a new process tries the next ones."""
    tasks = deque((name, each) for name in names for each in range(number))
    context: Any = multiprocessing.get_context(START)
    while tasks:
        hear, tell = context.Pipe(duplex=False)
        worker = context.Process(target=work, args=([*tasks], seed, tell), daemon=True)
        worker.start()
        tell.close()
        lives = True
        while tasks and lives:
            data, wrong = answer(hear)
            if wrong is None:
                worker.join()
                lives, wrong = False, end_of(worker.exitcode)
            yield Outcome(*tasks.popleft(), data, wrong)
        worker.join()


def answer(hear: Any) -> tuple[bytes, str | None]:
    """An input and its result; None if it killed its process."""
    data = b""
    try:
        data = hear.recv()
        return data, hear.recv()
    except EOFError:
        return data, None


def end_of(exitcode: int | None) -> str:
    """Why a process ended. Raises RuntimeError if it was no input's doing."""
    if exitcode == 1:
        raise RuntimeError("the fuzzer itself failed, as it said above")
    if exitcode == -signal.SIGPROF:
        return f"no answer within {PATIENCE} s of a processor"
    return f"the process ended with {exitcode}"


def report(tried: Outcome, seed: int, folder: Path) -> None:
    """Keep an input that something is wrong with, and print a line about it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{tried.kind}-{seed}-{tried.number}"
    path.write_bytes(tried.data)
    print(f"{tried.kind} {tried.number}: {tried.wrong}; {path}: {quote(tried.data)}", flush=True)


def main(
    kinds: Annotated[list[str] | None, typer.Option(help=f"some of {', '.join(KINDS)}; all if left out")] = None,
    number: Annotated[int, typer.Option(min=1, help="inputs of each kind")] = 1000,
    seed: Annotated[
        int | None, typer.Option(min=0, help="of the damage; a new one, which is printed, if left out")
    ] = None,
    out: Annotated[Path, typer.Option(help="where inputs that found something go")] = Path("runs/fuzz"),
    again: Annotated[Path | None, typer.Option(help="try this kept input once more, and show all that it does")] = None,
) -> int:
    """Damage inputs of every kind, until something else comes back than one clear line.

    What is looked for: any exception but a ValueError of one line; a process that dies, does not answer, or takes far more memory than
    a small file may; a position that is accepted and cannot be played on, or is another when it is written and read again. With
    NUMBA_BOUNDSCHECK=1 compiled code looks at every index, too.

    Which inputs are made depends on the kind, the seed and their number alone. The exit code is 0 if nothing was found, else 1.

    examples:
      python tools/fuzz.py --number 1000
      NUMBA_BOUNDSCHECK=1 python tools/fuzz.py --kinds positions_timeline positions_twilight_struggle --number 100000
      python tools/fuzz.py --again runs/fuzz/agents-7-12
    """
    chosen = [again.name.partition("-")[0]] if again else kinds or list(KINDS)
    for kind in chosen:
        if kind not in KINDS:
            raise unknown_name("--kinds", kind, KINDS)
    if again:
        use(chosen[0], again.read_bytes())
        return 0
    drawn = secrets.randbits(32) if seed is None else seed
    print(f"seed {drawn}: {number:,} inputs each of {', '.join(chosen)}", flush=True)
    found: Counter[str] = Counter()
    with cli.progress("inputs", number * len(chosen)) as advance:
        for tried in fuzz(chosen, drawn, number):
            if tried.wrong:
                found[tried.kind] += 1
                report(tried, drawn, out)
            advance(1, tried.kind)
    wrong = ", ".join(f"{count:,} of {kind}" for kind, count in found.items())
    print(f"seed {drawn}: something is wrong with {wrong or 'none'}")
    return 1 if found else 0


if __name__ == "__main__":
    cli.run(main)
