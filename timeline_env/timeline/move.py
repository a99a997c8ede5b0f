"""T9 (move) and T23: pawns on their way."""

from __future__ import annotations

from timeline_env.engine import questions
from timeline_env.engine.jit import rule
from timeline_env.timeline import board, state
from timeline_env.timeline.turn import can_pay, charge, seat_after


@rule
def is_open(s, node, direction):
    """T3, T9, T23: whether a pawn can go there: the neighbour is on the field and not yet realized."""
    neighbour = board.NEIGHBOUR[node, direction]
    return neighbour >= 0 and s.realized[neighbour] == 0


@rule
def move_price(rules, s):
    """T9, T26: energy for a move; with wings none."""
    return 0 if s.winged else rules.move_energy


@rule
def can_move(rules, s, seat, direction):
    """T9: to a neighbouring unrealized node, for action units and energy."""
    return can_pay(s, seat, rules.move_au, move_price(rules, s)) and is_open(s, s.pawn[seat], direction)


@rule
def do_move(rules, s, seat, direction):
    """T9: pay and go."""
    charge(s, seat, rules.move_au, move_price(rules, s))
    s.pawn[seat] = board.NEIGHBOUR[s.pawn[seat], direction]


@rule
def can_step_aside(s, seat, direction):
    """T23: out of a realized node, to a neighbouring unrealized one."""
    return is_open(s, s.pawn[seat], direction)


@rule
def do_step_aside(s, seat, direction):
    """T23: free of charge."""
    s.pawn[seat] = board.NEIGHBOUR[s.pawn[seat], direction]
    questions.pop(s)


@rule
def ask_pawns_to_step_aside(rules, s, node):
    """T23, R11: everyone in the node is asked, beginning with the player who was first in the completed round."""
    # `end_round` has already moved the first place on, so the order begins one seat before ``s.first``; and the last
    # question pushed is asked first: hence backwards.
    for steps in range(rules.num_players - 2, -2, -1):
        seat = seat_after(rules, s.first, steps % rules.num_players)
        if s.pawn[seat] == node:
            questions.push(s, state.DISPLACED, seat, 0)
