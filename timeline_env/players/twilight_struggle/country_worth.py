"""What the map is worth, by rules of thumb in victory points: for the scripted player.

A country is worth more with control, and more where battlegrounds are; a region counts by what it would score now and by
where its scoring card is.
"""

from __future__ import annotations

import numpy as np

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import board, cards, scoring, state
from timeline_env.twilight_struggle.board import US
from timeline_env.twilight_struggle.countries import lead
from timeline_env.twilight_struggle.scoring import count_held, standings_in

IMPORTANCE = np.array([1.2, 1.1, 1.0, 0.7, 0.8, 0.7])
"""[region]: what its countries are worth compared with each other."""
WORTH = (
    np.where(board.BATTLEGROUND == 1, 1.6, 0.35) * IMPORTANCE[board.REGION] + 0.4 * board.IN_SET[board.SOUTHEAST_ASIA]
)
"""[country]: what its control is worth, apart from what the region scores."""
HELD, ON_THE_WAY, SPARE = 0.7, 0.3, 0.08
"""Of a country's worth: with control; for the lead, up to the stability; for each of two points of lead more."""
ACCESS = 0.08 * np.array([sum(board.BATTLEGROUND[n] for n in row if n >= 0) for row in board.NEIGHBOURS])
"""[country]: what influence there is worth for the battlegrounds next to it."""
HELD_CARD, UNSEEN_CARD, DISCARDED_CARD, LATER_CARD, EACH_TURN = 1.0, 0.6, 0.4, 0.35, 0.03
"""How much of a region's points counts, by where its scoring card is, and more each turn, as the final scoring approaches."""
CONTROL_OF_EUROPE = 15.0


@rule
def country_worth(s, seat, c):
    """What the influence in a country is worth to `seat`, the other side's counted against it."""
    ahead, need = lead(s, seat, c), board.STABILITY[c]
    share = max(-1.0, min(1.0, ahead / need))
    value = ON_THE_WAY * share
    if abs(ahead) >= need:
        value += HELD * share + SPARE * share * min(2, abs(ahead) - need)
    access = (s.influence[seat, c] > 0) * 1 - (s.influence[1 - seat, c] > 0) * 1
    return WORTH[c] * value + ACCESS[c] * access


@rule
def urgency(s, region):
    """How much of a region's points counts, by where its scoring card is; a card that the seat does not know of is unseen."""
    place = s.place[cards.SCORING_CARD[region]]
    value = UNSEEN_CARD
    if state.HANDS <= place < state.HANDS + 2:
        value = HELD_CARD
    elif place == state.BOX:
        value = LATER_CARD
    elif place == state.DISCARDS:
        value = DISCARDED_CARD
    return value + EACH_TURN * s.turn


@rule
def region_points(s, seat, region):
    """What `seat` would gain if the region were scored now."""
    ussr_has, us_has, points = standings_in(s, count_held(s), region, False)
    value = 1.0 * points
    if region == board.EUROPE:
        value += CONTROL_OF_EUROPE * ((us_has == scoring.CONTROL) * 1 - (ussr_has == scoring.CONTROL) * 1)
    return value if seat == US else -value
