"""Plays whole games on the page in Chromium: by clicks alone, by keys alone, by typed moves; from the deal to the end.

The tests play games of few rounds in the same three ways.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.play.driver import Person, chromium
from timeline_env import cli, play

WAYS = {"clicks": Person.click_once, "keys": Person.press_once, "typed": Person.type_once}
SEATS = {"timeline": (2, 4, 6), "twilight_struggle": (2,)}
OTHERS = "random"
"""Who sits in the other seats."""


def parser() -> cli.Parser:
    """The command line."""
    options = cli.Parser(description=__doc__)
    options.add_argument("--game", choices=SEATS, help="one game (default: both)")
    options.add_argument("--way", choices=WAYS, help="one way (default: all)")
    options.add_argument("--seats", type=int, metavar="N", help="one number of seats (default: 2, 4 and 6)")
    return options


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


def main() -> int:
    """Print a row for each game."""
    options = parser().parse_args()
    print(
        "| game | seats | by | decisions | on the board | of all seats | seconds |\n|---|---:|---|---:|---:|---:|---:|"
    )
    with cli.refusals(), chromium() as browser:
        for game, way in ((game, way) for game in SEATS for way in WAYS):
            for seats in SEATS[game]:
                if (options.game or game, options.way or way, options.seats or seats) != (game, way, seats):
                    continue
                session = play.open(game, [play.PERSON] + [OTHERS] * (seats - 1), seed=1, port=0, browser=False)
                session.room.pace = 0.0
                page = browser.new_page(viewport={"width": 1300, "height": 850})
                person, begun = Person(page, next(iter(session.addresses.values())), 1), time.monotonic()
                counts = whole_game(person, session, way)
                took = time.monotonic() - begun
                cells = game, seats, way, counts["decisions"], counts["on the board"], len(session.table.played)
                print(f"| {' | '.join(map(str, cells))} | {took:.0f} |", flush=True)
                page.close()
                session.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
