"""Runs that are over in a minute."""

from __future__ import annotations

from typing import Any

TIMELINE: dict[str, Any] = {
    "learner": "rllib",
    "num_players": 3,
    "reward": "score",
    "opponents": {"self": 0.3, "pool": 0.5, "random": 0.2},
    "steps": 2500,
    "envs": 4,
    "checkpoint_every": 1000,
    "threads": 1,
    "network": {"pieces": ["clock", "near"], "hidden": [16, 8], "activation": "tanh"},
    "ppo": {"n_steps": 64, "batch_size": 128, "n_epochs": 1},
    "pool": {"size": 2, "every": 400},
    "evaluation": {"against": ["random"], "games": 12},
}
TWILIGHT_STRUGGLE: dict[str, Any] = TIMELINE | {
    "game": "twilight_struggle",
    "num_players": 2,
    "steps": 600,
    "network": {"hidden": [16]},
}
