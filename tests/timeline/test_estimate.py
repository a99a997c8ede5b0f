"""Who is ahead, by fitted weights: what the features count, and that more of what wins is worth more."""

from __future__ import annotations

import csv
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.timeline.worlds import random_batch
from timeline_env.engine import record
from timeline_env.engine.jit import entry
from timeline_env.engine.verbs import estimate
from timeline_env.timeline.board import RADII
from timeline_env.timeline.estimate import FEATURES, NAMES, features
from timeline_env.timeline.numbers import DATA

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "fit_estimate.py"


@entry
def estimate_one(rules, S, values):
    estimate(rules[0], S[0], values)


@entry
def features_of_one(rules, S, x):
    features(rules[0], S[0], x)


def copy_of(s):
    return record.make_readable(np.asarray(s).reshape(1).copy())


def values_of(batch, s):
    values = np.full(batch.num_players, 9.0)
    estimate_one(batch.rules, copy_of(s), values)
    return values


def by_the_table(batch, s, phase):
    """The values that the weights of this phase give."""
    rows = csv.DictReader((DATA / f"estimate_{batch.num_players}.csv").open(encoding="utf-8"))
    weights = {row["feature"]: float(row["weight"]) for row in rows if int(row["phase"]) == phase}
    x = np.zeros(batch.num_players * FEATURES)
    features_of_one(batch.rules, copy_of(s), x)
    worth = x.reshape(-1, FEATURES) @ [weights[name] for name in NAMES]
    logits = worth[:, None] - worth
    return (logits / np.sqrt(4 + logits**2)).sum(axis=1) / (batch.num_players - 1)


def counted(one):
    """For each seat the features that are not 0."""
    x = np.zeros(one.batch.num_players * FEATURES)
    features_of_one(one.batch.rules, copy_of(one.s), x)
    return [{name: value for name, value in zip(NAMES, row, strict=True) if value} for row in x.reshape(-1, FEATURES)]


@pytest.mark.parametrize("players", range(2, 7))
def test_the_seats_values_lie_between_minus_1_and_1_and_add_up_to_nothing(players):
    batch = random_batch(players, 130)
    values = np.array([values_of(batch, s) for s in np.asarray(batch.states)])
    assert (abs(values) < 1).all()
    assert abs(values.sum(axis=1)).max() < 1e-12
    assert abs(values).max() > 0.2


@pytest.mark.parametrize("players", range(2, 7))
def test_the_chances_are_those_of_the_table_for_the_phase_and_the_number_of_players(players):
    batch = random_batch(players, 130)
    states = [s for s in np.asarray(batch.states) if s["realizing"] < 0]
    for s in states:
        assert values_of(batch, s) == pytest.approx(by_the_table(batch, s, int(s["phase"])))
    assert len({int(s["phase"]) for s in states}) > 1


@pytest.mark.parametrize("players", range(2, 7))
def test_in_the_last_phase_points_are_worth_more_than_those_to_come_and_these_more_than_those_that_may_come(
    players, position
):
    before, event = f"{players}p phase:4.0 0:org/occurred", "4.0:2y/+y/yes=y+1/no=none"
    texts = (before, f"{before} {event}/o-1", f"{before} {event}", f"{before} y:0/points=1")
    nothing, may_come, to_come, made = (values_of(one.batch, one.s)[0] for one in map(position, texts))
    assert nothing < may_come < to_come < made


def test_an_event_counts_by_its_margin_and_by_the_phases_ahead_of_it(position):
    # 2.0 has no realization points, and its stance says that it occurs; impacts take the two others two above and three below zero.
    one = position("3p phase:2.0 y:2.5/points=-2 0:org/occurred 2.0:2y/+y 3.9:2y/+y/b+2 4.6:2y/-o/o-3")
    yellow, orange, blue = counted(one)
    assert yellow == {
        "points": -2,
        "points as it stands, 0 phases ahead, close": 1,
        "points as it stands, 1 phases ahead, clear": 1,
        "points the other way, 2 phases ahead, clear": 1,
    }
    assert not orange and not blue
    sure = counted(position("3p phase:2.0 0:org/occurred 2.0:2y/+y/y+3/b+1"))[0]
    assert sure["points as it stands, 0 phases ahead, sure"] == 1


def test_all_seats_of_an_event_have_its_points_and_those_of_several_events_add_up(position):
    # One impact is close to zero, an impact of two is clear of it; the last event fails.
    one = position(
        "3p phase:2.0 y:2.5 0:org/occurred 2.0:2y/+y/yes=y+1,o-1/no=b+1 2.2:2y/+y/b+1/yes=y+1/no=o+1"
        " 3.5:2y/+y/b-2/yes=o+1/no=b-1"
    )
    yellow, orange, blue = counted(one)
    assert yellow == {"points as it stands, 0 phases ahead, close": 2}
    assert orange == {
        "points as it stands, 0 phases ahead, close": -1,
        "points the other way, 0 phases ahead, close": 1,
        "points the other way, 1 phases ahead, clear": 1,
    }
    assert blue == {
        "points the other way, 0 phases ahead, close": 1,
        "points as it stands, 1 phases ahead, clear": -1,
    }


def test_an_event_counts_by_what_those_before_it_come_to(position):
    # The backward hindrance of 3.0 faces 2.0: if that occurs, this does not.
    after = "3p phase:2.0 0:org/occurred 2.0:2y/{}y 3.0:1y^3/+y"
    way = {}
    for stance in "+-":
        (found,) = (name for name in counted(position(after.format(stance)))[0] if "1 phases ahead" in name)
        way[stance] = found
    assert way == {
        "+": "points the other way, 1 phases ahead, clear",
        "-": "points as it stands, 1 phases ahead, clear",
    }


def test_while_nodes_are_realized_the_next_phase_counts(position):
    one = position(
        "3p phase:1.2 first:o realizing:1.0 ask:aside.y 0:org/occurred 1.0:empty y:1.0 o:2.0 b:4.0 1.3:2o/+o 2.0:2y/+y"
    )
    yellow, orange, _ = counted(one)
    assert yellow == {"points as it stands, 0 phases ahead, close": 1}
    assert orange == {"points the other way, 0 phases ahead, clear": 1}, "it is still to be decided in this realization"
    found = values_of(one.batch, one.s)
    assert found == pytest.approx(by_the_table(one.batch, one.s, 2))
    assert found != pytest.approx(by_the_table(one.batch, one.s, 1))


@pytest.mark.parametrize("players", range(2, 7))
def test_every_feature_has_a_weight_in_every_phase(players):
    rows = list(csv.DictReader((DATA / f"estimate_{players}.csv").open(encoding="utf-8")))
    assert [(int(row["phase"]), row["feature"]) for row in rows] == [
        (phase, name) for phase in range(RADII) for name in NAMES
    ]
    assert all(math.isfinite(float(row["weight"])) for row in rows)
    points = [float(row["weight"]) for row in rows if row["feature"] == "points"]
    assert 0 < points[2] < points[3] < points[4], "a lead is worth more later"


def test_the_script_fits_a_table_of_the_same_features(tmp_path):
    asked = [sys.executable, str(SCRIPT), "--players", "2", "--games", "40", "--out", str(tmp_path / "found.csv")]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "| all features | 4 |" in done.stdout
    found, shipped = (list(csv.DictReader(path.open())) for path in (tmp_path / "found.csv", DATA / "estimate_2.csv"))
    assert [(row["phase"], row["feature"]) for row in found] == [(row["phase"], row["feature"]) for row in shipped]
    weights = {(row["phase"], row["feature"]): float(row["weight"]) for row in found}
    assert all(math.isfinite(weight) for weight in weights.values())
    assert weights["4", "points"] > 0, "whoever leads is likelier to win, as 40 games show, too"
    table = (tmp_path / "found.csv").read_bytes()
    subprocess.run(asked, check=True, capture_output=True)
    assert (tmp_path / "found.csv").read_bytes() == table, "the same games and the same weights"
