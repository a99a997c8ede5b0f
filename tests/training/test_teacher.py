"""A network that imitates a player before it learns by itself."""

from __future__ import annotations

import numpy as np
import pytest

from timeline_env.players import Decisions
from timeline_env.players.network import NetworkPlayer
from training.ppo import Args, Run, check
from training.teacher import any_legal, lessons


class First:
    """Takes the first legal action: a teacher that is easily understood."""

    def __init__(self, seed):
        pass

    def act(self, decisions):
        return decisions.action_mask.argmax(axis=1)


def test_a_network_learns_to_decide_as_its_teacher(tmp_path):
    args = Args(
        num_players=2, num_games=32, rollout=32, hidden="64", threads=1, teacher=f"{__name__}:First", lessons=20_000,
        out=str(tmp_path / "run"),
    )  # fmt: skip
    run, told = Run(args), []
    before = met(run)
    lessons(run, told.append)
    assert told[-1].startswith("imitating: 20,480 decisions")
    assert before < 0.5 and met(run) > 0.9


def met(run):
    """How often the agent of a run decides as the teacher, in games that it has not learned from."""
    run.batch.reset(seed=99)
    teacher, agent, games, shares = First(0), NetworkPlayer(run.agent(), seed=0), np.arange(32), []
    for _ in range(10):
        decisions = Decisions.of(run.batch, games)
        shares.append(np.mean(agent.act(decisions) == teacher.act(decisions)))
        run.batch.step(teacher.act(decisions))
    return np.mean(shares)


def test_a_random_action_is_legal_and_any_of_the_legal_ones():
    rng, mask = np.random.default_rng(0), np.array([[0, 1, 0, 1, 1]], np.int8).repeat(200, axis=0)
    assert set(any_legal(mask, rng).tolist()) == {1, 3, 4}


def test_an_unknown_teacher_is_refused_before_the_training(tmp_path):
    with pytest.raises(ValueError, match="unknown player 'nobody'"):
        check(Args(num_players=2, teacher="nobody", out=str(tmp_path / "run")))
