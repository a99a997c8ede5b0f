"""Networks: what torch trains is what numpy plays; one that knows the board sees what lies next to what."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch.distributions import Categorical

from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.players import Decisions, load_player
from timeline_env.players.agents.agent_files import AGENT_FILE
from timeline_env.players.agents.graph_reader import Board
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.timeline import GAME
from timeline_env.timeline.actions import organize_action
from timeline_env.timeline.board import NEIGHBOUR, NODES, RADII, RADIUS
from timeline_env.twilight_struggle import GAME as STRUGGLE
from timeline_env.twilight_struggle.actions import COUNTRY
from timeline_env.twilight_struggle.board import BATTLEGROUND, COUNTRIES, NEIGHBOURS, STABILITY
from timeline_env.twilight_struggle.cards import CARDS
from training.config import Config, load_config, parse_config
from training.learners.interface import Cluster, Learner, learner_of
from training.learners.networks import BoardReader, NodeReader, Policy, parameters
from training.learners.ppo import ILLEGAL, PPO
from training.opponents.league import League
from training.run import begin


def decisions(num_players: int, games: int = 200, game: Game = GAME) -> Decisions:
    batch = Batch(Setting(game, num_players), games)
    batch.play_random(60)
    return Decisions.of(batch, np.arange(games))


def a_config(learner: str, **settings: Any) -> Config:
    common = {"learner": learner, "envs": 8, "threads": 1, "ppo": {"n_steps": 8, "batch_size": 64}}
    return parse_config(common | settings)


def an_update(config: Config) -> Learner:
    """The learner after one update."""
    league = League(config.setting, config.opponents, None)
    league.begin(np.random.default_rng(0))
    with learner_of(config, league, 0, Cluster()) as learner:
        learner.update(replace(config.now(0), rate=1e-2))
        return learner


@pytest.mark.parametrize("num_players", [2, 4])
@pytest.mark.parametrize("pieces", [None, ["planes", "clock"], ["near", "planes", "seats"]])
def test_sb3_and_numpy_agree_on_a_network_that_knows_the_board(num_players: int, pieces: list[str] | None) -> None:
    network = {"kind": "graph", "channels": 4, "pieces": pieces, "hidden": [16]}
    config = a_config("maskable_ppo", num_players=num_players, network=network)
    learner: Any = an_update(config)
    asked = decisions(num_players)
    seen = asked.observation[:, learner.games.columns]
    with torch.no_grad():
        policy = learner.model.policy
        wanted = policy.action_net(
            policy.mlp_extractor.forward_actor(policy.extract_features(torch.as_tensor(seen).float()))
        )
        worth = policy.predict_values(torch.as_tensor(seen).float())[:, 0]
    agent = learner.agent(64)
    found = agent.logits(seen)
    assert np.allclose(found, wanted, atol=1e-4) and np.ptp(found, axis=0).max() > 1e-3
    assert np.allclose(agent.value(seen), worth, atol=1e-4) and agent.about.reward == "rank"


@pytest.mark.parametrize("network", ["mlp", "graph"])
@pytest.mark.parametrize(
    ("game", "num_players", "pieces"), [(GAME, 3, ["clock", "near", "planes"]), (STRUGGLE, 2, None)]
)
def test_the_learner_in_one_file_and_numpy_agree(
    game: Game, num_players: int, pieces: list[str] | None, network: str
) -> None:
    settings = {"kind": network, "channels": 4, "pieces": pieces, "hidden": [16]}
    config = a_config("ppo", game=game.name, num_players=num_players, network=settings)
    learner: Any = an_update(config)
    asked = decisions(num_players, game=game)
    seen = learner.reading.read(asked.observation)
    with torch.no_grad():
        x = learner.network.read(torch.as_tensor(seen))
        wanted, worth = learner.network.logits(x), learner.network.values(x)
    agent = learner.agent(64)
    assert np.allclose(agent.logits(seen), wanted, atol=1e-4) and np.allclose(agent.value(seen), worth, atol=1e-4)


def with_a_head(config: Config) -> Any:
    """A learner whose head thinks something of every action: after an update of few games it does not."""
    learner: Any = an_update(config)
    for layer in learner.network.layers.head:
        torch.nn.init.normal_(layer.weight)
    return learner


@pytest.mark.parametrize(
    ("game", "num_players", "named"),
    [
        (STRUGGLE, 2, COUNTRY + np.arange(COUNTRIES)),
        (GAME, 3, [organize_action(place, turn, side) for place in range(5) for turn in range(6) for side in range(2)]),
    ],
    ids=["countries", "cards in hand"],
)
def test_a_head_adds_to_the_logits_of_the_actions_that_name_its_candidates(
    game: Game, num_players: int, named: Any
) -> None:
    settings = {"game": game.name, "num_players": num_players, "opponents": {"self": 1}}
    plain = an_update(a_config("ppo", **settings, network={"hidden": [16]})).agent(0)
    learner = with_a_head(a_config("ppo", **settings, network={"hidden": [16], "head": 8}))
    seen = decisions(num_players, game=game).observation
    with torch.no_grad():
        wanted = learner.network.logits(learner.network.read(torch.as_tensor(seen)))
    agent = learner.agent(64)
    found = agent.logits(seen)
    assert np.allclose(found, wanted, atol=1e-4)
    added = np.abs(found - replace(agent, head_layers=[]).logits(seen)).max(axis=0)
    assert np.flatnonzero(added).tolist() == list(named)
    learner.take(plain)
    assert np.allclose(learner.agent(0).logits(seen), plain.logits(seen), atol=1e-4)


def test_a_head_finds_the_same_in_the_same_candidate() -> None:
    learner = with_a_head(a_config("ppo", num_players=3, network={"hidden": [16], "head": 8}))
    agent, layout = learner.agent(0), GAME.layout(3)
    seen = decisions(3).observation.copy()
    hand = layout.view(seen, "hand")
    hand[:, 3] = hand[:, 1]
    added = agent.logits(seen) - replace(agent, head_layers=[]).logits(seen)
    first, other = (added[:, organize_action(place, 0, 0) :][:, :12] for place in (1, 3))
    assert np.allclose(first, other, atol=1e-5) and np.ptp(first) > 1e-4


@pytest.mark.parametrize("name", ["ppo", "maskable_ppo"])
def test_a_learner_begins_as_an_agent_though_it_reads_more(name: str) -> None:
    def settings(*pieces: str) -> Config:
        return a_config(name, num_players=2, network={"pieces": [*pieces], "hidden": [8]})

    agent = an_update(settings("near", "clock")).agent(64)
    learner = an_update(settings("clock", "planes", "near"))
    learner.take(agent)
    begun = learner.agent(0)
    asked, columns = decisions(2), GAME.layout(2).columns
    before, after = (asked.observation[:, columns(those.about.pieces)] for those in (agent, begun))
    assert np.allclose(agent.logits(before), begun.logits(after), atol=1e-4)
    assert np.allclose(agent.value(before), begun.value(after), atol=1e-4)


def test_the_field_lies_in_the_observation_where_the_graph_says() -> None:
    pieces = ["near", "planes", "clock"]
    board = Board(GAME, 4, pieces)
    (field,) = board.groups
    asked = decisions(4)
    layout = GAME.layout(4)
    seen = asked.observation[:, layout.columns(pieces)]
    assert (seen[:, field.features] == layout.view(asked.observation, "planes").transpose(0, 2, 1)).all()
    rest = np.concatenate([layout.view(asked.observation, name).reshape(200, -1) for name in ("near", "clock")], axis=1)
    assert (seen[:, board.rest] == rest).all()
    assert field.here is not None
    pawns = asked.batch.states["pawn"][asked.games, asked.seat]
    assert (seen[:, field.here] == np.eye(NODES)[pawns]).all()


def test_a_node_takes_in_its_neighbours_by_direction_and_nobody_beyond_the_edge() -> None:
    (field,) = Board(GAME, 2, ["planes"]).groups
    reader = NodeReader(field, channels=1, convolutions=1, activation="relu")
    h = torch.arange(1.0, NODES + 1)[None, :, None]
    found = reader.add_neighbours(h)[0].numpy()
    beyond = np.where(NEIGHBOUR < 0, 0, NEIGHBOUR + 1)
    assert (found == np.concatenate([h[0].numpy(), beyond], axis=1)).all()


def test_on_a_map_a_node_takes_in_the_sum_of_its_neighbours() -> None:
    countries, cards = Board(STRUGGLE, 2, list(STRUGGLE.layout(2).pieces)).groups
    reader = NodeReader(countries, channels=2, convolutions=1, activation="relu")
    h = torch.rand(4, COUNTRIES, 2)
    found = reader.add_neighbours(h)
    for country in range(COUNTRIES):
        beyond = [other for other in NEIGHBOURS[country] if other >= 0]
        assert torch.allclose(found[:, country, 2:], h[:, beyond].sum(dim=1))
    assert len(NodeReader(cards, channels=2, convolutions=3, activation="relu").layers) == 1, "cards have no neighbours"


def test_what_is_so_in_every_game_is_known_of_each_node() -> None:
    (field,) = Board(GAME, 2, ["planes"]).groups
    assert (field.known.argmax(axis=1) == RADIUS).all() and field.known.shape == (NODES, RADII)
    countries, cards = Board(STRUGGLE, 2, list(STRUGGLE.layout(2).pieces)).groups
    assert np.allclose(countries.known[:, 0], STABILITY / 5) and (countries.known[:, 1] == BATTLEGROUND).all()
    assert (cards.known[:, :-3].argmax(axis=1) == np.arange(CARDS - 1)).all(), "every card is told from every other"


def test_a_network_that_knows_the_board_has_few_parameters() -> None:
    reader = BoardReader(Board(GAME, 4, list(GAME.layout(4).pieces)), channels=16, convolutions=2, activation="tanh")
    assert parameters(reader) == (36 + RADII + 1) * 16 + 2 * (7 * 16 + 1) * 16


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "tree"}, "kind 'tree'"),
        ({"convolutions": 1}, "cannot follow"),
        ({"convolutions": -1}, "convolutions -1"),
        ({"convolutions": True}, "convolutions True"),
        ({"kind": "mlp", "convolutions": 0}, "cannot follow"),
        ({"pieces": ("clock", "near")}, "must read the piece 'planes'"),
    ],
)
def test_an_agent_whose_board_does_not_fit_is_refused(change: dict, message: str, tmp_path: Path) -> None:
    network = {"kind": "graph", "channels": 4, "pieces": ["near", "planes"], "hidden": [8]}
    config = a_config("ppo", num_players=2, opponents={"self": 1}, network=network)
    agent = PPO(config, League(Setting(GAME, 2), config.opponents, None), 0).agent(0)
    agent.save(tmp_path / AGENT_FILE)
    assert isinstance(load_player(str(tmp_path), GAME, num_players=2), NetworkPlayer)
    replace(agent, about=replace(agent.about, **change)).save(tmp_path / AGENT_FILE)
    with pytest.raises(ValueError, match=message) as caught:
        load_player(str(tmp_path), GAME, num_players=2)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"reward": ""}, "reward ''"),
        ({"reward": "gold"}, "reward 'gold' is not allowed; allowed: 'rank', "),
        ({"value_layers": []}, "reward 'rank' is not allowed; allowed: ''"),
        ({"value_layers": [(np.zeros((2, 3), np.float32), np.zeros(2, np.float32))]}, "cannot follow"),
    ],
)
def test_a_value_that_does_not_fit_is_refused(change: dict, message: str, tmp_path: Path) -> None:
    config = a_config("ppo", num_players=2, opponents={"self": 1}, network={"pieces": ["clock"], "hidden": [8]})
    agent = PPO(config, League(Setting(GAME, 2), config.opponents, None), 0).agent(0)
    about = {name: value for name, value in change.items() if name == "reward"}
    layers = {name: value for name, value in change.items() if name != "reward"}
    replace(agent, about=replace(agent.about, **about), **layers).save(tmp_path / AGENT_FILE)
    with pytest.raises(ValueError, match=message) as caught:
        load_player(str(tmp_path), GAME, num_players=2)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"network": {"hidden": [8]}}, "network.hidden [8] must be [128, 128], as in the agent 'shipped'"),
        ({"network": {"activation": "relu"}}, "network.activation 'relu' must be 'tanh'"),
        ({"network": {"kind": "graph"}}, "network.kind 'graph' must be 'mlp'"),
        ({"network": {"pieces": ["clock"]}}, "network.outlook 0 must be 32, as in the agent 'shipped'"),
        (
            {"network": {"pieces": ["clock"], "outlook": 32}},
            "network.pieces must hold those of the agent 'shipped': clock, question",
        ),
        ({"prior": None}, "prior '' must be 'planner'"),
        ({"prior_scale": 1.0}, "prior_scale 1.0 must be 2.0"),
        ({"start": "nobody"}, "start 'nobody'"),
        ({"rules": {"agreements": {"pledges": 0}}}, "is for the game as it is"),
    ],
)
def test_an_agent_that_a_run_cannot_begin_with_is_refused(change: dict, message: str, tmp_path: Path) -> None:
    content = {"start": "shipped", "prior": "planner", "prior_scale": 2.0, "opponents": {"self": 1}, "learner": "ppo"}
    network = {"hidden": [128, 128], "activation": "tanh"} | change.get("network", {})
    config = parse_config(content | change | {"network": network})
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        begin(config, tmp_path / "run", [])
    assert "\n" not in str(caught.value) and not (tmp_path / "run").exists()


def test_an_agent_whose_value_network_is_another_is_refused(tmp_path: Path) -> None:
    network = {"pieces": ["clock"], "hidden": [8]}
    config = a_config("ppo", num_players=2, opponents={"self": 1}, network=network)
    agent = PPO(config, League(Setting(GAME, 2), config.opponents, None), 0).agent(0)
    inputs = agent.layers[0][0].shape[1]
    linear = [(np.ones((1, inputs), np.float32), np.zeros(1, np.float32))]
    replace(agent, value_layers=linear).save(tmp_path / AGENT_FILE)
    begun = a_config("ppo", num_players=2, opponents={"self": 1}, network=network, start=str(tmp_path))
    with pytest.raises(
        ValueError, match=r"^start '.*' must have the same hidden layers in policy and value, not \[8\] and \[\]$"
    ):
        begin(begun, tmp_path / "run", [])
    assert not (tmp_path / "run").exists()


def test_a_start_that_could_be_read_as_another_players_name_is_refused(tmp_path: Path) -> None:
    network = {"pieces": ["clock"], "hidden": [8]}
    config = a_config("ppo", num_players=2, opponents={"self": 1}, network=network)
    PPO(config, League(Setting(GAME, 2), config.opponents, None), 0).agent(0).save(tmp_path / "mine@sampled")
    begun = a_config("ppo", num_players=2, opponents={"self": 1}, network=network, start=str(tmp_path / "mine@sampled"))
    with pytest.raises(ValueError, match=r"mine@sampled' must hold no ':' and not end with @sampled or @guarded$"):
        begin(begun, tmp_path / "run", [])


def test_a_configuration_without_the_board_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "config.yaml"
    text.write_text("")
    with pytest.raises(ValueError, match="must read the piece 'planes'"):
        load_config(text, ["network.kind=graph", "network.pieces=[near]"])


def test_a_policy_is_the_categorical_distribution_and_never_draws_what_is_not_legal():
    torch.manual_seed(0)
    logits = torch.randn(64, 30)
    logits[torch.rand(64, 30) < 0.7] = ILLEGAL
    logits[:, 7] = 1.0  # one action at least is legal
    ours, wanted = Policy(logits), Categorical(logits=logits)
    actions = wanted.sample()
    assert torch.allclose(ours.log_prob(actions), wanted.log_prob(actions), atol=1e-6)
    assert torch.allclose(ours.entropy(), wanted.entropy(), atol=1e-6)
    drawn = torch.stack([ours.sample() for _ in range(4000)])
    assert (logits.gather(1, drawn.T) > ILLEGAL).all()
    often = torch.stack([(drawn == action).float().mean(dim=0) for action in range(30)], dim=1)
    assert (often - wanted.probs).abs().max() < 0.05  # six standard deviations


def test_a_policy_draws_the_only_legal_action_and_one_that_is_nearly_certain():
    alone = torch.full((3, 5), ILLEGAL)
    alone[0, 0], alone[1, 4], alone[2, 2] = 3.0, -50.0, 0.0
    alone[2, 3] = -80.0
    assert Policy(alone).sample().tolist() == [0, 4, 2]
