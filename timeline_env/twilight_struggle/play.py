"""Dispatches a decision to its ``do_x``, answers forced choices, and carries the game on to the next decision."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.engine.memory import clear_run
from timeline_env.engine.questions import only_legal_action
from timeline_env.twilight_struggle import actions, cards, frames, state
from timeline_env.twilight_struggle.card_play import (
    begin_event,
    dispose,
    do_play,
    do_use,
    is_from_grain,
    return_grain,
)
from timeline_env.twilight_struggle.countries import add_influence, remove_influence
from timeline_env.twilight_struggle.events.picks import do_level, do_pick, pick_nothing
from timeline_env.twilight_struggle.events.program import do_choice, do_war, run_step
from timeline_env.twilight_struggle.events.special import ask_che, grain_operations
from timeline_env.twilight_struggle.frames import pop, set_top, top
from timeline_env.twilight_struggle.hands import put
from timeline_env.twilight_struggle.legal import list_legal
from timeline_env.twilight_struggle.operations import do_coup, do_operate, do_place, do_realign
from timeline_env.twilight_struggle.setup import set_up
from timeline_env.twilight_struggle.turn import ask_for_card, carry_on, do_buy_off, do_discard_to_trap, do_headline


@rule
def deal(rules, s, seed):
    """R3: set the game up and go on to the first decision."""
    set_up(rules, s, seed)
    settle(rules, s)


@rule
def play(rules, s, action):
    """Do a legal action, then go on to the next decision or the end of the game."""
    s.gained = 0
    s.rolled = 0
    clear_run(s.dice, 0, len(s.dice))
    answer(s, action)
    settle(rules, s)


@rule
def to_act(s):
    """The seat that decides next; -1 when the game is over."""
    return -1 if s.over else top(s, frames.SEAT)


@rule
def settle(rules, s):
    """Whatever leaves no choice is done unasked, until a player has one or the game is over."""
    while s.over == 0:
        if s.depth == 0:
            carry_on(rules, s)
        elif top(s, frames.KIND) < frames.FIRST_QUESTION:
            work(s)
        else:
            count = list_legal(rules, s)
            if count > 1:
                return
            if count == 1:
                answer(s, only_legal_action(s))
            else:
                end_question(s)
    s.depth = 0
    s.question[:, :] = 0
    s.chosen[:] = 0
    s.legal[:] = 0


@rule
def work(s):
    """The frame on top is the engine's: an event to begin, a step of one, a round to begin, a card to put away."""
    kind, seat, card = top(s, frames.KIND), top(s, frames.SEAT), top(s, frames.VALUE)
    if kind == frames.RUN:
        run_step(s)
    elif kind == frames.EVENT:
        begin_event(s, seat, card)
    elif kind == frames.ROUND:
        ask_for_card(s, seat)
    else:
        dispose(s, seat, card)


@rule
def answer(s, action):
    """Do what the action says for the seat that is asked."""
    kind, seat, card = top(s, frames.KIND), top(s, frames.SEAT), top(s, frames.VALUE)
    if action < actions.COUNTRY:
        answer_card(s, kind, seat, action - actions.CARD + 1)
    elif action < actions.USE:
        answer_country(s, kind, seat, action - actions.COUNTRY)
    elif action < actions.OPERATION:
        do_use(s, seat, card, action - actions.USE)
    elif action < actions.OPTION:
        do_operate(s, action - actions.OPERATION)
    elif action < actions.STOP:
        if kind == frames.LEVEL:
            do_level(s, card, action - actions.OPTION)
        else:
            do_choice(s, action - actions.OPTION)
    elif action == actions.STOP:
        end_question(s)
    else:
        do_buy_off(s, seat, action - actions.BUY_OFF)


@rule
def answer_card(s, kind, seat, card):
    """A card was chosen."""
    if kind == frames.HEADLINE:
        do_headline(s, seat, card)
    elif kind == frames.PLAY:
        do_play(s, seat, card, top(s, frames.LEFT))
    elif kind == frames.TRAP:
        do_discard_to_trap(s, seat, card)
    elif kind == frames.LEAVE_HAND:
        pop(s)
        put(s, card, state.DISCARDS)
    else:
        do_pick(s, seat, top(s, frames.VALUE), card)


@rule
def answer_country(s, kind, seat, c):
    """A country was chosen."""
    if kind == frames.PLACE:
        do_place(s, seat, c)
    elif kind == frames.REALIGN:
        do_realign(s, c)
    elif kind == frames.COUP:
        answer_coup(s, seat, c)
    else:
        choose_country(s, kind, seat, c)


@rule
def answer_coup(s, seat, c):
    """R6.3; 107: if influence went, a second one elsewhere."""
    che = top(s, frames.OPTIONAL) if top(s, frames.VALUE) == cards.CHE else 0
    removed = do_coup(s, seat, c)
    clear_run(s.chosen, 0, len(s.chosen))
    if che == 1 and removed > 0:
        ask_che(s, 2)
        s.chosen[c] = 1


@rule
def choose_country(s, kind, seat, c):
    """A country was chosen for an event: its influence changes; after the last one the question ends."""
    side, each, card = top(s, frames.SIDE), top(s, frames.EACH), top(s, frames.VALUE)
    s.chosen[c] += 1
    s.tally += 1
    set_top(s, frames.LEFT, top(s, frames.LEFT) - 1)
    if top(s, frames.LEFT) == 0:
        end_question(s)
    if kind == frames.ADD:
        add_influence(s, side, c, each)
    elif kind == frames.MATCH:
        add_influence(s, side, c, s.influence[1 - side, c] - s.influence[side, c])
    elif kind == frames.DOUBLE:
        add_influence(s, side, c, s.influence[side, c])
    elif kind == frames.WAR:
        do_war(s, seat, card, c)
    else:
        remove_influence(s, side, c, each)


@rule
def end_question(s):
    """The question on top is finished, or declined: do what that means for its event."""
    kind, card = top(s, frames.KIND), top(s, frames.VALUE)
    if kind == frames.PICK:
        pick_nothing(s, card)
    elif kind == frames.PLAY and is_from_grain(s):
        return_grain(s)
        grain_operations(s)
    else:
        pop(s)
        clear_run(s.chosen, 0, len(s.chosen))
