"""Hands for a recorded game: the log shows cards only when they are used, so the hands are made up to fit what follows.

Where cards lie openly, the engine and the real game agree; so the cards in both hands and in the draw pile are together
the same ones, and only how they are divided is unknown. Each hand gets the cards that the log shows in it next, and is
filled up with cards that harm nobody. It is divided anew at every phase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from timeline_env.twilight_struggle import recorded_entries as entries
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.cards import CHINA, KIND, OPS, OUR_MAN_IN_TEHRAN, SALT, SCORING

SEATS = {"USSR": USSR, "US": US}
NEVER = 10**6


def shown(phase_entries: Iterable[entries.Entry]) -> Iterator[tuple[int, int]]:
    """(card, seat) for each card that comes out of a hand, in order."""
    event = 0
    for entry in phase_entries:
        if isinstance(entry, entries.Event):
            event = entry.card
        if isinstance(entry, entries.Headline):
            yield entry.card, SEATS[entry.side]
        elif isinstance(entry, entries.ActionRound):
            if entry.card not in (None, CHINA):
                yield entry.card, SEATS[entry.side]
        elif (
            (isinstance(entry, entries.Reveal) and event != SALT)
            or (isinstance(entry, entries.Discard) and event != OUR_MAN_IN_TEHRAN)
            or isinstance(entry, entries.Plays)
        ):
            yield entry.card, SEATS[entry.side]


def first_shown(ahead: Iterable[tuple[int, int]]) -> dict[int, tuple[int, int]]:
    """card: (how soon, seat) of the first time each card comes out of a hand."""
    first: dict[int, tuple[int, int]] = {}
    for soon, (card, seat) in enumerate(ahead):
        first.setdefault(card, (soon, seat))
    return first


def divide(
    hidden: list[int],
    sizes: tuple[int, int],
    now: dict[int, tuple[int, int]],
    later: dict[int, tuple[int, int]],
    most_ops: tuple[int, int],
) -> tuple[list[int], list[int]]:
    """Hands of the given sizes out of the hidden cards.

    Args:
        hidden: the cards of both hands and the draw pile.
        sizes: how many cards each seat holds.
        now: what comes out of the hands in this turn, see `first_shown`.
        later: the same for the turns after it.
        most_ops: no card of a seat that is not shown shall be worth more.
    """
    hands: tuple[list[int], list[int]] = ([], [])
    for card in sorted((card for card in hidden if card in now), key=lambda card: now[card][0]):
        seat = now[card][1]
        if len(hands[seat]) < sizes[seat]:
            hands[seat].append(card)
    for seat in (USSR, US):
        free = [card for card in hidden if card not in hands[USSR] and card not in hands[US]]
        free.sort(key=lambda card: harm(card, seat, now, later, most_ops[seat]))
        hands[seat].extend(free[: sizes[seat] - len(hands[seat])])
    return hands


def harm(
    card: int, seat: int, now: dict[int, tuple[int, int]], later: dict[int, tuple[int, int]], most_ops: int
) -> tuple[bool, bool, bool, int, int]:
    """How unfit a card is to fill a hand: a scoring card above all, then what is seen elsewhere; held cards come soon."""
    soon, other = later.get(card, (NEVER, seat))
    return (
        bool(KIND[card] == SCORING),
        bool(OPS[card] > most_ops),
        card in now,
        soon if other == seat else NEVER,
        card,
    )
