"""What the tracks' files hold, checked when they are read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import Field, StrictInt

from timeline_env.arena.deals import SEEDS
from timeline_env.arena.estimates import FEWEST_DEALS
from timeline_env.arena.evaluation import deals_for
from timeline_env.arena.suite import Version
from timeline_env.engine.setting import Setting
from timeline_env.games import game_named
from timeline_env.players.agents.agent_files import agent_at
from timeline_env.players.names import refuse_code
from timeline_env.players.registry import player_from
from timeline_env.reading import label_errors, quote, read_yaml, unknown_name, validate
from training.config import Config, StrictModel, load_config, parse_config, pin_rules
from training.start import keep_prior

MORE = 1.05
"""How many times an entry's decisions an agent may have at most, since its last update may go beyond them."""
TRAINED = "as trained"
"""The row of the setting that the agents were trained in."""


def most_decisions(decisions: int) -> int:
    """The most decisions that an agent may have learned from, for an entry with so many."""
    return math.floor(MORE * decisions)


class Entry(StrictModel):
    """What the entries of all tracks have. Unknown keys are errors."""

    version: Version
    title: str
    game: str
    config: str = Field(description="how agents are trained: the name of a shipped configuration, or a file's path")
    changes: tuple[str, ...] = Field(default=(), description="what differs from it: key=value each")
    seeds: tuple[StrictInt, ...] = Field(min_length=1, description="of the training, one agent each")
    against: tuple[str, ...] = Field(min_length=1, description="scripted players that the agents are measured against")
    games: StrictInt = Field(
        description="of each agent against each of them; whole deals, each played once for every seat"
    )
    seed: StrictInt = Field(ge=0, lt=SEEDS, description="of the deals")

    def training(self, seed: int, decisions: int, num_players: int, rules: Mapping[str, Any], **more: Any) -> Config:
        """The configuration by which an agent is trained in a setting; the keys of `more` replace its own.

        Raises:
            ValueError: there is no such configuration, it begins with another agent, a key or value is not allowed, or whole
                updates go too far beyond the decisions.
        """
        content = load_config(Path(self.config), list(self.changes)).model_dump(exclude_unset=True)
        if content.get("game", self.game) != self.game:
            raise ValueError(f"config {quote(self.config)} is for {content['game']}; the game is {self.game}")
        if content.get("start") is not None:
            raise ValueError(
                f"start {quote(content['start'])} must be left out: its decisions would not be counted among the entry's"
            )
        found = parse_config(
            content
            | {
                "game": self.game,
                "num_players": num_players,
                "rules": pin_rules(dict(rules)),
                "seed": seed,
                "steps": decisions,
                "minutes": None,
                "checkpoint_every": decisions,
                "evaluation": {"against": list(self.against), "games": self.games},
            }
            | more
        )
        update = found.envs * found.ppo.n_steps
        whole = -(-decisions // update) * update
        if whole > most_decisions(decisions):
            raise ValueError(
                f"config {quote(self.config)}: whole updates of {update:,} decisions (envs × ppo.n_steps) would be {whole:,}; "
                f"at most {most_decisions(decisions):,} are allowed"
            )
        return found

    def check_measuring(self, *settings: Setting) -> None:
        """Raise ValueError if the agents cannot be measured in these settings as the entry says."""
        refuse_code(self.against, "against")
        if len(self.seeds) < 2:
            raise ValueError(f"seeds {quote(list(self.seeds))} must be at least two: intervals are over seeds")
        for name, values in (("seeds", self.seeds), ("against", self.against)):
            if len(set(values)) < len(values):
                raise ValueError(f"{name} {quote(list(values))}: each must be named once")
        for setting in settings:
            if self.games < FEWEST_DEALS * setting.num_players:
                raise ValueError(
                    f"games {self.games} must be at least {FEWEST_DEALS * setting.num_players}: "
                    f"{FEWEST_DEALS} deals, every seat of {setting.num_players}"
                )
            deals_for(self.games, setting.num_players)
            for name in self.against:
                player_from(name, setting)

    def located(self, folder: Path) -> Self:
        """The entry with the paths of the files that it names, which lie in its own folder."""
        return self


class LearningEntry(Entry):
    """An entry of the learning track: agents trained with so many decisions, and whom they are measured against."""

    num_players: StrictInt
    decisions: StrictInt = Field(
        ge=1, description="of the learner, of each agent; rounded up to whole updates, by 5 % at most"
    )

    @property
    def setting(self) -> Setting:
        """What is played."""
        return Setting(game_named(self.game), self.num_players)

    def configs(self) -> list[Config]:
        """How each seed's agent is trained. Raises ValueError as `Entry.training` does."""
        return [self.training(seed, self.decisions, self.num_players, {}) for seed in self.seeds]

    def check(self) -> None:
        """Raise ValueError if the entry cannot be played."""
        self.check_measuring(self.setting)
        self.configs()


class Place(StrictModel):
    """A setting that agents are trained in, or played in."""

    num_players: StrictInt
    rules: dict[str, Any] = Field(
        default={}, description="what differs from the game as it is; `cards` is a file beside the entry"
    )


class GeneralisationEntry(Entry):
    """An entry of the generalisation track: agents trained in one setting, and how they do in others."""

    trained: Place
    played: dict[str, Place] = Field(min_length=1, description="by the name that the table has for them")
    decisions: StrictInt = Field(
        ge=1,
        description="of each agent, where it is trained first, or from scratch in another setting; rounded up to whole updates, by 5 % at most",
    )
    adaptation: StrictInt = Field(
        ge=1, description="decisions that an agent may learn from in another setting; rounded likewise"
    )

    def setting(self, place: Place) -> Setting:
        """What is played there."""
        return Setting(game_named(self.game), place.num_players, place.rules)

    def train_in(self, place: Place, seed: int, decisions: int, start: Path | None = None) -> Config:
        """How an agent is trained there: in the common form, from scratch or from another agent, whose prior it keeps as it is.

        Raises ValueError as `Entry.training` does, or if that agent cannot be read.
        """
        told: dict[str, Any] = {"common": True}
        if start is not None:
            told |= {"start": str(start)} | keep_prior(agent_at(start).about)
        return self.training(seed, decisions, place.num_players, place.rules, **told)

    def located(self, folder: Path) -> Self:
        """See `Entry.located`; the files are tables of cards."""

        def find(place: Place) -> Place:
            cards = {"cards": str(folder.resolve() / str(place.rules["cards"]))} if "cards" in place.rules else {}
            return place.model_copy(update={"rules": place.rules | cards})

        played = {name: find(place) for name, place in self.played.items()}
        return self.model_copy(update={"trained": find(self.trained), "played": played})

    def check(self) -> None:
        """Raise ValueError if the entry cannot be played."""
        if TRAINED in self.played:
            raise ValueError(f"played {quote(TRAINED)} must have another name: the table's first row has it")
        places = [self.trained, *self.played.values()]
        self.check_measuring(*map(self.setting, places))
        for place in places:
            self.train_in(place, self.seeds[0], self.decisions)
        self.train_in(self.trained, self.seeds[0], self.adaptation)  # an update is as large in every place


Kind = TypeVar("Kind", LearningEntry, GeneralisationEntry)


def load_entries(folder: Path, kind: type[Kind]) -> dict[str, Kind]:
    """Every entry of a track by the name of its file, in the order of the names.

    Raises:
        ValueError: the folder has none, or a file, a key or a value is not allowed; the message names it.
    """
    files = sorted(folder.glob("*.yaml"))
    if not files:
        raise ValueError(f"track {quote(str(folder))} holds no .yaml file")
    return {file.stem: load_entry(file, kind) for file in files}


def load_entry(file: Path, kind: type[Kind]) -> Kind:
    """One entry of a track. Raises ValueError as `load_entries` does."""
    content = read_yaml(file, quote(str(file)))
    with label_errors(quote(str(file))):
        entry = validate(kind, content).located(file.parent)
        entry.check()
    return entry


def choose(entries: dict[str, Kind], only: str | None) -> dict[str, Kind]:
    """The entries with the smallest number of decisions, or the one of this name. Raises ValueError if it does not exist."""
    if only is None:
        least = min(entry.decisions for entry in entries.values())
        return {name: entry for name, entry in entries.items() if entry.decisions == least}
    if only not in entries:
        raise unknown_name("--only", only, entries)
    return {only: entries[only]}


def with_config(entries: dict[str, Kind], config: str | None) -> dict[str, Kind]:
    """The entries with another training configuration, if one is given. Raises ValueError if one cannot be trained by it."""
    if config is None:
        return entries
    changed = {name: entry.model_copy(update={"config": config, "changes": ()}) for name, entry in entries.items()}
    for entry in changed.values():
        entry.check()
    return changed
