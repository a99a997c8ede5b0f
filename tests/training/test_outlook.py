"""Networks that weigh what their prior foresees of every action (`network.outlook`)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from tests.training.test_networks import a_config, an_update, decisions
from timeline_env.engine.loops import hide_games
from timeline_env.engine.setting import Setting
from timeline_env.players import Decisions
from timeline_env.players.agents.agent_files import AGENT_FILE, read_agent
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.players.agents.prior import prior_logits
from timeline_env.players.search.guides import expectations
from timeline_env.players.timeline.forecast import ALL, FORESEEN, SOON, SURE
from timeline_env.players.timeline.lookahead import Projector
from timeline_env.timeline import GAME
from timeline_env.timeline.state import MAX_PLAYERS
from training.config import Config
from training.learners.prior import Prior

SMALL = {"hidden": [16], "pieces": ["near", "clock"]}


def outlook_of(asked: Decisions) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    return Projector().outlook(asked.batch.rules, asked.states(), asked.action_mask, asked.seat)


def settings(outlook: int, num_players: int = 4, **others: Any) -> Config:
    common = {"num_players": num_players, "prior": "projector", "opponents": {"self": 1}, "reward": "rank"}
    return a_config("ppo", **common | others, network=SMALL | {"outlook": outlook})


def with_an_outlook(**others: Any) -> Any:
    """A learner whose outlook counts: after an update of few games it hardly does."""
    learner: Any = an_update(settings(8, **others))
    for layer in learner.network.layers.outlook:
        torch.nn.init.normal_(layer.weight)
    return learner


@pytest.mark.parametrize("num_players", [2, 4, 6])
def test_the_outlook_of_an_action_is_what_its_value_comes_from(num_players: int) -> None:
    asked = decisions(num_players)
    rules, states, mask, seats = asked.batch.rules, asked.states(), asked.action_mask, asked.seat
    values, outlook = outlook_of(asked)
    assert (values == Projector().values(rules, states, mask, seats)).all()
    places = np.arange(num_players)
    points = states["points"][np.arange(len(seats))[:, None], (seats[:, None] + places) % num_players]
    then = points[:, None] + outlook[:, -1:, ALL + places] + outlook[:, :-1, ALL + places]
    lead = then[..., 0] - then[..., 1:].mean(axis=2)
    legal = mask != 0
    assert np.abs(lead - values)[legal].max() < 0.05, "they differ by what an action costs, alone"
    assert not outlook[:, :-1][~legal].any() and not outlook[..., ALL + num_players : SOON].any()


def test_values_and_outlook_agree_where_points_reach_what_their_field_can_hold() -> None:
    asked = decisions(3)
    states = asked.states()
    states["points"][:, 0] = 127
    arguments = (asked.batch.rules, states, asked.action_mask, asked.seat)
    assert (Projector().outlook(*arguments)[0] == Projector().values(*arguments)).all()


def test_the_outlook_tells_what_is_sure_and_what_is_soon(position: Any) -> None:
    # Yellow gains a point if the event occurs, by two realization points of their own impact; two more would make it sure. Its
    # node comes after the phase that is played.
    two = position("2p phase:1.0 turn:y 0:org/occurred 2.0:0y/+y/y+2/yes=y+1/no=none")
    now = outlook_of(Decisions.of(two.batch, np.arange(1)))[1][0, -1]
    assert now[[ALL, SOON, SURE]].tolist() == [1, 0, 2] and not now[[ALL + 1, SOON + 1, SURE + 1]].any()


def test_what_a_seat_may_expect_is_foreseen_without_the_cards_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, shown = decisions(4), []
    prior = Prior(settings(8))
    outlook = prior.foreseer.outlook

    def spy(rules: Any, states: Any, mask: Any, seats: Any) -> Any:
        shown.append(states.copy())
        return outlook(rules, states, mask, seats)

    monkeypatch.setattr(prior.foreseer, "outlook", spy)
    found = prior.prospects(asked.batch)
    whole = np.asarray(asked.batch.states)
    nothing = np.zeros_like(asked.action_mask)
    assert (found == outlook(asked.batch.rules, whole, nothing, asked.seat)[1][:, -1]).all(), (
        "it looks at the board alone"
    )
    own = np.arange(MAX_PLAYERS) == asked.seat[:, None]
    assert (shown[0].hand[own] == whole["hand"][own]).all() and (shown[0].hand != whole["hand"])[~own].any()
    hidden = shown[0].copy()
    hide_games(asked.batch.rules, hidden, asked.seat)
    assert hidden.tobytes() == shown[0].tobytes()


def test_torch_and_numpy_agree_on_what_an_outlook_adds(tmp_path: Path) -> None:
    learner, asked = with_an_outlook(), decisions(4)
    values, outlook = outlook_of(asked)
    seen = np.concatenate([learner.reading.read(asked.observation), outlook[:, -1]], axis=1)
    legal = asked.action_mask != 0
    bias = torch.zeros(legal.shape).masked_fill(~torch.as_tensor(legal), -1e9)
    with torch.no_grad():
        x = learner.network.read(torch.as_tensor(seen))
        wanted = learner.network.logits(x, bias, torch.as_tensor(outlook[:, :-1])).numpy()
        worth = learner.network.values(x).numpy()
        without = learner.network.logits(x).numpy()
    learner.agent(64).save(tmp_path / AGENT_FILE)
    agent = read_agent(tmp_path / AGENT_FILE, Setting(GAME, 4))
    found = agent.logits(seen, outlook[:, :-1], asked.action_mask)
    assert np.allclose(found[legal], wanted[legal], atol=1e-4)
    assert np.allclose(agent.value(seen), worth, atol=1e-4)
    assert np.abs(wanted - without)[legal].max() > 0.1 and (wanted == without)[~legal].all()
    played = NetworkPlayer(agent).logits(asked)
    assert np.allclose(played[legal], (found + prior_logits(values, agent.about.prior_scale))[legal], atol=1e-4)
    told = NetworkPlayer(agent).foretell
    assert told is not None
    expected = told(asked.batch, asked.states(), asked.seat, asked.observation)
    assert np.allclose(expected, np.clip(worth, -1, 1), atol=1e-4)


def test_every_seat_is_asked_by_its_own_outlook() -> None:
    learner, asked = with_an_outlook(num_players=3), decisions(3, games=5)
    told, batch = NetworkPlayer(learner.agent(0)).foretell, asked.batch
    assert told is not None
    games, seats = np.indices((5, 3)).reshape(2, -1)
    views = batch.observe(games, seats)
    found = expectations(told, batch, asked.states(), asked.seat, views.reshape(5, 3, -1))
    assert np.allclose(found.ravel(), told(batch, asked.states()[games], seats, views))
    assert len(np.unique(found)) == 15


def test_a_learner_with_an_outlook_begins_as_an_agent_without_one_or_with_one() -> None:
    asked = decisions(4)
    for begun_as in (an_update(settings(0)).agent(0), with_an_outlook().agent(0)):
        learner: Any = an_update(settings(8))
        learner.take(begun_as)
        before, after = (NetworkPlayer(agent).logits(asked) for agent in (begun_as, learner.agent(0)))
        assert np.allclose(before[asked.action_mask != 0], after[asked.action_mask != 0], atol=1e-4)


def test_in_the_common_form_an_agent_weighs_the_outlook_of_any_number_of_players() -> None:
    agent = with_an_outlook(common=True).agent(0)
    for num_players in (2, 6):
        asked = decisions(num_players)
        blind = replace(agent, outlook_layers=[(0 * weight, 0 * bias) for weight, bias in agent.outlook_layers])
        added = NetworkPlayer(agent).logits(asked) - NetworkPlayer(blind).logits(asked)
        assert added.shape == asked.action_mask.shape and np.ptp(added, axis=1).max() > 0.1


def test_an_update_learns_from_the_outlook() -> None:
    learner: Any = an_update(settings(8))
    assert learner.rollout.outlook.any() and learner.rollout.seen[..., -FORESEEN:].any()
    assert learner.rollout.outlook.shape[-1] == FORESEEN
    assert all(layer.weight.abs().max() > 0 for layer in learner.network.layers.outlook)


@pytest.mark.parametrize(
    ("changes", "refused"),
    [
        (
            {"prior": None},
            "network.outlook 8 must be 0: prior with an outlook 'None' is unknown; allowed: projector, planner",
        ),
        (
            {"prior": "greedy"},
            "network.outlook 8 must be 0: prior with an outlook 'greedy' is unknown; allowed: projector, planner",
        ),
        ({"game": "twilight_struggle", "num_players": 2, "prior": "heuristic"}, "no prior of twilight_struggle says"),
        ({"final_prior_scale": 0.0}, "network.outlook 8 must be 0 with network.hidden [] or final_prior_scale 0"),
        ({"learner": "maskable_ppo"}, "network.outlook 8 must be left out with learner maskable_ppo"),
        ({"device": "cuda"}, "device 'cuda' must be cpu with network.outlook 8"),
        (
            {"network": {"outlook": 10**9, "hidden": [16]}},
            "network.outlook 1000000000 with envs 8 and ppo.batch_size 64 need",
        ),
    ],
)
def test_what_an_outlook_needs_is_asked_for_in_one_line(changes: dict[str, Any], refused: str) -> None:
    network = {"outlook": 8, "hidden": [16]}
    common = {"num_players": 4, "prior": "projector", "opponents": {"self": 1}, "network": network, "envs": 8}
    with pytest.raises(ValueError) as error:
        a_config(**{"learner": "ppo"} | common | changes)
    assert refused in str(error.value)


@pytest.mark.parametrize(
    ("changes", "refused"),
    [
        ({"outlook_layers": []}, "a layer of shapes"),
        ({"layers": []}, "has no layers"),
        ({"outlook_layers": [(np.zeros((8, 3), np.float32), np.zeros(8, np.float32))] * 2}, "cannot follow one of"),
        (
            {"outlook_layers": [(np.zeros((1, 45), np.float32), np.zeros(1, np.float32))]},
            "two layers must give one number",
        ),
        ({"prior": "greedy"}, "prior with an outlook 'greedy' is unknown"),
    ],
)
def test_agents_whose_outlook_does_not_fit_are_refused(changes: dict[str, Any], refused: str, tmp_path: Path) -> None:
    agent = with_an_outlook().agent(0)
    others = {name: change for name, change in changes.items() if name != "prior"}
    about = replace(agent.about, prior=changes.get("prior", "projector"))
    replace(agent, about=about, **others).save(tmp_path / AGENT_FILE)
    with pytest.raises(ValueError, match=refused):
        read_agent(tmp_path / AGENT_FILE, Setting(GAME, 4))
