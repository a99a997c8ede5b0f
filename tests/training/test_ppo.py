"""The learner in one file: who is paid what, across seats and the ends of games."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from timeline_env.timeline import GAME
from training.networks import Flat
from training.ppo import Args, Network, Rollout, advantages, update

GAMMA, LAMBDA = 0.9, 0.8


def test_a_game_has_a_usual_number_of_players_and_pieces_known_to_be_good():
    args = Args()
    assert (args.game, args.num_players, args.pieces.split()[-1]) == ("timeline", 4, "near")
    assert set(args.pieces.split()) < set(GAME.layout(4).pieces)


def test_a_game_without_such_pieces_is_seen_whole(monkeypatch):
    monkeypatch.setattr("training.ppo.PIECES", {})
    assert Args(num_players=3).pieces.split() == list(GAME.layout(3).pieces)


def a_rollout(steps: int = 40, games: int = 6, players: int = 3) -> tuple[Rollout, torch.Tensor]:
    """Seats, values, rewards of every seat and ends of games, all at random; and the values after it."""
    torch.manual_seed(1)
    rollout = Rollout(Args(num_players=players, num_games=games, rollout=steps), inputs=2, actions=4)
    rollout.seat[:] = torch.randint(players, (steps, games))
    rollout.value[:] = torch.randn(steps, games)
    rollout.reward[:] = torch.randn(steps, games, players)
    rollout.done[:] = torch.rand(steps, games) < 0.15
    rollout.mask[:] = True
    return rollout, torch.randn(games, players)


def by_hand(rollout: Rollout, after: torch.Tensor, t: int, game: int) -> float:
    """The advantage of one decision, summed up forwards along the decisions of its seat."""
    seat = int(rollout.seat[t, game])
    total, weight, earned, value = 0.0, 1.0, 0.0, float(rollout.value[t, game])
    for later in range(t, len(rollout.seat)):
        if later > t and rollout.seat[later, game] == seat:
            total += weight * (earned + GAMMA * float(rollout.value[later, game]) - value)
            weight, earned, value = weight * GAMMA * LAMBDA, 0.0, float(rollout.value[later, game])
        earned += float(rollout.reward[later, game, seat])
        if rollout.done[later, game]:
            return total + weight * (earned - value)
    return total + weight * (earned + GAMMA * float(after[game, seat]) - value)


def test_advantages_are_chained_from_a_seats_decision_to_its_next_and_end_with_the_game():
    rollout, after = a_rollout()
    found = advantages(rollout, after, GAMMA, LAMBDA)
    wanted = [[by_hand(rollout, after, t, game) for game in range(found.shape[1])] for t in range(found.shape[0])]
    assert np.allclose(found, wanted, atol=1e-4)


@pytest.mark.parametrize("minibatch", [239, 1])
def test_a_minibatch_of_one_decision_keeps_the_network_finite(minibatch):
    rollout, after = a_rollout()
    args = Args(num_players=3, num_games=6, rollout=40, minibatch=minibatch, epochs=1)
    network = Network(Flat(2), [4], 4)
    advantage = advantages(rollout, after, GAMMA, LAMBDA)
    update(rollout, advantage, network, torch.optim.Adam(network.parameters()), args)
    assert all(torch.isfinite(parameter).all() for parameter in network.parameters())
