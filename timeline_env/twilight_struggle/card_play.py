"""R5.2, 7.1, 7.5: what a card may be used for and what that sets going; when an event can happen; where the card goes."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import actions, board, cards, frames, numbers, state
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.countries import controlled_battlegrounds, count_controlled
from timeline_env.twilight_struggle.frames import ask_operation, pop, push, top
from timeline_env.twilight_struggle.hands import is_in_hand, pass_china, put, scoring_cards
from timeline_env.twilight_struggle.lasting import acts_on, ops_of
from timeline_env.twilight_struggle.space import can_space, do_space
from timeline_env.twilight_struggle.tracks import award

ARMED = 2
"""50 in the US's action round: the points fall due unless UN Intervention is played."""


@rule
def is_event_possible(s, seat, card):
    """7.5, trap 17: no other event forbids this one and what it needs is there. `seat` plays the card."""
    if cards.PREVENTED_BY[card] and s.lasting[cards.PREVENTED_BY[card]]:
        return False
    if (
        cards.NEEDS[card, 0]
        and not s.lasting[cards.NEEDS[card, 0]]
        and not (cards.NEEDS[card, 1] and s.lasting[cards.NEEDS[card, 1]])
    ):
        return False
    if card == cards.UN_INTERVENTION:
        return has_companion(s, seat)
    if card == cards.KITCHEN_DEBATES:
        return controlled_battlegrounds(s, US) > controlled_battlegrounds(s, USSR)
    if card == cards.STAR_WARS:
        return s.space[US] > s.space[USSR]
    if card == cards.ONE_SMALL_STEP:
        return s.space[seat] < s.space[1 - seat]
    if card == cards.WARGAMES:
        return s.defcon == 2
    if card == cards.CAMBRIDGE_FIVE:
        return s.turn < numbers.LATE_WAR
    if card == cards.OUR_MAN_IN_TEHRAN:
        return count_controlled(s, US, board.MIDDLE_EAST) > 0
    return cards.KIND[card] != cards.NONE


@rule
def can_accompany(s, seat, card):
    """32, trap 7: an opponent's card in hand, no scoring card."""
    return is_in_hand(s, seat, card) and cards.SIDE[card] == 1 - seat


@rule
def has_companion(s, seat):
    """32, trap 7: there is a card to play with it, and the card itself is in hand, not fired by another event; never in the headline."""
    if s.place[cards.UN_INTERVENTION] != state.HANDS + seat or s.action_round == 0:
        return False
    for card in range(1, cards.CARDS):
        if can_accompany(s, seat, card):
            return True
    return False


@rule
def rounds_left(s, seat):
    """Trap 27: action rounds that the seat still has this turn, the one under way included."""
    last = 8 if has_extra_round(s, seat) else numbers.ROUNDS[s.turn]
    return last - s.action_round + 1


@rule
def has_extra_round(s, seat):
    """R6.4.4, trap 30: an eighth action round by box 8 or by 86."""
    return s.extra_round[seat] != 0 or (s.space[seat] == 8 and s.space[1 - seat] < 8)


@rule
def must_score(s, seat):
    """Trap 27: in the seat's own round, as many scoring cards are held as action rounds are left, this one included."""
    held = scoring_cards(s, seat)
    return s.phasing == seat and held > 0 and held >= rounds_left(s, seat)


@rule
def is_owed(s, seat, card):
    """Trap 6: the Missile Envy that the seat received, to be used for Ops in its next round."""
    return card == cards.MISSILE_ENVY and acts_on(s, cards.MISSILE_ENVY, seat)


@rule
def sheds_scoring(s, seat, card):
    """Trap 27: the USSR by 5 and the US by 98 get rid of a scoring card if they hold nothing but scoring cards besides; the US
    by 77 of any number, but not while it owes Missile Envy, before which only a scoring card may go (trap 6)."""
    if card == cards.ASK_NOT:
        return seat == US and not acts_on(s, cards.MISSILE_ENVY, US)
    discards = cards.FIVE_YEAR_PLAN if seat == USSR else cards.ALDRICH_AMES
    return card == discards and s.held[seat] == scoring_cards(s, seat) + 1


@rule
def can_play(s, seat, card, drawn, scores):
    """R4.6: which card may be played in an action round; `drawn`: only this one (67), or, outside the headline, 32 with it; `scores`: from
    `must_score`.

    Trap 7: 32 is not played in the headline. Traps 6 and 27: the China Card only if no card in particular must be played.
    """
    if drawn:
        return card == drawn or (
            card == cards.UN_INTERVENTION
            and s.action_round > 0
            and is_in_hand(s, seat, card)
            and cards.SIDE[drawn] == 1 - seat
        )
    envies = acts_on(s, cards.MISSILE_ENVY, seat)
    if card == cards.CHINA:
        return (
            s.china == seat
            and s.china_up != 0
            and s.place[cards.CHINA] == state.HANDS + seat
            and not (scores or envies)
        )
    if not is_in_hand(s, seat, card):
        return False
    if scores:
        return cards.KIND[card] == cards.SCORING or sheds_scoring(s, seat, card)
    return not envies or card == cards.MISSILE_ENVY


@rule
def do_play(s, seat, card, drawn):
    """The card is chosen, for all to see; how it is used is asked next. 32 with a card drawn by 67 needs no more asking."""
    pop(s)
    if top(s, frames.KIND) < 0:
        s.card = card
    if drawn and card == cards.UN_INTERVENTION and drawn != cards.UN_INTERVENTION:
        do_intervene(s, seat)
        begin_companion(s, seat, drawn)
    else:
        if is_in_hand(s, seat, card):
            s.known[1 - seat, card] = 1
        push(s, frames.USE, seat, card)


@rule
def can_use(s, seat, card, use):
    """R5.2, 7.1, 7.5: event, operations or space race. Trap 27: what stands in for a scoring card is used so that its event
    happens."""
    owed = is_owed(s, seat, card)
    stands_in = must_score(s, seat) and sheds_scoring(s, seat, card)
    if use == actions.EVENT:
        return not owed and not top(s, frames.FREE) and is_event_possible(s, seat, card)
    if use == actions.OPERATIONS:
        return cards.KIND[card] != cards.SCORING and not (stands_in and cards.SIDE[card] == seat)
    return not owed and not stands_in and can_space(s, seat, card)


@rule
def do_use(s, seat, card, use):
    """The use is chosen: what it sets going is pushed so that the first to happen is on top (trap 25)."""
    bare = top(s, frames.FREE)
    pop(s)
    bury(s, card == cards.UN_INTERVENTION and use == actions.EVENT)
    if s.over:  # by 50
        return
    if card == cards.UN_INTERVENTION and use == actions.EVENT:
        do_intervene(s, seat)
        push(s, frames.PICK, seat, card)
        return
    begin_card(s, seat, card, use)
    opposing = cards.SIDE[card] == 1 - seat and not bare
    if use == actions.SPACE:
        do_space(s, seat)
    elif use == actions.EVENT:
        if opposing:
            ask_card_operations(s, seat, card)
        push(s, frames.EVENT, seat, card)
    else:
        if opposing:
            push(s, frames.EVENT, seat, card)
        ask_card_operations(s, seat, card)


@rule
def ask_card_operations(s, seat, card):
    """The card's operations, as modified for who uses them."""
    ask_operation(
        s, seat, card, ops_of(s, seat, cards.OPS[card]), allowed=actions.ANY_OPERATION, within=board.EVERYWHERE,
        free=0, optional=0,
    )  # fmt: skip


@rule
def begin_card(s, seat, card, use):
    """The card leaves the hand. What playing it costs or ends comes first: 59 (trap 21), 35 (trap 19)."""
    put(s, card, state.TABLE)
    push(s, frames.DISPOSE, seat, card)
    if card == cards.CHINA and seat == US:
        s.lasting[cards.FORMOSAN] = 0
    if use != actions.SPACE:
        pay_for_war(s, seat, card)


@rule
def pay_for_war(s, seat, card):
    """59, trap 21: the USSR gains 2 as soon as the US plays a war card, in whatever way but space; not for 13 after 65."""
    blocked = card == cards.ARAB_ISRAELI_WAR and s.lasting[cards.CAMP_DAVID] != 0
    if cards.KIND[card] == cards.WAR and seat == US and s.lasting[cards.FLOWER_POWER] and not blocked:
        award(s, USSR, 2)


@rule
def do_intervene(s, seat):
    """32, trap 7: the card is played as an event; 60 pays the USSR."""
    put(s, cards.UN_INTERVENTION, state.TABLE)
    push(s, frames.DISPOSE, seat, cards.UN_INTERVENTION)
    if s.lasting[cards.U2]:
        award(s, USSR, 1)


@rule
def begin_companion(s, seat, card):
    """32: the companion's operations, without its event."""
    begin_card(s, seat, card, actions.OPERATIONS)
    ask_card_operations(s, seat, card)


@rule
def bury(s, intervened):
    """50, trap 22: in the US's next round the USSR gains 3 before anything else, unless 32 is played as an event."""
    if s.lasting[cards.WE_WILL_BURY_YOU] == ARMED:
        s.lasting[cards.WE_WILL_BURY_YOU] = 0
        if not intervened:
            award(s, USSR, 3)


@rule
def begin_event(s, seat, card):
    """7.1, 7.5: the frame on top becomes the event's program, carried out by its owner; or nothing, if it cannot happen."""
    pop(s)
    if not is_event_possible(s, seat, card):
        return
    if cards.KIND[card] == cards.TURN or card == cards.SHUTTLE_DIPLOMACY:
        put(s, card, state.IN_FRONT)
    elif cards.STARRED[card]:
        put(s, card, state.REMOVED)
    push(s, frames.RUN, cards.SIDE[card] if cards.SIDE[card] < 2 else seat, card)


@rule
def dispose(s, seat, card):
    """R5.2: a card whose event did not take it elsewhere goes to the discards; the China Card to the opponent, face down."""
    pop(s)
    if card == cards.CHINA:
        pass_china(s, 1 - seat, 0)
    elif s.place[card] == state.TABLE:
        put(s, card, state.DISCARDS)


@rule
def return_grain(s):
    """67: the US gives the card back; it knows where it is."""
    card = top(s, frames.LEFT)
    pop(s)
    put(s, card, state.HANDS + USSR)
    s.known[US, card] = 1


@rule
def is_from_grain(s):
    """True if the question on top is whether to play the card that 67 drew."""
    return top(s, frames.VALUE) == cards.GRAIN_SALES
