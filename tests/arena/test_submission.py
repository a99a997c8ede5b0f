"""What is handed in to the suite: sound entries are accepted, and whatever was changed is found."""

from __future__ import annotations

import json
import os
import secrets
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.arena.suites import SMALL, make_suite
from tests.arena.watching import Watching
from tests.commands import run_here
from tests.refusals import refusal
from timeline_env.arena import submission
from timeline_env.arena.datasets import reader
from timeline_env.arena.played import Played, read
from timeline_env.arena.population import PopulationPlan, against
from timeline_env.arena.submission import Check, check
from timeline_env.arena.suite import load_suite
from timeline_env.arena.tournament import GAMES_FILE, run
from timeline_env.commands.benchmark import sort_entrants
from timeline_env.engine.setting import Setting
from timeline_env.files import write_json
from timeline_env.players import Decisions

pytestmark = pytest.mark.usefixtures("work_here")
MAIN = ("-m", "timeline_env.commands.main", "benchmark", "submit")
TIMED = SMALL.replace('"mcts:2", "mcts:8"', '"mcts:1ms"').replace("budget: 8", "budget: 1ms")


class Unrepeatable(Watching):
    """Draws from a new seed each time, as good as a player that looks at the clock."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(secrets.randbits(64))


class Failing(Watching):
    """Fails where the environment says so, which other processes see as well."""

    def act(self, decisions: Decisions) -> np.ndarray:
        if "PLAYERS_FAIL" in os.environ:
            raise RuntimeError("out of memory")
        return super().act(decisions)


class Unloadable:
    """Fails as soon as it is made."""

    def __init__(self, seed: int = 0) -> None:
        raise RuntimeError("no weights")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite, and an entry to it."""
    folder = tmp_path_factory.mktemp("entry")
    play(load_suite(make_suite(folder / "suite"))["small"].plan(["projector"]), folder / "mine" / "small")
    return folder


def play(plan: PopulationPlan, folder: Path) -> None:
    """Play a tournament and write its numbers."""
    write_numbers(plan, run(plan, folder, 1), folder)


def write_numbers(plan: PopulationPlan, played: Played, folder: Path) -> None:
    rows = [row.as_dict() for row in against(plan, played)]
    write_json(folder / "summary.json", {"games": plan.games, "against": rows})


@pytest.fixture
def entry(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "entry")
    return tmp_path / "entry"


def checked(entry: Path, sample: int = 100, seed: int = 0) -> Check:
    tournament = load_suite(entry / "suite")["small"]
    plan = tournament.plan(["projector"])
    return check(plan, tournament.is_timed, entry / "mine" / "small", ["projector"], sample, seed, 1)


def change(entry: Path, by: Callable[[Played], Played]) -> None:
    file = entry / "mine" / "small" / GAMES_FILE
    by(read(file)).save(file)


def tell_numbers(entry: Path) -> None:
    """Write the numbers of the games as they are, now that they were changed."""
    folder = entry / "mine" / "small"
    write_numbers(load_suite(entry / "suite")["small"].plan(["projector"]), read(folder / GAMES_FILE), folder)


def other_winner(played: Played) -> Played:
    return replace(played, rank=played.rank[:, ::-1])


def another_move(played: Played) -> Played:
    return replace(played, actions=np.zeros_like(played.actions))


def other_seats(played: Played) -> Played:
    return replace(played, seating=played.seating[:, ::-1])


def games_of_others(played: Played) -> Played:
    """Legal games, with their true results, but not those that these players play: a deal's games, turned round."""
    return in_order(played, np.arange(len(played.deal)) ^ 1)


def in_order(played: Played, order: np.ndarray) -> Played:
    """The same schedule with the results and the moves of other games."""
    parts = [played.select(int(number), int(number) + 1) for number in order]
    actions = np.concatenate([part.actions for part in parts])
    return replace(
        played, points=played.points[order], rank=played.rank[order], decisions=played.decisions[order], actions=actions
    )


def test_a_sound_entry_is_accepted_and_left_as_it_is(entry: Path) -> None:
    folder = entry / "mine" / "small"
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    assert checked(entry) == Check(games=42, again=42, timed=0)
    assert checked(entry, 1).again == 2 * 2  # a part of projector's tables and one of the others'
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("by", "message"),
    [
        (other_winner, "it ends with another result than the file says"),
        (another_move, "is not legal"),
        (other_seats, "its table, its deal or its seating is not the plan's"),
        (lambda played: played.select(0, 40), "holds the games of another tournament against a population"),
        (lambda played: replace(played, about=replace(played.about, seed=6)), "holds the games of another tournament"),
    ],
)
def test_whatever_was_changed_is_found(entry: Path, by: Callable[[Played], Played], message: str) -> None:
    change(entry, by)
    assert message in checked(entry).reason


def test_games_that_these_players_do_not_play_are_found_when_they_are_played_again(entry: Path) -> None:
    change(entry, games_of_others)
    found = checked(entry)
    assert "summary.json: not what the games say" in found.reason
    assert found.again == 0 < found.theirs, "before anything is played again"
    tell_numbers(entry)
    assert "played again, its games are others" in checked(entry).reason


def test_games_count_as_replayed_when_all_of_them_are(entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many blocks the last may hold the one that is not legal."""

    def last_game(played: Played) -> Played:
        before = len(played.actions) - played.decisions[-1]
        return replace(played, actions=np.where(np.arange(len(played.actions)) < before, played.actions, 0))

    change(entry, last_game)
    monkeypatch.setattr(submission, "DECISIONS", 50)
    monkeypatch.setattr(reader, "DECISIONS_AT_ONCE", 50)
    found = checked(entry)
    assert "is not legal" in found.reason and found.games == 0


def test_the_tables_of_the_suites_own_entrants_are_played_again_too(entry: Path) -> None:
    """Where projector does not sit, a deal's games change places."""

    def by(played: Played) -> Played:
        theirs = (played.seating == played.about.players.index("projector")).any(axis=1)
        order = np.where(theirs, np.arange(len(theirs)), np.arange(len(theirs)) ^ 1)
        return in_order(played, order)

    change(entry, by)
    tell_numbers(entry)
    assert "played again, its games are others" in checked(entry).reason


def test_another_plan_is_found(entry: Path) -> None:
    file = entry / "mine" / "small" / "plan.json"
    told = json.loads(file.read_text())
    for key, value in (("deals", 2), ("suite", 2), ("rules", "0"), ("players", {})):
        file.write_text(json.dumps(told | {key: value}))
        assert f"holds another tournament against a population: {key} " in checked(entry).reason


def test_other_numbers_than_the_games_give_are_found(entry: Path) -> None:
    file = entry / "mine" / "small" / "summary.json"
    told = json.loads(file.read_text())
    rows = told["against"]
    name, overall = rows[0]["entrant"], rows[0]["overall"]
    not_so = f"summary.json: not what the games say of {name}, whose return is "
    for row in ({"overall": overall | {"mean": 0.999}}, {"overall": {}}, {"entrant": "me"}, {"worst": "me"}):
        write_json(file, told | {"against": [rows[0] | row, *rows[1:]]})
        assert checked(entry, 1).reason.startswith(not_so)
    for wrong in (7, None, [], rows[1:]):
        write_json(file, told | {"against": wrong})
        assert checked(entry, 1).reason.startswith(not_so)
    write_json(file, told | {"against": [*rows, rows[0]]})
    assert checked(entry, 1).reason == "summary.json: it must have 4 entrants, not 5"
    write_json(file, {})
    assert checked(entry, 1).reason.startswith("summary.json: it must be a table with the keys against")
    file.unlink()
    assert checked(entry, 1).reason.startswith("summary.json: No such file")
    write_json(
        file, told | {"against": [rows[0] | {"overall": overall | {"mean": overall["mean"] + 1e-12}}, *rows[1:]]}
    )
    assert not checked(entry, 1).reason


def test_games_by_other_rules_are_found_where_they_are_not_played_again(tmp_path: Path) -> None:
    """The games are legal by the rules that their file names; of players that think for a time nothing else would show."""
    tournament = load_suite(make_suite(tmp_path / "suite", TIMED))["small"]
    made = tournament.plan()
    richer = replace(made, setting=Setting(made.setting.game, 2, {"player": {"income": 20}}))
    run(richer, tmp_path / "richer", 1)
    run(made, tmp_path / "mine", 1)
    shutil.copy(tmp_path / "richer" / GAMES_FILE, tmp_path / "mine" / GAMES_FILE)
    found = check(made, tournament.is_timed, tmp_path / "mine", ["mcts:1ms"], 1, 0, 1)
    assert found.reason == (
        "games.npz holds games by other rules than the plan's: the changes {'player': {'income': 20}}, not the game as it is"
    )
    assert found.games == 0


def test_games_of_players_that_think_for_a_time_are_only_replayed(tmp_path: Path) -> None:
    """A player of one's own keeps its budget by itself: where that is a time, it may play otherwise each time."""
    tournament = load_suite(make_suite(tmp_path / "suite", TIMED))["small"]
    own = f"{__name__}:Unrepeatable"
    plan = tournament.plan([own])
    play(plan, tmp_path / "mine")
    assert check(plan, tournament.is_timed, tmp_path / "mine", [own], 100, 0, 1) == Check(games=30, again=6, timed=24)


@pytest.mark.parametrize(("budget", "timed"), [("0", False), ("8", False), ("1ms", True)])
def test_a_player_of_ones_own_may_look_at_the_clock_where_the_budget_is_a_time(
    budget: str, timed: bool, tmp_path: Path
) -> None:
    """Whatever else enters."""
    content = TIMED.replace("budget: 1ms", f"budget: {budget}").replace('"mcts:1ms", ', "")
    tournament = load_suite(make_suite(tmp_path / "suite", content))["small"]
    assert [tournament.is_timed(name) for name in ("mine:Player", "process:sh", "greedy")] == [timed, timed, False]


def test_a_player_of_ones_own_that_is_not_the_same_twice_is_refused_where_no_time_is_given(tmp_path: Path) -> None:
    tournament = load_suite(make_suite(tmp_path / "suite"))["small"]
    own = f"{__name__}:Unrepeatable"
    plan = tournament.plan([own])
    play(plan, tmp_path / "mine")
    found = check(plan, tournament.is_timed, tmp_path / "mine", [own], 100, 0, 1)
    assert "played again, its games are others" in found.reason


def test_a_player_that_fails_when_it_is_played_again_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tournament = load_suite(make_suite(tmp_path / "suite"))["small"]
    own = f"{__name__}:Failing"
    plan = tournament.plan([own])
    play(plan, tmp_path / "mine")
    monkeypatch.setenv("PLAYERS_FAIL", "1")
    found = check(plan, tournament.is_timed, tmp_path / "mine", [own], 100, 0, 1)
    assert "Failing" in found.reason and "out of memory" in found.reason and found.again == 0


def test_a_player_that_fails_while_it_is_loaded_is_refused(entry: Path) -> None:
    words = ("mine", "--player", f"{__name__}:Unloadable", "--suite", "suite", "--processes", "1")
    done = run_here(*MAIN, *words, cwd=entry)
    assert done.returncode == 1
    said = f"verdict: refused: small: player {__name__}:Unloadable cannot be loaded: RuntimeError: no weights ("
    assert done.stdout.splitlines()[-1].startswith(said)


def test_the_command_gives_one_verdict(entry: Path) -> None:
    words = ("mine", "--player", "projector", "--suite", "suite", "--seed", "1", "--sample", "1", "--processes", "1")
    done = run_here(*MAIN, *words, cwd=entry)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "verdict: accepted (sample drawn by --seed 1)"
    file = entry / "mine" / "small" / "summary.json"
    for row in json.loads(file.read_text())["against"]:
        assert any(line.startswith(f"| `{row['entrant']}` | {row['overall']['mean']:.3f} [") for line in lines)
    unnamed = run_here(*MAIN, "mine", "--suite", "suite", "--processes", "1", cwd=entry)
    assert unnamed.returncode == 1
    assert "verdict: refused: small: 'projector' entered; give it as --player" in unnamed.stdout.splitlines()[-1]
    (entry / "mine" / "other" / "parts").mkdir(parents=True)
    done = run_here(*MAIN, *words, cwd=entry)
    assert done.returncode == 1
    assert "verdict: refused: other: it was not played to its end" in done.stdout.splitlines()[-1]
    done = run_here(*MAIN, "mine", "--suite", "suite", "--processes", "1", cwd=entry)
    assert done.stdout.splitlines()[:-1] == [
        "other: it was not played to its end",
        "small: 'projector' entered; give it as --player",
    ]
    shutil.rmtree(entry / "mine" / "other")
    forged = entry / "mine" / "a\nverdict: accepted\x1b[2J"
    (forged / "parts").mkdir(parents=True)
    done = run_here(*MAIN, "mine", "--suite", "suite", "--processes", "1", cwd=entry)
    assert done.stdout.splitlines()[0] == r"a verdict: accepted\x1b[2J: it was not played to its end"
    shutil.rmtree(forged)
    shutil.copytree(entry / "mine" / "small", entry / "mine" / "largest")
    done = run_here(*MAIN, *words, cwd=entry)
    assert done.returncode == 1
    assert "verdict: refused: largest: tournament 'largest' is unknown; allowed: small" in done.stdout.splitlines()[-1]
    assert "small: 42 of 42 games replayed to their results" in done.stdout, "the others are checked all the same"
    shutil.rmtree(entry / "mine" / "largest")
    done = run_here(*MAIN, *words, "--player", "mcts:100000", cwd=entry)
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].startswith("verdict: refused: small: player 'mcts:100000'"), done.stdout
    change(entry, other_winner)
    done = run_here(*MAIN, *words, cwd=entry)
    assert done.returncode == 1
    assert "verdict: refused: small: " in done.stdout.splitlines()[-1]
    assert "holds no tournament that was played" in refusal(run_here(*MAIN, "suite", cwd=entry))
    assert "is the folder of one tournament" in refusal(run_here(*MAIN, "mine/small", cwd=entry))
    assert "there is no folder 'nowhere'" in refusal(run_here(*MAIN, "nowhere", cwd=entry))


def test_what_is_played_again_is_drawn_by_the_seed(entry: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[list[int]] = []
    monkeypatch.setattr(submission, "check_again", lambda plan, played, chosen, *_: drawn.append(chosen))
    for seed in (0, 1, 0):
        assert checked(entry, sample=2, seed=seed).reason == ""
    assert drawn[0] == drawn[2] != drawn[1] and all(len(numbers) == 4 for numbers in drawn)


def test_players_may_be_given_in_any_order() -> None:
    assert sort_entrants(["b", "c", "a"], ["a", "b"]) == ("a", "b", "c")
