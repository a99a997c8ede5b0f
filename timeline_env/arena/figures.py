"""The pictures of a tournament, as PNG. Players are in the order of their rating, the best first."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np

from timeline_env.arena.estimates import Estimate
from timeline_env.arena.statistics import Matrix
from timeline_env.arena.summary import Summary
from timeline_env.extras import require

LONGEST = 26
"""The most characters of a player's name in a picture."""
BLUE, ORANGE, GREY = "#1f5fa8", "#d9822b", "#6b7280"


def figures(summary: Summary) -> dict[str, bytes]:
    """Every picture by its name, as PNG.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    drawn: dict[str, Callable[[Summary], Any]] = {"ratings": draw_ratings, "cross_play": draw_cross_play}
    drawn["by_side" if summary.by_side is not None else "against_copies"] = draw_second_matrix
    drawn |= {"points_by_seat": draw_points, "lengths": draw_lengths}
    return {name: png(draw(summary)) for name, draw in drawn.items()}


def labels(summary: Summary) -> list[str]:
    """The players' names, best first, long ones (paths) cut to their ends; all are numbered if that makes two alike."""
    names = [summary.about.players[who] for who in summary.best_first]
    short = [name if len(name) <= LONGEST else "…" + name[1 - LONGEST :] for name in names]
    if len(set(short)) < len(short):
        short = [f"{number}: {name}" for number, name in enumerate(short, 1)]
    return [plain(name) for name in short]


def plain(text: str) -> str:
    """A text that matplotlib shows unchanged: two dollar signs would enclose a formula."""
    return text.replace("$", r"\$")


def png(figure: Any) -> bytes:
    """The figure as the bytes of a PNG file."""
    file = io.BytesIO()
    figure.savefig(file, format="png", dpi=150)
    return file.getvalue()


def new(width: float, height: float) -> tuple[Any, Any]:
    """A figure of this size in inches, and its axes."""
    figure = require("matplotlib.figure", "eval").Figure(figsize=(width, height), layout="constrained")
    axes = figure.add_subplot()
    axes.spines[["top", "right"]].set_visible(False)
    return figure, axes


def errors(estimates: list[Estimate]) -> tuple[list[float], list[list[float]]]:
    """Means, and how far the interval reaches below and above, as matplotlib takes them."""
    below, above = [e.mean - e.low for e in estimates], [e.high - e.mean for e in estimates]
    return [e.mean for e in estimates], [below, above]


def draw_ratings(summary: Summary) -> Any:
    """Every player's rating with its interval."""
    ratings = [summary.rating[who] for who in summary.best_first]
    figure, axes = new(7.5, 1.7 + 0.42 * len(ratings))
    means, spread = errors(ratings)
    rows = range(len(ratings))
    axes.axvline(0, color=GREY, linewidth=0.8, linestyle="--")
    axes.errorbar(means, rows, xerr=spread, fmt="o", color=BLUE, capsize=4, linewidth=1.6)
    for y, rating in zip(rows, ratings, strict=True):
        text = f"{rating.mean:+.0f}".replace("-", "−")
        axes.annotate(text, (rating.high, y), (8, 0), textcoords="offset points", va="center")
    axes.set_yticks(rows, labels(summary))
    axes.set_ylim(len(ratings) - 0.5, -0.5)
    axes.set_xlabel("rating, points\n(400 are odds of 10 to 1; the mean of all players is 0)")
    axes.set_title("Rating, with 95 % intervals")
    axes.margins(x=0.15)
    axes.grid(axis="x", alpha=0.25)
    return figure


def draw_cross_play(summary: Summary) -> Any:
    """How often the row was ranked before the column."""
    title = "How often the row's player finished ahead of the column's"
    return heat_map(summary, summary.ahead, 0.5, title, "at the same table, %")


def draw_second_matrix(summary: Summary) -> Any:
    """With two seats the shares by side, with more those against copies."""
    if summary.by_side is not None:
        first, second = summary.about.seats
        title = f"How often {first} (row) beat {second} (column)"
        return heat_map(summary, summary.by_side, 0.5, title, f"won by {first}, %")
    seats = len(summary.about.seats)
    title = f"How often the row's player won against {seats - 1} of the column's"
    assert summary.against_copies is not None
    label = f"games won, % (chance {100 / seats:.1f})"
    return heat_map(summary, summary.against_copies, 1 / seats, title, label)


def heat_map(summary: Summary, matrix: Matrix, chance: float, title: str, label: str) -> Any:
    """A matrix in colours, white at chance, every cell with its share and half the width of its interval."""
    order, names = summary.best_first, labels(summary)
    size = 1.0 * len(order)
    figure, axes = new(3.6 + size, 2.4 + 0.72 * size)
    cells = [[matrix[a][b] for b in order] for a in order]
    shares = np.array([[np.nan if cell is None else 100 * cell.mean for cell in line] for line in cells])
    norm = require("matplotlib.colors", "eval").TwoSlopeNorm(100 * chance, 0, 100)
    colours = require("matplotlib", "eval").colormaps["PuOr"].with_extremes(bad="#eeeeee")
    image = axes.imshow(shares, cmap=colours, norm=norm, aspect="auto")
    for y, line in enumerate(cells):
        for x, cell in enumerate(line):
            if cell is not None:
                write_cell(axes, x, y, cell, image.to_rgba(100 * cell.mean))
    axes.set_xticks(range(len(names)), names, rotation=30, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.set_title(title, loc="center", wrap=True, fontsize=11)
    bar = figure.colorbar(image, ax=axes, shrink=0.9, label=label)
    bar.set_ticks([0, 25, 50, 75, 100] if chance == 0.5 else [0, round(100 * chance), 50, 75, 100])
    return figure


def write_cell(axes: Any, x: int, y: int, cell: Estimate, ground: tuple[float, ...]) -> None:
    """A share in per cent over half the width of its interval, readable on this background (red, green, blue, opacity)."""
    colour = "white" if np.dot(ground[:3], (0.299, 0.587, 0.114)) < 0.5 else "black"
    centred = {"xy": (x, y), "textcoords": "offset points", "ha": "center", "va": "center", "color": colour}
    axes.annotate(f"{100 * cell.mean:.1f}", xytext=(0, 5), **centred)
    axes.annotate(f"± {50 * (cell.high - cell.low):.1f}", xytext=(0, -9), fontsize=7.5, **centred)


def draw_points(summary: Summary) -> Any:
    """Every player's mean points in each seat."""
    seats, order = summary.about.seats, summary.best_first
    figure, axes = new(3.2 + 1.3 * len(seats), 4.2)
    colours = require("matplotlib", "eval").colormaps["tab10"].colors
    for number, (who, name) in enumerate(zip(order, labels(summary), strict=True)):
        means, spread = errors([row.points for row in summary.standings[who].by_seat])
        x = np.arange(len(seats)) + 0.6 * ((number + 0.5) / len(order) - 0.5)
        marker = "osD^vPX*"[number % 8]
        axes.errorbar(
            x, means, yerr=spread, fmt=marker, color=colours[number % 10], capsize=3, markersize=5, label=name
        )
    for between in range(1, len(seats)):
        axes.axvline(between - 0.5, color=GREY, linewidth=0.4)
    axes.axhline(0, color=GREY, linewidth=0.8, linestyle="--")
    axes.set_xticks(range(len(seats)), [f"{number}: {seat}" for number, seat in enumerate(seats)])
    axes.set_xlim(-0.5, len(seats) - 0.5)
    axes.set(xlabel="seat", ylabel="mean points at the end of a game", title="Points by seat, with 95 % intervals")
    axes.grid(axis="y", alpha=0.25)
    figure.legend(loc="outside right upper", frameon=False)
    return figure


def draw_lengths(summary: Summary) -> Any:
    """How long the games were."""
    rows = [summary.length, *(summary.lengths[who] for who in summary.best_first)]
    names = ["all games", *labels(summary)]
    figure, axes = new(7.5, 1.7 + 0.42 * len(rows))
    keys = ("whislo", "q1", "med", "q3", "whishi")
    boxes = [dict(zip(keys, row.quantiles, strict=True)) for row in rows]
    style = {"medianprops": {"color": ORANGE, "linewidth": 2}, "boxprops": {"facecolor": "#cfe0f3"}}
    axes.bxp(boxes, range(len(rows)), orientation="horizontal", showfliers=False, patch_artist=True, **style)
    axes.set_yticks(range(len(rows)), names)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlabel(
        "decisions in a game, all seats together\n(box: the middle half; line: the median; whiskers: 5 to 95 %)"
    )
    axes.set_title("Length of the games in which each player sat")
    axes.grid(axis="x", alpha=0.25)
    return figure
