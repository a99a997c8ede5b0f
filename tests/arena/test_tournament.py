"""Tournaments as they are played: the same to the byte on any number of processes, killed or not; what is refused, what is reported."""

from __future__ import annotations

import hashlib
import html.parser
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.arena.simulated import written
from tests.commands import processes, python_in, run_here
from tests.players.agents import an_agent
from tests.refusals import refusal
from timeline_env.arena import figures, tables
from timeline_env.arena.datasets import making
from timeline_env.arena.games import play_games
from timeline_env.arena.page import page
from timeline_env.arena.played import COLUMNS, read
from timeline_env.arena.population import plan_against
from timeline_env.arena.summary import summarize
from timeline_env.arena.tournament import (
    GAMES_FILE,
    TIME_FILE,
    Plan,
    describe_time,
    open_folder,
    plan,
    play_part,
    play_parts,
    run,
    time_file,
)
from timeline_env.engine.batch import game_seeds
from timeline_env.engine.setting import Setting
from timeline_env.failures import PlayerFailed
from timeline_env.files import lock_folder, write_json
from timeline_env.players import load_player
from timeline_env.players.agents.agent_files import AGENT_FILE, CHECKPOINTS
from timeline_env.timeline import GAME

ROOT = Path(__file__).resolve().parents[2]
PLAYERS = ["random", "greedy", "projector"]


def begin(wanted: Plan, folder: Path) -> None:
    """What a tournament does before its first game."""
    with open_folder(wanted, folder):
        pass


def command(*arguments: object) -> list[str]:
    return [sys.executable, str(ROOT / "scripts" / "tournament.py"), *map(str, arguments)]


def script(*arguments: object, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments), capture_output=True, text=True, cwd=cwd)


SETTINGS = (*PLAYERS, "--players", 3, "--games", 150, "--seed", 4)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tournament from beginning to end, on one process."""
    path = tmp_path_factory.mktemp("tournaments") / "whole"
    done = script(*SETTINGS, "--processes", 1, "--out", path)
    assert done.returncode == 0, done.stderr
    assert "projector has the highest rating" in done.stdout and "7 tables, 1,050 games, 50 deals" in done.stdout
    assert describe_time(path) in done.stdout.splitlines() and json.loads((path / TIME_FILE).read_text())["seconds"] > 0
    return path


def test_ended_killed_and_given_again_it_comes_to_the_same_bytes(whole: Path, tmp_path: Path) -> None:
    path, said = tmp_path / "killed", tmp_path / "said"
    line = command(*SETTINGS, "--processes", 2, "--out", path)
    for how, code, parts in ((signal.SIGTERM, 130, 5), (signal.SIGKILL, -9, 10)):
        with said.open("w") as file:
            process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=file, start_new_session=True)
        try:
            deadline = time.monotonic() + 300
            while len(kept(path)) < parts and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.005)
        finally:
            os.kill(process.pid, how)
        assert process.wait() == code
        assert how == signal.SIGKILL or "Warning" not in said.read_text()
        assert not (path / GAMES_FILE).exists() and len(kept(path)) >= parts
        assert_ended(process.pid)
    for partial in ("parts/.000099.npz.partial", ".games.npz.0123abcd.partial"):
        (path / partial).write_bytes(b"half a file")
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for name in (GAMES_FILE, "summary.json", "plan.json", "ratings.png"):
        assert (path / name).read_bytes() == (whole / name).read_bytes(), name
    assert not (path / "parts").exists() and not list(path.rglob("*.partial"))


def kept(tournament: Path) -> list[Path]:
    """The parts that were played."""
    return list(tournament.glob("parts/0*.npz"))


def assert_ended(session: int) -> None:
    """No process of this session is left: the workers of a killed tournament end with it."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        left = [number for number, _, _, its_session in processes() if its_session == session]
        if not left:
            return
        time.sleep(0.1)
    raise AssertionError(f"still running: {left}")


def test_every_table_plays_the_same_deals_in_every_seating(whole: Path) -> None:
    played = read(whole / GAMES_FILE)
    assert played.about.players == tuple(PLAYERS) and len(played.deal) == 7 * 50 * 3
    for table in range(7):
        rows = played.table == table
        assert np.bincount(played.deal[rows]).tolist() == [3] * 50
        counts = [np.bincount(seat, minlength=3) for seat in played.seating[rows].T]
        assert (counts[0] == counts[1]).all() and (counts[1] == counts[2]).all()


def test_a_game_of_the_file_is_the_game_of_its_seed(whole: Path) -> None:
    # Greedy and projector draw among equals, so only games of one table as they were played can be played again: all of a part.
    played, wanted = read(whole / GAMES_FILE), plan(GAME, PLAYERS, 3, 150, 4)
    assert wanted.deals_a_part == 3
    rows = np.flatnonzero((played.table == wanted.tables.index((0, 0, 1))) & (played.deal < 3))
    seeds = game_seeds(4, 50)[played.deal[rows]]
    sequence = np.random.SeedSequence
    number = wanted.tables.index((0, 0, 1)) * wanted.parts_a_table
    players = [
        load_player(name, GAME, int(sequence([4, number, who]).generate_state(1)[0]), 3)
        for who, name in enumerate(PLAYERS)
    ]
    again = play_games(wanted.setting, players, played.seating[rows], seeds)
    assert (again.points == played.points[rows]).all() and (again.decisions == played.decisions[rows]).all()


def test_the_folder_tells_the_time_that_all_parts_took(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1000, 10))  # each part takes ten seconds
    monkeypatch.setattr("timeline_env.arena.tournament.time.perf_counter", lambda: float(next(clock)))
    wanted = plan(GAME, ["random", "greedy"], 2, 12, 0)
    begin(wanted, tmp_path)
    (tmp_path / "parts").mkdir()
    monkeypatch.setattr("timeline_env.arena.tournament.name_processor", lambda: "two")
    play_part(wanted, 0, tmp_path / "parts")  # of a call that was killed, on another machine
    monkeypatch.setattr("timeline_env.arena.tournament.name_processor", lambda: "one")
    monkeypatch.setattr("timeline_env.arena.tournament.run_parallel", in_this_process)
    run(wanted, tmp_path, 1)
    told = json.loads((tmp_path / TIME_FILE).read_text())
    assert wanted.parts == 6 and told == {"seconds": 60.0, "processors": ["one", "two"]}
    assert describe_time(tmp_path) == "played in 1.0 minutes of one process on one and two"
    (tmp_path / TIME_FILE).write_text('{"seconds": 60}')  # of an older version
    assert describe_time(tmp_path) == "played in 1.0 minutes of one process"
    for wrong in (
        *("{}", '{"seconds": null}', '{"seconds": true}', '{"seconds": -1}', '{"seconds": NaN}', "?"),
        *(
            '{"seconds": 1, "processors": "one"}',
            '{"seconds": 1, "processors": [1]}',
            '{"seconds": 1, "processors": ["\\u001b[31m"]}',
        ),
    ):
        (tmp_path / TIME_FILE).write_text(wrong)
        with pytest.raises(ValueError, match=r"^'[^\n]+time.json': "):
            describe_time(tmp_path)
    (tmp_path / TIME_FILE).unlink()
    assert describe_time(tmp_path) == ""


@pytest.mark.parametrize(
    "damage", [None, "", "?", '{"seconds": NaN, "processors": []}', '{"seconds": -1, "processors": []}']
)
def test_what_is_not_known_of_one_part_is_not_told_of_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str | None
) -> None:
    monkeypatch.setattr("timeline_env.arena.tournament.run_parallel", in_this_process)
    wanted = plan(GAME, ["random", "greedy"], 2, 12, 0)
    begin(wanted, tmp_path)
    (tmp_path / "parts").mkdir()
    for number in range(wanted.parts):
        play_part(wanted, number, tmp_path / "parts")
    file = time_file(tmp_path / "parts", 1)
    file.unlink() if damage is None else file.write_text(damage)
    run(wanted, tmp_path, 1)
    assert not (tmp_path / TIME_FILE).exists() and describe_time(tmp_path) == ""


def test_the_manuals_example_reads_the_file(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = python_in("docs/arena.md")
    monkeypatch.chdir(tmp_path)
    Path("runs").mkdir()
    Path("runs/baselines").symlink_to(whole)
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["about"]["players"] == PLAYERS and len(names["won"]) == 3 * 1050


def test_the_same_players_in_another_order_are_another_tournament(tmp_path: Path) -> None:
    begin(plan(GAME, ["random", "greedy"], 2, 12, 0), tmp_path)
    with pytest.raises(ValueError, match=r"holds another tournament: players"):
        run(plan(GAME, ["greedy", "random"], 2, 12, 0), tmp_path, 1)


def test_a_part_of_another_tournament_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = plan(GAME, ["random", "greedy"], 2, 12, 0)
    begin(wanted, tmp_path)
    (tmp_path / "parts").mkdir()
    play_part(plan(GAME, ["greedy", "random"], 2, 12, 0), 2, tmp_path / "parts")
    monkeypatch.setattr("timeline_env.arena.tournament.run_parallel", in_this_process)
    with pytest.raises(
        ValueError, match=r"000002.npz' holds the games of another tournament; without that file it is played again$"
    ):
        run(wanted, tmp_path, 1)
    assert not (tmp_path / GAMES_FILE).exists()


def in_this_process(work: Any, tasks: Any, processes: int, progress: Any) -> None:
    for task in tasks:
        progress(work(*task))


def test_the_file_is_columns_of_equal_length(whole: Path) -> None:
    with np.load(whole / GAMES_FILE, allow_pickle=False) as file:
        assert set(file.files) == {"about", "actions", *COLUMNS}
        assert file["actions"].shape == (file["decisions"][::3].sum(),)
        assert {file[name].shape for name in COLUMNS} == {(1050 * 3,)}
        assert file["seat"][:6].tolist() == [0, 1, 2, 0, 1, 2] and file["game"][:4].tolist() == [0, 0, 0, 1]


def test_projector_is_found_stronger_than_random(whole: Path) -> None:
    found = json.loads((whole / "summary.json").read_text())
    random, _, projector = found["rating"]
    assert projector["low"] > random["high"] and found["ahead"][2][0]["low"] > 0.5
    assert sum(standing["overall"]["win"]["mean"] for standing in found["standings"]) == pytest.approx(1)


def test_given_again_it_plays_nothing(whole: Path) -> None:
    finished: list[int] = []
    before = (whole / GAMES_FILE).stat().st_mtime_ns
    run(plan(GAME, PLAYERS, 3, 150, 4), whole, 1, finished.append)
    assert finished == [] and (whole / GAMES_FILE).stat().st_mtime_ns == before


def refused(*arguments: object, cwd: Path) -> str:
    """The one line of a tournament that is refused before it begins."""
    return refusal(run_here("scripts/tournament.py", *arguments, cwd=cwd))


def test_the_command_line_refuses_in_one_line(whole: Path, tmp_path: Path) -> None:
    out = ("--out", "new")
    assert "'random'" in refused("random", *out, cwd=tmp_path)
    assert "each named once" in refused("random", "random", *out, cwd=tmp_path)
    assert "player 'nobody' is unknown" in refused("random", "nobody", *out, cwd=tmp_path)
    assert "games 3 must be" in refused("random", "greedy", "--games", 3, *out, cwd=tmp_path)
    assert "num_players 9" in refused("random", "greedy", "--players", 9, *out, cwd=tmp_path)
    assert "num_players 0" in refused("random", "greedy", "--players", 0, *out, cwd=tmp_path)
    assert "game 'chess' is unknown" in refused("random", "greedy", "--game", "chess", *out, cwd=tmp_path)
    assert "seed -1" in refused("random", "greedy", "--seed", -1, *out, cwd=tmp_path)
    assert "processes" in refused("random", "greedy", "--processes", 0, *out, cwd=tmp_path)
    assert "--out" in refused("random", "greedy", cwd=tmp_path)
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").touch()
    assert "is not a tournament's folder" in refused("random", "greedy", "--out", "taken", cwd=tmp_path)
    assert "deals 50, now 20" in refused(
        *PLAYERS, "--players", 3, "--games", 60, "--seed", 4, "--out", whole, cwd=tmp_path
    )


def test_a_player_that_changed_is_another_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    module = tmp_path / "a_player_that_changes.py"
    module.write_text(
        "class P:\n    def __init__(self, seed): pass\n    def act(self, d): return d.action_mask.argmax(1)\n"
    )
    wanted = plan(GAME, ["random", "a_player_that_changes:P"], 2, 8)
    begin(wanted, tmp_path / "t")
    begin(wanted, tmp_path / "t")
    module.write_text(module.read_text() + "# another\n")
    with pytest.raises(ValueError, match=r"holds another tournament: players"):
        begin(wanted, tmp_path / "t")


def test_a_player_of_the_script_that_runs_is_refused_before_a_folder_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules["__main__"], "Mine", type(load_player("random", GAME)), raising=False)
    wanted = plan(GAME, ["__main__:Mine", "random"], 2, 4)
    with pytest.raises(ValueError, match=r"^player '__main__:Mine' must be in a file of its own"):
        run(wanted, tmp_path / "new", 1)
    assert not (tmp_path / "new").exists()


def test_two_processes_cannot_play_the_same_tournament(tmp_path: Path) -> None:
    wanted = plan(GAME, ["random", "greedy"], 2, 8)
    begin(wanted, tmp_path / "t")
    with lock_folder(tmp_path / "t", "no"), pytest.raises(ValueError, match="being played by another process"):
        run(wanted, tmp_path / "t", 1)


def test_two_processes_begin_a_tournament_and_one_is_told_of_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted, asked = plan(GAME, ["random", "greedy"], 2, 8), []

    def write_late(path: Path, content: Any) -> None:
        with pytest.raises(ValueError, match="being played by another process"), open_folder(wanted, tmp_path / "t"):
            pass
        asked.append(path.name)
        write_json(path, content)

    monkeypatch.setattr("timeline_env.arena.tournament.write_json", write_late)
    begin(wanted, tmp_path / "t")
    assert asked == ["plan.json"]


def test_a_folder_of_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ValueError, match="exists and is not a tournament's folder"):
        run(plan(GAME, ["random", "greedy"], 2, 8), tmp_path, 1)
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("name", ["{}", "{}@sampled", "puct:2@{}"])
def test_a_run_that_goes_on_plays_as_it_did_when_the_tournament_began(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "run" / CHECKPOINTS
    for steps in ("1", "2"):
        (folder / steps.zfill(12)).mkdir(parents=True)
        an_agent(2, int(steps)).save(folder / steps.zfill(12) / AGENT_FILE)
    wanted = plan(GAME, ["random", name.format(tmp_path / "run")], 2, 8)
    begin(wanted, tmp_path / "t")
    (folder / "3".zfill(12)).mkdir()
    (folder / "3".zfill(12) / AGENT_FILE).write_text("of later, it cannot even be read")
    same = plan(GAME, ["random", name.format(folder / "2".zfill(12))], 2, 8)
    in_parts = [pickle.loads(pickle.dumps(wanted)).play(number) for number in range(wanted.parts)]
    for number, played in enumerate(in_parts):
        assert played.about.players == wanted.players
        assert (played.actions == same.play(number).actions).all()


@pytest.mark.parametrize("name", ["{}", "puct:2@{}"])
def test_a_tournament_goes_on_with_the_agent_that_it_was_begun_with(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "run" / CHECKPOINTS

    def keep(steps: int) -> Path:
        place = folder / str(steps).zfill(12)
        place.mkdir(parents=True)
        an_agent(2, steps).save(place / AGENT_FILE)
        return place

    def wanted() -> Plan:
        return plan(GAME, ["random", name.format(tmp_path / "run")], 2, 8)

    keep(1)
    begun_with = keep(2)
    begin(wanted(), tmp_path / "t")
    keep(3)
    played = run(wanted(), tmp_path / "t", 1)
    same = run(plan(GAME, ["random", name.format(begun_with)], 2, 8), tmp_path / "same", 1)
    later = run(wanted(), tmp_path / "later", 1)
    assert np.array_equal(played.actions, same.actions) and not np.array_equal(played.actions, later.actions)
    shutil.rmtree(begun_with)
    with pytest.raises(ValueError, match=r"holds another tournament: players .* give another folder"):
        run(wanted(), tmp_path / "t", 1)


@pytest.mark.parametrize(
    ("name", "file"), [("./greedy", "greedy"), ("puct:2@./greedy", "greedy"), ("./shipped@sampled", "shipped")]
)
def test_an_agents_file_that_is_called_like_another_player_plays_itself(
    name: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed, path in enumerate(("greedy", "shipped")):
        an_agent(2, seed).save(tmp_path / path)
    monkeypatch.chdir(tmp_path)
    wanted = plan(GAME, ["random", name], 2, 8)
    assert wanted.pinned == ("random", name)
    assert wanted.as_dict()["players"][name] == hashlib.sha256((tmp_path / file).read_bytes()).hexdigest()
    same = plan(GAME, ["random", name.replace(".", str(tmp_path), 1)], 2, 8)
    assert np.array_equal(wanted.play(0).actions, same.play(0).actions)


def test_numbers_may_be_numpys() -> None:
    wanted = plan(GAME, ["random", "greedy"], 2, np.int64(8), np.int64(4))
    data = making.plan(GAME, ["random"], 2, np.int64(8), np.int64(4))
    population = plan_against(Setting(GAME, 2), ["greedy"], ["random", "projector"], np.int64(8), np.int64(4), 3)
    assert json.dumps([wanted.as_dict(), data.as_dict(), population.as_dict()]).count('"seed": 4') == 3


def test_two_spellings_of_an_agents_path_are_one_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine").mkdir()
    an_agent(2).save(tmp_path / "mine" / "agent.npz")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"players 'mine/agent.npz mine/agent.npz' must be .* each named once"):
        plan(GAME, ["mine", "mine/"], 2, 8)
    with pytest.raises(ValueError, match=r"players 'mine/agent.npz mine/agent.npz' must be .* each named once"):
        making.plan(GAME, ["mine", "mine/"], 2, 8)
    with pytest.raises(ValueError, match=r"players .* must be at least two, each named once"):
        plan_against(Setting(GAME, 2), ["mine/"], ["random", "mine"], 8, 0, 3)
    for planned in (plan, making.plan):
        for players in ("random", {"random", "greedy"}):  # a set has another order in each process
            with pytest.raises(ValueError, match=r"players .* must be a sequence of names"):
                planned(GAME, players, 2, 8)


def test_a_player_that_fails_ends_the_tournament_with_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "a_player_that_cheats.py").write_text(
        "import numpy as np\nclass P:\n    def __init__(self, seed): pass\n    def act(self, d): return np.full(len(d.seat), 999)\n"
    )
    with pytest.raises(
        PlayerFailed, match="a_player_that_cheats:P answered decision 0 with action 999, which is not legal"
    ):
        run(plan(GAME, ["random", "a_player_that_cheats:P"], 2, 8), tmp_path / "t", 1)


def test_a_file_of_something_else_is_named(tmp_path: Path) -> None:
    (tmp_path / "text.npz").write_text("text")
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    for name in ("text.npz", "other.npz"):
        with pytest.raises(ValueError, match=f"{name}' holds no tournament's games"):
            read(tmp_path / name)


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        ("player", 99, "player holds a value that is not a number from 0 to 2"),
        ("rank", 9, "rank holds a value that is not a number from 1 to 3"),
        ("points", np.nan, "points holds a value that is not a number"),
        ("deal", -1, "deal holds a value that is not a number from 0"),
    ],
)
def test_games_that_cannot_have_been_played_are_refused(
    column: str, value: float, message: str, whole: Path, tmp_path: Path
) -> None:
    arrays = dict(np.load(whole / GAMES_FILE))
    arrays[column][5] = value
    np.savez(tmp_path / "games.npz", **arrays)
    with pytest.raises(ValueError, match=f"games.npz' holds no tournament's games: {message}"):
        read(tmp_path / "games.npz")


def test_a_damaged_part_is_named_and_without_it_is_played_again(tmp_path: Path) -> None:
    wanted = plan(GAME, ["random", "greedy"], 2, 8)
    run(wanted, tmp_path / "whole", 1)
    begin(wanted, tmp_path / "t")
    play_parts(wanted, tmp_path / "t" / "parts", 1, lambda games: None, None)
    part = tmp_path / "t" / "parts" / "000000.npz"
    part.write_bytes(part.read_bytes()[:100])
    with pytest.raises(ValueError, match=r"000000.npz' holds no .*; without that file it is played again$"):
        run(wanted, tmp_path / "t", 1)
    part.unlink()
    run(wanted, tmp_path / "t", 1)
    games = tmp_path / "t" / GAMES_FILE
    assert games.read_bytes() == (tmp_path / "whole" / GAMES_FILE).read_bytes()
    games.write_bytes(games.read_bytes()[:100])
    with pytest.raises(ValueError, match=r"games.npz' holds no .*; without that file all games are played again$"):
        run(wanted, tmp_path / "t", 1)


def test_the_games_of_another_tournament_are_not_reported(whole: Path, tmp_path: Path) -> None:
    wanted = plan(GAME, ["random", "greedy"], 2, 8)
    begin(wanted, tmp_path / "t")
    (tmp_path / "t" / GAMES_FILE).write_bytes((whole / GAMES_FILE).read_bytes())
    with pytest.raises(ValueError, match=r"games.npz' holds the games of another tournament"):
        run(wanted, tmp_path / "t", 1)


@pytest.mark.parametrize("text", ["[1, 2]", "{}", "[" * 10_000, "\0"])
def test_a_plan_that_is_none_is_refused_in_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text(text)
    with pytest.raises(ValueError, match="exists and is not a tournament's folder") as caught:
        begin(plan(GAME, ["random", "greedy"], 2, 8), tmp_path)
    assert "\n" not in str(caught.value)


class Outside(html.parser.HTMLParser):
    """What a page would load from elsewhere, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs) -> None:
        self.links += [
            value for name, value in attrs if name in ("src", "href") and not value.startswith("data:image/png;base64,")
        ]
        assert tag not in ("script", "link", "iframe")

    def handle_data(self, data) -> None:
        self.words.append(data)


def test_the_page_holds_all_it_shows(whole: Path) -> None:
    text = (whole / "report.html").read_text(encoding="utf-8")
    seen = Outside(text)
    assert seen.links == [] and "url(" not in text and "@import" not in text
    words = " ".join(seen.words)
    assert "projector has the highest rating" in words and "timeline, 3 seats" in words
    assert "Takes the decision after which it would lead by the most points" in words
    assert "tournament.py random greedy projector --players 3 --games 150 --seed 4" in words
    names = ("ratings", "cross_play", "against_copies", "points_by_seat", "lengths")
    for name in names:
        assert (whole / f"{name}.png").read_bytes().startswith(b"\x89PNG") and f"{name}.png" in words
    assert text.count("data:image/png;base64,") == len(names)


def summary_of(games, names: tuple[str, ...], deals: int = 0):
    played = written(games, len(names), deals)
    object.__setattr__(played.about, "players", names)
    return summarize(played)


def of_five_deals(games) -> list[str]:
    """What is said of the ratings of four players if each of five deals holds these games."""
    summary = summary_of([game for game in games for _ in range(5)], tuple("abcd"), 5)
    return [*tables.note_rated_by_prior(summary.about.players, summary.ahead)]


def test_a_group_that_was_never_behind_the_others_is_rated_by_the_prior() -> None:
    even = [(pair, ranks) for pair in ((0, 1), (2, 3)) for ranks in ((1, 2), (2, 1))]
    sure = [((a, b), (1, 2)) for a in (0, 1) for b in (2, 3)]
    found = of_five_deals(even + sure)
    assert found == [
        "a, b were ahead of everybody else they met, in every game: their ratings are a lower bound, kept finite by the prior.",
        "c, d were behind everybody else they met, in every game: their ratings are an upper bound, kept finite by the prior.",
    ]
    assert of_five_deals([*even, *sure, ((2, 0), (1, 2))]) == []


def test_who_is_between_those_it_beat_and_those_that_beat_it_is_rated_by_the_prior() -> None:
    found = of_five_deals([((a, b), (1, 2)) for a in range(4) for b in range(a + 1, 4)])
    between = "ahead of some of those they met and behind the others, in every game: how far its rating is from theirs, only the prior says."
    assert found[1:3] == [f"b was {between}", f"c was {between}"]
    assert found[0].startswith("a was ahead of everybody") and found[3].startswith("d was behind everybody")


def test_the_words_say_that_the_best_loses_to_the_next() -> None:
    # It loses three games of four to the second, and wins all against the third, which the second does not.
    lost = [((0, 1), ranks) for ranks in 3 * [(2, 1)] + [(1, 2)]]
    others = 5 * [((0, 2), (1, 2))] + 2 * [((1, 2), (1, 2)), ((1, 2), (2, 1))]
    said = tables.verdict(summarize(written((lost + others) * 20, 3)))[0]
    assert "p0 has the highest rating" in said
    assert "finishes ahead of the next, p1, less often than not" in said


def test_the_words_point_out_circles_and_ratings_without_bound() -> None:
    beats = [(0, 1), (1, 2), (2, 0)]
    games = [game for a, b in beats for game in [((a, b), (1, 2)), ((b, a), (2, 1))]] * 10
    # Each deal holds every pair, as in a tournament.
    played = written(games, 3)
    played.deal[:] = np.arange(60) // 6
    object.__setattr__(played.about, "deals", 10)
    summary = summarize(played)
    assert summary.cycles == [(0, 1, 2)]
    assert "Not transitive: p0 beats p1 beats p2 beats p0" in " ".join(tables.verdict(summary))
    assert [rating.mean for rating in summary.rating] == pytest.approx([0] * 3, abs=1e-6)
    sure = summary_of([((0, 1), (1, 2)), ((1, 0), (2, 1))] * 5, ("<b>", "last"))
    assert "<b> was ahead of everybody else they met, in every game: its rating is a lower bound" in " ".join(
        tables.verdict(sure)
    )
    text = page(
        sure, {"<b>": "<i>"}, dict.fromkeys(("ratings", "cross_play", "by_side", "points_by_seat", "lengths"), b""), "x"
    )
    assert "<b><b>" not in text and "&lt;b&gt;" in text and "<i>" not in text and "Sides" in text


def test_agents_that_come_along_are_known_by_their_files_too() -> None:
    found = plan(GAME, ["random", "shipped", "shipped@sampled", "puct:2@shipped", "mcts:2"], 2, 4).as_dict()["players"]
    assert found["random"] == found["mcts:2"] == ""
    assert len({found[name] for name in ("shipped", "shipped@sampled", "puct:2@shipped")}) == 1 != len(found["shipped"])


def test_a_name_with_signs_of_mathematics_is_drawn_as_it_is(whole: Path) -> None:
    found = summarize(read(whole / GAMES_FILE))
    names = ("process:sh -c '$A_B_C $D'", *found.about.players[1:])
    named = replace(found, about=replace(found.about, players=names))
    assert figures.figures(named).keys() == figures.figures(found).keys()
