"""Carries out the next row of an event's program (the words are in ``words.py``, the programs in ``events/``)."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import cards, frames
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.countries import add_influence, controlled_neighbours, controls
from timeline_env.twilight_struggle.events import early_war, late_war, mid_war, words
from timeline_env.twilight_struggle.events.special import do_special
from timeline_env.twilight_struggle.events.words import do_word, war_row
from timeline_env.twilight_struggle.frames import pop, set_top, top
from timeline_env.twilight_struggle.lasting import is_under_nato
from timeline_env.twilight_struggle.tracks import add_milops, award, roll

PERIODS = (early_war, mid_war, late_war)
"""Importing these has filled PROGRAM; from here on it is a constant of the compiled code."""
words.PROGRAM.flags.writeable = False


@rule
def run_step(s):
    """The event on top takes its next step; after the last it is dropped."""
    seat, card, step = top(s, frames.SEAT), top(s, frames.VALUE), top(s, frames.STEP)
    word = words.PROGRAM[card, step, 0]
    if word == words.END:
        pop(s)
        return
    set_top(s, frames.STEP, step + 1)
    if word == words.SPECIAL:
        do_special(s, seat, card, words.PROGRAM[card, step, 1])
    else:
        do_word(s, seat, card, step)


@rule
def do_choice(s, option):
    """The answer to CHOICE: go on with the next step, or from the step that the question holds."""
    other = top(s, frames.LEFT)
    pop(s)
    if option:
        set_top(s, frames.STEP, other)


@rule
def can_make_war(s, seat, card, c):
    """7.6: no influence is needed; 21 protects from 36 (trap 18)."""
    return not (card == cards.BRUSH_WAR and seat == USSR and is_under_nato(s, c))


@rule
def war_modifier(s, seat, card, c):
    """7.6, trap 24: -1 to the die for each enemy-controlled neighbour; only 13 counts the target."""
    target = 1 if card == cards.ARAB_ISRAELI_WAR and controls(s, US, c) else 0
    return -controlled_neighbours(s, 1 - seat, c) - target


@rule
def do_war(s, seat, card, c):
    """7.6, trap 24: a die less the enemy's controlled neighbours; military operations in any case."""
    add_milops(s, seat, war_row(card, 4))
    die = roll(s) + war_modifier(s, seat, card, c)
    if die >= war_row(card, 2):
        award(s, seat, war_row(card, 3))
        taken = s.influence[1 - seat, c]
        s.influence[1 - seat, c] = 0
        add_influence(s, seat, c, taken)
