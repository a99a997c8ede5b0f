"""The 110 cards: facts from ``cards.csv``; what their events do is in ``events/``."""

from __future__ import annotations

import numpy as np

from timeline_env.twilight_struggle import board
from timeline_env.twilight_struggle.board import read_table

CARDS = 111
"""Tables indexed by card have a row 0, for no card."""
NO_CARD = 0
NEUTRAL = 2
SIDES = (*board.SEAT_NAMES, "neutral")
PERIODS = ("early", "mid", "late")
KINDS = ("scoring", "war", "persistent", "turn", "instant", "none")
SCORING, WAR, PERSISTENT, TURN, INSTANT, NONE = range(6)

_ROWS = read_table("cards.csv")
assert [int(row["number"]) for row in _ROWS] == list(range(1, CARDS)), "cards.csv must have the cards 1 to 110 in order"


def _column(values: list[int]) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    return np.array([0, *values], dtype=np.int64)


def _named_cards(key: str) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    """[card, 2]: the cards named in a column, 0 for none."""
    table = np.zeros((CARDS, 2), dtype=np.int64)
    for card, row in enumerate(_ROWS, 1):
        named = [int(part) for part in row[key].split("|") if part]
        table[card, : len(named)] = named
    return table


CARD_NAMES = ("", *(row["name"] for row in _ROWS))
OPS = _column([int(row["ops"]) for row in _ROWS])
SIDE = _column([SIDES.index(row["side"]) for row in _ROWS])
PERIOD = _column([PERIODS.index(row["period"]) for row in _ROWS])
STARRED = _column([int(row["removed_after_event"]) for row in _ROWS])
KIND = _column([KINDS.index(row["kind"]) for row in _ROWS])
SCORING_CARDS = tuple(card for card in range(1, CARDS) if KIND[card] == SCORING)
OPTIONAL = _column([int(row["optional"]) for row in _ROWS])
PREVENTED_BY = _named_cards("event_prevented_by")[:, 0].copy()
NEEDS = _named_cards("needs")

DUCK_AND_COVER, FIVE_YEAR_PLAN, CHINA, VIETNAM_REVOLTS, BLOCKADE, ARAB_ISRAELI_WAR, NASSER = 4, 5, 6, 9, 10, 13, 15
WARSAW_PACT, DE_GAULLE, OLYMPIC_GAMES, NATO, INDEPENDENT_REDS, CONTAINMENT = 16, 17, 20, 21, 22, 25
JAPAN_PACT, EAST_EUROPEAN_UNREST, RED_SCARE, UN_INTERVENTION, DE_STALINIZATION, NUCLEAR_TEST_BAN = (
    27,
    29,
    31,
    32,
    33,
    34,
)
FORMOSAN, BRUSH_WAR, SOUTHEAST_ASIA_SCORING, ARMS_RACE, CUBAN_MISSILES, NUCLEAR_SUBS = 35, 36, 38, 39, 40, 41
QUAGMIRE, SALT, BEAR_TRAP, SUMMIT, STOP_WORRYING, JUNTA, KITCHEN_DEBATES, MISSILE_ENVY = 42, 43, 44, 45, 46, 47, 48, 49
WE_WILL_BURY_YOU, BREZHNEV, WILLY_BRANDT, CULTURAL_REVOLUTION, FLOWER_POWER, U2, OPEC = 50, 51, 55, 58, 59, 60, 61
CAMP_DAVID, GRAIN_SALES, DEATH_SQUADS, NIXON, SHUTTLE_DIPLOMACY, USSURI_RIVER, ASK_NOT = 65, 67, 69, 71, 73, 76, 77
ALLIANCE_FOR_PROGRESS, ONE_SMALL_STEP, IRANIAN_HOSTAGES, REAGAN, STAR_WARS, NORTH_SEA_OIL = 78, 80, 82, 84, 85, 86
REFORMER, TERRORISM, IRAN_CONTRA, CHERNOBYL, DEBT_CRISIS, ALDRICH_AMES = 87, 92, 93, 94, 95, 98
WARGAMES, DEFECTORS, CAMBRIDGE_FIVE, SPECIAL_RELATIONSHIP, NORAD, CHE, OUR_MAN_IN_TEHRAN = (
    100,
    103,
    104,
    105,
    106,
    107,
    108,
)
YURI = 109
SIDED = (RED_SCARE, CUBAN_MISSILES, MISSILE_ENVY, DEATH_SQUADS)
"""Cards whose lasting event acts on, or for, one side: their entry in the field ``lasting`` is its seat plus 1."""

SCORING_CARD = np.array([2, 1, 3, 37, 81, 79], dtype=np.int64)
"""[region]: its scoring card."""
