"""The learner with ``device: cuda``, in CUDA's simulator: its bits are those of the CPU, and snapshots sit at its tables."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tests.simulator import simulate
from tests.training.kept import KeptPool
from timeline_env.engine.batch import Batch
from timeline_env.players.agents.prior import FAINTEST, prior_logits
from timeline_env.wrappers.seats import LEARNER
from training.config import parse_config
from training.learners.on_device import DeviceTable, logits_of
from training.learners.ppo import PPO, build_network
from training.opponents.league import League

SMALL = {
    "learner": "ppo",
    "num_players": 3,
    "envs": 4,
    "threads": 1,
    "opponents": {"self": 1},
    "network": {"pieces": ["clock", "near"], "hidden": [8]},
    "ppo": {"n_steps": 5, "n_epochs": 1},
}

PROGRAM = """
    import sys
    import numpy as np
    import torch
    from training.config import parse_config
    from training.learners.ppo import PPO
    from training.opponents.league import League

    from tests.training.test_on_device import SMALL

    def a_learner(device, pool=None, **settings):
        config = parse_config(SMALL | settings | {"device": device})
        league = League(config.setting, config.opponents, pool)
        league.begin(np.random.default_rng(0))
        return PPO(config, league, 0)

    def update(learner):
        torch.manual_seed(5)
        return learner.update(learner.config.now(0))
"""

ALONE = """
    settings = {
        "prior": "greedy", "average": 50, "network": {"pieces": ["clock", "near", "hand"], "hidden": [8], "head": 4},
        "ppo": {"n_steps": 5, "n_epochs": 2, "kl_coef": 0.1},
    }
    here, there = (a_learner(device, **settings) for device in ("cpu", "cuda"))
    for _ in range(2):
        expected, found = update(here), update(there)
        assert found.losses == expected.losses and found.decisions == expected.decisions == 20
        for name, values in vars(here.rollout).items():
            assert torch.equal(getattr(there.rollout, name), values), name
        assert (here.rollout.bias[here.rollout.bias > -1e9] < 0).any()  # the prior has its say
        for network in ("network", "average"):
            weights = (list(getattr(learner, network).parameters()) for learner in (here, there))
            assert all(torch.equal(one, other) for one, other in zip(*weights, strict=True))

    narrow = a_learner("cuda", ppo={"n_steps": 5, "mixed_precision": True})
    x = narrow.network.read(narrow.rollout.seen[0])
    logits = narrow.network.logits(x)
    assert logits.dtype == narrow.network.values(x).dtype == torch.float32
    assert torch.equal(logits, logits.bfloat16().float())  # so exact it was
    losses = update(narrow).losses
    assert losses and np.isfinite(list(losses.values())).all()
    print("the same learner")
"""

COMPANY = """
    from tests.training.kept import KeptPool
    from timeline_env.wrappers.seats import LEARNER

    # A snapshot that always takes the last legal action, whatever the prior thinks.
    pool, settings = KeptPool(), {"opponents": {"self": 1, "pool": 2}, "prior": "greedy", "envs": 6}
    frozen = a_learner("cpu", **settings).agent(1)
    weight, bias = frozen.layers[-1]
    weight[:], bias[:] = 0, 100 * np.arange(len(bias))
    pool.snapshots["old"] = frozen
    learner = a_learner("cuda", pool, **settings, final_prior_scale=0)
    table, now = learner.table, learner.config.now(1)
    assert table.asks_prior and now.prior_scale == 0  # the learner stands alone by now, the snapshot does not
    learner.prior.values[:] = np.nan
    found = learner.update(now)
    rollout, legal = learner.rollout, learner.rollout.bias > -1e8
    assert 0 < found.decisions == int(rollout.mine.sum()) < 30
    assert not learner.prior.values.isnan().any()
    last = legal.shape[2] - 1 - legal.flip(2).int().argmax(dim=2)
    assert torch.equal(rollout.action[~rollout.mine], last[~rollout.mine])
    assert not torch.equal(rollout.action[rollout.mine], last[rollout.mine])
    assert not rollout.done.any()  # so they sit where they sat
    seating = torch.as_tensor(learner.seating)
    assert torch.equal(rollout.mine, seating[torch.arange(6), rollout.seat] == LEARNER)
    print("snapshots sat at the table")
"""


def test_the_learner_has_the_same_bits_on_both_devices():
    assert simulate(PROGRAM + ALONE) == "the same learner"


def test_snapshots_of_the_pool_decide_in_their_seats():
    assert simulate(PROGRAM + COMPANY) == "snapshots sat at the table"


def test_snapshots_are_seated_and_let_go_and_their_results_are_counted():
    config = parse_config(SMALL | {"opponents": {"self": 1, "pool": 2}})
    pool = KeptPool()
    pool.snapshots["old"] = PPO(parse_config(SMALL), League(config.setting, {"self": 1}, None), 1).agent(1)
    league = League(config.setting, config.opponents, pool)  # type: ignore[arg-type]
    league.begin(np.random.default_rng(0))
    batch = Batch(config.setting, 64, seed=5)  # it is no matter to the table whose tensors they are
    table = DeviceTable(config, league, batch, None, build_network)  # type: ignore[arg-type]
    columns, games = batch.layout.columns(config.pieces), torch.arange(64)
    assert (
        not table.asks_prior
        and set(table.networks) == {1}
        and torch.allclose(table.chances, torch.tensor([1.0, 2.0]) / 3)
    )
    met, won, rng = 0, 0.0, np.random.default_rng(3)
    for _ in range(300):
        before = table.seating.clone()
        assert (before[games, table.own] == LEARNER).all() and ((before == LEARNER) | (before == 1)).all()
        actions = torch.as_tensor(np.where(batch.action_mask, rng.random(batch.action_mask.shape), -1).argmax(axis=1))
        asked = actions.clone()
        mine = table.answer(asked, torch.as_tensor(batch.observation[:, columns]))
        assert torch.equal(mine, before[games, torch.as_tensor(batch.seat)] == LEARNER)
        assert torch.equal(asked[mine], actions[mine]) and not torch.equal(asked, actions)
        batch.step(asked.numpy())
        for i in np.flatnonzero(batch.done):
            pairs = [(x, y) for x, a in enumerate(before[i]) for y, b in enumerate(before[i]) if (a, b) == (1, LEARNER)]
            met += len(pairs)
            won += sum(
                (batch.rank[i, x] < batch.rank[i, y]) + 0.5 * (batch.rank[i, x] == batch.rank[i, y]) for x, y in pairs
            )
        table.note_step()
        over = torch.as_tensor(batch.done)
        assert torch.equal(table.seating[~over], before[~over])
    table.end_rollout()
    assert met > 10 and pool.noted == {"old": (pytest.approx(won), met)}

    newest = pool.snapshots["new"] = PPO(parse_config(SMALL), league, 2).agent(2)
    del pool.snapshots["old"]
    league.refresh(table.seating.numpy())
    table.begin_rollout()
    assert set(table.networks) == {1, 2}, "the old one sits in games still"
    league.refresh(np.zeros((0, 3), np.int64))
    table.begin_rollout()
    assert set(table.networks) == {2} and not table.met.any()
    assert np.array_equal(table.networks[2].policy[0].weight.detach(), newest.layers[0][0])


def test_the_priors_logits_are_those_of_numpy_where_an_action_is_legal():
    rng = np.random.default_rng(0)
    values = np.where(rng.random((50, 20)) < 0.6, rng.normal(size=(50, 20)) * 5, -np.inf)
    values[:, 0] = 0.0
    expected, found = prior_logits(values, 3.0), logits_of(torch.as_tensor(values), 3.0).numpy()
    legal = values > -np.inf
    assert found.dtype == np.float32 and (found[legal] == expected[legal]).all() and (found == FAINTEST).any()


@pytest.mark.parametrize("prior", ["greedy", "projector"])
def test_a_gpu_is_allowed_with_a_prior_and_the_network_stays_in_float32(prior):
    config = parse_config({"learner": "ppo", "opponents": {"self": 1, "pool": 1}, "prior": prior, "device": "cuda"})
    assert not build_network(config).mixed_precision
