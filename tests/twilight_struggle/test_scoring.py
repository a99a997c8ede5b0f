"""R10.1, trap 32: what a region is worth. Points below 0 are the USSR's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.twilight_struggle.table import Table, event
from timeline_env.twilight_struggle import scoring
from timeline_env.twilight_struggle.board import (
    BATTLEGROUND,
    COUNTRY_NAMES,
    ID,
    IN_SET,
    NEXT_TO_SUPERPOWER,
    SEAT_NAMES,
    STABILITY,
    US,
    USSR,
)
from timeline_env.twilight_struggle.cards import SCORING_CARD
from timeline_env.twilight_struggle.state import REMOVED

REGIONS = ("Europe", "Asia", "Middle East", "Central America", "South America", "Africa")
PLAIN = ("Greece", "Burma", "Jordan", "Haiti", "Peru", "Kenya")
BATTLE = ("Italy", "India", "Iran", "Panama", "Brazil", "Angola")


def held(side: str, *countries: str) -> dict[str, tuple[int, int]]:
    """Just enough influence for control."""
    return {c: (int(STABILITY[ID[c]]), 0) if side == "ussr" else (0, int(STABILITY[ID[c]])) for c in countries}


def battlegrounds(region: str) -> list[str]:
    """All battlegrounds of a region."""
    return [COUNTRY_NAMES[c] for c in np.flatnonzero(IN_SET[REGIONS.index(region)] * BATTLEGROUND)]


def score(region: str, influence: dict[str, tuple[int, int]], **fields: Any) -> int:
    """The points of a region's scoring card."""
    card = int(SCORING_CARD[REGIONS.index(region)])
    return event(card, by="us", influence=influence, **fields).vp


@pytest.mark.parametrize(("region", "points"), list(zip(REGIONS, (3, 3, 3, 1, 2, 1), strict=True)))
def test_r10_1_presence_is_one_controlled_country(region: str, points: int) -> None:
    country = PLAIN[REGIONS.index(region)]
    assert score(region, held("ussr", country)) == -points
    assert score(region, held("us", country)) == points


@pytest.mark.parametrize(("region", "points"), list(zip(REGIONS, (4, 4, 4, 2, 3, 2), strict=True)))
def test_r10_1_a_battleground_alone_is_presence_and_1_for_itself(region: str, points: int) -> None:
    assert score(region, held("us", BATTLE[REGIONS.index(region)])) == points


@pytest.mark.parametrize(("region", "points"), list(zip(REGIONS, (7, 7, 5, 3, 5, 4), strict=True)))
def test_r10_1_domination_needs_a_battleground_and_another_country(region: str, points: int) -> None:
    both = (BATTLE[REGIONS.index(region)], PLAIN[REGIONS.index(region)])
    assert score(region, held("us", *both)) == points + 1
    assert score(region, held("ussr", *both)) == -points - 1


@pytest.mark.parametrize(
    ("region", "points"),
    [
        ("Asia", 9 + 6 + 1),  # Japan is next to the US
        ("Middle East", 7 + 6),
        ("Central America", 5 + 3 + 2),  # Mexico and Cuba
        ("South America", 6 + 4),
        ("Africa", 6 + 5),
    ],
)
def test_r10_1_control_is_all_battlegrounds_and_more_countries(region: str, points: int) -> None:
    assert score(region, held("ussr", *battlegrounds(region))) == -points


def test_r10_1_all_battlegrounds_without_more_countries_are_presence() -> None:
    ussr = held("ussr", "Mexico", "Cuba", "Panama")
    us = held("us", "Haiti", "Nicaragua", "Guatemala")
    assert score("Central America", {**ussr, **us}) == 1 - (1 + 3 + 2)


def test_r10_1_domination_needs_more_countries_and_more_battlegrounds() -> None:
    even_battlegrounds = {**held("us", "Brazil", "Peru"), **held("ussr", "Argentina")}
    assert score("South America", even_battlegrounds) == (2 + 1) - (2 + 1)
    even_countries = {**held("us", "Brazil", "Argentina"), **held("ussr", "Peru", "Bolivia")}
    assert score("South America", even_countries) == (2 + 2) - 2


def test_r10_1_influence_without_control_counts_nothing() -> None:
    assert score("Africa", {"Angola": (1, 1), "Kenya": (0, 1), "South Africa": (2, 0)}) == 0


@pytest.mark.parametrize(("country", "points"), [("Mexico", 1 + 1 + 1), ("Panama", 1 + 1)])
def test_r10_1_a_country_next_to_the_enemy_superpower_counts_1_more(country: str, points: int) -> None:
    assert score("Central America", held("ussr", country)) == -points
    assert score("Central America", held("us", country)) == 1 + 1


def test_r10_1_only_the_difference_moves_the_marker() -> None:
    both = {**held("us", "Brazil", "Chile", "Peru"), **held("ussr", "Argentina")}
    t = event(81, by="us", influence=both, vp=15)
    assert (t.vp, t.winner) == (15 + (5 + 2) - (2 + 1), "")


@pytest.mark.parametrize("side", [USSR, US])
def test_r10_1_whoever_controls_the_whole_world_has_all_of_every_count(side: int) -> None:
    t = Table(influence=held(SEAT_NAMES[side], *COUNTRY_NAMES))
    counts = scoring.count_held(t.s)
    for region in range(len(REGIONS)):
        all_of = [
            int((IN_SET[region] * of).sum())
            for of in (np.ones_like(BATTLEGROUND), BATTLEGROUND, NEXT_TO_SUPERPOWER[1 - side])
        ]
        assert [int(count) for count in scoring.count_region(counts[side], region)] == all_of
        assert not any(scoring.count_region(counts[1 - side], region))
    assert scoring.southeast_asia_points(counts) == (8 if side == US else -8)


@pytest.mark.parametrize(("side", "other"), [("us", "ussr"), ("ussr", "us")])
def test_r10_1_control_of_europe_wins_at_once(side: str, other: str) -> None:
    everything = {**held(side, *battlegrounds("Europe"), "Greece"), **held(other, "UK")}
    t = event(2, by="us", influence=everything, vp=0)
    assert (t.winner, t.ending) == (side, "control of Europe")


def test_r10_1_europe_without_one_battleground_is_no_control() -> None:
    t = event(2, by="us", influence=held("us", "France", "Italy", "West Germany", "Poland", "UK"))
    assert (t.vp, t.winner) == (7 + 4 + 1, "")


def test_r10_1_southeast_asia_counts_for_asia() -> None:
    assert score("Asia", held("us", "Thailand", "Vietnam")) == 7 + 1


def test_7_2_southeast_asia_scores_1_a_country_and_2_for_thailand_and_is_removed() -> None:
    influence = {**held("us", "Thailand", "Philippines"), **held("ussr", "Vietnam"), "Burma": (1, 1)}
    t = event(38, by="us", influence=influence)
    assert (t.vp, t.place(38)) == (2 + 1 - 1, REMOVED)


def test_035_taiwan_is_a_battleground_of_asia_while_the_us_controls_it() -> None:
    ussr = held("ussr", *battlegrounds("Asia"), "Burma")
    without = score("Asia", {**ussr, **held("us", "Taiwan")})
    assert without == 3 - (9 + 6 + 1)
    assert score("Asia", {**ussr, **held("us", "Taiwan")}, lasting={35: 1}) == (3 + 1) - (7 + 6 + 1)
    assert score("Asia", {**ussr, "Taiwan": (0, 2)}, lasting={35: 1}) == -(9 + 6 + 1)


def test_r10_3_2_final_scoring_counts_every_region_and_the_china_card() -> None:
    influence = {**held("us", "Thailand", "Peru"), **held("ussr", "Angola", "Kenya")}
    t = Table(stage="next", turn=10, china=1, china_up=0, vp=-2, influence=influence)
    assert t.vp == -2 + (3 + 1) + 2 - (4 + 1) + 1
    assert (t.winner, t.ending) == ("draw", "final scoring")


def test_while_the_game_is_on_who_leads_in_points_counts_as_first():
    for vp, points, ranks in ((3, [-3, 3], [2, 1]), (-3, [3, -3], [1, 2]), (0, [0, 0], [1.5, 1.5])):
        batch = Table(vp=vp).batch
        found, rank = np.zeros((2, 2), np.float32)
        scoring.standings(batch.rules[0], batch.states[0], found, rank)
        assert (found.tolist(), rank.tolist()) == (points, ranks)
