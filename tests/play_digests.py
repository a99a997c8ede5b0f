"""Prints digests of everything after each stretch of random decisions; run compiled and in plain Python by test_modes.

python -m tests.play_digests GAME DECISIONS
"""

from __future__ import annotations

import hashlib
import re
import sys

import numpy as np

from tests.games import ENVIRONMENTS, Table
from timeline_env.commands.compile import players_of
from timeline_env.engine.jit import PLAIN_PYTHON
from timeline_env.players import Decisions, load_player
from timeline_env.players.agents.shipped import SHIPPED


def digest(*arrays):
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()[:16]


def digests(table, decisions, stretch=20):
    """One line after every stretch, with all buffers of a batch and what hiding leaves of its positions; every kind of reward by turns."""
    batch = table.make("batch", num_games=1, seed=table.num_players)
    for decision in range(0, decisions, stretch):
        batch.reward_kind = decision // stretch % len(table.game.rewards)
        batch.play_random(stretch)
        decisions_now = Decisions.of(batch, np.arange(1))
        yield " ".join(
            [
                f"{table}, {table.game.rewards[batch.reward_kind]}, {decision + stretch}:",
                digest(batch.states, decisions_now.states()),
                digest(batch.observation, batch.action_mask, batch.seat),
                digest(batch.reward, batch.done, batch.points, batch.rank),
            ]
        )


def choices(table):
    """What a player of each kind chooses in three positions, with a network in one; searches with 10 simulations, races 12."""
    batch = table.make("batch", num_games=3, seed=table.num_players)
    for name in (re.sub(r":1\b", ":10", name) for name in players_of(batch.setting)):
        player = load_player(name, table.game, 1, table.num_players)
        asked = np.arange(1 if SHIPPED in name else 3)  # in plain Python a network takes a minute for each
        yield f"{table}, {name}: {player.act(Decisions.of(batch, asked)).tolist()}"
        batch.play_random(1)


if __name__ == "__main__":
    print("plain Python" if PLAIN_PYTHON else "compiled")
    (v0,) = (module for module in ENVIRONMENTS if sys.argv[1] == module.GAME.name)
    for players in v0.GAME.players:
        table = Table(v0, players)
        for line in digests(table, int(sys.argv[2])):
            print(line)
    for line in choices(Table(v0, v0.GAME.players[0])):  # in plain Python searches take long
        print(line)
