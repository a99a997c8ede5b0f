"""Learning curves: of one run over its decisions (``learning_curve.png``), and of several learners over the minutes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.ticker import EngFormatter

from timeline_env.arena.estimates import Estimate, wilson
from timeline_env.arena.figures import BLUE, GREY, ORANGE, new, plain, png
from timeline_env.files import write_bytes
from training.config import Config
from training.results.metrics import Row

POINTS = 50
"""The most points of a curve; the rows between two points are merged."""
Curve = list[dict[str, float]]
"""Points with ``decisions``, ``seconds`` and the share of games won, ``win``, with its 95 % interval, ``low`` and ``high``."""

LOOKS = ((BLUE, "o"), (ORANGE, "s"), ("#009e73", "D"))
"""A colour and a marker for each learner; distinct for the colour-blind, and in black and white."""


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
    figure, axes = new(7, 4.2)
    low, high = [100 * point.win.low for point in curve], [100 * point.win.high for point in curve]
    axes.fill_between(steps, low, high, color=BLUE, alpha=0.2, linewidth=0, label="95 % interval")
    axes.plot(steps, [100 * point.win.mean for point in curve], color=BLUE, label="win rate in the training games")
    axes.axhline(100 / config.num_players, color=GREY, linewidth=1, linestyle="--", label="chance")
    axes.set(xlabel="decisions of the learner", ylabel="games won, %", ylim=(0, 100), title=_title(config))
    axes.xaxis.set_major_formatter(EngFormatter())
    axes.grid(alpha=0.25)
    axes.legend(loc="lower right", frameon=False)
    if curve:
        _add_time(axes, curve)
    write_bytes(path, png(figure))


def _add_time(axes: object, curve: list[Point]) -> None:
    """Mark on the upper edge how many minutes had passed."""
    ticks = curve[:: max(len(curve) // 6, 1)]
    upper = axes.secondary_xaxis("top")  # type: ignore[attr-defined]
    upper.set_xticks([point.steps for point in ticks], [f"{point.seconds / 60:.1f}" for point in ticks])
    upper.set_xlabel("minutes")


def _title(config: Config) -> str:
    return plain(f"{config.game}, {config.num_players} players, against {', '.join(config.opponents)}")


def draw_learners(curves: dict[str, list[Curve]], title: str, chance: float, path: Path) -> None:
    """Draw every learner's curves into `path`, each with its 95 % band, and a line at chance.

    Args:
        curves: by the learner's name, a curve for each seed.
        title: the text above.
        chance: the share of games that a player as strong as the others wins.
        path: the PNG.
    """
    write_bytes(path, png(learners_figure(curves, title, chance)))


def learners_figure(curves: dict[str, list[Curve]], title: str, chance: float) -> Any:
    """The picture of `draw_learners`."""
    figure, axes = new(7.5, 5.4)
    axes.axhline(100 * chance, color=GREY, linewidth=1, linestyle="--")
    beside = {"transform": axes.get_yaxis_transform(), "ha": "right", "va": "top", "color": GREY}
    axes.text(0.99, 100 * chance - 1.5, f"chance: {100 * chance:.0f} %", **beside)  # x in shares of the width
    for (name, runs), (colour, marker) in zip(curves.items(), LOOKS[: len(curves)], strict=True):
        for run in runs:
            _add_run(axes, run, colour, marker)
        axes.lines[-1].set_label(f"{name}, {speed(runs):,.0f} decisions/s")
    axes.set(xlabel="minutes of learning", ylabel="games won, %", ylim=(0, 100), title=plain(title))
    axes.set_xlim(left=0)
    axes.grid(alpha=0.25)
    figure.legend(loc="outside lower left", frameon=False)
    return figure


def _add_run(axes: Any, run: Curve, colour: str, marker: str) -> None:
    """Add one curve with its band."""
    minutes = [point["seconds"] / 60 for point in run]
    low, mean, high = ([100 * point[key] for point in run] for key in ("low", "win", "high"))
    axes.fill_between(minutes, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.plot(minutes, mean, color=colour, marker=marker, markersize=4.5)


def speed(runs: list[Curve]) -> float:
    """Decisions learned from in a second, over all runs."""
    return sum(run[-1]["decisions"] for run in runs) / sum(run[-1]["seconds"] for run in runs)
