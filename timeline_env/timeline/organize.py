"""T10–T14: organizing an event."""

from __future__ import annotations

from timeline_env.engine import questions
from timeline_env.engine.jit import rule
from timeline_env.timeline import board, numbers, state
from timeline_env.timeline.artifacts import draw_artifact
from timeline_env.timeline.flexible import has_edge_for_first_link
from timeline_env.timeline.turn import can_pay, charge, is_last_round_of_phase, take_from_hand


@rule
def card_at(s, seat, place):
    """The card at a place of the hand: deck cards at 0–4, flexible events at 5–7; -1 if there is none."""
    if place < state.MOST_CARDS:
        return s.hand[seat, place]
    return state.ATTACKING + place - state.MOST_CARDS if s.flexible[seat, place - state.MOST_CARDS] else state.NO_CARD


@rule
def can_organize_here(s, seat):
    """T10: 2 AU and 13 energy, and no event lies in the pawn's node."""
    return can_pay(s, seat, numbers.ORGANIZE_AU, numbers.ORGANIZE_ENERGY) and s.event[s.pawn[seat]] == 0


@rule
def turns_allowed(rules, s, seat, place):
    """T11, T13, T29: how the card at this place of the hand may be turned in the pawn's node, one bit a turn; 0: not at all."""
    card = card_at(s, seat, place)
    if card == state.NO_CARD:
        return 0
    node = s.pawn[seat]
    if rules.linked[card] and board.RADIUS[node] == s.phase and is_last_round_of_phase(rules, s):
        return 0
    if card == state.LOGISTIC and not has_edge_for_first_link(s, node):
        return 0
    return rules.turns[card, node]


@rule
def do_organize(rules, s, seat, place, turn, side):
    """T10–T12, T14: pay, lay the card, lay the stance, draw an artifact; a flexible event then asks its questions (T27–T29)."""
    charge(s, seat, numbers.ORGANIZE_AU, numbers.ORGANIZE_ENERGY)
    if place < state.MOST_CARDS:
        card = take_from_hand(s, seat, place)
    else:
        card = state.ATTACKING + place - state.MOST_CARDS
        s.flexible[seat, place - state.MOST_CARDS] = 0
    lay_event(rules, s, seat, card, s.pawn[seat], turn, side)
    if rules.gives_artifact[card]:
        draw_artifact(rules, s, seat)
    if card == state.ATTACKING:
        questions.push(s, state.ATTACK_TICK, seat, 0)
    elif card == state.SUPPORTING:
        questions.push(s, state.SUPPORT, seat, 0)
    elif card == state.LOGISTIC:
        questions.push(s, state.LINKS, seat, 0)


@rule
def lay_event(rules, s, seat, card, node, turn, side):
    """T11, T12: the card, turned clockwise, and the organizer's token beside the tick (side 0) or the cross (side 1)."""
    s.card[node] = card
    s.event[node] = 1
    turn_card(rules, s, node, turn)
    for player in range(rules.num_players):
        s.if_yes[player, node] = rules.if_yes[card, player]
        s.if_no[player, node] = rules.if_no[card, player]
    s.stance[node] = 1 - 2 * side
    s.organizer[seat, node] = 1


@rule
def turn_card(rules, s, node, turn):
    """T11: the card that lies in the node, turned clockwise by so many sixths."""
    s.turned[node] = turn
    for edge in range(board.DIRECTIONS):
        s.mark[(edge + turn) % board.DIRECTIONS, node] = rules.mark[s.card[node], edge]
