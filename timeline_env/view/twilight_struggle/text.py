"""A position of Twilight Struggle as text, for terminals."""

from __future__ import annotations

from typing import Any

from timeline_env.twilight_struggle import board, cards, state
from timeline_env.twilight_struggle.board import US, USSR
from timeline_env.view.canvas import BOLD, FAINT, Canvas, colour_text, for_terminal, wrap
from timeline_env.view.counts import count
from timeline_env.view.move import Move
from timeline_env.view.twilight_struggle import words
from timeline_env.view.twilight_struggle.words import controller

SIDES = ("1;38;5;196", "1;38;5;75")
"""Terminal colours of the USSR and the US."""
COLUMNS = (("europe", "south_america"), ("asia", "africa"), ("middle_east", "central_america"))
COLUMN_WIDTH = 33
MARKS = ("<", ">")
"""Beside the influence of the side that controls the country."""
KEY = "country, * battleground, stability, influence of USSR:US; < the USSR controls it, > the US does"


def to_ansi(rules: Any, s: Any, viewer: int | None = None, last: Move | None = None, colour: bool | None = None) -> str:
    """The position as text of at most 100 columns.

    Args:
        rules: the game's numbers, a record.
        s: the position, a record; it is only read.
        viewer: the seat whose hand is shown; None for nobody's.
        last: the move that led to the position; None where there was none.
        colour: whether to use the terminal's colour codes; None: if the standard output is a terminal.

    Raises:
        ValueError: there is no such seat.
    """
    told = None if last is None else words.last_move(rules, last, s, viewer)
    s, colour = words.copy_known(rules, s, viewer), for_terminal(colour)
    lines = [_map(s).text(colour), KEY, "", *wrap(f"Twilight Struggle, {words.time(s)}: {words.decision(s)}")]
    lines += [] if told is None else wrap(f"last: {told}")
    lines += wrap(f"VP {words.points(s)}  DEFCON {s.defcon}  {words.china(s)}  {words.piles(s)}")
    lines += [*_side(s, USSR, colour), *_side(s, US, colour)]
    lines += wrap(f"in effect: {_entry_list(words.lasting_events(s))}")
    lines += wrap(f"open: {_entry_list(words.open_cards(s))}")
    for name, place in _PILES.items():
        lines += wrap(f"{name}: {_titles(words.cards_in_place(s, place))}")
    if viewer is not None:
        lines += [
            f"hand of the {words.SIDE_NAMES[viewer]}:",
            *(_card_line(s, viewer, card) for card in words.hand(s, viewer)),
        ]
    return "\n".join(lines) + "\n"


_PILES = {"discarded": state.DISCARDS, "removed": state.REMOVED}


def _map(s: Any) -> Canvas:
    """The countries in columns, each of a few regions."""
    regions = {
        name: [c for c in range(board.COUNTRIES) if board.REGION[c] == place]
        for place, name in enumerate(board.REGION_NAMES)
    }
    height = max(sum(len(regions[name]) + 2 for name in names) for names in COLUMNS)
    canvas = Canvas(COLUMN_WIDTH * len(COLUMNS), height)
    for column, names in enumerate(COLUMNS):
        line = 0
        for name in names:
            canvas.put(column * COLUMN_WIDTH, line, name.replace("_", " ").upper(), BOLD)
            for offset, country in enumerate(regions[name], 1):
                _country(canvas, s, country, column * COLUMN_WIDTH, line + offset)
            line += len(regions[name]) + 2
    return canvas


def _country(canvas: Canvas, s: Any, country: int, left: int, line: int) -> None:
    """``West Germany       * 4   2: 4>``."""
    control = controller(s, country)
    style = SIDES[control] if control >= 0 else ""
    canvas.put(left, line, board.COUNTRY_NAMES[country], style)
    canvas.put(left + 20, line, "*" if board.BATTLEGROUND[country] else " ", BOLD)
    canvas.put(left + 22, line, str(board.STABILITY[country]), FAINT)
    influence = [int(n) for n in s.influence[:, country]]
    if any(influence):
        mark = [MARKS[side] if control == side else " " for side in (USSR, US)]
        canvas.put(left + 24, line, f"{mark[0]}{influence[0]:>2}:{influence[1]:<2}", style)
        canvas.put(left + 27 + len(f":{influence[1]}"), line, mark[1], style)


def _side(s: Any, seat: int, colour: bool) -> list[str]:
    """``> USSR  cards 7  military operations 2  space 1 (tried 0)``; > who decides. Below, the cards that are known."""
    sign = ">" if words.pending_question(s)[1] == seat else " "
    line = f"{sign} {words.SIDE_NAMES[seat]:5} cards {s.held[seat]}  military operations {s.milops[seat]}  "
    line += f"space {s.space[seat]} (tried {s.attempts[seat]})"
    known = words.known_cards(s, seat)
    where = " (in the hand, or the headline)" if s.headline[seat] == state.UNKNOWN else ""
    lines = [line] + (wrap(f"    known to the other side{where}: {_titles(known)}", 6) if known else [])
    return [colour_text(line, SIDES[seat] if colour else "") for line in lines]


def _entry_list(entries: list[tuple[int, str]]) -> str:
    return ", ".join(text for _, text in entries) or "-"


def _titles(numbers: list[int]) -> str:
    return ", ".join(map(words.card_title, numbers)) or "-"


def _card_line(s: Any, seat: int, card: int) -> str:
    known = ", known to the other side" if s.known[1 - seat, card] else ""
    worth = "scores" if cards.KIND[card] == cards.SCORING else count(cards.OPS[card], "Op")
    return f"  {worth:6}  {words.SIDE_NAMES[words.side_of(card)]:8}{words.card_title(card)}{known}"
