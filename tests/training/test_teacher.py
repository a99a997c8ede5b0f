"""A network that imitates a player before it learns by itself."""

from __future__ import annotations

import numpy as np
import pytest

from timeline_env.players import Decisions, load_player
from timeline_env.players.network import NetworkPlayer
from training.ppo import Args, Run, check
from training.teacher import any_legal, lessons


def settings(out, **changes):
    return Args(
        num_players=2, num_games=32, rollout=32, minibatch=512, hidden="64", threads=1, teacher="projector",
        against="random", out=str(out), **changes,
    )  # fmt: skip


def test_a_network_decides_more_and_more_as_its_teacher(tmp_path):
    run, told = Run(settings(tmp_path / "run", lessons=20_000)), []
    lessons(run, told.append)
    shares = [int(line.split()[3].rstrip("%")) for line in told]
    assert told[-1].startswith("imitating: 20,480 decisions") and shares[-1] > shares[0] + 10
    # and as an agent, on games that it has not seen
    games = np.arange(32)
    run.batch.reset(seed=99)
    teacher, agent = load_player("projector", run.batch.game, seed=0), NetworkPlayer(run.agent(), seed=0)
    met = []
    for _ in range(10):
        decisions = Decisions.of(run.batch, games)
        wanted = teacher.act(decisions)
        met.append(np.mean(agent.act(decisions) == wanted))
        run.batch.step(wanted)
    assert np.mean(met) > shares[0] / 100 + 0.1


def test_a_random_action_is_legal_and_any_of_the_legal_ones():
    rng, mask = np.random.default_rng(0), np.array([[0, 1, 0, 1, 1]], np.int8).repeat(200, axis=0)
    assert set(any_legal(mask, rng).tolist()) == {1, 3, 4}


def test_an_unknown_teacher_is_refused_before_the_training(tmp_path):
    with pytest.raises(ValueError, match="unknown player 'nobody'"):
        check(Args(num_players=2, teacher="nobody", out=str(tmp_path / "run")))
