"""The table of actions, and an action from its parts and back. The rules' ``can_x`` and ``do_x`` say when it is legal and what it does.

The last range is ordered by seat, so that for fewer players the actions are a prefix of the table.
"""

from __future__ import annotations

from timeline_env.engine.codec import Codec
from timeline_env.engine.jit import rule

CODEC = Codec(
    ("pass", (), "T9: end the turn"),
    ("move", (6,), "T9, T23: the pawn goes one node in this direction"),
    ("impact", (2, 3), "T9: beside the tick (0) or the cross (1); value 1, 2 or 3 (index 0, 1, 2)"),
    ("reinforce", (6, 2), "T9, T29: the junction in this direction; +1 or +2 (index 0, 1)"),
    ("artifact", (4,), "T26: surge, cell, wings, switch"),
    ("amplifier", (2,), "T26: beside the tick (0) or the cross (1)"),
    (
        "organize",
        (8, 6, 2),
        "T10–T14: place of the hand (5 attacking, 6 supporting, 7 logistic), sixths of a turn clockwise, stance beside the tick (0) or the cross (1)",
    ),
    ("link", (6, 2, 3), "T29: the edge in this direction; cause (0) or hindrance (1); reinforced by 0, 1 or 2"),
    ("done", (), "T29: no more links"),
    (
        "rival",
        (5, 3),
        "the player that sits this many seats further, less one; T27, T28: on the arc under the tick (0) or the cross (1); T28: a pledge to name them (2)",
    ),
)

PASS = CODEC["pass"].start
MOVE = CODEC["move"].start
IMPACT = CODEC["impact"].start
REINFORCE = CODEC["reinforce"].start
ARTIFACT = CODEC["artifact"].start
AMPLIFIER = CODEC["amplifier"].start
ORGANIZE = CODEC["organize"].start
LINK = CODEC["link"].start
DONE = CODEC["done"].start
RIVAL = CODEC["rival"].start

SURGE, CELL, WINGS, SWITCH = range(4)
"""Indices in the range ``artifact``."""
PLEDGE = 2
"""Third index in the range ``rival``; before it come the arcs."""


def num_actions(num_players: int) -> int:
    """How many actions there are for this number of players; two have no event that names a rival (T6)."""
    return RIVAL + 3 * (num_players - 1) if num_players > 2 else RIVAL


@rule
def impact_action(side, value):
    """The impact beside the tick (0) or the cross (1); value 1 to 3."""
    return IMPACT + 3 * side + value - 1


@rule
def impact_parts(action):
    """Side and value of an action of the range ``impact``."""
    return (action - IMPACT) // 3, (action - IMPACT) % 3 + 1


@rule
def reinforce_action(direction, strength):
    """The reinforcement of the junction in this direction; strength 1 or 2."""
    return REINFORCE + 2 * direction + strength - 1


@rule
def reinforce_parts(action):
    """Direction and strength of an action of the range ``reinforce``."""
    return (action - REINFORCE) // 2, (action - REINFORCE) % 2 + 1


@rule
def organize_action(place, turn, side):
    """Organizing the card at a place of the hand, turned by so many sixths, with the stance beside the tick (0) or the cross (1)."""
    return ORGANIZE + 12 * place + 2 * turn + side


@rule
def organize_parts(action):
    """Place, turn and side of an action of the range ``organize``."""
    number = action - ORGANIZE
    return number // 12, number // 2 % 6, number % 2


@rule
def link_action(direction, hindrance, strength):
    """The link on the edge in this direction: cause (0) or hindrance (1), reinforced by 0, 1 or 2."""
    return LINK + 6 * direction + 3 * hindrance + strength


@rule
def link_parts(action):
    """Direction, hindrance and strength of an action of the range ``link``."""
    number = action - LINK
    return number // 6, number // 3 % 2, number % 3


@rule
def rival_action(offset, choice):
    """Naming the rival `offset` + 1 seats further; `choice` is an arc (0 or 1) or `PLEDGE`."""
    return RIVAL + 3 * offset + choice


@rule
def rival_parts(action):
    """Offset and choice of an action of the range ``rival``."""
    return (action - RIVAL) // 3, (action - RIVAL) % 3
