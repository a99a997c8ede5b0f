"""Hands for a recorded game: the log shows cards only when they are used, so the hands are made up to fit what follows.

Where cards lie openly, the engine and the real game agree; so the cards in both hands and in the draw pile are together
the same ones, and only how they are divided is unknown. Each hand gets the cards that the log shows in it next, and is
filled up with cards that harm nobody. It is divided again at every phase.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from timeline_env.twilight_struggle import cards
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.twilight_struggle.recorded import comparison, entries
from timeline_env.twilight_struggle.recorded.page import Book, Page

NEVER = 10**6
First = dict[int, tuple[int, int]]
"""card: (how soon, seat) of the first time it comes out of a hand."""


def revealed_cards(phase_entries: Iterable[entries.Entry]) -> Iterator[tuple[int, int]]:
    """(card, seat) for each card that comes out of a hand, in order."""
    event = 0
    for entry in phase_entries:
        if isinstance(entry, entries.Event):
            event = entry.card
        if isinstance(entry, entries.Headline):
            yield entry.card, comparison.SEATS[entry.side]
        elif isinstance(entry, entries.ActionRound):
            if entry.card not in (None, cards.CHINA):
                yield entry.card, comparison.SEATS[entry.side]
        elif (
            (isinstance(entry, entries.Reveal) and event != cards.SALT)
            or (isinstance(entry, entries.Discard) and event != cards.OUR_MAN_IN_TEHRAN)
            or isinstance(entry, entries.Plays)
        ):
            yield entry.card, comparison.SEATS[entry.side]


def find_revealed(page: Page) -> Iterator[tuple[int, int]]:
    """`revealed_cards` of what is still to come on a page; an event may be under way."""
    if page.is_fresh and page.header is not None:
        yield from revealed_cards([page.header])
    begun = [page.lines[page.begun].entry] if page.lines else []
    yield from revealed_cards(begun + [line.entry for _, line in page.open_lines()])


def first_reveals(ahead: Iterable[tuple[int, int]]) -> First:
    """When and where each card comes out of a hand first."""
    first: First = {}
    for soon, (card, seat) in enumerate(ahead):
        first.setdefault(card, (soon, seat))
    return first


def find_coming(book: Book) -> tuple[First, First]:
    """What comes out of the hands in the rest of this turn, and in the turns after it."""
    now: list[tuple[int, int]] = []
    later: list[tuple[int, int]] = []
    rest = now
    for number in range(book.now, len(book.pages)):
        page = book.pages[number]
        if number > book.now and isinstance(page.header, entries.HeadlinePhase):
            rest = later
        rest += find_revealed(page)
    return first_reveals(now), first_reveals(later)


def divide(
    hidden: list[int],
    sizes: tuple[int, int],
    now: First,
    later: First,
    most_ops: int,
) -> tuple[list[int], list[int]]:
    """Hands of the given sizes out of the hidden cards.

    Args:
        hidden: the cards of both hands and the draw pile.
        sizes: how many cards each seat holds.
        now: what comes out of the hands in this turn, see `first_reveals`.
        later: the same for the turns after it.
        most_ops: no card that only fills a hand should be worth more.
    """
    hands: tuple[list[int], list[int]] = ([], [])
    for card in sorted((card for card in hidden if card in now), key=lambda card: now[card][0]):
        seat = now[card][1]
        if len(hands[seat]) < sizes[seat]:
            hands[seat].append(card)
    for seat in (USSR, US):
        free = [card for card in hidden if card not in hands[USSR] and card not in hands[US]]
        free.sort(key=lambda card: harm(card, seat, now, later, most_ops))
        hands[seat].extend(free[: sizes[seat] - len(hands[seat])])
    return hands


def harm(card: int, seat: int, now: First, later: First, most_ops: int) -> tuple[bool, bool, bool, int, int]:
    """How unfit a card is to fill a hand: scoring cards most, then those worth too much, then those shown this turn; among the rest,
    the sooner this hand shows a card, the fitter it is."""
    soon, other = later.get(card, (NEVER, seat))
    is_scoring, is_too_high = bool(cards.KIND[card] == cards.SCORING), bool(cards.OPS[card] > most_ops)
    return is_scoring, is_too_high, card in now, soon if other == seat else NEVER, card
