"""RLlib's own environments and modules, unmodified, on the bridges that are shipped for them."""

from __future__ import annotations

import numpy as np
import pyspiel
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.open_spiel import OpenSpielEnv
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import timeline_env.bridges.openspiel  # noqa: F401  (registers the games)
from tests.commands import python_in
from tests.games import each_game
from timeline_env import timeline_v0
from timeline_env.arena.cluster import cluster
from timeline_env.bridges.rllib import ForRLlib


@each_game
def test_a_game_is_played_through_its_environment(table):
    env, rng = PettingZooEnv(ForRLlib(table.make("env", normalize=True))), np.random.default_rng(1)
    seen, _ = env.reset(seed=1)
    over = {"__all__": False}
    while not over["__all__"]:
        ((agent, observation),) = seen.items()
        assert observation in env.observation_spaces[agent]
        seen, rewards, over, _, _ = env.step({agent: int(rng.choice(np.flatnonzero(observation["action_mask"])))})
    assert sorted(seen) == sorted(rewards) == sorted(env.possible_agents)


def test_its_ppo_learns_with_its_module_for_masks(address):
    register_env("game", lambda _: PettingZooEnv(ForRLlib(timeline_v0.env(normalize=True))))
    space = ForRLlib(timeline_v0.env(normalize=True))
    spec = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        observation_space=space.observation_space("player_0"),
        action_space=space.action_space("player_0"),
        model_config={"fcnet_hiddens": [16]},
    )
    config = (
        PPOConfig()
        .environment("game", disable_env_checking=True)  # the checker plays illegal actions
        .env_runners(num_env_runners=0)
        .learners(num_learners=0)
        .multi_agent(policies={"shared"}, policy_mapping_fn=lambda *_, **__: "shared")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"shared": spec}))
        .training(train_batch_size_per_learner=256, minibatch_size=128, num_epochs=1)
        .debugging(seed=1, log_level="ERROR")
    )
    with cluster(address):
        algorithm = config.build_algo()
        learned = algorithm.train()["learners"]["shared"]
        algorithm.stop()
    assert np.isfinite(learned["total_loss"])


def test_spaces_are_one_object_each():
    env = ForRLlib(timeline_v0.env())
    assert all(env.observation_space(agent) is env.observation_space(agent) for agent in env.possible_agents)


def test_its_environment_for_openspiel_survives_illegal_actions():
    """It catches OpenSpiel's own error alone, and then plays a random action."""
    env = OpenSpielEnv(pyspiel.load_game("python_timeline(players=2)"))
    seen, _ = env.reset()
    for _ in range(20):
        (player,) = seen
        seen, rewards, *_ = env.step({player: 170})
    assert rewards


def test_the_tutorial_runs_as_printed(address):
    settings, training = python_in("docs/tutorials/rllib.md")
    names = {}
    exec(settings, names)
    with cluster(address):
        exec(training, names)
    assert np.isfinite(names["result"]["learners"]["shared"]["total_loss"])
