"""Deals what a seat does not know anew: the opponent's hand and headline out of all the cards it does not see.

The draw pile is a set, so chance to come is in the generator alone. What the seat might conclude from the opponent's play is not
taken into account; what it was shown (the field ``known``) is.
"""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle.cards import CARDS, NO_CARD, UN_INTERVENTION
from timeline_env.twilight_struggle.hands import in_hand, random_card
from timeline_env.twilight_struggle.observe import hide
from timeline_env.twilight_struggle.state import DRAW_PILE, HANDS, HEADLINES


@rule
def determinize(rules, s, seat, seed):
    """Hide what `seat`, whose decision it is, does not know, then deal it anew from `seed` (uint64); chance goes on from there."""
    hide(rules, s, seat)
    s.rng = seed
    other = 1 - seat
    if s.headline[other] != NO_CARD and not s.open_headline[other]:
        deal_headline(s, other)
    missing = s.held[other]
    for card in range(1, CARDS):
        if in_hand(s, other, card):
            missing -= 1
    for _ in range(missing):
        s.place[random_card(s, DRAW_PILE)] = HANDS + other


@rule
def deal_headline(s, other):
    """R4.5: any card that may be headlined lies there."""
    card = random_card(s, DRAW_PILE)
    while card == UN_INTERVENTION:
        card = random_card(s, DRAW_PILE)
    s.place[card] = HEADLINES + other
    s.headline[other] = card
