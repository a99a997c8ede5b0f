"""The names of players, and what their parts mean.

=========================================  ============================================================================
``random``, ``heuristic`` …                a baseline of the game
``flat:200``, ``mcts:50ms``                a search with this many simulations, or this much time, per decision
``puct:200@PATH``, ``puct:200@heuristic``  a search guided by a trained agent, or by a baseline that values actions
``value:200@PATH``                         the same, but positions are judged by the agent's value
``race:200@PATH``, ``race:200@heuristic``  the guide's favourites in the same worlds; its first stays unless another leads clearly
``shipped``, ``PATH``                      a trained agent: the one that comes with the package, or your own
``shipped_small``, ``held_out`` …          others that come with the package, see `timeline_env.players.agents.shipped`
``shipped@sampled``, ``PATH@sampled``      the same, drawing from its policy
``PATH@guarded``                           the same, kept from losing at once where it need not, as ``shipped`` is
``module:Class``                           a player of your own
``process:python agent.py``                any command that reads prompts and writes moves, see docs/text.md
=========================================  ============================================================================
"""

from __future__ import annotations

import importlib
import math
import os
import re
import sys
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from timeline_env.players.command import KIND, Command
from timeline_env.reading import label_errors, quote

SEARCHES = {
    "flat": "flat:200",
    "mcts": "mcts:200",
    "puct": "puct:200@GUIDE",
    "value": "value:200@AGENT",
    "race": "race:200@GUIDE",
}
"""The kinds of search, each with an example of its names."""
GUIDED = ("puct", "value", "race")
"""Those that need a guide."""
SAMPLED = "@sampled"
"""After the path of a trained agent: draw from its policy."""
GUARDED = "@guarded"
"""After the path of a trained agent: kept from actions that are certain to be worse than others."""
HERE = "TIMELINE_ENV_HERE"
"""The variable that tells Ray's processes the folder of the command whose work they do."""


@dataclass(frozen=True)
class Budget:
    """The most that one decision may cost: simulations, and seconds (the last few simulations may run over)."""

    simulations: int
    seconds: float

    @classmethod
    def read(cls, text: str) -> Budget:
        """``200`` or ``50ms``. Raises ValueError for anything else."""
        match = re.fullmatch(r"([1-9][0-9]{0,8})(ms)?", text)
        if not match:
            units = "simulations such as 200 or milliseconds such as 50ms"
            raise ValueError(f"budget {quote(text)} must be {units}, of 1 to 999,999,999")
        number = int(match[1])
        return cls(2**62, number / 1000) if match[2] else cls(number, float("inf"))

    def share(self, parts: int) -> Budget:
        """One of `parts` equal parts of the budget."""
        return Budget(self.simulations // parts, self.seconds / parts)

    def spend(self, chunk: int, simulate: Callable[[int, int], None]) -> None:
        """Call ``simulate(start, stop)`` for `chunk` simulations at a time until the budget is spent."""
        done, until = 0, time.monotonic() + self.seconds
        while done < self.simulations and (done == 0 or time.monotonic() < until):
            start, done = done, min(done + chunk, self.simulations)
            simulate(start, done)


@dataclass(frozen=True)
class PlayerName:
    """A player's name in its parts; `read` makes one from a text.

    Attributes:
        text: the name itself.
        search: the kind of search, one of `SEARCHES`; empty if it is none.
        budget: of the search.
        agent: who plays, or who guides the search: a baseline, an agent that comes with the package, or a trained agent's
            path; or empty.
        sampled: whether that agent draws from its policy.
        guarded: whether that agent is kept from actions that are certain to be worse than others.
        place: the ``module:Class`` of the user's own player; empty if it is none.
        command: the command that plays; None if it is none.
    """

    text: str
    search: str = ""
    budget: Budget = Budget(0, 0.0)
    agent: str = ""
    sampled: bool = False
    guarded: bool = False
    place: str = ""
    command: Command | None = None

    @classmethod
    def read(cls, text: str) -> PlayerName:
        """Parse a name; whether the player exists shows on loading. Raises ValueError for a search or a command named wrongly."""
        kind, _, rest = text.partition(":")
        if kind in SEARCHES:
            budget, at, guide = rest.partition("@")
            if (kind in GUIDED) != bool(at) or bool(at) != bool(guide):
                names = f"{', '.join(SEARCHES.values())}, or 50ms in place of 200"
                raise ValueError(f"player {quote(text)}: a search is named {names}")
            with label_errors(f"player {quote(text)}"):
                return cls(text, kind, Budget.read(budget), guide)
        if kind == KIND and rest:
            with label_errors(f"player {quote(text)}"):
                return cls(text, command=Command.read(rest))
        if kind and rest:
            return cls(text, place=text)
        for suffix in (SAMPLED, GUARDED):
            if text.endswith(suffix):
                return cls(text, agent=text.removesuffix(suffix), sampled=suffix == SAMPLED, guarded=suffix == GUARDED)
        return cls(text, agent=text)

    @property
    def is_timed(self) -> bool:
        """Whether it searches for a given time, so that its games depend on the machine."""
        return bool(self.search) and math.isfinite(self.budget.seconds)

    def with_agent(self, agent: str) -> str:
        """The name's text with another agent in it."""
        return self.text.removesuffix(self.agent) + agent if self.search else agent + self.text.removeprefix(self.agent)


def is_misread(path: str) -> bool:
    """Whether a trained agent's path would be read as another player's name, which has a ``:`` or ends with ``@…``."""
    return ":" in path or path.endswith((SAMPLED, GUARDED))


def refuse_commands(names: Iterable[str], source: str) -> None:
    """Raise ValueError if a name that was read from `source`, a file, would run a command: only the user may ask for that."""
    for name in names:
        if name.startswith(f"{KIND}:"):
            raise ValueError(
                f"{source}: player {quote(name)} would run a command; no file may do so, and no training takes one"
            )


def refuse_modules(names: Iterable[str], own: Collection[str], source: str, instead: str) -> None:
    """Raise ValueError if a name that was read from `source`, a file, is code of a module and not among `own`, which the user named.

    `instead` says what to do; ``{}`` in it stands for the name.
    """
    for name in names:
        if PlayerName.read(name).place and name not in own:
            raise ValueError(f"{source}: player {quote(name)} is code of a module: {instead.replace('{}', name)}")


def refuse_code(names: Sequence[str], source: str) -> None:
    """Raise ValueError if a name in the benchmark's files would run a command or a module's code: users give their own separately."""
    refuse_commands(names, source)
    refuse_modules(names, (), source, "no file of the benchmark may name one")


def look_here() -> None:
    """Let Python find a user's own modules in the folder that the command was run in, after those that are installed.

    No earlier than for a module that the user named: else a file that lies there would be taken for a library that is missing.
    """
    with suppress(FileNotFoundError):  # the folder was deleted: then nothing is found there
        folder = os.environ.get(HERE) or os.getcwd()
        if folder not in sys.path:
            sys.path.append(folder)


def import_name(place: str) -> Any:
    """What ``module:name`` means. Raises ImportError or AttributeError if there is no such thing."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)
