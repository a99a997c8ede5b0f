"""The table of actions and nothing else: the rules' ``can_x`` and ``do_x`` say when an action is legal and what it does."""

from __future__ import annotations

from timeline_env.engine.codec import Codec

CODEC = Codec(
    ("card", (110,), "the card with this number, less one: to play, to headline, to discard, to take"),
    ("country", (84,), "the country: to place or remove influence, to coup, to realign, to make war on"),
    (
        "use",
        (3,),
        "R5.2, 7.1: of the card just chosen: its event (an opponent's first, then Ops); its Ops (an opponent's event after); space race",
    ),
    ("operation", (3,), "R6: place influence, coup, realign"),
    ("option", (6,), "an event's choice: yes or no, the first or the second, a DEFCON level less one, a region"),
    ("stop", (), "no more, or not at all"),
    ("buy_off", (3,), "40: end the Cuban Missile Crisis with 2 influence from Cuba, West Germany, Turkey"),
)

CARD = CODEC["card"].start
COUNTRY = CODEC["country"].start
USE = CODEC["use"].start
OPERATION = CODEC["operation"].start
OPTION = CODEC["option"].start
STOP = CODEC["stop"].start
BUY_OFF = CODEC["buy_off"].start

EVENT, OPERATIONS, SPACE = range(3)
"""Indices in the range ``use``."""
INFLUENCE, COUP, REALIGN = range(3)
"""Indices in the range ``operation``."""
ANY_OPERATION = 1 << INFLUENCE | 1 << COUP | 1 << REALIGN
INFLUENCE_OR_REALIGN = 1 << INFLUENCE | 1 << REALIGN
COUP_OR_REALIGN = 1 << COUP | 1 << REALIGN
COUP_ONLY = 1 << COUP
"""Sets of operations, a bit for each."""


def num_actions(num_players: int) -> int:
    """How many actions there are."""
    return CODEC.size
