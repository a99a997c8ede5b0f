"""How the game would end as the board stands: for players that look ahead, but not to the end."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.scoring import standings_in

EVEN_ODDS = 10.0
"""A lead of so many victory points is worth half of a sure win."""


@rule
def estimate(rules, s, values):
    """How surely each side wins if every region were scored once more, as at the end; float64 [2], -1 to 1."""
    lead = s.vp + (1 if s.china == US else -1)
    for region in range(6):
        lead += standings_in(s, region, False)[2]
    values[US] = lead / (EVEN_ODDS + abs(lead))
    values[USSR] = -values[US]
