"""The benchmark suite's populations and the tournaments of its playing track: a folder of YAML files, played as written.

The folder::

    populations/         a file each: whom entrants meet
    playing/             a file each: a tournament of entrants against a population
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from timeline_env.extras import extra

with extra("eval"):
    from pydantic import BaseModel, ConfigDict, Field, StrictInt

from timeline_env.arena.deals import SEEDS
from timeline_env.arena.population import PopulationPlan, plan_against
from timeline_env.engine.setting import Setting
from timeline_env.games import game_named
from timeline_env.players.names import Budget, PlayerName, refuse_code
from timeline_env.reading import label_errors, quote, read_yaml, unknown_name, validate

Version = Literal[3]
VERSION: Version = 3
"""The version of the suite: of its games, seats, deals, budgets and protocol. Results of different versions cannot be compared."""
POPULATIONS, PLAYING = "populations", "playing"
"""The folders of a suite."""
HELD_OUT = "_held_out"
"""Appended to the name of a tournament when it is played against the held-out players of its population."""


class Population(BaseModel):
    """Whom entrants meet. Unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Version
    game: str
    num_players: StrictInt
    public: tuple[str, ...]
    """The players that entrants meet outside the final table."""
    strong: tuple[str, ...] = ()
    """The public players that are met by entrants that take long to think."""
    held_out: tuple[str, ...]
    """The players that entrants meet in the final table alone."""

    @property
    def setting(self) -> Setting:
        """What they play."""
        return Setting(game_named(self.game), self.num_players)


class Entry(BaseModel):
    """One tournament of the suite. Unknown keys are errors."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    version: Version
    title: str
    population: str
    """The name of the population's file."""
    against: Literal["public", "strong"] = "public"
    """Which of the population's players entrants meet."""
    seed: StrictInt = Field(ge=0, lt=SEEDS)
    games: StrictInt
    """How many each table plays."""
    budget: StrictInt | str
    """What a decision of an entrant may cost at most: simulations, 0 for no search; or a time, such as 10ms."""
    players: tuple[str, ...]
    """Those who enter, with their budgets."""

    @property
    def most(self) -> Budget:
        """`budget` as a `Budget`. Raises ValueError if it is not one."""
        return Budget.read(text) if (text := str(self.budget)) != "0" else Budget(0, 0.0)


@dataclass(frozen=True)
class Tournament:
    """An entry with its population."""

    entry: Entry
    population: Population

    @property
    def is_final(self) -> bool:
        """Whether it has a final table: tournaments against the strong players alone have none."""
        return self.entry.against == "public"

    @property
    def place(self) -> tuple[str, int, int, float]:
        """Where it stands among others: by game, players and budget."""
        most = self.entry.most
        return self.population.game, self.population.num_players, most.simulations, most.seconds

    def plan(self, more: Iterable[str] = (), held_out: bool = False) -> PopulationPlan:
        """What is played, with `more` entrants, against the players of the population that the entry names, or the held-out ones.

        Raises:
            ValueError: the held-out players, where there is no final table; or as `timeline_env.arena.population.plan_against` does.
        """
        if held_out and not self.is_final:
            raise ValueError(f"{quote(self.entry.title)} has no table against the players that are held out")
        met = self.population.held_out if held_out else getattr(self.population, self.entry.against)
        more = tuple(more)
        entering = (*self.entry.players, *more)
        for name in entering:
            if entering.count(name) > 1:
                its_own = name in self.entry.players and name in more
                raise ValueError(
                    f"player {quote(name)} must be named once"
                    + f", and enters {quote(self.entry.title)} anyway" * its_own
                )
            self.check_budget(name)
        return plan_against(self.population.setting, entering, met, self.entry.games, self.entry.seed, VERSION)

    def check_budget(self, name: str) -> None:
        """Raise ValueError if a player of this name searches for longer than an entrant may, or for another kind of budget."""
        player, allowed, most = PlayerName.read(name), self.entry.budget, self.entry.most
        if not player.search:
            return
        if player.budget.simulations > most.simulations or player.budget.seconds > most.seconds:
            time, simulations = f"a time of {allowed} a decision at most", f"{allowed} simulations at most"
            limit = "no search" if not most.seconds else time if math.isfinite(most.seconds) else simulations
            raise ValueError(f"player {quote(name)}: {quote(self.entry.title)} allows {limit}")

    def is_timed(self, name: str) -> bool:
        """Whether this player's games depend on the machine.

        A user's own player keeps to the tournament's budget by itself, so where that is a time it may look at the clock.
        """
        read = PlayerName.read(name)
        own = bool(read.place or read.command)
        return read.is_timed or (own and 0 < self.entry.most.seconds < math.inf)


Suite = dict[str, Tournament]
"""Tournaments by the names of their files."""


def load_suite(folder: Path) -> Suite:
    """Every tournament of a suite by the name of its file; those of one game and number of players are together, the smallest budget first.

    Raises:
        ValueError: the folder has no tournament, or a file, a key or a value is not allowed; the message names it.
    """
    populations = {file.stem: load_population(file) for file in sorted((folder / POPULATIONS).glob("*.yaml"))}
    files = sorted((folder / PLAYING).glob("*.yaml"))
    if not files:
        raise ValueError(f"suite {str(folder)!r} holds no {PLAYING}/*.yaml file")
    for file in files:
        if file.stem.endswith(HELD_OUT):
            raise ValueError(f"{quote(str(file))}: no name may end in {HELD_OUT}: that is the folder of a final table")
    found = {file.stem: load_entry(file, populations) for file in files}
    return dict(sorted(found.items(), key=lambda item: item[1].place))


def load_population(file: Path) -> Population:
    """One population. Raises ValueError as `load_suite` does."""
    content = read_yaml(file, quote(str(file)))
    with label_errors(quote(str(file))):
        population = validate(Population, content)
        for key in ("public", "strong", "held_out"):
            names = getattr(population, key)
            if key == "strong" and not names:
                continue
            refuse_code(names, key)
            with label_errors(key):
                plan_against(population.setting, names[:1], names, 2 * population.num_players, 0, VERSION)
        for name in population.strong:
            if name not in population.public:
                raise unknown_name("strong: player", name, population.public)
    return population


def load_entry(file: Path, populations: dict[str, Population]) -> Tournament:
    """One tournament, against one of these populations. Raises ValueError as `load_suite` does."""
    content = read_yaml(file, quote(str(file)))
    with label_errors(quote(str(file))):
        entry = validate(Entry, content)
        refuse_code(entry.players, "players")
        if entry.population not in populations:
            raise unknown_name("population", entry.population, populations)
        tournament = Tournament(entry, populations[entry.population])
        if entry.against == "strong" and not tournament.population.strong:
            raise ValueError(f"against 'strong': population {quote(entry.population)} names none that are strong")
        tournament.plan()
    return tournament


def choose(suite: Suite, only: Sequence[str]) -> Suite:
    """The tournaments of these names, or all if none is named. Raises ValueError if one does not exist."""
    for name in only:
        if name not in suite:
            raise unknown_name("--only", name, suite)
    return {name: tournament for name, tournament in suite.items() if not only or name in only}
