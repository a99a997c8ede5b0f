"""The tool that counts which mechanics of Timeline matter: what it counts, whom it restricts, how it goes on."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.commands import run_here
from tests.refusals import refusal
from tests.timeline.conftest import laid_out_by
from tests.timeline.test_examples import E1, E1_CARDS
from timeline_env.arena.games import play_games
from timeline_env.engine import record
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.setting import Setting
from timeline_env.players.interface import Decisions
from timeline_env.players.registry import load_player
from timeline_env.timeline import GAME
from timeline_env.timeline.actions import CODEC, PASS
from timeline_env.timeline.text import notation
from tools import mechanics_jobs, mechanics_measures, mechanics_page
from tools.mechanics_counts import COUNTS, count
from tools.mechanics_jobs import WHOLE, Job, Plan, run
from tools.mechanics_measures import loss, measure, measures
from tools.mechanics_players import Mechanic, RestrictedPlayer, mechanics

pytestmark = pytest.mark.usefixtures("work_here")
ROOT = Path(__file__).resolve().parents[2]
PLAN = Plan(("random",), (3,), 40, (3,), 6, 7, {})


@pytest.fixture
def counted(position, tmp_path):
    """The counts of what happens when a move is made in a position with the cards of E1."""
    (tmp_path / "cards.csv").write_text(E1_CARDS)

    def count_after(text, move="pass"):
        p = position(text, rules=laid_out_by(tmp_path / "cards.csv"))
        action = notation.action_from_text(p.rules, p.s, move)
        return count(p.rules, p.batch.states.copy(), [np.array([action])])[0]

    return count_after


def test_e1_is_counted_as_the_rulebook_tells_it(counted):
    c = counted(E1)
    assert (c.events, c.links, c.unlinked, c.like_e1) == (1, 2, 0, 1)
    # The sum is 3 - 4 + 1 and the stance beside the tick: without links +1, without reinforcements 2 - 2 + 1.
    assert (c.by_links, c.by_reinforcements, c.as_stance, c.ahead) == (0, 0, 1, 0)
    assert list(c.moved) == [0, 0, 1, 0, 0]
    assert c.decisions[list(CODEC.ranges).index("pass")] == c.decisions.sum() == 1


@pytest.mark.parametrize(
    ("change", "into"),
    [
        ("1.1:1p/failed", "1.1:2p/failed"),  # a neighbour without a mark of its own overrides nothing
        ("reinforced:1.2NE+1,1.1SE+2,2.3NE+1", "reinforced:2.3NE+1"),  # no active link is reinforced
        ("/t-1", ""),  # no impact against
        ("/b+1/p+1", ""),  # no impact for
        ("1.2:2g/occurred ", ""),  # one link alone
    ],
)
def test_what_lacks_one_of_its_parts_is_not_like_e1(counted, change, into):
    assert change in E1
    c = counted(E1.replace(change, into))
    assert (c.events, c.like_e1) == (1, 0)


def test_an_outcome_is_turned_by_links_and_by_reinforcements_alone(counted):
    without_impacts = E1.replace("/b+1/p+1/t-1", "")  # 3 - 4: it does not occur; 2 - 2: the stance says it does
    c = counted(without_impacts)
    assert (c.by_links, c.by_reinforcements, c.as_stance) == (1, 1, 0)
    weaker = without_impacts.replace("1.2NE+1,1.1SE+2,", "")
    assert [counted(weaker)[name] for name in ("by_links", "by_reinforcements", "as_stance")] == [0, 0, 1]
    lone = E1.replace("1.1:1p/failed 1.2:2g/occurred ", "").replace("1.2NE+1,1.1SE+2,", "")
    assert [counted(lone)[name] for name in ("links", "unlinked", "by_links")] == [0, 1, 0]


def test_an_event_is_laid_in_the_phase_it_is_organized_in(position):
    p = position("3p phase:0.0 first:o turn:y y:1.0/energy=13/hand=log o:4.0 b:4.0 0:org/+")
    moves = ["organize log turn 0 yes", "link S cause", "done", "pass"]
    before, actions = p.batch.states.copy(), []
    while p.s.phase < 2:
        if not moves:
            moves = ["pass"] if p.legal("pass") else p.legal()[:1]
        actions.append(notation.action_from_text(p.rules, p.s, moves[0]))
        p.play(moves.pop(0))
    c = count(p.rules, before, [np.array(actions)])[0]
    assert (c.events, c.ahead, list(c.laid)) == (1, 1, [1, 0, 0, 0, 0])
    assert (list(c.dealt), list(c.flexible)) == ([0, 0, 1], [0, 0, 1])


@pytest.mark.parametrize("num_players", GAME.players)
def test_counting_plays_the_same_games_to_the_last_byte(num_players):
    seeds = game_seeds(num_players, 6)
    random = load_player("random", GAME, 1, num_players)
    games = play_games(Setting(GAME, num_players), [random], np.zeros((6, num_players), np.int64), seeds).games()
    played = Batch(Setting(GAME, num_players), 6)
    played.deal(seeds)
    followed = played.states.copy()
    counts = count(played.rules, followed, games)
    for game, actions in enumerate(games):
        for action in actions:
            played.step([action], np.array([game]), restart=False)
    assert followed.tobytes() == played.states.tobytes()
    assert (played.seat == -1).all()
    # Nothing is counted twice or missed: every event on the field but the original one was looked at.
    assert (counts["events"] == played.states["event"].sum(axis=1) - 1).all()
    assert (counts["laid"].sum(axis=1) == counts["events"]).all()
    assert (counts["decisions"].sum(axis=1) == [len(actions) for actions in games]).all()
    assert (counts["deck_empty"] >= 0).tolist() == (played.states["drawn"] == played.rules.deck_size).tolist()
    left = played.states["flexible"][:, :num_players].sum(axis=1)
    assert (counts["dealt"] - counts["flexible"] == left).all()


class Watched:
    """Plays at random and keeps what it was shown."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(0)
        self.masks: list[np.ndarray] = []

    def act(self, decisions):
        assert (decisions.states()["legal"][:, : decisions.action_mask.shape[1]] == decisions.action_mask).all()
        self.masks.extend(decisions.action_mask)
        return np.array([self.rng.choice(np.flatnonzero(mask)) for mask in decisions.action_mask])


@pytest.mark.parametrize("name", mechanics())
def test_a_restricted_player_never_takes_what_is_forbidden(name):
    watched, batch, games = Watched(), Batch(Setting(GAME, 4), 8, seed=3), np.arange(8)
    mechanic, taken = mechanics()[name], 0
    player = RestrictedPlayer(watched, mechanic)
    for _ in range(300):
        legal = batch.action_mask > 0
        forbidden = mechanic.forbidden_actions(batch, games)[:, : batch.num_actions] & legal
        others = (legal & ~forbidden).any(axis=1)
        taken += (forbidden.any(axis=1) & others).sum()
        asked = len(watched.masks)
        actions = player.act(Decisions.of(batch, games))
        assert not forbidden[games, actions][others].any()
        assert batch.action_mask[games, actions].all()
        assert all(mask.sum() > 1 for mask in watched.masks[asked:]), "of one action alone nobody is asked"
        batch.step(actions)
    assert taken > 0, "the mechanic never came up"


def test_the_root_of_a_search_does_not_consider_what_is_forbidden():
    batch = Batch(Setting(GAME, 3), 12, seed=1)
    player = RestrictedPlayer(load_player("mcts:8", GAME, 0), mechanics()["phase 0"])
    assert (player.act(Decisions.of(batch, np.arange(12))) == PASS).all()
    assert (load_player("mcts:8", GAME, 0).act(Decisions.of(batch, np.arange(12))) != PASS).any()


def test_where_nothing_else_is_left_what_is_forbidden_may_be_done(position):
    p = position("3p phase:1.0 turn:y y:1.0/energy=16/hand=log o:4.0 b:4.0 0:org/occurred")
    p.play("organize log turn 0 yes")  # the first link must be laid
    everything = replace(mechanics()["impact"], actions=np.ones(CODEC.size, np.bool_))
    decisions = Decisions.of(p.batch, np.arange(1))
    assert (RestrictedPlayer(Watched(), everything).allowed_mask(decisions) == p.batch.action_mask).all()


def test_every_mechanic_of_the_rules_is_told():
    names = list(mechanics())
    assert names[:5] == ["reinforce", "attacking", "supporting", "logistic", "reinforce and flexible events"]
    assert names[-5:] == [f"phase {phase}" for phase in range(5)]


def test_measures_are_shares_of_what_was_counted():
    counts = record.new(COUNTS, 2)
    counts["events"], counts["links"], counts["by_links"], counts["like_e1"] = [10, 30], [10, 50], [4, 6], [0, 1]
    counts["dealt"], counts["flexible"] = [0, 4, 4], [[0, 1, 4], [0, 0, 4]]
    counts["decisions"][:, 0], counts["decisions"][:, 1], counts["deck_empty"] = 10, 30, [-1, 3]
    found = measures(counts, np.array([[1, 3], [0, 4]], np.float32), np.array([[2, 1], [1.5, 1.5]], np.float32))
    assert found["attacking"] is None
    assert (found["supporting"], found["logistic"], found["deck cards a game"]) == (0.125, 1.0, 15.5)
    assert (found["links an event"], found["turned by links"], found["like E1 a game"]) == (1.5, 0.25, 0.5)
    assert (found["most frequent decision"], found["decisions"]["move"]) == (0.25, 0.75), "moves are excepted"
    assert (found["deck empty"], found["deck empty in phase"]) == (0.5, [0, 0, 0, 0.5, 0])
    assert [seat["mean"] for seat in found["seats"]] == [0.25, 0.75]


def test_a_loss_is_chance_less_what_was_won():
    found = loss(np.array([0.1, 0.3]), 4)
    assert found.mean == pytest.approx(0.05)
    assert found.low < 0 < found.high


def test_who_may_only_pass_wins_less_than_an_even_share(monkeypatch):
    passing = Mechanic("acting", np.arange(CODEC.size) != PASS)
    monkeypatch.setattr(mechanics_measures, "mechanics", lambda: {"acting": passing})
    wins = mechanics_measures.own_wins("projector", Setting(GAME, 4), "acting", game_seeds(0, 100), 0)
    assert wins.shape == (100,)
    assert loss(wins, 4).low > 0


def test_the_same_seed_gives_the_same_measures_and_a_variant_others():
    setting, short = Setting(GAME, 4), Setting(GAME, 4, {"rounds": {"4": [1] * 5}})
    found = measure("random", setting, 20, seed=5)
    assert found == measure("random", setting, 20, seed=5)
    assert found != measure("random", setting, 20, seed=6)
    assert found["events a game"] > measure("random", short, 20, seed=5)["events a game"]


def test_a_measurement_goes_on_where_it_stopped_and_ends_as_one_that_never_did(tmp_path, monkeypatch):
    monkeypatch.setattr(mechanics_jobs, "GAMES_A_BLOCK", 16)
    whole = run(PLAN, tmp_path / "whole", 1)
    blocks = sorted((tmp_path / "whole").rglob("*.npz"))
    names = [str(path.relative_to(tmp_path / "whole")) for path in blocks]
    assert len(names) == 3 + len(mechanics())
    blocks[1].unlink()
    played = []
    monkeypatch.setattr(
        mechanics_jobs, "run_parallel", lambda work, tasks, *_: played.extend(map(lambda t: work(*t), tasks))
    )
    left = tmp_path / "whole" / ".0-3.npz.0123abcd.partial"
    left.write_text("half")
    assert run(PLAN, tmp_path / "whole", 1) == whole
    assert not left.exists(), "what a kill left half-written is swept away"
    assert len(played) == 1
    # More games are the same ones and others.
    run(replace(PLAN, games=48), tmp_path / "whole", 1)
    assert len(played) == 2


def test_a_folder_of_other_rules_or_deals_is_refused(tmp_path):
    plan = replace(PLAN, ablated=())
    run(plan, tmp_path, 1)
    with pytest.raises(ValueError, match="holds another measurement: seed 7, now 8; give another folder"):
        run(replace(plan, seed=8), tmp_path, 1)
    with pytest.raises(ValueError, match="holds another measurement: rules "):
        run(replace(plan, rules={"player": {"income": 11}}), tmp_path, 1)
    (tmp_path / "3_players" / "settings.json").unlink()
    with pytest.raises(ValueError, match="holds no measurement"):
        run(plan, tmp_path, 1)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"players": ("random", "random")}, "players 'random random' must be at least one, each named once"),
        ({"numbers": (2, 3, 2)}, "numbers '2 3 2' must be different"),
        ({"ablated": (3, 3)}, "ablated '3 3' must be different"),
    ],
)
def test_what_is_named_twice_is_refused_before_any_game(changed, said, tmp_path):
    with pytest.raises(ValueError, match=f"^{said}$"):
        run(replace(PLAN, **changed), tmp_path / "measured", 1)
    assert not (tmp_path / "measured").exists()


def test_another_agent_under_the_same_path_has_other_files(tmp_path, monkeypatch):
    job = Job("runs/mine", Setting(GAME, 4), WHOLE, 4, 0)
    files = set()
    for content in ("one", "two"):
        monkeypatch.setattr(mechanics_jobs, "fingerprint", lambda *_, content=content: content)
        files.add(job.file(tmp_path, range(4)))
    assert len(files) == 2


def test_the_page_keeps_its_words_and_marks_what_is_as_wanted(tmp_path):
    found = run(replace(PLAN, ablated=()), tmp_path, 1)
    found["results"]["3"]["random"]["measures"] |= {"laid ahead": 0.4, "as the stance": 0.76, "attacking": None}
    tables = mechanics_page.page(found)
    text = f"Before.\n{mechanics_page.BEGIN}of yesterday\n{mechanics_page.END}\nAfter.\n"
    page = mechanics_page.insert_tables(text, tables)
    assert page.startswith("Before.\n") and page.endswith("\nAfter.\n") and "yesterday" not in page
    assert mechanics_page.insert_tables(page, tables) == page
    assert "| at least 40 % | 40.0 % ✓ |" in page
    assert "| at most 75 % | 76.0 % ✗ |" in page
    assert "of those in hand | at least 33 % | – |" in page
    with pytest.raises(ValueError, match="the page has no lines '<!-- mechanics -->'"):
        mechanics_page.insert_tables("nothing", tables)


def test_every_wish_is_for_something_that_is_measured():
    found = measure("random", Setting(GAME, 4), 2)
    assert set(mechanics_page.WANTED["measures"]) <= set(mechanics_page.MEASURES) == set(found)


def test_the_documentation_has_a_place_for_the_tables():
    page = (ROOT / "docs" / "results" / "mechanics.md").read_text(encoding="utf-8")
    assert (
        mechanics_page.insert_tables(mechanics_page.insert_tables(page, "tables\n"), "").count(mechanics_page.BEGIN)
        == 1
    )


def test_the_command_prints_a_table_and_keeps_its_numbers(tmp_path):
    command = ("tools/mechanics.py", "random", "--players", "2", "--games", "4")
    done = run_here(*command, "--out", "out", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "| positions like E1 a game | at least 0.5 |" in done.stdout
    kept = json.loads((tmp_path / "out" / "mechanics.json").read_text())
    assert (kept["seed"], kept["results"]["2"]["random"]["measures"]["games"]) == (0, 4)
    again = run_here(*command, "--out", "out", "--seed", "1", cwd=tmp_path)
    assert "'out/2_players' holds another measurement: seed 0, now 1" in refusal(again)
    quick = run_here(*command, "--quick", cwd=tmp_path)
    assert quick.stdout.startswith("random, 2 players, 4 games: attacking –; ") and quick.stdout.count("\n") == 1
