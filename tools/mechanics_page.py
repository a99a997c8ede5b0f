"""The table of mechanics in Markdown, with what is wanted beside what was found."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from timeline_env.timeline import GAME

WANTED: dict[str, Any] = tomllib.loads(Path(__file__).with_name("mechanics_wanted.toml").read_text(encoding="utf-8"))
BEGIN, END = "<!-- mechanics -->\n", "<!-- end of the mechanics -->"


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def number(value: float) -> str:
    return f"{value:.2f}"


def numbers(values: list[float]) -> str:
    return " / ".join(f"{value:.1f}" for value in values)


def percents(values: list[float]) -> str:
    return " / ".join(f"{100 * value:.0f}" for value in values) + " %"


def kinds(shares: dict[str, float]) -> str:
    """The kinds of decisions, the most frequent first."""
    return ", ".join(f"{name} {100 * shares[name]:.1f}" for name in sorted(shares, key=lambda name: -shares[name]))


def spread(points: dict[str, float]) -> str:
    return f"{points['mean']:.2f} ± {points['sd']:.2f}"


def seats(estimates: list[dict[str, float]]) -> str:
    """Each seat's share of the wins with its interval."""
    return "<br>".join(
        f"{name} {interval(estimate)}" for name, estimate in zip(GAME.seat_names, estimates, strict=False)
    )


def interval(estimate: dict[str, float]) -> str:
    mean, low, high = (f"{100 * estimate[key]:.1f}" for key in ("mean", "low", "high"))
    return f"{mean} [{low}, {high}]"


MEASURES: dict[str, tuple[str, Callable[[Any], str]]] = {
    "games": ("games", str),
    "attacking": ("attacking events organized, of those in hand", percent),
    "supporting": ("supporting events organized, of those in hand", percent),
    "logistic": ("logistic events organized, of those in hand", percent),
    "deck cards a game": ("deck cards organized a game", number),
    "events a game": ("events organized a game", number),
    "events a game laid in each phase": ("of these laid in phase 0 / 1 / 2 / 3 / 4", numbers),
    "links an event": ("active links an event", number),
    "events without links": ("events without any", percent),
    "turned by links": ("events whose outcome would differ without links", percent),
    "turned by reinforcements": ("events whose outcome would differ without reinforcements", percent),
    "laid ahead": ("events laid before the phase that realizes them", percent),
    "as the stance": ("outcome as the organizer's stance", percent),
    "empty nodes": ("nodes that end empty", percent),
    "like E1 a game": ("positions like E1 a game", number),
    "points moved in phase 0": ("points that move in phase 0, a game", number),
    "points moved a game": ("points that move a game", number),
    "most frequent decision": ("the most frequent kind of decision, moves excepted", percent),
    "decisions": ("decisions of each kind, %", kinds),
    "decisions a game": ("decisions a game", number),
    "deck empty": ("games in which the deck runs out", percent),
    "deck empty in phase": ("in phase 0 / 1 / 2 / 3 / 4", percents),
    "points": ("points: mean ± standard deviation", spread),
    "seats": ("win share of each seat, %", seats),
}
"""How each measure is called and written, in the order of the table."""
BRIEF = (
    "attacking", "supporting", "logistic", "events a game", "links an event", "events without links", "turned by links",
    "turned by reinforcements", "laid ahead", "as the stance", "empty nodes", "like E1 a game", "points moved in phase 0",
    "most frequent decision",
)  # fmt: skip
"""The measures of one line."""


def page(found: dict[str, Any]) -> str:
    """All tables, from what `tools.mechanics_jobs.run` gives."""
    parts = [f"{table(measured(rows), header(rows))}" for _, rows in found.items() if has(rows, "measures")]
    return "\n".join([head for part in zip(heads(found), parts, strict=True) for head in part] + list(ablations(found)))


def has(rows: dict[str, Any], part: str) -> bool:
    return any(part in row for row in rows.values())


def heads(found: dict[str, Any]) -> Iterator[str]:
    for count, rows in found.items():
        if has(rows, "measures"):
            yield f"**{count} players, the same player in every seat**\n"


def ablations(found: dict[str, Any]) -> Iterator[str]:
    """For each number of players what each player loses without each mechanic."""
    for count, rows in found.items():
        if has(rows, "losses"):
            yield f"**{count} players, win share lost without a mechanic against whole players, points of %**\n"
            yield table(lost(rows), header(rows))


def header(rows: dict[str, Any]) -> list[str]:
    return ["measure", "wanted", *(f"`{player}`" for player in rows)]


def measured(rows: dict[str, Any]) -> Iterator[list[str]]:
    """A line for each measure."""
    for name, (label, text) in MEASURES.items():
        wanted = WANTED["measures"].get(name)
        values = [row["measures"][name] for row in rows.values()]
        yield [label, wanted["written"] if wanted else "", *(cell(value, text, wanted) for value in values)]


def lost(rows: dict[str, Any]) -> Iterator[list[str]]:
    """A line for each mechanic."""
    for name in next(iter(rows.values()))["losses"]:
        wanted = WANTED["losses"].get(name)
        values = [row["losses"][name] for row in rows.values()]
        cells = [interval(value) + verdict(value["mean"], wanted) for value in values]
        yield [name, wanted["written"] if wanted else "", *cells]


def cell(value: Any, text: Callable[[Any], str], wanted: dict[str, Any] | None) -> str:
    """A value as text, and whether it is as wanted; a dash if there is none."""
    return "–" if value is None else text(value) + verdict(value, wanted)


def verdict(value: float, wanted: dict[str, Any] | None) -> str:
    """✓ or ✗; nothing where nothing is wanted."""
    if wanted is None:
        return ""
    return " ✓" if wanted.get("least", value) <= value <= wanted.get("most", value) else " ✗"


def table(lines: Iterator[list[str]], names: list[str]) -> str:
    """A table in Markdown."""
    rule = ["---", "---", *["---:"] * (len(names) - 2)]
    return "".join("| " + " | ".join(line) + " |\n" for line in [names, rule, *lines])


def brief(found: dict[str, Any]) -> str:
    """The measures of one player in one line."""
    told = [f"{name} {cell(found[name], MEASURES[name][1], WANTED['measures'].get(name))}" for name in BRIEF]
    seats = " ".join(f"{100 * estimate['mean']:.0f}" for estimate in found["seats"])
    return "; ".join([*told, f"seats {seats} %"])


def written(text: str, tables: str) -> str:
    """The page with the tables as they should be, between the marks. Raises ValueError if it has none."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the page has no lines {BEGIN.strip()!r} and {END!r} to write between")
    return f"{before}{BEGIN}{tables}{END}{after}"
