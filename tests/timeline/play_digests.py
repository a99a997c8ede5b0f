"""Prints digests of everything after each stretch of random decisions; run compiled and in plain Python by test_modes."""

from __future__ import annotations

import hashlib
import sys

import numpy as np

from tests.players.agents import an_agent
from timeline_env import timeline_v0
from timeline_env.engine.jit import PLAIN_PYTHON
from timeline_env.players import Decisions, load_player
from timeline_env.players.search import Budget, Puct
from timeline_env.timeline import GAME


def digest(*arrays):
    return hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()[:16]


def digests(players, decisions, stretch=20):
    """One line after every stretch, with all buffers of a batch and what hiding leaves of its positions."""
    for kind in ("rank", "score"):
        batch = timeline_v0.batch(1, players, seed=players, reward=kind)
        for decision in range(0, decisions, stretch):
            batch.play_random(stretch)
            decisions_now = Decisions.of(batch, np.arange(1))
            yield " ".join(
                [
                    f"{players} players, {kind}, {decision + stretch}:",
                    digest(batch.states, decisions_now.states()),
                    digest(batch.observation, batch.action_mask, batch.seat),
                    digest(batch.reward, batch.done, batch.points, batch.rank),
                ]
            )


def choices(players):
    """What the scripted players choose in a few positions."""
    batch = timeline_v0.batch(3, players, seed=players)
    named = ("random", "greedy", "projector", "flat:20", "mcts:20")
    everyone = {name: load_player(name, GAME, seed=1) for name in named}
    everyone["puct:20"] = Puct(Budget.read("20"), an_agent(players), seed=1)
    for name, player in everyone.items():
        actions = player.act(Decisions.of(batch, np.arange(3)))
        yield f"{players} players, {name}: {actions.tolist()}"
        batch.step(actions)


if __name__ == "__main__":
    print("plain Python" if PLAIN_PYTHON else "compiled")
    for players in range(2, 7):
        for line in [*digests(players, int(sys.argv[1])), *choices(players)]:
            print(line)
