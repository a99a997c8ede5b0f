"""Reading the tokens of a position's text, one function a token. Each raises ValueError for what is not allowed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from timeline_env.engine.notation import parse_integer
from timeline_env.twilight_struggle import board, cards, frames, numbers, state, tracks
from timeline_env.twilight_struggle.events import words
from timeline_env.twilight_struggle.text import names
from timeline_env.twilight_struggle.text.names import card_named, country_named, index_in, seat_named

Reader = Callable[[Any, str], None]
"""Takes the position to be written, and the text after the token's colon."""
MOST_EXTRA_CARDS = 4
"""A hand may hold this many more than are dealt (43, 67)."""
MOST_ATTEMPTS = 2
MOST_MILOPS = 5
MOST = 127
MOST_CHOICES = 60
"""Choices in one question, far more than there ever are; two such numbers added up still fit the record's bytes."""
MOST_OF_PART = {"step": words.MOST_STEPS - 1, "each": state.MOST_INFLUENCE, "drawn": cards.CARDS - 1, "outside": 3}
"""The greatest value of each part of a frame that is not limited by `MOST_CHOICES`."""


def read_seen(s: Any, value: str) -> None:
    seat_named(value)


def read_stage(s: Any, value: str) -> None:
    s.stage = index_in(value, state.STAGE_NAMES, "stage")


def read_over(s: Any, value: str) -> None:
    winner, _, ending = value.partition(".")
    s.over = 1
    s.winner = index_in(winner, (*board.SEAT_NAMES, "draw"), "winner")
    s.winner = -1 if s.winner == len(board.SEAT_NAMES) else s.winner
    s.ending = 1 + index_in(ending, names.ENDING_WORDS[1:], "ending")


def read_defcon(s: Any, value: str) -> None:
    s.defcon = parse_integer(value, 1, 5, "DEFCON")


def points(field: str, most: int) -> Reader:
    """The reader of victory points: ``us4``."""

    def read_points(s: Any, value: str) -> None:
        match = re.fullmatch(f"({'|'.join(board.SEAT_NAMES)})(.*)", value)
        if not match:
            raise ValueError(f"points {value!r} must be a side and a number, such as us4")
        number = parse_integer(match[2], 0, most, "points")
        s[field] = number if match[1] == board.SEAT_NAMES[1] else -number

    return read_points


def pair(text: str, most: int, what: str) -> list[int]:
    """``2/0``: the USSR's number and the US's."""
    parts = text.split("/")
    if len(parts) != 2:
        raise ValueError(f"{what} {text!r} must be two numbers, the USSR's and the US's, such as 2/0")
    return [parse_integer(part, 0, most, what) for part in parts]


def each_side(field: str, most: int) -> Reader:
    """The reader of a token with a number for each side."""

    def read_both(s: Any, value: str) -> None:
        s[field][:] = pair(value, most, field)

    return read_both


def flag(field: str, number: int = 1) -> Reader:
    """The reader of a token without a value."""

    def read_alone(s: Any, value: str) -> None:
        s[field] = number

    return read_alone


def word(field: str) -> Reader:
    """The reader of a token whose value is a number of 64 bits."""

    def read_word(s: Any, value: str) -> None:
        s[field] = parse_integer(value, 0, 2**64 - 1, field)

    return read_word


def reach(seat: int) -> Reader:
    """The reader of where reach is not what the influence gives: ``+Iran,-Poland``, or ``none``."""

    def read_reach(s: Any, value: str) -> None:
        if value == "none":
            s.reach[seat] = 0
            return
        for part in value.split(","):
            if part[:1] not in ("+", "-"):
                raise ValueError(f"{part!r} must be none, or + or - and a country, such as +Iran")
            s.reach[seat, country_named(part[1:])] = int(part[0] == "+")

    return read_reach


def lay(s: Any, card: int, place: int) -> None:
    """A card lies in a place. It may lie in one only, and it must be in the game (R4.4)."""
    if s.place[card] == state.BOX:
        raise ValueError(f"card {card} is not in the game, or not yet")
    if s.place[card] != state.DRAW_PILE:
        raise ValueError(f"duplicate card {card}")
    s.place[card] = place


def read_card(s: Any, value: str) -> None:
    s.card = card_named(value)


def hand(seat: int) -> Reader:
    """The reader of a hand: ``7,9!,3?``; ``7!,9!,-1?`` if one of these is the headline, unknown which."""

    def read_hand(s: Any, value: str) -> None:
        count = 0
        for part in value.split(","):
            if part.endswith(names.UNKNOWN_WORD):
                number = part.removesuffix(names.UNKNOWN_WORD) or "1"
                count += -1 if number == "-1" else parse_integer(number, 1, MOST, "number of unknown cards")
                continue
            card = card_named(part.removesuffix(names.KNOWN_SIGN))
            if card == cards.CHINA:
                raise ValueError("card 6 is not part of a hand; write china:us, or china:us.down")
            lay(s, card, state.HANDS + seat)
            s.known[1 - seat, card] = int(part.endswith(names.KNOWN_SIGN))
            count += 1
        most = int(numbers.HAND[s.turn]) + MOST_EXTRA_CARDS
        if count > most:
            raise ValueError(f"{count} cards; at most {most} are allowed")
        s.held[seat] = count

    return read_hand


def headline(seat: int) -> Reader:
    """The reader of a headline: ``14``, ``14!``, ``14~``, ``?``."""

    def read_headline(s: Any, value: str) -> None:
        if value == names.UNKNOWN_WORD:
            s.headline[seat] = state.UNKNOWN
            return
        sign = value[-1:] if value[-1:] in (names.KNOWN_SIGN, names.KNOWN_BEFORE_SIGN) else ""
        card = card_named(value.removesuffix(sign))
        if card in (cards.CHINA, cards.UN_INTERVENTION):
            raise ValueError(f"card {card} cannot be headlined (R4.5)")
        s.headline[seat] = card
        s.open_headline[seat] = int(sign == names.KNOWN_SIGN)
        s.known[1 - seat, card] = int(sign == names.KNOWN_BEFORE_SIGN)
        lay(s, card, state.HEADLINES + seat)

    return read_headline


def pile(place: int) -> Reader:
    """The reader of the cards that lie in a place."""

    def read_pile(s: Any, value: str) -> None:
        for part in value.split(","):
            card = card_named(part)
            if card == cards.CHINA and place != state.TABLE:
                raise ValueError("card 6 is never there; write china:us, or china:us.down")
            lay(s, card, place)

    return read_pile


def read_china(s: Any, value: str) -> None:
    side, dot, lies = value.partition(".")
    s.china = seat_named(side)
    if dot:
        index_in(lies, ("down",), "the China Card")
    s.china_up = 0 if dot else 1


def read_lasting(s: Any, value: str) -> None:
    for part in value.split(","):
        name, equals, text = part.partition("=")
        card = card_named(name)
        if s.lasting[card]:
            raise ValueError(f"duplicate event {card}")
        if card in cards.SIDED:
            s.lasting[card] = 1 + seat_named(text)
        elif card == cards.CHERNOBYL:
            s.lasting[card] = 1 + index_in(text, names.REGION_WORDS, "region")
        else:
            s.lasting[card] = parse_integer(text, 1, 2, "state") if equals else 1


def read_ask(s: Any, value: str) -> None:
    texts = value.split(",")
    if len(texts) > frames.DEPTH:
        raise ValueError(f"at most {frames.DEPTH} frames can be pending")
    for text in texts:
        read_frame(s.question[s.depth], text)
        s.depth += 1


def read_frame(row: Any, text: str) -> None:
    """``add.us.23/left=5/side=us/set=western-europe``."""
    head, *parts = text.split("/")
    name, side, card, *more = [*head.split("."), "", ""]
    if any(more):
        raise ValueError(f"{head!r} must be a question, a side and perhaps a card, such as add.us.23")
    index_in(name, tuple(names.KINDS), "question")
    kind = names.KINDS[name]
    row[: frames.LEFT] = kind, seat_named(side), card_named(card) if card else 0
    columns = names.PARTS.get(kind, {})
    seen: set[str] = set()
    for part in parts:
        name, _, value = part.partition("=")
        index_in(name, tuple(columns), f"part of {text!r}")
        spelled, column = names.PART_WORDS.get(name), columns[name]
        if name in seen:
            raise ValueError(f"duplicate part {name} of {text!r}")
        seen.add(name)
        most = MOST_OF_PART.get(name, MOST_CHOICES)
        row[column] = index_in(value, spelled, name) if spelled else parse_integer(value, 0, most, name)


def read_chosen(s: Any, value: str) -> None:
    for part in value.split(","):
        name, times, count = part.partition("*")
        country = country_named(name)
        if s.chosen[country]:
            raise ValueError(f"duplicate country {name}")
        s.chosen[country] = parse_integer(count, 1, MOST_CHOICES, "times") if times else 1


def read_tally(s: Any, value: str) -> None:
    s.tally = parse_integer(value, 0, MOST_CHOICES, "choices made")


def read_dice(s: Any, value: str) -> None:
    dice = [parse_integer(part, 1, 6, "die") for part in value.split(",")]
    if len(dice) > state.MOST_DICE:
        raise ValueError(f"{len(dice)} dice; at most {state.MOST_DICE} are kept")
    s.dice[: len(dice)] = dice
    s.rolled = len(dice)


def side_tokens(name: str, reader: Callable[[int], Reader]) -> dict[str, Reader]:
    """``hand.ussr`` and ``hand.us``."""
    return {f"{name}.{side}": reader(seat) for seat, side in enumerate(board.SEAT_NAMES)}


READERS: dict[str, Reader] = {
    **{side: flag("phasing", seat) for seat, side in enumerate(board.SEAT_NAMES)},
    "seen": read_seen,
    "stage": read_stage,
    "over": read_over,
    "defcon": read_defcon,
    "vp": points("vp", tracks.MOST_VP),
    "gained": points("gained", 2 * tracks.MOST_VP),
    "milops": each_side("milops", MOST_MILOPS),
    "space": each_side("space", numbers.BOXES),
    "attempts": each_side("attempts", MOST_ATTEMPTS),
    "extra_round": each_side("extra_round", 1),
    "fell": flag("fell"),
    "fault": flag("fault"),
    **side_tokens("reach", reach),
    "card": read_card,
    **side_tokens("hand", hand),
    **side_tokens("headline", headline),
    **{name: pile(place) for name, place in names.PILES.items()},
    "china": read_china,
    "lasting": read_lasting,
    "ask": read_ask,
    "chosen": read_chosen,
    "tally": read_tally,
    "dice": read_dice,
    "seed": word("seed"),
    "rng": word("rng"),
}
"""In the order in which they are read; the influence of the countries comes before them."""
FLAGS = (*board.SEAT_NAMES, "fell", "fault")
"""Tokens without a value."""
