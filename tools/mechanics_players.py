"""Players without a mechanic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.batch import Batch
from timeline_env.players.interface import Decisions, Player
from timeline_env.timeline.actions import CODEC, PASS, PLEDGE
from timeline_env.timeline.board import RADII
from timeline_env.timeline.state import FLEXIBLE_KINDS, MOST_CARDS


def kinds(*names: str) -> NDArray[np.bool_]:
    """The actions of these kinds, bool [actions]."""
    chosen = np.zeros(CODEC.size, np.bool_)
    for name in names:
        chosen[CODEC[name].start : CODEC[name].stop] = True
    return chosen


def pledges() -> NDArray[np.bool_]:
    """The actions that pledge to name a rival, bool [actions]; the range ``rival`` holds the arcs, too."""
    chosen, rival = np.zeros(CODEC.size, np.bool_), CODEC["rival"]
    chosen[rival.start : rival.stop].reshape(rival.shape)[:, PLEDGE] = True
    return chosen


def flexible(*wanted: int) -> NDArray[np.bool_]:
    """The actions that organize these kinds of flexible events, bool [actions]."""
    chosen, organize = np.zeros(CODEC.size, np.bool_), CODEC["organize"]
    places = chosen[organize.start : organize.stop].reshape(organize.shape)
    places[[MOST_CARDS + kind for kind in wanted]] = True
    return chosen


@dataclass(frozen=True)
class Mechanic:
    """Something a player may be forbidden: `actions` (bool [actions]), at any time or in one phase."""

    name: str
    actions: NDArray[np.bool_]
    phase: int | None = None

    def forbidden_actions(self, batch: Batch, games: NDArray[np.int64]) -> NDArray[np.bool_]:
        """What the seat to act in these games of a batch may not do; bool [k, actions]."""
        if self.phase is None:
            return np.broadcast_to(self.actions, (len(games), CODEC.size))
        return (np.asarray(batch.states)["phase"][games] == self.phase)[:, None] & self.actions


def mechanics() -> dict[str, Mechanic]:
    """Every mechanic whose worth is measured, by name."""
    attacking, supporting, logistic = range(FLEXIBLE_KINDS)
    wanted = {
        "reinforce": kinds("reinforce"),
        "attacking": flexible(attacking),
        "supporting": flexible(supporting),
        "logistic": flexible(logistic),
        "reinforce and flexible events": kinds("reinforce") | flexible(attacking, supporting, logistic),
        "impact": kinds("impact", "amplifier"),
        "artifacts": kinds("artifact", "amplifier"),
        "pledge": pledges(),
    }
    found = {name: Mechanic(name, actions) for name, actions in wanted.items()}
    acting = np.arange(CODEC.size) != PASS
    return found | {f"phase {phase}": Mechanic(f"phase {phase}", acting, phase) for phase in range(RADII)}


@dataclass(frozen=True)
class RestrictedDecisions(Decisions):
    """Decisions with fewer actions than are legal: `action_mask` and the field ``legal`` of the positions say which."""

    def states(self) -> np.recarray:
        """See `Decisions.states`."""
        states = super().states()
        states["legal"][:, : self.action_mask.shape[1]] = self.action_mask
        return states


class RestrictedPlayer:
    """A player that may not use a mechanic. Where that would leave nothing (a displaced pawn cannot pass), it may do all that is legal."""

    def __init__(self, player: Player, mechanic: Mechanic) -> None:
        self.player, self.mechanic = player, mechanic

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """An allowed action for every row; int64 [k]. Where only one is allowed the player is not asked."""
        mask = self.allowed_mask(decisions)
        actions = mask.argmax(axis=1)
        rows = np.flatnonzero(mask.sum(axis=1) > 1)
        if len(rows):
            games, observation = decisions.games[rows], decisions.observation[rows]
            actions[rows] = self.player.act(
                RestrictedDecisions(decisions.batch, games, observation, mask[rows], decisions.seat[rows])
            )
        return actions

    def allowed_mask(self, decisions: Decisions) -> NDArray[np.int8]:
        """The masks without what is forbidden; int8 [k, actions]."""
        legal = decisions.action_mask
        forbidden = self.mechanic.forbidden_actions(decisions.batch, decisions.games)[:, : legal.shape[1]]
        mask = np.where(forbidden, np.int8(0), legal)
        return np.where(mask.any(axis=1, keepdims=True), mask, legal)
