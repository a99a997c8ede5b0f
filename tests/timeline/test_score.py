"""T22, T25: points, ranks and rewards."""

from __future__ import annotations

import numpy as np
import pytest

from timeline_env.timeline import GAME

# With four players: 0y gains 1 for yellow (tick) or orange (cross), 1y gains 2 for yellow or blue, 3y has only a tick,
# 4y gains 2 for the cross only, 6y loses 2 for yellow or blue.
PHASE_1 = "4p phase:1.1 first:o turn:y y:4.0 o:4.0 b:4.0 p:4.0"


@pytest.mark.parametrize(
    ("event", "impact", "points"),
    [
        ("0y^3", "p+3", [1, 0, 0, 0]),
        ("0y^3", "p-3", [0, 1, 0, 0]),
        ("0p^3", "p+3", [0, 0, 0, 1]),
        ("0p^3", "p-3", [1, 0, 0, 0]),
        ("1y^3", "p+3", [2, 0, 0, 0]),
        ("1y^3", "p-3", [0, 0, 2, 0]),
        ("8y^3", "p+3", [-1, 0, 0, 0]),
        ("8y^3", "p-3", [0, 0, 0, 0]),
        ("9y^3", "p+3", [0, 0, 0, 0]),
        ("9y^3", "p-3", [-2, 0, 0, 0]),
    ],
)
def test_t22_the_player_on_the_arc_of_what_came_to_pass_gains_or_loses(position, event, impact, points):
    p = position(f"{PHASE_1} 0:org/occurred 1.0:{event}/+y/{impact}").play("pass")
    assert p.points() == points


def test_t22_points_may_go_below_zero_and_add_up(position):
    text = PHASE_1.replace("y:4.0", "y:4.0/points=-2").replace("b:4.0", "b:4.0/points=5")
    p = position(f"{text} 0:org/occurred 1.0:8y^3/+y 1.4:1b^1/+y/p-3").play("pass")
    # 1.0 occurs (2): yellow loses 1. 1.4 has 2 - 3: it does not occur, and the arc under its cross is yellow's.
    assert p.points() == [-2 - 1 + 2, 0, 5, 0]


def test_t22_points_do_not_leave_their_field(position):
    """Only a position written by hand comes so far: see the test of the decks that are accepted."""
    text = PHASE_1.replace("y:4.0", "y:4.0/points=126").replace("b:4.0", "b:4.0/points=-126")
    p = position(f"{text} 0:org/occurred 1.0:1y^3/+y 1.4:8b^1/+b/p+3 1.5:8b^1/+b/p+3").play("pass")
    assert p.points() == [127, 0, -127, 0]


@pytest.mark.parametrize(
    ("gain", "points", "message"),
    [
        ("gain", 1, None),
        ("gain", 2, None),
        ("gain", 3, "could gain 180 points; at most 127 are allowed"),
        ("loss", 3, "could lose 180 points; at most 127 are allowed"),
    ],
)
def test_t22_a_deck_by_which_a_player_could_gain_or_lose_more_than_can_be_counted_is_refused(
    tmp_path, gain, points, message
):
    file = tmp_path / "cards.csv"
    head = "template,gain,arcs,points,radii,end_of_round_sign,artifact,marks"
    file.write_text(f"{head}\n0,{gain},i/i+1,{points},1234,0,0,B.....\n")
    variant = {"cards": str(file), "copies": {"2": 30}}
    if message is None:
        assert GAME.load_rules(2, variant)[0].deck_size == 60
    else:
        with pytest.raises(ValueError, match=f"^with these cards and copies a player {message}$"):
            GAME.load_rules(2, variant)


LAST = "phase:4.2 first:o turn:y"


def ended(position, *seats):
    """The game after its last pass, each seat with these (points, notes)."""
    players = " ".join(
        f"{colour}:4.0/points={points}/notes={notes}" for colour, (points, notes) in zip("yobpgt", seats, strict=False)
    )
    p = position(f"{len(seats)}p {LAST} {players} 0:org/failed")
    # The notes of phase 4 are taken now and equal the points, unless the last radius scores.
    return p.play("pass")


def test_t25_after_phase_4_the_game_is_over_and_most_points_win(position):
    p = ended(position, (2, "0,0,0,0"), (5, "0,0,0,0"), (-1, "0,0,0,0"))
    assert (p.turn, p.legal()) == ("nobody", [])
    assert p.batch.rank[0].tolist() == [2, 1, 3]
    assert p.batch.reward[0].tolist() == [0, 1, -1]


def test_t25_a_tie_goes_to_the_higher_note_of_the_latest_phase(position):
    # Level at 5; noted at the end of phase 3: 1, 3, 2. What was noted earlier does not count against that.
    p = ended(position, (5, "9,9,1,0"), (5, "0,0,3,0"), (5, "0,5,2,0"))
    assert p.batch.rank[0].tolist() == [3, 1, 2]


def test_t25_then_to_the_one_before_and_so_on(position):
    p = ended(position, (5, "1,4,3,0"), (5, "2,4,3,0"), (5, "9,3,3,0"))
    assert p.batch.rank[0].tolist() == [2, 1, 3]


def test_t25_the_note_of_phase_4_comes_first(position):
    # 4.0 occurs by its stance and brings yellow 1: yellow had 4 when the phase ended, the others 5.
    text = f"3p {LAST} y:4.9/points=4/notes=0,0,9,0 o:4.9/points=5/notes=0,0,1,0 b:4.9/points=3 0:org/failed"
    p = position(f"{text} 4.0:0y^3/+y").play("pass")
    assert p.points() == [5, 5, 3]
    assert p.batch.rank[0].tolist() == [2, 1, 3]


def test_t25_r13_whoever_is_level_in_all_notes_shares_the_place(position):
    p = ended(position, (5, "0,1,2,0"), (5, "0,1,2,0"), (7, "0,0,0,0"), (0, "0,0,0,0"))
    assert p.batch.rank[0].tolist() == [2.5, 2.5, 1, 4]
    assert np.allclose(p.batch.reward[0], [0, 0, 1, -1])


@pytest.mark.parametrize(
    ("kind", "points", "rewards"),
    [
        ("rank", (9, 6, 5, -9), [1, 1 / 3, -1 / 3, -1]),
        ("rank", (9, 5, 5, -9), [1, 0, 0, -1]),
        ("win", (9, 6, 5, -9), [1, 0, 0, 0]),
        ("win", (9, 5, 9, 9), [1 / 3, 0, 1 / 3, 1 / 3]),
        ("score", (9, 6, 5, -9), [0, 0, 0, 0]),
    ],
)
def test_t25_rewards_at_the_end_of_the_game(position, kind, points, rewards):
    seats = " ".join(f"{colour}:4.0/points={number}" for colour, number in zip("yobp", points, strict=True))
    p = position(f"4p {LAST} {seats} 0:org/failed", reward=kind).play("pass")
    assert np.allclose(p.batch.reward[0], rewards)


def test_t22_score_rewards_are_what_the_last_decision_brought(position):
    p = position(f"{PHASE_1} 0:org/occurred 1.0:1y^3/+y/p-3", reward="score").play("pass")
    assert p.batch.reward[0].tolist() == [0, 0, 2, 0]
    p.play("pass")
    assert p.batch.reward[0].tolist() == [0, 0, 0, 0]


def test_t22_lead_rewards_are_that_less_what_the_others_gained_on_average(position):
    p = position(f"{PHASE_1} 0:org/occurred 1.0:1y^3/+y/p-3", reward="lead").play("pass")
    assert np.allclose(p.batch.reward[0], [-2 / 3, -2 / 3, 2, -2 / 3])
    p.play("pass")
    assert p.batch.reward[0].tolist() == [0, 0, 0, 0]
