"""Who is ahead, by fitted weights: what the features count, and that more of what wins is worth more."""

from __future__ import annotations

import csv
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.refusals import refusal
from tests.twilight_struggle.table import Table
from timeline_env.engine import record
from timeline_env.engine.jit import entry
from timeline_env.engine.verbs import estimate
from timeline_env.twilight_struggle.board import DATA, US, USSR
from timeline_env.twilight_struggle.estimate import FEATURES, NAMES, features

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "fit_estimate.py"


@entry
def estimate_one(rules, S, values):
    estimate(rules[0], S[0], values)


@entry
def features_of_one(S, x):
    features(S[0], x)


def position(table: Table) -> Any:
    return record.make_readable(np.asarray(table.s).reshape(1).copy())


def chances(**laid_out: Any) -> list[float]:
    table, values = Table(**laid_out), np.full(2, 9.0)
    estimate_one(table.batch.rules, position(table), values)
    return values.tolist()


def counted(**laid_out: Any) -> dict[tuple[str, str], float]:
    """The features that are not 0."""
    x = np.zeros(FEATURES)
    features_of_one(position(Table(**laid_out)), x)
    return {name: value for name, value in zip(NAMES, x.tolist(), strict=True) if value}


def test_a_country_counts_by_control_lead_presence_and_what_is_spare() -> None:
    about = {"control": 1, "lead": 1, "presence": 1, "spare": 1}
    for us_has, ussr_has, wanted in (
        (3, 0, about),  # Iran's stability is 2
        (1, 0, {"lead": 0.5, "presence": 1}),
        (1, 1, {}),
        (0, 9, {"control": -1, "lead": -1, "presence": -1, "spare": -2}),
    ):
        found = counted(influence={"Iran": (ussr_has, us_has)})
        assert {feature: value for (feature, of), value in found.items() if of == "Iran"} == wanted


def test_a_region_counts_by_where_its_scoring_card_is() -> None:
    iran = {"influence": {"Iran": (0, 2)}, "turn": 4}  # presence and a battleground: 3 + 1
    for where, laid_out in (
        ("us", {"us": [3]}),
        ("ussr", {"ussr": [3]}),
        ("draw", {}),
        ("gone", {"discards": [3]}),
        ("gone", {"removed": [3]}),
    ):
        found = counted(**iran, **laid_out)
        assert found[f"points, card {where}", "middle_east"] == 4
        assert found["points by turn", "middle_east"] == 16


def test_control_of_europe_counts_as_the_whole_game() -> None:
    europe = {
        c: (0, 9)
        for c in ("Italy", "France", "West Germany", "East Germany", "Poland", "UK", "Greece", "Spain/Portugal")
    }
    assert counted(influence=europe)["points, card draw", "europe"] == 20
    assert counted(influence={c: (9, 0) for c in europe})["points, card draw", "europe"] == -20


def test_cards_count_for_whoever_holds_them_with_their_ops() -> None:
    found = counted(us=[25], ussr=[21], fillers=0, lasting={16: 1})
    assert found["us hand", "25"] == found["ussr hand", "21"] == found["in effect", "16"] == 1
    assert found["operations", ""] == 3 - 4


def test_an_event_in_effect_on_a_side_counts_for_or_against_it() -> None:
    for card in (31, 40, 49, 69):
        for side, wanted in ((USSR, -1), (US, 1)):
            assert counted(lasting={card: side + 1})["in effect", str(card)] == wanted
    purged = [chances(lasting={31: side + 1})[US] for side in (USSR, US)]
    assert purged[USSR] > purged[US], "who is purged, has less Ops"


@pytest.mark.parametrize(
    "better",
    [
        {"vp": 5},
        {"influence": {"Iran": (0, 2)}},
        {"influence": {"France": (0, 3)}},
        {"space": (0, 3)},
        {"milops": (0, 2)},
    ],
)
def test_more_of_what_wins_is_worth_more(better: dict[str, Any]) -> None:
    even, ahead = chances(), chances(**better)
    assert ahead[US] > even[US]
    assert ahead[US] == -ahead[USSR] and abs(ahead[US]) < 1


def test_the_tracks_count_for_whoever_leads() -> None:
    found = counted(milops=(1, 5), defcon=3, space=(2, 0), china=US, phasing="us", action_round=2, turn=3, vp=-4)
    tracks = {feature: value for (feature, of), value in found.items() if not of}
    wanted = {"even": 1, "turn": 3, "vp": -4, "vp by turn": -12, "military operations": 2, "space": -2}
    assert tracks.items() >= (wanted | {"china": 1, "next": 1}).items(), "only three military operations are required"


def test_every_feature_has_a_weight() -> None:
    rows = list(csv.DictReader((DATA / "estimate.csv").open(encoding="utf-8")))
    assert tuple((row["feature"], row["of"]) for row in rows) == NAMES


def test_a_lead_in_points_is_worth_more_later() -> None:
    early, late = ([chances(vp=vp, turn=turn)[US] for vp in (0, 8)] for turn in (4, 9))
    assert late[1] - late[0] > early[1] - early[0]


def test_the_script_fits_a_table_of_the_same_features(tmp_path: Path) -> None:
    game = ["--game", "twilight_struggle", "--games", "10"]
    asked = [sys.executable, str(SCRIPT), *game, "--out", str(tmp_path / "found.csv")]
    done = subprocess.run(asked, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "| all features |" in done.stdout
    found, shipped = (list(csv.DictReader(path.open())) for path in (tmp_path / "found.csv", DATA / "estimate.csv"))
    assert [(row["feature"], row["of"]) for row in found] == [(row["feature"], row["of"]) for row in shipped]
    weights = {(row["feature"], row["of"]): float(row["weight"]) for row in found}
    assert all(math.isfinite(weight) for weight in weights.values())
    assert weights["vp", ""] > 0, "whoever leads is likelier to win, as 10 games show, too"
    table = (tmp_path / "found.csv").read_bytes()
    subprocess.run(asked, check=True, capture_output=True)
    assert (tmp_path / "found.csv").read_bytes() == table, "the same games and the same weights"


def test_the_script_refuses_too_few_games() -> None:
    done = subprocess.run([sys.executable, str(SCRIPT), "--games", "3"], capture_output=True, text=True)
    assert "--games '3': input should be greater than or equal to 10" in refusal(done)
