"""The report of a tournament: one HTML page that needs nothing else, readable by someone who was not there."""

from __future__ import annotations

import base64
from collections.abc import Iterable, Mapping
from html import escape

from timeline_env.arena import tables
from timeline_env.arena.ratings import ELO, PRIOR_SD
from timeline_env.arena.summary import SAMPLES, Summary
from timeline_env.arena.tables import TextTable

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1f2937; background: #fff; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-bottom: 1px solid #d1d5db; }
figure { margin: 1rem 0; } img { max-width: 100%; height: auto; }
figcaption, .note { color: #4b5563; font-size: 0.9rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: 0.4rem 0; }
th, td { padding: 0.25rem 0.7rem; border-bottom: 1px solid #e5e7eb; text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
pre { background: #f3f4f6; padding: 0.8rem; overflow-x: auto; }
"""


def page(summary: Summary, players: Mapping[str, str], pictures: Mapping[str, bytes], command: str) -> str:
    """The report.

    Args:
        summary: what is reported.
        players: what each player is, in a line, by name.
        pictures: PNG files by name, as `timeline_env.arena.figures.figures` draws them.
        command: the command that made the tournament, so that it can be repeated.
    """
    title = f"Tournament: {summary.about.game}, {len(summary.about.seats)} seats"
    return document(title, [f"<h1>{escape(title)}</h1>", *body(summary, players, pictures, command)])


def document(title: str, body: Iterable[str]) -> str:
    """A whole page."""
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head>\n<body>'
        + "\n".join(body)
        + "</body></html>\n"
    )


def body(summary: Summary, players: Mapping[str, str], pictures: Mapping[str, bytes], command: str) -> list[str]:
    """What a page says about one tournament; see `page`."""
    second = "by_side" if summary.by_side is not None else "against_copies"
    cross, other = tables.matrices(summary)
    return [
        f"<p>{escape(tables.caption(summary))}.</p>",
        "".join(f"<p>{escape(line)}</p>" for line in tables.verdict(summary)),
        "<ul>" + "".join(f"<li><b>{escape(name)}</b>: {escape(what)}</li>" for name, what in players.items()) + "</ul>",
        section("Ratings", RATINGS, picture(pictures, "ratings"), table(tables.standings(summary)), alpha(summary)),
        section("Who is ahead of whom", CROSS_PLAY, picture(pictures, "cross_play"), table(cross)),
        section(SECOND[second][0], SECOND[second][1], picture(pictures, second), table(other)),
        section("Seats", SEATS, picture(pictures, "points_by_seat"), table(tables.seat_table(summary))),
        section("Length of the games", LENGTHS, picture(pictures, "lengths"), table(tables.lengths(summary))),
        section("How it was played", PROTOCOL, f"<pre>{escape(command)}</pre>"),
    ]


def section(title: str, words: str, *parts: str) -> str:
    """A heading, a paragraph, and what follows."""
    return f"<h2>{escape(title)}</h2><p>{escape(words)}</p>" + "".join(parts)


def picture(pictures: Mapping[str, bytes], name: str) -> str:
    """A picture inside the page."""
    data = base64.b64encode(pictures[name]).decode()
    words = escape(name.replace("_", " "))
    return f'<figure><img alt="{words}" src="data:image/png;base64,{data}"><figcaption>{name}.png</figcaption></figure>'


def table(content: TextTable) -> str:
    """A table; a wide one can be scrolled."""
    head = "".join(f"<th>{escape(cell)}</th>" for cell in content.header)
    rows = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in content.rows)
    return f'<div class="wide"><table><caption>{escape(content.title)}</caption><tr>{head}</tr>{rows}</table></div>'


def alpha(summary: Summary) -> str:
    """What alpha-rank is, or why it is not here."""
    if not summary.complete:
        words = "α-rank is not shown: it needs games of every pair of players."
    elif summary.alpha_rank is None:
        words = "α-rank is not shown: it needs OpenSpiel, which comes with the extra 'openspiel'."
    else:
        words = (
            "α-rank is how often each player is played in the long run, if a population of players changes, now and then, to one that beats it: 1 for a player that beats all others; "
            "players that beat each other in a circle share the mass. It heeds only who beats whom, not by how much, so it jumps where a pair is close."
        )
    return f'<p class="note">{escape(words)}</p>'


RATINGS = (
    "A rating says how a player's places come out in all its games together, whatever their order: a player 400 points above another is ahead of it ten times as often as "
    "behind it; the mean of all players is 0. It is the maximum of the likelihood of the whole rankings (Plackett and Luce's model, with ties after Davidson and Luce; for two seats Bradley "
    f"and Terry's). So that a player that always wins has a rating at all, ratings have a normal prior of {ELO * PRIOR_SD:.0f} points. Intervals are 95 %: the wider of a bootstrap over the deals ({SAMPLES:,} "
    "samples) and the curvature of the likelihood. The win rate counts a shared first place by halves, thirds and so on; it depends on who else was at the tables."
)
CROSS_PLAY = (
    "Of the games in which both sat at a table, the share in which the row's player was ranked before the column's; a tie counts half, so that 50 % is even. Below each share is "
    "half the width of its 95 % interval (Wilson's, with a deal as one sample)."
)
SECOND = {
    "by_side": (
        "Sides",
        "The two seats are not alike, so each pair is shown for either side: the row's player has the first seat, the column's the second.",
    ),
    "against_copies": (
        "Alone against copies",
        "Games in which one player met copies of one other: the share that it won, a shared first place counted in parts. White is what chance gives.",
    ),
}
SEATS = "Every player sat in every seat equally often, with the same deals. If a player does the same in all seats, most of its intervals overlap from seat to seat."
LENGTHS = "How many decisions all seats together took until the end of a game."
PROTOCOL = (
    "Every table (a set of players, some perhaps more than once) played the same deals. A deal was played once for each turn of the table, so that every player sat in every seat "
    "equally often with the same cards, and from deal to deal the order round the table changed. games.npz, in the folder of this page, holds every game: a column each for the game, table, deal, "
    "seat, player, points, rank and number of decisions. The same command gives the same bytes, even if it was killed and run again, unless a player thinks for a time:"
)
