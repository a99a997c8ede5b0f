"""The playing track of the suite: its files are sound, what is not allowed is refused, and one command plays it, again and again alike."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from tests.arena.suites import POPULATION, SMALL, make_suite
from tests.commands import run_here
from tests.refusals import refusal
from timeline_env.arena.datasets.reader import open_dataset
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.figures import png
from timeline_env.arena.markdown import line
from timeline_env.arena.played import read
from timeline_env.arena.population import against, plan_against
from timeline_env.arena.statistics import cross_play, share_against_copies, share_ahead, share_by_side, standings
from timeline_env.arena.strength import curves, draw_strength
from timeline_env.arena.submission import check_summary
from timeline_env.arena.suite import HELD_OUT, load_entry, load_population, load_suite
from timeline_env.arena.summary import summarize
from timeline_env.commands.benchmark import against_table, markdown
from timeline_env.engine.setting import Setting
from timeline_env.players.names import PlayerName
from timeline_env.timeline import GAME

pytestmark = pytest.mark.usefixtures("work_here")
ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "docs" / "results" / "benchmark"
SUITE = load_suite(ROOT / "configs" / "benchmark")
TABLES = {*(RESULTS / "tables.md").read_text(encoding="utf-8").splitlines()}
POOLS = RESULTS.parent / "pools"
SUITE_OF_THE_POOLS = load_suite(POOLS / "suite")

SCRIPT = "scripts/benchmark_suite.py"


def in_a_process(*words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *map(str, words)], cwd=ROOT, capture_output=True, text=True)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    return make_suite(tmp_path / "suite")


def test_one_command_plays_it_and_plays_it_alike(suite: Path, tmp_path: Path) -> None:
    for play, out, processes in ((run_here, "a", 1), (in_a_process, "b", 2), (run_here, "a", 1)):
        done = play(SCRIPT, "--suite", suite, "--out", tmp_path / out, "--processes", processes)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "a/small/games.npz").read_bytes() == (tmp_path / "b/small/games.npz").read_bytes()
    assert (tmp_path / "a/tables.md").read_text() == (tmp_path / "b/tables.md").read_text()
    page = (tmp_path / "a/report.html").read_text()
    assert "Strength over simulations" in page and "Against the population" in page and 'href="#small"' in page
    played = read(tmp_path / "a/small/games.npz")
    assert played.about.players == ("random", "greedy", "mcts:2", "mcts:8")
    assert curves(summarize(played)) == {"mcts": [(2, 2), (8, 3)]}
    paths = replace(
        played, about=replace(played.about, players=("process:$A/x $B", "process:'$\"' _ $", *played.about.players[2:]))
    )
    png(draw_strength(summarize(paths), {"process:$A $": [(2, 2), (8, 3)]}))  # not as formulas, which these are not
    told = json.loads((tmp_path / "a/small/summary.json").read_text())["against"]
    assert {row["entrant"]: sorted(row["members"]) for row in told} == {
        "mcts:2": ["greedy", "random"],
        "mcts:8": ["greedy", "random"],
        "greedy": ["random"],
    }


def test_your_player_enters_and_the_final_table_has_those_held_out(suite: Path, tmp_path: Path) -> None:
    words = ("--suite", suite, "--out", tmp_path / "mine", "--player", "projector", "--final", "--processes", "1")
    done = run_here(SCRIPT, *words)
    assert done.returncode == 0, done.stderr
    plans = {
        name: json.loads((tmp_path / "mine" / name / "plan.json").read_text()) for name in ("small", "small_held_out")
    }
    assert all(plan["entrants"] == ["mcts:2", "mcts:8", "greedy", "projector"] for plan in plans.values())
    assert [plan["population"] for plan in plans.values()] == [["random", "greedy"], ["random", "projector"]]
    assert "### Small, held-out players" in (tmp_path / "mine/tables.md").read_text()
    made_by = f"<pre>timeline-env benchmark playing --only small --player projector --suite {suite}"
    page = (tmp_path / "mine/report.html").read_text()
    assert f"{made_by}</pre>" in page and f"{made_by} --final</pre>" in page


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version: 3", "version: 2", "version 2"),
        ("seed: 5\n", "", "the key 'seed' is missing"),
        ("seed: 5", "seed: -1", "seed -1"),
        ("seed: 5", "seed: 5\nhours: 7", "key 'hours' is unknown; allowed: version, title"),
        ("budget: 8\n", "", "the key 'budget' is missing"),
        ("budget: 8", "budget: fast", "budget 'fast' must be simulations such as 200 or milliseconds"),
        ("budget: 8", "budget: 7", "player 'mcts:8': 'Small' allows 7 simulations at most"),
        ("budget: 8", "budget: '7'", "player 'mcts:8': 'Small' allows 7 simulations at most"),
        ("budget: 8", "budget: 0", "player 'mcts:2': 'Small' allows no search"),
        ("budget: 8", "budget: '0'", "player 'mcts:2': 'Small' allows no search"),
        ("budget: 8", "budget: 10ms", "player 'mcts:2': 'Small' allows a time of 10ms a decision at most"),
        ("games: 6", "games: 3", "games 3"),
        ("games: 6", "games: '6'", "games '6'"),
        ("population: two", "population: tow", "population 'tow' is unknown (did you mean 'two'?)"),
        (", greedy]", ", nobody]", "player 'nobody' is unknown"),
        ("seed: 5", "seed: 5\nagainst: weak", "against 'weak'"),
        ("seed: 5", "seed: 5\nagainst: strong", "against 'strong': population 'two' names none that are strong"),
        (", greedy]", ", greedy, greedy]", "player 'greedy' must be named once"),
        (", greedy]", ', "process:sh"]', "would run a command"),
        (", greedy]", ', "mine:Player"]', "'mine:Player' is code of a module: no file of the benchmark may name one"),
        (", greedy]", ", greedy}", "small.yaml"),
    ],
)
def test_what_is_not_allowed_is_refused(suite: Path, old: str, new: str, message: str) -> None:
    (suite / "playing" / "small.yaml").write_text(SMALL.replace(old, new))
    with pytest.raises(ValueError) as refused:
        load_suite(suite)
    assert message in str(refused.value) and "small.yaml" in str(refused.value)


def test_a_tournament_has_no_name_of_a_final_tables_folder(suite: Path) -> None:
    (suite / "playing" / "large_held_out.yaml").write_text(SMALL)
    with pytest.raises(ValueError, match=r"large_held_out.yaml': no name may end in _held_out"):
        load_suite(suite)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("version: 3", "version: 2", "version 2"),
        ("game: timeline", "game: chess", "game 'chess' is unknown"),
        ("num_players: 2", "num_players: 9", "num_players 9"),
        (
            "public: [random, greedy]",
            "public: [random]",
            "public: the population 'random' must be at least two, each named once",
        ),
        ("held_out: [random, ", "held_out: [nobody, ", "held_out: player 'nobody' is unknown"),
        ("held_out: [random, ", 'held_out: ["process:sh", ', "would run a command"),
        ("held_out: [random, ", 'held_out: ["mine:Player", ', "held_out: player 'mine:Player' is code of a module"),
        ("held_out: [random, projector]\n", "", "the key 'held_out' is missing"),
        (
            "public: [",
            "strong: [random, projector]\npublic: [",
            "strong: player 'projector' is unknown; allowed: random, ",
        ),
        (
            "public: [",
            "strong: [random]\npublic: [",
            "strong: the population 'random' must be at least two, each named once",
        ),
    ],
)
def test_a_population_that_is_not_allowed_is_refused(suite: Path, old: str, new: str, message: str) -> None:
    file = suite / "populations" / "two.yaml"
    file.write_text(POPULATION.replace(old, new))
    with pytest.raises(ValueError) as refused:
        load_population(file)
    assert message in str(refused.value) and "two.yaml" in str(refused.value)


def test_what_is_wrong_in_many_places_is_told_in_a_line_that_can_be_read(suite: Path) -> None:
    file = suite / "playing" / "small.yaml"
    file.write_text(SMALL.replace("greedy", ", ".join(map(str, range(300)))))
    with pytest.raises(ValueError, match=r"players\.2 0: .* characters") as refused:
        load_entry(file, {})
    assert len(str(refused.value)) < 1200


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--only", "none"), "--only 'none' is unknown; allowed: timeline_2"),
        (("--suite", "none"), "suite 'none' holds no playing/*.yaml file"),
        (("--player", "nobody"), "player 'nobody' is unknown"),
        (
            ("--only", "timeline_2_0ms", "--player", "greedy"),
            "'greedy' must be named once, and enters 'Timeline, 2 players, no",
        ),
        (
            ("--only", "timeline_2_10ms", "--player", "mcts:11ms"),
            "player 'mcts:11ms': 'Timeline, 2 players, 10 ms' allows a time of 10ms",
        ),
    ],
)
def test_a_wrong_command_line_is_refused_in_one_line(arguments: tuple[str, str], message: str, tmp_path: Path) -> None:
    assert message in refusal(run_here(SCRIPT, *arguments, "--out", tmp_path / "out"))
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", SUITE)
def test_the_suite_has_enough_deals_and_says_which_games_depend_on_the_machine(name: str) -> None:
    plan = SUITE[name].plan()
    assert plan.deals >= 50
    timed = name.endswith("ms") and not name.endswith("_0ms")
    assert [PlayerName.read(player).is_timed for player in plan.entrants] == [timed] * len(plan.entrants)
    assert not any(PlayerName.read(player).is_timed for player in plan.population)
    population = SUITE[name].population
    assert not set(population.held_out) & set(population.public)
    assert SUITE[name].is_final == name.endswith(("_0ms", "_25"))
    if SUITE[name].is_final:
        assert plan.population == population.public
        assert SUITE[name].plan(held_out=True).population == population.held_out
    else:
        assert plan.population == population.strong
        with pytest.raises(ValueError, match=f"^'{SUITE[name].entry.title}' has no table against the players that are"):
            SUITE[name].plan(held_out=True)


def test_entrants_that_think_long_meet_the_strong_players_alone(suite: Path, tmp_path: Path) -> None:
    (suite / "populations" / "two.yaml").write_text(POPULATION + "strong: [greedy, random]\n")
    (suite / "playing" / "long.yaml").write_text(SMALL.replace("population: two", "population: two\nagainst: strong"))
    done = run_here(SCRIPT, "--suite", suite, "--out", tmp_path / "out", "--final", "--processes", "1")
    assert done.returncode == 0, done.stderr
    names = sorted(path.parent.name for path in tmp_path.glob("out/*/plan.json"))
    assert names == ["long", "small", "small_held_out"]
    own = [(tmp_path / "out" / name / "tables.md").read_text() for name in names]
    assert (tmp_path / "out/tables.md").read_text() == "\n".join(own)
    # What was played there before stays in the tables.
    words = ("--suite", suite, "--out", tmp_path / "out", "--only", "small", "--processes", "1")
    assert run_here(SCRIPT, *words).returncode == 0
    assert (tmp_path / "out/tables.md").read_text() == "\n".join(own)
    assert json.loads((tmp_path / "out/long/plan.json").read_text())["population"] == ["greedy", "random"]
    refused = refusal(run_here(SCRIPT, "--suite", suite, "--out", tmp_path / "other", "--only", "long", "--final"))
    assert "--final: 'long' has no table against the players that are held out" in refused


def test_the_tournaments_of_a_population_have_the_same_deals() -> None:
    assert len({tournament.entry.seed for tournament in SUITE.values()}) == 1
    assert {name.rpartition("_")[0] for name in SUITE} == {tournament.entry.population for tournament in SUITE.values()}


def test_tournaments_stand_by_game_players_and_budget() -> None:
    budgets = ["0ms", "25", "400", "10ms", "100ms"]
    of = ["timeline_2", "timeline_4", "twilight_struggle"]
    assert list(SUITE) == [f"{population}_{budget}" for population in of for budget in budgets]


def test_a_plan_for_another_suite_is_another_tournament() -> None:
    one, other = (plan_against(Setting(GAME, 2), ["greedy"], ["random", "greedy"], 6, 5, suite) for suite in (3, 4))
    assert one.as_dict() != other.as_dict() and one.about == other.about


@pytest.mark.parametrize(
    "folder",
    [*sorted(path for path in RESULTS.iterdir() if path.is_dir()), *(POOLS / name for name in SUITE_OF_THE_POOLS)],
    ids=lambda folder: folder.name,
)
def test_the_results_that_are_shown_are_of_their_suite(folder: Path) -> None:
    suite = SUITE if folder.parent == RESULTS else SUITE_OF_THE_POOLS
    wanted = suite[folder.name.removesuffix(HELD_OUT)].plan(held_out=folder.name.endswith(HELD_OUT))
    assert wanted.deals >= 50
    played = read(folder / "games.npz")
    assert played.about == wanted.about
    assert len(played.rank) == wanted.games
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["games"] == wanted.games
    found = against(wanted, played)
    check_summary(found, folder / "summary.json")
    if suite is SUITE:
        rows = zip(summary["about"]["players"], summary["rating"], summary["standings"], strict=True)
        shown = [line((f"`{name}`", *standing_cells(rating, told["overall"]))) for name, rating, told in rows]
        assert {*markdown(against_table(found)), *shown} <= TABLES


def standing_cells(rating: Any, overall: dict[str, Any]) -> Iterator[str]:
    """What the published table shows of a player, from ``summary.json``."""
    kept = (rating, overall["win"], overall["rank"], overall["points"])
    for told, how in zip(kept, ((1, 0), (100, 1), (1, 2), (1, 2)), strict=True):
        yield "" if told is None else Estimate(**told).text(*how)


@pytest.mark.parametrize("file", sorted(RESULTS.parent.rglob("summary.json")), ids=lambda path: path.parent.name)
def test_plan_and_numbers_that_are_kept_are_those_of_the_games(file: Path) -> None:
    played = read(file.with_name("games.npz"))
    plan, summary = (json.loads(file.with_name(name).read_text()) for name in ("plan.json", "summary.json"))
    about = json.loads(json.dumps(asdict(played.about)))
    for key in ("game", "rules_version", "deals", "seed"):
        assert plan[key] == summary["about"][key] == about[key]
    assert [*plan["players"]] == summary["about"]["players"] == about["players"]
    assert summary["about"]["seats"] == about["seats"] and plan["seats"] == len(about["seats"])
    assert summary["games"] == len(played.rank)
    two = len(about["seats"]) == 2
    found = {
        "ahead": cross_play(share_ahead(played)),
        "by_side": share_by_side(played) if two else None,
        "against_copies": None if two else share_against_copies(played),
    }
    for key, matrix in found.items():
        assert numbers_in(summary[key]) == pytest.approx(numbers_in(json.loads(json.dumps(matrix, default=vars)))), key
    wins = [vars(each.overall.win) for each in standings(played)]
    assert numbers_in([told["overall"]["win"] for told in summary["standings"]]) == pytest.approx(numbers_in(wins))


def numbers_in(content: Any) -> list[float]:
    """The numbers in nested lists and dicts, in their order; -9 for what is not there."""
    if isinstance(content, dict | list):
        return [
            number
            for each in (content.values() if isinstance(content, dict) else content)
            for number in numbers_in(each)
        ]
    return [-9.0 if content is None else content]


@pytest.mark.parametrize("file", sorted(RESULTS.parent.rglob("games.npz")), ids=lambda path: path.parent.name)
def test_every_twentieth_game_that_is_kept_replays_by_the_rules_as_they_are(file: Path) -> None:
    kept = open_dataset(file)
    some = replace(kept, games=kept.games[::20])
    assert sum(len(rows) for rows in some.batches(100_000)) == some.decisions > 0


def test_the_page_of_the_benchmark_shows_these_tables() -> None:
    shown = (ROOT / "docs" / "results" / "benchmark.md").read_text(encoding="utf-8")
    assert (RESULTS / "tables.md").read_text(encoding="utf-8") in shown
