"""A position of Timeline as text: the field as hexagons of letters, then who decides, the track and the players.

Everything can be read without colour; colours only help the eye.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from timeline_env.engine.verbs import check_viewer
from timeline_env.timeline import board, state
from timeline_env.timeline.text import names
from timeline_env.view.canvas import BOLD, FAINT, GREEN, RED, Canvas, colour_text, for_terminal, wrap
from timeline_env.view.move import Move
from timeline_env.view.timeline import words
from timeline_env.view.timeline.face import NOBODY, UNCHOSEN, Face, face_in_hand, face_in_node, pending_question, radii

SEATS = ("38;5;220", "38;5;208", "38;5;75", "38;5;141", "38;5;247", "38;5;44")
"""Terminal colours of yellow, orange, blue, purple, grey, turquoise."""
RINGS = ("38;5;180", "38;5;108", "38;5;110", "38;5;103", "38;5;138")
TOP = 7
"""Letters on a cell's flat top; a cell is six lines high, each of them two letters wider towards the middle."""
PITCH = TOP + 3
MIDDLE = (board.RADII - 1) * PITCH, (board.RADII - 1) * 6
"""Left end and top line of the cell in the centre."""
EVERY_PAWN = "all"
"""Written in place of the letters of six pawns."""
ROW_LEFT = (3, 2, 1, 1, 2, 3)
"""Where the inside of each line of a cell begins."""
MARK_AT = ((3, 1), (6, 1), (6, 6), (3, 6), (0, 6), (0, 1))
"""For each direction: letters from the line's inside left, and the line, of the mark."""
EDGE_AT = ((7, 0), (10, 1), (12, 4), (7, 6), (0, 4), (2, 1))
"""For each direction: where the junction is written, from the cell's left end and the line above it."""
KEY = """
+ cause  - hindrance  1 to 4 on an edge: link so much stronger  = edges of the node being realized
beside a name: pawns  beside ✓ ✗: whose stance (y: yellow's, n: neutral), then impacts
(YB1: yellow and blue 1 each)  below: points, for whom if it occurs/if not
? before: flexible event  links: logistic event  first: original event
✓ occurred  ✗ did not  ∅ realized empty  time: ring by ring outward, each clockwise from its .0
"""
NAMES = {"logistic": "links", "original": "first"}
"""What is written in a cell for an event that scores nobody."""


def letter(seat: int) -> str:
    """A seat's letter: Y, O, B, P, G or T."""
    return names.COLOURS[seat].upper()


def to_ansi(rules: Any, s: Any, viewer: int | None = None, last: Move | None = None, colour: bool | None = None) -> str:
    """The position as text of at most 100 columns.

    Args:
        rules: the game's numbers, a record.
        s: the position, a record; it is only read.
        viewer: the seat whose hand is listed; None for nobody's.
        last: the move that led to the position; None where there was none.
        colour: whether the text bears the terminal's colour codes; None: if the standard output is a terminal.

    Raises:
        ValueError: there is no such seat.
    """
    check_viewer(rules, viewer)
    colour = for_terminal(colour)
    lines = [_field(rules, s).text(colour), KEY, f"Timeline, {words.time(rules, s)}: {words.decision(s)}"]
    if last is not None:
        nodes = " ".join(names.NODE_NAMES[node] for node in words.changed_nodes(rules, last.before, s))
        lines += wrap(f"last: {words.last_move(rules, last)}; changed: {nodes or 'no node'}")
    lines += [*wrap(f"{_track(rules, s)}  {words.piles(rules, s)}"), *_players(rules, s, colour)]
    if viewer is not None:
        lines.append(f"hand of {state.SEAT_NAMES[viewer]}:")
        lines += [line for card in words.hand(s, viewer) for line in wrap(_card_line(rules, card), 6)]
    return "\n".join(lines) + "\n"


def _field(rules: Any, s: Any) -> Canvas:
    # All edges first: what a card bears on its edges is written over them.
    canvas = _empty_field().copy()
    if s.realizing >= 0:
        _realization(canvas, int(s.realizing))
    _junctions(canvas, s)
    _pawns(canvas, rules, s)
    for node in np.flatnonzero(s.event).tolist():
        _event(canvas, rules, s, node)
    for node in np.flatnonzero((s.realized != 0) & (s.event == 0)).tolist():
        left, top = _corner(node)
        canvas.put(left + 6, top + 3, "∅", FAINT)
    return canvas


def _corner(node: int) -> tuple[int, int]:
    """Where a node's cell begins."""
    q, r = board.COORDINATES[node]
    return MIDDLE[0] + PITCH * q, MIDDLE[1] + 6 * r + 3 * q


@functools.cache
def _empty_field() -> Canvas:
    """What is the same in all positions: edges and names."""
    canvas = Canvas(9 * PITCH + 3, 9 * 6 + 1)
    for node in range(board.NODES):
        _outline(canvas, node)
    for node in range(board.NODES):
        left, top = _corner(node)
        canvas.put(left + ROW_LEFT[1], top + 2, names.NODE_NAMES[node], FAINT)
    return canvas


def _outline(canvas: Canvas, node: int) -> None:
    """Draw the edges of a node's cell."""
    left, top = _corner(node)
    ring = RINGS[board.RADIUS[node]]
    canvas.put(left + 3, top, "_" * TOP, ring)
    canvas.put(left + 3, top + 6, "_" * TOP, ring)
    for line in range(3):
        canvas.put(left + 2 - line, top + 1 + line, "/", ring)
        canvas.put(left + TOP + 3 + line, top + 1 + line, "\\", ring)
        canvas.put(left + line, top + 4 + line, "\\", ring)
        canvas.put(left + TOP + 5 - line, top + 4 + line, "/", ring)


def _realization(canvas: Canvas, node: int) -> None:
    """Draw other edges above and below the node that is being realized."""
    left, top = _corner(node)
    for line in (top, top + 6):
        canvas.put(left + 3, line, "=" * TOP, BOLD)


def _junctions(canvas: Canvas, s: Any) -> None:
    """The reinforcements, on the edges."""
    for node, direction in np.argwhere(s.reinforcement.T).tolist():
        (left, top), (x, y) = _corner(node), EDGE_AT[direction]
        canvas.put(left + x, top + y, str(s.reinforcement[direction, node]), BOLD)


def _pawns(canvas: Canvas, rules: Any, s: Any) -> None:
    """The letters of those who stand in a node, at the right."""
    standing: dict[int, list[int]] = {}
    for seat, node in enumerate(s.pawn[: rules.num_players].tolist()):
        standing.setdefault(node, []).append(seat)
    for node, seats in standing.items():
        left, top = _corner(node)
        right = left + ROW_LEFT[1] + TOP + 2
        if len(seats) == state.MAX_PLAYERS:  # too many letters next to a long name
            canvas.put(right - len(EVERY_PAWN), top + 2, EVERY_PAWN, BOLD)
        else:
            for place, seat in enumerate(seats, right - len(seats)):
                canvas.put(place, top + 2, letter(seat), SEATS[seat])


def _event(canvas: Canvas, rules: Any, s: Any, node: int) -> None:
    left, top = _corner(node)
    face = face_in_node(s, node)
    for direction, mark in enumerate(face.marks):
        if mark:
            x, line = MARK_AT[direction]
            canvas.put(left + 3 + x, top + line, "+" if mark > 0 else "-", GREEN if mark > 0 else RED)
    outcome = int(s.outcome[node])
    if outcome:
        word, style = ("✓ occurred", GREEN) if outcome > 0 else ("✗ did not", RED)
        canvas.put(left + ROW_LEFT[2], top + 3, word, style)
    else:
        _tokens(canvas, rules, s, node, left + ROW_LEFT[2], top + 3)
    canvas.put(left + ROW_LEFT[4], top + 5, "?" * face.flexible + _worth(face))


def _tokens(canvas: Canvas, rules: Any, s: Any, node: int, left: int, line: int) -> None:
    """Two lines of up to 11 letters: beside ✓ and beside ✗ whose stance it is, and the impacts, equal ones together."""
    organizers = np.flatnonzero(s.organizer[:, node])
    owner = names.COLOURS[organizers[0]] if len(organizers) else "n"
    for row, (sign, way, style) in enumerate((("✓", 1, GREEN), ("✗", -1, RED))):
        canvas.put(left, line + row, sign, style)
        canvas.put(left + 1, line + row, owner if s.stance[node] == way else " ", BOLD)
        at = left + 2
        impacts = [way * int(s.impact[seat, node]) for seat in range(rules.num_players)]
        for value in sorted({impact for impact in impacts if impact > 0}):
            for seat in (seat for seat, impact in enumerate(impacts) if impact == value):
                canvas.put(at, line + row, letter(seat), SEATS[seat])
                at += 1
            canvas.put(at, line + row, str(value))
            at += 1


def _worth(face: Face) -> str:
    """Points and both arcs: ``+2Y/B``, ``-`` for an empty arc, ``?`` for one yet to be chosen; or the name of an event that scores nobody."""
    if not face.worth:
        return NAMES.get(face.name, face.name)
    letters = {NOBODY: "-", UNCHOSEN: "?"}
    return f"{face.worth:+d}" + "/".join(letters.get(seat) or letter(seat) for seat in face.arcs)


def _track(rules: Any, s: Any) -> str:
    """T4: a dot for each round, # for the marker."""
    here, place, phases = words.horizon(rules, s), 0, []
    for phase, rounds in enumerate([*map(int, rules.rounds), 1]):
        marks = "".join("#" if place + i == here else "." for i in range(rounds))
        phases.append(f"{'end' if phase == board.RADII else phase} [{marks}]")
        place += rounds
    return "horizon: " + "  ".join(phases)


def _players(rules: Any, s: Any, colour: bool) -> list[str]:
    """A table of the players: > for the one who decides, 1st for the one who began the round."""
    kind, deciding = pending_question(s)
    row = "{:2}{:12}{:3}{:>7}{:>7}{:>4}{:>6}  {}"
    lines = [row.format("", "player", "", "points", "energy", "AU", "cards", "").rstrip()]
    for seat in range(rules.num_players):
        cells = [
            ">" if seat == deciding else "",
            f"{letter(seat)} {state.SEAT_NAMES[seat]}",
            "1st" if seat == words.first_of_round(rules, s) else "",
            s.points[seat],
            s.energy[seat],
            s.au if seat == deciding and kind == state.TURN else "-",
            s.held[seat],
            "; ".join(told for told in (*_possessions(s, seat), words.pledge(s, seat)) if told),
        ]
        shown = wrap(row.format(*map(str, cells)), len(row.format(*[""] * 8)))
        lines += [colour_text(line, SEATS[seat] if colour else "") for line in shown]
    return lines


def _possessions(s: Any, seat: int) -> list[str]:
    return [f"{what}: {', '.join(things)}" for what, things in words.possessions(s, seat).items() if things]


def _card_line(rules: Any, card: int) -> str:
    """One line for a card: what it scores, its marks by direction, where it can be organized, its signs."""
    face = face_in_hand(rules, card)
    marks = [
        f"{names.COMPASS[direction]}{'+' if mark > 0 else '-'}{'forward' if face.forward[direction] else 'back'}"
        for direction, mark in enumerate(face.marks)
        if mark
    ]
    signs = ["linked circles"] * int(rules.linked[card]) + ["artifact"] * int(rules.gives_artifact[card])
    name = [face.name] * (face.name != "event") + [_worth(face)] * (face.worth != 0)
    where = "".join(map(str, radii(rules, card)))
    return f"  {' '.join(name):16} radii {where:5} {', '.join(marks) or 'no marks':44} {', '.join(signs)}".rstrip()
