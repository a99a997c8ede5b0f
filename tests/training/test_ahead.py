"""A learner that plays the next decisions while it learns from these (`ppo.ahead`)."""

from __future__ import annotations

import copy
import time
from dataclasses import replace
from typing import Any

import pytest
import torch

from tests.training.test_networks import a_config
from training.config import Config
from training.learners import ppo as module
from training.learners.interface import Cluster, learner_of
from training.opponents.league import League


def settings(**ppo: Any) -> Config:
    common = {"num_players": 3, "prior": "projector", "opponents": {"self": 1}, "envs": 8, "threads": 1}
    network = {"hidden": [16], "pieces": ["near", "clock"]}
    return a_config("ppo", **common, network=network, ppo={"n_steps": 16, "batch_size": 64, "ahead": True} | ppo)


def weights_after(updates: int, config: Config) -> list[torch.Tensor]:
    with learner_of(config, League(config.setting, config.opponents, None), 3, Cluster()) as learner:
        for _ in range(updates):
            learner.update(config.now(0))
        return [weight.clone() for weight in learner.network.parameters()]  # type: ignore[attr-defined]


def test_what_is_learned_does_not_depend_on_who_waits_for_whom(monkeypatch: pytest.MonkeyPatch) -> None:
    found = weights_after(4, settings())
    for name in ("update", "play"):
        slow = getattr(module, name)
        with monkeypatch.context() as patched:
            patched.setattr(module, name, lambda *args, slow=slow: (time.sleep(0.1), slow(*args))[1])
            assert all((a == b).all() for a, b in zip(weights_after(4, settings()), found, strict=True))
    assert any((a != b).any() for a, b in zip(weights_after(4, settings(ahead=False)), found, strict=True))


def test_decisions_are_played_by_the_policy_from_before() -> None:
    config = settings()
    with learner_of(config, League(config.setting, config.opponents, None), 3, Cluster()) as learner:
        assert isinstance(learner, module.PPO)
        networks = [copy.deepcopy(learner.network)]
        for updates_before in (0, 0, 1, 2):
            learner.update(config.now(0))
            networks.append(copy.deepcopy(learner.network))
            played, by = learner.rollout, networks[updates_before]
            with torch.no_grad():
                policy = by.distribution(by.read(played.seen.flatten(0, 1)), played.bias.flatten(0, 1))
            chosen = policy.log_prob(played.action.flatten())
            assert torch.allclose(chosen, played.log_prob.flatten(), atol=1e-5)


@pytest.mark.parametrize("changes", [{"device": "cuda"}, {"opponents": {"random": 1}}])
def test_it_needs_a_learner_that_is_alone_on_the_processor(changes: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"ppo.ahead True must be False with device .*; allowed: cpu, self alone"):
        a_config("ppo", **{"opponents": {"self": 1}, "ppo": {"ahead": True}} | changes)


def test_an_agent_is_said_to_foretell_the_reward_that_its_decisions_were_paid_by() -> None:
    config = settings()
    with learner_of(config, League(config.setting, config.opponents, None), 3, Cluster()) as learner:
        told = []
        for reward in ("lead", "rank", "rank"):
            learner.update(replace(config.now(0), reward=reward))
            told.append(learner.agent(0).about.reward)
        assert told == ["lead", "lead", "rank"]
