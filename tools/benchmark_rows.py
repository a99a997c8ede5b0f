"""What a row of the benchmark is, and how its rate is taken."""

from __future__ import annotations

import importlib
import importlib.metadata
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

Step = Callable[[], int]
"""Does some of what a row counts, and gives how much: decisions, unless the row's name says otherwise."""


class LeftOut(Exception):
    """A row cannot be measured here; the message says in one line why."""


@dataclass(frozen=True)
class Row:
    """One row of the table.

    Attributes:
        name: what was measured.
        prepare: makes the step that is measured. Raises LeftOut or ImportError where it cannot be.
        beside: of a row of ours, the row that it is compared with by `--check`: one of the same run that does not depend on us.
        cores: how many it may use.
        by_the_clock: whether time is the clock's instead of the processor's: for work that is not done on one core alone.
    """

    name: str
    prepare: Callable[[], Step]
    beside: str = ""
    cores: int = 1
    by_the_clock: bool = False


def rate(row: Row, step: Step, seconds: float) -> float:
    """How much `step` does per second, called until the time is up.

    Processor time does not count other programs that want the same core.
    """
    clock = time.perf_counter if row.by_the_clock else time.process_time
    count, start = 0, clock()
    while (spent := clock() - start) < seconds or not count:
        count += step()
    return count / spent


def installed(names: Iterable[str]) -> dict[str, str]:
    """The versions of these packages, without those that are not installed."""
    found = {}
    for name in names:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def import_peer(module: str, where: str) -> Any:
    """Import what the extra `peers` cannot bring. Raises LeftOut, saying `where` it is to be had, if it is not there."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise LeftOut(f"{module} cannot be imported ({error}); {where}") from None
