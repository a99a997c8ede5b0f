"""Agents learned from data sets: by cloning, or by imitation weighted by advantages. No games are played.

Source: Wang et al., "Exponentially weighted imitation learning for batched historical data", NeurIPS 2018 (MARWIL).
With `beta` 0 every weight is 1, which is cloning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import torch
from torch import nn

from timeline_env.arena.datasets.reader import Dataset
from timeline_env.players.agents.agent import Agent
from training.config import Config, parse_config, usual_settings
from training.learners.networks import ILLEGAL, refuse_diverged
from training.learners.ppo import Network, build_network

REWARD = "rank"
"""The kind of reward that returns are sums of."""
LEARNED = 0.95
"""The share of the deals that is learned from; on the games of the others the agent is compared with what was played."""
HEAVIEST = 20.0
"""The largest weight of a decision; otherwise a few decisions would outweigh all others."""
MEMORY = 0.01
"""The share of the running mean square of the advantages that each batch renews."""


@dataclass(frozen=True)
class Fitted:
    """An agent, and how well it predicts the games that it has not learned from.

    Attributes:
        agent: the agent.
        decisions: how many it has learned from, counted anew in every pass.
        agreement: the share of the decisions in the games not learned from in which its best action is the one that was played;
            of a data set with only some seats' decisions, the share of theirs.
        cross_entropy: that of its policy with what was played in those decisions, in nats per decision.
    """

    agent: Agent
    decisions: int
    agreement: float
    cross_entropy: float


def fit_config(data: Dataset, config: Path | None, seed: int) -> Config:
    """The network and its learning rates as in a training configuration, for the games of a data set.

    Args:
        data: the data set.
        config: a configuration's name or file; None for the game's quick one.
        seed: for the initial weights and the order of the games.

    Raises:
        ValueError: the file is not readable, is for another game, or a key or value is not allowed.
    """
    setting = data.setting
    fixed = {"game": setting.game.name, "num_players": setting.num_players, "rules": setting.changes or None}
    plain = {
        "learner": "ppo", "common": False, "prior": None, "final_prior_scale": None, "start": None, "seed": seed,
    }  # fmt: skip
    settings = usual_settings(setting.game, config)
    network = settings.get("network", {}) | {"outlook": 0}  # which reads what a prior says
    return parse_config(settings | fixed | plain | {"network": network})


def fit(
    data: Dataset, config: Config, beta: float, passes: int, progress: Callable[..., None] = lambda more, note="": None
) -> Fitted:
    """Fit an agent to the decisions of a data set.

    Args:
        data: what is learned from; its returns come from the final places.
        config: as `fit_config` gives it.
        beta: 0 for cloning; above 0, how much more a decision counts if it turned out better than expected.
        passes: the number of passes over the data.
        progress: called with the number of decisions learned from since the last call, and a note.

    Raises:
        ValueError: the data set holds too few games, or some that cannot have been played; or the network diverges.
    """
    learned, others = data.split(LEARNED)
    if not learned.decisions or not others.decisions:
        raise ValueError(
            f"the data set's decisions must be of more deals: {LEARNED:.0%} of the deals are learned from, and some must be left"
        )
    torch.manual_seed(config.seed)
    torch.set_num_threads(config.threads)
    network, total, done, spread = build_network(config), learned.decisions * passes, 0, 1.0
    optimizer = torch.optim.Adam(network.parameters(), lr=config.ppo.learning_rate, eps=1e-5)
    for number in range(passes):
        for seen, bias, action, returns in batches(learned, config, config.seed + number):
            optimizer.param_groups[0]["lr"] = config.ppo.rate(done / total)
            x = network.read(seen)
            loss = -network.distribution(x, bias).log_prob(action)
            if beta:
                value = network.values(x)
                advantage = returns - value.detach()
                spread += MEMORY * (float(advantage.square().mean()) - spread)
                weight = (beta * advantage / spread**0.5).exp().clamp(max=HEAVIEST)
                loss = weight * loss + config.ppo.vf_coef * (value - returns).square()
            mean = loss.mean()
            optimizer.zero_grad()
            mean.backward()
            nn.utils.clip_grad_norm_(network.parameters(), config.ppo.max_grad_norm)
            optimizer.step()
            done += len(action)
            progress(len(action), f"loss {mean.item():.3f}")
        with torch.no_grad():
            refuse_diverged(network, network.logits(network.read(seen)), config.ppo.learning_rate)
    layers = network.layers if beta else replace(network.layers, value=[])  # cloning learns no value
    agent = layers.make_agent(config, done, replace(config.now(1), reward=REWARD))
    return Fitted(agent, done, *compare(network, others, config))


@torch.no_grad()
def compare(network: Network, data: Dataset, config: Config) -> tuple[float, float]:
    """The share of decisions in which the network's best action was played, and its cross-entropy with the actions played."""
    agreed, nats, count = 0, 0.0, 0
    for seen, bias, action, _ in batches(data, config, None):
        policy = network.distribution(network.read(seen), bias)
        agreed += int((policy.log_probs.argmax(dim=1) == action).sum())
        nats -= float(policy.log_prob(action).sum())
        count += len(action)
    return agreed / count, nats / count


def batches(data: Dataset, config: Config, seed: int | None) -> Iterator[tuple[Any, ...]]:
    """The decisions in batches, as a learner needs them: what is seen, illegal actions as a bias, the actions, the returns."""
    columns = data.setting.game.layout(config.num_players).columns(config.pieces)
    for rows in data.batches(config.ppo.batch_size, seed, REWARD):
        legal = torch.from_numpy(rows.action_mask) != 0
        bias = torch.zeros(legal.shape).masked_fill(~legal, ILLEGAL)
        yield (
            torch.from_numpy(rows.observation[:, columns]), bias,
            torch.from_numpy(rows.action), torch.from_numpy(rows.returns),
        )  # fmt: skip
