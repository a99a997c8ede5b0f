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
from timeline_env.timeline.state import STATE


class Greedy:
    """Takes the decision after which it leads by the most points; among equals, any."""

    projecting = False

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for every row; int64 [k]."""
        values = self.values(decisions.batch.rules, decisions.states(), decisions.action_mask, decisions.seat)
        words = self.rng.integers(2**64, size=len(values), dtype=np.uint64)
        actions = np.empty(len(values), np.int64)
        pick_best(values, words, actions)
        return actions

    def values(self, rules: Any, states: Any, mask: NDArray[np.int8], seats: NDArray[np.int64]) -> NDArray[np.float64]:
        """By how many points the seat leads after each action, see `timeline_env.players.interface.Appraiser`."""
        values: Any = np.full(mask.shape, -np.inf)
        value_actions(rules, states, record.new(STATE), mask, seats, self.projecting, values)
        return values


class Projector(Greedy):
    """Takes the decision after which it would lead by the most points if every node were realized as the board stands."""

    projecting = True


@entry
def value_actions(rules, S, scratch, mask, seats, projecting, out):
    """For each position the `lead` after every legal action, into `out` (float64 [k, A])."""
    for k in range(S.shape[0]):
        for action in range(mask.shape[1]):
            if mask[k, action]:
                scratch[0] = S[k]
                play(rules[0], scratch[0], action)
                if projecting:
                    realize_all(rules[0], scratch[0])
                out[k, action] = lead(rules[0], scratch[0], seats[k])


@entry
def pick_best(values, words, out):
    """For each row of `values` (float64 [k, A]) the action of the greatest, into `out`; `words` choose among equals."""
    for k in range(values.shape[0]):
        best = -1.0e9
        equals = 0
        word = words[k]
        for action in range(values.shape[1]):
            if values[k, action] > best:
                best = values[k, action]
                equals = 0
            if values[k, action] == best:
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
