"""Damaged inputs of every kind, until something else comes back than one clear line: ``python tools/fuzz.py --inputs 1000``.

What is looked for: any exception but a ValueError of one line; a process that dies, does not answer, or takes far more memory than
the input is large; a position that is accepted and cannot be played on, or is another when it is written and read again. With
``NUMBA_BOUNDSCHECK=1`` compiled code looks at every index, too.

Each finding is a line, and its input is kept in a folder. Which inputs are made depends on the kind, the seed and their number alone.
"""

from __future__ import annotations

import multiprocessing
import resource
import secrets
import signal
import sys
import tempfile
import traceback
import warnings
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from timeline_env import cli

with cli.extra("dev"):
    from tools.fuzz_kinds import KINDS, Kind

PATIENCE = 60
"""Seconds of a processor that an input may take; then the kernel ends the process."""
MOST_MEMORY = 2**30
"""Bytes that an input may take."""
MOST_LINE = 2000
"""Characters that a message may have."""


@dataclass(frozen=True)
class Finding:
    """What came of an input: of which kind it is, its number, what happened, and where in the code."""

    kind: str
    number: int
    what: str
    place: str = ""


@cache
def samples(name: str) -> list[bytes]:
    """The good inputs of a kind."""
    with tempfile.TemporaryDirectory() as folder:
        return list(KINDS[name].samples(Path(folder)))


def made(name: str, seed: int, number: int) -> bytes:
    """A damaged input."""
    rng, good = np.random.default_rng([seed, number]), samples(name)
    return KINDS[name].damage(rng, good[int(rng.integers(len(good)))], good)


def tried(name: str, number: int, data: bytes) -> Finding | None:
    """What is to be said of an input; nothing if it was refused in one clear line, or accepted and used."""
    before = peak()
    place, what = "", complaint(KINDS[name], data)
    if isinstance(what, BaseException):
        place, what = place_of(what), f"{type(what).__name__}: {what}"
    if not what and peak() - before > MOST_MEMORY:
        what = f"it took {(peak() - before) / 2**30:.1f} GiB of memory"
    return Finding(name, number, what, place) if what else None


def complaint(kind: Kind, data: bytes) -> BaseException | str:
    """What an input was answered with, if that is no clear line."""
    try:
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
            warnings.simplefilter("error", RuntimeWarning)
            kind.use(data, Path(folder))
    except ValueError as error:
        if "\n" in str(error) or not 0 < len(str(error)) <= MOST_LINE:
            return f"no clear line of {len(str(error))} characters: {str(error)[:200]!r}"
    except Exception as error:
        return error
    return ""


def peak() -> int:
    """The most memory that this process has had, in bytes."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def place_of(error: BaseException) -> str:
    """The last line of ours that an error passed through."""
    ours = [frame for frame in traceback.extract_tb(error.__traceback__) if "site-packages" not in frame.filename]
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""


def work(tasks: list[tuple[str, int]], seed: int, begin: int, at: Any, found: Any) -> None:
    """Try the inputs from `begin` on, in a process of its own; `at` always holds which one is being tried."""
    for index in range(begin, len(tasks)):
        name, number = tasks[index]
        at.value = index
        warm(name)
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        finding = tried(name, number, made(name, seed, number))
        signal.setitimer(signal.ITIMER_PROF, 0)
        if finding:
            found.send(finding)
    at.value = len(tasks)


@cache
def warm(name: str) -> None:
    """Use a good input, so that whatever is made or compiled once does not count; it must not be refused."""
    with tempfile.TemporaryDirectory() as folder:
        KINDS[name].use(samples(name)[0], Path(folder))


def fuzz(names: list[str], seed: int, inputs: int) -> list[Finding]:
    """Try so many inputs of each kind; what kills the process that tries it, or keeps it too long, is a finding like any other."""
    tasks = [(name, number) for name in names for number in range(inputs)]
    context, begin = multiprocessing.get_context("spawn"), 0
    findings: list[Finding] = []
    while begin < len(tasks):
        at, (receive, send) = context.Value("q", begin), context.Pipe(duplex=False)
        worker = context.Process(target=work, args=(tasks, seed, begin, at, send), daemon=True)
        worker.start()
        send.close()
        with suppress(EOFError):
            while True:
                findings.append(receive.recv())
        worker.join()
        if worker.exitcode == 1:
            raise RuntimeError("the fuzzer itself failed, as it said above")
        if at.value < len(tasks):
            late = worker.exitcode == -signal.SIGPROF
            what = f"no answer within {PATIENCE} s" if late else f"the process ended with {worker.exitcode}"
            name, number = tasks[at.value]
            findings.append(Finding(name, number, what))
        begin = at.value + 1
    return findings


def keep(findings: list[Finding], seed: int, folder: Path) -> None:
    """Write the inputs of the findings into a folder, and a line for each place in the code; those at the same place are counted."""
    folder.mkdir(parents=True, exist_ok=True)
    by_place: dict[tuple[str, str], list[Finding]] = {}
    for finding in findings:
        (folder / f"{finding.kind}-{seed}-{finding.number}").write_bytes(made(finding.kind, seed, finding.number))
        by_place.setdefault((finding.kind, finding.place or finding.what), []).append(finding)
    for (kind, _), (first, *more) in by_place.items():
        what = " ".join(first.what.split())[:300]
        beside = f" (and {len(more)} more)" if more else ""
        print(f"{kind}: {what} {first.place}: {folder / f'{kind}-{seed}-{first.number}'}{beside}")


def main() -> int:
    parser = cli.Parser(description=__doc__)
    parser.add_argument(
        "--kinds", nargs="+", default=list(KINDS), metavar="KIND", help=f"some of {', '.join(KINDS)} (default: all)"
    )
    parser.add_argument("--inputs", type=int, default=1000, help="of each kind (default %(default)s)")
    parser.add_argument("--seed", type=int, help="of the damage (default: a new one)")
    parser.add_argument(
        "--keep",
        type=Path,
        default=Path("runs/fuzz"),
        help="where the inputs that found something are kept (default %(default)s)",
    )
    parser.add_argument(
        "--again", type=Path, metavar="FILE", help="try a kept input once more, and show all of what it does"
    )
    options = parser.parse_args()
    if unknown := set(options.kinds) - set(KINDS):
        raise ValueError(f"--kinds {' '.join(sorted(unknown))}: known are {', '.join(KINDS)}")
    if options.again:
        KINDS[options.again.name.partition("-")[0]].use(options.again.read_bytes(), Path(tempfile.mkdtemp()))
        return 0
    seed = secrets.randbits(32) if options.seed is None else options.seed
    print(f"seed {seed}, {options.inputs:,} inputs of {len(options.kinds)} kinds", flush=True)
    findings = fuzz(options.kinds, seed, options.inputs)
    keep(findings, seed, options.keep)
    print(f"{len(findings)} of {options.inputs * len(options.kinds):,} inputs found something")
    return 1 if findings else 0


if __name__ == "__main__":
    with cli.refusals():
        sys.exit(main())
