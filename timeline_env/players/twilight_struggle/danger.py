"""Moves of Twilight Struggle that may lose the game at once: by DEFCON in one's own round (trap 12), by a coup under card 40 (trap 13).

Held scoring cards need no care here: the rules make a player play them in time (trap 27), except for what card 77 draws and
for what is kept for an eighth round that box 8 may lose.
"""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.players.twilight_struggle.card_values import DANGER
from timeline_env.twilight_struggle import actions, board, cards, frames
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.card_play import can_use, is_event_possible, must_score, rounds_left
from timeline_env.twilight_struggle.frames import top
from timeline_env.twilight_struggle.hands import is_in_hand
from timeline_env.twilight_struggle.lasting import acts_on, coup_keeps_defcon
from timeline_env.twilight_struggle.operations import can_coup, terms_of


@rule
def is_reckless(s, seat, action):
    """True if a legal action of `seat` may lose it the game before it is asked again, as far as it can know."""
    kind, source = top(s, frames.KIND), top(s, frames.VALUE)
    if action < actions.COUNTRY:
        return is_reckless_card(s, seat, kind, source, action - actions.CARD + 1)
    if action < actions.USE:
        return kind == frames.COUP and is_reckless_coup(s, seat, action - actions.COUNTRY)
    if action < actions.OPERATION:
        return is_reckless_use(s, seat, source, action - actions.USE)
    if action < actions.OPTION:
        return action == actions.OPERATION + actions.COUP and not has_safe_coup(s, seat)
    if action < actions.STOP and kind == frames.LEVEL and s.phasing == seat:
        return action == actions.OPTION and (
            source == cards.STOP_WORRYING or (source == cards.SUMMIT and s.defcon == 2)
        )
    if kind == frames.YES_NO and source == cards.OLYMPIC_GAMES:  # which another event may have fired
        return action == actions.OPTION + 1 and s.phasing == seat and s.defcon == 2
    return False


@rule
def is_reckless_card(s, seat, kind, source, card):
    """A card to headline or to play, or one that an event fires."""
    if kind == frames.HEADLINE:
        # The other headline may lower DEFCON first, or set it: no level is safe.
        return event_danger(s, seat, card) > 0
    if kind == frames.PLAY:
        return is_reckless_play(s, seat, card)
    if kind != frames.PICK:
        return False
    if source == cards.ASK_NOT:
        return s.action_round > 0 and rounds_left(s, seat) <= 1  # what is drawn might be a scoring card
    return source == cards.STAR_WARS and s.phasing == seat and event_loses(s, seat, card, s.defcon)


@rule
def event_danger(s, seat, card):
    """The highest DEFCON at which the event may lose the game for `seat`, which plays the card; 0 for none."""
    if card != cards.FIVE_YEAR_PLAN or seat == US:
        return DANGER[seat, card]
    worst = 0
    for other in range(1, cards.CARDS):
        if other != card and is_in_hand(s, USSR, other) and cards.SIDE[other] == US:
            worst = max(worst, DANGER[USSR, other])
    return worst


@rule
def event_loses(s, seat, card, defcon):
    """True if the event can happen and may lose the game for `seat` at this DEFCON."""
    return event_danger(s, seat, card) >= defcon and is_event_possible(s, seat, card)


@rule
def is_reckless_use(s, seat, card, use):
    """An event of one's own choice, or the opponent's that comes with the operations; card 77 in the place of a scoring card,
    since it may draw another."""
    if card == cards.ASK_NOT and must_score(s, seat):
        return True
    if s.phasing != seat or use == actions.SPACE:
        return False
    happens = use == actions.EVENT or (cards.SIDE[card] == 1 - seat and not top(s, frames.FREE))
    return happens and event_loses(s, seat, card, s.defcon)


@rule
def is_reckless_play(s, seat, card):
    """True if a card has no use that is safe."""
    for use in range(3):
        if can_use(s, seat, card, use) and not is_reckless_use(s, seat, card, use):
            return False
    return True


@rule
def is_reckless_coup(s, seat, c):
    """A coup under card 40, or in a battleground if DEFCON is low for it or for an event still to come."""
    if acts_on(s, cards.CUBAN_MISSILES, seat):
        return True
    if s.phasing != seat or not board.BATTLEGROUND[c] or coup_keeps_defcon(s, seat, top(s, frames.FREE)):
        return False
    for place in range(s.depth):
        if s.question[place, frames.KIND] == frames.EVENT and event_loses(
            s, s.question[place, frames.SEAT], s.question[place, frames.VALUE], s.defcon - 1
        ):
            return True
    return s.defcon <= 2


@rule
def has_safe_coup(s, seat):
    """True if a coup with the operations being spent has a target that is not reckless."""
    terms = terms_of(s)
    for c in range(board.COUNTRIES):
        if can_coup(s, terms, seat, c) and not is_reckless_coup(s, seat, c):
            return True
    return False


@rule
def holds_danger(s, seat):
    """True if a card in hand may lose the game at a low DEFCON."""
    for card in range(1, cards.CARDS):
        if is_in_hand(s, seat, card) and event_danger(s, seat, card):
            return True
    return False
