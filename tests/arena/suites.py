"""A suite that is played in a moment."""

from __future__ import annotations

from pathlib import Path

POPULATION = """version: 3
game: timeline
num_players: 2
public: [random, greedy]
held_out: [random, projector]
"""
SMALL = """version: 3
title: Small
population: two
seed: 5
games: 6
budget: 8
players: ["mcts:2", "mcts:8", greedy]
"""


def make_suite(folder: Path, small: str = SMALL) -> Path:
    for kind, name, text in (("populations", "two", POPULATION), ("playing", "small", small)):
        (folder / kind).mkdir(parents=True)
        (folder / kind / f"{name}.yaml").write_text(text)
    return folder
