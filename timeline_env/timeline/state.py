"""The position of a game of Timeline: one record, one line a field.

All that is observed unchanged is int8, in the order of the observation (plane by plane), so that observing is copying.
Seats are absolute here; `observe` turns them so that the viewer is seat 0.
"""

from __future__ import annotations

from timeline_env.engine.record import record
from timeline_env.timeline import actions, board

MIN_PLAYERS = 2
MAX_PLAYERS = 6
SEAT_NAMES = ("yellow", "orange", "blue", "purple", "grey", "turquoise")
"""T6: the rulebook's colours in seat order."""
MOST_CARDS = 5
"""Places for deck cards in a hand."""
MOST_AU = 127
"""What the field ``au`` can hold."""
MOST_POINTS = 127
"""What the fields of points can hold, above or below zero."""
MOST_DECK = 240
MOST_BAG = 64
NO_CARD = -1
NOBODY = -1

FLEXIBLE_KINDS = 3
"""Attacking, supporting, logistic."""
ARTIFACT_KINDS = 5
"""Surge, cell, wings, amplifier, switch."""
BLANK = ARTIFACT_KINDS
"""A token of the bag that is not an artifact."""

MOST_TEMPLATES = 40
"""Rows that a table of cards may have. A deck card's number is 6 * row + seat."""
ATTACKING, SUPPORTING, LOGISTIC, ORIGINAL = range(6 * MOST_TEMPLATES, 6 * MOST_TEMPLATES + 4)
KINDS_OF_CARD = ORIGINAL + 1

NODE_PLANES = 4 + 2 * board.DIRECTIONS
"""Planes of the field that are the same for every seat: from the field ``event`` to ``reinforcement``."""
SEAT_PLANES = 4
"""Planes of the field for each seat: the fields ``organizer``, ``impact``, ``if_yes``, ``if_no``."""

# Kinds of question. The seat that is asked is next to the kind.
TURN, DISPLACED, ATTACK_TICK, ATTACK_CROSS, SUPPORT, LINKS = range(1, 7)

STATE = record(
    # chance
    ("seed", "u8", (), "the game was dealt from this seed"),
    ("rng", "u8", (), "the generator; used up by the deal (T7)"),
    # cards; the numbers are too many for a byte, and wide fields come first
    ("hand", "i2", (MAX_PLAYERS, MOST_CARDS), "deck cards, -1 from the hand's end on; hidden from the others"),
    ("deck", "i2", MOST_DECK, "cards put away [:discarded], -1, the cards to come [drawn:deck_size]; hidden"),
    ("drawn", "i2", (), "cards that have left the deck"),
    ("discarded", "i2", (), "cards that were put away from full hands (T9, R1)"),
    ("card", "i2", board.NODES, "the event in each node; -1 if there is none"),
    # the course of the game
    ("over", "i1", (), "1 when the game has ended (T25)"),
    ("phase", "i1", (), "0..4 (T4)"),
    ("lap", "i1", (), "rounds of this phase already completed"),
    ("first", "i1", (), "the seat that began this round; while nodes are realized, the one that begins the next (T8)"),
    ("turns", "i1", (), "turns of this round already completed"),
    ("realizing", "i1", (), "the node being realized; -1 outside a realization (T16–T24)"),
    (
        "question",
        "i1",
        (8, 3),
        "pending questions: kind, seat, value (of LINKS a bit for each edge reinforced without a mark)",
    ),
    ("depth", "i1", (), "how many questions are pending; the last is asked first"),
    ("fault", "i1", (), "1 if a table of this record ran over: never, as the tests show"),
    # the seat whose turn it is
    ("au", "i1", (), "action units left (T9)"),
    ("winged", "i1", (), "1 if moves cost no energy this turn (T26)"),
    # players
    ("pawn", "i1", MAX_PLAYERS, "the node of each pawn"),
    ("energy", "i1", MAX_PLAYERS, "0..39"),
    ("points", "i1", MAX_PLAYERS, "may be below zero (T22)"),
    ("gained", "i1", MAX_PLAYERS, "points won or lost since the last decision"),
    ("note", "i1", (4, MAX_PLAYERS), "points noted before the realization of phases 1..4 (T15)"),
    ("held", "i1", MAX_PLAYERS, "how many deck cards are in each hand"),
    ("flexible", "i1", (MAX_PLAYERS, FLEXIBLE_KINDS), "1 while a flexible event is in hand (T30)"),
    ("artifact", "i1", (MAX_PLAYERS, ARTIFACT_KINDS), "artifacts kept, by kind (T26)"),
    ("pledge", "i1", MAX_PLAYERS, "T28: the seat that each has pledged to name; -1 none"),
    # hidden piles
    ("bag", "i1", MOST_BAG, "-1 for drawn tokens, then the tokens to come; hidden"),
    ("bag_drawn", "i1", (), "tokens that have left the bag"),
    # the field
    ("turned", "i1", board.NODES, "T11: sixths of a turn clockwise that the card was turned by"),
    ("event", "i1", board.NODES, "1 where an event lies"),
    ("realized", "i1", board.NODES, "1 where a realization token or the empty-node token lies"),
    ("outcome", "i1", board.NODES, "1 the event occurred, -1 it did not, 0 undecided or empty"),
    ("stance", "i1", board.NODES, "T12: 1 the token lies beside the tick, -1 beside the cross, 0 none"),
    ("mark", "i1", (board.DIRECTIONS, board.NODES), "on the node's own card: 1 cause, -1 hindrance, 0 none"),
    (
        "reinforcement",
        "i1",
        (board.DIRECTIONS, board.NODES),
        "0 to 4 on the junction, all its tokens together; written on both of its sides",
    ),
    # the field, for each seat
    ("organizer", "i1", (MAX_PLAYERS, board.NODES), "1 where the stance token is this seat's"),
    (
        "impact",
        "i1",
        (MAX_PLAYERS, board.NODES),
        "T20: this seat's impact, above 0 beside the tick, below beside the cross",
    ),
    ("if_yes", "i1", (MAX_PLAYERS, board.NODES), "T22: points for this seat if the event occurs"),
    ("if_no", "i1", (MAX_PLAYERS, board.NODES), "T22: points for this seat if it does not occur"),
    # what may be done now
    ("legal", "i1", actions.CODEC.size, "1 for each legal action of the question on top"),
    overlays={
        "everything": None,
        "node_planes": ("event", NODE_PLANES * board.NODES),
        "seat_planes": ("organizer", SEAT_PLANES * MAX_PLAYERS * board.NODES),
    },
)
