"""How long the page makes people wait, and how large replays are: ``python tools/page_speed.py``."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import typer

from timeline_env import cli, play
from timeline_env.arena.markdown import markdown_table
from timeline_env.engine.replay import record_game
from timeline_env.engine.setting import Setting
from timeline_env.games import PACKAGES, game_named
from timeline_env.play import replays

with cli.require_extra("dev"):
    from playwright.sync_api import Browser, expect

    from tests.play.driver import Person, chromium
    from tools.site import film

OTHERS = {"timeline": ["projector"] * 3, "twilight_struggle": ["heuristic"]}
MIND = {"timeline": "projector", "twilight_struggle": "shipped"}
"""Whose thoughts the largest replay holds."""
CLOCK = """
window.answers = [];
let clicked = 0, cookie = "", shown = 0;
addEventListener("click", () => { clicked = performance.now(); }, true);
document.addEventListener("DOMContentLoaded", () => new MutationObserver(() => {
  const now = { ...document.body.dataset };
  requestAnimationFrame(() => {
    if (now.cookie !== cookie) {
      if (!shown) shown = performance.now() - clicked;
      cookie = now.cookie;
      if (now.status === "yours" || now.status === "over") {
        window.answers.push([shown, performance.now() - clicked, now.status === "over"]);
        shown = 0;
      }
    }
  });
}).observe(document.body, { attributes: true }));
"""
"""Measures in the page, for each decision, the milliseconds from its last click until it is shown, and until the person is asked again."""


def answers(browser: Browser, game: str, decisions: int) -> list[list[float]]:
    """Milliseconds from the click that decides until the decision is shown, and until the person is asked again."""
    found: list[list[float]] = []
    context = browser.new_context(viewport={"width": 1300, "height": 850})
    context.add_init_script(CLOCK)
    for seed in range(decisions):  # enough games
        session = play.open(game, [play.PERSON, *OTHERS[game]], seed=seed, port=0, browser=False)
        session.room.pace = 0.0
        person = Person(context.new_page(), next(iter(session.addresses.values())), seed)
        while person.wait() == "yours" and len(person.page.evaluate("window.answers")) <= decisions - len(found):
            person.click_once()
        found += [row[:2] for row in person.page.evaluate("window.answers")[1:] if not row[2]]  # the first has no click
        person.page.close()
        session.close()
        if len(found) >= decisions:
            break
    context.close()
    return found[:decisions]


def first_paint(browser: Browser, game: str) -> tuple[float, float, float]:
    """Seconds from the command until its address is there, until the page is painted, and until a person can decide;
    nothing is compiled yet."""
    with tempfile.TemporaryDirectory() as folder:
        places = {"NUMBA_CACHE_DIR": folder, "XDG_STATE_HOME": folder, "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-c", "from timeline_env.commands.main import main; main()", "play", game]
        seats = game_named(game).seat_names[1 : 1 + len(OTHERS[game])]
        for seat, name in zip(seats, OTHERS[game], strict=True):
            command += ["--seat", f"{seat}={name}"]
        begun = time.time()
        program = subprocess.Popen(
            [*command, "--no-browser", "--port", "0"], env=os.environ | places, stdout=subprocess.PIPE, text=True
        )
        try:
            address = next(line for line in program.stdout or () if "http" in line).split()[-1]
            served = time.time()
            person = Person(browser.new_page(), address)
            expect(person.page.locator("#prompt")).not_to_be_empty()
            painted = person.page.evaluate(
                "performance.timeOrigin + performance.getEntriesByName('first-contentful-paint')[0].startTime"
            )
            person.wait(1_800_000)
            asked = time.time()
            person.page.close()
        finally:
            program.terminate()
            program.wait()
    return served - begun, painted / 1000 - begun, asked - begun


def replay_rows(name: str) -> list[list[Any]]:
    """For each choice of views the bytes of a whole game's replay, and the seconds that it takes to write."""
    game = game_named(name)
    _, moves = film.play(game)
    saved = record_game(Setting(game), int(moves[0][1].before.seed), [move.action for _, move in moves])
    shown = replays.replay_saved(saved)
    rows = []
    for label, views, mind in (
        ("what everybody knows", [None], None),
        ("that and each seat's", [None, *range(saved.num_players)], None),
        (f"that and a seat's, with what `{MIND[name]}` thinks", [None, 0], MIND[name]),
    ):
        begun = time.process_time()
        size = len(replays.page(shown, views, mind).encode())
        rows.append([f"`{name}`", len(saved.moves), label, f"{size / 1024:.0f}", f"{time.process_time() - begun:.1f}"])
    return rows


def table(header: list[str], rows: list[list[Any]]) -> None:
    """Print a table in Markdown."""
    print("\n".join([*markdown_table(header, [[*map(str, row)] for row in rows]), ""]), flush=True)


def main(decisions: Annotated[int, typer.Option(min=1, help="of each game")] = 60) -> None:
    """Measure how long the page makes people wait: from a click to the answer, to the first paint before anything is compiled; and
    how large replays are."""
    with chromium() as browser:
        rows = []
        for game in PACKAGES:
            found = np.array(answers(browser, game, decisions))
            middle, late = (np.percentile(found, share, axis=0) for share in (50, 95))
            others = f"{len(OTHERS[game])} `{OTHERS[game][0]}`"
            times = (f"{m:.0f}, {h:.0f}" for m, h in zip(middle, late, strict=True))
            rows.append([f"`{game}`, {others}", len(found), *times])
        table(["game", "decisions", "click to its own effect, ms", "click to the next question, ms"], rows)
        paints = [[f"`{game}`", *(f"{seconds:.1f}" for seconds in first_paint(browser, game))] for game in PACKAGES]
        table(["game", "address, s", "first paint, s", "first question, s"], paints)
    table(
        ["game", "decisions", "views", "KB", "written in, s"],
        [row for game in PACKAGES for row in replay_rows(game)],
    )


if __name__ == "__main__":
    cli.run(main)
