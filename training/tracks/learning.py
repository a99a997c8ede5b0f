"""The learning track: agents of several seeds after the same number of decisions, measured against others and each other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from timeline_env import cli
from timeline_env.arena import statistics, tournament
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.evaluation import deals_for
from timeline_env.arena.markdown import markdown_table
from timeline_env.arena.statistics import Matrix
from timeline_env.arena.suite import VERSION
from timeline_env.arena.tournament import PLAN_FILE
from timeline_env.players.agents.agent_files import agent_at, agent_file, read_agent
from timeline_env.players.agents.shipped import NAMES
from timeline_env.players.names import GUARDED, SAMPLED, is_misread
from timeline_env.reading import quote, read_yaml
from training.results import metrics
from training.run_folder import CONFIG
from training.tracks.entries import LearningEntry, most_decisions
from training.tracks.scores import Match, play_all, score, train_all

CROSS_PLAY = "cross_play"
"""In an entry's folder: the games of its agents with each other."""


@dataclass(frozen=True)
class Learned:
    """An entry's result.

    Attributes:
        entry: what was asked.
        agents: the agents' names: ``seed 0`` and so on, or their paths where they were given.
        decisions: that each has learned from.
        seconds: of each one's training; None for an agent without its run.
        wins: [agents][players of `entry.against`], each agent's share of the games won.
        score: the interquartile mean of all those, with the interval of a stratified bootstrap.
        ahead: [agents][agents], how often the row finished ahead of the column at the same table.
        given: whether the agents were trained elsewhere, so that `entry.config` says nothing of them.
    """

    entry: LearningEntry
    agents: tuple[str, ...]
    decisions: tuple[int, ...]
    seconds: tuple[float | None, ...]
    wins: list[list[Estimate]]
    score: Estimate
    ahead: Matrix
    given: bool

    def as_dict(self) -> dict[str, Any]:
        """Plain numbers, lists and dicts, for JSON."""
        return {"version": VERSION, **asdict(self), "entry": self.entry.model_dump()}


def learn(entry: LearningEntry, out: Path, agents: Sequence[str], command: list[str], processes: int) -> Learned:
    """Train the entry's agents, or take those that are given, and measure them; what is in `out` already is not done again.

    Args:
        entry: what is learned, and how it is measured.
        out: the entry's folder; ``seed_N`` are the runs, `measured` the games against others, `cross_play` those with each other.
        agents: paths of agents that were trained elsewhere, one for each seed of the entry; if empty, one is trained for each seed.
        command: what is noted in the runs.
        processes: how many work side by side.

    Raises:
        ValueError: an agent is for another game, or has learned from more decisions than the entry allows; they are not
            as many as its seeds, or two are the same; a path cannot be a player's name; or a folder holds something else.
        OSError: a process was killed; the same call goes on.
    """
    names = [f"seed {seed}" for seed in entry.seeds]
    paths = [out / f"seed_{seed}" for seed in entry.seeds]
    if agents:
        names, paths = list(agents), list(map(Path, agents))
    check_paths(paths)
    if agents:
        if any((out / f"seed_{seed}").exists() for seed in entry.seeds):
            raise ValueError(f"{str(out)!r} holds the agents that were trained for this entry; give another folder")
        check_agents(entry, paths)
    else:
        if (out / CROSS_PLAY).exists() and not any(path.exists() for path in paths):
            raise ValueError(f"{str(out)!r} holds the games of agents that were given; give another folder")
        with cli.progress(f"{out.name}: decisions learned from", entry.decisions * len(paths)) as advance:
            train_all(list(zip(entry.configs(), paths, strict=True)), command, processes, advance)
    files = [agent_file(path) for path in paths]  # a run that goes on gets another latest agent
    # A folder that was moved holds agents of other names: that is told before hours of games.
    if (out / CROSS_PLAY / PLAN_FILE).exists():
        wanted = plan_cross_play(entry, files)
        tournament.check_plan(wanted.kind, wanted.as_dict(), out / CROSS_PLAY)
    told = [agent_at(file).about.steps for file in files]
    seconds = tuple(map(seconds_of, paths, told))  # metrics may be refused, so they are read before hours of games
    matches = [
        [
            Match(entry.setting, file, name, entry.games, entry.seed, measured(out, path, number))
            for number, name in enumerate(entry.against)
        ]
        for path, file in zip(paths, files, strict=True)
    ]
    flat = [match for row in matches for match in row]
    with cli.progress(f"{out.name}: games against others", entry.games * len(flat)) as advance:
        play_all(flat, processes, advance)
    wins, mean = score(matches)
    return Learned(
        entry, tuple(names), tuple(told), seconds, wins, mean, cross_play(entry, files, out, processes), bool(agents),
    )  # fmt: skip


def measured(out: Path, agent: Path, number: int) -> Path:
    """The file of an agent's games against the player of this number."""
    return out / "measured" / f"{hashlib.sha256(str(agent).encode()).hexdigest()[:12]}_{number}.json"


def check_paths(paths: Sequence[Path]) -> None:
    """Raise ValueError if a path cannot be a player's name, as which the agents enter the cross-play."""
    for path in map(str, paths):
        if is_misread(path):
            raise ValueError(
                f"path {quote(path)} must hold no ':' and not end with {SAMPLED} or {GUARDED}: "
                "it is a player's name in the cross-play"
            )


def check_agents(entry: LearningEntry, paths: Sequence[Path]) -> None:
    """Raise ValueError if agents that were trained elsewhere cannot stand in this entry's table."""
    if len(paths) != len(entry.seeds):
        raise ValueError(
            f"agents {quote(' '.join(map(str, paths)))} must be {len(entry.seeds)}: one of each seed of the entry"
        )
    found: dict[str, Path] = {}
    for path in paths:
        if (name := str(agent_file(path))) in (*entry.setting.game.baselines, *NAMES):
            raise ValueError(
                f"path {quote(name)} is the name of another player, as which it would enter the cross-play; "
                f"give {quote(str(path.absolute()))}"
            )
        agent = read_agent(path, entry.setting)
        if (start := start_of(agent_file(path))) is not None:
            raise ValueError(f"agent {quote(str(path))} began as {quote(start)}, whose decisions would not be counted")
        steps = agent.about.steps
        if steps > most_decisions(entry.decisions):
            raise ValueError(
                f"agent {quote(str(path))} has learned from {steps:,} decisions; at most {most_decisions(entry.decisions):,} are allowed"
            )
        digest = hashlib.sha256()
        for layers in (agent.layers, agent.value_layers, agent.head_layers, agent.outlook_layers):
            for array in chain.from_iterable(layers):
                digest.update(array.tobytes())
        weights = digest.hexdigest()
        if weights in found:
            raise ValueError(
                f"agents {quote(str(found[weights]))} and {quote(str(path))} are the same; give one of each seed"
            )
        found[weights] = path


def start_of(file: Path) -> Any:
    """The agent that a run began with, by one of its agents' files; None if it began untrained, or the file lies in no run's folder."""
    for folder in file.absolute().parents[:3]:
        if (folder / CONFIG).is_file():
            content = read_yaml(folder / CONFIG, quote(str(folder / CONFIG)))
            return content.get("start") if isinstance(content, dict) else None
    return None


def seconds_of(path: Path, steps: int) -> float | None:
    """How long a run had learned when its agent had so many decisions, as its metrics tell it; None if the path is not a run."""
    seconds = [row.seconds for row in metrics.read(path / metrics.METRICS) if row.steps <= steps]
    return seconds[-1] if seconds else None


def plan_cross_play(entry: LearningEntry, paths: Sequence[Path]) -> tournament.Plan:
    """The tournament of all agents."""
    names = [str(agent_file(path)) for path in paths]
    return tournament.plan(entry.setting.game, names, entry.num_players, entry.games, entry.seed)


def cross_play(entry: LearningEntry, paths: Sequence[Path], out: Path, processes: int) -> Matrix:
    """How often each agent finished ahead of each other, in a tournament of all."""
    wanted = plan_cross_play(entry, paths)
    with cli.progress(f"{out.name}: games of cross-play", wanted.games) as advance:
        played = tournament.run(wanted, out / CROSS_PLAY, processes, advance)
    return statistics.cross_play(statistics.share_ahead(played))


def markdown(name: str, found: Learned) -> list[str]:
    """The entry's tables, line by line."""
    entry = found.entry
    deals = deals_for(entry.games, entry.num_players)
    chance = 100 / entry.num_players
    trained = " ".join(f"`{part}`" for part in (entry.config, *entry.changes))
    how = "agents that were trained elsewhere" if found.given else trained
    lines = [
        f"### {entry.title}",
        f"`{name}`: {entry.game}, {entry.num_players} players, {how}, {entry.decisions:,} decisions of each agent. Share of games won in %, chance {chance:.1f}, "
        f"{deals * entry.num_players:,} games a cell from {deals:,} deals (seed {entry.seed}); in brackets 95 % intervals.",
        "",
    ]
    rows = [
        (agent, *(win.text(100) for win in wins), f"{steps / seconds:,.0f}" if seconds else "")
        for agent, wins, steps, seconds in zip(found.agents, found.wins, found.decisions, found.seconds, strict=True)
    ]
    lines += markdown_table(("agent", *(f"against `{name}`" for name in entry.against), "decisions a second"), rows)
    lines += [
        "",
        f"**Interquartile mean over {len(found.agents)} agents and {len(entry.against)} players: {found.score.text(100)} %** "
        "(stratified bootstrap).",
        "",
        "Cross-play: how often the row finished ahead of the column at the same table, in %.",
        "",
    ]
    ahead = [
        (agent, *("" if cell is None else cell.text(100) for cell in cells))
        for agent, cells in zip(found.agents, found.ahead, strict=True)
    ]
    return lines + markdown_table(("", *found.agents), ahead)
