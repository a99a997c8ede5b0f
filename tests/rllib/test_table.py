"""Games as RLlib plays them: who is asked, what is paid, what is refused."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest
from ray.rllib.env.env_context import EnvContext

from tests.rllib.settings import TIMELINE, TWILIGHT_STRUGGLE
from training.learners.rllib.table import LEARNER_MODULE, Seats, Table, module_of

SEATS = Seats("score", {"self": 0.3, "random": 0.2, "000000000400": 0.5}, {"000000000400": "snapshot_1"})


def table(settings: dict[str, Any], seed: int = 1) -> Table:
    made = Table({"config": settings})
    made.exchange(SEATS)
    made.reset(seed=seed)
    return made


def play(table: Table, rng: np.random.Generator) -> tuple[Counter[str], dict[str, float]]:
    """A whole game at random; gives how often each module was asked, and what each agent was paid."""
    seen, _ = table.reset()
    asked: Counter[str] = Counter()
    paid: dict[str, float] = defaultdict(float)
    over = False
    while not over:
        ((agent, shown),) = seen.items()
        assert table.observation_spaces[agent].contains(shown)
        asked[module_of(agent)] += 1
        action = rng.choice(np.flatnonzero(shown["action_mask"]))
        seen, rewards, terminated, truncated, _ = table.step({agent: action})
        assert set(rewards) <= set(seen) and not truncated["__all__"]
        for agent, reward in rewards.items():
            paid[agent] += reward
        over = terminated["__all__"]
    return asked, paid


@pytest.mark.parametrize("settings", [TIMELINE, TWILIGHT_STRUGGLE], ids=["timeline", "twilight_struggle"])
def test_the_learner_and_snapshots_are_asked_and_paid_what_they_earned(settings: dict[str, Any]) -> None:
    game, rng = table(settings), np.random.default_rng(0)
    modules: Counter[str] = Counter()
    deciding = 0
    for _ in range(12):
        asked, paid = play(game, rng)
        modules += asked
        (ended,) = game.exchange(SEATS).ended
        agents = [game.agent(seat) for seat in np.flatnonzero(game.decisions)]
        assert set(paid) <= set(agents) and len(ended.players) == settings["num_players"]
        assert paid[game.agent(game.own)] == pytest.approx(ended.info["episode"]["r"])
        assert ended.info["result"]["points"] == game.batch.points[0, game.own]
        deciding += sum(game.decisions)
    assert set(modules) == {LEARNER_MODULE, "snapshot_1"} and modules.total() == deciding


def test_a_table_of_another_runner_deals_other_games_from_the_same_seed() -> None:
    tables = [Table(EnvContext({"config": TIMELINE}, worker_index=runner)) for runner in (1, 1, 2)]
    for made in tables:
        made.reset(seed=7)
    one, again, other = (made.batch.states.seed[0] for made in tables)
    assert one == again != other


def test_tables_of_a_run_with_the_next_seed_deal_other_games() -> None:
    """RLlib gives a run's first table the seed that the second one had in the run with the seed before."""
    dealt = []
    for seed, given in ((0, 1), (1, 1)):
        made = Table({"config": TIMELINE | {"seed": seed}})
        made.reset(seed=given)
        dealt.append(made.batch.states.seed[0])
    assert dealt[0] != dealt[1]


def test_a_table_that_begins_later_deals_other_games() -> None:
    """A runner that was lost and started again is given the same number and the same seed."""
    seeds = []
    for learned in (0, 0, 500):
        made = Table({"config": TIMELINE})
        made.exchange(Seats("score", learned=learned))
        made.reset(seed=7)
        seeds.append(made.batch.states.seed[0])
    assert seeds[0] == seeds[1] != seeds[2]


def test_a_scripted_player_that_fails_is_told_and_the_game_goes_on() -> None:
    game = table(TIMELINE | {"opponents": {"tests.rllib.failing:Failing": 1.0}})
    game.exchange(Seats("score", {"tests.rllib.failing:Failing": 1.0}))
    asked, _ = play(game, np.random.default_rng(0))
    report = game.exchange(SEATS)
    assert asked and report.ended[0].players.count("tests.rllib.failing:Failing") == 2
    assert report.failure is not None and "cannot decide" in report.failure


def test_all_rewards_of_a_game_reach_the_seats_that_earned_them() -> None:
    game = table(TIMELINE | {"opponents": {"self": 1.0}})
    game.exchange(Seats("score"))
    _, paid = play(game, np.random.default_rng(3))
    assert [paid[game.agent(seat)] for seat in range(3)] == pytest.approx(game.batch.points[0].tolist())
    assert any(game.batch.points[0]), "a game without points shows nothing"


def test_a_mask_carries_the_prior_and_a_reward_may_change() -> None:
    game = table(TIMELINE | {"prior": "projector"})
    game.exchange(Seats("lead"))
    seen, _ = game.reset(seed=2)
    ((agent, shown),) = seen.items()
    mask = shown["action_mask"]
    assert game.observation_spaces[agent].contains(shown)
    assert mask.max() == 1 and 0 < mask[mask > 0].min() < 1 and ((mask > 0) == game.batch.action_mask[0]).all()
    assert game.batch.reward_kind == game.config.registered_game.rewards.index("lead")
    play(game, np.random.default_rng(0))


def test_decisions_of_the_learner_are_counted_once() -> None:
    game = table(TIMELINE)
    asked, _ = play(game, np.random.default_rng(5))
    assert game.exchange(SEATS).taken == asked[LEARNER_MODULE]
    assert game.exchange(SEATS).taken == 0


def test_an_illegal_action_is_refused() -> None:
    game = table(TIMELINE)
    seen, _ = game.reset()
    ((agent, shown),) = seen.items()
    with pytest.raises(ValueError, match="legal"):
        game.step({agent: int(np.flatnonzero(shown["action_mask"] == 0)[0])})


def test_a_seed_deals_the_same_games() -> None:
    first, second, other = (play(table(TIMELINE, seed), np.random.default_rng(0)) for seed in (7, 7, 8))
    assert first == second != other
