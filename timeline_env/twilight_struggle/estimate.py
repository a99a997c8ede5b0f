"""Who is ahead: the odds of each side, by weights that were fitted to the ends of many games.

The logarithm of the odds that the US wins is a weighted sum of `features`. The weights are in ``estimate.csv`` and come from
``tools/fit_estimate.py``: a logistic regression.
"""

from __future__ import annotations

import numpy as np

from timeline_env.engine.jit import rule
from timeline_env.engine.memory import stack_zeros
from timeline_env.engine.ranks import value_of_odds
from timeline_env.reading import read_weights
from timeline_env.twilight_struggle import board, cards, state
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.countries import lead
from timeline_env.twilight_struggle.hands import is_in_hand
from timeline_env.twilight_struggle.scoring import count_held, worth_now

TRACKS = ("even", "turn", "vp", "vp by turn", "operations", "military operations", "space", "china", "next")
WHERE = ("ussr", "us", "draw", "box", "gone")
"""Where a scoring card is: in a side's hand, to be drawn, of a period to come, or played."""
OF_REGION = (*(f"points, card {where}" for where in WHERE), "points by turn")
OF_COUNTRY = ("control", "lead", "presence", "spare")
OF_CARD = ("us hand", "ussr hand", "in effect")
NAMES = (
    *((feature, "") for feature in TRACKS),
    *((feature, region) for region in board.REGION_NAMES for feature in OF_REGION),
    *((feature, country) for country in board.COUNTRY_NAMES for feature in OF_COUNTRY),
    *((feature, str(card)) for card in range(1, cards.CARDS) for feature in OF_CARD),
)
"""For every feature: what it is, and of which region, country or card."""
FEATURES = len(NAMES)
REGIONS_AT = len(TRACKS)
COUNTRIES_AT = REGIONS_AT + len(board.REGION_NAMES) * len(OF_REGION)
CARDS_AT = COUNTRIES_AT + board.COUNTRIES * len(OF_COUNTRY)
"""Where the features of regions, countries and cards begin."""
EVEN, TURN, VP, VP_BY_TURN, OPERATIONS, MILITARY, SPACE, CHINA_CARD, NEXT = range(len(TRACKS))
IN_DRAW_PILE, IN_BOX, GONE = (WHERE.index(where) for where in ("draw", "box", "gone"))
"""Places in `WHERE`; before them come the hands in the order of the seats."""
ON_A_SIDE = np.isin(np.arange(cards.CARDS), cards.SIDED)
"""[card]: whether its event, while in effect, acts on one side."""
MOST_SPARE = 2
"""The most influence beyond control that counts."""


_FILE = board.DATA / "estimate.csv"
WEIGHTS = read_weights(_FILE, str(_FILE), ("feature", "of"), NAMES)
"""[feature]: what one more of it adds to the logarithm of the odds that the US wins."""


@rule
def estimate(rules, s, values):
    """How surely each side wins, float64 [2], -1 to 1: near 2 p - 1, where p is the fitted chance."""
    x = stack_zeros(FEATURES)
    features(s, x)
    logit = 0.0
    for i in range(FEATURES):
        logit += WEIGHTS[i] * x[i]
    values[US] = value_of_odds(logit)
    values[USSR] = -values[US]


@rule
def features(s, x):
    """Write into `x` (float64 [FEATURES], zeros) what in a position speaks for the US, less what speaks for the USSR."""
    x[EVEN] = 1.0
    x[TURN] = s.turn
    x[VP] = s.vp
    x[VP_BY_TURN] = s.vp * s.turn
    x[MILITARY] = min(s.milops[US], s.defcon) - min(s.milops[USSR], s.defcon)
    x[SPACE] = s.space[US] - s.space[USSR]
    x[CHINA_CARD] = 1 if s.china == US else -1
    x[NEXT] = 0 if s.action_round == 0 else 1 if s.phasing == US else -1
    held = count_held(s)
    for region in range(len(cards.SCORING_CARD)):
        region_features(s, held, region, x, REGIONS_AT + region * len(OF_REGION))
    for c in range(board.COUNTRIES):
        country_features(s, c, x, COUNTRIES_AT + c * len(OF_COUNTRY))
    for card in range(1, cards.CARDS):
        card_features(s, card, x, CARDS_AT + (card - 1) * len(OF_CARD))


@rule
def region_features(s, held, region, x, at):
    """What the region would score now, by where its scoring card is. Control of Europe is worth all the points there are."""
    _ussr_has, _us_has, points = worth_now(s, held, region, False)
    place = s.place[cards.SCORING_CARD[region]]
    where = GONE
    if state.HANDS <= place < state.HANDS + 2:
        where = place - state.HANDS
    elif place == state.DRAW_PILE:
        where = IN_DRAW_PILE
    elif place == state.BOX:
        where = IN_BOX
    x[at + where] = points
    x[at + len(WHERE)] = points * s.turn


@rule
def country_features(s, c, x, at):
    """Control; the lead as a share of the stability, 1 at most; who is there; and what is there beyond control."""
    ahead, need = lead(s, US, c), board.STABILITY[c]
    x[at + 1] = max(-1.0, min(1.0, ahead / need))
    x[at + 2] = (s.influence[US, c] > 0) * 1 - (s.influence[USSR, c] > 0) * 1
    if abs(ahead) >= need:
        sign = 1 if ahead > 0 else -1
        x[at] = sign
        x[at + 3] = sign * min(MOST_SPARE, abs(ahead) - need)


@rule
def card_features(s, card, x, at):
    """Whether a side holds it, with its Ops among those in hand; whether it is in effect, and on which side if it is on one."""
    if is_in_hand(s, US, card):
        x[at] = 1.0
        x[OPERATIONS] += cards.OPS[card]
    elif is_in_hand(s, USSR, card):
        x[at + 1] = 1.0
        x[OPERATIONS] -= cards.OPS[card]
    if s.lasting[card]:
        x[at + 2] = -1.0 if ON_A_SIDE[card] and s.lasting[card] == USSR + 1 else 1.0
