"""Collects every ``can_x`` into the record's field ``legal``."""

from __future__ import annotations

from timeline_env.engine import questions
from timeline_env.engine.jit import rule
from timeline_env.engine.memory import clear_run
from timeline_env.engine.questions import allow
from timeline_env.timeline import actions, board, state
from timeline_env.timeline.agreements import can_pledge
from timeline_env.timeline.artifacts import can_amplify, can_use
from timeline_env.timeline.flexible import (
    can_choose_arc,
    can_finish_links,
    can_link,
    can_reinforce_alone,
    logistic_strength,
)
from timeline_env.timeline.impact import can_impact, can_reinforce
from timeline_env.timeline.move import can_move, can_step_aside
from timeline_env.timeline.organize import can_organize_here, turns_allowed


@rule
def list_legal(rules, s):
    """Write the legal actions of the question on top into ``s.legal``; return how many there are."""
    clear_run(s.legal, 0, len(s.legal))
    kind, seat = questions.top(s, questions.KIND), questions.top(s, questions.SEAT)
    if kind == state.TURN:
        return list_turn(rules, s, seat)
    if kind == state.DISPLACED:
        return list_steps_aside(s, seat)
    if kind == state.LINKS:
        return list_links(s, s.pawn[seat])
    return list_arcs(rules, s, kind, seat)


@rule
def list_turn(rules, s, seat):
    """T9: what a player may do in their own turn."""
    count = allow(s, actions.PASS)
    if s.au > 0:
        count += list_moves(rules, s, seat)
        count += list_impacts(rules, s, seat)
        count += list_reinforcements(rules, s, seat)
        if can_organize_here(s, seat):
            count += list_organizing(rules, s, seat)
    return count + list_artifacts(s, seat) + list_pledges(rules, s, seat)


@rule
def list_moves(rules, s, seat):
    """T9."""
    count = 0
    for direction in range(board.DIRECTIONS):
        if can_move(rules, s, seat, direction):
            count += allow(s, actions.MOVE + direction)
    return count


@rule
def list_steps_aside(s, seat):
    """T23."""
    count = 0
    for direction in range(board.DIRECTIONS):
        if can_step_aside(s, seat, direction):
            count += allow(s, actions.MOVE + direction)
    return count


@rule
def list_impacts(rules, s, seat):
    """T9."""
    count = 0
    for value in range(1, 4):
        if can_impact(rules, s, seat, value):
            count += allow(s, actions.impact_action(0, value)) + allow(s, actions.impact_action(1, value))
    return count


@rule
def list_reinforcements(rules, s, seat):
    """T9."""
    count = 0
    if s.event[s.pawn[seat]]:
        for direction in range(board.DIRECTIONS):
            for strength in range(1, 3):
                if can_reinforce(rules, s, seat, direction, strength):
                    count += allow(s, actions.reinforce_action(direction, strength))
    return count


@rule
def list_organizing(rules, s, seat):
    """T10–T13: every card, every turn that fits, either stance."""
    count = 0
    for place in range(state.MOST_CARDS + state.FLEXIBLE_KINDS):
        turns = turns_allowed(rules, s, seat, place)
        for turn in range(board.DIRECTIONS):
            if (turns >> turn) & 1:
                count += allow(s, actions.organize_action(place, turn, 0))
                count += allow(s, actions.organize_action(place, turn, 1))
    return count


@rule
def list_artifacts(s, seat):
    """T26."""
    count = 0
    for use in range(4):
        if can_use(s, seat, use):
            count += allow(s, actions.ARTIFACT + use)
    if can_amplify(s, seat):
        count += allow(s, actions.AMPLIFIER) + allow(s, actions.AMPLIFIER + 1)
    return count


@rule
def list_pledges(rules, s, seat):
    """T28."""
    count = 0
    if can_pledge(rules, s, seat):
        for offset in range(rules.num_players - 1):
            count += allow(s, actions.rival_action(offset, actions.PLEDGE))
    return count


@rule
def list_links(s, node):
    """T29."""
    count = 0
    so_far = logistic_strength(s, node)
    for direction in range(board.DIRECTIONS):
        for strength in range(3):
            if can_link(s, node, direction, strength, so_far):
                count += allow(s, actions.link_action(direction, 0, strength))
                count += allow(s, actions.link_action(direction, 1, strength))
        for strength in range(1, 3):
            if can_reinforce_alone(s, node, direction, strength, so_far):
                count += allow(s, actions.reinforce_action(direction, strength))
    if can_finish_links(so_far):
        count += allow(s, actions.DONE)
    return count


@rule
def list_arcs(rules, s, kind, seat):
    """T27, T28."""
    count = 0
    for offset in range(rules.num_players - 1):
        for side in range(2):
            if can_choose_arc(rules, s, kind, seat, offset, side):
                count += allow(s, actions.rival_action(offset, side))
    return count
