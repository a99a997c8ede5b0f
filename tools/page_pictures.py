"""Pictures of the page in its states, as eyes of every kind see them: to be looked at after a change of colours or layout."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from playwright.sync_api import Page

from tests.play.driver import Person, chromium
from timeline_env import cli, play
from timeline_env.engine.replay import record_game
from timeline_env.engine.setting import Setting
from timeline_env.games import PACKAGES, game_named
from tools.site import film

EYES = ("none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia")
"""What Chromium can show: ordinary eyes, and the kinds of colour-blindness."""


def parser() -> cli.Parser:
    """The command line."""
    options = cli.Parser(description=__doc__)
    options.add_argument("--out", type=Path, required=True, help="the folder of the pictures")
    options.add_argument("--game", choices=PACKAGES, help="one game (default: both)")
    options.add_argument("--eyes", nargs="+", choices=EYES, default=EYES, help="(default: all)")
    return options


def states(person: Person) -> Iterator[str]:
    """Brings the page into one state after the other; gives what each is called."""
    page = person.page
    person.wait()
    yield "middle"
    page.locator("button.card, .hit.hot, #choices button").first.click()
    yield "first_click"
    page.keyboard.press("Escape")
    for summary in page.locator("#minds summary, #trying summary").all():
        summary.click()
    page.locator("#mind").select_option(index=1)
    page.locator("#think").click()
    page.locator("#thoughts tr").first.wait_for()
    yield "thoughts"
    page.locator("#safe").check()
    yield "safe_colours"
    page.locator("#safe").uncheck()


def shoot(page: Page, folder: Path, name: str, eyes: list[str]) -> None:
    """A picture for each kind of eyes."""
    browser = page.context.new_cdp_session(page)
    for kind in eyes:
        browser.send("Emulation.setEmulatedVisionDeficiency", {"type": kind})
        page.screenshot(path=folder / f"{name}_{kind}.png")
    browser.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})


def main() -> int:
    """Write the pictures."""
    options = parser().parse_args()
    with cli.refusals(), chromium() as browser:
        options.out.mkdir(parents=True, exist_ok=True)
        for name in PACKAGES:
            if options.game not in (None, name):
                continue
            game = game_named(name)
            _, moves = film.play(game)
            actions = [move.action for _, move in moves[: 2 * len(moves) // 3]]
            saved = record_game(Setting(game), int(moves[0][1].before.seed), actions)
            session = play.open(saved, [play.PERSON] * saved.num_players, port=0, browser=False)
            decides = game.seat_names[session.table.to_act]
            person = Person(browser.new_page(viewport={"width": 1500, "height": 950}), session.addresses[decides])
            for state in states(person):
                shoot(person.page, options.out, f"{name}_{state}", options.eyes)
            session.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
