"""Plays whole games on the page in Chromium: ``python tools/page_games.py``."""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path
from typing import Annotated

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import typer

from timeline_env import cli, play
from timeline_env.arena.markdown import line, markdown_table
from timeline_env.reading import unknown_name

with cli.require_extra("dev"):
    from tests.play.driver import Person, chromium

WAYS = {"clicks": Person.click_once, "keys": Person.press_once, "typed": Person.type_once}
SEATS = {"timeline": (2, 4, 6), "twilight_struggle": (2,)}
OTHERS = "random"
"""Who sits in the other seats."""


def whole_game(person: Person, session: play.Session, way: str) -> Counter[str]:
    """Play until the game is over; counts the person's decisions, and how many were made on the board.

    Raises:
        ValueError: the game is over and the page does not say so, or something went wrong in it.
    """
    counts: Counter[str] = Counter()
    while person.wait() == "yours":
        counts["on the board"] += bool(WAYS[way](person))
        counts["decisions"] += 1
    if session.table.to_act >= 0 or person.complaints:
        raise ValueError(f"the game did not end well: {person.complaints}")
    return counts


def chosen(game: str | None, way: str | None, seats: int | None) -> list[tuple[str, str, int]]:
    """The games that are asked for: the name, the way and the number of seats of each. Raises ValueError if there are none."""
    if game not in (None, *SEATS):
        raise unknown_name("--game", game, SEATS)
    if way not in (None, *WAYS):
        raise unknown_name("--way", way, WAYS)
    known = {count for name in SEATS for count in SEATS[name] if game in (None, name)}
    if seats not in (None, *known):
        raise unknown_name("--seats", seats, map(str, sorted(known)))
    every = ((name, by, count) for name in SEATS for by in WAYS for count in SEATS[name])
    return [each for each in every if each == (game or each[0], way or each[1], seats or each[2])]


def main(
    game: Annotated[str | None, typer.Option(help=f"only {' or '.join(SEATS)}")] = None,
    way: Annotated[str | None, typer.Option(help=f"only one of {', '.join(WAYS)}")] = None,
    seats: Annotated[int | None, typer.Option(help="only this number of seats; else 2, 4 and 6")] = None,
) -> None:
    """Play whole games on the page in Chromium, by clicks alone, by keys alone and by typed moves, and print a row for each.

    The tests play games of few rounds in the same three ways.
    """
    games = chosen(game, way, seats)
    header = ("game", "seats", "by", "decisions", "on the board", "of all seats", "seconds")
    print("\n".join(markdown_table(header, [], 3)))
    with chromium() as browser:
        for name, by, count in games:
            session = play.open(name, [play.PERSON] + [OTHERS] * (count - 1), seed=1, port=0, browser=False)
            session.room.pace = 0.0
            page = browser.new_page(viewport={"width": 1300, "height": 850})
            person, begun = Person(page, next(iter(session.addresses.values())), 1), time.monotonic()
            counts = whole_game(person, session, by)
            took = time.monotonic() - begun
            cells = name, count, by, counts["decisions"], counts["on the board"], len(session.table.played), round(took)
            print(line([*map(str, cells)]), flush=True)
            page.close()
            session.close()


if __name__ == "__main__":
    cli.run(main)
