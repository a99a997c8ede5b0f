"""The learner in one file: who is paid what, across seats and the ends of games."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import torch

from timeline_env.files import held
from timeline_env.players import Decisions, load_player
from timeline_env.players.agents.agent import NetworkPlayer
from timeline_env.players.agents.prior import FAINTEST
from timeline_env.timeline import GAME
from training.checkpoint import LEARNER_FILE, write_state
from training.networks import Flat
from training.ppo import Args, Network, Rollout, Run, advantages, begin, check, parse, play, train, update

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


def a_correcting_run(tmp_path) -> Run:
    """A training that begins as the heuristic player of Twilight Struggle."""
    return Run(
        Args(game="twilight_struggle", pieces="question tracks", hidden="8", prior="heuristic", num_games=16, rollout=4, threads=1,
             evaluate_every=0, out=str(tmp_path / "run"))
    )  # fmt: skip


def test_a_network_that_corrects_a_player_begins_as_that_player(tmp_path):
    run = a_correcting_run(tmp_path)
    asked = Decisions.of(run.batch, np.arange(16))
    agent, heuristic = NetworkPlayer(run.agent()), load_player("heuristic", run.batch.game)
    assert np.mean(agent.act(asked) == heuristic.act(asked)) > 0.8  # untrained logits are small, but not nothing


def test_what_a_prior_thinks_of_the_actions_is_the_same_in_play_and_in_the_update(tmp_path):
    run = a_correcting_run(tmp_path)
    play(run.rollout, run.batch, run.network, run.columns, run.table, run.bias)
    seen, bias, action = (getattr(run.rollout, name).flatten(0, 1) for name in ("seen", "bias", "action"))
    policy = run.network.distribution(run.network.read(seen), bias)
    assert torch.allclose(policy.log_prob(action), run.rollout.log_prob.flatten(), atol=1e-5)
    assert ((bias == -1e9) | ((bias >= FAINTEST) & (bias <= 0))).all()
    assert (bias < 0).any() and (bias.max(dim=1).values == 0).all()


def test_a_prior_that_is_none_is_refused_before_the_training(tmp_path):
    with pytest.raises(
        ValueError, match="prior 'random' must be a player of timeline that values actions: greedy, projector"
    ):
        check(Args(prior="random", out=str(tmp_path / "run")))


def test_the_learner_itself_is_nobody_to_be_measured_against(tmp_path):
    with pytest.raises(ValueError, match="unknown player 'pool'"):
        check(Args(opponents="self=1 pool=1", against="pool", out=str(tmp_path / "run")))


def test_a_run_that_is_moved_while_it_trains_does_not_go_on_where_it_was(tmp_path):
    run = a_correcting_run(tmp_path)
    (tmp_path / "run").rename(tmp_path / "moved")
    (tmp_path / "run").mkdir()
    with pytest.raises(ValueError, match="is no longer there; go on with --resume"):
        run.save()


def test_the_folder_of_a_run_has_its_settings_or_is_not_there(tmp_path, monkeypatch):
    args = Args(out=str(tmp_path / "run"))
    monkeypatch.setattr("timeline_env.files.os.replace", lambda *_: sys.exit())
    with pytest.raises(SystemExit):
        begin(args)
    monkeypatch.undo()
    assert not (tmp_path / "run").exists()
    begin(args)
    assert parse(["--resume", args.out]) == args


@pytest.mark.parametrize(
    "change", [{"decisions": -1}, {"decisions": 1.5}, {"spent": float("nan")}, {"curve": [{"win": 1}]}, {"curve": 3}]
)
def test_a_learner_that_cannot_be_gone_on_with_is_named(tmp_path, change):
    run = a_correcting_run(tmp_path)
    run.save()
    state = torch.load(run.out / LEARNER_FILE, weights_only=True)
    write_state(run.out / LEARNER_FILE, state | change)
    with pytest.raises(ValueError, match=r"learner\.pt' cannot be read: "):
        run.restore()


def test_two_processes_cannot_train_the_same_run(tmp_path):
    out = tmp_path / "run"
    out.mkdir()
    with held(out, "held here"), pytest.raises(ValueError, match="is being trained by another process"):
        train(Args(out=str(out)))
    assert list(out.iterdir()) == [out / "lock"]


def test_a_prior_that_counts_for_nothing_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"--prior-scale 0\.0 must be a number above 0"):
        check(Args(prior="projector", prior_scale=0.0, out=str(tmp_path / "run")))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ('{"lessons": 1}', "its settings lessons are unknown"),
        ("[1]", "is no run"),
        ("[" * 10_000, "is no run: it is nested deeper than 50"),
        ('{"num_games": "8"}', "num_games '8' must be of the kind int"),
        ('{"num_games": 1000000000000}', "--num-games 1000000000000 and --rollout 32 need"),
    ],
)
def test_a_run_of_another_version_is_refused(tmp_path, settings, told):
    (tmp_path / "args.json").write_text(settings)
    with pytest.raises(ValueError, match=told):
        parse(["--resume", str(tmp_path)])
