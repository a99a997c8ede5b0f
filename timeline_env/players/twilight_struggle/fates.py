"""What an action leads to for certain before the round passes: the game lost, won, or open; and agents that heed it.

A fate is exact: the actions up to the end of the game are tried in the engine with every face of the dice. It is left open
wherever the other side decides, a card is drawn, a hand that the seat does not know matters, or the round passes.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine import record
from timeline_env.engine.dice import die, generator
from timeline_env.engine.jit import entry, rule
from timeline_env.engine.loops import determinize_games
from timeline_env.engine.memory import clear_run, copy_run, row_at
from timeline_env.engine.rng import draws_between
from timeline_env.players.interface import Decisions
from timeline_env.twilight_struggle import actions, cards, frames, state
from timeline_env.twilight_struggle.frames import top
from timeline_env.twilight_struggle.play import play

DOUBTFUL, LOSS, OPEN, WIN = -2, -1, 0, 1
"""Fates of an action: the game is lost, or won, before the round passes, whatever the dice; or it is open. Doubtful are operations
followed by an event that would lose if it came first, and what leads to nothing else: they are no loss, and no way out."""
CHOICES = (frames.USE, frames.YES_NO, frames.LEVEL)
"""Questions to the same seat that a fate is followed through, whatever comes of them."""
COURSES = (frames.PLACE, frames.REALIGN)
"""Questions about operations of which one course stands for all: an event that is still to come lowers DEFCON whatever lies where."""
FROM_CARDS = (frames.PLAY, *CHOICES, frames.OPERATION, *COURSES)
"""Decisions whose actions are followed."""
FOLLOWED = (*CHOICES, frames.OPERATION, frames.COUP, *COURSES)
"""Questions up to which they are followed."""
BY_DEFCON = (state.BY_DEFCON, state.BY_MISSILES)
MOST_DICE = 2
"""Dice whose faces are all tried; more are left open."""
DICE_OF_REALIGNMENT = 2
MOST_AHEAD = 40
"""Questions that an action is followed through; what leads further is open."""
QUESTION = np.dtype(
    [("mask", "i1", actions.CODEC.size), ("fates", "i1", actions.CODEC.size), ("action", "i2"), ("is_course", "i1")]
)
"""A question that actions lead to: those to be tried, their fates, the one being tried, and whether operations on the way
to it, or asked for by it, are one course of many."""


def find_fates(rules: Any, states: Any, mask: NDArray[np.int8]) -> NDArray[np.int8]:
    """The fate of each action of each mask, int8 [k, A]; `OPEN` for headlines, since the other side's may come first.

    Operations can be `DOUBTFUL` only where the mask has the event, too.
    """
    mask, fates = np.ascontiguousarray(mask, np.int8), np.zeros(mask.shape, np.int8)
    worlds, way = record.new(states.dtype, MOST_AHEAD + 1), record.new(QUESTION, MOST_AHEAD)
    follow_actions(rules, states, mask, worlds, way, generators(), fates)
    return fates


@cache
def generators() -> NDArray[np.uint64]:
    """States of the generator from which one die, or two, show each of their faces; uint64 [MOST_DICE, faces]."""
    found = np.zeros((MOST_DICE, 6**MOST_DICE), np.uint64)
    for count in range(1, MOST_DICE + 1):
        for index, faces in enumerate(product(range(1, 7), repeat=count)):
            found[count - 1, index] = generator(tuple(map(die, faces)))
    return found


@entry
def follow_actions(rules, S, mask, worlds, way, dice, fates):
    """Write the fate of each action of `mask` (int8 [k, A]) into `fates` (int8 [k, A]).

    `worlds` (records) and `way` (`QUESTION` records, one fewer) are scratch, `dice` the `generators`.
    """
    for k in range(mask.shape[0]):
        if is_to_be_tried(S[k]):
            worlds[0] = S[k]
            begin(way[0], False)
            copy_run(row_at(mask, k), 0, mask.shape[1], way[0].mask, 0)
            follow(rules, worlds, way, dice)
            copy_run(way[0].fates, 0, mask.shape[1], row_at(fates, k), 0)


@rule
def is_to_be_tried(s):
    """False for headlines, and for influence and realignments that no event follows: these end no game."""
    kind = top(s, frames.KIND)
    return kind != frames.HEADLINE and (kind not in COURSES or is_event_to_come(s))


@rule
def follow(rules, worlds, way, dice):
    """Find the fates of the actions of ``way[0]``, asked in ``worlds[0]``: of one that leads to a question, that question's."""
    # Not by functions that call each other: what numba keeps of these crashes when it is loaded again.
    at = 0
    while at >= 0:
        way[at].action = next_action(worlds[at], way[at])
        if way[at].action < 0:
            doubt(worlds[at], way[at])
            at -= 1
            if at >= 0:
                way[at].fates[way[at].action] = best_fate(way[at + 1])
        elif try_action(rules, worlds, at, way[at], dice) and at + 1 < way.shape[0]:
            at += 1
            begin(way[at], is_on_course(worlds[at - 1], way[at - 1]))
            ask(worlds[at], way[at])


@rule
def begin(question, is_course):
    """Nothing is to be tried yet."""
    question.action, question.is_course = -1, is_course
    clear_run(question.mask, 0, question.mask.shape[0])
    clear_run(question.fates, 0, question.fates.shape[0])


@rule
def ask(s, question):
    """Note the answers that are to be tried: none where the fate is open, one where it stands for all."""
    kind = top(s, frames.KIND)
    if kind not in CHOICES:
        question.is_course = 1
    if kind in COURSES and (s.defcon > 2 or not is_event_to_come(s)):
        return
    for action in range(question.mask.shape[0]):
        if s.legal[action]:
            question.mask[action] = 1
            if kind in COURSES:
                return


@rule
def next_action(s, question):
    """The action to be tried next; -1 after the last, and on a course as soon as one is open, since it wins by no other."""
    last = question.action
    if last >= 0 and question.is_course and question.fates[last] == OPEN and top(s, frames.KIND) not in CHOICES:
        return -1
    for action in range(last + 1, question.mask.shape[0]):
        if question.mask[action]:
            return action
    return -1


@rule
def try_action(rules, worlds, at, question, dice):
    """Take the question's action in ``worlds[at]`` and note its fate; True where this is the fate of what is asked then."""
    action = question.action
    before, after = worlds[at], worlds[at + 1]
    if is_hidden(before, action):
        return False
    worlds[at + 1] = before
    play(rules[0], after, action)
    draws = draws_between(before.rng, after.rng)
    # The roll of a realignment may end the operations, or not; a course either way stands for all. An event that draws too does not.
    on_course = is_realignment(before, action) and draws == DICE_OF_REALIGNMENT and after.rolled == draws
    is_course = on_course or question.is_course == 1
    fate = fate_at_end(before, after, is_course)
    if draws == 0 or on_course:
        question.fates[action] = fate
    elif 0 < draws <= MOST_DICE and fate != OPEN:
        question.fates[action] = fate_of_dice(rules, worlds, at, action, draws, is_course, dice)
    return goes_on(before, after) and (on_course or (draws == 0 and top(before, frames.KIND) in FROM_CARDS))


@rule
def is_on_course(s, question):
    """True where what comes of the question's action comes of one course of many."""
    return question.is_course == 1 or is_realignment(s, question.action)


@rule
def is_realignment(s, action):
    """True where a target of realignment is chosen, or realignment itself, which rolls at once if it has only one target."""
    if top(s, frames.KIND) == frames.REALIGN:
        return actions.COUNTRY <= action < actions.USE
    return action == actions.OPERATION + actions.REALIGN


@rule
def doubt(s, question):
    """Operations are doubtful where the event of the other side's card loses if it comes first."""
    operations, event = actions.USE + actions.OPERATIONS, actions.USE + actions.EVENT
    is_other = top(s, frames.KIND) == frames.USE and cards.SIDE[top(s, frames.VALUE)] == 1 - top(s, frames.SEAT)
    if is_other and question.mask[operations] and question.fates[operations] == OPEN and question.fates[event] == LOSS:
        question.fates[operations] = DOUBTFUL


@rule
def best_fate(question):
    """The fate of who is asked: its best action's, but `DOUBTFUL` if that is a loss and another in doubt; `OPEN` if none was tried."""
    best, worst, tried = DOUBTFUL, WIN, False
    for action in range(question.mask.shape[0]):
        if question.mask[action]:
            best, worst = max(best, question.fates[action]), min(worst, question.fates[action])
            tried = True
    if not tried:
        return OPEN
    return DOUBTFUL if best == LOSS and worst == DOUBTFUL else best


@rule
def fate_of_dice(rules, worlds, at, action, count, is_course, dice):
    """The fate of an action that rolls so many dice: what all their faces have in common."""
    common = OPEN
    for face in range(6**count):
        worlds[at + 1] = worlds[at]
        after = worlds[at + 1]
        after.rng = dice[count - 1, face]
        play(rules[0], after, action)
        draws = draws_between(dice[count - 1, face], after.rng)
        end = fate_at_end(worlds[at], after, is_course)
        if draws > count or after.rolled != draws or (face > 0 and end != common):
            return OPEN
        common = end
    return common


@rule
def fate_at_end(before, after, is_course):
    """The fate of the seat that was asked, where the game is over in the same round."""
    if after.over == 0 or after.winner < 0 or not is_same_round(before, after):
        return OPEN
    is_won = after.winner == top(before, frames.SEAT)
    if is_course and (is_won or after.ending not in BY_DEFCON):
        return OPEN
    return WIN if is_won else LOSS


@rule
def goes_on(before, after):
    """True where the same seat is asked in the same round, and its answer is to be followed."""
    return (
        after.over == 0
        and top(after, frames.KIND) in FOLLOWED
        and top(after, frames.SEAT) == top(before, frames.SEAT)
        and is_same_round(before, after)
    )


@rule
def is_same_round(before, after):
    """True where no action round or headline has passed."""
    return before.turn == after.turn and before.action_round == after.action_round and before.phasing == after.phasing


@rule
def is_hidden(s, action):
    """True where the event of Missile Envy takes a card out of a hand that the seat does not know."""
    if action == actions.USE + actions.EVENT:
        return top(s, frames.VALUE) == cards.MISSILE_ENVY
    return action == actions.CARD + cards.MISSILE_ENVY - 1 and top(s, frames.KIND) == frames.PICK


@rule
def is_event_to_come(s):
    """True where an event follows what is asked for."""
    for at in range(s.depth):
        if s.question[at, frames.KIND] == frames.EVENT:
            return True
    return False


class Guard:
    """Keeps a player from losing at once where it need not, and from missing a win; see `timeline_env.players.interface.Guard`."""

    def allow(self, decisions: Decisions) -> NDArray[np.int8]:
        """The actions that win for certain; where there are none, those that do not lose for certain; else all."""
        rules, mask, states = decisions.batch.rules, decisions.action_mask, decisions.states()
        # A world that the seat considers possible: what depends on the others' hands is open in every one.
        determinize_games(rules, states, decisions.seat, np.zeros(len(states), np.uint64))
        fates = find_fates(rules, states, mask)
        best = np.where(mask == 1, fates, DOUBTFUL).max(axis=1)[:, None]
        kept = (mask == 1) & ((fates == WIN) | (best != WIN)) & ((fates != LOSS) | (best < OPEN))
        return kept.astype(np.int8)
