"""The table of mechanics in Markdown, with what is wanted next to what was found."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from timeline_env.arena.estimates import Estimate
from timeline_env.arena.markdown import markdown_table
from timeline_env.timeline import GAME
from tools.between import write_between

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
    return Estimate(**estimate).text(100)


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
BRIEF = [name for name in MEASURES if name in WANTED["measures"] and name != "seats"]
"""The measures that are shown in one line."""
NOTHING = {"written": ""}
"""Stands in for a wish where there is none."""


def page(found: dict[str, Any]) -> str:
    """What was measured and all tables, from what `tools.mechanics_jobs.run` gives."""
    variant = f"; rules that differ: {found['rules']}" if found["rules"] else ""
    played = (
        f"{found['ablation_games']:,} games without each mechanic"
        if found["ablated"]
        else "no games without a mechanic"
    )
    told = f"Rules version {found['rules_version']}{variant}; seed {found['seed']}; {played}. In brackets 95 % intervals.\n"
    return "\n".join([told, *sections(found["results"])])


def sections(results: dict[str, Any]) -> Iterator[str]:
    """The tables one after the other: what happens with each number of players, then what is lost without a mechanic."""
    for part, title, lines in PARTS:
        for count, rows in results.items():
            found = {player: row[part] for player, row in rows.items() if part in row}
            if found:
                yield f"**{count} players: {title}**\n\n{table(found, lines)}"


def table(found: dict[str, Any], lines: Callable[[dict[str, Any]], Iterator[list[str]]]) -> str:
    """A table in Markdown of what was found of each player."""
    header = ["measure", "wanted", *(f"`{player}`" for player in found)]
    return "\n".join([*markdown_table(header, lines(found), words=2), ""])


def measure_rows(found: dict[str, Any]) -> Iterator[list[str]]:
    """A line for each measure."""
    for name, (label, text) in MEASURES.items():
        wanted = WANTED["measures"].get(name, NOTHING)
        yield [label, wanted["written"], *(cell(values[name], text, wanted) for values in found.values())]


def loss_rows(found: dict[str, Any]) -> Iterator[list[str]]:
    """A line for each mechanic."""
    for name in next(iter(found.values())):
        wanted = WANTED["losses"].get(name, NOTHING)
        losses = [values[name] for values in found.values()]
        yield [name, wanted["written"], *(interval(loss) + verdict(loss["mean"], wanted) for loss in losses)]


PARTS = (
    ("measures", "the same player in every seat", measure_rows),
    ("losses", "share of wins lost without a mechanic against whole players, points of %", loss_rows),
)


def cell(value: Any, text: Callable[[Any], str], wanted: dict[str, Any]) -> str:
    """A value as text, and whether it is as wanted; a dash without one."""
    return "–" if value is None else text(value) + verdict(value, wanted)


def verdict(value: Any, wanted: dict[str, Any]) -> str:
    """✓ if the value is as wanted, else ✗; empty where nothing is wanted."""
    if wanted is NOTHING:
        return ""
    if "even" in wanted:
        met = all(seat["low"] <= 1 / len(value) <= seat["high"] for seat in value)
    else:
        met = wanted.get("least", value) <= value <= wanted.get("most", value)
    return " ✓" if met else " ✗"


def brief_line(values: dict[str, Any]) -> str:
    """The measures of one player in one line."""
    told = [f"{name} {cell(values[name], MEASURES[name][1], WANTED['measures'][name])}" for name in BRIEF]
    shares = " ".join(f"{100 * seat['mean']:.0f}" for seat in values["seats"])
    return "; ".join([*told, f"events a game {number(values['events a game'])}", f"seats {shares} %"])


def insert_tables(text: str, tables: str) -> str:
    """The page with the tables as they should be. Raises ValueError if it has no marks to write them between."""
    return write_between(text, BEGIN, END, tables)
