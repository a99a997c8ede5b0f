"""How strength grows with the simulations of a search, from one tournament that it played with several budgets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from timeline_env.arena.figures import GREY, errors, new, plain
from timeline_env.arena.summary import Summary
from timeline_env.players.names import PlayerName

CLOSE = 0.04
"""A share of the picture's height: names closer to each other than that would overlap."""


def curves(summary: Summary) -> dict[str, list[tuple[int, int]]]:
    """For each search that took part with several budgets in simulations, (budget, player) by ascending budget."""
    found: dict[str, list[tuple[int, int]]] = {}
    for who, name in enumerate(summary.about.players):
        player = PlayerName.read(name)
        if player.search and math.isinf(player.budget.seconds):
            kind = player.search + f"@{player.agent}" * bool(player.agent)
            found.setdefault(kind, []).append((player.budget.simulations, who))
    return {name: sorted(points) for name, points in found.items() if len(points) > 1}


def draw_strength(summary: Summary, found: dict[str, list[tuple[int, int]]]) -> Any:
    """Rating over simulations, with a dashed line for each player that took part with one budget or has none."""
    figure, axes = new(8, 4.6)
    for name, points in found.items():
        means, spread = errors([summary.rating[who] for _, who in points])
        axes.errorbar([budget for budget, _ in points], means, yerr=spread, marker="o", capsize=4, label=plain(name))
    drawn = {who for points in found.values() for _, who in points}
    draw_others(axes, summary, [who for who in summary.best_first if who not in drawn])
    axes.set(xscale="log", xlabel="simulations a decision", ylabel="rating, points\n(400 are odds of 10 to 1)")
    budgets = sorted({budget for points in found.values() for budget, _ in points})
    axes.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
    axes.minorticks_off()
    axes.set_title("Strength over simulations, with 95 % intervals")
    axes.grid(alpha=0.25)
    axes.legend(frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=len(found))  # clear of all points
    return figure


def draw_others(axes: Any, summary: Summary, others: Sequence[int]) -> None:
    """A dashed line at the rating of each of these players, best first; names that would overlap share one line."""
    groups: list[list[int]] = []
    low, high = axes.get_ylim()
    ratings = [summary.rating[who].mean for who in others]
    span = max([high, *ratings]) - min([low, *ratings])
    for who, rating in zip(others, ratings, strict=True):
        axes.axhline(rating, color=GREY, linewidth=0.8, linestyle="--")
        if not groups or summary.rating[groups[-1][0]].mean - rating > CLOSE * span:
            groups.append([])
        groups[-1].append(who)
    for group in groups:
        at = {"xytext": (4, 0), "textcoords": "offset points", "va": "center", "fontsize": 8}
        names, rating = plain(", ".join(summary.about.players[who] for who in group)), summary.rating[group[0]].mean
        axes.annotate(names, (1, rating), xycoords=("axes fraction", "data"), **at)
