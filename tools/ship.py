"""Put the agent of a finished run into the package, where ``shipped`` or another name means it: ``python tools/ship.py RUN --commit HASH``."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.engine.setting import Setting
from timeline_env.files import write_json
from timeline_env.players.agents.agent import Agent, Layer
from timeline_env.players.agents.agent_files import AGENT_FILE, read_agent
from timeline_env.players.agents.shipped import NAMES, RECORD, SHIPPED, record_key, shipped_agent
from timeline_env.reading import read_json, unknown_name

with cli.require_extra("train"):
    from training.opponents.pinned import short_name
    from training.results.metrics import checkpoints
    from training.run_folder import read_run


def ship(path: Path, commit: str, note: str, name: str = SHIPPED, decisions: int | None = None) -> Path:
    """Copy a finished run's agent, or that of the checkpoint after so many decisions, and note what made it; gives its new place.

    Raises ValueError if the run does not exist, is not finished, or kept no such checkpoint.
    """
    run, _ = read_run(path)
    kept = {row.steps: (row, folder) for row, folder in checkpoints(path)}
    last, _ = kept[max(kept)] if kept else (None, path)
    if last is None or run.config.share_done(last.steps, last.seconds) < 1:
        raise ValueError(f"run {str(path)!r} is not finished; resume it with timeline-env train --resume")
    if decisions is not None and decisions not in kept:
        nearest = sorted(sorted(kept, key=lambda steps: abs(steps - decisions))[:3])
        raise ValueError(
            f"run {str(path)!r} has no checkpoint after {decisions} decisions; the nearest are {', '.join(map(str, nearest))}"
        )
    row, folder = kept[last.steps if decisions is None else decisions]
    file = folder / AGENT_FILE
    agent = read_agent(file, Setting(run.config.registered_game, run.config.num_players))
    settings = run.config.model_dump()
    if run.config.start is not None:
        settings["start"] = short_name(run.config.start)  # where the run lay on this machine is of no use elsewhere
    made = {
        "settings": settings,
        "commit": commit,
        "decisions": row.steps,
        "of_decisions": last.steps,
        "minutes": round(row.seconds / 60, 1),
        "finished": datetime.fromtimestamp(file.stat().st_mtime, UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.machine()}, {os.cpu_count()} CPUs, shared with other programs",
    }
    made |= {"note": note} if note else {}
    target = shipped_agent(run.config.game, run.config.num_players, name)
    halved(agent).save(target)
    _note(target.with_name(RECORD), record_key(run.config.num_players, name), made)
    return target


def halved(agent: Agent) -> Agent:
    """The same agent in float16, which takes half the space; its logits change in the fourth digit."""

    def half(layers: list[Layer]) -> list[Any]:
        return [(weight.astype(np.float16), bias.astype(np.float16)) for weight, bias in layers]

    return replace(
        agent, layers=half(agent.layers), value_layers=half(agent.value_layers), head_layers=half(agent.head_layers),
        outlook_layers=half(agent.outlook_layers),
    )  # fmt: skip


def _note(record: Path, key: str, made: dict[str, Any]) -> None:
    so_far = read_json(record, repr(str(record))) if record.exists() else {}
    write_json(record, dict(sorted((so_far | {key: made}).items())))


def main(
    run: Annotated[Path, typer.Argument(help="the folder of a finished run")],
    commit: Annotated[str, typer.Option(help="the commit whose code made it")],
    note: Annotated[str, typer.Option(help="what the settings do not say")] = "",
    decisions: Annotated[int | None, typer.Option(help="the checkpoint after so many decisions; else the last")] = None,
    name: Annotated[str, typer.Option(help=f"what it will be asked for by: {', '.join(NAMES)}")] = SHIPPED,
) -> None:
    """Put the agent of a finished run into the package, where "shipped" or another name means it.

    example:
      python tools/ship.py runs/mine --commit 0123abc
    """
    if name not in NAMES:
        raise unknown_name("--name", name, NAMES)
    print(ship(run, commit, note, name, decisions))


if __name__ == "__main__":
    cli.run(main)
