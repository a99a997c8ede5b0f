"""T1–T3: the field."""

from __future__ import annotations

import math

import numpy as np

from timeline_env.timeline.board import COORDINATES, FIRST, LATER, NEIGHBOUR, NODES, RADIUS
from timeline_env.timeline.text.names import NODE_NAMES, node_named


def clockwise_from_north(q, r):
    """Degrees, for hexagons that lie on a flat side."""
    return math.degrees(math.atan2(1.5 * q, -math.sqrt(3) * (r + q / 2))) % 360


def test_t1_the_field_has_61_nodes_on_the_radii_0_to_4():
    assert NODES == 61
    assert np.bincount(RADIUS).tolist() == [1, 6, 12, 18, 24]
    assert [max(abs(q), abs(r), abs(q + r)) for q, r in COORDINATES] == RADIUS.tolist()
    assert len(set(COORDINATES)) == 61


def test_t1_the_nearer_to_the_centre_the_earlier():
    assert RADIUS.tolist() == sorted(RADIUS.tolist())
    assert FIRST.tolist() == [0, 1, 7, 19, 37, 61]


def test_t2_on_a_radius_time_runs_clockwise_from_the_north_corner():
    for radius in range(1, 5):
        angles = [clockwise_from_north(*COORDINATES[n]) for n in range(FIRST[radius], FIRST[radius + 1])]
        assert angles[0] == 0
        assert angles == sorted(angles)


def test_t2_directions_go_clockwise_from_north():
    for direction in range(6):
        neighbour = COORDINATES[NEIGHBOUR[0, direction]]
        assert round(clockwise_from_north(*neighbour)) == 60 * direction


def test_t2_a_node_is_later_exactly_when_its_number_is_higher():
    for node in range(NODES):
        for direction in range(6):
            other = NEIGHBOUR[node, direction]
            if other >= 0:
                assert LATER[node, direction] == (other > node)


def test_t3_what_lies_beyond_the_edge_is_no_node_and_later_than_every_node():
    beyond = NEIGHBOUR < 0
    assert LATER[beyond].all()
    # Six corners with three edges to nothing, eighteen other nodes of radius 4 with two.
    assert beyond.sum() == 6 * 3 + 18 * 2
    assert not beyond[RADIUS < 4].any()


def test_t3_neighbours_are_neighbours_of_each_other():
    for node in range(NODES):
        for direction in range(6):
            other = NEIGHBOUR[node, direction]
            if other >= 0:
                assert NEIGHBOUR[other, (direction + 3) % 6] == node


def test_t2_the_notation_names_nodes_by_radius_and_place():
    assert [NODE_NAMES[node] for node in (0, 1, 6, 7, 60)] == ["0", "1.0", "1.5", "2.0", "4.23"]
    assert node_named("3.17") == 36
