"""Films the page while a game is played by clicks, as a small GIF: ``python tools/page_film.py docs/page.gif``."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import typer

from timeline_env import cli, play
from timeline_env.engine.notation import copy_for_viewer
from timeline_env.files import check_writable
from timeline_env.games import DEFAULT, PACKAGES, game_named
from timeline_env.players import Decisions, load_player
from timeline_env.players.asking import answers

with cli.require_extra("dev"):
    from PIL import Image, ImageDraw
    from playwright.sync_api import ViewportSize

    from tests.play.driver import Person, chromium
    from tools.site import film

SIZE = ViewportSize(width=1180, height=760)
WIDTH, COLOURS = 860, 48
SEED = 5
CLICK, SHOWN, REST = 700, 1100, 3000
"""Milliseconds for which a click, what it led to, and the last picture are shown."""
RING = (11, 95, 184)


def picture(person: Person) -> Image.Image:
    """What the page shows."""
    return Image.open(io.BytesIO(person.page.screenshot())).convert("RGB")


def ringed(image: Image.Image, box: dict[str, float]) -> Image.Image:
    """The picture with a ring around what is clicked."""
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    image = image.copy()
    for radius in (22, 21, 20, 19):
        ImageDraw.Draw(image).ellipse((x - radius, y - radius, x + radius, y + radius), outline=RING)
    return image


def frames(person: Person, session: play.Session, clicks: int) -> Iterator[tuple[Image.Image, int]]:
    """Pictures, each with the milliseconds that it is shown."""
    table = session.table
    player = load_player(list(table.game.baselines)[-1], table.game, SEED, len(table.seats))
    while clicks > 0 and person.wait() == "yours":
        action = int(answers(player, Decisions.of(table.batch, np.zeros(1, np.int64)))[0])
        path = table.page.paths(table.rules, copy_for_viewer(table.rules, table.now, table.to_act))[action]
        for target in path:
            box = person.place(target.key).bounding_box()
            yield ringed(picture(person), box), CLICK
            person.click_path([target.key])
            clicks -= 1
        person.wait()
        person.page.mouse.move(1, 1)
        yield picture(person), SHOWN


def main(
    file: Annotated[Path, typer.Argument(help="where the GIF goes")],
    game: Annotated[str, typer.Option(help=" or ".join(PACKAGES))] = DEFAULT,
    clicks: Annotated[int, typer.Option(min=1, help="how many are filmed")] = 14,
) -> None:
    """Film the page while a game is played by clicks, as a small GIF.

    What is clicked is ringed; who sits there plays what the game's strongest scripted player would.

    example:
      python tools/page_film.py docs/page.gif
    """
    check_writable("FILE", file)
    played = game_named(game)
    others = [list(played.baselines)[-1]] * (played.usual_players - 1)
    with chromium() as browser:
        session = play.open(played.name, [play.PERSON, *others], SEED, port=0, browser=False)
        session.room.pace = 0.0
        person = Person(browser.new_page(viewport=SIZE), next(iter(session.addresses.values())))
        pictures, pace = zip(*frames(person, session, clicks), strict=True)
        film.write(file, pictures, [*pace[:-1], REST], WIDTH, COLOURS)
        session.close()
    print(f"{file}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    cli.run(main)
