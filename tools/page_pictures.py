"""Pictures of the page, as eyes of every kind see it: ``python tools/page_pictures.py --out FOLDER``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import typer

from timeline_env import cli, play
from timeline_env.engine.replay import record_game
from timeline_env.engine.setting import Setting
from timeline_env.games import PACKAGES, game_named
from timeline_env.reading import unknown_name

with cli.require_extra("dev"):
    from playwright.sync_api import Page

    from tests.play.driver import Person, chromium
    from tools.site import film

EYES = ("none", "protanopia", "deuteranopia", "tritanopia", "achromatopsia")
"""What Chromium can show: ordinary eyes, and the kinds of colour-blindness."""


def states(person: Person) -> Iterator[str]:
    """Bring the page into one state after the other; yields the name of each."""
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


def shoot(page: Page, folder: Path, name: str, eyes: Sequence[str]) -> None:
    """Take a picture for each kind of eyes."""
    browser = page.context.new_cdp_session(page)
    for kind in eyes:
        browser.send("Emulation.setEmulatedVisionDeficiency", {"type": kind})
        page.screenshot(path=folder / f"{name}_{kind}.png")
    browser.send("Emulation.setEmulatedVisionDeficiency", {"type": "none"})


def main(
    out: Annotated[Path, typer.Option(help="the folder of the pictures")],
    game: Annotated[str | None, typer.Option(help=f"only {' or '.join(PACKAGES)}")] = None,
    eyes: Annotated[list[str] | None, typer.Option(help=f"some of {', '.join(EYES)}; all if left out")] = None,
) -> None:
    """Take pictures of the page in its states, as eyes of every kind see them: to be looked at after a change of colours or layout."""
    for kind in eyes or ():
        if kind not in EYES:
            raise unknown_name("--eyes", kind, EYES)
    played = [game_named(name) for name in ([game] if game else PACKAGES)]
    with chromium() as browser:
        out.mkdir(parents=True, exist_ok=True)
        for each in played:
            _, moves = film.play(each)
            actions = [move.action for _, move in moves[: 2 * len(moves) // 3]]
            saved = record_game(Setting(each), int(moves[0][1].before.seed), actions)
            session = play.open(saved, [play.PERSON] * saved.num_players, port=0, browser=False)
            decides = each.seat_names[session.table.to_act]
            person = Person(browser.new_page(viewport={"width": 1500, "height": 950}), session.addresses[decides])
            for state in states(person):
                shoot(person.page, out, f"{each.name}_{state}", eyes or EYES)
            session.close()


if __name__ == "__main__":
    cli.run(main)
