"""Deals again what a seat does not know: the opponent's hand and headline out of all the cards it does not see.

The draw pile is a set, so all future chance lies in the generator. What the seat was shown (the field ``known``, and scoring cards
by 104) is taken into account. What it might conclude from the opponent's play is not, nor that a side that has had its last action
round of a turn holds no scoring card any more.
"""

from __future__ import annotations

from timeline_env.engine import rng
from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import cards, frames, state
from timeline_env.twilight_struggle.events.special import see_ending
from timeline_env.twilight_struggle.frames import top
from timeline_env.twilight_struggle.hands import cards_in
from timeline_env.twilight_struggle.observe import ending_is_secret, hide
from timeline_env.twilight_struggle.play import settle
from timeline_env.twilight_struggle.turn import can_headline


@rule
def determinize(rules, s, seat, seed):
    """Hide what `seat` does not know, then deal it again from `seed` (uint64); chance continues from there. If the other side is to
    decide, it has the choices of its new hand; where it has none, the game goes on to the next."""
    hide(rules, s, seat)
    s.rng = seed
    other = 1 - seat
    if s.headline[other] != cards.NO_CARD and not s.open_headline[other]:
        s.headline[other] = deal_headline(s, other)
    for _ in range(s.held[other] - cards_in(s, state.HANDS + other)):
        deal_to(s, state.HANDS + other)
    if s.depth > 0 and top(s, frames.SEAT) != seat:
        if ending_is_secret(s, s.depth - 1, seat):
            see_ending(s)
        settle(rules, s)


@rule
def deal_headline(s, seat):
    """R4.5: a headline that was not shown is any card of those that the hand had, known ones too, so that every world is equally
    likely; return the card, 0 if there is none."""
    place = state.HEADLINES + seat
    candidates = count_fitting(s, place, True)
    if candidates:
        # With u cards of the hand unknown, out of n unseen of which e may be the headline, there are C(n, u) worlds for each
        # known headline, and e C(n - 1, u - 1) = e u / n C(n, u) for all unknown ones together.
        each = max(count_fitting(s, state.HANDS + seat, False), 1)
        unknown = (s.held[seat] + 1 - cards_in(s, state.HANDS + seat)) * count_fitting(s, place, False)
        skip = rng.draw(s, candidates * each + unknown) // each
        if skip < candidates:
            return lay_fitting(s, place, True, skip)
    return deal_to(s, place)


@rule
def deal_to(s, place):
    """Deal to a hand, or as a headline, a card that nobody sees and that may lie there, every one equally likely; return the card,
    0 if there is none."""
    count = count_fitting(s, place, False)
    if count == 0:
        return cards.NO_CARD
    return lay_fitting(s, place, False, rng.draw(s, count))


@rule
def lay_fitting(s, place, named, skip):
    """Skip so many of the cards that `fits` finds, and lay the next one in a place; return the card."""
    card = 1
    while not fits(s, card, place, named) or skip > 0:
        skip -= fits(s, card, place, named)
        card += 1
    s.place[card] = place
    return card


@rule
def count_fitting(s, place, named):
    """How many cards `fits` finds."""
    count = 0
    for card in range(1, cards.CARDS):
        count += fits(s, card, place, named)
    return count


@rule
def fits(s, card, place, named):
    """True if a card may lie in a hand or as a headline: one that nobody sees, or with `named` one of the hand that may be its headline."""
    if named:
        return can_headline(s, place - state.HEADLINES, card)
    return may_lie(s, card, place)


@rule
def may_lie(s, card, place):
    """True if a card of the draw pile may lie in a hand or as a headline (R4.5: not 32), for all that has been seen: 104 has
    just shown all scoring cards of the hand."""
    if s.place[card] != state.DRAW_PILE:
        return False
    if place < state.HANDS:
        return card != cards.UN_INTERVENTION
    return not (
        cards.KIND[card] == cards.SCORING
        and top(s, frames.KIND) == frames.ADD
        and top(s, frames.VALUE) == cards.CAMBRIDGE_FIVE
    )
