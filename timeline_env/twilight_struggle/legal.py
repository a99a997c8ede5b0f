"""Collects every ``can_x`` into the record's field ``legal``."""

from __future__ import annotations

import numpy as np

from timeline_env.engine.jit import rule
from timeline_env.engine.memory import clear_run
from timeline_env.engine.questions import allow, allow_if
from timeline_env.twilight_struggle import actions, board, cards, frames, state
from timeline_env.twilight_struggle.card_play import can_play, can_use, must_score
from timeline_env.twilight_struggle.countries import passes
from timeline_env.twilight_struggle.events.picks import can_level, can_pick
from timeline_env.twilight_struggle.events.program import can_make_war
from timeline_env.twilight_struggle.frames import top
from timeline_env.twilight_struggle.hands import is_in_hand
from timeline_env.twilight_struggle.lasting import acts_on
from timeline_env.twilight_struggle.operations import (
    can_coup,
    can_operate,
    can_place,
    can_realign,
    may_stop_realigning,
    terms_of,
)
from timeline_env.twilight_struggle.turn import can_buy_off, can_discard_to_trap, can_headline


@rule
def list_legal(rules, s):
    """Write the legal actions of the question on top into ``s.legal``; return how many there are."""
    clear_run(s.legal, 0, len(s.legal))
    kind, seat = top(s, frames.KIND), top(s, frames.SEAT)
    if kind == frames.HEADLINE or kind == frames.PLAY or (kind >= frames.PICK and kind != frames.LEVEL):
        count = list_cards(s, kind, seat)
    elif kind == frames.PLACE or kind == frames.COUP or kind == frames.REALIGN:
        count = list_targets(s, kind, seat)
    elif frames.ADD <= kind <= frames.DOUBLE:
        count = list_countries(s, kind, seat)
    else:
        count = list_choices(s, kind, seat)
    if top(s, frames.OPTIONAL) or kind == frames.ESCAPE or (kind == frames.REALIGN and may_stop_realigning(s)):
        count += allow(s, actions.STOP) if count or may_end(kind) else 0
    return count + list_buy_offs(s, seat, count)


@rule
def may_end(kind):
    """True for the questions whose end does something, so that they are never simply dropped."""
    return kind == frames.PICK or kind == frames.PLAY or kind == frames.ESCAPE


@rule
def list_cards(s, kind, seat):
    """A card to headline, to play, to discard, to pick."""
    count = 0
    source = top(s, frames.VALUE)
    drawn = top(s, frames.LEFT) if kind == frames.PLAY else cards.NO_CARD
    scores = kind == frames.PLAY and must_score(s, seat)
    for card in range(1, cards.CARDS):
        if kind == frames.PICK:
            chosen = can_pick(s, seat, source, card)
        else:
            # Nearly all cards are elsewhere, so this is checked first.
            held = s.place[card] == state.HANDS + seat or card == drawn
            chosen = held and can_choose_card(s, kind, seat, card, scores)
        if chosen:
            count += allow(s, actions.CARD + card - 1)
    return count


@rule
def can_choose_card(s, kind, seat, card, scores):
    """A card of the hand, or the one drawn by 67, to play, to headline, to discard."""
    if kind == frames.PLAY:
        return can_play_now(s, seat, card, scores)
    if kind == frames.HEADLINE:
        return can_headline(s, seat, card)
    if kind == frames.TRAP:
        return can_discard_now(s, seat, card)
    return kind == frames.LEAVE_HAND and is_in_hand(s, seat, card)


@rule
def can_play_now(s, seat, card, scores):
    """Trap 5: a trapped player without a card to discard may play scoring cards only, a Missile Envy owed or not."""
    if top(s, frames.FREE):
        return cards.KIND[card] == cards.SCORING and is_in_hand(s, seat, card)
    return can_play(s, seat, card, top(s, frames.LEFT), scores)


@rule
def can_discard_now(s, seat, card):
    """Trap 5: a Missile Envy received must be the discard if it is still worth 2."""
    if (
        acts_on(s, cards.MISSILE_ENVY, seat)
        and card != cards.MISSILE_ENVY
        and can_discard_to_trap(s, seat, cards.MISSILE_ENVY)
    ):
        return False
    return can_discard_to_trap(s, seat, card)


@rule
def list_targets(s, kind, seat):
    """R6: countries for operations."""
    terms = terms_of(s)
    count = np.int8(0)  # a byte, like what is counted
    if kind == frames.PLACE:
        for c in range(board.COUNTRIES):
            count = np.int8(count + allow_if(s, actions.COUNTRY + c, can_place(s, terms, seat, c)))
    elif kind == frames.COUP:
        for c in range(board.COUNTRIES):
            count = np.int8(count + allow_if(s, actions.COUNTRY + c, can_coup(s, terms, seat, c)))
    else:
        for c in range(board.COUNTRIES):
            count = np.int8(count + allow_if(s, actions.COUNTRY + c, can_realign(s, terms, seat, c)))
    return int(count)


@rule
def list_countries(s, kind, seat):
    """Countries for an event."""
    where = top(s, frames.SET)
    count = 0
    for c in range(board.COUNTRIES):
        if board.IN_SET[where, c] and can_choose_country(s, kind, seat, c):
            count += allow(s, actions.COUNTRY + c)
    return count


@rule
def can_choose_country(s, kind, seat, c):
    """True if a country is within the question's own limits, and has what the kind of question needs."""
    side, cap = top(s, frames.SIDE), top(s, frames.CAP)
    if (cap > 0 and s.chosen[c] >= cap) or not passes(s, top(s, frames.FILTER), side, c):
        return False
    if kind == frames.ADD:
        return s.influence[side, c] < state.MOST_INFLUENCE
    if kind == frames.MATCH:
        return s.influence[1 - side, c] > s.influence[side, c]
    if kind == frames.WAR:
        return can_make_war(s, seat, top(s, frames.VALUE), c)
    return s.influence[side, c] > 0


@rule
def list_choices(s, kind, seat):
    """A use of a card, an operation, an option."""
    count = 0
    card = top(s, frames.VALUE)
    if kind == frames.USE:
        for use in range(3):
            if can_use(s, seat, card, use):
                count += allow(s, actions.USE + use)
    elif kind == frames.OPERATION:
        for operation in range(3):
            if can_operate(s, operation):
                count += allow(s, actions.OPERATION + operation)
    elif kind == frames.YES_NO:
        count = allow(s, actions.OPTION) + allow(s, actions.OPTION + 1)
    elif kind == frames.LEVEL:
        for level in range(6):
            if can_level(card, level):
                count += allow(s, actions.OPTION + level)
    return count


@rule
def list_buy_offs(s, seat, count):
    """40, trap 13: at any time, that is, whenever the marked side is asked anything."""
    more = 0
    if count > 0:
        for which in range(3):
            if can_buy_off(s, seat, which):
                more += allow(s, actions.BUY_OFF + which)
    return more
