"""The SVG shows what the record says, where it belongs."""

from __future__ import annotations

import numpy as np
import pytest

from tests.view.pictures import Picture, corners, node_centres, place, positions
from timeline_env import view
from timeline_env.engine import record
from timeline_env.timeline.board import NEIGHBOUR, RADIUS
from timeline_env.timeline.state import (
    ATTACK_CROSS,
    ATTACK_TICK,
    ATTACKING,
    LOGISTIC,
    ORIGINAL,
    SEAT_NAMES,
    SUPPORT,
    SUPPORTING,
)
from timeline_env.view.timeline import palette

SIGNS = ("mark", "radius", "linked", "artifact-sign")
SIDES = {1: "yes", -1: "no"}
FLEXIBLE = (ATTACKING, SUPPORTING, LOGISTIC)


def lie(array):
    """Indices and value of everything in a table of the record."""
    return [(*map(int, index), int(array[tuple(index)])) for index in np.argwhere(array)]


def bearing(start, end):
    """Degrees clockwise from north."""
    x, y = end - start
    return np.degrees(np.arctan2(x, -y)) % 360


def test_neighbours_lie_north_northeast_and_so_on_clockwise(six):
    centres = node_centres(Picture(view.to_svg(*six)))
    assert len(centres) == 61
    for node, direction in np.argwhere(NEIGHBOUR >= 0):
        other = centres[int(NEIGHBOUR[node, direction])]
        assert bearing(centres[int(node)], other) == pytest.approx(60 * direction, abs=0.1)


def test_nodes_are_tinted_by_their_radius(six):
    for element in Picture(view.to_svg(*six)).of("node"):
        assert element.get("fill") == palette.RINGS[RADIUS[int(element.get("data-node"))]]


def test_arrows_lead_along_each_radius_from_its_north_corner_clockwise(drawn):
    for _, picture in drawn[1]:
        centres, last = node_centres(picture), [6, 18, 36, 60]
        arrows = {int(element.get("data-node")): corners(element) for element in picture.of("order")}
        bars = {int(element.get("data-node")): corners(element) for element in picture.of("order-bar")}
        assert sorted(arrows) == sorted({*range(1, 61)} - {*last}) and sorted(bars) == last
        for node, (_, tip, *_) in arrows.items():
            nearest = sorted(centres, key=lambda n: np.linalg.norm(centres[n] - tip))
            assert nearest[0] == node + 1 and node in nearest[1:3]
        for node, first in zip(last, (1, 7, 19, 37), strict=True):
            middle = bars[node].mean(axis=0)
            there, here = (np.linalg.norm(centres[n] - middle) for n in (node, first))
            assert there == pytest.approx(here, abs=0.1)


def test_flexible_events_keep_their_question_mark(drawn):
    met = set()
    for s, picture in drawn[1]:
        nodes = np.flatnonzero(np.isin(s.card, FLEXIBLE))
        assert picture.data("question-mark", "node") == [(int(node),) for node in nodes]
        met |= {(int(s.card[node]), int(s.realized[node])) for node in nodes}
    kinds = FLEXIBLE[2:] if drawn[0].num_players == 2 else FLEXIBLE
    assert met == {(kind, realized) for kind in kinds for realized in (0, 1)}


def test_marks_are_those_of_the_record_and_lie_on_the_right_edges(drawn):
    _rules, pairs = drawn
    for s, picture in pairs:
        centres = node_centres(picture)
        expected = [(node, way, "cause" if mark > 0 else "hindrance") for way, node, mark in lie(s.mark)]
        assert picture.data("mark", "node", "direction", "mark") == sorted(expected)
        for element in picture.of("mark"):
            start, end = centres[int(element.get("data-node"))], place(element)
            junction = np.sqrt(3) / 2 * 70
            assert bearing(start, end) == pytest.approx(60 * int(element.get("data-direction")), abs=1)
            assert 0.7 * junction < np.linalg.norm(end - start) < junction
            assert element.get("fill") == (palette.CAUSE if element.get("data-mark") == "cause" else palette.HINDRANCE)


def test_a_mark_points_out_exactly_when_it_faces_the_future(drawn):
    for _, picture in drawn[1]:
        for element in picture.of("mark"):
            other = NEIGHBOUR[int(element.get("data-node")), int(element.get("data-direction"))]
            later = other < 0 or other > int(element.get("data-node"))
            assert element.get("data-way") == ("forward" if later else "backward")


def test_reinforcements_lie_once_on_their_junctions_with_an_arrow_for_each_point(drawn):
    _rules, pairs = drawn
    for s, picture in pairs:
        expected = [row for row in lie(s.reinforcement.T) if NEIGHBOUR[row[0], row[1]] > row[0]]
        assert picture.data("reinforcement", "node", "direction", "strength") == sorted(expected)
        assert picture.data("strength", "node", "direction", "strength") == sorted(expected)
        assert all(element.text == element.get("data-strength") for element in picture.of("strength"))
        for circle, tip in zip(picture.of("reinforcement"), picture.of("reinforcement-tip"), strict=True):
            assert bearing(place(circle), place(tip)) == pytest.approx(60 * int(tip.get("data-direction")), abs=1)
        centres = node_centres(picture)
        for element in picture.of("reinforcement"):
            node, direction = int(element.get("data-node")), int(element.get("data-direction"))
            both = [np.linalg.norm(place(element) - centres[int(n)]) for n in (node, NEIGHBOUR[node, direction])]
            others = [
                np.linalg.norm(place(element) - c)
                for n, c in centres.items()
                if n not in (node, NEIGHBOUR[node, direction])
            ]
            assert both[0] == pytest.approx(both[1], abs=0.1) and max(both) < min(others)


def test_pawns_stand_in_their_nodes_in_their_colours(drawn):
    rules, pairs = drawn
    for s, picture in pairs:
        centres = node_centres(picture)
        assert picture.data("pawn", "seat", "node") == [(i, int(s.pawn[i])) for i in range(rules.num_players)]
        for element in picture.of("pawn"):
            assert np.linalg.norm(place(element) - centres[int(element.get("data-node"))]) < 60
            assert element.get("fill") == palette.SEATS[int(element.get("data-seat"))]


def test_six_pawns_in_one_node_all_have_a_place_of_their_own(six):
    places = [place(element) for element in Picture(view.to_svg(*six)).of("pawn")]
    apart = [np.linalg.norm(a - b) for i, a in enumerate(places) for b in places[:i]]
    assert len(places) == 6 and min(apart) > 10


def test_impacts_lie_beside_their_sign_with_their_value_and_colour(drawn):
    _rules, pairs = drawn
    for s, picture in pairs:
        centres = node_centres(picture)
        expected = [(node, SIDES[np.sign(v)], seat, abs(v)) for seat, node, v in lie(s.impact)]
        assert picture.data("impact", "node", "side", "seat", "value") == sorted(expected)
        for element in picture.of("impact"):
            assert element.get("fill") == palette.SEATS[int(element.get("data-seat"))]
            above = place(element)[1] < centres[int(element.get("data-node"))][1]
            assert (element.get("data-side") == "yes") == above
            assert element.get("stroke") == (palette.CAUSE if above else palette.HINDRANCE)


def test_six_impacts_on_one_side_do_not_hide_each_other(six):
    s = record.make_readable(np.array([six[1]]))[0]
    s.impact[:, 0] = (1, 2, 3, 3, 2, 1)
    elements = Picture(view.to_svg(six[0], s)).of("impact")
    for i, element in enumerate(elements):
        for other in elements[:i]:
            apart = np.linalg.norm(place(element) - place(other))
            assert apart > (float(element.get("r")) + float(other.get("r")))


def test_stances_lie_beside_the_chosen_sign_in_the_organizers_colour(drawn):
    _rules, pairs = drawn
    for s, picture in pairs:
        expected = []
        for node in np.flatnonzero(s.stance):
            owner = np.flatnonzero(s.organizer[:, node])
            who = int(owner[0]) if len(owner) else "neutral"
            assert (who == "neutral") == (s.card[node] == ORIGINAL)
            expected.append((int(node), SIDES[int(s.stance[node])], who))
        assert picture.data("stance", "node", "side", "seat") == sorted(expected, key=lambda row: row[:2])
        for element in picture.of("stance"):
            who = element.get("data-seat")
            assert element.get("fill") == (palette.NEUTRAL if who == "neutral" else palette.SEATS[int(who)])


def test_arcs_bear_the_colour_of_who_scores_and_the_centre_says_how_much(drawn):
    _rules, pairs = drawn
    for s, picture in pairs:
        coloured = [
            (node, side, seat) for arc, side in ((s.if_yes, "yes"), (s.if_no, "no")) for seat, node, _ in lie(arc)
        ]
        drawn = [row for row in picture.data("arc", "node", "side", "seat") if isinstance(row[2], int)]
        assert drawn == sorted(coloured)
        for element in picture.of("arc"):
            who = element.get("data-seat")
            assert element.get("stroke") == (palette.SEATS[int(who)] if who.isdigit() else palette.EMPTY)
        orbits = [row[0] for row in picture.data("orbit", "node")]
        for element in picture.of("centre"):
            node = int(element.get("data-node"))
            points = [v for arc in (s.if_yes, s.if_no) for v in arc[:, node] if v]
            if points:
                assert element.get("fill") == (palette.CAUSE if points[0] > 0 else palette.HINDRANCE)
                assert orbits.count(node) == abs(points[0]) - 1


def test_realized_nodes_bear_their_token(drawn):
    _rules, pairs = drawn
    for s, picture in pairs:
        assert picture.data("outcome", "node", "outcome") == lie(s.outcome)
        empty = np.flatnonzero((s.realized == 1) & (s.event == 0))
        assert picture.data("empty", "node") == [(int(node),) for node in empty]
        for element in picture.of("outcome"):
            assert element.get("fill") == (palette.CAUSE if element.get("data-outcome") == "1" else palette.HINDRANCE)
        assert picture.data("realizing", "node") == ([(int(s.realizing),)] if s.realizing >= 0 else [])


def test_an_arc_that_is_yet_to_be_chosen_bears_a_question_mark():
    rules, seen = positions(4, seed=3, games=40, every=20)
    met = {}
    for s in seen:
        if s.depth and s.question[s.depth - 1, 0] in (ATTACK_TICK, ATTACK_CROSS, SUPPORT):
            met.setdefault(int(s.question[s.depth - 1, 0]), s)
    assert set(met) == {ATTACK_TICK, ATTACK_CROSS, SUPPORT}
    for kind, s in met.items():
        node = int(s.pawn[s.question[s.depth - 1, 1]])
        sides = ("no",) if kind == ATTACK_CROSS else ("no", "yes")
        assert Picture(view.to_svg(rules, s)).data("unchosen", "node", "side") == [(node, side) for side in sides]


def test_the_marker_stands_on_the_round_and_the_flag_at_the_first_player(drawn):
    rules, pairs = drawn
    for s, picture in pairs:
        (marker,) = picture.of("marker")
        rounds = picture.of("round")
        assert len(rounds) == sum(map(int, rules.rounds)) + 1
        at = sum(map(int, rules.rounds[: s.phase])) + int(s.lap)
        assert np.allclose(place(marker), place(rounds[at]))
        assert picture.data("first", "seat") == [
            ((int(s.first) - (s.realizing >= 0 or s.over == 1)) % rules.num_players,)
        ]


def test_the_panel_says_each_players_numbers(drawn):
    rules, pairs = drawn
    for s, picture in pairs:
        for element in picture.of("points"):
            assert int(element.text) == s.points[int(element.get("data-seat"))]
        for element in picture.of("energy"):
            seat = int(element.get("data-seat"))
            assert element.text.startswith(f"energy {s.energy[seat]}, cards {s.held[seat]}")
        assert len(picture.of("points")) == len(picture.of("energy")) == rules.num_players


def test_the_panel_says_whom_each_player_has_pledged_to_name(drawn):
    rules, pairs = drawn
    pledged = 0
    for s, picture in pairs:
        expected = [(seat, int(s.pledge[seat])) for seat in range(rules.num_players) if s.pledge[seat] >= 0]
        assert picture.data("pledge", "seat", "named") == expected
        for element, disc in zip(picture.of("pledge"), picture.of("pledged"), strict=True):
            named = int(element.get("data-named"))
            assert element.text == f"pledges to name {SEAT_NAMES[named]}" and disc.get("fill") == palette.SEATS[named]
        pledged += len(expected)
    assert (pledged > 0) == (rules.num_players > 2)


def test_a_view_does_not_write(table):
    rules, seen = table
    for s in seen[::9]:
        before = s.tobytes(), rules.tobytes()
        view.to_svg(rules, s, 0)
        view.to_ansi(rules, s, 0)
        view.to_rgb(rules, s, 0)
        assert (s.tobytes(), rules.tobytes()) == before


def test_a_viewer_sees_the_cards_of_the_own_hand_as_they_are_printed(table):
    rules, seen = table
    for s in seen[::5]:
        for viewer in range(rules.num_players):
            picture = Picture(view.to_svg(rules, s, viewer))
            cards = [int(card) for card in s.hand[viewer] if card >= 0]
            in_hand = [element for element in picture.of("card") if element.get("data-hand")]
            assert len(in_hand) == len(cards) + s.flexible[viewer].sum()
            for at, card in enumerate(cards):
                printed = [e for e in picture.root.iter() if e.get("data-place") == str(at)]
                of = {kind: [e for e in printed if e.get("class") == kind] for kind in SIGNS}
                assert {int(e.get("data-direction")) for e in of["mark"]} == set(np.flatnonzero(rules.mark[card]))
                allowed = {int(e.get("data-radius")) for e in of["radius"] if e.get("data-allowed") == "1"}
                restricted = rules.in_hand[card, 0, 7:11].sum() < 4
                assert allowed == (set(1 + np.flatnonzero(rules.in_hand[card, 0, 7:11])) if restricted else set())
                assert len(of["linked"]) == rules.linked[card]
                assert len(of["artifact-sign"]) == rules.gives_artifact[card]
