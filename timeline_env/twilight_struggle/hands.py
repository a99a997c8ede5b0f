"""Where the cards are: every move of a card is a call of `put`. R4: drawing and reshuffling."""

from __future__ import annotations

from timeline_env.engine import rng
from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import cards, state
from timeline_env.twilight_struggle.board import US, USSR


@rule
def count_card(s, place, change):
    """Keep ``held`` right: how many cards are in each hand."""
    if state.HANDS <= place < state.HANDS + 2:
        s.held[place - state.HANDS] += change


@rule
def put(s, card, place):
    """A card goes to a place. What was known of it in a hand is forgotten. Missile Envy is owed until it leaves the hands:
    67 may draw it and give it back."""
    if card != cards.CHINA:
        count_card(s, s.place[card], -1)
        count_card(s, place, 1)
    s.place[card] = place
    s.known[USSR, card] = 0
    s.known[US, card] = 0
    if card == cards.MISSILE_ENVY and not state.HANDS <= place < state.HANDS + 2:
        s.lasting[cards.MISSILE_ENVY] = 0


@rule
def is_in_hand(s, seat, card):
    """True if the seat holds the card. The China Card is not part of a hand."""
    return s.place[card] == state.HANDS + seat and card != cards.CHINA


@rule
def cards_in(s, place):
    """How many cards lie in a place, the China Card not counted."""
    count = 0
    for card in range(1, cards.CARDS):
        if s.place[card] == place and card != cards.CHINA:
            count += 1
    return count


@rule
def scoring_cards(s, seat):
    """How many scoring cards the seat holds."""
    count = 0
    for card in cards.SCORING_CARDS:
        if s.place[card] == state.HANDS + seat:
            count += 1
    return count


@rule
def random_card(s, place):
    """A card of a place, every one equally likely, the China Card left out; 0 if there is none."""
    count = cards_in(s, place)
    if count == 0:
        return cards.NO_CARD
    skip = rng.draw(s, count)
    card = 1
    while s.place[card] != place or card == cards.CHINA or skip > 0:
        if s.place[card] == place and card != cards.CHINA:
            skip -= 1
        card += 1
    return card


@rule
def reshuffle(s):
    """R4.3: the discards are the new draw pile. The pile is a set: its order is drawn card by card."""
    for card in range(1, cards.CARDS):
        if s.place[card] == state.DISCARDS:
            put(s, card, state.DRAW_PILE)


@rule
def draw(s, seat):
    """The next card of the draw pile goes to a hand; while the US's lies open (98, trap 28), the USSR sees the card."""
    card = draw_to(s, state.HANDS + seat)
    if card != cards.NO_CARD and seat == US and s.lasting[cards.ALDRICH_AMES]:
        s.known[USSR, card] = 1


@rule
def show_hand(s, seat):
    """Trap 28: the other side sees the whole hand of `seat`, once."""
    for card in range(1, cards.CARDS):
        if is_in_hand(s, seat, card):
            s.known[1 - seat, card] = 1


@rule
def pass_china(s, to, up):
    """The China Card goes to a side, face up or face down."""
    put(s, cards.CHINA, state.HANDS + to)
    s.china = to
    s.china_up = up


@rule
def draw_to(s, place):
    """R4.3: the next card of the draw pile goes to a place; the discards are shuffled in as soon as the pile is empty.

    Return the card, 0 if none is left.
    """
    card = random_card(s, state.DRAW_PILE)
    if card == cards.NO_CARD:
        reshuffle(s)
        card = random_card(s, state.DRAW_PILE)
    if card != cards.NO_CARD:
        put(s, card, place)
    if cards_in(s, state.DRAW_PILE) == 0:
        reshuffle(s)
    return card


@rule
def show_scoring_cards(s, seat):
    """The other side sees the scoring cards of `seat`."""
    for card in cards.SCORING_CARDS:
        if is_in_hand(s, seat, card):
            s.known[1 - seat, card] = 1
