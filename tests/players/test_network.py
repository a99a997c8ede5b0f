"""Trained agents as players: written, read, refused, played; with numpy alone."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.planted import Planted
from tests.players.agents import PIECES, an_agent
from timeline_env import timeline_v0
from timeline_env.arena.evaluation import evaluate
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.players import Decisions, load_player
from timeline_env.players.agents.agent_files import (
    AGENT_FILE,
    CHECKPOINTS,
    agent_file,
    checkpoint_folder,
    checkpoint_folders,
    read_agent,
)
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.timeline import GAME


def decisions(num_players: int = 4, games: int = 64) -> Decisions:
    batch = Batch(Setting(GAME, num_players), games)
    batch.play_random(50)
    return Decisions.of(batch, np.arange(games))


def test_an_agent_comes_back_as_it_was(tmp_path: Path) -> None:
    agent = an_agent()
    agent.save(tmp_path / AGENT_FILE)
    again = read_agent(tmp_path / AGENT_FILE, Setting(GAME))
    assert again.about == agent.about
    asked = decisions()
    assert (NetworkPlayer(again).act(asked) == NetworkPlayer(agent).act(asked)).all()
    assert list(tmp_path.iterdir()) == [tmp_path / AGENT_FILE]


def test_it_plays_the_best_legal_action_of_its_network() -> None:
    agent, asked = an_agent(), decisions()
    actions = NetworkPlayer(agent).act(asked)
    columns = GAME.layout(4).columns(PIECES)
    (w0, b0), (w1, b1) = agent.layers
    for row, action in enumerate(actions):
        x = asked.observation[row, columns].astype(np.float64)
        logits = np.maximum(np.sign(x) * np.log1p(np.abs(x)) @ w0.T + b0, 0) @ w1.T + b1
        legal = np.flatnonzero(asked.action_mask[row])
        assert action == legal[logits[legal].argmax()]


def test_sampled_it_draws_from_the_policy() -> None:
    agent = an_agent()
    # The same decision 4,000 times: the actions' shares are the softmax of the legal logits.
    asked = decisions(games=1)
    many = Decisions(
        asked.batch,
        *(np.repeat(x, 4000, axis=0) for x in (asked.games, asked.observation, asked.action_mask, asked.seat)),
    )
    soft = replace(agent, layers=[*agent.layers[:-1], tuple(x / 10 for x in agent.layers[-1])])
    actions = NetworkPlayer(soft, seed=1, sampled=True).act(many)
    logits = soft.logits(asked.observation[:, GAME.layout(4).columns(PIECES)])[0].astype(np.float64)
    chances = np.exp(logits) * asked.action_mask[0]
    chances /= chances.sum()
    assert np.abs(np.bincount(actions, minlength=len(chances)) / 4000 - chances).max() < 0.04
    assert (chances > 0.05).sum() > 1, "the test needs a policy with more than one choice"


def test_a_run_folder_means_its_latest_checkpoint(tmp_path: Path) -> None:
    for steps in (5, 900, 1000):
        folder = tmp_path / CHECKPOINTS / f"{steps:012d}"
        folder.mkdir(parents=True)
        agent = an_agent()
        replace(agent, about=replace(agent.about, steps=steps)).save(folder / AGENT_FILE)
    (tmp_path / CHECKPOINTS / ".000000002000.partial").mkdir()
    shutil.copytree(tmp_path / CHECKPOINTS / "000000000900", tmp_path / CHECKPOINTS / "000000001000 (copy)")
    assert read_agent(tmp_path, Setting(GAME)).about.steps == 1000
    assert [int(folder.name) for folder in checkpoint_folders(tmp_path)] == [5, 900, 1000]
    for steps in (999_999_999_999, 1_000_000_000_000):
        checkpoint_folder(tmp_path, steps).mkdir()
    assert [int(folder.name) for folder in checkpoint_folders(tmp_path)][-2:] == [999_999_999_999, 1_000_000_000_000]
    assert read_agent(tmp_path / CHECKPOINTS / "000000000900", Setting(GAME)).about.steps == 900
    assert isinstance(load_player(str(tmp_path), GAME), NetworkPlayer)
    assert load_player(f"{tmp_path}@sampled", GAME).sampled is True  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "chess"}, "is for game 'chess', not 'timeline'"),
        ({"rules_version": 99}, f"is for rules_version 99, not {GAME.rules_version}"),
        ({"num_players": 3}, "is for num_players 3, not 4"),
        ({"pieces": ("clock",)}, "cannot follow"),
        ({"pieces": ("clouds",)}, "clouds"),
        ({"activation": "sine"}, "activation 'sine'"),
        ({"activation": ["relu"]}, r"activation \['relu'\]: str is allowed"),
        ({"pieces": (["clock"],)}, r"pieces must be names, each once, not \[\['clock'\]\]"),
        ({"pieces": ("clock",) * 100_000}, "pieces must be names, each once"),
        ({"convolutions": 10**9, "kind": "graph"}, "convolutions 1000000000 are not allowed"),
        ({"game": ["timeline"]}, "is not a trained agent: game"),
        ({"rules": 5}, "is not a trained agent: rules 5: dict is allowed"),
        ({"steps": "many"}, "is not a trained agent: steps 'many': int is allowed"),
    ],
)
def test_an_agent_for_something_else_is_refused(tmp_path: Path, change: dict, message: str) -> None:
    agent = an_agent()
    replace(agent, about=replace(agent.about, **change)).save(tmp_path / AGENT_FILE)
    with pytest.raises(ValueError, match=message) as caught:
        load_player(str(tmp_path), GAME, num_players=4)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("num_players", "pieces"),
    [(4, ("question", "seats", "pledges", "near")), (6, ("hand", "pledges", "question", "to_act", "first"))],
)
def test_an_agent_without_layers_is_refused_even_if_it_reads_as_many_numbers_as_there_are_actions(
    tmp_path: Path, num_players: int, pieces: tuple[str, ...]
) -> None:
    assert len(GAME.layout(num_players).columns(pieces)) == GAME.num_actions(num_players)
    agent = an_agent(num_players)
    replace(agent, about=replace(agent.about, pieces=pieces), layers=[]).save(tmp_path / AGENT_FILE)
    with pytest.raises(ValueError, match=r"agent\.npz' has no layers$"):
        read_agent(tmp_path / AGENT_FILE, Setting(GAME, num_players))


VARIANT = {"player": {"income": 12}, "rounds": {"4": [1, 1, 1, 1, 1]}}


def test_an_agent_of_a_variant_plays_that_variant_and_no_other(tmp_path: Path) -> None:
    agent = an_agent()
    replace(agent, about=replace(agent.about, rules=VARIANT)).save(tmp_path / AGENT_FILE)
    assert read_agent(tmp_path, Setting(GAME, 4, VARIANT)).about.rules == VARIANT
    for rules, told in (
        (None, "the game as it is"),
        ({"player": {"income": 13}}, "the changes {'player': {'income': 13}}"),
    ):
        with pytest.raises(ValueError, match=r"is for the changes {'player': .*}, not " + told):
            load_player(str(tmp_path), GAME, 0, 4, rules)


def test_an_agent_of_the_game_as_it_is_is_refused_in_a_variant(tmp_path: Path) -> None:
    an_agent().save(tmp_path / AGENT_FILE)
    assert read_agent(tmp_path, Setting(GAME, 4, {"player": {"income": GAME.load_rules(4)[0].income.item()}}))
    message = "is for the game as it is, not the changes {'player': {'income': 12}"
    for refused in (
        lambda: timeline_v0.single_seat_env(opponents=[str(tmp_path)], rules=VARIANT),
        lambda: timeline_v0.vector_env(2, opponents=[str(tmp_path)], rules=VARIANT),
        lambda: evaluate(GAME, "random", [str(tmp_path)], games=8, rules=VARIANT),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            refused()


def test_a_variant_that_cannot_be_read_here_is_named(tmp_path: Path) -> None:
    agent = an_agent()
    replace(agent, about=replace(agent.about, rules={"cards": "gone.csv"})).save(tmp_path / AGENT_FILE)
    with pytest.raises(ValueError, match=r"the rules that it is for cannot be read: cards 'gone\.csv': no such file"):
        read_agent(tmp_path, Setting(GAME))


def test_an_agent_whose_numbers_do_not_fit_together_is_refused(tmp_path: Path) -> None:
    agent = an_agent()
    (weight, _), *rest = agent.layers
    replace(agent, layers=[(weight, np.float32(1)), *rest]).save(tmp_path / AGENT_FILE)  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"a layer of shapes \(16, \d+\), \(\) cannot follow"):
        load_player(str(tmp_path), GAME)


@pytest.mark.parametrize("name", ["os:path", "json:dumps", ".:x", "./a:b", "nowhere:Class", "collections:OrderedDict"])
def test_what_is_no_player_is_named_in_one_line(name: str) -> None:
    with pytest.raises(ValueError, match=f"^player {name} ") as caught:
        load_player(name, GAME)
    assert "\n" not in str(caught.value)


def test_an_opponent_for_another_number_of_players_is_refused_at_once(tmp_path: Path) -> None:
    an_agent(num_players=3).save(tmp_path / AGENT_FILE)
    with pytest.raises(ValueError, match="is for num_players 3, not 4"):
        timeline_v0.single_seat_env(opponents=[str(tmp_path)])


def test_a_game_with_another_number_of_players_is_refused() -> None:
    with pytest.raises(ValueError, match="for 3 players; this game has 4"):
        NetworkPlayer(an_agent(num_players=3)).act(decisions(4))
    with pytest.raises(ValueError, match="for 3 players; this game has 4"):
        NetworkPlayer(an_agent(num_players=3)).logits(decisions(4))


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04broken"])
def test_a_broken_file_is_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / AGENT_FILE).write_bytes(content)
    with pytest.raises(ValueError, match=r"agent\.npz' is not a trained agent") as caught:
        read_agent(tmp_path, Setting(GAME))
    assert "allow_pickle" not in str(caught.value), "nobody is told to run what is in the file"


def test_a_damaged_table_of_contents_is_named(tmp_path: Path) -> None:
    an_agent().save(tmp_path / AGENT_FILE)
    whole = (tmp_path / AGENT_FILE).read_bytes()
    entry = whole.index(b"PK\x01\x02")
    for place in (8, 10):  # flags: encrypted; a way of compressing that nobody knows
        damaged = bytearray(whole)
        damaged[entry + place] = 99
        (tmp_path / AGENT_FILE).write_bytes(damaged)
        with pytest.raises(ValueError, match=r"agent\.npz' is not a trained agent"):
            read_agent(tmp_path, Setting(GAME))


@pytest.mark.parametrize("number", np.array([np.nan, np.inf, 1e300]))
def test_weights_that_are_no_numbers_are_refused(number: np.float64, tmp_path: Path) -> None:
    agent = an_agent()
    (weight, bias), *rest = agent.layers
    replace(agent, layers=[(weight, np.where(np.arange(len(bias)) == 3, number, bias)), *rest]).save(  # type: ignore[list-item]
        tmp_path / AGENT_FILE
    )
    with pytest.raises(ValueError, match=r"agent\.npz' is not a trained agent: bias_0 holds a number that is infinite"):
        read_agent(tmp_path, Setting(GAME))


def test_weights_that_are_text_are_refused(tmp_path: Path) -> None:
    an_agent().save(tmp_path / AGENT_FILE)
    arrays = dict(np.load(tmp_path / AGENT_FILE))
    np.savez(tmp_path / AGENT_FILE, **arrays | {"bias_0": arrays["bias_0"].astype(str)})
    with pytest.raises(ValueError, match="bias_0 must hold floating-point numbers"):
        read_agent(tmp_path, Setting(GAME))


def test_a_layer_without_its_weight_or_bias_is_refused(tmp_path: Path) -> None:
    an_agent().save(tmp_path / AGENT_FILE)
    whole = dict(np.load(tmp_path / AGENT_FILE))
    for name, arrays in (
        ("head_weight_0", whole | {"head_bias_0": whole["bias_0"]}),
        ("bias_1", {name: array for name, array in whole.items() if name != "bias_1"}),
    ):
        np.savez(tmp_path / AGENT_FILE, **arrays)
        with pytest.raises(ValueError, match=rf"is not a trained agent: .*{name}"):
            read_agent(tmp_path, Setting(GAME))


@pytest.mark.parametrize("name", ["x" * 5000, "puct:200@" + "x" * 5000, "x" * 5000 + "@sampled"])
def test_a_name_that_no_file_can_have_is_refused_in_one_short_line(name: str) -> None:
    with pytest.raises(ValueError, match="File name too long") as caught:
        load_player(name, GAME)
    assert len(str(caught.value)) < 1000


def test_a_folder_without_an_agent_is_named(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="holds no trained agent"):
        agent_file(tmp_path)


def test_reading_runs_no_code_from_the_file(tmp_path: Path) -> None:
    np.savez(tmp_path / AGENT_FILE, about=np.array([Planted(tmp_path / "ran")], dtype=object))
    with pytest.raises(ValueError, match="is not a trained agent"):
        read_agent(tmp_path, Setting(GAME))
    assert not (tmp_path / "ran").exists()


def test_playing_needs_no_torch(tmp_path: Path) -> None:
    an_agent().save(tmp_path / AGENT_FILE)
    code = (
        "import sys; from timeline_env.timeline import GAME; from timeline_env.arena.evaluation import evaluate\n"
        f"evaluate(GAME, {str(tmp_path)!r}, ['random'], games=8)\n"
        "sys.exit('torch' in sys.modules or 'stable_baselines3' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_weights_that_no_logit_can_bear_are_refused_in_one_line() -> None:
    agent = an_agent()
    for weight, _ in agent.layers:
        weight[:] = 3e38
    batch = timeline_v0.batch(1, 4)
    with pytest.raises(ValueError, match=r"^the agent's weights are too large: a logit is infinite or not a number$"):
        NetworkPlayer(agent).act(Decisions.of(batch, np.zeros(1, np.int64)))
