"""A tournament's results as rows of text, for the terminal and for the page. Players are in the order of their rating, the best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from timeline_env.arena.estimates import Estimate
from timeline_env.arena.pool import PoolRatings
from timeline_env.arena.ratings import best_first
from timeline_env.arena.statistics import Matrix, one_sided_groups
from timeline_env.arena.summary import Summary


@dataclass(frozen=True)
class TextTable:
    """A title, the columns' heads, and rows of as many cells."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]


def caption(summary: Summary) -> str:
    """What was played, in one line."""
    about = summary.about
    return (
        f"{about.game}, {len(about.seats)} seats: {len(about.players)} players at {about.tables} tables, {summary.games:,} games, "
        f"{about.deals:,} deals (seed {about.seed}), rules version {about.rules_version}"
    )


def text(value: Estimate | None, scale: float = 1, digits: int = 1) -> str:
    """``mean [low, high]``, or nothing."""
    return "" if value is None else value.text(scale, digits)


def names(summary: Summary) -> list[str]:
    """The players, best first."""
    return [summary.about.players[who] for who in summary.best_first]


def standings(summary: Summary) -> TextTable:
    """Rating, wins, ranks and points of every player, and its mass in alpha-rank where that was computed."""
    header = ["player", "rating", "win rate, %", "mean rank", "mean points"]
    rows = []
    for who in summary.best_first:
        row = summary.standings[who].overall
        cells = [text(summary.rating[who], 1, 0), text(row.win, 100), text(row.rank, 1, 2), text(row.points, 1, 2)]
        if summary.alpha_rank is not None:
            cells.append(text(summary.alpha_rank[who], 1, 2))
        rows.append((summary.about.players[who], *cells))
    if summary.alpha_rank is not None:
        header.append("α-rank")
    return TextTable("Ratings; in brackets 95 % intervals", tuple(header), rows)


def pool_ratings(found: PoolRatings) -> TextTable:
    """Rating of everybody in a pool of tournaments, and how much was played for it."""
    rows = [
        (found.players[who], text(found.rating[who], 1, 0), f"{found.games[who]:,}", f"{found.deals[who]:,}")
        for who in best_first(found.rating)
    ]
    return TextTable("Ratings in one pool; in brackets 95 % intervals", ("player", "rating", "games", "deals"), rows)


def matrix(summary: Summary, title: str, cells: Matrix) -> TextTable:
    """A share in per cent for each pair of players."""
    order = summary.best_first
    rows = [(summary.about.players[a], *(text(cells[a][b], 100) for b in order)) for a in order]
    return TextTable(title, ("", *names(summary)), rows)


def matrices(summary: Summary) -> list[TextTable]:
    """The cross-play matrix, and the one by side or against copies."""
    found = [matrix(summary, "How often the row finished ahead of the column at the same table, %", summary.ahead)]
    if summary.by_side is not None:
        first, second = summary.about.seats
        found.append(matrix(summary, f"How often {first} (row) beat {second} (column), %", summary.by_side))
    if summary.against_copies is not None:
        others = len(summary.about.seats) - 1
        title = f"Games the row won against {others} of the column, % (chance {100 / (others + 1):.1f})"
        found.append(matrix(summary, title, summary.against_copies))
    return found


def seat_table(summary: Summary) -> TextTable:
    """Win rate and points of every player in each seat."""
    rows = [
        (summary.about.players[who], f"{number}: {seat}", text(row.win, 100), text(row.points, 1, 2))
        for who in summary.best_first
        for number, (seat, row) in enumerate(zip(summary.about.seats, summary.standings[who].by_seat, strict=True))
    ]
    return TextTable("By seat", ("player", "seat", "win rate, %", "mean points"), rows)


def lengths(summary: Summary) -> TextTable:
    """How long the games were."""
    header = ("games of", "mean", "5 %", "25 %", "median", "75 %", "95 %")
    named = [
        ("all", summary.length),
        *((summary.about.players[who], summary.lengths[who]) for who in summary.best_first),
    ]
    rows = [(name, text(row.mean), *(f"{value:.0f}" for value in row.quantiles)) for name, row in named]
    return TextTable("Decisions in a game, all seats together", header, rows)


def cycles(summary: Summary) -> list[str]:
    """Each circle of players in words."""
    return [" beats ".join(summary.about.players[who] for who in (*circle, circle[0])) for circle in summary.cycles]


def verdict(summary: Summary) -> list[str]:
    """What to take home, in a few sentences."""
    first, second, *_ = summary.best_first
    players, cell = summary.about.players, summary.ahead[first][second]
    best = f"{players[first]} has the highest rating, {text(summary.rating[first], 1, 0)}."
    if cell is not None:
        surely = (
            "more often than not"
            if cell.low > 0.5
            else "less often than not, and is ahead by its games against others"
            if cell.high < 0.5
            else "no more often than chance allows"
        )
        best += (
            f" It finishes ahead of the next, {players[second]}, {surely}: in {text(cell, 100)} % of the games of both."
        )
    lines = [
        best,
        *(f"Not transitive: {line}. A rating cannot show this; see the matrix." for line in cycles(summary)),
        *note_rated_by_prior(summary.about.players, summary.ahead),
    ]
    if not summary.cycles:
        lines.append("No players were found that beat each other in a circle.")
    return lines


def note_processors(processors: Mapping[str, Sequence[str]]) -> Sequence[str]:
    """A sentence for each player that thought for a time on several kinds of processor, see `timeline_env.arena.pool.Pool.processors`."""
    return [
        f"{name} thought on {' and '.join(where)}: a faster one plays better, and its rating is of all its games together."
        for name, where in processors.items()
        if len(where) > 1
    ]


def note_rated_by_prior(players: Sequence[str], ahead: Matrix) -> Sequence[str]:
    """A sentence for each group of players whose ratings only the prior keeps finite, see `one_sided_groups`."""
    lines = []
    for group in one_sided_groups(ahead):
        who, is_one = ", ".join(players[each] for each in group.players), len(group.players) == 1
        verb, what = ("was", "its rating is") if is_one else ("were", "their ratings are")
        if group.ahead and group.behind:
            lines.append(
                f"{who} {verb} ahead of some of those they met and behind the others, in every game: "
                f"how far {what} from theirs, only the prior says."
            )
            continue
        place, bound = ("ahead of", "a lower bound") if group.ahead else ("behind", "an upper bound")
        lines.append(
            f"{who} {verb} {place} everybody else they met, in every game: {what} {bound}, kept finite by the prior."
        )
    return lines
