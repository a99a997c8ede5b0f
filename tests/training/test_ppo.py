"""The learner in one file: who is paid what, across seats and the ends of games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from timeline_env.engine.batch import Batch
from timeline_env.players import Decisions, load_player
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.players.agents.prior import FAINTEST
from training.config import Config, parse_config
from training.learners.maskable import MaskablePPOLearner
from training.learners.networks import Flat
from training.learners.ppo import (
    PPO,
    Network,
    Rollout,
    advantages,
    make_batch,
    play,
    update,
    values_to_act,
    weigh_evenly,
)
from training.learners.tally import Tally
from training.opponents.league import League
from training.opponents.pool import Pool

GAMMA, LAMBDA = 0.9, 0.8


def a_config(**settings: Any) -> Config:
    common = {"learner": "ppo", "num_players": 3, "envs": 6, "threads": 1, "opponents": {"self": 1}}
    return parse_config(common | settings)


def test_no_evaluation_has_the_deals_of_a_training() -> None:
    config = a_config()
    trained, evaluated = make_batch(config, 5), Batch(config.setting, config.envs, 5)
    assert not {*trained.states.seed.tolist()} & {*evaluated.states.seed.tolist()}
    assert trained.states.seed.tolist() == make_batch(config, 5).states.seed.tolist()


def a_rollout(steps: int = 40, games: int = 6, players: int = 3) -> tuple[Rollout, torch.Tensor, torch.Tensor]:
    """Seats, values, rewards of every seat and ends of games, all at random; and who is to act after it, and that seat's value."""
    torch.manual_seed(1)
    config = a_config(num_players=players, envs=games, ppo={"n_steps": steps})
    rollout = Rollout(config, inputs=2, actions=4)
    rollout.seat[:] = torch.randint(players, (steps, games))
    rollout.value[:] = torch.randn(steps, games)
    rollout.reward[:] = torch.randn(steps, games, players)
    rollout.done[:] = torch.rand(steps, games) < 0.15
    return rollout, torch.randint(players, (games,)), torch.randn(games)


def by_hand(rollout: Rollout, seat_after: torch.Tensor, value_after: torch.Tensor, t: int, game: int) -> float:
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
    if seat == seat_after[game]:
        return total + weight * (earned + GAMMA * float(value_after[game]) - value)
    return total if weight < 1 else np.nan  # the seat waits: what its last decision leads to is not known


def test_advantages_are_chained_from_a_seats_decision_to_its_next_and_end_with_the_game():
    rollout, *after = a_rollout()
    found = advantages(rollout, *after, GAMMA, LAMBDA)
    steps, games = found.shape
    wanted = [[by_hand(rollout, *after, t, game) for game in range(games)] for t in range(steps)]
    assert np.allclose(found, wanted, atol=1e-4, equal_nan=True)
    assert 0 < np.isnan(wanted).sum() <= 2 * games, "of each game the seats that wait at the end, at most"


def test_a_minibatch_of_one_decision_keeps_the_network_finite():
    rollout, *after = a_rollout()
    known = int((~advantages(rollout, *after, GAMMA, LAMBDA).isnan()).sum())
    config = a_config(ppo={"n_steps": 40, "batch_size": known - 1, "n_epochs": 1})
    network = Network(Flat(2), [4], 4, "tanh", [])
    advantage = advantages(rollout, *after, GAMMA, LAMBDA)
    update(rollout, advantage, network, None, torch.optim.Adam(network.parameters()), config, 0.01)
    assert all(torch.isfinite(parameter).all() for parameter in network.parameters())


def test_of_every_game_that_ends_the_own_seats_result_is_noted_once():
    rollout, *_ = a_rollout()
    rollout.rank[:], rollout.points[:] = torch.randint(1, 4, rollout.rank.shape), torch.randn(rollout.points.shape)
    rollout.own[:] = torch.randint(3, rollout.own.shape[1:])  # as if no other were drawn
    tally, found = Tally(6, 3), []
    halves = [{name: part.clone() for name, part in vars(rollout).items()} for _ in range(2)]
    for half, part in zip(halves, (slice(0, 13), slice(13, None)), strict=True):
        for name, values in half.items():
            setattr(rollout, name, values[part])
        found += tally.count(rollout)
    whole = halves[0]
    assert len(found) == whole["done"].sum()
    wanted = []
    for t, game in np.argwhere(whole["done"].numpy()):
        own = int(whole["own"][t, game])
        first = max((u + 1 for u in range(t) if whole["done"][u, game]), default=0)
        earned = float(whole["reward"][first : t + 1, game, own].sum())
        rank = whole["rank"][t, game]
        win = float(rank[own] == rank.min()) / int((rank == rank.min()).sum())
        decided = int((whole["seat"][first : t + 1, game] == own).sum())
        wanted.append((float(whole["points"][t, game, own]), win, pytest.approx(earned, abs=1e-5), decided))
    told = [
        (info["result"]["points"], info["result"]["win"], info["episode"]["r"], info["episode"]["l"]) for info in found
    ]
    assert told == wanted and len({win for _, win, _, _ in wanted}) > 2


def a_learner(**settings: Any) -> PPO:
    config = a_config(**settings)
    league = League(config.setting, config.opponents, None)
    league.begin(np.random.default_rng(0))
    return PPO(config, league, 0)


def a_correcting_learner() -> PPO:
    """A learner that begins as the heuristic player of Twilight Struggle."""
    return a_learner(
        game="twilight_struggle",
        num_players=2,
        prior="heuristic",
        envs=16,
        network={"pieces": ["question", "tracks"], "hidden": [8]},
        ppo={"n_steps": 4},
    )


def test_a_network_that_corrects_a_player_begins_as_that_player():
    learner = a_correcting_learner()
    asked = Decisions.of(learner.batch, np.arange(16))
    agent, heuristic = NetworkPlayer(learner.agent(0)), load_player("heuristic", learner.batch.game)
    assert np.mean(agent.act(asked) == heuristic.act(asked)) > 0.8  # untrained logits are small, but not nothing


def test_what_a_prior_thinks_of_the_actions_is_the_same_in_play_and_in_the_update():
    learner = a_correcting_learner()
    play(learner.rollout, learner.batch, learner.network, learner.reading, learner.table, learner.prior)
    seen, bias, action = (getattr(learner.rollout, name).flatten(0, 1) for name in ("seen", "bias", "action"))
    policy = learner.network.distribution(learner.network.read(seen), bias)
    assert torch.allclose(policy.log_prob(action), learner.rollout.log_prob.flatten(), atol=1e-5)
    assert ((bias == -1e9) | ((bias >= FAINTEST) & (bias <= 0))).all()
    assert (bias < 0).any() and (bias.max(dim=1).values == 0).all()


SMALL: dict[str, Any] = {"network": {"pieces": ["clock", "near"], "hidden": [8]}, "envs": 16}


def weights(network: Network) -> np.ndarray[Any, Any]:
    return torch.cat([parameter.detach().reshape(-1) for parameter in network.parameters()]).numpy().copy()


def test_agents_are_the_mean_of_the_weights_in_which_old_ones_count_half():
    learner = a_learner(**SMALL, average=500, ppo={"n_steps": 8, "learning_rate": 0.01})
    assert learner.average is not None
    decisions = learner.update(learner.config.now(0)).decisions
    first = weights(learner.network)
    assert np.allclose(weights(learner.average), first, atol=1e-6), "the untrained weights have no part"
    learner.update(learner.config.now(0))
    second, old = weights(learner.network), 0.5 ** (decisions / 500)
    mean = (old * first + second) / (old + 1)
    assert np.allclose(weights(learner.average), mean, atol=1e-6) and np.abs(second - first).max() > 1e-3
    assert np.array_equal(learner.agent(0).layers[0][0], learner.average.policy[0].weight.detach())
    other = a_learner(**SMALL, average=500, ppo={"n_steps": 8})
    other.restore(learner.state())
    assert np.array_equal(weights(other.average), weights(learner.average))  # type: ignore[arg-type]
    assert np.array_equal(weights(other.network), weights(learner.network))


def test_a_policy_is_kept_from_diverging_from_its_mean():
    def moved(kl_coef: float) -> float:
        """How far an update takes the policy from the mean, which it leaves where it is."""
        ppo = {"n_steps": 16, "learning_rate": 0.01, "kl_coef": kl_coef, "ent_coef": 0.0}
        learner = a_learner(**SMALL | {"envs": 64}, average=1e12, ppo=ppo)
        learner.averaged = 10**15
        learner.update(learner.config.now(0))
        seen, bias = (getattr(learner.rollout, name).flatten(0, 1) for name in ("seen", "bias"))
        with torch.no_grad():
            now, then = (net.distribution(net.read(seen), bias) for net in (learner.network, learner.average))
        return float((now.probs * (now.log_probs - then.log_probs)).sum(dim=1).mean())

    assert moved(10.0) < 0.2 * moved(0.0)


@pytest.mark.parametrize(
    ("hidden", "rate", "wrong"), [([8], 1e30, "weights are no longer finite"), ([256, 256], 10.0, "logits are beyond")]
)
def test_a_network_that_has_diverged_is_told_in_one_line_before_it_plays_on(hidden: list[int], rate: float, wrong: str):
    learner = a_learner(envs=6, network={"pieces": ["clock", "near"], "hidden": hidden}, ppo={"n_steps": 8})
    with pytest.raises(ValueError, match=rf"has diverged, its {wrong}.*; a ppo\.learning_rate below"):
        for _ in range(40):
            learner.update(replace(learner.config.now(0), rate=rate))


def test_maskable_ppo_tells_it_too() -> None:
    ppo = {"n_steps": 8, "batch_size": 128}
    config = a_config(learner="maskable_ppo", opponents={"random": 1}, **SMALL, ppo=ppo)
    league = League(config.setting, config.opponents, None)
    league.begin(np.random.default_rng(0))
    learner = MaskablePPOLearner(config, league, 0)
    with pytest.raises(ValueError, match=r"has diverged, .*; a ppo\.learning_rate below"):
        for _ in range(3):
            learner.update(replace(config.now(0), rate=1e30))


def test_an_update_makes_what_turned_out_well_likelier_and_foretells_it_better():
    ppo = {"n_steps": 32, "learning_rate": 0.003, "ent_coef": 0.0}
    learner = a_learner(envs=32, network={"pieces": ["clock", "near"], "hidden": [32]}, ppo=ppo)
    learner.play(learner.config.now(0))
    rollout, network = learner.rollout, learner.network
    well = torch.rand(rollout.action.shape) < 0.5
    advantage = torch.where(well, 1.0, -1.0)
    target = (advantage + rollout.value).flatten()

    def now() -> tuple[float, float]:
        """How much likelier a decision that turned out well has become than the others, in nats; and how wrong the values are."""
        with torch.no_grad():
            x = network.read(rollout.seen.flatten(0, 1))
            policy = network.distribution(x, rollout.bias.flatten(0, 1), rollout.outlook.flatten(0, 1))
            gained = policy.log_prob(rollout.action.flatten()) - rollout.log_prob.flatten()
            return float((gained * advantage.flatten()).mean()), float((network.values(x) - target).square().mean())

    gained_before, error_before = now()
    update(rollout, advantage, network, None, learner.optimizer, learner.config, 0.0)
    gained, error = now()
    assert abs(gained_before) < 1e-5 and gained > 0.005
    assert error < 0.99 * error_before


def test_the_entropy_bonus_keeps_a_policy_undecided():
    def entropy_after(weight: float) -> float:
        learner = a_learner(**SMALL | {"envs": 64}, ppo={"n_steps": 16, "learning_rate": 0.05})
        learner.play(learner.config.now(0))
        advantage = (learner.rollout.action % 2).float()
        for _ in range(3):
            update(learner.rollout, advantage, learner.network, None, learner.optimizer, learner.config, weight)
        with torch.no_grad():
            x = learner.network.read(learner.rollout.seen.flatten(0, 1))
            return float(learner.network.distribution(x, learner.rollout.bias.flatten(0, 1)).entropy().mean())

    assert entropy_after(1.0) > entropy_after(0.0) + 0.05


def test_a_learners_advantages_are_by_its_own_discount():
    learner = a_learner(**SMALL, ppo={"n_steps": 16, "gamma": 0.5, "gae_lambda": 0.9})
    learner.play(learner.config.now(0))
    after = torch.as_tensor(learner.batch.seat), torch.zeros(learner.config.envs)
    learner.network.critic[-1].weight.data.zero_()  # nothing is expected after the rollout
    learner.network.critic[-1].bias.data.zero_()
    learner.rollout.value[:] = torch.randn(learner.rollout.value.shape)
    found = learner.advantages(learner.rollout, learner.network)
    wanted, other = (advantages(learner.rollout, *after, *by) for by in ((0.5, 0.9), (0.9, 0.5)))
    assert torch.allclose(found, wanted, atol=1e-5, equal_nan=True)
    assert not torch.allclose(found, other, atol=1e-2, equal_nan=True)


@pytest.mark.parametrize("whose", ["of others", "of the network, and nobody knows yet what they lead to"])
def test_decisions_without_an_advantage_of_ones_own_teach_nothing(whose: str) -> None:
    learner = a_learner(**SMALL, ppo={"n_steps": 4})
    rollout = learner.rollout
    rollout.mine[:] = whose != "of others"
    advantage = torch.full_like(rollout.value, torch.nan if whose != "of others" else 1.0)
    before = weights(learner.network)
    assert not update(rollout, advantage, learner.network, None, learner.optimizer, learner.config, 0.01)
    assert np.array_equal(before, weights(learner.network))


def test_a_prior_fades_until_the_network_stands_alone():
    learner = a_learner(**SMALL, prior="projector", prior_scale=4.0, final_prior_scale=0.0, ppo={"n_steps": 4})
    for done, scale in ((0.0, 4.0), (0.7125, 1.0), (0.96, 0.0)):
        learner.update(learner.config.now(done))
        about = learner.agent(0).about
        assert about.prior == ("projector" if scale else "") and about.prior_scale == pytest.approx(scale)
        bias = learner.rollout.bias
        assert bool(((bias < 0) & (bias > -1e9)).any()) == bool(scale)


def test_beside_others_it_learns_from_its_own_seats_alone():
    learner = a_learner(opponents={"self": 1, "random": 1}, network={"pieces": ["clock"], "hidden": [8]})
    found = learner.update(learner.config.now(0))
    mine = learner.rollout.mine
    assert found.decisions == int(mine.sum()) and 0 < found.decisions < mine.numel()
    alone = a_learner(network={"pieces": ["clock"], "hidden": [8]})
    assert alone.update(alone.config.now(0)).decisions == mine.numel()


def test_games_beside_snapshots_are_counted_and_seated_anew_when_they_end(tmp_path: Path):
    config = a_config(opponents={"pool": 1, "random": 1}, **SMALL, ppo={"n_steps": 300})
    pool = Pool(tmp_path / "pool", config.setting, 2, ["random"])
    snapshot = pool.add(a_learner(**SMALL).agent(7), seed=0)
    league = League(config.setting, config.opponents, pool)
    league.begin(np.random.default_rng(0))
    learner = PPO(config, league, 0)
    league.set_learner(learner.agent(0))
    learner.update(config.now(0))
    rollout = learner.rollout
    assert torch.equal(rollout.mine, rollout.seat == rollout.own)
    moved = rollout.own[1:] != rollout.own[:-1]
    assert moved.any() and not (moved & ~rollout.done[:-1]).any()
    assert 0 < pool.snapshots[snapshot].met <= 2 * int(rollout.done.sum())


def test_what_others_decided_changes_nothing_that_is_learned():
    def after(spoilt: bool) -> np.ndarray:
        learner = a_learner(opponents={"self": 1, "random": 1}, **SMALL, ppo={"n_steps": 8})
        learner.play(learner.config.now(0))
        rollout = learner.rollout
        advantage = torch.linspace(-1, 1, rollout.value.numel()).view_as(rollout.value)
        if spoilt:
            advantage[~rollout.mine] = 100.0
            rollout.log_prob[~rollout.mine] -= 1.0
        torch.manual_seed(0)
        update(rollout, advantage, learner.network, None, learner.optimizer, learner.config, 0.01)
        return weights(learner.network)

    assert np.array_equal(after(False), after(True))


def a_step(**ppo: float) -> tuple[dict[str, float], Network, Network]:
    """An update from four decisions that the policy now finds twice or half as likely, two of them good."""
    config = a_config(envs=1, ppo={"n_steps": 4, "batch_size": 4, "n_epochs": 1, "clip_range": 0.2} | ppo)
    torch.manual_seed(0)
    rollout, network, before = Rollout(config, 2, 4), *(Network(Flat(2), [4], 4, "tanh", []) for _ in range(2))
    before.load_state_dict(network.state_dict())
    rollout.bias[:] = 0.0
    policy = network.distribution(network.read(rollout.seen.flatten(0, 1)), rollout.bias.flatten(0, 1))
    ratio = torch.tensor([2.0, 0.5, 2.0, 0.5])
    rollout.log_prob[:, 0] = policy.log_prob(rollout.action.flatten()).detach() - ratio.log()
    advantage = 3 + 5 * torch.tensor([[1.0], [1.0], [-1.0], [-1.0]])
    optimizer = torch.optim.SGD(network.parameters(), lr=1.0)
    return update(rollout, advantage, network, None, optimizer, config, 0.0), network, before


def test_a_gain_counts_as_far_as_the_policy_may_move_and_a_loss_whatever_it_does():
    losses, *_ = a_step()
    # min(2, 1.2), min(0.5, 0.8), min(-2, -1.2), min(-0.5, -0.8), of advantages brought to mean 0 and deviation 1
    assert losses["policy_loss"] == pytest.approx(-(1.2 + 0.5 - 2 - 0.8) / 4, abs=1e-4)


def test_the_values_weight_is_that_of_the_configuration():
    _, network, before = a_step(vf_coef=0.0)
    assert all((a == b).all() for a, b in zip(network.critic.parameters(), before.critic.parameters(), strict=True))
    _, network, before = a_step(vf_coef=0.5)
    assert any((a != b).any() for a, b in zip(network.critic.parameters(), before.critic.parameters(), strict=True))


def test_after_a_rollout_the_seat_to_act_is_asked_by_its_own_view():
    learner = a_learner(**SMALL, ppo={"n_steps": 16})
    learner.play(learner.config.now(0))
    found = values_to_act(learner.batch, learner.network, learner.reading, None)
    seen = learner.reading.read(learner.batch.observe(np.arange(16), learner.batch.seat))
    with torch.no_grad():
        assert torch.allclose(found, learner.network.values(learner.network.read(torch.as_tensor(seen))))
    assert len(set(learner.batch.seat.tolist())) == 3 and found.std() > 1e-4


def test_every_piece_weighs_the_same_in_the_first_layers():
    layer = torch.nn.Linear(32, 8)
    torch.nn.init.ones_(layer.weight)
    weigh_evenly([layer], [30, 2])
    assert [float(part.square().sum()) for part in layer.weight.detach().split([30, 2], dim=1)] == pytest.approx(
        [128, 128]
    )


def test_the_optimizer_goes_on_where_it_was():
    learner, again = (a_learner(**SMALL, ppo={"n_steps": 8}) for _ in range(2))
    learner.update(learner.config.now(0))
    again.restore(learner.state())
    moments = [[state["exp_avg"] for state in each.optimizer.state.values()] for each in (learner, again)]
    assert moments[0] and all((a == b).all() for a, b in zip(*moments, strict=True))
