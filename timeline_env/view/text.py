"""A position of Timeline as text: the field as hexagons of letters, then who decides, the track and the players.

Everything can be read without colour; colours only help the eye.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from timeline_env.engine.verbs import check_viewer
from timeline_env.timeline.board import COORDINATES, DIRECTIONS, NODES, RADII, RADIUS
from timeline_env.timeline.names import COLOURS, COMPASS, NODE_NAMES
from timeline_env.timeline.state import SEAT_NAMES, TURN
from timeline_env.view import words
from timeline_env.view.canvas import BOLD, FAINT, GREEN, RED, RINGS, SEATS, Canvas, coloured
from timeline_env.view.face import NOBODY, UNCHOSEN, Face, asked, held, lying, radii

TOP = 10
"""Letters on a cell's flat top; a cell is six lines high, each of them two letters wider towards the middle."""
PITCH = TOP + 3
MIDDLE = (RADII - 1) * PITCH, (RADII - 1) * 6
"""Left end and top line of the cell in the centre."""
ROW_LEFT = (3, 2, 1, 1, 2, 3)
"""Where the inside of each line of a cell begins."""
MARK_AT = ((4, 1), (9, 1), (9, 6), (4, 6), (0, 6), (0, 1))
"""For each direction: letters from the line's inside left, and the line, of the mark."""
EDGE_AT = ((8, 0), (13, 1), (15, 4), (8, 6), (0, 4), (2, 1))
"""For each direction: where the junction is written, from the cell's left end and the line above it."""
KEY = (
    "\n+ cause  - hindrance  1 2 on an edge: link stronger by so much  @ pawns  > node being realized  ∅ realized empty\n"
    "beside ✓ ✗: * stance, then impacts (Y3: yellow's 3)  below: points if it occurs/if not, *whose stance (N neutral), =outcome\n"
)


def letter(seat: int) -> str:
    """A seat's letter: Y, O, B, P, G or T."""
    return COLOURS[seat].upper()


def to_ansi(rules: Any, s: Any, viewer: int | None = None, colour: bool = True) -> str:
    """The position as text of about 120 columns.

    Args:
        rules: the game's numbers, a record.
        s: the position, a record; it is only read.
        viewer: the seat whose hand is listed; None for nobody's.
        colour: whether the text bears the terminal's colour codes.

    Raises:
        ValueError: there is no such seat.
    """
    check_viewer(rules, viewer)
    canvas = Canvas(9 * PITCH + 3, 9 * 6 + 1)
    # All edges first: what a card bears on its edges is written over them.
    for draw in (_outline, _cell):
        for node in range(NODES):
            q, r = COORDINATES[node]
            draw(canvas, rules, s, node, MIDDLE[0] + PITCH * q, MIDDLE[1] + 6 * r + 3 * q)
    lines = [canvas.text(colour), KEY, f"Timeline, {words.time(rules, s)}: {words.decision(s)}"]
    lines += [f"{_track(rules, s)}  {words.piles(rules, s)}", *_players(rules, s, colour)]
    if viewer is not None:
        lines += [f"hand of {SEAT_NAMES[viewer]}:", *(_held_card(rules, card) for card in words.hand(s, viewer))]
    return "\n".join(lines) + "\n"


def _cell(canvas: Canvas, rules: Any, s: Any, node: int, left: int, top: int) -> None:
    """What a node holds; its cell's corner is at (left, top)."""
    name = (">" if s.realizing == node else "") + NODE_NAMES[node]
    canvas.put(left + ROW_LEFT[1], top + 2, name, FAINT)
    pawns = [seat for seat in range(rules.num_players) if s.pawn[seat] == node]
    if pawns:
        at = left + ROW_LEFT[1] + 12 - len(pawns)
        canvas.put(at - 1, top + 2, "@")
        for place, seat in enumerate(pawns):
            canvas.put(at + place, top + 2, letter(seat), SEATS[seat])
    if s.event[node]:
        _event(canvas, rules, s, node, left, top)
    elif s.realized[node]:
        canvas.put(left + 8, top + 3, "∅", FAINT)


def _outline(canvas: Canvas, rules: Any, s: Any, node: int, left: int, top: int) -> None:
    """The edges, and on them the reinforcements."""
    ring = RINGS[RADIUS[node]]
    canvas.put(left + 3, top, "_" * TOP, ring)
    canvas.put(left + 3, top + 6, "_" * TOP, ring)
    for line in range(3):
        canvas.put(left + 2 - line, top + 1 + line, "/", ring)
        canvas.put(left + TOP + 3 + line, top + 1 + line, "\\", ring)
        canvas.put(left + line, top + 4 + line, "\\", ring)
        canvas.put(left + TOP + 5 - line, top + 4 + line, "/", ring)
    for direction in range(DIRECTIONS):
        if s.reinforcement[direction, node]:
            x, y = EDGE_AT[direction]
            canvas.put(left + x, top + y, str(s.reinforcement[direction, node]), BOLD)


def _event(canvas: Canvas, rules: Any, s: Any, node: int, left: int, top: int) -> None:
    face = lying(s, node)
    for direction, mark in enumerate(face.marks):
        if mark:
            x, line = MARK_AT[direction]
            canvas.put(left + 3 + x, top + line, "+" if mark > 0 else "-", GREEN if mark > 0 else RED)
    outcome = int(s.outcome[node])
    if outcome and s.realizing != node:
        word, style = ("occurred", GREEN) if outcome > 0 else ("did not occur", RED)
        canvas.put(left + 8 - len(word) // 2, top + 3, word, style)
    else:
        _tokens(canvas, rules, s, node, left + ROW_LEFT[2], top + 3)
    organizers = np.flatnonzero(s.organizer[:, node])
    stance = "*" + (letter(organizers[0]) if len(organizers) else "N") if s.stance[node] else ""
    canvas.put(left + ROW_LEFT[4], top + 5, _worth(face) + stance + {1: "=✓", 0: "", -1: "=✗"}[outcome])


def _tokens(canvas: Canvas, rules: Any, s: Any, node: int, left: int, line: int) -> None:
    """Two lines of up to 14 letters: beside ✓ and beside ✗ the stance and the impacts."""
    for row, (sign, way, style) in enumerate((("✓", 1, GREEN), ("✗", -1, RED))):
        canvas.put(left, line + row, sign, style)
        canvas.put(left + 1, line + row, "*" if s.stance[node] == way else " ")
        seats = [seat for seat in range(rules.num_players) if s.impact[seat, node] * way > 0]
        for place, seat in enumerate(seats):
            token = f"{letter(seat)}{abs(int(s.impact[seat, node]))}"
            canvas.put(left + 2 + 2 * place, line + row, token, SEATS[seat])


def _worth(face: Face) -> str:
    """Both arcs: ``Y+2/B+2``, ``-`` for an empty arc, ``?`` for one yet to be chosen; or the name of an event that scores nobody."""
    if not face.worth:
        return face.name
    names = {NOBODY: "-", UNCHOSEN: f"?{face.worth:+d}"}
    return "/".join(names.get(seat) or f"{letter(seat)}{face.worth:+d}" for seat in face.arcs)


def _track(rules: Any, s: Any) -> str:
    """T4: a dot a round, # for the marker."""
    here, place, phases = words.horizon(rules, s), 0, []
    for phase, rounds in enumerate([*map(int, rules.rounds), 1]):
        marks = "".join("#" if place + i == here else "." for i in range(rounds))
        phases.append(f"{'end' if phase == RADII else phase} [{marks}]")
        place += rounds
    return "horizon: " + "  ".join(phases)


def _players(rules: Any, s: Any, colour: bool) -> list[str]:
    """A table; > whose decision it is, 1st who began the round."""
    kind, deciding = asked(s)
    row = "{:2}{:13}{:4}{:>7}{:>8}{:>4}{:>7}  {:32}{:28}{}"
    lines = [row.format("", "player", "", "points", "energy", "AU", "cards", "flexible", "artifacts", "notes")]
    for seat in range(rules.num_players):
        cells = [
            ">" if seat == deciding else "",
            f"{letter(seat)} {SEAT_NAMES[seat]}",
            "1st" if seat == s.first else "",
            s.points[seat],
            s.energy[seat],
            s.au if seat == deciding and kind == TURN else "-",
            s.held[seat],
            *(", ".join(things) or "-" for things in words.possessions(s, seat).values()),
        ]
        lines.append(coloured(row.format(*map(str, cells)), SEATS[seat] if colour else ""))
    return lines


def _held_card(rules: Any, card: int) -> str:
    """One line: what it scores, its marks by direction, where it can be organized, its signs."""
    face = held(rules, card)
    marks = [
        f"{COMPASS[direction]}{'+' if mark > 0 else '-'}{'forward' if face.forward[direction] else 'back'}"
        for direction, mark in enumerate(face.marks)
        if mark
    ]
    signs = ["linked circles"] * int(rules.linked[card]) + ["artifact"] * int(rules.gives_artifact[card])
    name = f"{face.name} " if face.worth and face.name != "event" else ""
    where = "".join(map(str, radii(rules, card)))
    return f"  {name + _worth(face):18} radii {where:5} {', '.join(marks) or 'no marks':44} {', '.join(signs)}".rstrip()
