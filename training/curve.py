"""``learning_curve.png``: the win rate in the training games over the decisions taken."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from timeline_env.arena.estimates import Estimate, wilson
from timeline_env.files import write_file
from training.config import Config
from training.metrics import Row

POINTS = 50
"""At most so many points on the curve; rows between two are taken together."""


@dataclass(frozen=True)
class Point:
    steps: int
    seconds: float
    win: Estimate


def points(rows: list[Row], count: int = POINTS) -> list[Point]:
    """The rows in at most `count` groups of equally many decisions, each with its games' win rate and 95 % interval."""
    if not rows:
        return []
    width = max(rows[-1].steps / count, 1)
    groups: dict[int, list[Row]] = {}
    for row in rows:
        groups.setdefault(int((row.steps - 1) // width), []).append(row)
    return [point for group in groups.values() if (point := _point(group)) is not None]


def _point(group: list[Row]) -> Point | None:
    games = sum(row.games for row in group)
    if not games:
        return None
    wins = sum(row.win * row.games for row in group if row.games)
    return Point(group[-1].steps, group[-1].seconds, wilson(wins / games, games))


def draw(rows: list[Row], config: Config, path: Path) -> None:
    """Draw the curve into `path`, with its 95 % band, a line at chance, and the time above."""
    curve = points(rows)
    steps = [point.steps for point in curve]
    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.add_subplot()
    low, high = [100 * point.win.low for point in curve], [100 * point.win.high for point in curve]
    axes.fill_between(steps, low, high, alpha=0.25, linewidth=0, label="95 % interval")
    axes.plot(steps, [100 * point.win.mean for point in curve], label="win rate in the training games")
    axes.axhline(100 / config.num_players, color="grey", linestyle="--", label="chance")
    axes.set(xlabel="decisions of the learner", ylabel="games won, %", ylim=(0, 100), title=_title(config))
    axes.xaxis.set_major_formatter(matplotlib.ticker.EngFormatter())
    axes.grid(alpha=0.3)
    axes.legend(loc="lower right")
    if curve:
        _add_time(axes, curve)
    write_file(path, lambda file: figure.savefig(file, format="png", dpi=150))


def _add_time(axes: object, curve: list[Point]) -> None:
    """Mark on the upper edge how many minutes had passed."""
    ticks = curve[:: max(len(curve) // 6, 1)]
    upper = axes.secondary_xaxis("top")  # type: ignore[attr-defined]
    upper.set_xticks([point.steps for point in ticks], [f"{point.seconds / 60:.1f}" for point in ticks])
    upper.set_xlabel("minutes")


def _title(config: Config) -> str:
    return f"{config.game}, {config.num_players} players, against {', '.join(config.opponents)}"
