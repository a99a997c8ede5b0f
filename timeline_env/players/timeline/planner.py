"""A player of Timeline that plans its turn: it goes where it can do the most in this turn, by the points that the present board would bring."""

from __future__ import annotations

import numpy as np

from timeline_env.engine import questions
from timeline_env.engine.jit import entry, rule
from timeline_env.players.timeline.forecast import (
    ALL,
    FORESEEN,
    KEPT,
    NEW_BALANCE,
    SOON,
    decide_as_kept,
    decide_from,
    lay,
    lead_after,
    lift,
    try_out,
    undo,
)
from timeline_env.players.timeline.lookahead import (
    A_COST,
    Foreseeing,
    foresee_action,
    foresee_position,
    price,
    tell_difference,
    tell_prospects,
    worth,
)
from timeline_env.timeline import actions, board, numbers, state
from timeline_env.timeline.artifacts import can_amplify, can_use
from timeline_env.timeline.impact import can_impact, can_reinforce, has_no_impact_here
from timeline_env.timeline.move import move_price
from timeline_env.timeline.organize import can_organize_here, turn_card, turns_allowed
from timeline_env.timeline.turn import charge

WAY, COST = FORESEEN, FORESEEN + 1
"""Where an outlook says how many moves come before the deed that an action is for, and what all of it costs, in action units and
energy together (127 at most)."""
PLANNED = FORESEEN + 2
"""How many numbers a planner's outlook has."""


@rule
def find_ways(s, start, most, far, first):
    """Find which nodes a pawn may reach from `start` in at most `most` moves: in how many goes into `far` (-1: not at all), the first
    moves of the shortest ways (one bit per direction) into `first`; int64 [61] each."""
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
def keep_better(best, value, action):
    """Keep an action and its worth in `best` (float64 [2]: worth and action) if it is worth more than what is there."""
    if value > best[0]:
        best[0], best[1] = value, action


@rule
def try_deed(rules, s, seat, action, kept, points, best):
    """Value a deed where the pawn stands, and keep it in `best` if it is better. `points` (int64 [2]) is what the seat and all others
    together have by the forecast."""
    count = try_out(rules, s, seat, action, kept)
    value = lead_after(rules, s, seat, board.NODES, kept, count, points[0], points[1])
    undo(rules, s, seat, action, kept, count)
    keep_better(best, value - A_COST * price(rules, s, seat, action), action)


@rule
def try_impacts(rules, s, seat, kept, points, best):
    """T9, T26: impacts, and the amplifier's, on the event in the node where the pawn stands."""
    if has_no_impact_here(s, seat):
        for side in range(2):
            for value in range(1, 4):
                if can_impact(rules, s, seat, value):
                    try_deed(rules, s, seat, actions.impact_action(side, value), kept, points, best)
    if can_amplify(s, seat):
        for side in range(2):
            try_deed(rules, s, seat, actions.AMPLIFIER + side, kept, points, best)


@rule
def try_reinforcements(rules, s, seat, kept, points, best):
    """T9: tokens on the junctions of the event in the node where the pawn stands."""
    for direction in range(board.DIRECTIONS):
        for strength in range(1, 3):
            if can_reinforce(rules, s, seat, direction, strength):
                try_deed(rules, s, seat, actions.reinforce_action(direction, strength), kept, points, best)


@rule
def try_switch(rules, s, seat, kept, points, best):
    """T26: the other stance for the event in the node where the pawn stands."""
    if can_use(s, seat, actions.SWITCH):
        try_deed(rules, s, seat, actions.ARTIFACT + actions.SWITCH, kept, points, best)


@rule
def try_cards(rules, s, seat, kept, points, best):
    """T10–T13: the deck cards of the hand in the empty node where the pawn stands, in every turn that fits, with either stance; as
    `try_deed` would, but a card is lifted only when all of that has been tried."""
    node, cost = s.pawn[seat], A_COST * price(rules, s, seat, actions.ORGANIZE)
    for place in range(s.held[seat]):
        turns = turns_allowed(rules, s, seat, place)
        if turns:
            lay(rules, s, seat, actions.organize_action(place, 0, 0))
            for turn in range(board.DIRECTIONS):
                if (turns >> turn) & 1:
                    turn_card(rules, s, node, turn)
                    for side in range(2):
                        s.stance[node] = 1 - 2 * side
                        count = decide_from(rules, s, kept, node)
                        value = lead_after(rules, s, seat, board.NODES, kept, count, points[0], points[1]) - cost
                        decide_as_kept(s, kept, count)
                        keep_better(best, value, actions.organize_action(place, turn, side))
                        if kept[NEW_BALANCE, node] != 0:
                            break  # the other stance would come to the same
            lift(rules, s, seat, actions.organize_action(place, 0, 0))


@rule
def plan_moves(rules, s, seat, kept, points, ways, value, goal):
    """For the move in each direction, find the best that `seat` can do in this turn at the end of a shortest way that begins with it. What
    that is worth goes into `value` (float64 [6]), its node, the moves to it and the action there into `goal` (int64 [6, 3]). Where nothing
    can be done `value` is -inf. At least one action unit is kept for what is done there, so a walk that spends the last ones is not
    planned, though an amplifier or a switch at its end would cost none (T26).

    `s` is a forecast, which stays as it is except for what its empty nodes keep of cards, and `points` (int64 [2]) what the seat and all
    others together have by it; `ways` is scratch, int64 [2, 61].
    """
    value[:] = -np.inf
    best = np.empty(2)
    start, au, energy, step = s.pawn[seat], int(s.au), int(s.energy[seat]), move_price(rules, s)
    most = (au - min(rules.impact_au, rules.reinforce_au, numbers.ORGANIZE_AU)) // rules.move_au
    if step:
        most = min(most, energy // step)
    find_ways(s, start, most, ways[0], ways[1])
    for node in range(board.NODES):
        far = ways[0, node]
        if far > 0:
            s.pawn[seat], s.au, s.energy[seat] = node, au - far * rules.move_au, energy - far * step
            best[0], best[1] = -np.inf, -1
            if s.event[node]:
                try_impacts(rules, s, seat, kept, points, best)
                try_reinforcements(rules, s, seat, kept, points, best)
                try_switch(rules, s, seat, kept, points, best)
            elif can_organize_here(s, seat):
                try_cards(rules, s, seat, kept, points, best)
            promised = best[0] - A_COST * far * (rules.move_au + step)
            for direction in range(board.DIRECTIONS):
                if (ways[1, node] >> direction) & 1 and promised > value[direction]:
                    value[direction] = promised
                    goal[direction, 0], goal[direction, 1], goal[direction, 2] = node, far, int(best[1])
    s.pawn[seat], s.au, s.energy[seat] = start, au, energy


@rule
def come_to(rules, s, seat, node, moves):
    """T9: put the pawn on the node as if it had come there in so many moves."""
    charge(s, seat, moves * rules.move_au, moves * move_price(rules, s))
    s.pawn[seat] = node


@rule
def may_plan(s, legal):
    """Whether the seat to act is in its turn and may go somewhere; `legal` is its action mask."""
    return questions.top(s, questions.KIND) == state.TURN and legal[actions.MOVE : actions.IMPACT].any()


@entry
def foresee_plans(rules, S, scratch, mask, seats, values, outlook):
    """For each position write what every legal action is worth into `values` (float64 [k, A]), and what it changes in the outlook, a move
    together with what it is for, into `outlook` (int8 [k, A + 1, PLANNED]); the last row is the position's own outlook, less the points
    that the seats have."""
    (now, then), (kept, room) = np.zeros((2, FORESEEN), np.int16), np.zeros((2, *KEPT), np.int64)
    ways, points = np.zeros((2, board.NODES), np.int64), np.zeros(2, np.int64)
    value, goal = np.zeros(board.DIRECTIONS), np.zeros((board.DIRECTIONS, 3), np.int64)
    for k in range(S.shape[0]):
        seat, s, there = seats[k], scratch[3], scratch[4]
        running_on = foresee_position(rules, S, k, seat, scratch, kept, now)
        value[:] = -np.inf
        if may_plan(S[k], mask[k]):
            points[0], points[1] = now[ALL], now[ALL + 1 : SOON].sum()
            plan_moves(rules[0], s, seat, kept, points, ways, value, goal)
        for action in range(mask.shape[1]):
            if mask[k, action]:
                told = outlook[k, action]
                foresee_action(rules, S, k, seat, action, scratch, running_on, kept, room, now, then, True)
                values[k, action] = worth(rules, S, k, seat, action, then, True)
                cost = price(rules[0], S[k], seat, action)
                direction = action - actions.MOVE
                if 0 <= direction < board.DIRECTIONS and value[direction] > values[k, action]:
                    values[k, action] = value[direction]
                    node, far, deed = goal[direction]
                    scratch[4] = S[k]
                    come_to(rules[0], there, seat, node, far)
                    s.pawn[seat] = node
                    foresee_action(rules, scratch, 4, seat, deed, scratch, running_on, kept, room, now, then, True)
                    s.pawn[seat] = S[k].pawn[seat]
                    told[WAY] = far
                    cost = far * cost + price(rules[0], there, seat, deed)
                tell_difference(now, then, told)
                told[COST] = min(cost, 127)
        tell_prospects(rules, S, k, seat, now, then, outlook[k, mask.shape[1]])


class Planner(Foreseeing):
    """Goes where it can do the most in this turn, and does it, by the points by which it would lead if every node were realized now."""

    foreseen = PLANNED
    foresee = staticmethod(foresee_plans)
