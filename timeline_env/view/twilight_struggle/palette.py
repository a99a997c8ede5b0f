"""The colours of a picture."""

from __future__ import annotations

from timeline_env.view import palette

SIDES = ("#c0392f", "#2a5fae")
"""The USSR and the US."""
PALE = ("#f6ddd9", "#dbe5f4")
NEUTRAL = "#7d7f83"
REGIONS = {
    "western_europe": "#cdbfe3",
    "eastern_europe": "#e3c6dd",
    "both": "#d8c3e0",
    "asia": "#f3dfa0",
    "southeast_asia": "#f1c98f",
    "middle_east": "#bfdce8",
    "central_america": "#cfe0b4",
    "south_america": "#b3d3a4",
    "africa": "#f2e6c2",
}
"""Tints of the names; ``both`` is Austria's and Finland's."""
REGION_TITLES = {
    "western_europe": "Western Europe",
    "eastern_europe": "Eastern Europe",
    "both": "both Europes",
    "middle_east": "Middle East",
    "asia": "Asia",
    "southeast_asia": "Southeast Asia",
    "africa": "Africa",
    "central_america": "Central America",
    "south_america": "South America",
}
BATTLEGROUND = "#4b2a55"
"""The frame and the name of a battleground."""
PAPER, LINE = "#f4f1e9", "#b3ad9f"
CARD, INK, FAINT = palette.CARD, palette.INK, palette.FAINT
LINK = "#8d8573"
MARKER = "#e0a419"
