"""A player of Timeline that plans its turn: it goes where it can do the most in this turn, by the points that the present board would bring."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine import questions
from timeline_env.engine.jit import entry, rule
from timeline_env.players.timeline.lookahead import (
    A_COST,
    ARTIFACT_COSTS,
    FORESEEN,
    Lookahead,
    foresee_action,
    foresee_position,
    outlook_by,
    play_out,
    price,
    tell_prospects,
)
from timeline_env.timeline import actions, board, numbers, state
from timeline_env.timeline.artifacts import can_amplify, can_use
from timeline_env.timeline.impact import (
    can_impact,
    can_reinforce,
    has_no_impact_here,
    impact_price,
    lay_impact,
    lay_reinforcement,
    write_reinforcement,
)
from timeline_env.timeline.move import move_price
from timeline_env.timeline.organize import can_organize_here, lay_event, turns_allowed
from timeline_env.timeline.realize import decide, points_for
from timeline_env.timeline.turn import charge

WAY, COST = FORESEEN, FORESEEN + 1
"""Where an outlook says how many moves come before the deed that an action is for, and what all of it costs, in action units and
energy together (127 at most)."""
PLANNED = FORESEEN + 2
"""Numbers of a planner's outlook."""


@rule
def find_ways(s, start, most, far, first):
    """Which nodes a pawn may reach from `start` in at most `most` moves: in how many, and with which first moves of the shortest ways
    (one bit a direction); into `far` (-1: in no way) and `first`, int64 [61]."""
    far[:] = -1
    first[:] = 0
    far[start] = 0
    for steps in range(most):
        for node in range(board.NODES):
            if far[node] == steps:
                for direction in range(board.DIRECTIONS):
                    there = board.NEIGHBOUR[node, direction]
                    if there >= 0 and not s.realized[there] and (far[there] < 0 or far[there] == steps + 1):
                        far[there] = steps + 1
                        first[there] |= first[node] if steps else 1 << direction


@rule
def decide_node(rules, s, node, seat):
    """Decide the event in a node, if one waits there; gives what the seat and what all others together gain by it."""
    own, others = 0, 0
    if s.event[node] and not s.realized[node]:
        s.outcome[node] = decide(points_for(rules, s, node), s.stance[node])
        for player in range(rules.num_players):
            points = s.if_yes[player, node] if s.outcome[node] > 0 else s.if_no[player, node]
            if player == seat:
                own += points
            else:
                others += points
    return own, others


@rule
def sum_up(rules, s, seat, so_far):
    """Decide all events of the present board, in the order of time; into row `n` of `so_far` (int64 [62, 2]) what the seat and what
    all others together have with what they gain by the nodes before `n`."""
    so_far[0] = 0
    for player in range(rules.num_players):
        so_far[0, int(player != seat)] += s.points[player]
    for node in range(board.NODES):
        own, others = decide_node(rules, s, node, seat)
        so_far[node + 1, 0], so_far[node + 1, 1] = so_far[node, 0] + own, so_far[node, 1] + others


@rule
def lead_from(rules, s, start, seat, so_far):
    """The seat's `lead` if the board were realized now, where it has changed from the node `start` on alone since `sum_up`; the
    events from there on are decided."""
    own, others = so_far[start]
    for node in range(start, board.NODES):
        more, theirs = decide_node(rules, s, node, seat)
        own += more
        others += theirs
    return own - others / (rules.num_players - 1)


@rule
def keep_better(best, worth, deed):
    """Keep in `best` (float64 [2]: worth and action) what is worth more."""
    if worth > best[0]:
        best[0], best[1] = worth, deed


@rule
def try_impacts(rules, s, seat, node, so_far, best):
    """T9, T26: impacts, and the amplifier's, on the event in the node where the pawn stands."""
    if has_no_impact_here(s, seat):
        for side in range(2):
            for value in range(1, 4):
                if can_impact(rules, s, seat, value):
                    lay_impact(s, seat, side, value)
                    worth = lead_from(rules, s, node, seat, so_far)
                    s.impact[seat, node] = 0
                    cost = rules.impact_au + impact_price(rules, s, seat, value)
                    keep_better(best, worth - A_COST * cost, actions.impact_action(side, value))
        if can_amplify(s, seat):
            for side in range(2):
                lay_impact(s, seat, side, rules.amplifier_impact)
                worth = lead_from(rules, s, node, seat, so_far)
                s.impact[seat, node] = 0
                keep_better(best, worth - A_COST * ARTIFACT_COSTS, actions.AMPLIFIER + side)


@rule
def try_reinforcements(rules, s, seat, node, so_far, best):
    """T9: tokens on the junctions of the event in the node where the pawn stands."""
    for direction in range(board.DIRECTIONS):
        for strength in range(1, 3):
            if can_reinforce(rules, s, seat, direction, strength):
                before = s.reinforcement[direction, node]
                lay_reinforcement(s, node, direction, strength)
                worth = lead_from(rules, s, node, seat, so_far)
                write_reinforcement(s, node, direction, before)
                cost = rules.reinforce_au + rules.reinforce_energy[strength - 1]
                keep_better(best, worth - A_COST * cost, actions.reinforce_action(direction, strength))


@rule
def try_switch(rules, s, seat, node, so_far, best):
    """T26: the other stance for the event in the node where the pawn stands."""
    if can_use(s, seat, actions.SWITCH):
        s.stance[node] = -s.stance[node]
        worth = lead_from(rules, s, node, seat, so_far)
        s.stance[node] = -s.stance[node]
        keep_better(best, worth - A_COST * ARTIFACT_COSTS, actions.ARTIFACT + actions.SWITCH)


@rule
def try_cards(rules, s, seat, node, so_far, best):
    """T10–T13: the deck cards of the hand in the empty node where the pawn stands, in every turn that fits, with either stance."""
    for place in range(s.held[seat]):
        turns = turns_allowed(rules, s, seat, place)
        for turn in range(board.DIRECTIONS):
            if (turns >> turn) & 1:
                for side in range(2):
                    lay_event(rules, s, seat, s.hand[seat, place], node, turn, side)
                    worth = lead_from(rules, s, node, seat, so_far)
                    cost = numbers.ORGANIZE_AU + numbers.ORGANIZE_ENERGY
                    keep_better(best, worth - A_COST * cost, actions.organize_action(place, turn, side))
                    if s.outcome[node] != s.stance[node] or points_for(rules, s, node) != 0:
                        break  # the stance decides nothing
    take_away(rules, s, seat, node)


@rule
def take_away(rules, s, seat, node):
    """As if no event had been laid there."""
    s.event[node], s.stance[node], s.outcome[node], s.organizer[seat, node] = 0, 0, 0, 0
    for direction in range(board.DIRECTIONS):
        s.mark[direction, node] = 0
    for player in range(rules.num_players):
        s.if_yes[player, node], s.if_no[player, node] = 0, 0


@rule
def plan_moves(rules, s, seat, ways, so_far, value, goal):
    """For the move in each direction the best that `seat` can do in this turn at the end of a shortest way that begins with it: what it
    is worth into `value` (float64 [6]), its node, the moves to it and the action there into `goal` (int64 [6, 3]). Where nothing can
    be done `value` is -inf.

    The position `s` is changed. The rest is room: `ways` (int64 [2, 61]), and `so_far` (int64 [62, 2]) for the sums of the nodes.
    """
    value[:] = -np.inf
    best = np.empty(2)
    au, energy, step = int(s.au), int(s.energy[seat]), move_price(rules, s)
    most = (au - min(rules.impact_au, rules.reinforce_au, numbers.ORGANIZE_AU)) // rules.move_au
    if step:
        most = min(most, energy // step)
    find_ways(s, s.pawn[seat], most, ways[0], ways[1])
    sum_up(rules, s, seat, so_far)
    for node in range(board.NODES):
        far = ways[0, node]
        if far > 0:
            s.pawn[seat], s.au, s.energy[seat] = node, au - far * rules.move_au, energy - far * step
            best[0], best[1] = -np.inf, -1
            if s.event[node]:
                try_impacts(rules, s, seat, node, so_far, best)
                try_reinforcements(rules, s, seat, node, so_far, best)
                try_switch(rules, s, seat, node, so_far, best)
            elif can_organize_here(s, seat):
                try_cards(rules, s, seat, node, so_far, best)
            lead_from(rules, s, node, seat, so_far)  # as they were
            worth = best[0] - A_COST * far * (rules.move_au + step)
            for direction in range(board.DIRECTIONS):
                if (ways[1, node] >> direction) & 1 and worth > value[direction]:
                    value[direction] = worth
                    goal[direction, 0], goal[direction, 1], goal[direction, 2] = node, far, int(best[1])


@rule
def come_to(rules, s, seat, node, moves):
    """T9: as if the pawn had come to the node in so many moves."""
    charge(s, seat, moves * rules.move_au, moves * move_price(rules, s))
    s.pawn[seat] = node


@rule
def may_plan(s, legal):
    """Whether the seat to act is in its turn and may go somewhere; `legal` is its action mask."""
    return questions.top(s, questions.KIND) == state.TURN and legal[actions.MOVE : actions.IMPACT].any()


@entry
def foresee_plans(rules, S, scratch, mask, seats, values, outlook):
    """For each position what every legal action is worth, into `values` (float64 [k, A]), and what it changes of the outlook, a move with
    what it is for, into `outlook` (int8 [k, A + 1, PLANNED]); its last row is the position's own, less the points that the seats have."""
    now, then = np.zeros((2, FORESEEN), np.int16)
    ways, so_far = np.zeros((2, board.NODES), np.int64), np.zeros((board.NODES + 1, 2), np.int64)
    value, goal = np.zeros(board.DIRECTIONS), np.zeros((board.DIRECTIONS, 3), np.int64)
    for k in range(S.shape[0]):
        value[:] = -np.inf
        if may_plan(S[k], mask[k]):
            scratch[3] = S[k]
            plan_moves(rules[0], scratch[3], seats[k], ways, so_far, value, goal)
        foresee_position(rules, S, k, seats[k], scratch, now)
        for action in range(mask.shape[1]):
            if mask[k, action]:
                told = outlook[k, action]
                play_out(rules, S, k, seats[k], action, scratch, True)
                values[k, action] = foresee_action(rules, S, k, seats[k], action, scratch, now, then, told)
                cost = price(rules[0], S[k], seats[k], action)
                direction = action - actions.MOVE
                if 0 <= direction < board.DIRECTIONS and value[direction] > values[k, action]:
                    values[k, action] = value[direction]
                    node, far, deed = goal[direction]
                    scratch[3] = S[k]
                    come_to(rules[0], scratch[3], seats[k], node, far)
                    play_out(rules, scratch, 3, seats[k], deed, scratch, True)
                    foresee_action(rules, S, k, seats[k], action, scratch, now, then, told)
                    told[WAY] = far
                    cost = far * cost + price(rules[0], scratch[3], seats[k], deed)
                told[COST] = min(cost, 127)
        tell_prospects(rules, S, k, seats[k], now, outlook[k, mask.shape[1]])


class Planner(Lookahead):
    """Goes where it can do the most in this turn, and does it, by the points by which it would lead if every node were realized now."""

    foreseen = PLANNED

    def values(self, rules: Any, states: Any, mask: NDArray[np.int8], seats: NDArray[np.int64]) -> NDArray[np.float64]:
        """By how many points the seat would lead, see `timeline_env.players.interface.Appraiser`."""
        return self.outlook(rules, states, mask, seats)[0]

    def outlook(
        self, rules: Any, states: Any, mask: NDArray[np.int8], seats: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
        """`values`, and what they come from, of every seat; see `timeline_env.players.interface.Foreseer`."""
        return outlook_by(foresee_plans, PLANNED, rules, states, mask, seats)
