"""Victory points, DEFCON (R8.1), military operations (R8.2), dice, and the ends of the game (R10.3)."""

from __future__ import annotations

from timeline_env.engine import rng
from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import state
from timeline_env.twilight_struggle.board import US, USSR

MOST_VP = 20


@rule
def roll(s):
    """A die, kept in ``dice`` to be seen."""
    die = rng.draw(s, 6) + 1
    if s.rolled < state.MOST_DICE:
        s.dice[s.rolled] = die
        s.rolled += 1
    return die


@rule
def end_game(s, winner, ending):
    """The game is over, once; what was pending is dropped. `winner` -1 is a draw."""
    if s.over:
        return
    s.over = 1
    s.winner = winner
    s.ending = ending
    s.depth = 0
    s.question[:, :] = 0
    s.legal[:] = 0


@rule
def move_vp(s, amount):
    """The marker moves, towards the US if `amount` is above 0, as far as it goes; whether that wins the game is decided elsewhere."""
    before = s.vp
    s.vp = max(-MOST_VP, min(MOST_VP, before + amount))
    s.gained += s.vp - before


@rule
def award(s, side, points):
    """`side` gains `points` (loses them below 0); with 20 the game is won at once (R10.3.1)."""
    move_vp(s, points if side == US else -points)
    if s.vp == MOST_VP:
        end_game(s, US, state.BY_VP)
    elif s.vp == -MOST_VP:
        end_game(s, USSR, state.BY_VP)


@rule
def set_defcon(s, level):
    """R8.1, trap 12: DEFCON is now `level`, at most 5; at 1 the phasing player loses, whoever caused it.

    Trap 14: a move to 2 in the headline phase does not count as one in an action round.
    """
    level = max(1, min(5, level))
    if level == 2 and s.defcon != 2 and s.action_round > 0:
        s.fell = 1
    s.defcon = level
    if level == 1:
        end_game(s, 1 - s.phasing, state.BY_DEFCON)


@rule
def add_milops(s, side, amount):
    """R8.2, trap 16: military operations, at most 5."""
    s.milops[side] = min(5, s.milops[side] + amount)
