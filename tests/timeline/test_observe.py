"""What a seat may see: against a plain reading of the record, with other hidden cards, and from another seat."""

from __future__ import annotations

import numpy as np
import pytest

from tests.games import changed_fields
from tests.timeline.worlds import other_world, random_batch, turned
from timeline_env.engine import record
from timeline_env.engine.loops import hide_games, observe_games
from timeline_env.timeline.board import COORDINATES
from timeline_env.timeline.numbers import LINK_STRENGTH
from timeline_env.timeline.state import LINKS

PLAYERS = pytest.mark.parametrize("players", range(2, 7))
STEP = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)]
NODE = {place: node for node, place in enumerate(COORDINATES)}
RINGS = [
    [place for place in COORDINATES if max(abs(place[0]), abs(place[1]), abs(sum(place))) == radius]
    for radius in range(5)
]


def seen(batch, s, seat):
    """The observation of one record."""
    out = np.full((1, batch.layout.size), 99, np.int8)
    states = record.make_readable(s.reshape(1).copy())
    observe_games(batch.rules, states, np.zeros(1, np.int64), np.array([seat]), out)
    return out[0]


def neighbour(node, direction):
    q, r = COORDINATES[node]
    return NODE.get((q + STEP[direction][0], r + STEP[direction][1]))


def realization_points(s, node):
    """T17–T20, read off the record once more."""
    total = int(s["impact"][:, node].sum())
    for direction in range(6):
        other = neighbour(node, direction)
        if other is None or not s["realized"][other] or not s["event"][other]:
            continue
        colours = [s["mark"][(direction + 3) % 6, other], s["mark"][direction, node]]
        colour = next((colour for colour in colours if colour), 0)
        total += int(colour * s["outcome"][other]) * (LINK_STRENGTH + int(s["reinforcement"][direction, node]))
    return total


def clock(rules, s):
    phases = [int(s["phase"] == phase) for phase in range(5)]
    rounds, turns = rules["rounds"][s["phase"]] - s["lap"], rules["num_players"] - s["turns"]
    piles = [min(rules["deck_size"] - s["drawn"], 127), rules["bag_size"] - s["bag_drawn"]]
    return [*phases, rounds, turns, s["au"], s["winged"], *piles]


def one_hot(size, *places):
    return [int(place in places) for place in range(size)]


def seats(s, order):
    fields = ("flexible", "artifact")
    return [
        [s["energy"][p], s["points"][p], s["held"][p], *(n for f in fields for n in s[f][p]), *s["note"][:, p]]
        for p in order
    ]


def pledges(s, order):
    return [[int(s["pledge"][p] == named) for named in order] for p in order]


def hand(rules, s, order):
    rows = []
    for card in s["hand"][order[0]]:
        if card < 0:
            rows.append([0] * (13 + 2 * len(order)))
            continue
        # On radius 1 to 4: is there any node where the card, turned somehow, may lie?
        radii = [int(any(rules["turns"][card, NODE[place]] for place in ring)) for ring in RINGS[1:]]
        signs = [rules["linked"][card], rules["gives_artifact"][card]]
        arcs = [rules[arc][card, p] for arc in ("if_yes", "if_no") for p in order]
        rows.append([1, *rules["mark"][card], *radii, *signs, *arcs])
    return rows


def place(s, seat, node):
    undecided = s["event"][node] and not s["realized"][node]
    return [
        1 - s["realized"][node],
        s["event"][node],
        s["outcome"][node],
        s["stance"][node],
        s["if_yes"][seat, node],
        s["if_no"][seat, node],
        realization_points(s, node) if undecided else 0,
        s["impact"][seat, node],
    ]


def near(s, seat):
    here = s["pawn"][seat]
    kind, asked, edges = s["question"][s["depth"] - 1] if s["depth"] else (0, 0, 0)
    linking = kind == LINKS and s["pawn"][asked] == here
    rows = [[*place(s, seat, here), 0, 0, 0, 0, 0]]
    for direction in range(6):
        node = neighbour(here, direction)
        mine = s["mark"][direction, here]
        alone = int(linking and bool(edges & (1 << direction)))
        if node is None:
            rows.append([0] * 9 + [mine, 0, 1, alone])
        else:
            theirs = s["mark"][(direction + 3) % 6, node]
            later = int(node > here)
            rows.append([*place(s, seat, node), theirs, mine, s["reinforcement"][direction, here], later, alone])
    return rows


def planes(s, order):
    for_all = [s["event"], s["realized"], s["outcome"], s["stance"], *s["mark"], *s["reinforcement"]]
    fields = [s[field][p] for field in ("organizer", "impact", "if_yes", "if_no") for p in order]
    return [*for_all, *fields, *(one_hot(61, s["pawn"][p]) for p in order)]


def expected(rules, s, seat):
    """Every piece of the observation, as its meaning says."""
    players = int(rules["num_players"])
    order = [(seat + steps) % players for steps in range(players)]
    kind, acting = (s["question"][s["depth"] - 1][:2]) if s["depth"] else (0, -1)
    return {
        "clock": clock(rules, s),
        "question": one_hot(6, kind - 1),
        "to_act": [int(p == acting) for p in order],
        "first": [int(p == s["first"]) for p in order],
        "seats": seats(s, order),
        "pledges": pledges(s, order),
        "hand": hand(rules, s, order),
        "near": near(s, seat),
        "planes": planes(s, order),
    }


@PLAYERS
def test_every_piece_says_what_its_meaning_says(players):
    batch = random_batch(players, 130)
    rules = np.asarray(batch.rules)[0]
    for s in np.asarray(batch.states):
        for seat in range(players):
            views, wanted = batch.layout.views(seen(batch, s, seat)), expected(rules, s, seat)
            assert list(views) == list(wanted)
            for name, view in views.items():
                assert view.tolist() == np.array(wanted[name]).tolist(), f"{name} of seat {seat}"


def test_the_positions_looked_at_have_something_to_see():
    batch = random_batch(4, 200)
    s = np.asarray(batch.states)
    for field in ("impact", "reinforcement", "outcome", "stance", "artifact", "note", "points"):
        assert s[field].any(), field
    assert (s["pledge"] >= 0).any()
    assert len(set(s["phase"])) >= 3


def test_t28_everybody_sees_a_pledge_from_their_own_seat(position):
    p = position("3p turn:y y:0/pledge=b o:0 b:0 0:org/+")
    told = [p.batch.layout.views(seen(p.batch, np.asarray(p.batch.states)[0], seat))["pledges"] for seat in range(3)]
    # Rows are who has pledged, columns whom they name; yellow is 0, 2 and 1 seats after yellow, orange and blue.
    assert [np.argwhere(pledges).tolist() for pledges in told] == [[[0, 2]], [[2, 1]], [[1, 0]]]


def test_t29_the_organizer_sees_the_edges_with_a_token_alone(position):
    p = position("3p phase:1.0 turn:y au:2 ask:links.y y:1.2 o:1.2 b:1.0 0:org/occurred 1.2:log/+y/marks=+.....")
    p.play("reinforce NW +1")
    for seat, edges in ((0, [0, 0, 0, 0, 0, 0, 1]), (2, [0] * 7)):
        near = p.batch.layout.views(seen(p.batch, np.asarray(p.batch.states)[0], seat))["near"]
        assert near[:, -1].tolist() == edges


@PLAYERS
def test_the_batch_shows_the_seat_to_act(players):
    batch = random_batch(players, 130)
    for i, s in enumerate(np.asarray(batch.states)):
        assert batch.observation[i].tolist() == seen(batch, s, int(batch.seat[i])).tolist()


@PLAYERS
def test_two_worlds_that_differ_only_in_what_a_seat_may_not_know_look_the_same_to_it(players):
    batch, generator = random_batch(players, 130), np.random.default_rng(1)
    rules, different = np.asarray(batch.rules)[0], 0
    for s in np.asarray(batch.states):
        for seat in range(players):
            world = other_world(rules, s, seat, generator)
            different += world["hand"].tobytes() != s["hand"].tobytes()
            assert seen(batch, world, seat).tobytes() == seen(batch, s, seat).tobytes()
    assert different > 20


@PLAYERS
def test_hide_makes_such_worlds_one(players):
    batch, generator = random_batch(players, 130), np.random.default_rng(2)
    rules = np.asarray(batch.rules)[0]
    for s in np.asarray(batch.states):
        for seat in range(players):
            world = other_world(rules, s, seat, generator)
            acting = int(s["question"][s["depth"] - 1][1])
            hidden = [record.make_readable(one.reshape(1).copy()) for one in (s, world)]
            for one in hidden:
                hide_games(batch.rules, one, np.array([seat]))
            if acting != seat:
                # What the world's owner could not know is listed anew by `hide`.
                assert hidden[0].legal.tobytes() == hidden[1].legal.tobytes()
            assert hidden[0].tobytes() == hidden[1].tobytes()
            assert seen(batch, np.asarray(hidden[0])[0], seat).tobytes() == seen(batch, s, seat).tobytes()


def test_hide_leaves_what_the_seat_knows():
    batch = random_batch(4, 130)
    for s in np.asarray(batch.states):
        hidden = record.make_readable(s.reshape(1).copy())
        hide_games(batch.rules, hidden, np.array([2]))
        assert changed_fields(s, hidden[0]) <= {"hand", "deck", "bag", "seed", "rng", "legal"}
        assert hidden[0].hand[2].tolist() == s["hand"][2].tolist()
        assert (np.delete(hidden[0].hand, 2, axis=0) == -1).all()


@PLAYERS
def test_turning_all_seats_by_one_turns_the_observation(players):
    batch = random_batch(players, 130)
    rules = np.asarray(batch.rules)[0]
    for s in np.asarray(batch.states):
        for seat in range(players):
            assert seen(batch, turned(rules, s), (seat + 1) % players).tobytes() == seen(batch, s, seat).tobytes()


@PLAYERS
def test_t7_turning_all_seats_by_one_turns_the_whole_game(players):
    """The same moves, played one seat further, end one seat further: no seat is favoured but by its place in time."""
    batch, twin = random_batch(players, 0), random_batch(players, 0)
    rules, generator = np.asarray(batch.rules)[0], np.random.default_rng(3)
    np.asarray(twin.states)[:] = [turned(rules, s) for s in np.asarray(batch.states)]
    twin.refresh()
    running = np.arange(batch.num_games)
    while len(running):
        assert twin.seat[running].tolist() == ((batch.seat[running] + 1) % players).tolist()
        assert twin.action_mask[running].tobytes() == batch.action_mask[running].tobytes()
        assert twin.observation[running].tobytes() == batch.observation[running].tobytes()
        actions = np.array([generator.choice(np.flatnonzero(batch.action_mask[game])) for game in running])
        for played in (batch, twin):
            played.step(actions, running, restart=False)
        running = running[~batch.done[running]]
    assert np.roll(batch.rank, 1, axis=1).tolist() == twin.rank.tolist()
    assert np.roll(batch.points, 1, axis=1).tolist() == twin.points.tolist()
    assert batch.points.any()
