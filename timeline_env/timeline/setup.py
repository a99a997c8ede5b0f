"""T5–T7: setting the game up."""

from __future__ import annotations

from timeline_env.engine import rng
from timeline_env.engine.jit import rule
from timeline_env.timeline import board, state
from timeline_env.timeline.turn import begin_turn, draw_card


@rule
def set_up(rules, s, seed):
    """T5–T7: the whole set-up from a seed, up to the first player's turn. All chance of the game is used here (T7)."""
    clear(s)
    s.seed = seed
    s.rng = seed
    shuffle_deck_and_bag(rules, s)
    lay_original_event(rules, s)
    for seat in range(rules.num_players):
        equip(rules, s, seat)
    begin_turn(rules, s, 0)


@rule
def clear(s):
    """Set every field of the record as before any game: to 0, or to -1 where 0 would be a node, a card or a seat."""
    s.everything[:] = 0
    s.realizing = -1
    s.hand[:, :] = state.NO_CARD
    s.deck[:] = state.NO_CARD
    s.bag[:] = state.NO_CARD
    s.card[:] = state.NO_CARD
    s.pledge[:] = state.NOBODY


@rule
def shuffle_deck_and_bag(rules, s):
    """T7: deck and bag are shuffled once, here."""
    for i in range(state.MOST_DECK):
        s.deck[i] = rules.deck[i] if i < rules.deck_size else state.NO_CARD
    for i in range(state.MOST_BAG):
        s.bag[i] = rules.bag[i] if i < rules.bag_size else state.NO_CARD
    rng.shuffle(s, s.deck, rules.deck_size)
    rng.shuffle(s, s.bag, rules.bag_size)


@rule
def lay_original_event(rules, s):
    """T5: the original event lies in the centre without an organizer; the side of the neutral stance token is drawn."""
    s.card[0] = state.ORIGINAL
    s.event[0] = 1
    for direction in range(board.DIRECTIONS):
        s.mark[direction, 0] = rules.mark[state.ORIGINAL, direction]
    s.stance[0] = 1 - 2 * rng.draw(s, 2)


@rule
def equip(rules, s, seat):
    """T6: the pawn in the centre, energy, cards, one of each flexible event; two players have the logistic one alone."""
    s.energy[seat] = rules.start_energy
    for _ in range(rules.start_cards):
        draw_card(rules, s, seat)
    for kind in range(state.FLEXIBLE_KINDS):
        s.flexible[seat, kind] = rules.num_players > 2 or state.ATTACKING + kind == state.LOGISTIC
