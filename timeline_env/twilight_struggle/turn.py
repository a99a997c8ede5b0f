"""R4: the course of a turn: what comes next when nothing is pending. One function a stage."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import board, card_play, cards, countries, frames, numbers, space, state
from timeline_env.twilight_struggle.board import US, USSR, country
from timeline_env.twilight_struggle.card_play import bury, is_owed, must_score, pay_for_war, rounds_left
from timeline_env.twilight_struggle.countries import controls, remove_influence, see_reach
from timeline_env.twilight_struggle.frames import ask_countries, pop, push, set_top, top
from timeline_env.twilight_struggle.hands import is_in_hand, put, scoring_cards
from timeline_env.twilight_struggle.lasting import acts_on, ops_of
from timeline_env.twilight_struggle.scoring import score_at_the_end
from timeline_env.twilight_struggle.setup import (
    add_period,
    ask_set_up_bonus,
    ask_set_up_us,
    ask_set_up_ussr,
    deal_hands,
)
from timeline_env.twilight_struggle.space import has_power
from timeline_env.twilight_struggle.tracks import award, end_game, roll, set_defcon

CANADA, CUBA, WEST_GERMANY, TURKEY = country("Canada"), country("Cuba"), country("West Germany"), country("Turkey")
LAST_ROUND = 8
LEAST_ESCAPE = 2
"""42, 44: the least Ops of the card to be discarded."""
ESCAPE_DIE = 4


@rule
def carry_on(rules, s):
    """Nothing is pending: go on to the next stage."""
    if s.stage <= state.SET_UP_BONUS:
        carry_on_set_up(rules, s)
    elif s.stage == state.BEGIN_TURN:
        begin_turn(rules, s)
    elif s.stage == state.CHOOSE_HEADLINES:
        choose_headlines(s)
    elif s.stage == state.FIRST_HEADLINE:
        s.stage = state.SECOND_HEADLINE
        show_headlines(s)
        play_headline(s, first_headline(s))
    elif s.stage == state.SECOND_HEADLINE:
        carry_on_second_headline(s)
    elif s.stage == state.BEGIN_ROUND:
        begin_round(s)
    elif s.stage == state.END_ROUND:
        end_round(s)
    elif s.stage == state.END_TURN:
        end_turn(s)
    else:
        next_turn(s)


@rule
def carry_on_set_up(rules, s):
    """R3: the USSR places, then the US, then the bonus."""
    if s.stage == state.SET_UP_USSR:
        ask_set_up_ussr(s)
        s.stage = state.SET_UP_US
    elif s.stage == state.SET_UP_US:
        ask_set_up_us(s)
        s.stage = state.SET_UP_BONUS
    else:
        ask_set_up_bonus(rules, s)
        s.stage = state.BEGIN_TURN


@rule
def begin_turn(rules, s):
    """R4.1–R4.4: from turn 2 on DEFCON improves; the later periods join; both hands are filled."""
    if s.turn > 1:
        set_defcon(s, s.defcon + 1)
        if s.turn == numbers.MID_WAR:
            add_period(rules, s, 1)
        elif s.turn == numbers.LATE_WAR:
            add_period(rules, s, 2)
        deal_hands(s)
    s.stage = state.CHOOSE_HEADLINES


@rule
def choose_headlines(s):
    """R4.5: both choose; box 4 of the space race makes the other choose first and show it."""
    s.stage = state.FIRST_HEADLINE
    first = US if has_power(s, USSR, space.MAN_IN_ORBIT) else USSR
    push(s, frames.HEADLINE, 1 - first, cards.NO_CARD)
    push(s, frames.HEADLINE, first, cards.NO_CARD)


@rule
def can_headline(s, seat, card):
    """R4.5: any card of the hand but 32 and a Missile Envy received (trap 6); the China Card is no part of it."""
    return is_in_hand(s, seat, card) and card != cards.UN_INTERVENTION and not is_owed(s, seat, card)


@rule
def do_headline(s, seat, card):
    """R4.5: the card is laid aside, face up if the other side has the power of box 4.

    If the other side knew the card, it knows as much as before: the card is still in the hand, or it is the headline.
    """
    pop(s)
    known = s.known[1 - seat, card]
    put(s, card, state.HEADLINES + seat)
    s.headline[seat] = card
    s.open_headline[seat] = 1 if has_power(s, 1 - seat, space.MAN_IN_ORBIT) else 0
    if not s.open_headline[seat]:
        s.known[1 - seat, card] = known


@rule
def show_headlines(s):
    """R4.5: both have chosen, and both cards are turned up."""
    for seat in range(2):
        if s.headline[seat] > cards.NO_CARD:
            s.open_headline[seat] = 1
            s.known[1 - seat, s.headline[seat]] = 0


@rule
def first_headline(s):
    """R4.5, trap 4: higher printed Ops first, the US on a tie; 103 of the US before all."""
    if s.headline[US] == cards.NO_CARD:
        return USSR
    if (
        s.headline[US] == cards.DEFECTORS
        or cards.OPS[s.headline[US]] >= cards.OPS[s.headline[USSR]]
        or s.headline[USSR] == cards.NO_CARD
    ):
        return US
    return USSR


@rule
def play_headline(s, seat):
    """R4.5: the event happens; whoever laid the card is the phasing player."""
    card = s.headline[seat]
    s.headline[seat] = cards.NO_CARD
    s.open_headline[seat] = 0
    s.phasing = seat
    if card > cards.NO_CARD:
        see_reach(s, USSR)
        see_reach(s, US)
        put(s, card, state.TABLE)
        push(s, frames.DISPOSE, seat, card)
        push(s, frames.EVENT, seat, card)
        pay_for_war(s, seat, card)


@rule
def carry_on_second_headline(s):
    """R4.5: the other headline, then the action rounds."""
    seat = USSR if s.headline[USSR] != cards.NO_CARD else US
    if s.headline[seat] != cards.NO_CARD:
        play_headline(s, seat)
        return
    s.action_round = 1
    s.phasing = USSR
    s.stage = state.BEGIN_ROUND


@rule
def begin_round(s):
    """R4.6: an action round of the phasing player, if it has one; the other may first buy off 40."""
    seat = s.phasing
    s.stage = state.END_ROUND
    s.fell = 0
    if rounds_left(s, seat) < 1:
        return
    see_reach(s, USSR)
    see_reach(s, US)
    if seat == US and s.lasting[cards.WE_WILL_BURY_YOU]:
        s.lasting[cards.WE_WILL_BURY_YOU] = card_play.ARMED
    push(s, frames.ROUND, seat, cards.NO_CARD)
    if can_buy_off(s, 1 - seat, 0) or can_buy_off(s, 1 - seat, 1) or can_buy_off(s, 1 - seat, 2):
        push(s, frames.ESCAPE, 1 - seat, cards.CUBAN_MISSILES)


@rule
def ask_for_card(s, seat):
    """R4.6, trap 5: a card to play; to a trapped player a card to discard, unless scoring cards must be played.

    Trap 30: an eighth round may be declined. The frame ROUND turns into this question only when it comes to the top, since
    what is asked would reveal the hand.
    """
    pop(s)
    trapped = s.lasting[trap_of(seat)] != 0
    if trapped:
        bury(s, False)
    if trapped and not must_score(s, seat) and has_escape(s, seat):
        push(s, frames.TRAP, seat, trap_of(seat))
    else:
        push(s, frames.PLAY, seat, cards.NO_CARD)
        set_top(s, frames.FREE, 1 if trapped else 0)
    spare = s.action_round > numbers.ROUNDS[s.turn] or s.held[seat] == 0
    set_top(s, frames.OPTIONAL, 1 if spare and not must_score(s, seat) else 0)


@rule
def trap_of(seat):
    """The card that traps a seat."""
    return cards.QUAGMIRE if seat == US else cards.BEAR_TRAP


@rule
def can_discard_to_trap(s, seat, card):
    """Trap 5: worth 2 or more as modified, never the China Card; Missile Envy received goes first."""
    return (
        is_in_hand(s, seat, card)
        and cards.KIND[card] != cards.SCORING
        and ops_of(s, seat, cards.OPS[card]) >= LEAST_ESCAPE
    )


@rule
def has_escape(s, seat):
    """True if there is a card to discard to the trap."""
    for card in range(1, cards.CARDS):
        if can_discard_to_trap(s, seat, card):
            return True
    return False


@rule
def do_discard_to_trap(s, seat, card):
    """42, 44: the discard does nothing; a die of 1 to 4 frees from the next round on."""
    pop(s)
    put(s, card, state.DISCARDS)
    if roll(s) <= ESCAPE_DIE:
        s.lasting[trap_of(seat)] = 0


@rule
def can_buy_off(s, seat, which):
    """40, trap 13: 2 influence from Cuba (USSR), West Germany or Turkey (US)."""
    if not acts_on(s, cards.CUBAN_MISSILES, seat) or (which == 0) != (seat == USSR):
        return False
    return s.influence[seat, buy_off_country(which)] >= 2


@rule
def buy_off_country(which):
    """The country of a buy-off action."""
    if which == 0:
        return CUBA
    return WEST_GERMANY if which == 1 else TURKEY


@rule
def do_buy_off(s, seat, which):
    """40: the danger is over; DEFCON stays. What else was asked is still asked."""
    remove_influence(s, seat, buy_off_country(which), 2)
    s.lasting[cards.CUBAN_MISSILES] = 0
    if top(s, frames.KIND) == frames.ESCAPE:
        pop(s)


@rule
def end_round(s):
    """50; 106 (trap 14), still in this round; then the other player's round, or the next, or the end of the turn."""
    bury(s, False)
    if s.lasting[cards.NORAD] and s.fell and controls(s, US, CANADA):
        s.fell = 0
        ask_countries(
            s, frames.ADD, US, cards.NORAD, left=1, side=US, where=board.EVERYWHERE, sieve=countries.WITH_INFLUENCE,
            cap=0, each=1, optional=1,
        )  # fmt: skip
        return
    s.card = cards.NO_CARD
    s.stage = state.BEGIN_ROUND
    if s.phasing == USSR:
        s.phasing = US
    else:
        s.phasing = USSR
        s.action_round += 1
        if s.action_round > LAST_ROUND:
            s.stage = state.END_TURN


@rule
def end_turn(s):
    """R4.7, R8.2.2, traps 16 and 27: military operations, scoring cards held, then box 6 of the space race."""
    missing_ussr, missing_us = max(0, s.defcon - s.milops[USSR]), max(0, s.defcon - s.milops[US])
    award(s, US, missing_ussr - missing_us)
    if scoring_cards(s, USSR) > 0:
        end_game(s, US, state.BY_HELD_SCORING)
    elif scoring_cards(s, US) > 0:
        end_game(s, USSR, state.BY_HELD_SCORING)
    s.action_round = 0
    s.stage = state.NEXT_TURN
    for seat in range(2):
        if has_power(s, seat, space.EAGLE_BEAR):
            push(s, frames.LEAVE_HAND, seat, cards.NO_CARD)
            set_top(s, frames.OPTIONAL, 1)


@rule
def next_turn(s):
    """R4.8, 7.3.1: what lasts a turn ends; the tracks of the turn go back; after turn 10 the final scoring."""
    for card in range(1, cards.CARDS):
        if cards.KIND[card] == cards.TURN:
            s.lasting[card] = 0
            if s.place[card] == state.IN_FRONT:
                put(s, card, state.REMOVED if cards.STARRED[card] else state.DISCARDS)
    s.milops[:] = 0
    s.attempts[:] = 0
    s.extra_round[:] = 0
    s.china_up = 1
    if s.turn == numbers.TURNS:
        score_at_the_end(s)
        return
    s.turn += 1
    s.stage = state.BEGIN_TURN
