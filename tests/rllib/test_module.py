"""The network as RLlib's module: what it never chooses, and that the exported agent plays as it does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from ray.rllib.core.columns import Columns

from tests.rllib.settings import TIMELINE
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.players.agents.agent_files import read_agent
from training.config import Config, parse_config
from training.learners.rllib.module import MaskedModule
from training.learners.rllib.table import action_space, observation_space

GRAPH = TIMELINE | {"network": {"kind": "graph", "pieces": ["clock", "planes"], "hidden": [16], "channels": 4}}


def module(config: Config) -> MaskedModule:
    torch.manual_seed(0)
    keys = {"config": config.model_dump()}
    return MaskedModule(
        observation_space=observation_space(config), action_space=action_space(config), model_config=keys
    )


def positions(config: Config) -> tuple[Batch, dict[str, Any]]:
    """Positions in the middle of games, as the module is given them."""
    batch, rng = Batch(Setting(config.registered_game, config.num_players), 64, 3), np.random.default_rng(1)
    for _ in range(40):
        batch.step(np.where(batch.action_mask, rng.random(batch.action_mask.shape), -1).argmax(axis=1))
    observation = torch.as_tensor(batch.observation[:, batch.layout.columns(config.network.pieces)])
    return batch, {Columns.OBS: {"observation": observation, "action_mask": torch.as_tensor(batch.action_mask)}}


def test_no_action_is_drawn_that_is_not_legal() -> None:
    config = parse_config(TIMELINE)
    batch, seen = positions(config)
    made = module(config)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.mul_(50)  # logits so large that a mask that is merely added would be drowned
    out = made.forward_exploration(seen)
    drawn = made.get_exploration_action_dist_cls().from_logits(out[Columns.ACTION_DIST_INPUTS])
    for _ in range(50):
        assert batch.action_mask[np.arange(64), drawn.sample().numpy()].all()
    assert torch.isfinite(drawn.entropy()).all()


def test_a_prior_in_the_mask_is_added_to_the_logits() -> None:
    config = parse_config(TIMELINE)
    _, seen = positions(config)
    made, mask = module(config), seen[Columns.OBS]["action_mask"]
    prior = torch.rand(mask.shape).clamp(min=0.01)
    weighted = {Columns.OBS: seen[Columns.OBS] | {"action_mask": mask * prior}}
    with torch.no_grad():
        before, after = (made.forward_train(each)[Columns.ACTION_DIST_INPUTS] for each in (seen, weighted))
    legal = mask == 1
    assert torch.allclose(after[legal], (before + prior.log())[legal], atol=1e-5)
    assert (after[~legal] == before[~legal]).all()


def test_a_network_is_judged_by_what_it_looked_at_last() -> None:
    config = parse_config(TIMELINE)
    made = module(config)
    made.refuse_diverged(0.5)  # runners that are lost in the first rollout leave nothing to look at
    made.forward_train(positions(config)[1])
    made.refuse_diverged(0.5)
    with torch.no_grad():
        for parameter in made.policy.parameters():
            parameter.mul_(1e20)  # still finite
    with pytest.raises(ValueError, match=r"logits are beyond .* ppo.learning_rate below 0.5"):
        made.refuse_diverged(0.5)


@pytest.mark.parametrize("settings", [TIMELINE, GRAPH], ids=["mlp", "graph"])
def test_the_exported_agent_has_the_same_logits(settings: dict[str, Any], tmp_path: Path) -> None:
    config = parse_config(settings)
    batch, seen = positions(config)
    made = module(config)
    made.to_agent(123, made.configuration.now(0)).save(tmp_path / "agent.npz")
    agent = read_agent(tmp_path / "agent.npz", config.setting)
    assert (agent.about.steps, agent.about.reward) == (123, made.configuration.reward)
    with torch.no_grad():
        logits = made.forward_inference(seen)[Columns.ACTION_DIST_INPUTS].numpy()
        values = made.compute_values({Columns.OBS: seen[Columns.OBS]}).numpy()
    told = batch.observation[:, batch.layout.columns(agent.about.pieces)]
    ours = agent.logits(told)
    np.testing.assert_allclose(agent.value(told), values, atol=1e-4)
    legal = batch.action_mask == 1
    np.testing.assert_allclose(ours[legal], logits[legal], atol=1e-4)
    assert np.ptp(ours[legal]) > 1e-3


def test_a_module_that_takes_an_agent_plays_as_it_does() -> None:
    config = parse_config(TIMELINE)
    _, seen = positions(config)
    first, second = module(config), module(config)
    with torch.no_grad():
        for parameter in second.parameters():
            parameter.add_(0.1)
    assert not torch.equal(*(made.forward_inference(seen)[Columns.ACTION_DIST_INPUTS] for made in (first, second)))
    second.take(first.to_agent(0, first.configuration.now(0)))
    assert torch.equal(*(made.forward_inference(seen)[Columns.ACTION_DIST_INPUTS] for made in (first, second)))
