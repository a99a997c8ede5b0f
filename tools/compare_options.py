#!/usr/bin/env python
"""What an option of the learner is worth: ``python tools/compare_options.py timeline_options``."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import typer
from pydantic import Field

from timeline_env import cli

with cli.require_extra("train"):
    import torch

    from training import run
    from training.config import Config, StrictModel, load_config
    from training.learners.networks import parameters
    from training.learners.ppo import PPO
    from training.opponents.league import League
    from training.start import start_agent

from timeline_env.arena.estimates import Estimate
from timeline_env.arena.evaluation import deals_for
from timeline_env.arena.markdown import markdown_table
from timeline_env.commands.compile import compile_game
from timeline_env.configs import find_config
from timeline_env.files import check_writable, write_json
from timeline_env.players.agents.agent_files import AGENT_FILE
from timeline_env.players.registry import player_from
from timeline_env.reading import check_number, label_errors, quote, read_json, read_yaml, validate

DEALS = 10**6
"""Seed of the deals that all are measured in."""


class Comparison(StrictModel):
    """What a file of ``configs/comparisons/`` holds; unknown keys are errors."""

    title: str
    config: str = Field(description="what is trained: the name of a configuration, or a file's path")
    changes: tuple[str, ...] = Field(default=(), description="what differs from it in every row: key=value each")
    against: str = Field(description="the player that all are measured against, in all other seats")
    rows: dict[str, tuple[str, ...]] = Field(min_length=2, description="by its name, what each row changes on top")

    def training(self, row: str, seed: int, minutes: float) -> Config:
        """The configuration by which a row learns. Raises ValueError, naming the row, for a key or a value that is not allowed."""
        fixed = {"seed": seed, "minutes": minutes, "steps": 10**12}
        changes = [*self.changes, *self.rows[row]]
        with label_errors(f"row {quote(row)}"):
            for change in changes:
                if change.partition("=")[0] in fixed:
                    raise ValueError(f"{quote(change)} must be left out: all rows have the same {', '.join(fixed)}")
            config = load_config(Path(self.config), [*changes, *(f"{key}={value}" for key, value in fixed.items())])
            if config.learner != "ppo" or not config.is_alone:
                raise ValueError("only the learner ppo against itself alone takes turns")
            start_agent(config)
            player_from(self.against, config.setting)
        return config


class Contestant:
    """One row with one seed, while it learns."""

    def __init__(self, config: Config) -> None:
        self.config, self.steps, self.seconds = config, 0, 0.0
        self.learner = PPO(config, League(config.setting, config.opponents, None), config.seed)
        if (agent := start_agent(config)) is not None:
            self.learner.take(agent)

    @property
    def share_done(self) -> float:
        """The share of its time that is over, from 0; at the end 1 or a little more."""
        return self.config.share_done(self.steps, self.seconds)

    def update(self) -> None:
        """Learn once."""
        torch.set_num_threads(self.config.threads)  # the rows share a process
        begun = time.perf_counter()
        self.steps += self.learner.update(self.config.now(self.share_done)).decisions
        if self.learner.ahead:
            self.learner.ahead.wait()  # else it plays in the others' time
        self.seconds += time.perf_counter() - begun


def learn(contestants: list[Contestant], minutes: float, seed: int) -> None:
    """Let all learn by turns until every one's time is up."""
    with cli.progress(f"seconds of learning, seed {seed}", int(60 * minutes * len(contestants))) as show:
        shown = 0
        while any(each.share_done < 1 for each in contestants):
            for each in contestants:
                if each.share_done < 1:
                    each.update()
            spent = int(sum(each.seconds for each in contestants))
            show(spent - shown)
            shown = spent


def measure(contestant: Contestant, against: str, games: int, folder: Path) -> dict[str, Any]:
    """How a contestant's agent does, and what it took."""
    file, config = folder / AGENT_FILE, contestant.config
    contestant.learner.agent(contestant.steps).save(file)
    win = run.measure(file, config.setting, against, games, DEALS).overall.win
    return {
        "parameters": parameters(contestant.learner.network),
        "decisions": contestant.steps,
        "win": [win.mean, win.low, win.high],
    }


def table(rows: dict[str, dict[str, Any]], seeds: list[int]) -> str:
    """The results as Markdown."""
    header = ["row", "parameters", "decisions", *(f"seed {seed}, %" for seed in seeds), "mean, %"]
    lines = []
    for name, row in rows.items():
        runs = [row[str(seed)] for seed in seeds]
        mean = 100 * np.mean([run["win"][0] for run in runs])
        decisions = round(np.mean([run["decisions"] for run in runs]))
        cells = [
            name,
            f"{runs[0]['parameters']:,}",
            f"{decisions:,}",
            *(Estimate(*run["win"]).text(100) for run in runs),
        ]
        lines.append([*cells, f"{mean:.1f}"])
    return "\n".join(markdown_table(header, lines))


def load(file: Path) -> Comparison:
    """The comparison of this name or path. Raises ValueError for what is not allowed in it."""
    found = find_config(file, "comparisons")
    with label_errors(quote(str(found))):
        return validate(Comparison, read_yaml(found, quote(str(found))))


def main(
    comparison: Annotated[Path, typer.Argument(help="a file of configs/comparisons/ by name, or a path")],
    minutes: Annotated[float, typer.Option(help="learning time of each row")] = 2.0,
    seeds: Annotated[list[int] | None, typer.Option(help="of the trainings; 1 2 if left out")] = None,
    games: Annotated[int, typer.Option(help="games of each measurement")] = 1000,
    json: Annotated[Path, typer.Option(help="where the results are kept")] = Path("comparison.json"),
) -> None:
    """Find out what an option of the learner is worth: the same training with and without it, for equal time, with several seeds.

    A file of configs/comparisons/ says which configuration is trained, and what each row of the table changes in it. All rows of a
    seed begin together and take turns, an update each, until every one has learned for the same time; so other work of the
    machine slows all of them down alike. Then each is measured in the same deals. Seeds that have been learned are in --json, and
    the same command goes on after them.

    example:
      python tools/compare_options.py timeline_options --minutes 2 --seeds 1 2 --json options.json
    """
    seeds = seeds or [1, 2]
    check_number("--minutes", minutes, 0.001, 10**6)
    if len(set(seeds)) < len(seeds):
        raise ValueError(f"--seeds {quote(seeds)}: each must be named once")
    compared = load(comparison)
    trainings = {seed: {row: compared.training(row, seed, minutes) for row in compared.rows} for seed in seeds}
    learning = [config for configs in trainings.values() for config in configs.values()]
    for config in learning:
        deals_for(games, config.num_players)
    check_writable("--json", json)
    alike = {row: config.model_dump(mode="json", exclude={"seed"}) for row, config in trainings[seeds[0]].items()}
    asked = {"comparison": compared.model_dump(mode="json"), "trainings": alike, "minutes": minutes, "games": games}
    saved = read_json(json, "--json") if json.is_file() else {**asked, "rows": {}}
    if not isinstance(saved, dict) or asked != {key: saved.get(key) for key in asked} or "rows" not in saved:
        raise ValueError(f"--json {quote(str(json))} holds another comparison: name another file")
    rows = {name: saved["rows"].get(name, {}) for name in compared.rows}
    for game in {config.game for config in learning}:
        compile_game(game, rules_only=False)  # else it would be a part of the first row's time
    for seed, configs in trainings.items():
        if all(str(seed) in row for row in rows.values()):
            continue
        contestants = {name: Contestant(config) for name, config in configs.items()}
        learn(list(contestants.values()), minutes, seed)
        with tempfile.TemporaryDirectory() as folder:
            for name, each in contestants.items():
                rows[name][str(seed)] = measure(each, compared.against, games, Path(folder))
                each.learner.close()
        write_json(json, {**asked, "rows": rows})
    print(f"\n{compared.title}: wins against {compared.against} after {minutes:g} minutes each\n")
    print(table(rows, seeds))
    print(f"\nsaved: {json}")


if __name__ == "__main__":
    cli.run(main)
