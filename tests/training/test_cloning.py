"""Agents out of data sets: a rule that is cloned, returns that are weighed, a folder that plays."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.commands import run_here
from tests.players.thoughtless import LAST
from timeline_env.arena import tournament
from timeline_env.arena.datasets.making import plan
from timeline_env.arena.datasets.reader import Dataset, open_dataset
from timeline_env.arena.played import join
from timeline_env.commands import dataset
from timeline_env.players.agents.agent_files import read_agent
from timeline_env.timeline import GAME
from timeline_env.twilight_struggle import GAME as STRUGGLE
from training import cloning
from training.config import Config
from training.learners.ppo import Network

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Games of a player that follows a rule."""
    folder = tmp_path_factory.mktemp("data")
    wanted = plan(GAME, [LAST], 2, 40, 0)
    join(wanted.about, [wanted.play(number) for number in range(wanted.parts)]).save(folder / "games.npz")
    return folder


@pytest.fixture(scope="module")
def data(folder: Path) -> Dataset:
    return open_dataset(folder)


def test_a_rule_is_cloned(data: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    compared, orders = [], []

    def compare(network: Network, others: Dataset, config: Config) -> tuple[float, float]:
        compared.append(others.games.tolist())
        return cloning_compare(network, others, config)

    def batches(data: Dataset, config: Config, seed: int | None) -> Any:
        orders.append(seed)
        return cloning_batches(data, config, seed)

    cloning_compare, cloning_batches = cloning.compare, cloning.batches
    monkeypatch.setattr(cloning, "compare", compare)
    monkeypatch.setattr(cloning, "batches", batches)
    config = cloning.fit_config(data, None, 0)
    small = config.model_copy(update={"ppo": config.ppo.model_copy(update={"batch_size": 64})})
    fitted = cloning.fit(data, small, 0.0, 2)
    assert fitted.agreement > 0.9 and fitted.cross_entropy < 0.5
    learned, others = data.split(0.95)
    assert fitted.agent.about.steps == fitted.decisions == 2 * learned.decisions
    assert compared == [others.games.tolist()] and not {*learned.games.tolist()} & {*others.games.tolist()}
    assert orders == [0, 1, None], "every pass has an order of its own"


def test_a_configuration_whose_prior_fades_is_taken_without_it(tmp_path: Path) -> None:
    wanted = plan(STRUGGLE, ["random"], 2, 2, 0)
    join(wanted.about, [wanted.play(0)]).save(tmp_path / "games.npz")
    config = cloning.fit_config(open_dataset(tmp_path / "games.npz"), Path("twilight_struggle_shipped"), 0)
    assert (config.prior, config.final_prior_scale, config.network.outlook) == (None, None, 0)


def test_what_turned_out_well_counts_more(data: Dataset, monkeypatch: pytest.MonkeyPatch) -> None:
    config = cloning.fit_config(data, None, 0)
    width, actions = len(GAME.layout(2).columns(config.pieces)), GAME.num_actions(2)
    returns = torch.tensor([1.0, -1.0]).repeat(16)  # of actions 0 and 1, which are played equally often
    rows = torch.ones(32, width, dtype=torch.int8), torch.zeros(32, actions), torch.arange(32) % 2, returns
    monkeypatch.setattr(cloning, "batches", lambda data, config, seed: iter([rows] * 100))

    def chance_of_the_better(beta: float) -> float:
        agent = cloning.fit(data, config, beta, 1).agent
        assert bool(agent.value_layers) == (beta > 0) and agent.about.reward == ("rank" if beta else "")
        logits = agent.logits(np.ones((1, width), np.int8))[0]
        return float(torch.softmax(torch.as_tensor(logits), 0)[0])

    assert chance_of_the_better(0.0) == pytest.approx(0.5, abs=0.05)
    assert chance_of_the_better(1.0) > 0.8


def test_the_folder_holds_an_agent_and_how_it_was_made(folder: Path, data: Dataset, tmp_path: Path) -> None:
    out = tmp_path / "fits" / "clone"
    done = run_here("-m", "timeline_env.commands.main", "dataset", "fit", folder, "--winners", "--out", out)
    assert done.returncode == 0 and "learned from" in done.stdout, done.stderr
    told = json.loads((out / "fit.json").read_text())
    won = learned_from(data.select(winners=True))
    assert told["winners"] and told["decisions"] == read_agent(out, data.setting).about.steps == won
    assert 0 < won < learned_from(data)


def learned_from(data: Dataset) -> int:
    """How many decisions of a data set a fit learns from in one pass."""
    return sum(map(len, data.split(cloning.LEARNED)[0].batches(1000)))


def test_players_passes_and_weights_of_the_command_are_those_of_the_fit(
    data: Dataset, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def fit(found: Dataset, wanted: Config, beta: float, passes: int, *rest: Any) -> Any:
        seen.append((found.games.tolist(), beta, passes))
        return cloning_fit(found, wanted, beta, passes, *rest)

    cloning_fit = cloning.fit
    monkeypatch.setattr(cloning, "fit", fit)
    only = data.played.about.players[0]
    dataset.fit(folder, tmp_path / "fit", beta=0.5, passes=2, only=[only])
    told = json.loads((tmp_path / "fit" / "fit.json").read_text())
    assert seen == [(data.select([only]).games.tolist(), 0.5, 2)]
    assert told["decisions"] == 2 * learned_from(data.select([only]))


def test_who_learns_from_the_deals_of_a_tournament_is_told_to_measure_with_others(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of a data set are no tournament's."""
    wanted = tournament.plan(GAME, ["random", "greedy"], 2, 80, 7)
    join(wanted.about, [wanted.play(number) for number in range(wanted.parts)]).save(tmp_path / "games.npz")
    dataset.fit(tmp_path, tmp_path / "fit")
    assert capsys.readouterr().out.endswith("\nnote: learned from the deals of --seed 7: measure with another seed\n")
    dataset.fit(folder, tmp_path / "other")
    assert "note" not in capsys.readouterr().out


def test_a_network_that_has_diverged_is_told_in_one_line(data: Dataset) -> None:
    config = cloning.fit_config(data, None, 0)
    wild = config.model_copy(update={"ppo": config.ppo.model_copy(update={"learning_rate": 1e30})})
    with pytest.raises(ValueError, match=r"the network has diverged, .*; a ppo\.learning_rate below 1e\+30 may help"):
        cloning.fit(data, wild, 0.0, 1)


def test_too_few_games_are_refused(data: Dataset) -> None:
    few, _ = data.split(0.1)
    with pytest.raises(ValueError, match="must be of more deals: 95% of the deals"):
        cloning.fit(few, cloning.fit_config(data, None, 0), 0.0, 1)
