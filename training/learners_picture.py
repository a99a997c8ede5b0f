"""The learning curves of several learners in one picture: the share of games won over the minutes of learning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from timeline_env.arena.figures import BLUE, GREY, ORANGE, new, png
from timeline_env.files import write_bytes

Curve = list[dict[str, float]]
"""Points as `training.ppo.point` makes them."""

LOOKS = ((BLUE, "o"), (ORANGE, "s"), ("#009e73", "D"))
"""A colour and a marker for each learner; told apart by the colour-blind, and in black and white."""


def draw(curves: dict[str, list[Curve]], title: str, chance: float, path: Path) -> None:
    """Draw every learner's curves into `path`, each with its 95 % band, and a line at chance.

    Args:
        curves: by the learner's name, a curve for each seed.
        title: what stands above.
        chance: the share of games that a player like the others wins.
        path: the PNG.
    """
    write_bytes(path, png(figure_of(curves, title, chance)))


def figure_of(curves: dict[str, list[Curve]], title: str, chance: float) -> Any:
    """The picture."""
    figure, axes = new(7.5, 5.4)
    axes.axhline(100 * chance, color=GREY, linewidth=1, linestyle="--")
    beside = {"transform": axes.get_yaxis_transform(), "ha": "right", "va": "top", "color": GREY}
    axes.text(0.99, 100 * chance - 1.5, f"chance: {100 * chance:.0f} %", **beside)  # x in shares of the width
    for (name, runs), (colour, marker) in zip(curves.items(), LOOKS, strict=False):
        for run in runs:
            add_run(axes, run, colour, marker)
        axes.lines[-1].set_label(f"{name}, {rate(runs):,.0f} decisions/s")
    axes.set(xlabel="minutes of learning", ylabel="games won, %", ylim=(0, 100), title=title)
    axes.set_xlim(left=0)
    axes.grid(alpha=0.25)
    figure.legend(loc="outside lower left", frameon=False)
    return figure


def add_run(axes: Any, run: Curve, colour: str, marker: str) -> None:
    """Add one curve with its band."""
    minutes = [point["seconds"] / 60 for point in run]
    low, mean, high = ([100 * point[key] for point in run] for key in ("low", "win", "high"))
    axes.fill_between(minutes, low, high, color=colour, alpha=0.2, linewidth=0)
    axes.plot(minutes, mean, color=colour, marker=marker, markersize=4.5)


def rate(runs: list[Curve]) -> float:
    """Decisions learned from in a second, over all runs."""
    return sum(run[-1]["decisions"] for run in runs) / sum(run[-1]["seconds"] for run in runs)
