"""The text shows what the record says, where it belongs, without colour too."""

from __future__ import annotations

import re
import sys

import numpy as np

from tests.view.pictures import Picture
from timeline_env import view
from timeline_env.engine import record
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.play.timeline import panels
from timeline_env.timeline import GAME
from timeline_env.timeline.board import NEIGHBOUR, NODES
from timeline_env.timeline.state import ATTACKING, LOGISTIC, SEAT_NAMES, SUPPORTING
from timeline_env.timeline.text.names import NODE_NAMES

MARK_FROM_NAME = ((4, -1), (7, -1), (7, 4), (4, 4), (1, 4), (1, -1))
"""Letters to the right and lines down from a node's name, for each direction."""
JUNCTION_FROM_NAME = ((5, -2), (8, -1), (10, 2), (5, 4), (-2, 2), (0, -1))


def board(rules, s):
    """The lines of the field, and the place (line, column) of each node's name."""
    lines = [line.ljust(130) for line in view.to_ansi(rules, s, colour=False).split("\n\n")[0].split("\n")]
    places = {}
    for node in range(NODES):
        name = re.compile("/" + re.escape(NODE_NAMES[node]) + r"(?!\d)")  # right of its cell's edge
        found = [(y, match.start() + 1) for y, line in enumerate(lines) for match in name.finditer(line)]
        assert len(found) == 1, name
        places[node] = found[0]
    return lines, places


def test_names_lie_as_the_nodes_do(six):
    _, places = board(*six)
    steps = ((-6, 0), (-3, 10), (3, 10), (6, 0), (3, -10), (-3, -10))
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
                assert letter == str(strength) if strength else letter in "_=/\\"


def test_pawns_impacts_and_outcomes_stand_in_their_nodes(table):
    rules, seen = table
    initials = [name[0].upper() for name in SEAT_NAMES]
    for s in seen:
        lines, places = board(rules, s)
        for node, (y, x) in places.items():
            name = NODE_NAMES[node]
            pawns = "".join(initials[seat] for seat in range(rules.num_players) if s.pawn[seat] == node)
            assert lines[y][x : x + 9] == name + ("all" if len(pawns) == 6 else pawns).rjust(9 - len(name))
            if s.realized[node] and not s.event[node]:
                assert lines[y + 1][x - 1 : x + 10].strip() == "∅"
            if s.outcome[node]:
                assert lines[y + 1][x - 1 : x + 9] == ("✓ occurred" if s.outcome[node] > 0 else "✗ did not ")
            elif s.event[node]:
                owner = [*np.flatnonzero(s.organizer[:, node])]
                for row, (sign, way) in enumerate((("✓", 1), ("✗", -1))):
                    stance = (initials[owner[0]].lower() if owner else "n") if s.stance[node] == way else " "
                    impacts = "".join(
                        "".join(initials[i] for i in range(6) if s.impact[i, node] * way == value) + str(value)
                        for value in sorted({int(v) for v in s.impact[:, node] * way if v > 0})
                    )
                    assert lines[y + 1 + row][x - 1 : x + 10].rstrip() == (sign + stance + impacts).rstrip()


def test_points_and_for_whom_stand_below_the_impacts(table):
    rules, seen = table
    for s in seen:
        lines, places = board(rules, s)
        for node in np.flatnonzero(s.event):
            y, x = places[int(node)]
            told = lines[y + 3][x : x + 9].rstrip()
            assert told.startswith("?") == (s.card[node] in (ATTACKING, SUPPORTING, LOGISTIC))
            told = told.removeprefix("?")
            scores = [[*np.flatnonzero(arc[:, node])] for arc in (s.if_yes, s.if_no)]
            if any(scores):
                worth = next(
                    arc[seats[0], node] for arc, seats in zip((s.if_yes, s.if_no), scores, strict=True) if seats
                )
                names = "/".join("YOBPGT"[seats[0]] if seats else "-" for seats in scores)
                assert told.replace("?", "-") == f"{worth:+d}{names}"


def test_the_edges_of_the_node_being_realized_are_marked(six):
    rules, s = six[0], record.make_readable(np.array([six[1]]))[0]
    for realizing in (-1, 0, 7, 30):
        s.realizing = realizing
        lines, places = board(rules, s)
        marked = {
            node for node, (y, x) in places.items() for edge in (y - 2, y + 4) if "=" in lines[edge][x + 1 : x + 8]
        }
        assert marked == ({realizing, NEIGHBOUR[realizing, 0], NEIGHBOUR[realizing, 3]} if realizing >= 0 else set())


def test_no_line_is_longer_than_a_hundred_columns(table):
    rules, seen = table
    for s in seen:
        for viewer in range(rules.num_players):
            assert max(map(len, view.to_ansi(rules, s, viewer, colour=False).splitlines())) <= 100


def test_the_table_says_each_players_points_and_energy(table):
    rules, seen = table
    for s in seen:
        text = view.to_ansi(rules, s, colour=False)
        for seat in range(rules.num_players):
            (line,) = [line for line in text.splitlines() if re.match(rf"[> ] [A-Z] {SEAT_NAMES[seat]} ", line)]
            numbers = [int(word) for word in line.split() if re.fullmatch(r"-?\d+", word)]
            assert numbers[:2] == [s.points[seat], s.energy[seat]]
            assert ("1st" in line) == (seat == (s.first - (s.realizing >= 0 or s.over == 1)) % rules.num_players)
            assert line.startswith(">") == (s.depth > 0 and s.question[s.depth - 1, 1] == seat)


def test_the_table_says_whom_each_player_has_pledged_to_name(table):
    rules, seen = table
    pledged = 0
    for s in seen:
        rows = view.to_ansi(rules, s, colour=False).partition("player  ")[2]
        told = re.findall(r"pledges to name (\w+)", re.sub(r"\s+", " ", rows))
        assert told == [SEAT_NAMES[seat] for seat in s.pledge[: rules.num_players] if seat >= 0]
        pledged += len(told)
    assert (pledged > 0) == (rules.num_players > 2)


def test_colours_only_add_codes(table):
    rules, seen = table
    for s in seen[::7]:
        coloured = view.to_ansi(rules, s, viewer=1, colour=True)
        assert "\x1b[" in coloured
        assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == view.to_ansi(rules, s, viewer=1, colour=False)


def test_there_is_colour_only_where_the_output_is_a_terminal(six, monkeypatch):
    assert view.to_ansi(*six) == view.to_ansi(*six, colour=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert view.to_ansi(*six) == view.to_ansi(*six, colour=True)


def test_t8_who_began_the_round_began_it_while_nodes_are_realized_too():
    rules = GAME.load_rules(4)
    (s,) = GAME.notation.from_text(rules, "4p phase:1.2 first:p turn:b au:1 y:1.0 o:1.0 b:1.0 p:3.0 0:org/occurred")
    batch = Batch(Setting(GAME, 4), 1)
    batch.states[0] = s
    batch.refresh()
    batch.step([GAME.notation.action_from_text(rules, batch.states[0], "pass")], restart=False)
    s = batch.states[0]
    assert s.realizing >= 0 and s.first != 3
    lines = view.to_ansi(rules[0], s, colour=False).splitlines()
    assert ["purple" in line for line in lines if "1st" in line] == [True]
    assert Picture(view.to_svg(rules[0], s)).data("first", "seat") == [(3,)]
    facts = [panels.facts(rules, s, seat) for seat in range(4)]
    assert ["began this round" in told for told in facts] == [False, False, False, True]
