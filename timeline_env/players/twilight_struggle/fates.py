"""What an action leads to for certain before the round passes: the game lost, won, or open; and agents that heed it.

A fate is exact: the actions up to the end of the game are tried in the engine with every face of the dice. It is left open
wherever the other side decides, a card is drawn, a hand that the seat does not know matters, or the round passes.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.batch import Batch
from timeline_env.engine.dice import die, draws_between, generator
from timeline_env.engine.loops import determinize_games
from timeline_env.engine.questions import asked, asked_seats
from timeline_env.engine.setting import Setting
from timeline_env.players.interface import Decisions
from timeline_env.twilight_struggle import actions, cards, frames, state

DOUBTFUL, LOSS, OPEN, WIN = -2, -1, 0, 1
"""Fates of an action: the game is lost, or won, before the round passes, whatever the dice; or it is open. Doubtful are operations
followed by an event that would lose if it came first, and what leads to nothing else: they are no loss, and no way out."""
CHOICES = (frames.USE, frames.YES_NO, frames.LEVEL)
"""Questions to the same seat that a fate is followed through, whatever comes of them."""
COURSES = (frames.PLACE, frames.REALIGN)
"""Questions about operations of which one course stands for all: an event that is still to come lowers DEFCON whatever lies where."""
FROM_CARDS = (frames.PLAY, *CHOICES, frames.OPERATION)
"""Decisions whose actions are followed."""
FOLLOWED = (*CHOICES, frames.OPERATION, frames.COUP, *COURSES)
"""Questions up to which they are followed."""
BY_DEFCON = (state.BY_DEFCON, state.BY_MISSILES)
MOST_DICE = 2
AT_ONCE = 512
"""Actions tried together: as fast as with thousands, for which plain Python would take minutes to deal games first."""


class Fates:
    """Finds the fates of actions; plays in one setting."""

    def __init__(self, setting: Setting) -> None:
        self.trial = Batch(setting, AT_ONCE)

    def of(self, states: Any, mask: NDArray[np.int8]) -> NDArray[np.int8]:
        """The fate of each action of each mask, int8 [k, A]; `OPEN` for headlines, since the other side's may come first."""
        found = np.zeros(mask.shape, np.int8)
        rows, chosen = np.nonzero((mask == 1) & (asked(states, frames.KIND) != frames.HEADLINE)[:, None])
        for at in range(0, len(rows), AT_ONCE):
            part = slice(at, at + AT_ONCE)
            found[rows[part], chosen[part]] = self.try_actions(states[rows[part]], chosen[part])
        return found

    def try_actions(
        self, states: Any, chosen: NDArray[np.int64], placed: NDArray[np.bool_] | None = None
    ) -> NDArray[np.int8]:
        """The fate of an action in each position, int8 [m]; `placed`: where operations on the way were one course of many."""
        placed = np.zeros(len(states), np.bool_) if placed is None else placed
        after, draws = self.play(states, chosen)
        ends = ended(states, after, placed)
        kind, then = asked(states, frames.KIND), asked(after, frames.KIND)
        on_course = placed & np.isin(kind, COURSES)
        # The roll of a realignment may end the operations, or not; on a course either way stands for all. An event that rolls too does not.
        is_settled = (draws == 0) | (on_course & (draws <= MOST_DICE))
        found = np.where(is_settled, ends, OPEN).astype(np.int8)
        for dice in range(1, MOST_DICE + 1):
            rows = np.flatnonzero(~is_settled & (draws == dice) & (ends != OPEN))
            for at in range(0, len(rows), AT_ONCE // 6**dice):
                part = rows[at : at + AT_ONCE // 6**dice]
                found[part] = self.try_dice(states[part], chosen[part], dice, placed[part])
        goes_on = (after.over == 0) & (asked_seats(after) == asked_seats(states)) & same_round(states, after)
        goes_on &= ((draws == 0) & np.isin(kind, FROM_CARDS)) | on_course
        rows = np.flatnonzero(goes_on & np.isin(then, FOLLOWED))
        if len(rows):
            found[rows] = self.follow(after[rows], placed[rows])
        rows = np.flatnonzero((found == OPEN) & is_before_event(states, chosen))
        if len(rows):
            first = self.try_actions(states[rows], np.full(len(rows), actions.USE + actions.EVENT), placed[rows])
            found[rows[first == LOSS]] = DOUBTFUL
        found[is_hidden(states, chosen)] = OPEN
        return found

    def follow(self, positions: Any, placed: NDArray[np.bool_]) -> NDArray[np.int8]:
        """The fate of a seat at its next question, int8 [m]: its best action's, but `DOUBTFUL` if that is a loss and another in doubt."""
        kind = asked(positions, frames.KIND)
        is_choice = np.isin(kind, CHOICES)
        legal = (positions.legal == 1) & (is_choice | is_doomed(positions))[:, None]
        legal &= ~np.isin(kind, COURSES)[:, None] | (legal.cumsum(axis=1) == 1)
        rows, chosen = np.nonzero(legal)
        found = np.zeros(len(kind), np.int8)
        if len(rows):
            fates = self.try_actions(positions[rows], chosen, (placed | ~is_choice)[rows])
            best, worst = np.full(len(kind), DOUBTFUL), np.full(len(kind), WIN)
            np.maximum.at(best, rows, fates)
            np.minimum.at(worst, rows, fates)
            tried = np.bincount(rows, minlength=len(kind)) > 0
            found[tried] = np.where((best == LOSS) & (worst == DOUBTFUL), DOUBTFUL, best)[tried]
        return found

    def try_dice(
        self, states: Any, chosen: NDArray[np.int64], draws: int, placed: NDArray[np.bool_]
    ) -> NDArray[np.int8]:
        """The fates of actions that roll so many dice, int8 [m]: what all their faces have in common."""
        faces = list(product(range(1, 7), repeat=draws))
        trials = np.repeat(states, len(faces))
        np.asarray(trials)["rng"] = np.tile([generator(tuple(map(die, each))) for each in faces], len(states))
        after, drawn = self.play(trials, np.repeat(chosen, len(faces)))
        is_whole = (drawn <= draws) & (after.rolled == drawn)
        fates = ended(trials, after, np.repeat(placed, len(faces)))
        is_whole, fates = is_whole.reshape(-1, len(faces)), fates.reshape(-1, len(faces))
        is_sure = is_whole.all(axis=1) & (fates == fates[:, :1]).all(axis=1)
        return np.where(is_sure, fates[:, 0], OPEN).astype(np.int8)

    def play(self, states: Any, chosen: NDArray[np.int64]) -> tuple[Any, NDArray[np.int64]]:
        """The positions after these actions, and how many numbers each drew from the generator."""
        after = states.copy()
        for at in range(0, len(states), AT_ONCE):
            part = after[at : at + AT_ONCE]
            games = np.arange(len(part))
            self.trial.states[games] = part
            self.trial.step_legal(np.ascontiguousarray(chosen[at : at + AT_ONCE], np.int64), games, False)
            after[at : at + AT_ONCE] = self.trial.states[games]
        return after, draws_between(np.asarray(states)["rng"], np.asarray(after)["rng"])


def same_round(before: Any, after: Any) -> NDArray[np.bool_]:
    """True where no action round or headline has passed; bool [m]."""
    return (before.turn == after.turn) & (before.action_round == after.action_round) & (before.phasing == after.phasing)


def ended(before: Any, after: Any, placed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The fate of the seat that was asked, where the game is over in the same round; int64 [m]."""
    seat = asked_seats(before)
    decided = (after.over == 1) & (after.winner >= 0) & same_round(before, after)
    decided &= ~placed | (np.isin(after.ending, BY_DEFCON) & (after.winner != seat))
    return np.where(decided, np.where(after.winner == seat, WIN, LOSS), OPEN)


def is_hidden(states: Any, chosen: NDArray[np.int64]) -> NDArray[np.bool_]:
    """True where the event of Missile Envy takes a card out of a hand that the seat does not know; bool [m]."""
    used = (asked(states, frames.VALUE) == cards.MISSILE_ENVY) & (chosen == actions.USE + actions.EVENT)
    picked = (asked(states, frames.KIND) == frames.PICK) & (chosen == actions.CARD + cards.MISSILE_ENVY - 1)
    return used | picked


def is_before_event(states: Any, chosen: NDArray[np.int64]) -> NDArray[np.bool_]:
    """True where the operations of the other side's card are chosen, and its event could come first; bool [m]."""
    is_other = cards.SIDE[asked(states, frames.VALUE)] == 1 - asked_seats(states)
    used = (asked(states, frames.KIND) == frames.USE) & (chosen == actions.USE + actions.OPERATIONS)
    return used & is_other & (states.legal[:, actions.USE + actions.EVENT] == 1)


def is_doomed(positions: Any) -> NDArray[np.bool_]:
    """True where an event is still to come at DEFCON 2, after the operations that are asked for; bool [m]."""
    return (positions.defcon == 2) & is_event_to_come(positions)


def is_event_to_come(positions: Any) -> NDArray[np.bool_]:
    """True where an event follows what is asked for; bool [m]."""
    return (positions.question[:, :, frames.KIND] == frames.EVENT).any(axis=1)


class Guard:
    """Keeps a player from losing at once where it need not, and from missing a win; see `timeline_env.players.interface.Guard`."""

    def __init__(self) -> None:
        self.fates: Fates | None = None

    def allow(self, decisions: Decisions) -> NDArray[np.int8]:
        """The actions that win for certain; where there are none, those that do not lose for certain; else all."""
        batch = decisions.batch
        if self.fates is None or self.fates.trial.setting is not batch.setting:
            self.fates = Fates(batch.setting)
        mask, states = decisions.action_mask, decisions.states()
        # A world that the seat considers possible: what depends on the others' hands is open in every one.
        determinize_games(batch.rules, states, decisions.seat, np.zeros(len(states), np.uint64))
        # Influence and realignment end no game, unless an event follows them.
        is_open = np.isin(asked(states, frames.KIND), COURSES) & ~is_event_to_come(states)
        fates = self.fates.of(states, np.where(is_open[:, None], 0, mask))
        best = np.where(mask == 1, fates, DOUBTFUL).max(axis=1)[:, None]
        kept = (mask == 1) & ((fates == WIN) | (best != WIN)) & ((fates != LOSS) | (best < OPEN))
        return kept.astype(np.int8)
