"""The generalisation track: agents trained in one setting, played in others as they are, adapted, and beside agents trained there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from timeline_env import cli
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.evaluation import deals_for
from timeline_env.arena.markdown import markdown_table
from timeline_env.arena.suite import VERSION
from timeline_env.players.names import is_misread
from timeline_env.reading import quote
from training.config import Config
from training.tracks.entries import TRAINED, GeneralisationEntry, Place
from training.tracks.scores import Match, play_all, score, train_all

KINDS = ("as it is", "adapted", "from scratch")
"""The columns: agents trained elsewhere without and with adaptation, and agents trained there."""


@dataclass(frozen=True)
class Cell:
    """How agents of one kind do in one setting.

    Attributes:
        wins: [agents][players of `entry.against`], each agent's share of the games won.
        score: the interquartile mean of all those, with the interval of a stratified bootstrap.
    """

    wins: list[list[Estimate]]
    score: Estimate


@dataclass(frozen=True)
class Generalised:
    """An entry's result: for each setting, by its name, and each of `KINDS` what was measured; the first is `TRAINED`."""

    entry: GeneralisationEntry
    cells: dict[str, dict[str, Cell]]

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and dicts, for JSON; of a table of cards its file's name alone."""
        told = self.entry.model_dump()
        for place in (told["trained"], *told["played"].values()):
            if "cards" in place["rules"]:
                place["rules"]["cards"] = Path(place["rules"]["cards"]).name
        return {"version": VERSION, **asdict(self), "entry": told}


def generalise(entry: GeneralisationEntry, out: Path, command: list[str], processes: int) -> Generalised:
    """Train the entry's agents and measure them everywhere; what is in `out` already is not done again.

    Args:
        entry: what is trained and played.
        out: the entry's folder: `trained` holds the agents' runs, `0` and so on what was trained in the other settings.
        command: what is noted in the runs.
        processes: how many work side by side.

    Raises:
        ValueError: a folder holds something else, or its path a ':': no run could begin as an agent there.
        OSError: a process was killed; the same call goes on.
    """
    if is_misread(str(out / "trained")):
        raise ValueError(f"folder {quote(str(out))} must hold no ':': agents there are named by their paths")
    first = {seed: out / "trained" / f"seed_{seed}" for seed in entry.seeds}
    places = [(TRAINED, entry.trained, {KINDS[0]: list(first.values())})]
    total = len(first) * (entry.decisions + len(entry.played) * (entry.adaptation + entry.decisions))
    with cli.progress(f"{out.name}: decisions learned from", total) as advance:
        begun = [(entry.train_in(entry.trained, seed, entry.decisions), path) for seed, path in first.items()]
        train_all(begun, command, processes, advance)
        there: list[tuple[Config, Path]] = []
        for number, (name, place) in enumerate(entry.played.items()):
            adapted = {seed: out / str(number) / "adapted" / f"seed_{seed}" for seed in entry.seeds}
            scratch = {seed: out / str(number) / "scratch" / f"seed_{seed}" for seed in entry.seeds}
            for seed in entry.seeds:
                there.append((entry.train_in(place, seed, entry.adaptation, first[seed]), adapted[seed]))
                there.append((entry.train_in(place, seed, entry.decisions), scratch[seed]))
            rows = (list(paths.values()) for paths in (first, adapted, scratch))
            places.append((name, place, dict(zip(KINDS, rows, strict=True))))
        train_all(there, command, processes, advance)
    return Generalised(entry, measure(entry, places, out, processes))


def measure(
    entry: GeneralisationEntry, places: Sequence[tuple[str, Place, dict[str, list[Path]]]], out: Path, processes: int
) -> dict[str, dict[str, Cell]]:
    """Play the agents of each kind in each setting; the cells by setting and kind."""
    matches = {
        (name, kind): [
            [
                Match(
                    entry.setting(place),
                    path,
                    player,
                    entry.games,
                    entry.seed,
                    result_file(out, row, kind, path, column),
                )
                for column, player in enumerate(entry.against)
            ]
            for path in paths
        ]
        for row, (name, place, agents) in enumerate(places)
        for kind, paths in agents.items()
    }
    every = [match for table in matches.values() for line in table for match in line]
    with cli.progress(f"{out.name}: games", entry.games * len(every)) as advance:
        play_all(every, processes, advance)
    cells: dict[str, dict[str, Cell]] = {name: {} for name, _, _ in places}
    for (name, kind), table in matches.items():
        cells[name][kind] = Cell(*score(table))
    return cells


def result_file(out: Path, row: int, kind: str, agent: Path, column: int) -> Path:
    """Where the games of an agent in the setting of this row, against the player of this column, are kept."""
    return out / "measured" / f"{row}_{kind.replace(' ', '_')}_{agent.name}_{column}.json"


def markdown(name: str, found: Generalised) -> list[str]:
    """The entry's table, line by line."""
    entry = found.entry
    changes = "".join(f" `{change}`" for change in entry.changes)
    lines = [
        f"### {entry.title}",
        f"`{name}`: {entry.game}, `{entry.config}`{changes}, {entry.decisions:,} decisions of each of {len(entry.seeds)} agents, "
        f"{entry.adaptation:,} of adaptation. Interquartile mean of the games won in % against "
        + ", ".join(f"`{player}`" for player in entry.against)
        + f" (seed {entry.seed}); games are those of each agent against each; in brackets 95 % intervals of a "
        "stratified bootstrap over the agents.",
        "",
    ]
    rows = []
    for (place, cells), where in zip(found.cells.items(), [entry.trained, *entry.played.values()], strict=True):
        games = deals_for(entry.games, where.num_players) * where.num_players
        told = (cells[kind].score.text(100) if kind in cells else "" for kind in KINDS)
        rows.append((place, f"{100 / where.num_players:.1f}", f"{games:,}", *told))
    return lines + markdown_table(("played with", "chance", "games", *KINDS), rows)
