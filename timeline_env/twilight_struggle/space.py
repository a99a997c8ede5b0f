"""R6.4: the space race."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import cards, numbers
from timeline_env.twilight_struggle.lasting import ops_of
from timeline_env.twilight_struggle.tracks import award, roll

ANIMAL, MAN_IN_ORBIT, EAGLE_BEAR, STATION = 2, 4, 6, 8
"""Boxes with a power."""


@rule
def has_power(s, seat, box):
    """R6.4.4: a box's power belongs to the side that is alone there or beyond."""
    return s.space[seat] >= box and s.space[1 - seat] < box


@rule
def attempts_allowed(s, seat):
    """R6.4.1: one a turn, two with the power of box 2."""
    return 2 if has_power(s, seat, ANIMAL) else 1


@rule
def can_space(s, seat, card):
    """R6.4.1, trap 30: enough operations, as modified; an attempt left; a box to go to."""
    if (
        cards.KIND[card] == cards.SCORING
        or s.space[seat] == numbers.BOXES
        or s.attempts[seat] >= attempts_allowed(s, seat)
    ):
        return False
    return ops_of(s, seat, cards.OPS[card]) >= numbers.SPACE_OPS[s.space[seat] + 1]


@rule
def do_space(s, seat):
    """R6.4.2: a die not above the next box's number moves the side on."""
    s.attempts[seat] += 1
    if roll(s) <= numbers.SPACE_DIE[s.space[seat] + 1]:
        advance(s, seat, 1)


@rule
def advance(s, seat, boxes):
    """R6.4.3, 18, 80: on by `boxes`, as far as the track goes; only the last box pays, less to the second who comes there."""
    if s.space[seat] == numbers.BOXES:
        return
    box = min(numbers.BOXES, s.space[seat] + boxes)
    s.space[seat] = box
    award(s, seat, numbers.SPACE_SECOND[box] if s.space[1 - seat] >= box else numbers.SPACE_FIRST[box])
