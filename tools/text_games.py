"""Play games through the pipe of ``process:COMMAND``: ``python tools/text_games.py`` prints the table of docs/results/text.md."""

from __future__ import annotations

import shlex
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import typer
from numpy.typing import NDArray

from timeline_env import cli, words
from timeline_env.arena.evaluation import seat_in_turn
from timeline_env.arena.games import Results, play_games
from timeline_env.arena.markdown import line, markdown_table
from timeline_env.engine.batch import game_seeds
from timeline_env.engine.setting import Setting
from timeline_env.games import PACKAGES, game_named
from timeline_env.players import Decisions, load_player
from timeline_env.players.names import PlayerName
from timeline_env.reading import quote

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "text_player.py"
HEADER = (
    "game", "answers like", "malformed on purpose", "games", "decisions", "malformed", "random moves", "ms a decision",
    "without the pipe",
)  # fmt: skip


@dataclass(frozen=True)
class Row:
    """What answers: a player of the package, whose own move is played in the end, or `random`; which share of its answers is no move."""

    game: str
    player: str
    malformed: float


ROWS = [
    Row(game, player, malformed)
    for game, scripted in (("timeline", "projector"), ("twilight_struggle", "heuristic"))
    for player, malformed in (("random", 0.1), (scripted, 0.3), ("shipped", 0.0))
]


def main(
    games: Annotated[int, typer.Option(min=1, help="of each row, rounded up to whole deals")] = 20,
    game: Annotated[str | None, typer.Option(help=f"only {' or '.join(PACKAGES)}")] = None,
    player: Annotated[str | None, typer.Option(help="only the row that answers like this one")] = None,
) -> None:
    """Play games of a command against `random`, and the same games of the player it imitates without the pipe."""
    wanted = [row for row in ROWS if game in (None, row.game) and player in (None, row.player)]
    if not wanted:
        allowed = ", ".join(f"{row.game} {row.player}" for row in ROWS)
        raise ValueError(f"--game {quote(game)} --player {quote(player)}: no row is of these; rows: {allowed}")
    print("\n".join(markdown_table(HEADER, [], 2)), flush=True)
    for row in wanted:
        print(line(play_row(row, games)), flush=True)


def play_row(row: Row, games: int) -> list[str]:
    """Play a row's games; gives its cells."""
    imitates = row.player != "random"
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        asked = ["--player", row.player] * imitates + ["--malformed", str(row.malformed)]
        options = ["--seconds", "600", "--retries", "10" if imitates else "2", "--log", str(log)]
        name = f"process:{shlex.join([*options, sys.executable, str(EXAMPLE), *asked])}"
        began = time.monotonic()
        piped = play(row.game, name, games)
        seconds = time.monotonic() - began
        counts = words.count_log(log)
    verdict = "–"
    if imitates:
        plain = play(row.game, row.player, games)
        same = sum(np.array_equal(a, b) for a, b in zip(piped.games(), plain.games(), strict=True))
        verdict = "the same games" if same == len(plain.rank) else f"{same} of {len(plain.rank)} games are the same"
    told = [counts["decisions"], counts["malformed"], counts["random"], round(1000 * seconds / counts["decisions"])]
    return [row.game, f"`{row.player}`", f"{row.malformed:.0%}", *map(str, (len(piped.rank), *told)), verdict]


@dataclass(frozen=True)
class Anew:
    """A player that is made anew for each decision, as the command makes it, so that it draws the same among equals."""

    name: str

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]."""
        game, count = decisions.batch.game, decisions.batch.num_players
        rows = [Decisions.of(decisions.batch, decisions.games[k : k + 1]) for k in range(len(decisions.games))]
        return np.concatenate([load_player(self.name, game, num_players=count).act(row) for row in rows])


def play(name: str, player: str, games: int) -> Results:
    """Games of a player against `random`, in every seat equally often, on the same deals whoever plays."""
    setting = Setting(game_named(name))
    deals = -(-games // setting.num_players)
    seats = seat_in_turn(deals, setting.num_players, 1)
    one = load_player(player, setting.game) if PlayerName.read(player).command else Anew(player)
    players = [one, load_player("random", setting.game, 1)]
    return play_games(setting, players, seats, np.repeat(game_seeds(0, deals), setting.num_players))


if __name__ == "__main__":
    cli.run(main)
