"""Several tournaments rated in one pool: against ratings that are known, and what is refused."""

from __future__ import annotations

import json
import re
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
from timeline_env.arena.pool import Pool, rate_pool, unite
from timeline_env.arena.ratings import ELO, rate, resample
from timeline_env.arena.statistics import cross_play, share_ahead
from timeline_env.arena.tournament import GAMES_FILE, PLAN_FILE, TIME_FILE, plan, run
from timeline_env.engine.variants import DIGEST
from timeline_env.files import write_json
from timeline_env.timeline import GAME

WIN, LOSS = ((0, 1), (1, 2)), ((0, 1), (2, 1))
pytestmark = pytest.mark.usefixtures("work_here")
NO_PRIOR = 1e4


def named(played: Played, *players: str, **about: Any) -> Played:
    """A simulated tournament whose players are called so."""
    return replace(played, about=replace(played.about, players=players, **about))


def ratings(played: Played) -> dict[str, float]:
    found = rate(played, resample(played.about.deals, 2), NO_PRIOR).rating
    return {name: each.mean for name, each in zip(played.about.players, found, strict=True)}


def width(pool: Pool) -> float:
    """Of the first player's interval."""
    rating = rate_pool(pool).rating[0]
    return rating.high - rating.low


def test_two_who_never_met_are_as_far_apart_as_their_common_opponent_says() -> None:
    # Odds of 3 to 1 in either tournament, so 9 to 1 between the two: 400 log10(9) = 381.7 points.
    above = named(written([WIN] * 30 + [LOSS] * 10, 2), "search", "agent")
    below = named(written([LOSS] * 30 + [WIN] * 10, 2), "random", "agent", seed=1)
    played = unite({"above": above, "below": below}).played
    assert played.about.players == ("search", "agent", "random") and len(played.rank) == 80
    found = ratings(played)
    assert found["search"] - found["random"] == pytest.approx(381.70, abs=0.01)
    turned = ratings(unite({"below": below, "above": above}).played)
    assert {name: turned[name] for name in found} == pytest.approx(found)


def test_a_pool_of_one_tournament_is_that_tournament() -> None:
    played = luce([1, 0, -1, 0.5], 3, 300, np.random.default_rng(0))
    found, alone = rate_pool(unite({"alone": played})), rate(played, resample(300, 1000))
    assert (found.rating, found.ties) == (alone.rating, alone.ties)
    assert found.games == np.bincount(played.seating.ravel()).tolist() == found.deals
    assert found.ahead == cross_play(share_ahead(played))


def test_the_strengths_behind_two_tournaments_lie_in_the_intervals() -> None:
    # Four players at tables of three; the fourth played the last tournament alone, of few games.
    rng, truth = np.random.default_rng(5), np.array([1.0, 0.0, -0.5, 0.8])
    inside, widths = [], []
    for _ in range(20):
        many = luce(truth[:3], 3, 200, rng)
        few = luce(truth[[0, 1, 3]], 3, 40, rng)
        few = named(few, "p0", "p1", "p3", seed=1)
        pool = unite({"many": many, "few": few})
        found = rate(pool.played, resample(pool.played.about.deals, 100, pool.groups)).rating
        inside += [each.low <= ELO * at <= each.high for each, at in zip(found, truth - truth.mean(), strict=True)]
        widths += [each.high - each.low for each in found]
    assert np.mean(inside) > 0.87  # 95 % of 80 are 76; fewer than 70 are rarer than 1 in 100
    # By the Fisher information of the model's choices, 1.96 errors on either side are 67, 66, 79 and 134 points wide, 86.5 in the
    # mean. On either side the wider of two intervals is taken, for which a quarter is allowed.
    assert np.mean(widths) < 108


def test_deals_of_the_same_cards_are_one_sample_wherever_they_were_played() -> None:
    first = luce([1, 0], 2, 40, np.random.default_rng(0))
    more = luce([1, 0], 2, 60, np.random.default_rng(1))
    other = replace(more, about=replace(more.about, seed=1))
    pool = unite({"first": first, "more": more})
    assert pool.played.about.deals == 60  # the forty of the first are among them
    assert unite({"first": first, "other": other}).played.about.deals == 100
    assert np.bincount(pool.played.deal).tolist() == [2] * 40 + [1] * 20
    assert [len(set(part.tolist())) for part in np.split(pool.groups, [40])] == [1, 1]
    assert pool.groups[0] != pool.groups[-1]
    # Games that are seen twice say no more than once: the bootstrap sees that, if their deals are one.
    assert width(unite({"more": more, "again": more})) > 0.9 * width(unite({"more": more}))


def test_a_tournament_of_few_deals_is_in_every_bootstrap_sample() -> None:
    # Without it a sample knows nothing of the search, whose interval would then reach down to the prior's mean.
    many = named(luce([0, 0], 2, 200, np.random.default_rng(0)), "agent", "other")
    wins = [WIN, WIN, WIN, WIN, WIN, WIN, LOSS, LOSS] * 5  # three of four on either deal
    few = named(written(wins, 2, deals=2), "search", "agent", seed=1)
    found = rate_pool(unite({"many": many, "few": few}))
    search = found.rating[found.players.index("search")]
    assert search.mean > 80 and search.low > 20


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"game": "timeline"}, "game: 'none' in 'one', 'timeline' in 'two'"),
        ({"rules_version": 1}, "rules version: 0 in 'one', 1 in 'two'"),
        ({"seats": ("a", "b", "c")}, "number of seats: 2 in 'one', 3 in 'two'"),
        ({"rules": {"phases": 2}}, "changes of the rules: {} in 'one', {'phases': 2} in 'two'"),
    ],
)
def test_tournaments_that_cannot_be_compared_are_refused(changed: dict[str, Any], said: str) -> None:
    one = written([WIN, LOSS], 2)
    with pytest.raises(ValueError, match=r"^tournaments of one pool must have the same ") as error:
        unite({"one": one, "two": named(one, "p0", "p1", **changed)})
    assert str(error.value).endswith(said)


def test_a_table_of_cards_is_the_same_wherever_it_lies() -> None:
    one = written([WIN, LOSS], 2)
    here, there = (named(one, "p0", "p1", rules={"cards": f"/{where}/c.csv", DIGEST: "1"}) for where in ("a", "b"))
    assert len(unite({"here": here, "there": there}).played.rank) == 4
    other = named(one, "p0", "p1", rules={"cards": "/a/c.csv", DIGEST: "2"})
    with pytest.raises(ValueError, match="must have the same changes of the rules"):
        unite({"here": here, "other": other})


def test_players_without_a_chain_of_opponents_are_refused() -> None:
    one, two = named(written([WIN, LOSS], 2), "a", "b"), named(written([WIN, LOSS], 2), "c", "d")
    with pytest.raises(ValueError, match=r"^players 'c, d' cannot be rated with 'a': no chain of opponents ties them$"):
        rate_pool(unite({"one": one, "two": two}))
    between = named(written([WIN, LOSS], 2), "b", "c")
    assert len(rate_pool(unite({"one": one, "two": two, "between": between})).rating) == 4


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
    assert told["folders"] == [*map(str, folders)] and (told["game"], len(told["seats"])) == ("timeline", 2)
    assert told["players"] == ["greedy", "projector", "random"], "those of the folder with the first name first"
    assert told["games"] == [80, 40, 40] and told["deals"] == [40, 20, 20]
    assert told["ahead"][2][1] is None and told["ahead"][2][0]["mean"] < 0.5
    other = command(*reversed(folders))
    assert other.stdout == done.stdout, "their order does not matter"
    found = rate_pool(unite({str(folder): read(folder / GAMES_FILE) for folder in sorted(folders)}))
    rows = [re.split(r"\s*│\s*", line)[1:-1] for line in done.stdout.splitlines() if line.startswith("│")]
    assert rows == [
        [found.players[who], found.rating[who].text(1, 0), str(found.games[who]), str(found.deals[who])]
        for who in sorted(range(3), key=lambda who: -found.rating[who].mean)
    ]


def test_who_only_lost_is_told_to_be_rated_by_the_prior(folders: tuple[Path, Path], tmp_path: Path) -> None:
    low, high = (shutil.copytree(folder, tmp_path / folder.name) for folder in folders)
    played = read(low / GAMES_FILE)
    first = np.where(played.seating == 0, 2, 1).astype(np.float32)  # random, whose name here would steer a terminal
    named(replace(played, rank=first), "ran\x1b[31mdom", "greedy").save(low / GAMES_FILE)
    planned = json.loads((low / PLAN_FILE).read_text())
    (low / PLAN_FILE).write_text(json.dumps(planned | {"players": {"ran\x1b[31mdom": "", "greedy": ""}}))
    done = command(low, high)
    assert done.returncode == 0 and "\x1b" not in done.stdout, done.stderr
    assert r"ran\x1b[31mdom was behind everybody else they met, in every game" in done.stdout


def test_a_search_with_a_time_that_thought_on_two_processors_is_told(
    folders: tuple[Path, Path], tmp_path: Path
) -> None:
    low, high = (shutil.copytree(folder, tmp_path / folder.name) for folder in folders)
    for folder, players in ((low, ("random", "mcts:1ms")), (high, ("mcts:1ms", "projector"))):
        named(read(folder / GAMES_FILE), *players).save(folder / GAMES_FILE)
        planned = json.loads((folder / PLAN_FILE).read_text())
        (folder / PLAN_FILE).write_text(json.dumps(planned | {"players": dict.fromkeys(players, "")}))

    def told(processor: str | None) -> tuple[str, Any]:
        write_json(high / TIME_FILE, {"seconds": 1} | ({"processors": [processor]} if processor else {}))
        done = command(low, high, "--json", tmp_path / "ratings.json")
        assert done.returncode == 0, done.stderr
        return done.stdout, json.loads((tmp_path / "ratings.json").read_text())["processors"]

    write_json(low / TIME_FILE, {"seconds": 1, "processors": ["Old"]})
    shown, kept = told("New")
    assert "mcts:1ms thought on New and Old: a faster one plays better" in shown
    assert kept == {"mcts:1ms": ["New", "Old"]}
    for same in ("Old", None):  # None: a folder of an older version
        shown, kept = told(same)
        assert "thought" not in shown and kept == {"mcts:1ms": ["Old"]}
    (high / TIME_FILE).write_text("?")
    assert TIME_FILE in refusal(command(low, high))


def test_the_command_refuses_in_one_line(folders: tuple[Path, Path], tmp_path: Path) -> None:
    low, high = folders
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for words in ([low], [low, low / ".." / "low"]):
        assert refusal(command(*words)).endswith("must be at least two, each named once")
    assert "FOLDERS" in refusal(command())
    for none in (tmp_path, tmp_path / "loop", low / GAMES_FILE):
        assert refusal(command(low, none)).startswith(
            f"error: {str(none)!r} is no tournament's folder; plan.json in it"
        )
    assert "no folder" in refusal(command(low, high, "--json", tmp_path / "none" / "ratings.json"))
    twin = shutil.copytree(low, tmp_path / "twin")
    played = read(twin / GAMES_FILE)
    object.__setattr__(played.about, "command", "the same games, told otherwise")
    played.save(twin / GAMES_FILE)
    assert (twin / GAMES_FILE).read_bytes() != (low / GAMES_FILE).read_bytes()
    assert refusal(command(low, twin)) == f"error: {str(low)!r} and {str(twin)!r} hold the same games"


def test_what_does_not_go_with_the_other_folder_is_refused(folders: tuple[Path, Path], tmp_path: Path) -> None:
    low, high = folders
    changed = shutil.copytree(high, tmp_path / "changed")
    planned = json.loads((changed / PLAN_FILE).read_text())

    def refused(**keys: Any) -> str:
        (changed / PLAN_FILE).write_text(json.dumps(planned | keys))
        return refusal(command(low, changed))

    both = f"must be the same in {str(low)!r} and {str(changed)!r}"
    assert refused(players={"greedy": "f" * 64, "projector": ""}) == f"error: 'greedy' {both}"
    assert refused(rules="f" * 64) == f"error: 'the rules' {both}"
    for others in ({}, {"projector": "", "greedy": ""}, {"greedy": "", "projector": "", "more": ""}):
        assert (
            refused(players=others) == f"error: {str(changed)!r} holds games of other players than its plan.json names"
        )
    three = tmp_path / "three"
    run(plan(GAME, ["greedy", "projector"], 3, 6), three, 1)  # other numbers of seats have other rules, and agents, too
    said = f"error: tournaments of one pool must have the same number of seats: 2 in {str(low)!r}, 3 in {str(three)!r}"
    assert refusal(command(low, three)) == said
    (changed / GAMES_FILE).write_bytes(b"no games")
    assert "holds no tournament's games" in refused()
    (changed / GAMES_FILE).unlink()
    assert refused() == f"error: {str(changed)!r} was not played to its end: there is no games.npz"
