"""Best responses to several players: for each a challenger after the same number of decisions, and how far it gets."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from timeline_env import cli
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.evaluation import deals_for
from timeline_env.arena.markdown import markdown_table
from timeline_env.arena.processes import run_parallel
from timeline_env.reading import quote, read_json, table_of
from training.best_response import RESULT, begin_or_resume_challenger, respond
from training.config import Config
from training.run_folder import log_beside


@dataclass(frozen=True)
class Exploited:
    """How far the challenger of a player got.

    Attributes:
        player: whom it was trained against.
        win: the challenger's share of the games won against copies of that player.
        wins, rank: what one seat gains, see `timeline_env.arena.exploitability.Bound`.
        decisions, seconds: of the challenger's training.
    """

    player: str
    win: Estimate
    wins: Estimate
    rank: Estimate
    decisions: int
    seconds: float


def respond_to_all(
    wanted: Sequence[tuple[str, Config]], out: Path, games: int, command: list[str], processes: int
) -> list[Exploited]:
    """Train a challenger of every player and play its final games; what is in `out` already is not done again.

    Args:
        wanted: players, each with the configuration of its challenger; see `training.best_response.challenger_config`.
        out: where the challengers' runs are, each in the folder `folder_name` of its player.
        games: final games of each, rounded up to whole deals.
        command: what is noted in the runs.
        processes: how many challengers are trained side by side.

    Raises:
        ValueError: a player is named twice, or a folder holds something else.
        OSError: a process was killed; the same call goes on.
    """
    paths = [out / folder_name(player) for player, _ in wanted]
    if len(set(paths)) < len(paths):
        raise ValueError(f"players {quote(' '.join(player for player, _ in wanted))}: each must be named once")
    out.mkdir(parents=True, exist_ok=True)
    tasks = [
        (player, config, path, games, command)
        for (player, config), path in zip(wanted, paths, strict=True)
        if not is_done(player, config, path, games, command)
    ]
    total = sum(config.steps for _, config in wanted)
    left = sum(config.steps for _, config, *_ in tasks)
    with cli.progress("decisions of the challengers", total, total - left) as advance:
        run_parallel(respond_one, tasks, processes, advance)
    return [exploited(player, path) for (player, _), path in zip(wanted, paths, strict=True)]


def folder_name(player: str) -> str:
    """The folder's name for a player's challenger: the player's name, or its plain letters and a hash that keeps it apart."""
    letters = re.sub(r"[^\w.-]+", "_", player)[:60]
    is_plain = letters == player and player.strip(".")
    return player if is_plain else f"{letters}-{hashlib.sha256(player.encode()).hexdigest()[:12]}"


def is_done(player: str, config: Config, path: Path, games: int, command: list[str]) -> bool:
    """Whether the challenger's training and its final games are over. Raises ValueError if another run is there, or another player was met."""
    if not (path / RESULT).is_file():
        return False
    found, so_far = read(path), begin_or_resume_challenger(player, config, path, command).progress()
    played = deals_for(games, config.num_players) * config.num_players
    return found["decisions"] == so_far.steps >= config.steps and found["evaluation"]["games"] == played


def respond_one(player: str, config: Config, path: Path, games: int, command: list[str]) -> int:
    """Train one challenger; gives its decisions."""
    with log_beside(path):
        respond(player, config, path, games, command)
    return config.steps


def read(path: Path) -> dict[str, Any]:
    """What a challenger's run found. Raises ValueError if it cannot be read."""
    label = str(path / RESULT)
    found = table_of(read_json(path / RESULT, label), label, "decisions", "seconds", "bound", "evaluation")
    table_of(found["evaluation"], label, "games", "overall")
    if not all(type(found[key]) in (int, float) and found[key] > 0 for key in ("decisions", "seconds")):
        raise ValueError(
            f"{label}: decisions and seconds must be numbers above 0, not {quote([found['decisions'], found['seconds']])}"
        )
    return found


def exploited(player: str, path: Path) -> Exploited:
    """The row of a player from its challenger's run."""
    found, label = read(path), str(path / RESULT)
    overall = table_of(found["evaluation"]["overall"], label, "win")
    bound = table_of(found["bound"], label, "wins", "rank")
    win, wins, rank = (Estimate.read(told, label) for told in (overall["win"], bound["wins"], bound["rank"]))
    return Exploited(player, win, wins, rank, found["decisions"], found["seconds"])


def markdown(config: Config, found: Sequence[Exploited], games: int) -> list[str]:
    """The table, line by line; the players whose challengers win least come last."""
    seats = config.num_players
    played = deals_for(games, seats) * seats
    title = (
        f"{config.game}, {seats} players; challengers trained with {config.steps:,} decisions each, rounded up to whole updates; "
        f"{played:,} final games; chance {100 / seats:.1f} %; in brackets 95 % intervals."
    )
    header = (
        "player", "its challenger wins, %", "gain of one seat, points of win rate", "in the reward by rank", "decisions a second",
    )  # fmt: skip
    rows = [
        (
            f"`{row.player}`", row.win.text(100), row.wins.text(100, 1, "+"), row.rank.text(1, 3, "+"),
            f"{row.decisions / row.seconds:,.0f}",
        )
        for row in sorted(found, key=lambda row: -row.win.mean)
    ]  # fmt: skip
    return [title, "", *markdown_table(header, rows)]
