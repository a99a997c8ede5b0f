"""How well judges foresee the end, on judges whose worth is known."""

from __future__ import annotations

import numpy as np
import pytest

from tests.commands import run_here
from tests.refusals import refusal
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.players.agents.agent_files import read_agent
from timeline_env.players.agents.shipped import agent_path
from timeline_env.timeline import GAME
from timeline_env.twilight_struggle import GAME as TWILIGHT_STRUGGLE
from tools.calibration import BY_ESTIMATE, Found, judge_by_agent, play, reliability, share_explained

SCRIPT = "tools/calibration.py"


def test_what_the_mean_explains_is_nothing_and_what_the_result_explains_is_all() -> None:
    rng = np.random.default_rng(0)
    result, game = rng.choice([-1.0, 1.0], 400), np.repeat(np.arange(100), 4)
    half = np.where(rng.random(400) < 0.5, result, 0.0)
    found = Found(np.stack([result, np.full(400, result.mean()), half, -result]), np.tile(result, (4, 1)), game)
    shares = [share_explained(found, judge, np.random.default_rng(1)) for judge in range(4)]
    assert shares[0].mean == 1 and shares[1].mean == pytest.approx(0) and shares[3].mean < -2
    assert 0.4 < shares[2].low < 0.5 < shares[2].high < 0.6
    assert shares[2].mean == pytest.approx(0.5, abs=0.05)


def test_reliability_counts_every_position_once_with_both_ends_in() -> None:
    expected = np.array([-1.0, -0.9, 0.0, 0.1, 1.0])
    found = Found(expected[None], np.array([[-1.0, 1.0, 1.0, 0.0, 1.0]]), np.arange(5))
    assert reliability(found, 0) == ["-0.95: +0.00 (2)", "–", "+0.05: +0.50 (2)", "–", "+1.00: +1.00 (1)"]


@pytest.mark.parametrize("game", [GAME, TWILIGHT_STRUGGLE], ids=lambda game: game.name)
def test_judges_say_what_the_seat_to_act_expects_and_change_nothing(game: object) -> None:
    setting = Setting(game, 2)
    batch = Batch(setting, 8, seed=3)
    batch.play_random(25)
    before, games = np.asarray(batch.states).tobytes(), np.array([1, 5, 6])
    agent = read_agent(agent_path("shipped_medium", setting), setting)
    seen = batch.observation[games][:, game.layout(2).columns(agent.about.pieces)]
    assert judge_by_agent("shipped_medium", setting).expect(batch, games) == pytest.approx(
        np.clip(agent.value(seen), -1, 1), abs=1e-5
    )
    said = BY_ESTIMATE.expect(batch, games)
    assert (np.abs(said) <= 1).all() and np.ptp(said) > 0
    assert np.asarray(batch.states).tobytes() == before


def test_games_are_played_to_the_end_and_a_seed_gives_the_same() -> None:
    setting = Setting(GAME, 3)
    first, again = (play(setting, ["greedy", "random"], [BY_ESTIMATE], 12, 4, lambda _: None) for _ in range(2))
    assert (first.expected == again.expected).all() and (first.result == again.result).all()
    assert set(first.result[0]) <= {-1.0, -0.5, 0.0, 0.5, 1.0} and set(first.game) <= set(range(12))
    assert first.result.shape == first.expected.shape == (1, len(first.game)) and len(first.game) > 12


def test_an_agent_that_learned_for_wins_is_held_to_wins() -> None:
    setting = Setting(GAME, 6)
    judges = [BY_ESTIMATE, judge_by_agent("shipped", setting)]
    assert [judge.for_wins for judge in judges] == [False, True]
    found = play(setting, ["greedy", "random"], judges, 12, 4, lambda _: None)
    place, win = found.result
    assert ((win == 1) == (place == 1)).all() and 0 < (place > 0).mean() < 1
    assert (win[place < 0] == -1).all() and not (place[place < 0] == -1).all()


def test_the_command_prints_both_tables() -> None:
    done = run_here(SCRIPT, "--players", "2", "--games", "10")
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.split("Expected on average")
    assert "explained share" in first and "what came of it" in second
    for table in (first, second):
        assert "the estimate" in table and "shipped" in table


def test_what_cannot_be_asked() -> None:
    for words, told in (
        (("--agents", "projector"), "'projector' does not know what positions are worth"),
        (("--agents", "nobody"), "guide 'nobody' is unknown"),
        (("--games", "9"), "--games '9': input should be greater than or equal to 10"),
    ):
        assert told in refusal(run_here(SCRIPT, "--players", "2", *words))
