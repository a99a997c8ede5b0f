"""A real browser for the page: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any

import pytest

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, started once."""
    if CHROMIUM is None:
        pytest.fail("the page is tested in Chromium, which is not here: apt-get install chromium fonts-dejavu-core")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Root may not use the sandbox; what is shown is our own page.
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield started
        started.close()
