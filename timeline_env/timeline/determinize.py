"""Deals again what a seat does not know: one of the worlds that agree with all it sees, every one equally likely.

What it sees: its own hand, the cards on the field, the artifacts that are kept, and how many cards and tokens lie where. That
is also what `hide` leaves. So the other hands, the deck and the cards put away are dealt from the table of cards less those
seen; and the bag from the table of tokens less the artifacts kept. A player at the table would also remember the cards they put
away themselves (R1) and the tokens that have left the game (R3); the record keeps no such memory.
"""

from __future__ import annotations

from timeline_env.engine import questions, rng
from timeline_env.engine.jit import rule
from timeline_env.timeline import board, state
from timeline_env.timeline.legal import list_legal
from timeline_env.timeline.observe import hide


@rule
def determinize(rules, s, seat, seed):
    """Hide what `seat` does not know, then deal it again from `seed` (uint64); chance continues from there."""
    hide(rules, s, seat)
    s.rng = seed
    deal_cards(rules, s, seat)
    deal_tokens(rules, s)
    # `hide` listed the legal moves as for an empty hand.
    if s.depth > 0 and questions.top(s, questions.SEAT) != seat:
        list_legal(rules, s)


@rule
def deal_cards(rules, s, seat):
    """The cards that `seat` does not see, shuffled, go to the other hands, the deck and the cards put away."""
    unseen = gather_unseen(rules, s, seat)
    rng.shuffle(s, s.deck, unseen)
    for player in range(rules.num_players):
        if player != seat:
            for place in range(s.held[player]):
                unseen -= 1
                s.hand[player, place] = s.deck[unseen]
    spread(s.deck, s.discarded, s.drawn, rules.deck_size)


@rule
def gather_unseen(rules, s, seat):
    """Put the cards that `seat` does not see at the front of the deck's table; return how many there are."""
    for i in range(rules.deck_size):
        s.deck[i] = rules.deck[i]
    count = rules.deck_size
    for place in range(s.held[seat]):
        count = take_out(s.deck, count, s.hand[seat, place])
    for node in range(board.NODES):
        count = take_out(s.deck, count, s.card[node])
    return count


@rule
def deal_tokens(rules, s):
    """Shuffle the tokens that nobody keeps, and put as many into the bag as it holds."""
    for i in range(rules.bag_size):
        s.bag[i] = rules.bag[i]
    count = rules.bag_size
    for player in range(rules.num_players):
        for kind in range(state.ARTIFACT_KINDS):
            for _ in range(s.artifact[player, kind]):
                count = take_out(s.bag, count, kind)
    rng.shuffle(s, s.bag, count)
    spread(s.bag, 0, s.bag_drawn, rules.bag_size)


@rule
def take_out(cards, count, card):
    """Drop one `card` from the first `count` entries, if it is among them; return how many are left."""
    for i in range(count):
        if cards[i] == card:
            cards[i] = cards[count - 1]
            return count - 1
    return count


@rule
def spread(cards, front, start, size):
    """Keep `front` cards at the front, move those behind them to the places from `start` to `size`, and empty what lies between."""
    # Backwards from the last one, as source and target overlap.
    for i in range(size - start - 1, -1, -1):
        cards[start + i] = cards[front + i]
    for i in range(front, start):
        cards[i] = state.NO_CARD
