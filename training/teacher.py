"""A beginning for `training/ppo.py`: before it learns by itself, the network imitates a player (behaviour cloning).

The player sits in every seat; now and then a random action is done instead of its own, so that the network also sees what
the player would do in positions that it does not come to by itself. The network learns the player's decisions, and the value
of what is seen by generalized advantage estimation, as in the training itself.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import nn

from timeline_env.players import Decisions, Player, load_player

ASTRAY = 0.1
"""How often a random action is done instead of the player's."""
STEP = 1e-3
"""Adam's, while imitating."""
PASSES, MINIBATCH = 3, 256
"""How often each decision is used, and with how many others."""


@torch.no_grad()
def watch(
    rollout: Any, batch: Any, network: Any, columns: torch.Tensor, teacher: Player, rng: np.random.Generator
) -> None:
    """Fill the rollout with the player's decisions; a few are not done, but stand there all the same."""
    look, games = batch.tensors(), np.arange(batch.num_games)
    for t in range(len(rollout.action)):
        rollout.seen[t] = look["observation"][:, columns]
        rollout.mask[t] = look["action_mask"] != 0
        rollout.seat[t] = look["seat"]
        rollout.value[t] = network.values(network.read(rollout.seen[t]))
        actions = np.asarray(teacher.act(Decisions.of(batch, games)))
        rollout.action[t] = torch.as_tensor(actions)
        batch.step(np.where(rng.random(len(games)) < ASTRAY, any_legal(batch.action_mask, rng), actions))
        rollout.reward[t] = look["reward"]
        rollout.done[t] = look["done"]


def any_legal(mask: Any, rng: np.random.Generator) -> Any:
    """A legal action for every row of `mask` (int8 [n, actions]), every one equally likely; int64 [n]."""
    return np.argmax(mask * rng.random(mask.shape), axis=1)


def imitate(rollout: Any, target: torch.Tensor, network: Any, optimizer: Any, args: Any) -> float:
    """Gradient steps towards the player's decisions and the values `target` [steps, n]; gives the share of decisions met."""
    seen, mask, action = (getattr(rollout, name).flatten(0, 1) for name in ("seen", "mask", "action"))
    wanted, met = target.flatten(), 0
    for _ in range(PASSES):
        met = 0
        for rows in torch.randperm(len(action), device=action.device).split(MINIBATCH):
            x = network.read(seen[rows])
            policy = network.distribution(x, mask[rows])
            miss = -policy.log_prob(action[rows]).mean()
            loss = miss + args.value * (network.values(x) - wanted[rows]).square().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), args.max_gradient)
            optimizer.step()
            met += int((policy.logits.argmax(dim=1) == action[rows]).sum())
    return met / len(action)


def lessons(run: Any, tell: Callable[[str], None]) -> None:
    """Let the network of a run (see `training.ppo.Run`) imitate its teacher; `tell` is given a line about how far it is."""
    args, rng = run.args, np.random.default_rng(run.args.seed)
    teacher = load_player(args.teacher, run.batch.game, args.seed, args.num_players)
    run.optimizer.param_groups[0]["lr"] = STEP
    size = run.rollout.action.numel()
    rounds = -(-args.lessons // size)
    for number in range(rounds):
        watch(run.rollout, run.batch, run.network, run.columns, teacher, rng)
        met = imitate(run.rollout, run.advantages() + run.rollout.value, run.network, run.optimizer, args)
        if number % 10 == 0 or number == rounds - 1:
            tell(f"imitating: {(number + 1) * size:,} decisions, {met:.0%} of them as the teacher")
