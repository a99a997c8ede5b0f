"""The benchmark's tracks that train: their entries are sound, one command plays each, and given again it does nothing anew."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from tests.commands import run_here
from tests.players.agents import an_agent
from tests.refusals import refusal
from timeline_env.arena.estimates import Estimate
from timeline_env.arena.evaluation import Evaluation, evaluate
from timeline_env.arena.markdown import line
from timeline_env.arena.played import read
from timeline_env.arena.records import measure_all, write_tables
from timeline_env.arena.statistics import stratified_mean
from timeline_env.configs import FOLDER
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.players import Decisions
from timeline_env.players.agents.agent_files import AGENT_FILE, agent_at, agent_file, checkpoint_folder, read_agent
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.players.names import PlayerName
from timeline_env.reading import read_rows
from timeline_env.timeline import GAME
from timeline_env.timeline.cards import COLUMNS
from timeline_env.timeline.numbers import DATA
from training.best_response import begin_or_resume_challenger, challenger_config, meet
from training.config import Config, parse_config
from training.run import begin, measure, train
from training.run_folder import create, read_run
from training.start import start_agent
from training.tracks import generalisation, learning, responses
from training.tracks.entries import TRAINED, GeneralisationEntry, LearningEntry, choose, load_entries, with_config
from training.tracks.generalisation import KINDS, Cell, Generalised, result_file
from training.tracks.learning import Learned, check_agents
from training.tracks.responses import Exploited, folder_name
from training.tracks.scores import Match, play_match

pytestmark = pytest.mark.usefixtures("work_here")
DOCS = Path(__file__).resolve().parents[2] / "docs"
MAIN = ("-m", "timeline_env.commands.main", "benchmark")
SMALL = [
    "learner=ppo",
    "envs=16",
    "ppo.n_steps=8",
    "ppo.batch_size=64",
    "network.pieces=[clock, near, hand]",
    "network.hidden=[8]",
]
ENTRY = {
    "version": 3,
    "title": "Small",
    "game": "timeline",
    "config": "timeline_quick",
    "changes": SMALL,
    "decisions": 3000,
    "seeds": [0, 1],
    "against": ["random"],
    "games": 150,
    "seed": 1,
}
LEARNING = ENTRY | {"num_players": 2}
GENERAL = ENTRY | {
    "trained": {"num_players": 2, "rules": {"cards": "cards_even.csv", "copies": {2: 4}}},
    "played": {"three": {"num_players": 3}},
    "adaptation": 128,
}


def track(folder: Path, entry: dict) -> Path:
    folder.mkdir()
    (folder / "small.yaml").write_text(yaml.safe_dump(entry))
    for name in ("cards_even.csv", "cards_odd.csv"):
        (folder / name).write_bytes((FOLDER / "benchmark" / "generalisation" / name).read_bytes())
    return folder


def test_the_tracks_entries_are_sound() -> None:
    learning = load_entries(FOLDER / "benchmark" / "learning", LearningEntry)
    assert {entry.decisions for entry in learning.values()} == {10**6, 3 * 10**7, 10**9}
    small = choose(learning, None)
    assert {entry.game for entry in small.values()} == {"timeline", "twilight_struggle"}
    assert all(entry.decisions == 10**6 and len(entry.seeds) >= 5 for entry in small.values())
    assert load_entries(FOLDER / "benchmark" / "generalisation", GeneralisationEntry)


def test_the_two_halves_of_the_cards_are_the_table() -> None:
    halves = [
        read_rows(FOLDER / "benchmark" / "generalisation" / f"cards_{name}.csv", name, COLUMNS)
        for name in ("even", "odd")
    ]
    both = sorted((row for half in halves for row in half), key=lambda row: int(row["template"]))
    assert both == list(read_rows(DATA / "cards.csv", "cards", COLUMNS))


def test_the_learning_track_trains_measures_and_goes_on(tmp_path: Path) -> None:
    words = ("learning", "--track", str(track(tmp_path / "track", LEARNING)), "--processes", "1")
    done = run_here(*MAIN, *words, "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    text, found = ((tmp_path / "out" / f"tables.{kind}").read_text() for kind in ("md", "json"))
    row = json.loads(found)["small"]
    assert all(3000 <= count <= 3150 for count in row["decisions"]) and row["agents"] == ["seed 0", "seed 1"]
    assert row["score"]["mean"] == pytest.approx(np.mean([line[0]["mean"] for line in row["wins"]]))
    assert row["ahead"][0][1]["mean"] == pytest.approx(1 - row["ahead"][1][0]["mean"])
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out" / "small" / "measured").iterdir()}
    again = run_here(*MAIN, *words, "--out", str(tmp_path / "out"))
    assert again.returncode == 0 and (tmp_path / "out" / "tables.md").read_text() == text
    assert (tmp_path / "out" / "small" / "tables.md").read_text() == text
    assert before == {path: path.stat().st_mtime_ns for path in before}
    moved = Path(shutil.copytree(tmp_path / "out", tmp_path / "moved"))
    elsewhere = run_here(*MAIN, *words, "--out", str(moved))
    assert elsewhere.returncode == 2 and "cross_play' holds another tournament: players" in elsewhere.stderr
    measured = {path.name for path in (moved / "small" / "measured").iterdir()}
    assert measured == {path.name for path in before}, "it is refused before anything is played"
    agents = [str(tmp_path / "out" / "small" / f"seed_{seed}") for seed in (0, 1)]
    (Path(agents[0]) / "learner.pt").unlink()  # a run need not go on to be measured
    given = run_here(*MAIN, *words, "--only", "small", "--agents", *agents, "--out", str(tmp_path / "given"))
    assert given.returncode == 0, given.stderr
    other = json.loads((tmp_path / "given" / "tables.json").read_text())["small"]
    assert (other["wins"], other["seconds"]) == (row["wins"], row["seconds"]) and all(row["seconds"])
    assert other["given"] and not row["given"]
    assert "agents that were trained elsewhere" in (tmp_path / "given" / "tables.md").read_text()
    assert "agents that were trained elsewhere" not in text and f"`{row['entry']['config']}`" in text
    told = refusal(run_here(*MAIN, *words, "--only", "small", "--agents", *agents, "--out", str(tmp_path / "out")))
    assert told.endswith("holds the agents that were trained for this entry; give another folder")
    assert (tmp_path / "out" / "tables.md").read_text() == text
    told = refusal(run_here(*MAIN, *words, "--out", str(tmp_path / "given")))
    assert told.endswith("holds the games of agents that were given; give another folder")
    other = [agents[1], agents[0]]
    told = refusal(run_here(*MAIN, *words, "--only", "small", "--agents", *other, "--out", str(tmp_path / "given")))
    assert "cross_play' holds another tournament: players" in told
    assert not list((tmp_path / "given" / "small").glob("seed_*"))
    (tmp_path / "greedy").write_bytes(agent_file(Path(agents[0])).read_bytes())
    named = ("--agents", "greedy", agents[1], "--out", str(tmp_path / "named"))
    told = refusal(run_here(*MAIN, *words, "--only", "small", *named, cwd=tmp_path))
    assert "path 'greedy' is the name of another player, as which it would enter the cross-play; give '/" in told


def test_the_generalisation_track_trains_here_and_plays_there(tmp_path: Path) -> None:
    words = ("generalisation", "--track", str(track(tmp_path / "track", GENERAL)), "--processes", "1")
    done = run_here(*MAIN, *words, "--out", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "out" / "tables.json").read_text())["small"]
    assert {name: list(cells) for name, cells in found["cells"].items()} == {
        "as trained": ["as it is"],
        "three": ["as it is", "adapted", "from scratch"],
    }
    assert found["entry"]["trained"]["rules"]["cards"] == "cards_even.csv"
    runs = tmp_path / "out" / "small"
    assert agent_at(runs / "0" / "adapted" / "seed_1").about.num_players == 3
    assert agent_at(runs / "0" / "adapted" / "seed_1").about.common
    assert "| three | 33.3 | 150 |" in (tmp_path / "out" / "tables.md").read_text()
    own, scratch = (read_run(runs / "0" / kind / "seed_1")[0].config for kind in ("adapted", "scratch"))
    assert own.start is not None and "/trained/seed_1/checkpoints/" in own.start and own.steps == GENERAL["adaptation"]
    assert scratch.start is None and scratch.steps == GENERAL["decisions"]
    (tmp_path / "track" / "cards_even.csv").write_bytes((tmp_path / "track" / "cards_odd.csv").read_bytes())
    again = run_here(*MAIN, *words, "--out", str(tmp_path / "out"))
    assert again.returncode == 2 and again.stderr.endswith("it is another table\n")
    for kind, folder in zip(KINDS, ("trained", "0/adapted", "0/scratch"), strict=True):
        files = [result_file(runs, 1, kind, Path(f"seed_{seed}"), 0) for seed in (0, 1)]
        matches = [json.loads(file.read_text()) for file in files]
        runs_of_kind = [runs / folder / f"seed_{seed}" for seed in (0, 1)]
        agents = {hashlib.sha256(agent_file(path).read_bytes()).hexdigest() for path in runs_of_kind}
        assert {match["key"]["agent"] for match in matches} == agents
        assert {match["key"]["num_players"] for match in matches} == {3}
        wins = [match["win"]["mean"] for match in matches]
        assert found["cells"]["three"][kind]["score"]["mean"] == pytest.approx(stratified_mean(np.array([wins]).T).mean)


@pytest.mark.parametrize(("final", "steps"), [(1.5, 128), (0.0, 128), (1.5, 25 * 128), (0.0, 25 * 128)])
def test_an_agent_adapts_with_the_prior_that_it_has(final: float, steps: int, tmp_path: Path) -> None:
    """However far it had faded: after one update perhaps not at all, after many to its end."""
    faded = [*SMALL, "prior=projector", "prior_scale=4", f"final_prior_scale={final}"]
    entry = load_entries(track(tmp_path / "track", GENERAL | {"changes": faded}), GeneralisationEntry)["small"]
    first = begin(entry.train_in(entry.trained, 0, steps), tmp_path / "first", ["test"])
    train(first)
    config = entry.train_in(entry.played["three"], 0, 128, first.path)
    assert start_agent(config) is not None
    about = agent_at(first.path).about
    assert (config.prior or "", config.final_prior_scale) == (about.prior, None)
    assert not about.prior or config.prior_scale == about.prior_scale
    assert steps == 128 or (about.prior, about.prior_scale) == (("projector", 1.5) if final else ("", 0.0))


@pytest.mark.parametrize("told", [3, {"mean": 0.5}, {"mean": "a", "low": 0, "high": 1}])
def test_a_damaged_result_is_named(told: object, tmp_path: Path) -> None:
    file = tmp_path / "random" / "best_response.json"
    whole = {"mean": 0.5, "low": 0.4, "high": 0.6}
    found = {"decisions": 1, "seconds": 1.0, "bound": {"wins": whole, "rank": whole}}
    file.parent.mkdir()
    for evaluation, bound in (
        ({"games": 2, "overall": {"win": told}}, found["bound"]),
        ({"games": 2, "overall": told}, found["bound"]),
        (told, found["bound"]),
        ({"games": 2, "overall": {"win": whole}}, {"wins": told, "rank": whole}),
        ({"games": 2, "overall": {"win": whole}}, told),
    ):
        file.write_text(json.dumps(found | {"evaluation": evaluation, "bound": bound}))
        with pytest.raises(ValueError, match=rf"^{re.escape(str(file))}: "):
            responses.exploited("random", file.parent)
    right = {"games": 2, "overall": {"win": whole}}
    for seconds in (0, "1", None, [1.0], True):
        file.write_text(json.dumps(found | {"evaluation": right, "seconds": seconds}))
        with pytest.raises(
            ValueError, match=rf"^{re.escape(str(file))}: decisions and seconds must be numbers above 0"
        ):
            responses.exploited("random", file.parent)
    match = Match(Setting(GAME, 2), tmp_path, "random", 100, 1, tmp_path / "measured.json")
    match.file.write_text(json.dumps({"key": {}, "win": told}))
    with pytest.raises(ValueError, match=rf"^{re.escape(str(match.file))}: "):
        match.win()


def test_tables_of_other_kinds_beside_the_entries_are_left_out(tmp_path: Path) -> None:
    """Such as those of a whole track, and of best responses."""
    for name, numbers in (
        ("learning", {"small": {}}),
        ("responses", {"random": {}, "greedy": {}}),
        ("two", {"two": {}}),
    ):
        (tmp_path / name).mkdir()
        write_tables(tmp_path / name, numbers, [f"those of {name}"])
    (tmp_path / "one").mkdir()
    measure_all(tmp_path, {"one": None}, lambda name, entry: Told(), lambda name, found: ["those of one"])
    assert json.loads((tmp_path / "tables.json").read_text()) == {"one": {"number": 1}, "two": {}}
    assert (tmp_path / "tables.md").read_text().split("\n") == ["those of one", "", "those of two", ""]


def test_a_kill_while_tables_are_written_leaves_numbers_only_with_their_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("timeline_env.arena.records.write_json", die)
    with pytest.raises(KeyboardInterrupt):
        write_tables(tmp_path, {"one": {}}, ["those of one"])
    assert (tmp_path / "tables.md").exists() and not (tmp_path / "tables.json").exists()


class Told:
    def as_dict(self) -> dict[str, int]:
        return {"number": 1}


def test_best_responses_to_several_players(tmp_path: Path) -> None:
    (tmp_path / "tiny.yaml").write_text(
        yaml.safe_dump({"game": "timeline", "learner": "ppo", "envs": 16, "ppo": {"n_steps": 8}})
    )
    words = (
        "responses",
        "random",
        "greedy",
        "flat:1",
        "--players",
        "2",
        "--decisions",
        "256",
        "--games",
        "100",
        "--processes",
        "1",
    )
    options = ("--config", str(tmp_path / "tiny.yaml"), "--out", str(tmp_path / "out"))
    done = run_here(*MAIN, *words, *options)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "out" / "tables.json").read_text())
    assert set(found) == {"random", "greedy", "flat:1"} and all(row["decisions"] >= 256 for row in found.values())
    assert found["greedy"]["wins"]["mean"] == pytest.approx(found["greedy"]["win"]["mean"] - 0.5)
    assert not [path for path in (tmp_path / "out").iterdir() if set(path.name) & set(":@")]
    told = (tmp_path / "out" / "random" / "best_response.json").stat().st_mtime_ns
    assert run_here(*MAIN, *words, *options).returncode == 0
    assert (tmp_path / "out" / "random" / "best_response.json").stat().st_mtime_ns == told
    more = [{"100": "104"}.get(word, word) for word in words]
    assert run_here(*MAIN, *more, *options).returncode == 0
    assert json.loads((tmp_path / "out" / "random" / "best_response.json").read_text())["evaluation"]["games"] == 104


@pytest.mark.parametrize("players", GAME.players)
def test_a_challenger_that_begins_as_the_shipped_agent_keeps_its_prior(players: int) -> None:
    config = challenger_config("planner", GAME, None, 1000, Path("timeline_response"), num_players=players)
    agent = start_agent(config)
    assert agent is not None and (config.prior, config.prior_scale) == (agent.about.prior, agent.about.prior_scale)
    assert config.now(1.0).prior_scale == agent.about.prior_scale


def test_every_player_has_a_folder_that_is_not_read_as_a_players_name() -> None:
    players = ["shipped", "shipped@sampled", "shipped@guarded", "flat:1", "flat_1", "runs/a", "runs_a", "..", "a" * 300]
    names = [folder_name(player) for player in players]
    assert len(set(names)) == len(players) and names[0] == "shipped"
    assert all(PlayerName.read(name) == PlayerName(name, agent=name) for name in names)
    assert all(len(name) < 100 and "/" not in name and name != ".." for name in names)


def test_a_folder_from_which_no_run_can_begin_is_refused_before_anything_is_trained(tmp_path: Path) -> None:
    entry = load_entries(track(tmp_path / "track", GENERAL), GeneralisationEntry)["small"]
    with pytest.raises(ValueError, match=r"^folder '.*12:30' must hold no ':'"):
        generalisation.generalise(entry, tmp_path / "12:30", [], 1)
    assert not (tmp_path / "12:30").exists()


def test_another_agent_in_the_same_folder_is_another_player(tmp_path: Path) -> None:
    agent, other = (common_run(tmp_path / name, seed=seed) for seed, name in enumerate(("agent", "other")))
    setting = Setting(GAME, 3)
    match = Match(setting, other, str(agent), 30, 7, tmp_path / "measured.json")
    play_match(match)
    config = challenger_config(str(agent), GAME, None, 256, None, num_players=3)
    begin_or_resume_challenger(str(agent), config, tmp_path / "run", ["test"])
    begin_or_resume_challenger(str(agent), config, tmp_path / "run", ["again"])
    assert match.is_played()
    variant = Setting(GAME, 3, {"player": {"income": 12}})
    for change in ({"games": 60}, {"seed": 8}, {"agent": agent}, {"setting": variant}, {"against": "random"}):
        assert not replace(match, **change).is_played(), f"another match: {change}"
    shutil.rmtree(agent)
    shutil.copytree(other, agent)
    assert not match.is_played()
    with pytest.raises(ValueError, match=r"holds another run: player .*, now 'random'; give another folder"):
        begin_or_resume_challenger("random", config, tmp_path / "run", ["again"])
    with pytest.raises(ValueError, match="holds another run: the files of player"):
        begin_or_resume_challenger(str(agent), config, tmp_path / "run", ["again"])


def test_an_agent_that_goes_on_learning_is_met_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, other = (common_run(tmp_path / name, seed=seed) for seed, name in enumerate(("run", "other")))
    before = agent_file(run)
    (met,) = challenger_config(str(run), GAME, None, 256, None, num_players=3).opponents
    assert met == str(before)
    match = Match(Setting(GAME, 3), run, "random", 30, 7, tmp_path / "measured.json")
    config = challenger_config(str(run), GAME, None, 256, None, num_players=3)
    begin_or_resume_challenger(str(run), config, tmp_path / "challenger", ["test"])
    old = meet(config, str(run))  # as it was written before agents were met by their files
    create(tmp_path / "old", old, ["test"])
    begin_or_resume_challenger(str(run), old, tmp_path / "old", ["test"])
    begin_or_resume_challenger(str(run), config, tmp_path / "old", ["again"])

    def meanwhile(path: Path, *words: Any) -> Evaluation:
        shutil.copytree(other / "checkpoints" / before.parent.name, run / "checkpoints" / "000000009999")
        return measure(path, *words)

    monkeypatch.setattr("training.tracks.scores.measure", meanwhile)
    play_match(match)
    assert agent_file(run) != before and not match.is_played()
    assert json.loads(match.file.read_text())["key"]["agent"] == hashlib.sha256(before.read_bytes()).hexdigest()
    config = challenger_config(str(run), GAME, None, 256, None, num_players=3)
    again = begin_or_resume_challenger(str(run), config, tmp_path / "challenger", ["again"])
    assert [*again.config.opponents] == again.config.against == [str(before)] != [*config.opponents]
    with pytest.raises(ValueError, match="holds another run: the files of player"):  # it met the latest one
        begin_or_resume_challenger(str(run), config, tmp_path / "old", ["again"])


def test_a_challenger_began_as_the_agent_of_then_and_keeps_its_prior(tmp_path: Path) -> None:
    def keep(steps: int, prior_scale: float) -> Path:
        file = checkpoint_folder(tmp_path / "fading", steps) / AGENT_FILE
        file.parent.mkdir(parents=True)
        agent = an_agent(3, steps)
        replace(agent, about=replace(agent.about, prior="projector", prior_scale=prior_scale)).save(file)
        return file

    def begun() -> Config:
        start = str(tmp_path / "fading")
        config = challenger_config("random", GAME, None, 256, tmp_path / "mine.yaml", num_players=3, start=start)
        return begin_or_resume_challenger("random", config, tmp_path / "challenger", ["test"]).config

    network = {"hidden": [16], "pieces": ["clock", "near"], "activation": "relu"}
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump({"learner": "ppo", "network": network}))
    first = keep(1, 2.0)
    before = begun()
    keep(2, 1.0)
    assert begun() == before and (before.start, before.prior_scale) == (str(first), 2.0)


@pytest.mark.parametrize("name", ["self", "pool"])
def test_nobody_is_asked_to_beat_itself(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = common_run(tmp_path / "run")
    monkeypatch.chdir(tmp_path)
    shutil.copy(agent_file(run), name)
    with pytest.raises(ValueError, match=f"^player '{name}' would be the challenger itself; give '/.*/{name}'$"):
        challenger_config(name, GAME, None, 256, None, num_players=3)
    shutil.rmtree(name) if Path(name).is_dir() else Path(name).unlink()
    shutil.copytree(run, name)
    (met,) = challenger_config(name, GAME, None, 256, None, num_players=3).opponents
    assert met == str(agent_file(Path(name)))


@pytest.mark.parametrize("name", ["shipped", "learn:2", "agent@sampled"])
def test_an_agent_is_measured_wherever_it_lies(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, setting = common_run(tmp_path / "plain"), Setting(GAME, 3)
    plain = measure(path, setting, "random", 30, 7)
    monkeypatch.chdir(tmp_path)
    moved = Path(shutil.copytree(path, name))
    assert measure(moved, setting, "random", 30, 7) == replace(plain, player=name)
    assert plain == evaluate(GAME, str(path), ["random"], 30, 3, 7)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"seeds": [0]}, "seeds [0] must be at least two"),
        ({"seeds": [0, 0]}, "seeds [0, 0]: each must be named once"),
        ({"games": 98}, "games 98 must be at least 100: 50 deals, every seat of 2"),
        ({"games": 10**18}, "games 1000000000000000000 must be at most 10000000"),
        ({"against": ["nobody"]}, "player 'nobody' is unknown"),
        ({"version": 2}, "version 2 is unknown"),
        ({"config": "twilight_struggle_quick", "changes": []}, "is for twilight_struggle; the game is timeline"),
        ({"changes": ["envs=0"]}, "envs"),
        ({"changes": [*SMALL, "start=shipped"]}, "start 'shipped' must be left out"),
        ({"colour": 1}, "key 'colour' is unknown"),
        (
            {"decisions": 100},
            "whole updates of 128 decisions (envs × ppo.n_steps) would be 128; at most 105 are allowed",
        ),
    ],
)
def test_an_entry_is_refused_in_one_line(changed: dict, message: str, tmp_path: Path) -> None:
    folder = track(tmp_path / "track", LEARNING | changed)
    with pytest.raises(ValueError) as caught:
        load_entries(folder, LearningEntry)
    assert message in str(caught.value) and "small.yaml" in str(caught.value) and "\n" not in str(caught.value)


def test_the_tables_count_the_games_of_whole_deals(tmp_path: Path) -> None:
    entry = load_entries(track(tmp_path / "learning", LEARNING | {"games": 101}), LearningEntry)["small"]
    some = Estimate(0.5, 0.4, 0.6)
    agents = ("seed 0", "seed 1")
    learned = Learned(
        entry, agents, (3000, 3000), (None, None), [[some], [some]], some, [[None, some], [some, None]], False
    )
    assert "102 games a cell from 51 deals" in learning.markdown("small", learned)[1]
    general = load_entries(track(tmp_path / "general", GENERAL | {"games": 151}), GeneralisationEntry)["small"]
    cell = Cell([[some], [some]], some)
    found = Generalised(general, {TRAINED: {"as it is": cell}, "three": dict.fromkeys(KINDS, cell)})
    rows = generalisation.markdown("small", found)[-2:]
    assert rows[0].startswith("| as trained | 50.0 | 152 |") and rows[1].startswith("| three | 33.3 | 153 |")
    answered = Exploited("random", some, some, some, 256, 1.0)
    assert "102 final games" in responses.markdown(parse_config({"num_players": 2}), [answered], 101)[0]


def test_no_other_setting_has_the_name_of_the_first_row(tmp_path: Path) -> None:
    folder = track(tmp_path / "track", GENERAL | {"played": {TRAINED: {"num_players": 3}}})
    with pytest.raises(ValueError, match="played 'as trained' must have another name"):
        load_entries(folder, GeneralisationEntry)


def test_agents_that_learned_from_too_much_are_refused(tmp_path: Path) -> None:
    agent = common_run(tmp_path / "agent", num_players=2, steps=3200)
    other = shutil.copytree(agent, tmp_path / "other")
    words = ("learning", "--track", str(track(tmp_path / "track", LEARNING)), "--only", "small")
    told = refusal(run_here(*MAIN, *words, "--out", str(tmp_path / "out"), "--agents", str(agent), str(other)))
    assert "decisions; at most 3,150 are allowed" in told


def test_agents_are_one_of_each_seed(tmp_path: Path) -> None:
    agent = common_run(tmp_path / "agent", num_players=2)
    twin = shutil.copytree(agent, tmp_path / "twin")
    entry = load_entries(track(tmp_path / "track", LEARNING), LearningEntry)["small"]
    for paths in ([agent], [agent, twin, agent]):
        with pytest.raises(ValueError, match="must be 2: one of each seed of the entry"):
            check_agents(entry, paths)
    for other in (twin, agent):
        with pytest.raises(ValueError, match="are the same; give one of each seed"):
            check_agents(entry, [agent, other])
    file = agent_file(twin)
    old = agent_at(file)
    replace(old, about=replace(old.about, steps=old.about.steps + 1)).save(file)
    with pytest.raises(ValueError, match="are the same; give one of each seed"):
        check_agents(entry, [agent, twin])
    other = common_run(tmp_path / "other", num_players=2, seed=1)
    check_agents(entry, [agent, other])
    further = common_run(tmp_path / "further", num_players=2, seed=2, start=str(other))
    for path in (further, agent_file(further)):
        with pytest.raises(
            ValueError, match=r"further.* began as '.*/other/.*agent.npz', whose decisions would not be counted"
        ):
            check_agents(entry, [agent, path])


@pytest.mark.parametrize(("entry", "kind"), [(LEARNING, LearningEntry), (GENERAL, GeneralisationEntry)])
def test_a_configuration_that_begins_with_an_agent_is_refused(tmp_path: Path, entry: dict, kind: type) -> None:
    entries = load_entries(track(tmp_path / "track", entry), kind)
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump({"game": "timeline", "learner": "ppo", "start": "shipped"}))
    with pytest.raises(ValueError, match="start 'shipped' must be left out"):
        with_config(entries, str(tmp_path / "mine.yaml"))


def common_run(folder: Path, **settings) -> Path:
    content = {
        "learner": "ppo", "common": True, "num_players": 3, "envs": 16, "steps": 256, "threads": 1, "opponents": {"self": 1},
        "network": {"pieces": ["hand", "clock", "seats", "near"], "hidden": [8], "head": 4}, "ppo": {"n_steps": 8, "batch_size": 64},
    }  # fmt: skip
    run = begin(parse_config(content | settings), folder, ["test"])
    train(run)
    return run.path


def test_an_agent_of_the_common_form_plays_with_any_number_and_goes_on_elsewhere(tmp_path: Path) -> None:
    path = common_run(tmp_path / "three")
    rules = {"player": {"income": 12}}
    for count in GAME.players:
        assert evaluate(GAME, str(path), ["random"], games=2 * count, num_players=count, rules=rules).games == 2 * count
    with pytest.raises(ValueError, match="is for game 'timeline', not 'twilight_struggle'"):
        from timeline_env.twilight_struggle import GAME as STRUGGLE

        read_agent(path, Setting(STRUGGLE))
    five = common_run(
        tmp_path / "five", num_players=5, start=str(path), rules=rules, opponents={"greedy": 1, "self": 1}
    )
    assert agent_at(five).about.num_players == 5
    with pytest.raises(ValueError, match="common False must be True, as in the agent"):
        common_run(tmp_path / "own", common=False, start=str(path))


def test_in_its_own_form_it_says_the_same_as_in_the_common_one(tmp_path: Path) -> None:
    agent = read_agent(common_run(tmp_path / "three"), Setting(GAME, 4))
    batch = Batch(Setting(GAME, 4), 32)
    batch.play_random(50)
    from timeline_env.engine.common import CommonForm

    form = CommonForm(GAME, 4)
    seen = form.observation(batch.observation)[:, form.layout.columns(agent.about.pieces)]
    wanted = agent.logits(seen)
    assert wanted.shape[1] == form.num_actions
    found = NetworkPlayer(agent).logits(Decisions.of(batch, np.arange(32)))
    assert (found == wanted[:, : batch.num_actions]).all()


def test_only_ppo_learns_in_the_common_form() -> None:
    with pytest.raises(ValueError, match="common True must be left out with learner maskable_ppo"):
        parse_config({"common": True})


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("learning --only nothing", "--only 'nothing' is unknown"),
        ("learning --agents a b", "name their entry with --only"),
        ("learning --config none.yaml", "none.yaml"),
        ("learning --only timeline_2_1m --out learn:2", "must hold no ':' and not end with @sampled or @guarded"),
        ("generalisation --track none", "track 'none' holds no .yaml file"),
        ("responses random --games 199", "--games 199 must be at least 200: 50 deals, every seat"),
        ("responses random --games 1000000001", "games 1000000001 must be at most 10000000"),
        ("responses random random --players 2", "players 'random random': each must be named once"),
        ("responses nobody", "player 'nobody' is unknown"),
        ("responses random --players 0", "num_players 0 must be an integer from 2 to 6"),
    ],
)
def test_the_commands_refuse_in_one_line(words: str, message: str, tmp_path: Path) -> None:
    assert message in refusal(run_here(*MAIN, *words.split(), cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


def results_of(track: str) -> list[Path]:
    """The folders of a track's results, of which there are some."""
    folders = sorted((DOCS / "results" / track).iterdir())
    assert folders, track
    return folders


@pytest.mark.parametrize("folder", results_of("learning"), ids=lambda folder: folder.name)
def test_the_results_page_has_the_tables_of_its_numbers(folder: Path) -> None:
    tables = (folder / "tables.md").read_text()
    assert tables in (DOCS / "results" / "learning.md").read_text()
    (name, told), *_ = json.loads((folder / "tables.json").read_text()).items()
    assert f"{text(told['score'], 100)} %" in tables
    for key in ("wins", "ahead"):
        assert len(told[key]) == len(told["agents"]) > 0
        for agent, row in zip(told["agents"], told[key], strict=True):
            assert line((agent, *(text(cell, 100) for cell in row))).removesuffix(" |") in tables
    wins = np.array([[win["mean"] for win in row] for row in told["wins"]])
    assert asdict(stratified_mean(wins)) == pytest.approx(told["score"])
    entry = load_entries(FOLDER / "benchmark" / "learning", LearningEntry)[name]
    unsaid = {"config", "changes"} if told.get("given") else set()  # agents from elsewhere were not trained by it
    assert entry.model_dump(mode="json") == told["entry"] | entry.model_dump(mode="json", include=unsaid)
    deals = entry.games // entry.num_players
    assert read(folder / "cross_play" / "games.npz").about.deals == deals


@pytest.mark.parametrize("folder", results_of("generalisation"), ids=lambda folder: folder.name)
def test_the_results_page_has_the_tables_of_generalisation(folder: Path) -> None:
    tables = (folder / "tables.md").read_text()
    assert tables in (DOCS / "results" / "learning.md").read_text()
    (name, told), *_ = json.loads((folder / "tables.json").read_text()).items()
    for place, row in told["cells"].items():
        shown = [text(row[kind]["score"], 100) if kind in row else "" for kind in KINDS]
        assert re.search(
            rf"^\| {re.escape(place)} \| [0-9.]+ \| [0-9,]+ {re.escape(line(shown))}$", tables, re.MULTILINE
        )
    for cell in (cell for row in told["cells"].values() for cell in row.values()):
        wins = np.array([[win["mean"] for win in line] for line in cell["wins"]])
        assert asdict(stratified_mean(wins)) == pytest.approx(cell["score"])
    entry = load_entries(FOLDER / "benchmark" / "generalisation", GeneralisationEntry)[name]
    assert json.loads(json.dumps(Generalised(entry, {}).as_dict()["entry"])) == told["entry"]


def test_the_results_page_has_the_tables_of_best_responses() -> None:
    page = (DOCS / "results" / "learning.md").read_text()
    for folder in results_of("responses"):
        tables = (folder / "tables.md").read_text()
        assert tables in page
        for name, row in json.loads((folder / "tables.json").read_text()).items():
            shown = (text(row["win"], 100), text(row["wins"], 100, 1, "+"), text(row["rank"], 1, 3, "+"))
            assert line((f"`{name}`", *shown, f"{row['decisions'] / row['seconds']:,.0f}")) in tables


def text(told: dict[str, float] | None, *how: Any) -> str:
    """A cell of a table, from its file of numbers."""
    return "" if told is None else Estimate(**told).text(*how)


def test_an_adaptation_of_less_than_an_update_is_refused_before_the_training(tmp_path: Path) -> None:
    folder = track(tmp_path / "track", GENERAL | {"adaptation": 100})
    with pytest.raises(ValueError, match=r"would be 128; at most 105 are allowed"):
        load_entries(folder, GeneralisationEntry)
