"""The benchmark suite: a folder of YAML files, each of them a tournament that is played as written."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from timeline_env.extras import extra

with extra("eval"):
    from pydantic import BaseModel, ConfigDict, Field, StrictInt

from timeline_env.arena.tournament import Plan, plan
from timeline_env.games import game_named
from timeline_env.players.names import refuse_commands
from timeline_env.reading import label_errors, quote, read_yaml, unknown_name, validate

VERSION = 2
"""Of the suite: games, seats, deals, budgets and protocol. Results of different versions cannot be compared."""


class Entry(BaseModel):
    """One tournament of the suite. Unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Literal[2]
    title: str
    game: str
    num_players: StrictInt
    seed: StrictInt = Field(ge=0, lt=2**32)
    games: StrictInt
    players: tuple[str, ...]

    def plan(self, more: Iterable[str] = ()) -> Plan:
        """The tournament, with `more` players. Raises ValueError as `timeline_env.arena.tournament.plan` does."""
        return plan(game_named(self.game), (*self.players, *more), self.num_players, self.games, self.seed)


def load_suite(folder: Path) -> dict[str, Entry]:
    """Every tournament of a suite by the name of its file, in the order of the names.

    Raises:
        ValueError: the folder has no tournament, or a file, a key or a value is not allowed; the message names it.
    """
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise ValueError(f"suite {str(folder)!r} holds no .yaml file")
    return {file.stem: load_entry(file) for file in files}


def load_entry(file: Path) -> Entry:
    """One file of a suite. Raises ValueError as `load_suite` does."""
    content = read_yaml(file, quote(str(file)))
    with label_errors(quote(str(file))):
        entry = validate(Entry, content)
        refuse_commands(entry.players, "players")
        entry.plan()
    return entry


def choose(suite: dict[str, Entry], only: str | None) -> dict[str, Entry]:
    """All tournaments, or the one of this name. Raises ValueError if it does not exist."""
    if only is None:
        return suite
    if only not in suite:
        raise unknown_name("--only", only, suite)
    return {only: suite[only]}
