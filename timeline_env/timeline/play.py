"""Dispatches a decision to its ``do_x``, answers forced choices (T9a), and carries the game on to the next decision."""

from __future__ import annotations

from timeline_env.engine import questions
from timeline_env.engine.jit import rule
from timeline_env.engine.memory import clear_run
from timeline_env.timeline import actions, board, state
from timeline_env.timeline.agreements import do_pledge
from timeline_env.timeline.artifacts import do_amplify, do_use
from timeline_env.timeline.flexible import do_choose_arc, do_finish_links, do_link, do_reinforce_alone
from timeline_env.timeline.impact import do_impact, do_reinforce
from timeline_env.timeline.legal import list_legal
from timeline_env.timeline.move import do_move, do_step_aside
from timeline_env.timeline.organize import do_organize
from timeline_env.timeline.realize import begin_realization, finish_node, realize_node
from timeline_env.timeline.setup import set_up
from timeline_env.timeline.turn import begin_turn, do_pass, end_round, seat_after


@rule
def deal(rules, s, seed):
    """T5–T7: set the game up and go on to the first decision."""
    set_up(rules, s, seed)
    settle(rules, s)


@rule
def play(rules, s, action):
    """Do a legal action, then go on to the next decision or the end of the game."""
    clear_run(s.gained, 0, len(s.gained))
    answer(rules, s, action)
    settle(rules, s)


@rule
def to_act(s):
    """The seat that decides next; -1 when the game is over."""
    return questions.top(s, questions.SEAT)


@rule
def settle(rules, s):
    """T9a: whatever leaves no choice is done unasked, until a player has one or the game is over."""
    while s.over == 0:
        if s.depth == 0:
            carry_on(rules, s)
        elif list_legal(rules, s) == 1:
            answer(rules, s, questions.only_legal_action(s))
        else:
            return


@rule
def answer(rules, s, action):
    """Do what the action says for the seat that is asked."""
    kind, seat = questions.top(s, questions.KIND), questions.top(s, questions.SEAT)
    if action == actions.PASS:
        do_pass(s)
    elif action < actions.IMPACT:
        if kind == state.DISPLACED:
            do_step_aside(s, seat, action - actions.MOVE)
        else:
            do_move(rules, s, seat, action - actions.MOVE)
    elif action < actions.REINFORCE:
        side, value = actions.impact_parts(action)
        do_impact(rules, s, seat, side, value)
    elif action < actions.ARTIFACT:
        direction, strength = actions.reinforce_parts(action)
        if kind == state.LINKS:
            do_reinforce_alone(s, s.pawn[seat], direction, strength)
        else:
            do_reinforce(rules, s, seat, direction, strength)
    elif action < actions.AMPLIFIER:
        do_use(rules, s, seat, action - actions.ARTIFACT)
    elif action < actions.ORGANIZE:
        do_amplify(rules, s, seat, action - actions.AMPLIFIER)
    elif action < actions.LINK:
        place, turn, side = actions.organize_parts(action)
        do_organize(rules, s, seat, place, turn, side)
    elif action < actions.DONE:
        direction, hindrance, strength = actions.link_parts(action)
        do_link(s, s.pawn[seat], direction, hindrance, strength)
    elif action == actions.DONE:
        do_finish_links(s)
    else:
        offset, choice = actions.rival_parts(action)
        if choice == actions.PLEDGE:
            do_pledge(rules, s, seat, offset)
        else:
            do_choose_arc(rules, s, kind, seat, offset, choice)


@rule
def carry_on(rules, s):
    """T4, T8, T16–T25: when nobody is asked anything, go on to the next turn, the next node, the next phase, or the end."""
    if s.realizing >= 0:
        finish_node(rules, s, s.realizing)
        s.realizing += 1
        if s.realizing == board.FIRST[s.phase + 1]:
            end_phase(s)
        else:
            realize_node(rules, s, s.realizing)
    elif s.turns < rules.num_players:
        begin_turn(rules, s, seat_after(rules, s.first, s.turns))
    else:
        end_round(rules, s)
        if s.lap == rules.rounds[s.phase]:
            begin_realization(rules, s)
            realize_node(rules, s, s.realizing)


@rule
def end_phase(s):
    """T4, T25: the marker enters the next phase; after phase 4 the game is over."""
    s.realizing = -1
    s.lap = 0
    if s.phase == board.RADII - 1:
        s.over = 1
        s.legal[:] = 0
    else:
        s.phase += 1
