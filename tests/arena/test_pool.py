"""Several tournaments rated in one pool: against ratings that are known, and what is refused."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.arena.simulated import luce, written
from tests.commands import run_here
from tests.refusals import refusal
from timeline_env.arena.played import Played, read
from timeline_env.arena.pool import rate_pool, unite
from timeline_env.arena.ratings import rate, resample
from timeline_env.arena.tournament import GAMES_FILE, PLAN_FILE, plan, run
from timeline_env.timeline import GAME

WIN, LOSS = ((0, 1), (1, 2)), ((0, 1), (2, 1))
NO_PRIOR = 1e4


def named(played: Played, *players: str, **about: Any) -> Played:
    """A simulated tournament whose players are called so."""
    return replace(played, about=replace(played.about, players=players, **about))


def ratings(pooled: Played) -> dict[str, float]:
    found = rate(pooled, resample(pooled.about.deals, 2), NO_PRIOR).rating
    return {name: each.mean for name, each in zip(pooled.about.players, found, strict=True)}


def test_two_who_never_met_are_as_far_apart_as_their_common_opponent_says() -> None:
    # Odds of 3 to 1 in either tournament, so 9 to 1 between the two: 400 log10(9) = 381.7 points.
    above = named(written([WIN] * 30 + [LOSS] * 10, 2), "search", "agent")
    below = named(written([LOSS] * 30 + [WIN] * 10, 2), "random", "agent", seed=1)
    pooled = unite({"above": above, "below": below})
    assert pooled.about.players == ("search", "agent", "random") and len(pooled.rank) == 80
    assert (pooled.about.tables, sorted(set(pooled.table.tolist()))) == (2, [0, 1])
    found = ratings(pooled)
    assert found["search"] - found["random"] == pytest.approx(381.70, abs=0.01)
    turned = ratings(unite({"below": below, "above": above}))
    assert {name: turned[name] for name in found} == pytest.approx(found)


def test_a_pool_of_one_tournament_is_that_tournament() -> None:
    played = luce([1, 0, -1, 0.5], 3, 300, np.random.default_rng(0))
    assert ratings(unite({"alone": played})) == pytest.approx(ratings(played))
    found = rate_pool(unite({"alone": played}))
    assert found.games == np.bincount(played.seating.ravel()).tolist() == found.deals
    assert found.rating == rate(played, resample(300, 1000)).rating


def test_deals_of_the_same_cards_are_one_sample_wherever_they_were_played() -> None:
    first = luce([1, 0], 2, 40, np.random.default_rng(0))
    more = luce([1, 0], 2, 60, np.random.default_rng(1))
    other = replace(more, about=replace(more.about, seed=1))
    assert unite({"first": first, "more": more}).about.deals == 60  # the forty of the first are among them
    assert unite({"first": first, "other": other}).about.deals == 100
    same = unite({"first": first, "more": more}).deal
    assert [np.count_nonzero(same == deal) for deal in range(60)].count(2) == 40
    # Games that are seen twice say no more than once: the bootstrap sees that, if their deals are one.
    twice = rate_pool(unite({"more": more, "again": more})).rating[0]
    once = rate_pool(unite({"more": more})).rating[0]
    assert twice.high - twice.low > 0.9 * (once.high - once.low)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"game": "timeline"}, "game 'none', there 'timeline'"),
        ({"rules_version": 1}, "rules_version 0, there 1"),
        ({"seats": ("a", "b", "c")}, "seats ('a', 'b'), there ('a', 'b', 'c')"),
        ({"rules": {"phases": 2}}, "rules {}, there {'phases': 2}"),
    ],
)
def test_tournaments_that_cannot_be_compared_are_refused(changed: dict[str, Any], said: str) -> None:
    one = written([WIN, LOSS], 2)
    with pytest.raises(ValueError, match=r"^'one' and 'two' cannot be rated in one pool: ") as error:
        unite({"one": one, "two": named(one, "p0", "p1", **changed)})
    assert str(error.value).endswith(said)


def test_players_without_common_opponents_are_refused() -> None:
    one, two = named(written([WIN, LOSS], 2), "a", "b"), named(written([WIN, LOSS], 2), "c", "d")
    with pytest.raises(ValueError, match=r"^nothing ties c, d to a, not even common opponents"):
        rate_pool(unite({"one": one, "two": two}))


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two small tournaments of Timeline."""
    where = tmp_path_factory.mktemp("pools")
    for name, players in (("low", ["random", "greedy"]), ("high", ["greedy", "projector"])):
        run(plan(GAME, players, 2, 40, seed=len(name)), where / name, 1)
    return where / "low", where / "high"


def command(*words: object) -> Any:
    return run_here("-m", "timeline_env.commands.main", "ratings", *words)


def test_the_command_rates_everybody_of_all_folders(folders: tuple[Path, Path], tmp_path: Path) -> None:
    done = command(*folders, "--json", tmp_path / "ratings.json")
    assert done.returncode == 0, done.stderr
    assert "timeline, 2 seats: 3 players, 80 games of 2 tournaments, 40 deals, rules version 1" in done.stdout
    told = json.loads((tmp_path / "ratings.json").read_text())
    assert told["players"] == ["random", "greedy", "projector"]
    assert told["games"] == [40, 80, 40] and told["deals"] == [20, 40, 20]
    found = rate_pool(unite({str(folder): read(folder / GAMES_FILE) for folder in folders}))
    assert [each["mean"] for each in told["rating"]] == pytest.approx([each.mean for each in found.rating])
    lines = [line for line in done.stdout.splitlines() if any(name in line for name in told["players"])]
    order = sorted(told["players"], key=lambda name: -found.rating[told["players"].index(name)].mean)
    assert [next(name for name in order if name in line) for line in lines[:3]] == order
    assert told["ahead"][0][2] is None and told["ahead"][0][1]["mean"] < 0.5


def test_the_command_refuses_in_one_line(folders: tuple[Path, Path], tmp_path: Path) -> None:
    low, high = folders
    assert refusal(command(low, low / ".." / "low")).endswith("must each be named once")
    assert refusal(command(low, tmp_path)).startswith(
        f"error: {str(tmp_path)!r} is no tournament's folder; plan.json in it"
    )
    assert "no folder" in refusal(command(low, "--json", tmp_path / "none" / "ratings.json"))
    changed = tmp_path / "changed"
    shutil.copytree(high, changed)
    planned = json.loads((changed / PLAN_FILE).read_text())
    planned["players"]["greedy"] = "f" * 64
    (changed / PLAN_FILE).write_text(json.dumps(planned))
    said = f"error: greedy is one player in {str(low)!r} and another in {str(changed)!r}: the files differ"
    assert refusal(command(low, changed)) == said
    (changed / GAMES_FILE).write_bytes(b"no games")
    planned["players"]["greedy"] = ""
    (changed / PLAN_FILE).write_text(json.dumps(planned))
    assert "holds no tournament's games" in refusal(command(low, changed))
