"""Sweeps: many runs with other settings, proposed by Optuna; several processes can join one, and a killed one is resumed.

::

    sweep.json           the configuration, its overrides and what is tried; which agents' files its players are
    journal.log          Optuna's journal: every trial with its settings and its result
    trial-N/             the run of each trial, as any run
    trial-N.lock         held by the process that works on it
"""

from __future__ import annotations

import json
import math
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend, JournalFileSymlinkLock
from optuna.storages.journal._file import get_lock_file
from optuna.trial import FrozenTrial, TrialState

from timeline_env.extras import MissingExtra
from timeline_env.failures import PlayerFailed
from timeline_env.files import take_lock, wait_for_lock, write_json
from timeline_env.players.names import refuse_commands
from timeline_env.reading import cut, json_in, label_errors, quote, read_json, read_text, read_yaml
from training.config import POOL, SECTIONS, SELF, Config, change, load_config, refuse_own
from training.learners.rllib.python import run_where_ray_is
from training.opponents.pinned import files_of, players_named, with_players
from training.run import assess, find_or_begin, train

SWEEP_FILE, LOCK_FILE = "sweep.json", "sweep.lock"
Space = dict[str, BaseDistribution]


def read_space(path: Path) -> Space:
    """What is tried: for each key of a configuration a list of values, or ``low`` and ``high`` (and ``log``).

    Raises:
        ValueError: the file is not readable, or a key's entry is neither.
    """
    label = f"space {quote(str(path))}"
    content = read_yaml(path, label)
    if not isinstance(content, dict) or not content:
        raise ValueError(f"{label} must hold keys of a configuration, not {quote(content)}")
    return {str(key): _distribution(str(key), entry) for key, entry in content.items()}


def _distribution(key: str, entry: Any) -> BaseDistribution:
    try:
        if isinstance(entry, list) and entry:
            return CategoricalDistribution([json.dumps(value) for value in entry])
        low, high, log = _number(entry["low"]), _number(entry["high"]), entry.get("log", False)
        if set(entry) <= {"low", "high", "log"} and isinstance(log, bool):
            is_whole = isinstance(low, int) and isinstance(high, int) and _takes_integers_alone(key)
            return (IntDistribution if is_whole else FloatDistribution)(low, high, log=log)
    except (TypeError, KeyError, ValueError, AttributeError):
        pass
    raise ValueError(
        f"space: {quote(key)} must be a list of values, or low, high and (if wanted) log; not {quote(entry)}"
    )


def _takes_integers_alone(key: str) -> bool:
    """Whether a key of a configuration takes no other numbers; of a variant's keys that is not known, and integers are usual."""
    section, _, rest = key.rpartition(".")
    fields = SECTIONS[section].model_fields if section in SECTIONS else {} if section else Config.model_fields
    return fields[rest].annotation is int if rest in fields else section.startswith("rules")


def _number(value: Any) -> Any:
    """A bound as a number, also if YAML takes it for a text, such as 1e-4. Raises ValueError if it is none."""
    number = float(value)
    if isinstance(value, bool) or not math.isfinite(number):
        raise ValueError(f"{quote(value)} is no number")
    return value if not isinstance(value, str) else int(number) if number.is_integer() else number


def _players_tried(space: Space) -> list[str]:
    """The names of players among the values that are tried."""
    tried = [space[key] for key in ("opponents", "evaluation.against", "start") if key in space]
    choices = [choice for each in tried if isinstance(each, CategoricalDistribution) for choice in each.choices]
    values = [value if isinstance(value := json.loads(str(choice)), dict | list) else [value] for choice in choices]
    return [name for value in values for name in value if isinstance(name, str) and name not in (SELF, POOL)]


@dataclass(frozen=True)
class Sweep:
    """A sweep in a folder; `join` makes or finds one."""

    path: Path
    config: Config
    players: dict[str, str]
    """The files of the trained agents among the players when the sweep was begun, see `files_of`: all trials meet the same ones, and begin as the same."""
    space: Space
    study: optuna.Study

    @classmethod
    def join(cls, path: Path, config: Path, overrides: list[str], space: Space) -> Sweep:
        """Begin a sweep, or join the one in this folder; by the Python that has Ray, if its learner needs that.

        Raises:
            ValueError: the folder holds another sweep; or the configuration, or what is tried, is not allowed.
        """
        common = load_config(config, overrides)
        # Both ends of what is tried.
        ends = [change(common, [f"{key}={_end(tried, choose)}" for key, tried in space.items()]) for choose in (0, -1)]
        for each in (*ends, common):
            run_where_ray_is(each)
        named = [name for each in (common, *ends) for name in players_named(each)]
        players = files_of([*named, *_players_tried(space)], common.setting)
        with_players(common, players)  # which refuses one agent by two names before anything is written
        told = {
            "config": common.model_dump(),
            "space": {key: optuna.distributions.distribution_to_json(tried) for key, tried in space.items()},
        }
        there = {file.name for file in path.iterdir() if file.suffix != ".partial"} if path.is_dir() else set()
        if there and not there & {SWEEP_FILE, LOCK_FILE}:
            raise ValueError(f"{str(path)!r} exists and is not a sweep's folder; give another")
        path.mkdir(parents=True, exist_ok=True)
        with wait_for_lock(path / LOCK_FILE):
            if not (path / SWEEP_FILE).exists():
                write_json(path / SWEEP_FILE, told | {"players": players})
            begun = read_json(path / SWEEP_FILE, f"{quote(str(path))} is not a sweep")
            kept: Any = begun.pop("players", {}) if isinstance(begun, dict) else None  # older sweeps keep none
            is_whole = isinstance(kept, dict) and all(isinstance(file, str) for file in kept.values())
            if not is_whole or begun != json.loads(json.dumps(told)):
                raise ValueError(f"{str(path)!r} holds a sweep of another configuration or space; give another folder")
            optuna.logging.set_verbosity(optuna.logging.WARNING)
            found = study(path / "journal.log")
        return cls(path, common, kept, space, found)

    def work(self, trials: int) -> None:
        """Do trials until all processes together have done this many, first those that a kill has interrupted."""
        while (claimed := self._claim(trials)) is not None:
            number, lock = claimed
            with lock:
                self._do(number)

    def best_trials(self) -> list[FrozenTrial]:
        """The finished trials, best first."""
        done = self.study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        return sorted(done, key=lambda trial: -(trial.value or 0.0))

    def check_success(self) -> None:
        """Raise ValueError if every trial has failed."""
        states = {trial.state for trial in self.study.get_trials(deepcopy=False)}
        if states == {TrialState.FAIL}:
            raise ValueError(f"every trial of {str(self.path)!r} has failed")

    def _claim(self, trials: int) -> tuple[int, ExitStack] | None:
        """The number of a trial to do, and its lock, which is held; None if enough are done or under way."""
        with wait_for_lock(self.path / LOCK_FILE):
            known = self.study.get_trials(deepcopy=False)
            for trial in known:
                if trial.state == TrialState.RUNNING and (lock := self._hold(trial.number)):
                    if self.study.get_trials(deepcopy=False)[trial.number].state != TrialState.RUNNING:
                        lock.close()  # it was finished in the moment before it was locked
                        continue
                    if trial.params.keys() == self.space.keys():
                        return trial.number, lock
                    with lock:  # a kill came while it was drawn: the rest of its settings is not known
                        self.study.tell(trial.number, state=TrialState.FAIL)
            if len(known) >= trials:
                return None
            self.study.sampler = optuna.samplers.TPESampler(seed=len(known))
            number = self.study.ask(self.space).number
            lock = self._hold(number)
            assert lock is not None, "nobody else knows of this trial yet"
            return number, lock

    def _hold(self, number: int) -> ExitStack | None:
        """The trial's lock, which is closed to let it go; None if another process holds it."""
        held, what = ExitStack(), f"trial {number} is being worked on by another process"
        try:
            held.enter_context(take_lock(self.path / f"trial-{number:04d}.lock", what))
        except ValueError:
            return None
        return held

    def _do(self, number: int) -> None:
        """Train and measure one trial, from its last checkpoint on; one that fails is noted and skipped."""
        try:
            value = self._value(number)
        except (ValueError, MissingExtra, PlayerFailed, MemoryError) as error:
            print(f"trial {number} failed: {error}", file=sys.stderr)
            self.study.tell(number, state=TrialState.FAIL)
        else:
            self.study.tell(number, value)

    def _value(self, number: int) -> float:
        """The mean share of wins against the players of `evaluation.against`."""
        folder = self.path / f"trial-{number:04d}"
        run = find_or_begin(self.settings(number), folder, sys.argv)
        with run.lock():
            train(run)
            return float(np.mean([result.overall.win.mean for result in assess(run)]))

    def settings(self, number: int) -> Config:
        """The configuration of a trial."""
        params = self.study.get_trials(deepcopy=False)[number].params
        found = with_players(change(self.config, [f"{key}={value}" for key, value in params.items()]), self.players)
        met = [*found.opponents, *found.against]
        refuse_commands(met, "what is tried")
        refuse_own(found, [*self.config.opponents, *self.config.against], "what is tried")
        return found


def study(journal: Path) -> optuna.Study:
    """The study of Optuna's journal, which is made if it does not exist. Raises ValueError if the journal cannot be read.

    Optuna refuses a journal whose last line a kill left incomplete, so that line is removed first.
    """
    lock = JournalFileSymlinkLock(str(journal.resolve()))  # with a relative path it would wait for ever after a kill
    backend = JournalFileBackend(str(journal), lock)
    label = f"{quote(str(journal))} is not a sweep's journal"
    with get_lock_file(lock), journal.open("rb+") as file:
        file.truncate(file.read().rfind(b"\n") + 1)
        lines = read_text(journal, label).splitlines()
    for number, line in enumerate(lines, 1):
        with label_errors(f"{label}: line {number}"):
            json_in(line)
    try:
        return optuna.create_study(
            study_name="sweep", storage=JournalStorage(backend), direction="maximize", load_if_exists=True
        )
    except Exception as error:  # Optuna checks nothing of what it reads: damage shows itself in many ways
        raise ValueError(f"{label}: {cut(repr(error))}") from None


def _end(tried: Any, index: int) -> Any:
    """The first or the last of the values that are tried."""
    if isinstance(tried, CategoricalDistribution):
        return tried.choices[index]
    return (tried.low, tried.high)[index]
