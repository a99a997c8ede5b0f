"""R3: setting the game up. R4.4: what joins the deck later."""

from __future__ import annotations

from timeline_env.engine.jit import rule
from timeline_env.twilight_struggle import board, cards, countries, frames, numbers, state
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.frames import ask_countries
from timeline_env.twilight_struggle.hands import draw, pass_china, put


@rule
def set_up(rules, s, seed):
    """R3: the board, eight cards each, the China Card with the USSR; then the placing of influence is asked for."""
    clear(s)
    s.seed = seed
    s.rng = seed
    for side in range(2):
        for c in range(board.COUNTRIES):
            s.influence[side, c] = board.START[side, c]
    add_period(rules, s, 0)
    pass_china(s, USSR, 1)
    deal_hands(s)
    s.stage = state.SET_UP_USSR


@rule
def clear(s):
    """Set every field of the record as before any game: to 0, which is `BOX` for a place and the USSR for a seat, all but three."""
    s.everything[:] = 0
    s.winner = -1
    s.turn = 1
    s.defcon = 5


@rule
def add_period(rules, s, period):
    """R4.4: the cards of a period join the draw pile, the optional ones if the rules say so."""
    for card in range(1, cards.CARDS):
        if cards.PERIOD[card] == period and (rules.optional_cards or not cards.OPTIONAL[card]):
            put(s, card, state.DRAW_PILE)


@rule
def deal_hands(s):
    """R4.3: both hands are filled, a card at a time, the USSR's first."""
    size = numbers.HAND[s.turn]
    missing_ussr, missing_us = size - s.held[USSR], size - s.held[US]
    for _ in range(size):
        if missing_ussr > 0:
            draw(s, USSR)
            missing_ussr -= 1
        if missing_us > 0:
            draw(s, US)
            missing_us -= 1


@rule
def ask_set_up_ussr(s):
    """R3.2: 6 in Eastern Europe."""
    ask_countries(
        s, frames.ADD, USSR, cards.NO_CARD, left=numbers.SET_UP_USSR_POINTS, side=USSR, where=board.EASTERN_EUROPE,
        sieve=countries.ANY, cap=0, each=1, optional=0,
    )  # fmt: skip


@rule
def ask_set_up_us(s):
    """R3.3: 7 in Western Europe."""
    ask_countries(
        s, frames.ADD, US, cards.NO_CARD, left=numbers.SET_UP_US_POINTS, side=US, where=board.WESTERN_EUROPE,
        sieve=countries.ANY, cap=0, each=1, optional=0,
    )  # fmt: skip


@rule
def ask_set_up_bonus(rules, s):
    """The handicaps: placed last, the USSR's before the US's, where the side has influence."""
    if rules.us_bonus > 0:
        ask_bonus(s, US, rules.us_bonus)
    if rules.ussr_bonus > 0:  # on top, so it is asked first
        ask_bonus(s, USSR, rules.ussr_bonus)


@rule
def ask_bonus(s, seat, points):
    """A side's handicap."""
    ask_countries(
        s, frames.ADD, seat, cards.NO_CARD, left=points, side=seat, where=board.EVERYWHERE,
        sieve=countries.WITH_INFLUENCE, cap=0, each=1, optional=0,
    )  # fmt: skip
