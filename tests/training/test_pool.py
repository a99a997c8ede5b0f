"""The pool of snapshots: rated, bounded, drawn by how often they beat the learner, whole on the disk."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from timeline_env.arena.games import Results
from timeline_env.arena.ratings import rate_pairs
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.players.agents.agent import About, Agent
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.timeline import GAME
from timeline_env.wrappers.seats import LEARNER
from timeline_env.wrappers.vector import SeatVecEnv
from training.opponents.league import OWN, DepartedPlayer, League, Table
from training.opponents.pool import TABLE, Pool, count_better

PIECES = ("clock", "near")


def an_agent(steps: int, num_players: int = 3) -> Agent:
    """A network of random weights."""
    rng = np.random.default_rng(steps)
    widths = [len(GAME.layout(num_players).columns(PIECES)), 8, GAME.num_actions(num_players)]
    layers = [
        (rng.normal(size=(after, before)).astype(np.float32), np.zeros(after, np.float32))
        for before, after in pairwise(widths)
    ]
    return Agent(About("timeline", GAME.rules_version, num_players, PIECES, "relu", steps), layers)


def a_pool(folder: Path, size: int = 3, power: float = 2.0) -> Pool:
    folder.mkdir(exist_ok=True)
    return Pool(folder / "pool", Setting(GAME, 3), size, ["random"], power)


def test_every_pair_at_a_table_is_compared_once() -> None:
    rng = np.random.default_rng(0)
    seating, rank = rng.integers(3, size=(50, 4)), rng.integers(1, 4, size=(50, 4)).astype(np.float32)
    found = count_better(Results(seating, rank, rank, np.ones(50, np.int64), np.zeros(50, np.uint8)))
    for i in range(3):
        for j in set(range(3)) - {i}:
            met = [
                (r[a], r[b])
                for s, r in zip(seating, rank, strict=True)
                for a in range(4)
                for b in range(4)
                if (s[a], s[b]) == (i, j)
            ]
            won = sum((x < y) + 0.5 * (x == y) for x, y in met)
            assert found[i, j] == (pytest.approx(won), len(met))
            assert found[i, j][0] + found[j, i][0] == len(met)
    assert set(found) == {(i, j) for i in range(3) for j in range(3) if i != j}


def test_the_one_that_the_learner_beats_most_often_leaves_a_full_pool(tmp_path: Path) -> None:
    pool = a_pool(tmp_path)
    names = [pool.add(an_agent(steps), seed=steps) for steps in (100, 200, 300)]
    for name, won in zip(names, (50, 10, 90), strict=True):
        pool.note_games(name, won, 100)
    newest = pool.add(an_agent(400), seed=4)
    assert list(pool.snapshots) == [names[0], names[2], newest]
    assert sorted(file.stem for file in pool.folder.glob("*.npz")) == sorted(pool.snapshots)
    assert all(names[1] not in snapshot.beat for snapshot in pool.snapshots.values())
    again = a_pool(tmp_path)
    assert again.snapshots == pool.snapshots and again.latest() == 400
    asked = np.zeros((1, len(GAME.layout(3).columns(PIECES))), np.int8) + 1
    assert (again.agent(newest).logits(asked) == an_agent(400).logits(asked)).all()


def test_a_snapshot_is_rated_by_the_games_of_both_when_one_is_added(tmp_path: Path) -> None:
    pool = a_pool(tmp_path)
    first, second = pool.add(an_agent(1), seed=1), pool.add(an_agent(2), seed=2)
    one, two = pool.snapshots[first].beat, pool.snapshots[second].beat
    assert set(one) == {"random", second} and set(two) == {"random", first}
    assert one[second][1] == two[first][1] > 50 and one[second][0] + two[first][0] == one[second][1]
    wins = np.zeros((3, 3))
    for i, beat, others in ((1, one, {0: "random", 2: second}), (2, two, {0: "random", 1: first})):
        for j, other in others.items():
            wins[i, j] = beat[other][0]
        wins[0, i] = beat["random"][1] - beat["random"][0]
    assert [s.rating for s in pool.snapshots.values()] == pytest.approx(rate_pairs(wins)[1:])


def test_players_of_a_rating_draw_from_streams_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pool, seeds = a_pool(tmp_path), []
    pool.against = ["random", "greedy", "projector"]
    monkeypatch.setattr(pool, "_player", lambda name, seed: seeds.append(seed) or NetworkPlayer(an_agent(1), seed))
    pool.add(an_agent(1), seed=7)
    assert len({7, *seeds}) == 4


def test_who_still_beats_the_learner_is_drawn_most_often(tmp_path: Path) -> None:
    pool = a_pool(tmp_path)
    names = [pool.add(an_agent(steps), seed=steps) for steps in (1, 2, 3)]
    for name, won in zip(names, (8, 38, 78), strict=True):
        pool.note_games(name, won, 98)
    chances = pool.chances()
    squares = np.array([9, 39, 79]) ** 2
    assert [chances[name] for name in names] == pytest.approx(squares / squares.sum())
    pool.power = 0.0
    assert list(pool.chances().values()) == pytest.approx([1 / 3] * 3)


def test_older_games_against_the_learner_count_less(tmp_path: Path) -> None:
    pool = a_pool(tmp_path)
    name = pool.add(an_agent(1), seed=1)
    for _ in range(20):
        pool.note_games(name, 100, 100)
    assert pool.snapshots[name].met == pytest.approx(500) and pool.snapshots[name].share_against_learner > 0.99
    for _ in range(30):
        pool.note_games(name, 0, 100)
    assert pool.snapshots[name].share_against_learner < 0.02
    pool.note_games("who left", 1, 1)


def test_what_a_kill_left_behind_is_cleared_and_what_is_no_table_is_named(tmp_path: Path) -> None:
    pool = a_pool(tmp_path)
    name = pool.add(an_agent(1), seed=1)
    an_agent(2).save(pool.folder / "000000000002.npz")  # killed before it was rated
    (pool.folder / ".000000000003.npz.0123abcd.partial").write_bytes(b"half a file")
    assert list(a_pool(tmp_path).snapshots) == [name]
    assert sorted(file.name for file in pool.folder.iterdir()) == [f"{name}.npz", TABLE]
    for text in ("", "[]", '{"a": {"steps": 1, "colour": 2}}', '{"a": 7}'):
        (pool.folder / TABLE).write_text(text)
        with pytest.raises(ValueError, match=r"pool\.json' is not a pool's table"):
            a_pool(tmp_path)


THREE = {"self": 0.5, "pool": 0.3, "random": 0.2}


def a_league(folder: Path, snapshots: int, weights: dict[str, float] = THREE) -> League:
    pool = a_pool(folder)
    for steps in range(snapshots):
        pool.add(an_agent(steps), seed=steps)
    league = League(Setting(GAME, 3), weights, pool)
    league.begin(np.random.default_rng(0))
    league.set_learner(an_agent(99))
    return league


def test_opponents_are_drawn_in_the_proportions_asked_for(tmp_path: Path) -> None:
    league = a_league(tmp_path, 2)
    drawn = league.draw(np.random.default_rng(1), 20_000)
    shares = np.bincount(drawn.ravel(), minlength=4) / drawn.size
    assert league.names == ["self", "random", "000000000000", "000000000001"]
    assert shares == pytest.approx([0.5, 0.2, 0.15, 0.15], abs=0.01)


def test_the_share_of_an_empty_pool_goes_to_the_others(tmp_path: Path) -> None:
    assert a_league(tmp_path / "a", 0).chances == pytest.approx([0.5 / 0.7, 0.2 / 0.7])
    assert a_league(tmp_path / "b", 0, {"pool": 1}).chances == pytest.approx([1.0])


def test_without_a_pool_scripted_players_alone_are_drawn() -> None:
    league = League(Setting(GAME, 3), {"random": 3, "greedy": 1}, None)
    league.begin(np.random.default_rng(0))
    assert league.names == ["self", "random", "greedy"] and league.chances == pytest.approx([0, 0.75, 0.25])
    league.note_update(an_agent(5), every=1, seed=0, seated=np.zeros(0, np.int64))
    assert league.chances == pytest.approx([0, 0.75, 0.25]) and len(league.players) == 3


def test_a_snapshot_that_left_goes_on_playing_where_it_sits_and_is_let_go_then(tmp_path: Path) -> None:
    league = a_league(tmp_path, 3)
    table = Table(league, Batch(Setting(GAME, 3), 64), seed=0)
    for steps in (10, 20, 30):
        league.note_update(an_agent(steps), every=1, seed=0, seated=table.seating)
    assert len(league.pool.snapshots) == 3 and len(league.players) == 2 + 6
    left = [i for i, name in enumerate(league.names[2:], 2) if name not in league.pool.snapshots]
    assert len(left) == 3 and not league.chances[left].any()
    assert any(not isinstance(league.players[i], DepartedPlayer) for i in left), "some still sit in a game"
    league.refresh(np.zeros((0, 3), np.int64))
    assert all(isinstance(league.players[i], DepartedPlayer) for i in left)


def test_at_a_table_the_learner_decides_in_its_seats_and_results_are_counted(tmp_path: Path) -> None:
    league = a_league(tmp_path, 2)
    batch, rng = Batch(Setting(GAME, 3), 64, seed=5), np.random.default_rng(3)
    table = Table(league, batch, seed=0)
    won, met = dict.fromkeys(league.names[2:], 0.0), dict.fromkeys(league.names[2:], 0)
    for _ in range(300):
        assert (table.seating == LEARNER).any(axis=1).all() and not (table.seating == OWN).any()
        before = table.seating.copy()
        actions = np.where(batch.action_mask, rng.random(batch.action_mask.shape), -1).argmax(axis=1)
        asked = actions.copy()
        mine = table.answer(asked)
        assert (mine == (before[np.arange(64), batch.seat] == LEARNER)).all() and (asked[mine] == actions[mine]).all()
        assert batch.action_mask[np.arange(64), asked].all()
        batch.step(asked)
        for i in np.flatnonzero(batch.done):
            for seat, other in enumerate(before[i]):
                for own in np.flatnonzero(before[i] == LEARNER) if other >= 2 else []:
                    x, y = batch.rank[i, seat], batch.rank[i, own]
                    won[league.names[other]] += (x < y) + 0.5 * (x == y)
                    met[league.names[other]] += 1
        table.note_step()
        assert (table.seating[~batch.done] == before[~batch.done]).all()
    assert min(met.values()) > 10
    found = {name: (s.won, s.met) for name, s in league.pool.snapshots.items()}
    assert found == {name: (pytest.approx(won[name]), met[name]) for name in won}


def test_in_the_vector_environment_the_league_plays_and_counts(tmp_path: Path) -> None:
    league = a_league(tmp_path, 2)
    env = SeatVecEnv(Setting(GAME, 3), 32, league, pieces=PIECES)
    env.reset()
    rng, ended = np.random.default_rng(0), []
    while len(ended) < 200:
        masks = env.action_masks()
        env.step_async(np.where(masks, rng.random(masks.shape), -1).argmax(axis=1))
        ended += [info["result"] for info in env.step_wait()[3] if info]
    beside = [name for result in ended for name in result["opponents"]]
    for name in league.names[2:]:
        assert league.pool.snapshots[name].met >= beside.count(name) > 10
    assert beside.count("self") > beside.count("random") > 10


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"won": float("nan")}, "finite number"),
        ({"won": 5.0, "met": 2.0}, "does not agree with itself"),
        ({"beat": {"random": [3, 2]}}, "does not agree with itself"),
        ({"beat": {"random": [1, 1e300]}}, "less than or equal to 1000000000"),
        ({"steps": 8}, "does not agree with itself"),
        ({"steps": "many"}, "valid integer"),
        ({"beat": {"nobody": [1, 2]}}, "does not agree with itself"),
        ({"beat": {"random": [1]}}, "at least 2 items"),
        ({"beats": {}}, "Unexpected keyword"),
    ],
)
def test_a_table_that_is_none_is_named(change: dict, message: str, tmp_path: Path) -> None:
    pool = a_pool(tmp_path)
    name = pool.add(an_agent(7), seed=1)
    told = json.loads((pool.folder / TABLE).read_text())
    (pool.folder / TABLE).write_text(json.dumps({name: told[name] | change}))
    with pytest.raises(ValueError, match=f"pool.json' is not a pool's table: .*{message}"):
        a_pool(tmp_path)
    assert (pool.folder / f"{name}.npz").exists(), "nothing is swept away by a table that cannot be read"


def test_a_pool_that_is_made_smaller_lets_go_of_the_easiest_but_the_newest(tmp_path: Path) -> None:
    pool = a_pool(tmp_path)
    names = [pool.add(an_agent(steps), seed=1) for steps in (1, 2, 3)]
    for name, won in zip(names, (5, 1, 0), strict=True):
        pool.note_games(name, won, 10)
    pool.save()
    assert [*a_pool(tmp_path, size=2).snapshots] == [*a_pool(tmp_path).snapshots] == [names[0], names[2]]
    assert not (pool.folder / f"{names[1]}.npz").exists()


def test_ratings_are_computed_anew_from_the_results_on_the_disk(tmp_path: Path) -> None:
    pool = a_pool(tmp_path)
    name = pool.add(an_agent(7), seed=1)
    told = json.loads((pool.folder / TABLE).read_text())
    (pool.folder / TABLE).write_text(json.dumps({name: told[name] | {"rating": 1e6}}))  # by another model
    assert a_pool(tmp_path).snapshots[name].rating == pool.snapshots[name].rating
    (pool.folder / TABLE).write_text(json.dumps({name: told[name] | {"beat": {}}}))
    assert a_pool(tmp_path).snapshots[name].rating == 0


def test_the_table_on_the_disk_is_plain_json(tmp_path: Path) -> None:
    pool = a_pool(tmp_path)
    name = pool.add(an_agent(7), seed=1)
    told = json.loads((pool.folder / TABLE).read_text())
    assert set(told[name]) == {"steps", "rating", "beat", "won", "met"} and told[name]["steps"] == 7


def test_snapshots_and_the_learner_draw_from_their_policies_and_the_newest_sits_beside_it(tmp_path):
    league = a_league(tmp_path, 2)
    agent = an_agent(199)
    league.note_update(agent, every=1000, seed=0, seated=np.zeros(0, np.int64))
    players = [player for player in league.players if isinstance(player, NetworkPlayer)]
    assert len(players) == 3 and all(player.sampled for player in players)
    assert league.players[OWN].agent is agent


def test_the_learners_own_seat_is_any(tmp_path):
    table = Table(a_league(tmp_path, 0, {"random": 1}), Batch(Setting(GAME, 3), 300), seed=0)
    assert np.bincount(table.own, minlength=3).min() > 60


def test_seats_that_the_learner_plays_without_learning_count_as_its(tmp_path):
    league = a_league(tmp_path, 1)
    league.note_results(np.array([[2, OWN, -1]]), np.array([[1, 2, 3]], np.float32))
    (snapshot,) = league.pool.snapshots.values()
    assert (snapshot.won, snapshot.met) == (2, 2)


def test_only_files_of_snapshots_are_deleted(tmp_path: Path) -> None:
    """The folder may be a link, or hold somebody's notes."""
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    kept, gone = (
        ("notes.md", "thesis.npz", "1.npz", ".notes.md.0123abcd.partial"),
        ("000000000007.npz", ".000000000008.npz.0123abcd.partial"),
    )
    for name in (*kept, *gone):
        (theirs / name).write_text("mine")
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "pool").symlink_to(theirs)
    pool = a_pool(tmp_path / "run")
    pool.add(an_agent(100), seed=1)
    assert {path.name for path in theirs.iterdir()} == {*kept, TABLE, "000000000100.npz"}
    assert all((theirs / name).read_text() == "mine" for name in kept)
