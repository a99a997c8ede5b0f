"""Data sets: read back to the bytes that were seen when they were made; chosen from, mixed, refused when damaged."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import mlcroissant
import numpy as np
import pytest

from tests.arena.watching import Watching
from tests.commands import python_in, run_here
from tests.refusals import refusal
from timeline_env import view
from timeline_env.arena.datasets.card import CARD_FILE, card
from timeline_env.arena.datasets.making import make, plan
from timeline_env.arena.datasets.reader import Dataset, Rows, open_dataset
from timeline_env.arena.played import join, read
from timeline_env.arena.tournament import GAMES_FILE
from timeline_env.engine import replay
from timeline_env.engine.batch import game_seeds
from timeline_env.files import partial_of, take_lock
from timeline_env.games import game_named
from timeline_env.timeline import GAME

MAIN = ("-m", "timeline_env.commands.main")
WATCHING = "tests.arena.watching:Watching"
SMALL = plan(GAME, ["random", "greedy"], 3, 24, 5, command="as it was typed")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small data set, made."""
    folder = tmp_path_factory.mktemp("datasets") / "small"
    make(SMALL, folder, 1)
    return folder


@pytest.fixture(scope="module")
def data(folder: Path) -> Dataset:
    return open_dataset(str(folder))  # a text will do


def test_the_manuals_example_reads_every_decision(
    folder: Path, data: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (example,) = python_in("docs/datasets.md")
    monkeypatch.chdir(tmp_path)
    Path("runs/data").mkdir(parents=True)
    Path("runs/data/projector").symlink_to(folder)
    names: dict[str, Any] = {}
    exec(example, names)
    assert 4096 + len(names["rows"]) == data.decisions  # the last batch


def whole(data: Dataset, seed: int | None = None, reward: str = "rank") -> Rows:
    """All decisions in one batch."""
    (rows,) = data.batches(10**6, seed, reward)
    return rows


@pytest.mark.parametrize(("name", "seats", "games"), [("timeline", 4, 9), ("twilight_struggle", 2, 4)])
def test_what_is_read_is_what_was_seen(name: str, seats: int, games: int, tmp_path: Path) -> None:
    Watching.seen.clear()
    wanted = plan(game_named(name), [WATCHING], seats, games, 1)
    join(wanted.about, [replace_games(wanted, number) for number in range(wanted.parts)]).save(tmp_path / GAMES_FILE)
    told = [np.concatenate(column) for column in zip(*Watching.seen, strict=True)]
    order = np.argsort(told[0], kind="stable")
    rows = whole(open_dataset(tmp_path))
    read_back = (rows.game, rows.observation, rows.action_mask, rows.seat, rows.action)
    for made, again in zip(told, read_back, strict=True):
        assert hashlib.sha256(made[order].tobytes()).digest() == hashlib.sha256(again.tobytes()).digest()


def replace_games(wanted, number):
    """A part, its games in what was seen numbered as in the file."""
    before = len(Watching.seen)
    played = wanted.play(number)
    for index in range(before, len(Watching.seen)):
        games, *rest = Watching.seen[index]
        Watching.seen[index] = (games + wanted.deals_of(number).start, *rest)
    return played


def test_its_bytes_depend_on_the_plan_alone(folder: Path, tmp_path: Path) -> None:
    join(SMALL.about, [SMALL.play(number) for number in range(SMALL.parts)]).save(tmp_path / GAMES_FILE)
    assert SMALL.parts == 2 and (tmp_path / GAMES_FILE).read_bytes() == (folder / GAMES_FILE).read_bytes()
    assert not (folder / "parts").exists()


def test_every_game_has_its_own_deal_and_every_seat_any_player(data: Dataset) -> None:
    played = data.played
    assert played.deal.tolist() == list(range(24)) and not played.table.any()
    assert {tuple(np.unique(seat)) for seat in played.seating.T} == {(0, 1)}
    assert played.about.command == "as it was typed" and played.about.version


def test_another_command_line_may_ask_for_it_again_but_not_for_another(folder: Path) -> None:
    before = (folder / GAMES_FILE).read_bytes()
    make(replace(SMALL, command="typed otherwise"), folder, 1)
    assert (folder / GAMES_FILE).read_bytes() == before
    with pytest.raises(ValueError, match="holds another data set: seed 5, now 6; games 24, now 25; give"):
        make(plan(GAME, ["random", "greedy"], 3, 25, 6), folder, 1)


@pytest.mark.parametrize("reward", ["rank", "score"])
def test_returns_are_what_the_seat_still_earns(data: Dataset, reward: str) -> None:
    rows, played = whole(data, reward=reward), data.played
    if reward == "rank":  # paid at the end: 1 for the first of three places, -1 for the last
        assert np.allclose(rows.returns, 2 - played.rank[rows.game, rows.seat])
    else:  # paid when points are gained or lost, from 0 on
        first = np.flatnonzero(np.diff(rows.game, prepend=-1))
        assert (rows.returns[first] == played.points[np.arange(24), rows.seat[first]]).all()
        assert (rows.returns != played.points[rows.game, rows.seat]).any()


def test_batches_have_the_size_that_is_asked_for_and_the_order_of_the_seed(
    data: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = whole(data)
    assert len(rows) == data.decisions == data.played.decisions.sum()
    assert (np.diff(rows.game) >= 0).all() and (rows.player == data.played.seating[rows.game, rows.seat]).all()
    parts = list(data.batches(100))
    assert {len(part) for part in parts[:-1]} == {100} and sum(map(len, parts)) == len(rows)
    assert np.concatenate([part.observation for part in parts]).tobytes() == rows.observation.tobytes()
    with monkeypatch.context() as small:
        small.setattr(
            "timeline_env.arena.datasets.reader.DECISIONS_AT_ONCE", 70
        )  # so that a batch takes several blocks
        parts = list(data.batches(np.uint8(200)))
    assert {len(part) for part in parts[:-1]} == {200}
    assert np.concatenate([part.observation for part in parts]).tobytes() == rows.observation.tobytes()
    mixed, again, other = (np.concatenate([part.action for part in data.batches(64, seed)]) for seed in (1, 1, 2))
    assert (mixed == again).all() and (mixed != other).any()
    assert sorted(mixed) == sorted(other) == sorted(rows.action)


def test_blocks_of_games_do_not_change_what_is_read(data: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = whole(data)
    monkeypatch.setattr("timeline_env.arena.datasets.reader.DECISIONS_AT_ONCE", 300)
    for name, values in vars(whole(data)).items():
        assert values.tobytes() == getattr(rows, name).tobytes(), name


def test_decisions_are_chosen_by_player_seat_and_result(data: Dataset) -> None:
    played = data.played
    rows = whole(data.select(["greedy"], [0, 2], winners=True))
    assert set(rows.seat) == {0, 2} and set(rows.player) == {1}
    assert (played.wins[rows.game, rows.seat] > 0).all() and len(rows) < data.decisions
    everything = whole(data)
    assert (whole(data.select("greedy")).action == everything[everything.player == 1].action).all()
    wanted = (everything.player == 1) & (everything.seat != 1) & (played.wins[everything.game, everything.seat] > 0)
    assert everything[wanted].observation.tobytes() == rows.observation.tobytes()
    first, others = data.split(0.75)
    assert set(whole(first).game) == set(range(18)) and set(whole(others).game) == set(range(18, 24))
    for share in (-0.2, 1.5, float("nan"), "0.5", True):
        with pytest.raises(ValueError, match=f"share {share!r} must be a number from 0 to 1"):
            data.split(share)
    with pytest.raises(ValueError, match="seed -1 must be an integer of at least 0"):
        data.batches(10, seed=-1)
    with pytest.raises(ValueError, match="reward 'points' is unknown"):
        data.select(players=[]).batches(10, reward="points")
    with pytest.raises(ValueError, match=r"player 'gredy' is unknown \(did you mean 'greedy'\?\)"):
        data.select(["gredy"])
    with pytest.raises(ValueError, match="seats 1 must be several, such as a list"):
        data.select(seats=1)
    with pytest.raises(ValueError, match="seat 3 must be an integer from 0 to 2"):
        data.select(seats=[3])


def test_a_deal_is_split_off_with_all_its_games(data: Dataset) -> None:
    """As of a tournament, where every table plays the same deals."""
    twice = replace(data, played=replace(data.played, deal=np.arange(24) % 8))
    first, others = twice.split(0.75)
    assert first.games.tolist() == [game for game in range(24) if game % 8 < 6]
    assert others.games.tolist() == [game for game in range(24) if game % 8 >= 6]


def test_they_are_tensors_over_the_same_memory(data: Dataset) -> None:
    rows = next(data.batches(32))
    tensors = rows.tensors()
    tensors["action"][0] = 77
    assert rows.action[0] == 77 and tensors["observation"].shape == rows.observation.shape


def damaged(data: Dataset, path: Path, **changes: object) -> Dataset:
    replace(data.played, **changes).save(path)
    return open_dataset(path)


def test_games_that_cannot_have_been_played_are_refused(data: Dataset, tmp_path: Path) -> None:
    played, path = data.played, tmp_path / "games.npz"
    rows, legal = whole(data), "game 5 of the data set cannot have been played: "
    at = int(np.flatnonzero(rows.game == 5)[3])
    actions = played.actions.copy()
    actions[at] = np.flatnonzero(rows.action_mask[at] == 0)[0]
    with pytest.raises(ValueError, match=legal + "decision 3 is not legal"):
        whole(damaged(data, path, actions=actions))
    points = played.points.copy()
    points[5, 1] += 1
    with pytest.raises(ValueError, match=legal + "it ends with another result"):
        whole(damaged(data, path, points=points))
    decisions = played.decisions.copy()
    decisions[-1] -= 1
    with pytest.raises(ValueError, match="game 23 of the data set cannot have been played: it ends elsewhere"):
        whole(damaged(data, path, decisions=decisions, actions=played.actions[:-1]))
    actions[at] = 255
    with pytest.raises(ValueError, match=r"games.npz': action 255 must be below"):
        damaged(data, path, actions=actions)
    decisions[:2] = 0, played.decisions[:2].sum()
    decisions[-1] += 1
    with pytest.raises(ValueError, match="every game must have 1 to 100,000 decisions"):
        damaged(data, path, decisions=decisions)
    with pytest.raises(ValueError, match="it is for rules_version 99, not 1"):
        damaged(data, path, about=replace(played.about, rules_version=99))


def test_the_card_tells_the_file_and_the_players(folder: Path, data: Dataset) -> None:
    card = json.loads((folder / CARD_FILE).read_text())
    (file,) = card["distribution"]
    content = (folder / GAMES_FILE).read_bytes()
    assert file["contentUrl"] == GAMES_FILE and file["sha256"] == hashlib.sha256(content).hexdigest()
    assert file["contentSize"] == f"{len(content)} B" and card["conformsTo"].endswith("croissant/1.0")
    arrays, players = card["recordSet"]
    with np.load(folder / GAMES_FILE) as told:
        assert {row["arrays/name"] for row in arrays["data"]} == set(told.files)
    played = data.played
    for who, row in enumerate(players["data"]):
        mine = [
            (game, seat)
            for game, seats in enumerate(played.seating.tolist())
            for seat in range(3)
            if seats[seat] == who
        ]
        ranks = [played.rank[game] for game, _ in mine]
        wins = [
            (rank[seat] == rank.min()) / (rank == rank.min()).sum() for rank, (_, seat) in zip(ranks, mine, strict=True)
        ]
        told = {"name": played.about.players[who], "seats": len(mine)}
        means = {
            "win": np.mean(wins),
            "rank": np.mean([played.rank[place] for place in mine]),
            "points": np.mean([played.points[place] for place in mine]),
        }
        assert row == {
            f"players/{key}": pytest.approx(value, abs=6e-5) if key in means else value
            for key, value in (told | means).items()
        }
    for records in card["recordSet"]:
        assert {field["@id"] for field in records["field"]} == set(records["data"][0])
    assert "as it was typed" in card["description"] and not any(" " in field["@id"] for field in players["field"])


def test_a_data_set_that_is_asked_for_again_keeps_its_date(folder: Path, tmp_path: Path) -> None:
    again = shutil.copytree(folder, tmp_path / "again")
    os.utime(again / GAMES_FILE, (86400, 86400))
    make(SMALL, again, 1)
    assert json.loads((again / CARD_FILE).read_text())["datePublished"] == "1970-01-02"


def test_the_card_tells_the_variant(folder: Path, data: Dataset) -> None:
    changed = replace(data.played, about=replace(data.played.about, rules={"deck": {"optional_cards": False}}))
    told = card(changed, folder / GAMES_FILE)["description"]
    assert ' by the variant {"deck": {"optional_cards": false}} with 3 players, ' in told


def test_the_formats_own_library_finds_nothing_amiss_and_reads_the_records(folder: Path) -> None:
    card = mlcroissant.Dataset(jsonld=folder / CARD_FILE)
    assert not card.metadata.issues.errors and not card.metadata.issues.warnings
    assert [record["players/name"] for record in card.records("players")] == ["random", "greedy"]
    assert {record["arrays/name"] for record in card.records("arrays")} == set(np.load(folder / GAMES_FILE))


def test_its_deals_are_of_its_own_and_what_is_selected_is_counted(data: Dataset) -> None:
    dealt = {data.played.saved_game(number).seed for number in range(len(data.played.rank))}
    assert len(dealt) == 24 and not dealt & set(game_seeds(5, 24).tolist())
    greedy = data.select("greedy")
    assert greedy.decisions < data.decisions == len(whole(data).action)
    assert greedy.decisions == pytest.approx(len(whole(greedy).action), rel=0.1)


def test_a_game_of_it_can_be_replayed_and_watched(folder: Path) -> None:
    played = read(folder / GAMES_FILE)
    (last,) = replay.replay(played.saved_game(3))
    assert last.over and last.points[:3].tolist() == played.points[3].tolist()
    assert "the game is over" in view.to_ansi(GAME.load_rules(3)[0], last)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("make --out x", "Missing argument 'PLAYERS'"),
        ("make random random --out x", "each named once"),
        ("make nobody --out x", "player 'nobody' is unknown"),
        ("make random --games 1 --out x", "games 1 must be an integer from 2 to"),
        ("make random --games 10000001 --out x", "games 10000001 must be an integer from 2 to 10,000,000"),
        ("make random --seed 4294967296 --out x", "seed 4294967296 must be an integer from 0 to 4,294,967,295"),
        ("show none", "there is no data set 'none'"),
        ("fit none --out x", "there is no data set 'none'"),
        ("fit none --out . ", "--out '.' exists; give another folder"),
        ("mak", "command 'dataset mak' is unknown (did you mean 'dataset make'?)"),
    ],
)
def test_a_wrong_command_line_is_refused_in_one_line(words: str, said: str, tmp_path: Path) -> None:
    assert said in refusal(run_here(*MAIN, "dataset", *words.split(), cwd=tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_what_a_file_says_does_not_steer_the_terminal(data: Dataset, tmp_path: Path) -> None:
    about = replace(data.played.about, command="\x1b[2Jmake", players=("\x1b[31mred", *data.played.about.players[1:]))
    replace(data.played, about=about).save(tmp_path / "games.npz")
    done = run_here(*MAIN, "dataset", "show", tmp_path / "games.npz")
    assert done.returncode == 0, done.stderr
    assert "\x1b[2J" not in done.stdout and r"\x1b[2Jmake" in done.stdout and r"\x1b[31mred" in done.stdout


def test_two_fits_do_not_fill_the_same_folder(folder: Path, tmp_path: Path) -> None:
    with take_lock(tmp_path / ".clone.lock", "it is free"):
        done = run_here(*MAIN, "dataset", "fit", folder, "--out", "clone", cwd=tmp_path)
    assert "--out 'clone' is being filled by another process" in refusal(done)


def test_a_fit_removes_what_a_killed_one_left(folder: Path, tmp_path: Path) -> None:
    left = partial_of(tmp_path / "clone")
    left.mkdir()
    done = run_here(*MAIN, "dataset", "fit", folder, "--out", "clone", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == [".clone.lock", "clone"]


def test_show_says_what_it_holds(folder: Path) -> None:
    done = run_here(*MAIN, "dataset", "show", folder)
    assert done.returncode == 0, done.stderr
    assert "24 games" in done.stdout and "greedy" in done.stdout and "decisions a second" in done.stdout


def test_it_is_shown_in_one_line(data: Dataset) -> None:
    of = "Setting('timeline', num_players=3, changes={})"
    assert repr(data) == f"Dataset({of}, 24 games, {data.decisions:,} decisions)"
