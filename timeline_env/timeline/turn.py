"""T4, T8, T9: turns, rounds and phases."""

from __future__ import annotations

from timeline_env.engine import questions
from timeline_env.engine.jit import rule
from timeline_env.timeline import state


@rule
def seat_after(rules, seat, steps):
    """The seat that many places (fewer than there are players) further round the table."""
    # Computing the remainder by division would take many times as long.
    further = seat + steps
    return further - rules.num_players if further >= rules.num_players else further


@rule
def begin_turn(rules, s, seat):
    """T9, T28: income, action units, a card; a pledge has ended; then the player is asked."""
    s.energy[seat] = min(s.energy[seat] + rules.income, rules.most_energy)
    s.au = rules.action_units
    s.winged = 0
    s.pledge[seat] = state.NOBODY
    draw_card(rules, s, seat)
    questions.push(s, state.TURN, seat, 0)


@rule
def draw_card(rules, s, seat):
    """T9, R1: the deck's next card goes to the end of the hand; if the hand is full, its oldest card is put away first. Nothing
    happens when the deck is empty."""
    if s.drawn < rules.deck_size:
        if s.held[seat] == rules.most_cards:
            put_away(s, take_from_hand(s, seat, 0))
        s.hand[seat, s.held[seat]] = s.deck[s.drawn]
        s.held[seat] += 1
        s.deck[s.drawn] = state.NO_CARD
        s.drawn += 1


@rule
def put_away(s, card):
    """R1: the card leaves the game face down."""
    # At least as many cards have been drawn as put away, so the front of the deck's table is free for them.
    s.deck[s.discarded] = card
    s.discarded += 1


@rule
def take_from_hand(s, seat, place):
    """Take the card at `place` out of the hand and return it; the later ones move up."""
    card = s.hand[seat, place]
    for later in range(place, s.held[seat] - 1):
        s.hand[seat, later] = s.hand[seat, later + 1]
    s.held[seat] -= 1
    s.hand[seat, s.held[seat]] = state.NO_CARD
    return card


@rule
def charge(s, seat, au, energy):
    """T9: pay for an action."""
    s.au -= au
    s.energy[seat] -= energy


@rule
def can_pay(s, seat, au, energy):
    """T9: whether action units and energy suffice."""
    return s.au >= au and s.energy[seat] >= energy


@rule
def do_pass(s):
    """T9: the turn ends."""
    questions.pop(s)
    s.au = 0
    s.winged = 0
    s.turns += 1


@rule
def is_last_round_of_phase(rules, s):
    """T4, T13, R8: whether nodes are realized when the current round ends."""
    return s.lap == rules.rounds[s.phase] - 1


@rule
def end_round(rules, s):
    """T8: everybody has had a turn; the first player's place moves on by one seat."""
    s.turns = 0
    s.lap += 1
    s.first = seat_after(rules, s.first, 1)
