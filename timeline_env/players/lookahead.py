"""Players that look one decision ahead: by the points now (greedy), or by the points to come as the board stands (projector)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine import record, rng
from timeline_env.engine.jit import entry, rule
from timeline_env.engine.verbs import play
from timeline_env.players.interface import Decisions
from timeline_env.timeline.estimate import realize_all


class Greedy:
    """Takes the decision after which it leads by the most points; among equals, any."""

    projecting = False

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]."""
        actions = np.empty(len(decisions.seat), np.int64)
        words = self.rng.integers(2**64, size=len(actions), dtype=np.uint64)
        scratch = record.new(decisions.batch.game.state)
        rules: Any = decisions.batch.rules
        best_actions(
            rules, decisions.states(), scratch, decisions.action_mask, decisions.seat, self.projecting, words, actions
        )
        return actions


class Projector(Greedy):
    """Takes the decision after which it would lead by the most points if every node were realized as the board stands."""

    projecting = True


@entry
def best_actions(rules, S, scratch, mask, seats, projecting, words, out):
    """For each position the legal action with the best `lead` after it, into `out`; `words` choose among equals."""
    for k in range(S.shape[0]):
        best = -1.0e9
        equals = 0
        word = words[k]
        for action in range(mask.shape[1]):
            if mask[k, action]:
                scratch[0] = S[k]
                play(rules[0], scratch[0], action)
                if projecting:
                    realize_all(rules[0], scratch[0])
                value = lead(rules[0], scratch[0], seats[k])
                if value > best:
                    best = value
                    equals = 0
                if value == best:
                    # Each of the equals seen so far stays with the same chance.
                    equals += 1
                    word = rng.advance(word)
                    if rng.bounded(rng.mixed(word), equals) == 0:
                        out[k] = action


@rule
def lead(rules, s, seat):
    """The seat's points minus the mean of the others'."""
    others = 0
    for player in range(rules.num_players):
        others += s.points[player]
    others -= s.points[seat]
    return s.points[seat] - others / (rules.num_players - 1)
