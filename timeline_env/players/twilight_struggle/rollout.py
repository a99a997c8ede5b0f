"""Twilight Struggle played on by the heuristic's rules of thumb, until what was started is finished."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.engine.verbs import hide, legal, play, to_act
from timeline_env.players.twilight_struggle.heuristic import best_action
from timeline_env.twilight_struggle import cards, frames
from timeline_env.twilight_struggle.frames import top


@rule
def finish_round(rules, world, known, mask, word):
    """Every seat takes its best decision by what it knows, until a card is to be chosen again, or the game is over.

    There positions can be compared: no operations are half spent, and no event is half done.
    """
    action = decision(rules, world, known, mask)
    while action >= 0:
        play(rules[0], world[0], action)
        action = decision(rules, world, known, mask)


@rule
def decision(rules, world, known, mask):
    """The next decision of the seat to act, by what it knows; -1 where playing on ends."""
    mover = to_act(world[0])
    if mover < 0 or is_choosing_card(world[0]):
        return -1
    legal(rules[0], world[0], mask)
    known[0] = world[0]
    hide(rules[0], known[0], mover)
    return best_action(known[0], mover, mask)


@rule
def is_choosing_card(s):
    """True if a card for the action round is asked for, or the first headline of a turn."""
    kind = top(s, frames.KIND)
    if kind == frames.PLAY:
        return top(s, frames.VALUE) == cards.NO_CARD
    return kind == frames.HEADLINE and s.headline[0] == cards.NO_CARD and s.headline[1] == cards.NO_CARD
