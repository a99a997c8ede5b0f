"""Training many agents and measuring them, in processes side by side; what is there already is not done again."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.estimates import Estimate
from timeline_env.arena.processes import run_parallel
from timeline_env.arena.statistics import stratified_mean
from timeline_env.engine.setting import Setting
from timeline_env.files import write_json
from timeline_env.players.agents.agent_files import agent_file
from timeline_env.players.fingerprint import fingerprint
from timeline_env.players.names import PlayerName
from timeline_env.reading import read_json, table_of
from training.config import Config
from training.run import find_or_begin, measure, train
from training.run_folder import log_beside

Progress = Callable[[int], None]


def train_all(wanted: Sequence[tuple[Config, Path]], command: list[str], processes: int, progress: Progress) -> None:
    """Train an agent by each configuration into its run folder; a run that is there goes on.

    Args:
        wanted: configurations, and where their runs are.
        command: what is noted in the runs.
        processes: how many are trained side by side.
        progress: called with the decisions of a run as soon as it is over.

    Raises:
        ValueError: a folder holds another run, or a configuration cannot be trained.
        OSError: a process was killed.
    """
    for folder in sorted({path.parent for _, path in wanted}):
        print(f"how far each agent is: {folder}/*.log", file=sys.stderr)
    run_parallel(train_one, [(config, path, command) for config, path in wanted], processes, progress)


def train_one(config: Config, path: Path, command: list[str]) -> int:
    """Train one agent; gives its decisions."""
    run = find_or_begin(config, path, command)
    with run.lock(), log_beside(path):
        train(run)
    return config.steps


@dataclass(frozen=True)
class Match:
    """One agent against copies of one player.

    Attributes:
        setting: what is played.
        agent: its path.
        against: the player's name.
        games, seed: as for `evaluate`.
        file: where the result is kept.
    """

    setting: Setting
    agent: Path
    against: str
    games: int
    seed: int
    file: Path

    def key(self) -> dict[str, Any]:
        """What must be the same for a result to be used again."""
        setting = self.setting
        return {
            "agent": hashlib.sha256(agent_file(self.agent).read_bytes()).hexdigest(),
            "against": self.against,
            "against_files": fingerprint(PlayerName.read(self.against), setting),
            "game": setting.game.name,
            "rules_version": setting.game.rules_version,
            "num_players": setting.num_players,
            "rules": setting.rules_digest,
            "games": self.games,
            "seed": self.seed,
        }

    def is_played(self) -> bool:
        """Whether the file holds this match. Raises ValueError if it cannot be read."""
        return self.file.is_file() and self._found()["key"] == self.key()

    def win(self) -> Estimate:
        """The agent's share of the games won (ties shared), with its interval over the deals."""
        return Estimate.read(self._found()["win"], str(self.file))

    def _found(self) -> dict[str, Any]:
        """What the file holds. Raises ValueError if it cannot be read."""
        return table_of(read_json(self.file, str(self.file)), str(self.file), "key", "win")


def play_all(matches: Sequence[Match], processes: int, progress: Progress) -> None:
    """Play the matches that are not there yet. Raises OSError if a process was killed."""
    missing = [match for match in matches if not match.is_played()]
    progress(sum(match.games for match in matches) - sum(match.games for match in missing))
    for match in missing:
        match.file.parent.mkdir(parents=True, exist_ok=True)
    run_parallel(play_match, [(match,) for match in missing], processes, progress)


def play_match(match: Match) -> int:
    """Play one match into its file; gives the number of its games."""
    match = replace(match, agent=agent_file(match.agent))  # a run that goes on gets another latest agent
    key = match.key()
    found = measure(match.agent, match.setting, match.against, match.games, match.seed)
    overall = found.overall
    result = {name: asdict(getattr(overall, name)) for name in ("win", "rank", "points")}
    write_json(match.file, {"key": key, "deals": found.deals, **result})
    return match.games


def score(matches: Sequence[Sequence[Match]]) -> tuple[list[list[Estimate]], Estimate]:
    """What the agents (rows) won against each player, and the interquartile mean of all that. Raises ValueError if a result cannot be read."""
    wins = [[match.win() for match in row] for row in matches]
    return wins, stratified_mean(shares(wins))


def shares(wins: Sequence[Sequence[Estimate]]) -> NDArray[np.float64]:
    """The means of these estimates [agents][players]; float64 of that shape."""
    return np.array([[win.mean for win in row] for row in wins])
