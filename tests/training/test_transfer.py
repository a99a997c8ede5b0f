"""Beginning with another agent: what both observations have keeps its weight."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from timeline_env.engine.batch import Batch
from timeline_env.players.network import read_agent
from timeline_env.players.shipped import shipped_agent
from timeline_env.timeline import GAME
from training.ppo import Args, Run
from training.transfer import shared_columns

FOUR = str(shipped_agent("timeline", 4))


def begun(out: Path, num_players: int, **more: str) -> Run:
    return Run(Args(num_players=num_players, begin_with=FOUR, num_games=2, rollout=2, threads=1, out=str(out), **more))


def test_for_as_many_players_it_begins_as_the_other_agent(tmp_path: Path) -> None:
    run, other = begun(tmp_path / "run", 4), read_agent(Path(FOUR), GAME)
    batch = Batch(GAME, 100, 4)
    batch.play_random(40)
    seen = batch.observation[:, run.columns.numpy()]
    assert (run.agent().logits(seen) == other.logits(seen)).all()


@pytest.mark.parametrize("num_players", [2, 6])
def test_for_others_the_same_columns_have_the_same_weights_and_new_ones_none(num_players: int, tmp_path: Path) -> None:
    run, other = begun(tmp_path / "run", num_players), read_agent(Path(FOUR), GAME)
    (weight, bias), *_, (last, _) = run.agent().layers
    old, old_bias = other.layers[0]
    assert (bias == old_bias).all()
    mine, theirs, at, begin = {}, {}, 0, 0
    for name in other.about.pieces:
        a, b = GAME.layout(num_players)[name].shape, GAME.layout(4)[name].shape
        mine[name] = weight[:, at : at + int(np.prod(a))].reshape(-1, *a)
        theirs[name] = old[:, begin : begin + int(np.prod(b))].reshape(-1, *b)
        at, begin = at + int(np.prod(a)), begin + int(np.prod(b))
    assert (mine["near"] == theirs["near"]).all() and (mine["clock"] == theirs["clock"]).all()
    both = min(num_players, 4)
    assert (mine["seats"][:, :both] == theirs["seats"][:, :both]).all() and not mine["seats"][:, both:].any()
    actions = min(len(last), len(other.layers[-1][0]))
    assert (last[:actions] == other.layers[-1][0][:actions]).all() and not last[actions:].any()


def test_shared_columns_name_the_same_numbers_of_both_observations() -> None:
    new, old = shared_columns(GAME.layout(3), GAME.layout(5), ["seats", "near"])
    assert len(new) == len(old) == 3 * 15 + 7 * 12
    assert (
        (new == np.arange(len(new))).all()
        and (old[:45] == np.arange(45)).all()
        and (old[45:] == 75 + np.arange(84)).all()
    )


@pytest.mark.parametrize("more", [{"hidden": "256 64"}, {"pieces": "clock near"}])
def test_an_agent_that_is_built_otherwise_is_refused(more: dict[str, str], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="it must be built as the new one"):
        begun(tmp_path / "run", 4, **more)
    assert torch.is_grad_enabled()
