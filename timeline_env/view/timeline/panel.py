"""Draws the panel next to the field: who decides, the horizon track, the players."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from timeline_env.timeline import state
from timeline_env.view.shapes import Circle, Data, Line, Polygon, Shape, label, rectangle, shift
from timeline_env.view.timeline import palette, words
from timeline_env.view.timeline.face import pending_question
from timeline_env.view.timeline.geometry import FIELD_WIDTH

LEFT, WIDTH = FIELD_WIDTH, 420.0
RIGHT = LEFT + WIDTH
TRACK_TOP, TRACK_HEIGHT, BOX, GAP = 112.0, 24.0, 24.0, 6.0
PLAYERS_TOP, ROW_HEIGHT = 196.0, 92.0
_FLAG = ((-5.0, 8.0), (-5.0, -8.0), (7.0, -4.0), (-4.0, 0.0))


def draw_panel(rules: Any, s: Any) -> Iterator[Shape]:
    """Everything in the panel but the hand."""
    yield from _heading(rules, s)
    yield from _track(rules, s)
    for seat in range(rules.num_players):
        yield from _player(rules, s, seat, PLAYERS_TOP + seat * ROW_HEIGHT)
    yield label("piles", (LEFT, players_bottom(rules) + 12), words.piles(rules, s), 12, palette.FAINT)


def draw_last(told: str) -> Shape:
    """What was decided last; what it changed is ringed on the field."""
    return label("last", (LEFT, 97), f"last (ringed): {told}", 12.5, palette.FAINT)


def players_bottom(rules: Any) -> float:
    """Where the rows of the players end."""
    return PLAYERS_TOP + ROW_HEIGHT * int(rules.num_players)


def _heading(rules: Any, s: Any) -> Iterator[Shape]:
    seat = pending_question(s)[1]
    yield label("title", (LEFT, 34), "Timeline", 24)
    yield label("time", (RIGHT, 36), words.time(rules, s), 15, palette.FAINT, "end")
    if seat >= 0:
        colour = palette.SEATS[seat]
        yield Circle(
            kind="decider", data={"seat": seat}, centre=(LEFT + 9, 74), radius=8, fill=colour, stroke=palette.INK
        )
    yield label("decision", (LEFT + (26 if seat >= 0 else 0), 74), words.decision(s), 14.5)


def _track(rules: Any, s: Any) -> Iterator[Shape]:
    """T4: a box for each round, in its phase's colour, and the marker; the last, white box is the end of the game."""
    counts = [*(int(rounds) for rounds in rules.rounds), 1]
    here = words.horizon(rules, s)
    width = min(BOX, (WIDTH - GAP * len(counts)) / sum(counts))
    left, place = LEFT, 0
    for phase, rounds in enumerate(counts):
        last = phase == len(counts) - 1
        name = "end" if last else f"{phase}"
        yield label(
            "phase", (left + rounds * width / 2, TRACK_TOP + TRACK_HEIGHT + 12), name, 12, palette.FAINT, "middle"
        )
        for _ in range(rounds):
            corners = rectangle(left, TRACK_TOP, width, TRACK_HEIGHT)
            tint = palette.EMPTY if last else palette.RINGS[phase]
            yield Polygon(kind="round", data={"phase": name}, points=corners, fill=tint, stroke=palette.FAINT)
            if place == here:
                at = (left + width / 2, TRACK_TOP + TRACK_HEIGHT / 2)
                yield Circle(
                    kind="marker", data={"round": here}, centre=at, radius=min(8.0, width / 2), fill=palette.INK
                )
            left, place = left + width, place + 1
        left += GAP
    yield Line(kind="rule", points=((LEFT, 172), (RIGHT, 172)), stroke=palette.LINE)


def _player(rules: Any, s: Any, seat: int, top: float) -> Iterator[Shape]:
    """What everybody knows of a player (T30: the flexible events in hand are open)."""
    deciding = pending_question(s)[1]
    data: Data = {"seat": seat}
    yield Polygon(
        kind="player",
        data=data,
        points=rectangle(LEFT, top, WIDTH, ROW_HEIGHT - 8),
        fill=palette.CARD,
        stroke=palette.INK if seat == deciding else palette.LINE,
        width=2.2 if seat == deciding else 1,
    )
    yield Polygon(kind="colour", data=data, points=rectangle(LEFT, top, 10, ROW_HEIGHT - 8), fill=palette.SEATS[seat])
    yield from _numbers(rules, s, seat, top, data)
    for place, (what, things) in enumerate(words.possessions(s, seat).items()):
        height = top + 41 + 15.5 * place
        colour = palette.INK if things else palette.FAINT
        yield label("unit", (LEFT + 22, height), what, 12, palette.FAINT)
        yield label(what, (LEFT + 84, height), ", ".join(things) or "none", 12.5, colour, data=data)
    if told := words.pledge(s, seat):
        yield from _pledge(s, seat, told, top + 72, data)


def _pledge(s: Any, seat: int, told: str, height: float, data: Data) -> Iterator[Shape]:
    """T28: whom the player has pledged to name, with their colour."""
    named = int(s.pledge[seat])
    yield label("pledge", (RIGHT - 26, height), told, 12.5, anchor="end", data=data | {"named": named})
    yield Circle(
        kind="pledged", data=data, centre=(RIGHT - 15, height), radius=6, fill=palette.SEATS[named], stroke=palette.INK
    )


def _numbers(rules: Any, s: Any, seat: int, top: float, data: Data) -> Iterator[Shape]:
    """The first line of a player."""
    kind, deciding = pending_question(s)
    yield label("name", (LEFT + 22, top + 19), state.SEAT_NAMES[seat], 17, data=data)
    if seat == words.first_of_round(rules, s):
        at = (LEFT + 128, top + 18)
        yield Polygon(kind="first", data=data, points=shift(at, _FLAG), fill=palette.POINTER, stroke=palette.INK)
    yield label("points", (RIGHT - 66, top + 20), str(s.points[seat]), 24, anchor="end", data=data)
    yield label("unit", (RIGHT - 58, top + 23), "points", 13, palette.FAINT)
    units = f", AU {s.au}" if seat == deciding and kind == state.TURN else ""
    counts = f"energy {s.energy[seat]}, cards {s.held[seat]}{units}"
    yield label("energy", (LEFT + 150, top + 20), counts, 13.5, data=data)
