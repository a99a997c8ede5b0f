"""What a scripted player thinks of each action, and agents that correct it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.games import pending
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.players import Decisions
from timeline_env.players.agents.agent import About, Agent
from timeline_env.players.agents.agent_files import read_agent
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.players.agents.prior import FAINTEST, load_appraiser, prior_logits
from timeline_env.twilight_struggle import GAME

PIECES = ("question", "tracks")
HEURISTIC = load_appraiser(GAME, "heuristic")


def midway() -> Decisions:
    """Decisions in the middle of games."""
    batch = Batch(Setting(GAME), 64, seed=3)
    batch.play_random(150)
    return pending(batch)


def a_correction(weight: float, scale: float = 4.0) -> Agent:
    """An agent that corrects the heuristic by logits of this size, or not at all."""
    inputs, actions = len(GAME.layout(2).columns(PIECES)), GAME.num_actions(2)
    rng = np.random.default_rng(0)
    layer = (weight * rng.normal(size=(actions, inputs)).astype(np.float32), np.zeros(actions, np.float32))
    return Agent(
        About(GAME.name, GAME.rules_version, 2, PIECES, "tanh", 0, prior="heuristic", prior_scale=scale), [layer]
    )


def test_the_best_action_has_the_logit_0_and_the_others_are_below_by_the_scale_but_never_beyond_reach():
    values = np.array([[1.0, 3.0, 2.5, 2.25], [-2.0, -900.0, -2.0, -2.25]])
    wanted = [[-8.0, 0.0, -2.0, -3.0], [0.0, FAINTEST, 0.0, -1.0]]
    assert (prior_logits(values, 4.0) == np.array(wanted, np.float32)).all()


def test_an_illegal_action_has_the_mean_of_the_legal_ones_since_it_may_be_legal_in_another_world_of_a_search():
    values = np.array([[1.0, 3.0, 2.5, -np.inf], [-np.inf] * 4])
    wanted = [[-8.0, 0.0, -2.0, -10 / 3], [0.0] * 4]
    assert (prior_logits(values, 4.0) == np.array(wanted, np.float32)).all()


def test_what_the_heuristic_values_most_it_does_and_the_positions_stay_as_they_are():
    asked = midway()
    states = asked.states()
    before = states.tobytes()
    values = HEURISTIC.values(asked.batch.rules, states, asked.action_mask, asked.seat)
    assert states.tobytes() == before
    assert (np.isfinite(values) == (asked.action_mask != 0)).all()
    assert (values.argmax(axis=1) == HEURISTIC.act(asked)).all()


def test_an_agent_that_corrects_nothing_plays_as_its_prior_and_one_that_does_plays_otherwise():
    asked = midway()
    heuristic = HEURISTIC.act(asked)
    assert (NetworkPlayer(a_correction(0.0)).act(asked) == heuristic).all()
    corrected = NetworkPlayer(a_correction(9.0)).act(asked)
    assert (corrected != heuristic).any()
    assert asked.action_mask[np.arange(len(corrected)), corrected].all()


def test_an_agent_with_a_prior_is_read_as_it_was_saved(tmp_path):
    agent = a_correction(1.0)
    agent.save(tmp_path / "agent.npz")
    asked = midway()
    again = read_agent(tmp_path / "agent.npz", Setting(GAME))
    assert again.about == agent.about
    assert (NetworkPlayer(again).act(asked) == NetworkPlayer(agent).act(asked)).all()


@pytest.mark.parametrize(
    "changed, told",
    [
        ({"prior": "nobody"}, "prior 'nobody' must be a player of twilight_struggle that values actions: heuristic"),
        (
            {"prior": "cautious"},
            "prior 'cautious' must be a player of twilight_struggle that values actions: heuristic",
        ),
        ({"prior": "os:system"}, "prior 'os:system' must be"),
        ({"prior_scale": float("nan")}, "prior_scale nan must be a number"),
        ({"prior_scale": 0.0}, "prior_scale 0.0 must be a number above 0"),
        ({"prior_scale": -4.0}, "prior_scale -4.0 must be a number above 0"),
    ],
)
def test_a_prior_that_cannot_be_is_refused(tmp_path, changed, told):
    agent = a_correction(1.0)
    replace(agent, about=replace(agent.about, **changed)).save(tmp_path / "agent.npz")
    with pytest.raises(ValueError, match=told):
        read_agent(tmp_path / "agent.npz", Setting(GAME))
