"""Agents to test with: networks of random weights."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from timeline_env.players.agents.agent import About, Agent
from timeline_env.timeline import GAME

PIECES = ("clock", "near")


def an_agent(num_players: int = 4, seed: int = 0) -> Agent:
    """A network of random weights that large observations tell apart."""
    rng = np.random.default_rng(seed)
    widths = [len(GAME.layout(num_players).columns(PIECES)), 16, GAME.num_actions(num_players)]
    layers = [
        (rng.normal(size=(after, before)).astype(np.float32), rng.normal(size=after).astype(np.float32))
        for before, after in pairwise(widths)
    ]
    return Agent(About("timeline", GAME.rules_version, num_players, PIECES, "relu", 7), layers)
