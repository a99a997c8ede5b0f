"""Put the agent of a run of training/ppo.py into the package, where it is named ``shipped``: ``python tools/ship.py RUN``."""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.files import write_bytes
from timeline_env.games import game_named
from timeline_env.players.agents.agent import AGENT_FILE, agent_at, read_agent
from timeline_env.players.agents.shipped import RECORD, shipped_agent
from timeline_env.reading import json_in, naming, read_json, read_text, table_of
from training.options import SETTINGS


def ship(run: Path, commit: str, note: str) -> Path:
    """Copy a finished run's agent and note what made it; gives the agent's new place. Raises ValueError if there is no such run."""
    about = agent_at(run / AGENT_FILE).about
    read_agent(run / AGENT_FILE, game_named(about.game), about.num_players)
    label = f"{str(run)!r} is not a finished run of training/ppo.py"
    settings = table_of(read_json(run / SETTINGS, label), label)
    curve = read_text(run / "curve.jsonl", label).splitlines() or ["null"]
    with naming(label):
        last = table_of(json_in(curve[-1]), "its curve", "decisions", "seconds")
    made = {
        "settings": {name: value for name, value in settings.items() if name != "out"},
        "commit": commit,
        "decisions": last["decisions"],
        "minutes": round(last["seconds"] / 60, 1),
        "finished": datetime.fromtimestamp((run / AGENT_FILE).stat().st_mtime, UTC).isoformat(timespec="seconds"),
        "machine": f"{platform.machine()}, {os.cpu_count()} CPUs, shared with other programs",
    }
    made |= {"note": note} if note else {}
    target = shipped_agent(about.game, about.num_players)
    write_bytes(target, (run / AGENT_FILE).read_bytes())
    _note(target.with_name(RECORD), str(about.num_players), made)
    return target


def _note(record: Path, players: str, made: dict[str, Any]) -> None:
    so_far = read_json(record, repr(str(record))) if record.exists() else {}
    cli.to_json(record, dict(sorted((so_far | {players: made}).items())))


def main() -> None:
    parser = cli.Parser(description=__doc__)
    parser.add_argument("run", type=Path, help="the folder of a finished run")
    parser.add_argument("--commit", required=True, help="the commit whose code made it")
    parser.add_argument("--note", default="", help="what the settings do not tell")
    options = parser.parse_args()
    print(ship(options.run, options.commit, options.note))


if __name__ == "__main__":
    with cli.refusals():
        main()
