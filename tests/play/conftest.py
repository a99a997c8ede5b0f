"""A real browser for the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.play.driver import chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium, started once."""
    with chromium() as started:
        yield started
