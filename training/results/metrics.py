"""What a run reports on its way: ``metrics.csv``, for each update a row about the games that ended since the one before; the same
for TensorBoard; and its progress."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from timeline_env import cli
from timeline_env.files import write_text
from timeline_env.players.agents.agent_files import checkpoint_folder
from timeline_env.reading import cut, label_errors, quote, read_text, rows_in
from training.config import Config


@dataclass(frozen=True)
class Row:
    """The learner (who still explores) against the opponents of the run.

    Attributes:
        steps: decisions of the learner so far.
        seconds: time spent so far, without what was lost to a kill.
        games: games that ended since the row before.
        win: their mean share of wins (ties shared); likewise `rank`, `points`, `reward` and `decisions` a game.
    """

    steps: int
    seconds: float
    games: int
    win: float
    rank: float
    points: float
    reward: float
    decisions: float


METRICS = "metrics.csv"
"""In a run's folder."""
MOST_BYTES = 2**30
"""The size up to which that file is read: millions of updates."""
Show = Callable[[int, float, str], None]
"""A function that is given decisions, seconds and a note."""
RECENT = 2000
"""Games in the win rate that is shown."""
KINDS: dict[str, Any] = {field.name: int if field.type == "int" else float for field in fields(Row)}


def summary(steps: int, seconds: float, infos: Sequence[dict[str, Any]]) -> Row:
    """The row of these games' last infos; its means are NaN if no game ended."""

    def mean(part: str, key: str) -> float:
        return round(float(np.mean([info[part][key] for info in infos])), 4) if infos else float("nan")

    return Row(
        steps,
        round(seconds, 1),
        len(infos),
        win=mean("result", "win"),
        rank=mean("result", "rank"),
        points=mean("result", "points"),
        reward=mean("episode", "r"),
        decisions=mean("episode", "l"),
    )


def read(path: Path) -> list[Row]:
    """The rows of a run, without a last one that a kill left incomplete.

    Raises:
        ValueError: the file holds something else.
    """
    if not path.exists():
        return []
    label = f"{quote(str(path))} holds no metrics"
    text = read_text(path, label, MOST_BYTES)
    whole = text[: text.rfind("\n") + 1]
    if not whole:
        return []
    with label_errors(label):
        return [_row(number, cells) for number, cells in enumerate(rows_in(whole, list(KINDS)), 2)]


def _row(number: int, cells: dict[str, str]) -> Row:
    try:
        return Row(**{key: kind(cells[key]) for key, kind in KINDS.items()})
    except ValueError as error:
        raise ValueError(f"line {number}: {cut(str(error))}") from None


def checkpoints(run: Path) -> list[tuple[Row, Path]]:
    """The rows of the run in this folder after which its agent was kept, and the folders of these agents."""
    rows = [(row, checkpoint_folder(run, row.steps)) for row in read(run / METRICS)]
    return [(row, folder) for row, folder in rows if folder.is_dir()]


@contextmanager
def progress(config: Config, steps: int, seconds: float) -> Iterator[Show]:
    """Show the progress of a run from these decisions and seconds on: by its minutes, if `minutes` limits it."""
    what, whole = ("training", config.steps)
    if config.minutes:
        what, whole = ("seconds of training", int(60 * config.minutes))
    done = int(seconds if config.minutes else steps)
    with cli.progress(what, whole, done) as advance:

        def show(steps: int, seconds: float, note: str) -> None:
            nonlocal done
            now = int(seconds if config.minutes else steps)
            advance(now - done, note=note)
            done = now

        yield show


def begin(path: Path, steps: int) -> None:
    """Make the file ready for the rows after `steps` decisions: what lies beyond was lost and will be trained again."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(KINDS), lineterminator="\n")
    writer.writeheader()
    writer.writerows(asdict(row) for row in read(path) if row.steps <= steps)
    write_text(path, text.getvalue())


def append(path: Path, row: Row) -> None:
    """Add a row."""
    with path.open("a", encoding="utf-8", newline="") as file:
        csv.DictWriter(file, list(KINDS), lineterminator="\n").writerow(asdict(row))


class Notes:
    """``metrics.csv`` and ``tensorboard/`` of a run that has taken this many decisions."""

    def __init__(self, run: Path, steps: int) -> None:
        from torch.utils.tensorboard import SummaryWriter

        self.csv = run / METRICS
        begin(self.csv, steps)
        self.board = SummaryWriter(str(run / "tensorboard"), purge_step=steps + 1)

    def add(self, row: Row, losses: Mapping[str, float]) -> None:
        """Note an update: its row in both, what the learner measures of itself in the latter alone."""
        append(self.csv, row)
        scalars = {f"games/{name}": value for name, value in asdict(row).items() if name != "steps"}
        scalars |= {f"learner/{name}": value for name, value in losses.items()}
        for name, value in scalars.items():
            self.board.add_scalar(name, value, row.steps)

    def close(self) -> None:
        """Write to the disk what is not there yet."""
        self.board.close()


def note(recent: Sequence[float], num_players: int) -> str:
    """What is shown next to the progress: the mean of the last games' shares of wins, and what chance would give."""
    rate = f"win rate {100 * np.mean(recent):.1f} %" if recent else "no game has ended yet"
    return f"{rate}, chance {100 / num_players:.0f} %"
