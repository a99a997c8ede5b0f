"""The text shows what the record says, where it belongs, without colour too."""

from __future__ import annotations

import re

import numpy as np

from timeline_env import view
from timeline_env.timeline import SEAT_NAMES
from timeline_env.timeline.board import FIRST, NEIGHBOUR, NODES, RADIUS

MARK_FROM_NAME = ((5, -1), (10, -1), (10, 4), (5, 4), (1, 4), (1, -1))
"""Letters to the right and lines down from a node's name, for each direction."""
JUNCTION_FROM_NAME = ((6, -2), (11, -1), (13, 2), (6, 4), (-2, 2), (0, -1))


def board(rules, s):
    """The lines of the field, and the place (line, column) of each node's name."""
    lines = [line.ljust(130) for line in view.to_ansi(rules, s, colour=False).split("\n\n")[0].split("\n")]
    places = {}
    for node in range(NODES):
        name = f"{RADIUS[node]}.{node - FIRST[RADIUS[node]]} "
        found = [
            (y, m.start() - (s.realizing == node))
            for y, line in enumerate(lines)
            for m in re.finditer(re.escape(name), line)
        ]
        assert len(found) == 1, name
        places[node] = found[0]
    return lines, places


def test_names_lie_as_the_nodes_do(six):
    _, places = board(*six)
    steps = ((-6, 0), (-3, 13), (3, 13), (6, 0), (3, -13), (-3, -13))
    for node, direction in np.argwhere(NEIGHBOUR >= 0):
        here, there = places[int(node)], places[int(NEIGHBOUR[node, direction])]
        assert (there[0] - here[0], there[1] - here[1]) == steps[direction]


def test_marks_and_reinforcements_stand_on_their_edges(table):
    rules, seen = table
    for s in seen:
        lines, places = board(rules, s)
        for node, (y, x) in places.items():
            for direction, (right, down) in enumerate(MARK_FROM_NAME):
                mark = int(s.mark[direction, node])
                letter = lines[y + down][x + right]
                assert letter == {1: "+", -1: "-"}[mark] if mark else letter not in "+-"
            for direction, (right, down) in enumerate(JUNCTION_FROM_NAME):
                strength = int(s.reinforcement[direction, node])
                letter = lines[y + down][x + right]
                assert letter == str(strength) if strength else letter in "_/\\"


def test_pawns_impacts_and_outcomes_stand_in_their_nodes(table):
    rules, seen = table
    initials = [name[0].upper() for name in SEAT_NAMES]
    for s in seen:
        lines, places = board(rules, s)
        for node, (y, x) in places.items():
            pawns = [initials[seat] for seat in range(rules.num_players) if s.pawn[seat] == node]
            assert ("@" + "".join(pawns) if pawns else "") == lines[y][x : x + 12].partition("@")[1] + lines[y][
                x : x + 12
            ].partition("@")[2]
            if s.realized[node] and not s.event[node]:
                assert "∅" in lines[y + 1][x : x + 12]
            if s.outcome[node] and s.realizing != node:
                assert ("occurred" if s.outcome[node] > 0 else "did not occur") in lines[y + 1][x - 1 : x + 13]
            elif s.event[node]:
                for row, (sign, way) in enumerate((("✓", 1), ("✗", -1))):
                    impacts = "".join(
                        f"{initials[i]}{abs(s.impact[i, node])}" for i in range(6) if s.impact[i, node] * way > 0
                    )
                    expected = sign + ("*" if s.stance[node] == way else " ") + impacts
                    assert lines[y + 1 + row][x - 1 : x + 13].rstrip() == expected.rstrip()


def test_the_table_says_each_players_points_and_energy(table):
    rules, seen = table
    for s in seen:
        text = view.to_ansi(rules, s, colour=False)
        for seat in range(rules.num_players):
            (line,) = [line for line in text.splitlines() if re.match(rf"[> ] [A-Z] {SEAT_NAMES[seat]} ", line)]
            numbers = [int(word) for word in line.split() if re.fullmatch(r"-?\d+", word)]
            assert numbers[:2] == [s.points[seat], s.energy[seat]]
            assert ("1st" in line) == (seat == s.first)
            assert line.startswith(">") == (s.depth > 0 and s.question[s.depth - 1, 1] == seat)


def test_colours_only_add_codes(table):
    rules, seen = table
    for s in seen[::7]:
        coloured = view.to_ansi(rules, s, viewer=1)
        assert "\x1b[" in coloured
        assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == view.to_ansi(rules, s, viewer=1, colour=False)
