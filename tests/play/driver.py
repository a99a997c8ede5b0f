"""Drives the page as a person does: by clicks, by keys alone, by typed moves."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
from playwright.sync_api import Browser, Page, expect, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, driven by Playwright. Raises ValueError if it is not here."""
    if CHROMIUM is None:
        raise ValueError(
            "the page is looked at in Chromium, which is not here: apt-get install chromium fonts-dejavu-core"
        )
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        # Root may not use the sandbox; what is shown is our own page.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


class Person:
    """Somebody at a page.

    Args:
        page: a browser's tab.
        address: of the seat's page.
        seed: of what they choose.
    """

    def __init__(self, page: Page, address: str, seed: int = 0) -> None:
        self.page, self.rng = page, np.random.default_rng(seed)
        self.complaints: list[str] = []
        page.on("console", lambda message: self.complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.set_default_timeout(20_000)
        page.goto(address)

    @property
    def body(self) -> Any:
        return self.page.locator("body")

    @property
    def cookie(self) -> str:
        return self.body.get_attribute("data-cookie") or ""

    def wait_for_view(self) -> None:
        """Until the page shows the game."""
        expect(self.body).to_have_attribute("data-status", re.compile("."), timeout=60_000)

    def wait(self, timeout: float = 60_000) -> str:
        """Until it is this seat's turn, or the game is over; gives which."""
        expect(self.body).to_have_attribute("data-status", re.compile("yours|over"), timeout=timeout)
        return self.body.get_attribute("data-status") or ""

    def wait_for_news(self, cookie: str) -> None:
        """Until the position is another than the one of the cookie."""
        expect(self.body).not_to_have_attribute("data-cookie", cookie, timeout=20_000)

    def settle(self) -> None:
        """Until the server has answered what was sent, if anything was."""
        expect(self.body).not_to_have_attribute("data-sending", "yes", timeout=20_000)

    def click_once(self) -> bool:
        """Decide by clicks alone, on the board where that is possible; gives whether the board was clicked."""
        cookie, on_board = self.cookie, False
        while self.cookie == cookie:
            hits = self.page.locator(".hit.hot")
            places = hits if hits.count() and self.rng.random() < 0.8 else self.page.locator("#choices button")
            on_board = on_board or places is hits
            places.nth(int(self.rng.integers(places.count()))).click()
            self.settle()
        return on_board

    def place(self, key: str) -> Any:
        """Where a target is clicked: on the board if it lies there, else on the card or the button."""
        wanted = (
            f'.hit.hot[data-target="{key}"]',
            f'button.card[data-key="{key}"]',
            f'#choices button[data-key="{key}"]',
        )
        found = [place for place in map(self.page.locator, wanted) if place.count()]
        return found[0].first

    def click_path(self, keys: Sequence[str]) -> None:
        """Click the targets of a path."""
        for key in keys:
            self.place(key).click()
            self.settle()

    def press_once(self) -> None:
        """Decide by keys alone: Tab to the choices, arrows among them, Enter."""
        cookie = self.cookie
        while self.cookie == cookie:
            count = self.page.locator("#choices button").count()
            if not self.page.locator("#choices button:focus").count():
                self.page.locator("#skip").focus()
                self.page.keyboard.press("Enter")
            for _ in range(int(self.rng.integers(min(count, 12)))):
                self.page.keyboard.press("ArrowDown")
            self.page.keyboard.press("Enter")
            self.settle()

    def type_once(self) -> None:
        """Decide by a typed move."""
        cookie = self.cookie
        moves = self.page.locator("#moves option").evaluate_all("options => options.map(option => option.value)")
        self.page.locator("#move").fill(str(self.rng.choice(moves)))
        self.page.keyboard.press("Enter")
        self.wait_for_news(cookie)
        self.settle()
