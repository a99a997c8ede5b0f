"""Games that are over soon."""

from __future__ import annotations

from typing import Any

SHORT: dict[str, Any] = {"rounds": {str(players): [1, 1, 1, 1, 1] for players in range(2, 7)}}
"""A variant of Timeline of few rounds: a whole game in five turns for each player."""
