"""The position of a game of Twilight Struggle: one record, one line a field. Seat 0 is the USSR, seat 1 the US."""

from __future__ import annotations

from timeline_env.engine.record import record
from timeline_env.twilight_struggle import actions, board, cards, frames

# Places of a card: BOX before its period, TABLE while it is played, IN_FRONT of a player while it lasts (7.3.1, 73),
# LOOKED_AT by the US (108). The hands and the headlines come in pairs, in the order of the seats.
BOX, DRAW_PILE, DISCARDS, REMOVED, TABLE, IN_FRONT, HEADLINES, HANDS, LOOKED_AT = 0, 1, 2, 3, 4, 5, 6, 8, 10
PLACES = 11

# Stages of the game: what comes next when the stack is empty.
(
    SET_UP_USSR,
    SET_UP_US,
    SET_UP_BONUS,
    BEGIN_TURN,
    CHOOSE_HEADLINES,
    FIRST_HEADLINE,
    SECOND_HEADLINE,
    BEGIN_ROUND,
    END_ROUND,
    END_TURN,
    NEXT_TURN,
) = range(11)
STAGE_NAMES = (
    "set-up.ussr",
    "set-up.us",
    "set-up.bonus",
    "begin-turn",
    "choose-headlines",
    "first-headline",
    "second-headline",
    "begin-round",
    "end-round",
    "end-turn",
    "next-turn",
)

# How a game ended.
(NOT_ENDED, BY_VP, BY_DEFCON, BY_EUROPE, BY_HELD_SCORING, BY_MISSILES, BY_WARGAMES, BY_FINAL_SCORING) = range(8)
ENDING_NAMES = (
    "not ended",
    "20 victory points",
    "DEFCON 1",
    "control of Europe",
    "a scoring card held",
    "a coup in the Cuban Missile Crisis",
    "Wargames",
    "final scoring",
)
MOST_INFLUENCE = 99
"""Of one side in one country: far more than any game sees, and what an int8 can hold."""
MOST_DICE = 12
UNKNOWN = -1
"""A headline that `hide` has wiped out."""

STATE = record(
    # chance
    ("seed", "u8", (), "the game was dealt from this seed"),
    ("rng", "u8", (), "the generator of dice and draws"),
    # the course of the game
    ("over", "i1", (), "1 when the game has ended"),
    ("winner", "i1", (), "the seat that won; -1 for none, or a draw"),
    ("ending", "i1", (), "how the game ended: one of ENDING_NAMES"),
    ("stage", "i1", (), "what comes next when nothing is pending: one of STAGE_NAMES"),
    ("turn", "i1", (), "1..10"),
    ("action_round", "i1", (), "1..8; 0 in set-up and headline phase"),
    ("phasing", "i1", (), "the seat whose headline or action round it is"),
    ("question", "i1", (frames.DEPTH, frames.COLUMNS), "what is pending, see `frames`"),
    ("depth", "i1", (), "how many frames are pending; the last is dealt with first"),
    ("fault", "i1", (), "1 if a table of this record ran over: never, as the tests show"),
    ("chosen", "i1", board.COUNTRIES, "how often each country was chosen in the question on top"),
    ("tally", "i1", (), "choices made in the question about countries asked last"),
    ("dice", "i1", MOST_DICE, "what was rolled since the last decision, in order"),
    ("rolled", "i1", (), "how many dice were rolled since the last decision"),
    # tracks
    ("vp", "i1", (), "victory points: above 0 the US leads, below 0 the USSR"),
    ("gained", "i1", (), "change of `vp` since the last decision"),
    ("defcon", "i1", (), "1..5"),
    ("fell", "i1", (), "1 if DEFCON moved to 2 in this action round (106)"),
    ("milops", "i1", 2, "0..5"),
    ("space", "i1", 2, "box reached in the space race, 0..8"),
    ("attempts", "i1", 2, "space race attempts this turn"),
    ("extra_round", "i1", 2, "1 if the seat may play an eighth action round this turn by event (86)"),
    # the map
    ("influence", "i1", (2, board.COUNTRIES), "0..99"),
    (
        "reach",
        "i1",
        (2, board.COUNTRIES),
        "1 where the seat's Ops may place influence, as at the start of the action round",
    ),
    # cards
    ("china", "i1", (), "the seat that has the China Card"),
    ("china_up", "i1", (), "1 if it lies face up: it may be played"),
    (
        "place",
        "i1",
        cards.CARDS,
        "where each card is, a place as above; hidden: draw pile and the opponent's hand and headline",
    ),
    ("held", "i1", 2, "cards in each hand, the China Card not counted"),
    (
        "known",
        "i1",
        (2, cards.CARDS),
        "1 where the seat knows that the card is in the other's hand, or is its headline, not shown yet",
    ),
    (
        "headline",
        "i1",
        2,
        "the card each seat headlines, 0 for none, UNKNOWN after `hide`; secret until both have chosen",
    ),
    ("open_headline", "i1", 2, "1 if that headline has been shown"),
    ("card", "i1", (), "the card being played in this action round; 0 for none"),
    ("lasting", "i1", cards.CARDS, "7.3: events in effect: 1, or the seat or region they act on plus 1"),
    # what may be done now
    ("legal", "i1", actions.CODEC.size, "1 for each legal action of the question on top"),
    overlays={"everything": None},
)
