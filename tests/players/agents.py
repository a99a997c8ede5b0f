"""Agents to test with: networks of random weights."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from timeline_env.players.agents.agent import About, Agent, Layer
from timeline_env.timeline import GAME

PIECES = ("clock", "near")


def an_agent(num_players: int = 4, seed: int = 0, reward: str = "") -> Agent:
    """A network of random weights that large observations tell apart; with a value of this reward, if one is named."""
    rng = np.random.default_rng(seed)

    def layers_to(outputs: int, gain: float) -> list[Layer]:
        widths = [len(GAME.layout(num_players).columns(PIECES)), 16, outputs]
        return [
            ((gain * rng.normal(size=(after, before))).astype(np.float32), rng.normal(size=after).astype(np.float32))
            for before, after in pairwise(widths)
        ]

    about = About("timeline", GAME.rules_version, num_players, PIECES, "relu", 7, reward=reward)
    return Agent(about, layers_to(GAME.num_actions(num_players), 1.0), layers_to(1, 0.05) if reward else [])
