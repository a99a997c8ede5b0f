"""What a picture says in words; the same for text and for drawings. A position here is one that `copy_known` gives."""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.engine import record
from timeline_env.engine.notation import copy_for_viewer
from timeline_env.engine.verbs import check_viewer
from timeline_env.twilight_struggle import actions, board, cards, frames, state
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.observe import cards_to_draw
from timeline_env.twilight_struggle.operations import can_place, can_realign, ops_in, terms_of
from timeline_env.twilight_struggle.text.move_text import action_to_text
from timeline_env.view.counts import count, times_more
from timeline_env.view.move import Move

SIDE_NAMES = ("USSR", "US", "neutral")
QUESTIONS = {
    frames.HEADLINE: "chooses a headline",
    frames.PLAY: "chooses a card",
    frames.TRAP: "discards a card to {card}",
    frames.USE: "chooses how to use {card}",
    frames.OPERATION: "conducts operations: {ops}",
    frames.PLACE: "places influence: {used}",
    frames.COUP: "chooses the target of a coup: {ops}",
    frames.REALIGN: "chooses a target to realign: {used}",
    frames.ADD: "adds influence: {left}",
    frames.TAKE: "removes influence: {left}",
    frames.TAKE_ALL: "removes all influence: {left}",
    frames.WAR: "chooses the target of a war",
    frames.MATCH: "matches influence",
    frames.DOUBLE: "doubles influence: {left}",
    frames.YES_NO: "chooses one of two effects",
    frames.PICK: "picks a card",
    frames.LEVEL: "chooses a level or a region",
    frames.ESCAPE: "may buy off the Cuban Missile Crisis",
    frames.LEAVE_HAND: "may discard a card (space race)",
}


def copy_known(rules: Any, s: Any, viewer: int | None) -> Any:
    """A copy of the position with what the viewer knows; for nobody, with what both sides know and no hand.

    Raises:
        ValueError: there is no such seat.
    """
    check_viewer(rules, viewer)
    numbers = record.make_readable(np.array([rules]))
    return copy_for_viewer(numbers, s, viewer)


def last_move(rules: Any, move: Move, s: Any, viewer: int | None) -> str:
    """The move that led to the position `s` (a record that nothing is hidden in yet), as the viewer knows it.

    A card is named if the viewer knows where it is now: not that of a headline which is still face down.
    """
    numbers = record.make_readable(np.array([rules]))
    name, indices = actions.CODEC.decode(move.action)
    answer = action_to_text(numbers, move.before, move.action)
    if name == "card":
        card = indices[0] + 1
        answer = card_title(card) if is_told(copy_known(rules, s, viewer), card) else "a card"
    elif name == "country":
        answer = board.COUNTRY_NAMES[indices[0]]
    return f"{decision(copy_known(rules, move.before, viewer))}: {answer}"


def is_told(s: Any, card: int) -> bool:
    """Whether a position in which what a viewer does not know is hidden tells where a card is; not if the card may be a headline
    that is still face down."""
    place = s.place[card]
    if place in (state.HANDS, state.HANDS + 1) and card != cards.CHINA:
        return bool(s.headline[place - state.HANDS] != state.UNKNOWN)
    return bool(place != state.DRAW_PILE)


def pending_question(s: Any) -> tuple[int, int]:
    """The kind of the question to be answered next, and the seat that is asked; (-1, -1) if none is pending."""
    if s.depth == 0:
        return -1, -1
    kind, seat = (int(part) for part in s.question[s.depth - 1, :2])
    return (frames.PLAY if kind == frames.ROUND else kind), seat


def decision(s: Any) -> str:
    """Who decides what."""
    kind, seat = pending_question(s)
    if kind < 0:
        who = f"the {SIDE_NAMES[s.winner]} wins" if s.winner >= 0 else "a draw"
        return f"{who}: {state.ENDING_NAMES[s.ending]}"
    frame = [int(part) for part in s.question[s.depth - 1]]
    card = frame[frames.VALUE]
    parts = {
        "card": cards.CARD_NAMES[card],
        "ops": count(frame[frames.OPS], "Op"),
        "left": times_more(frame[frames.LEFT]),
        "used": describe_ops_used(s),
    }
    source = f" ({cards.CARD_NAMES[card]})" if card and "{card}" not in QUESTIONS[kind] else ""
    return f"{SIDE_NAMES[seat]} {QUESTIONS[kind].format(**parts)}{source}"


def describe_ops_used(s: Any) -> str:
    """How many Ops of the pending placement or realignment are used, of how many, and of how many where a region adds some."""
    left, most = ops_to_use(s)
    used = int(s.question[s.depth - 1, frames.SPENT])
    return f"{used} of {count(used + left, 'Op')} used" + (
        f", of {used + most} where a region adds to them" if most > left else ""
    )


def ops_to_use(s: Any) -> tuple[int, int]:
    """Ops that are left anywhere, and the most that are left in a country that may be chosen."""
    row = s.question[s.depth - 1]
    kind, seat = int(row[frames.KIND]), int(row[frames.SEAT])
    left = int(row[frames.OPS]) - int(row[frames.SPENT])
    may_choose = {frames.PLACE: can_place, frames.REALIGN: can_realign}.get(kind)
    if may_choose is None:
        return left, left
    terms = terms_of(s)
    return left, max(
        (int(ops_in(terms, c)) for c in range(board.COUNTRIES) if may_choose(s, terms, seat, c)), default=left
    )


def time(s: Any) -> str:
    """Turn and action round."""
    if s.action_round:
        return f"turn {s.turn}, action round {s.action_round}, {SIDE_NAMES[s.phasing]}"
    return f"turn {s.turn}, " + ("set-up" if s.stage <= state.SET_UP_BONUS + 1 and s.turn == 1 else "headlines")


def points(s: Any) -> str:
    """Who leads, and by how much."""
    return "0" if s.vp == 0 else f"{SIDE_NAMES[int(s.vp > 0)]} +{abs(int(s.vp))}"


def china(s: Any) -> str:
    """Who has the China Card."""
    if s.place[cards.CHINA] == state.TABLE:
        return "China Card: being played"
    return f"China Card: {SIDE_NAMES[s.china]}, face {'up' if s.china_up else 'down'}"


def piles(s: Any) -> str:
    """How many cards lie where."""
    counts = {
        "to draw": cards_to_draw(s),
        "discarded": len(cards_in_place(s, state.DISCARDS)),
        "removed": len(cards_in_place(s, state.REMOVED)),
    }
    return "cards " + ", ".join(f"{name} {count}" for name, count in counts.items())


def cards_in_place(s: Any, place: int) -> list[int]:
    """The cards in a place, by number."""
    return [int(card) for card in np.flatnonzero(s.place == place)]


def hand(s: Any, seat: int) -> list[int]:
    """The cards of a hand that are known, the China Card last."""
    held = [card for card in range(1, cards.CARDS) if s.place[card] == state.HANDS + seat and card != cards.CHINA]
    return held + ([cards.CHINA] if s.place[cards.CHINA] == state.HANDS + seat else [])


def known_cards(s: Any, seat: int) -> list[int]:
    """The cards of a hand that the other side knows too, without the China Card."""
    return [card for card in hand(s, seat) if s.known[1 - seat, card]]


def shown_cards(s: Any) -> list[tuple[int, str]]:
    """The known cards of both hands; where a headline is face down, one of them may be it."""
    found = []
    for seat in (USSR, US):
        where = "hand or headline" if s.headline[seat] == state.UNKNOWN else "hand"
        found += [(card, f"{card_title(card)} ({SIDE_NAMES[seat]} {where})") for card in known_cards(s, seat)]
    return found


def card_title(card: int) -> str:
    """``14 Comecon``."""
    return f"{card} {cards.CARD_NAMES[card]}"


def value_of(card: int) -> str:
    """What is printed on a card: its Ops, or S for scoring."""
    return "S" if cards.KIND[card] == cards.SCORING else str(cards.OPS[card])


def side_of(card: int) -> int:
    """The card's side: 0, 1, or 2 for neither."""
    return 2 if card in (cards.NO_CARD, cards.CHINA) else int(cards.SIDE[card])


def lasting_events(s: Any) -> list[tuple[int, str]]:
    """7.3: the events in effect, which stay in view: card, and what it says."""
    found = []
    for card in map(int, np.flatnonzero(s.lasting)):
        more = ""
        if card in cards.SIDED:
            more = f" on the {SIDE_NAMES[s.lasting[card] - 1]}"
        elif card == cards.CHERNOBYL:
            more = f": {board.REGION_NAMES[s.lasting[card] - 1].replace('_', ' ').title()}"
        found.append((card, card_title(card) + more))
    return found


def open_cards(s: Any) -> list[tuple[int, str]]:
    """Cards that lie open without an event in effect: headlines, cards being played, cards looked at."""
    found = [(card, card_title(card)) for card in cards_in_place(s, state.TABLE)]
    found += [(card, card_title(card)) for card in cards_in_place(s, state.IN_FRONT) if not s.lasting[card]]
    for seat in (USSR, US):
        found += [(card, f"{card_title(card)} (headline)") for card in cards_in_place(s, state.HEADLINES + seat)]
    return found + [(card, f"{card_title(card)} (looked at)") for card in cards_in_place(s, state.LOOKED_AT)]


def controller(s: Any, country: int) -> int:
    """The side that controls a country; -1 for none (R2.1.7). This is `countries.controller` in plain Python: a picture asks it 84
    times, and called one by one, the compiled one takes fifty times as long."""
    lead = int(s.influence[USSR, country]) - int(s.influence[US, country])
    if abs(lead) < board.STABILITY[country]:
        return -1
    return USSR if lead > 0 else US
