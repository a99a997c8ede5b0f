"""Positions of the rules' tests: by rounds, cards and flexible events of their own, see ``rules.toml``."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Position
from timeline_env.engine.variants import DIGEST, changes
from timeline_env.timeline import GAME

LAID_OUT = changes(Path(__file__).with_name("rules.toml"))
NUMBERS = GAME.load_rules(3)[0]
"""The game's own numbers, as far as they do not depend on the number of players."""


def laid_out_by(cards: Path) -> dict[str, Any]:
    """The same with another table of cards."""
    return {key: value for key, value in LAID_OUT.items() if key != DIGEST} | {"cards": str(cards)}


@pytest.fixture
def position():
    """``position("3p phase:1.0 …")``."""
    return partial(Position, rules=LAID_OUT)
