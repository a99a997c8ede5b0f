"""Runs, as they are started on the command line: what they leave behind, killed or not, and what they refuse."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
import yaml

from tests.commands import run_here
from tests.planted import Planted
from tests.refusals import refusal
from timeline_env.engine.batch import Batch
from timeline_env.engine.setting import Setting
from timeline_env.players import Decisions, load_player
from timeline_env.players.agents.agent_files import (
    AGENT_FILE,
    CHECKPOINTS,
    agent_at,
    agent_file,
    checkpoint_folder,
    read_agent,
)
from timeline_env.players.agents.network_player import NetworkPlayer
from timeline_env.timeline import GAME
from timeline_env.wrappers.seats import game_info
from tools import ship
from training.config import Config, load_config, parse_config
from training.learners.interface import Cluster, Learner, learner_of
from training.learners.maskable import MaskablePPOLearner
from training.learners.prior import Prior
from training.opponents.league import League
from training.opponents.pinned import short_name
from training.results import metrics
from training.results.curve import draw, points
from training.run import TrainingRun, assess, begin, find_or_begin, league_of, tell_out_of_memory, train
from training.run_folder import ABOUT, CONFIG, LEARNER_FILE, Progress, create, open_run

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {
    "num_players": 3,
    "reward": "score",
    "opponents": {"random": 3, "greedy": 1},
    "steps": 5000,
    "envs": 32,
    "checkpoint_every": 1024,
    "threads": 1,
    "network": {"pieces": ["clock", "near"], "hidden": [16, 8]},
    "ppo": {"n_steps": 16, "batch_size": 256, "n_epochs": 1},
    "evaluation": {"against": ["random"], "games": 12},
}
LEARNERS = ("ppo", "maskable_ppo")
"""Those that need no Ray; tests/rllib has the third."""
WHOLE = 5120
"""The steps, rounded up to whole updates of 512."""


@pytest.fixture(scope="module")
def config_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("config") / "tiny.yaml"
    path.write_text(yaml.safe_dump(SETTINGS))
    return path


def command(*arguments: object) -> list[str]:
    return [sys.executable, str(ROOT / "scripts" / "train.py"), *map(str, arguments)]


@pytest.fixture(scope="module")
def finished(config_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run from beginning to end, with an override."""
    path = tmp_path_factory.mktemp("runs") / "whole"
    done = run_here("scripts/train.py", config_file, "seed=3", "--out", path)
    assert done.returncode == 0, done.stderr
    assert "all seats" in done.stdout and "learning_curve.png" in done.stdout
    return path


def last_step(path: Path) -> int:
    return max((int(folder.name) for folder in (path / CHECKPOINTS).glob("[0-9]*")), default=0)


def assert_complete(path: Path) -> None:
    """The run came to its last step and evaluated its agent, and nothing half-written is left."""
    assert last_step(path) == WHOLE
    steps = [row.steps for row in metrics.read(path / "metrics.csv")]
    assert steps == list(range(512, WHOLE + 1, 512))
    (result,) = json.loads((path / "evaluation.json").read_text())
    assert result["against"] == ["random"] and result["games"] == 12
    assert "| all seats |" in (path / "evaluation.md").read_text()
    assert (path / "learning_curve.png").read_bytes().startswith(b"\x89PNG")
    assert not list(path.rglob("*.partial"))
    assert (path / LEARNER_FILE).is_file()


def a_learner(config: Config) -> Learner:
    """An untrained learner; nothing is held open by those that are tested here."""
    league = League(config.setting, config.opponents, None)
    league.begin(np.random.default_rng(0))
    with learner_of(config, league, 0, Cluster()) as learner:
        return learner


@pytest.mark.parametrize("name", LEARNERS)
def test_a_run_ends_by_the_clock_with_a_learning_rate_that_fell_to_its_end(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = count()
    monkeypatch.setattr("training.run.time", SimpleNamespace(monotonic=lambda: 0.05 * next(looks)))
    clock = parse_config(SETTINGS | {"learner": name, "minutes": 0.03, "steps": 10**9})
    run = begin(clock, tmp_path / "run", ["test"])
    train(run)
    rows = metrics.read(run.metrics)
    with run.load_state() as state:
        assert state["steps"] == last_step(run.path) == rows[-1].steps < 10**6
        assert 1.8 <= state["seconds"] < 10
        (group,) = state["optimizer"]["param_groups"]
        assert clock.ppo.final_learning_rate <= group["lr"] < 0.5 * clock.ppo.learning_rate
    before = run.metrics.read_bytes()
    train(open_run(run.path, ["again"]))
    assert run.metrics.read_bytes() == before, "its time is over"


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_begins_as_the_player_that_it_corrects_and_is_paid_as_is_asked(name: str) -> None:
    settings = {"learner": name, "prior": "projector", "prior_scale": 20.0, "first_reward": "lead", "envs": 16}
    config = parse_config(SETTINGS | settings)
    learner = a_learner(config)
    batch = Batch(Setting(GAME, 3), 300)
    batch.play_random(30)
    asked = Decisions.of(batch, np.arange(300))
    chosen = NetworkPlayer(learner.agent(0)).act(asked)  # among equals any is as good
    assert np.mean(Prior(config).logits(asked)[np.arange(300), chosen] > -1) > 0.9
    kinds: Any = learner.games.batch if name == "maskable_ppo" else learner.batch  # type: ignore[attr-defined]
    for done in (0.0, 0.9):
        update = learner.update(replace(config.now(done), rate=0.0))
        assert kinds.reward_kind == GAME.rewards.index("lead" if done < 0.5 else "score")
    # At a learning rate of 0 the policy that played and the one that is learned are the same only if both know the prior.
    assert update.losses.get("approx_kl", 0.0) == pytest.approx(0, abs=1e-4)
    assert update.losses["policy_loss" if name == "ppo" else "policy_gradient_loss"] == pytest.approx(0, abs=1e-3)


def test_a_run_leaves_everything_behind(finished: Path) -> None:
    assert_complete(finished)
    about = json.loads((finished / "run.json").read_text())
    assert about["rules_version"] == GAME.rules_version and about["seed"] == 3
    assert {"python", "numpy", "numba", "torch", "stable-baselines3", "gymnasium", "pettingzoo", "timeline-env"} <= set(
        about["versions"]
    )
    assert about["commands"][0][1:] == [str(about["commands"][0][1]), "seed=3", "--out", str(finished)]
    assert load_config(finished / "config.yaml").model_dump(include=set(SETTINGS)).items() >= {
        "steps": 5000, "envs": 32, "opponents": {"random": 3, "greedy": 1}
    }.items()  # fmt: skip
    assert list((finished / "tensorboard").glob("events.*"))


def test_the_agent_plays_as_the_policy_that_was_trained(finished: Path) -> None:
    run = open_run(finished, ["test"])
    learner = a_learner(run.config)
    assert isinstance(learner, MaskablePPOLearner) and run.progress().steps == WHOLE
    with run.load_state() as state:
        learner.restore(state)
    batch = Batch(Setting(GAME, 3), 500)
    batch.play_random(60)
    asked = Decisions.of(batch, np.arange(500))
    wanted, _ = learner.model.predict(
        asked.observation[:, learner.games.columns], deterministic=True, action_masks=asked.action_mask.astype(bool)
    )
    assert (load_player(str(finished), GAME).act(asked) == wanted).all()
    assert len(set(wanted)) > 3, "a policy that always does the same would prove little"


def test_a_run_that_is_moved_while_it_trains_is_not_continued_where_it_was(tmp_path: Path) -> None:
    folder = create(tmp_path / "run", parse_config(SETTINGS), ["test"])
    (tmp_path / "run").rename(tmp_path / "moved")
    (tmp_path / "run").mkdir()  # by whoever writes into it without asking
    with pytest.raises(ValueError, match="is no longer there; resume it with --resume"):
        train(folder)
    assert list((tmp_path / "run").iterdir()) == []


def test_a_command_that_is_refused_since_the_run_is_in_training_is_not_noted(tmp_path: Path) -> None:
    run = create(tmp_path / "run", parse_config(SETTINGS), ["test"])
    before = (run.path / ABOUT).read_bytes()
    with run.lock(), pytest.raises(ValueError, match=r"is being trained by another process$"):
        open_run(run.path, ["again"])
    assert (run.path / ABOUT).read_bytes() == before


def test_what_a_run_that_fails_held_open_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[metrics.Notes] = []
    monkeypatch.setattr(metrics.Notes, "close", lambda notes: closed.append(notes))

    def fail(run: TrainingRun) -> None:
        raise FloatingPointError("as where it diverges")

    monkeypatch.setattr(TrainingRun, "update", fail)
    with pytest.raises(FloatingPointError):
        train(create(tmp_path / "run", parse_config(SETTINGS), ["test"]))
    assert len(closed) == 1


def test_a_full_disk_is_told_as_such(tmp_path: Path) -> None:
    """No file may grow beyond a thousand bytes in this process."""
    create(tmp_path / "run", parse_config(SETTINGS), ["test"])
    code = (
        "import resource, torch; from pathlib import Path; from training.run_folder import Progress, open_run\n"
        f"run = open_run(Path({str(tmp_path / 'run')!r}), ['test'])\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "run.save({'policy': {'weight': torch.zeros(10_000)}}, Progress())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert done.stderr.splitlines()[-1].startswith("OSError: "), done.stderr
    assert not list((tmp_path / "run").glob("*.pt*"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"steps": "many"}, "steps 'many' and seconds 0.0 must be numbers of at least 0"),
        ({"seconds": float("nan")}, "and seconds nan must be"),
        ({"learner": "x" * 10_000}, "its learner is xxx"),
        ({"policy": {}}, "Missing key"),
        ({"policy": 3}, "dict-like"),
        ({"optimizer": 3}, "."),
    ],
)
@pytest.mark.parametrize("name", LEARNERS)
def test_a_damaged_learner_is_named(name: str, change: dict, message: str, tmp_path: Path) -> None:
    run = create(tmp_path / "run", parse_config(SETTINGS | {"learner": name}), ["test"])
    run.save(a_learner(run.config).state() | {"now": vars(run.config.now(0.5))}, Progress(512, 0.0))
    state = torch.load(run.path / LEARNER_FILE, weights_only=True)
    torch.save(state | change, run.path / LEARNER_FILE)
    with pytest.raises(ValueError, match=f"^learner '.*learner.pt' cannot be read: .*{message}") as caught:
        train(run)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 1000


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04broken", bytes(1000)])
def test_a_learner_that_is_no_archive_is_named(content: bytes, tmp_path: Path) -> None:
    folder = create(tmp_path / "run", parse_config(SETTINGS), ["test"])
    (folder.path / LEARNER_FILE).write_bytes(content)
    with pytest.raises(ValueError, match="cannot be read: it is not a valid archive of PyTorch's"):
        train(folder)


@pytest.mark.parametrize("name", ["run.json", "config.yaml"])
@pytest.mark.parametrize("content", [b"", b"[]", b"[" * 10_000, b"\xff", b'{"commands": 5, "rules_version": 1}'])
def test_a_run_folder_with_a_damaged_file_is_named(name: str, content: bytes, tmp_path: Path) -> None:
    create(tmp_path / "run", parse_config(SETTINGS), ["test"])
    (tmp_path / "run" / name).write_bytes(content)
    with pytest.raises(ValueError, match="run' is not a run folder: ") as caught:
        open_run(tmp_path / "run", ["test"])
    assert "\n" not in str(caught.value)


def test_a_run_whose_configuration_lost_its_end_does_not_go_on_with_usual_settings(tmp_path: Path) -> None:
    file = create(tmp_path / "run", parse_config(SETTINGS), ["test"]).path / "config.yaml"
    whole = file.read_text()
    file.write_text(whole[: whole.index("  max_grad_norm")])
    with pytest.raises(ValueError, match=r"config\.yaml must have every key, and lacks ppo.max_grad_norm, ppo.ahead, "):
        open_run(file.parent, ["test"])
    file.write_text(whole)
    open_run(file.parent, ["test"])


@pytest.mark.parametrize("name", LEARNERS)
def test_the_agent_of_a_variant_says_so(name: str) -> None:
    variant = {"player": {"income": 12}}
    settings = {"learner": name, "envs": 2, "rules": variant, "network": {"pieces": ["clock"], "hidden": [4]}}
    config = parse_config(settings | {"ppo": {"n_steps": 2, "batch_size": 4}})
    assert a_learner(config).agent(0).about.rules == variant


def test_killed_and_resumed_a_run_comes_to_the_same_end(config_file: Path, tmp_path: Path) -> None:
    path = tmp_path / "killed"
    process = subprocess.Popen(
        command(config_file, "--out", path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 300
        while last_step(path) == 0 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    reached = last_step(path)
    assert 0 < reached < WHOLE, "the run must be killed on its way"
    with (path / "metrics.csv").open("a") as file:
        file.write("9999,12.5,3")  # a row that the kill cut short
    done = run_here("scripts/train.py", "--resume", path)
    assert done.returncode == 0, done.stderr
    assert_complete(path)
    commands = json.loads((path / "run.json").read_text())["commands"]
    assert [line[1] for line in commands] == [str(config_file), "--resume"]


def test_a_kill_before_the_first_checkpoint_or_while_writing_one_costs_nothing_else(
    config_file: Path, tmp_path: Path
) -> None:
    folder = begin(load_config(config_file, ["steps=512"]), tmp_path / "run", ["test"])
    half = folder.path / CHECKPOINTS / f".{512:012d}.partial"
    half.mkdir()
    (half / AGENT_FILE).write_bytes(b"half a file")
    (folder.path / f".{LEARNER_FILE}.partial").write_bytes(b"half a file")
    train(open_run(folder.path, ["again"]))
    assert last_step(folder.path) == 512 and not list(folder.path.rglob("*.partial"))


def test_an_agent_kept_after_a_kill_knows_which_reward_its_value_foretells(config_file: Path, tmp_path: Path) -> None:
    config = load_config(config_file, ["steps=2048", "first_reward=score", "reward=rank"])
    run = begin(config, tmp_path / "run", ["test"])
    train(run)
    for kept in (run.path / CHECKPOINTS).iterdir():
        shutil.rmtree(kept)  # as if it had been killed before the last one was kept
    train(open_run(run.path, ["again"]))
    assert agent_at(run.path).about.reward == "rank"


def test_a_finished_run_resumed_is_not_trained_further(finished: Path) -> None:
    before = (finished / "metrics.csv").read_bytes()
    train(open_run(finished, ["test"]))
    assert (finished / "metrics.csv").read_bytes() == before and last_step(finished) == WHOLE


def test_two_processes_cannot_train_the_same_run(config_file: Path, tmp_path: Path) -> None:
    folder = create(tmp_path / "run", load_config(config_file), ["test"])
    with folder.lock(), pytest.raises(ValueError, match="being trained by another process"), folder.lock():
        pass
    with folder.lock():
        pass


def test_metrics_beyond_the_checkpoint_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    metrics.begin(path, 0)
    for steps in (512, 1024, 1536):
        metrics.append(path, metrics.summary(steps, 1.0, []))
    metrics.begin(path, 1024)
    assert [row.steps for row in metrics.read(path)] == [512, 1024]


def test_metrics_that_are_none_are_named(tmp_path: Path) -> None:
    header, path = ",".join(metrics.KINDS), tmp_path / "metrics.csv"
    for text, told in (
        ("steps,foo\n1,2\n", "the columns must be steps,seconds,"),
        (f"{header}\n1,2\n", "line 2: invalid literal for int"),
        (f"{header}\n{'x' * 10_000},2,3,4,5,6,7,8\n", "line 2: invalid literal for int"),
        (f"{header}\n1,{'x' * 140_000}\n", "line 2: field larger than field limit"),
    ):
        path.write_text(text)
        with pytest.raises(ValueError, match=f"metrics.csv' holds no metrics: {re.escape(told)}") as caught:
            metrics.read(path)
        assert len(str(caught.value)) < 1000
    path.write_text(header)
    assert metrics.read(path) == [], "a kill came before the first line was whole"


def test_the_curve_counts_every_game_once() -> None:
    rows = [metrics.Row(100 * k, k, k % 3, 0.5 if k % 3 else float("nan"), 2, 0, 0, 40) for k in range(1, 301)]
    curve = points(rows, count=10)
    assert [point.steps for point in curve] == list(range(3000, 30001, 3000))
    assert all(point.win.mean == 0.5 and point.win.low < 0.5 < point.win.high for point in curve)
    assert points([]) == [] == points(rows[2:3])


def test_a_checkpoint_that_would_run_code_is_refused(config_file: Path, tmp_path: Path) -> None:
    folder = create(tmp_path / "run", load_config(config_file), ["test"])
    torch.save({"policy": Planted(tmp_path / "ran")}, folder.path / LEARNER_FILE)
    with pytest.raises(ValueError, match=r"learner\.pt' cannot be read"):
        train(folder)
    assert not (tmp_path / "ran").exists()


def refused(*arguments: object, cwd: Path) -> str:
    """The one line of a run that is refused and changes nothing."""
    before = sorted(cwd.rglob("*"))
    done = run_here("scripts/train.py", *arguments, cwd=cwd)
    assert sorted(cwd.rglob("*")) == before
    return refusal(done)


def test_the_command_line_refuses_in_one_line(config_file: Path, finished: Path, tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    assert "key 'ppo.gama' is unknown (did you mean 'ppo.gamma'?); allowed: ppo.n_steps" in refused(
        config_file, "ppo.gama=1", cwd=tmp_path
    )
    assert "none.yaml" in refused("none.yaml", cwd=tmp_path)
    assert "give a configuration" in refused(config_file, "--resume", "taken", cwd=tmp_path)
    assert "'taken' is not a run folder" in refused("--resume", "taken", cwd=tmp_path)
    assert "'taken' exists" in refused(config_file, "--out", "taken", cwd=tmp_path)
    assert "player 'nobody' is unknown" in refused(config_file, "evaluation.against=[nobody]", cwd=tmp_path)
    assert "player 'self' is unknown" in refused(config_file, "evaluation.against=[self]", cwd=tmp_path)
    assert "prior 'random' must be a player of timeline" in refused(config_file, "prior=random", cwd=tmp_path)
    line = refused(config_file, "--runners", 2, cwd=tmp_path)
    assert "--address and --runners must be left out with learner maskable_ppo; allowed: rllib" in line
    line = refused(config_file, "num_players=4", f"opponents={{{finished}: 1}}", cwd=tmp_path)
    assert "is for num_players 3, not 4" in line


def test_where_there_is_no_ray_it_is_said_how_to_get_it(
    config_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("training.learners.rllib.python.PYTHON", tmp_path / "none")
    assert "learner 'rllib' needs Ray" in refused(config_file, "learner=rllib", cwd=tmp_path)


def test_a_run_of_other_rules_is_refused(finished: Path, tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.mkdir()
    (path / "config.yaml").write_bytes((finished / "config.yaml").read_bytes())
    about = json.loads((finished / "run.json").read_text())
    (path / "run.json").write_text(json.dumps(about | {"rules_version": 99}))
    with pytest.raises(ValueError, match=f"has rules_version 99; {GAME.rules_version} is needed"):
        open_run(path, ["test"])


@pytest.mark.parametrize("missing", ["torch", "yaml"])
def test_a_missing_extra_is_one_line(missing: str, config_file: Path, tmp_path: Path) -> None:
    # A module whose import fails, first on the path, is what the script sees where the extra is not installed.
    (tmp_path / f"{missing}.py").write_text(f'raise ImportError("No module named {missing}")')
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    line = [sys.executable, str(ROOT / "scripts" / "train.py"), str(config_file), "--out", str(tmp_path / "run")]
    assert_names_the_extra(line, environment)
    assert not (tmp_path / "run").exists()


def assert_names_the_extra(line: list[str], environment: dict[str, str]) -> None:
    done = subprocess.run(line, capture_output=True, text=True, env=environment)
    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[-1].startswith("error: ") and "pip install '.[" in done.stderr


def test_a_finished_run_or_one_of_its_checkpoints_is_put_among_the_agents_that_come_along(
    finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ship, "shipped_agent", lambda game, num_players, name: tmp_path / f"{name}_{num_players}.npz")
    setting = Setting(GAME, 3)
    for decisions, made in ((None, WHOLE), (1024, 1024)):
        target = ship.ship(finished, "abc", "a note", decisions=decisions)
        noted = json.loads((tmp_path / "shipped.json").read_text())["3"]
        assert read_agent(target, setting).about.steps == noted["decisions"] == made
        assert noted["of_decisions"] == WHOLE and noted["commit"] == "abc" and noted["settings"]["num_players"] == 3
    further = shutil.copytree(finished, tmp_path / "further")
    config = yaml.safe_load((further / CONFIG).read_text())
    (further / CONFIG).write_text(yaml.safe_dump(config | {"start": "/runs/long/checkpoints/000000250000/agent.npz"}))
    ship.ship(further, "abc", "")
    assert json.loads((tmp_path / "shipped.json").read_text())["3"]["settings"]["start"] == "long/250000"
    with pytest.raises(ValueError, match=r"no checkpoint after 1000 decisions; the nearest are 1024, 2048, 3072$"):
        ship.ship(finished, "abc", "", decisions=1000)


def test_a_row_of_metrics_has_the_means_of_the_games_that_ended() -> None:
    games = [
        ([7.0, 4.0, 1.0], [1.0, 2.0, 3.0], 0, 0.5, 10),
        ([3.0, 3.0, 0.0], [1.5, 1.5, 3.0], 2, -1.0, 13),
    ]
    infos = [
        game_info(np.array(points, np.float32), np.array(rank, np.float32), seat, reward, decisions)
        for points, rank, seat, reward, decisions in games
    ]
    wanted = metrics.Row(5, 1.3, 2, win=0.5, rank=2.0, points=3.5, reward=-0.25, decisions=11.5)
    assert metrics.summary(5, 1.26, infos) == wanted


def test_a_resumed_run_has_the_rest_of_its_minutes_and_deals_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = parse_config(SETTINGS | {"learner": "ppo", "minutes": 1.0, "steps": 10**9})
    run = begin(config, tmp_path / "run", ["test"])
    learner, seeds = a_learner(config), []
    run.save(learner.state() | {"now": vars(config.now(0))}, Progress(512, 59.9))

    def noted(config: Config, league: League, seed: int, cluster: Cluster) -> Any:
        seeds.append(seed)
        return learner_of(config, league, seed, cluster)

    monkeypatch.setattr("training.run.learner_of", noted)
    train(run)
    assert seeds == [config.seed + 512]
    assert 59.9 < run.progress().seconds < 75, "it had a tenth of a second left"


def test_a_run_folder_runs_no_code_that_its_user_did_not_name(config_file: Path, tmp_path: Path) -> None:
    """A folder is a module, too, for whoever stands above it."""
    run = create(tmp_path / "theirs" / "run", load_config(config_file), ["test"])
    planted = tmp_path / "theirs" / "planted.py"
    planted.write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass Player: pass\n")
    content = yaml.safe_load((run.path / "config.yaml").read_text())
    content["evaluation"]["against"] = ["theirs.planted:Player"]
    (run.path / "config.yaml").write_text(yaml.safe_dump(content))
    words = ("-m", "timeline_env.commands.main", "train", "--resume", str(run.path))
    told = refusal(run_here(*words, cwd=tmp_path))
    assert told.endswith("is code of a module: name it again, as in train --code theirs.planted:Player")
    assert not (tmp_path / "ran").exists()
    run_here(*words, "--code", "theirs.planted:Player", cwd=tmp_path)
    assert (tmp_path / "ran").exists()


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_with_a_flipped_bit_is_named(name: str, tmp_path: Path) -> None:
    run = create(tmp_path / "run", parse_config(SETTINGS | {"learner": name}), ["test"])
    run.save(a_learner(run.config).state() | {"now": vars(run.config.now(0.5))}, Progress(512, 0.0))
    content = bytearray((run.path / LEARNER_FILE).read_bytes())
    content[len(content) // 2] ^= 1
    (run.path / LEARNER_FILE).write_bytes(content)
    with pytest.raises(ValueError, match=r"learner.pt' cannot be read: it is damaged: the checksum of '"):
        train(run)


def test_a_run_without_its_learner_is_not_begun_again_among_its_checkpoints(finished: Path, tmp_path: Path) -> None:
    path = shutil.copytree(finished, tmp_path / "run")
    (path / LEARNER_FILE).unlink()
    with pytest.raises(ValueError, match=r"learner.pt' is no longer there: the run cannot be resumed$"):
        train(open_run(path, ["test"]))


def test_a_checkpoint_without_its_agent_is_made_again(finished: Path, tmp_path: Path) -> None:
    path = shutil.copytree(finished, tmp_path / "run")
    latest = agent_file(path)
    before = latest.read_bytes()
    latest.unlink()
    train(open_run(path, ["test"]))
    assert agent_file(path) == latest and latest.read_bytes() == before


def test_a_lock_that_is_a_link_changes_no_file(finished: Path, tmp_path: Path) -> None:
    path = shutil.copytree(finished, tmp_path / "run")
    (tmp_path / "letter").write_text("dear")
    (path / "lock").unlink(missing_ok=True)
    (path / "lock").symlink_to(tmp_path / "letter")
    with open_run(path, ["test"]).lock():
        pass
    assert (tmp_path / "letter").read_text() == "dear"


def test_what_stands_after_code_is_no_override(config_file: Path, tmp_path: Path) -> None:
    words = ("-m", "timeline_env.commands.main", "train", str(config_file), "--out", str(tmp_path / "run"))
    told = refusal(run_here(*words, "--code", "mine:Player", "steps=64"))
    assert told.startswith("error: --code 'mine:Player' must be a player of the configuration; all that follows")
    assert not (tmp_path / "run").exists()


def test_of_opponents_that_are_unknown_the_first_is_named(tmp_path: Path) -> None:
    unknown = {f"nobody_{number}": 1 for number in range(9, 0, -1)}
    with pytest.raises(ValueError, match="player 'nobody_9' is unknown"):
        begin(parse_config(SETTINGS | {"opponents": unknown}), tmp_path / "run", ["test"])


def add_checkpoint(run: Path, steps: int) -> Path:
    """Let a run keep another agent."""
    kept = checkpoint_folder(run, steps) / AGENT_FILE
    kept.parent.mkdir()
    shutil.copy(checkpoint_folder(run, 1024) / AGENT_FILE, kept)
    return kept


@pytest.fixture
def first(finished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A finished run that may change, `first` in the current folder."""
    monkeypatch.chdir(tmp_path)
    return shutil.copytree(finished, tmp_path / "first")


def test_a_run_meets_the_agents_that_it_was_begun_with_from_wherever_it_goes_on(
    first: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {
        "opponents": {"first": 2, "first@sampled": 1, "self": 1},
        "evaluation": {"against": ["first"], "games": 12},
        "start": "first",
    }
    run = begin(parse_config(SETTINGS | {"learner": "ppo", "steps": 512} | others), Path("run"), ["test"])
    add_checkpoint(first, 9999)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    again = open_run(tmp_path / "run", ["again"])
    file = checkpoint_folder(first, WHOLE) / AGENT_FILE
    assert again.config == run.config
    assert again.config.opponents == {str(file): 2, f"{file}@sampled": 1, "self": 1}
    assert again.config.start == str(file)
    league = league_of(again)
    league.begin(np.random.default_rng(0))
    assert {player.agent.about.steps for player in league.players if isinstance(player, NetworkPlayer)} == {WHOLE}
    train(again)
    titled: list[Config] = []
    monkeypatch.setattr("training.run.curve.draw", lambda rows, config, path: titled.append(config))
    (result,) = assess(again)
    assert [*titled[0].opponents] == [f"first/{WHOLE}", f"first/{WHOLE}@sampled", "self"]
    assert result.against == [str(file)] and f"{file}: timeline" in (again.path / "evaluation.md").read_text()


def test_a_run_that_is_asked_for_again_meets_the_agent_that_it_was_begun_with(first: Path) -> None:
    config = parse_config(SETTINGS | {"opponents": {"first": 1, "random": 1}, "start": "first"})
    run = find_or_begin(config, Path("run"), ["test"])
    add_checkpoint(first, 9999)
    assert find_or_begin(config, Path("run"), ["again"]).config == run.config
    shutil.rmtree(checkpoint_folder(first, WHOLE))
    with pytest.raises(
        ValueError,
        match=r"'run' holds another run: start .*5120/agent.npz', now .*9999/agent.npz'; opponents .*5120/agent.npz.*, now .*9999/agent.npz",
    ):
        find_or_begin(config, Path("run"), ["again"])


def test_a_run_and_one_of_its_checkpoints_stay_two_players(first: Path) -> None:
    add_checkpoint(first, 9999)
    earlier = str(checkpoint_folder(first, WHOLE) / AGENT_FILE)
    config = parse_config(SETTINGS | {"opponents": {"first": 1, earlier: 1}})
    run = find_or_begin(config, Path("run"), ["test"])
    assert len(run.config.opponents) == 2
    add_checkpoint(first, 19998)
    assert find_or_begin(config, Path("run"), ["again"]).config == run.config


@pytest.mark.parametrize("key", ["opponents", "evaluation.against"])
def test_two_names_of_one_agent_are_refused(key: str, first: Path) -> None:
    same = str(checkpoint_folder(Path("first"), WHOLE))
    others = (
        {"opponents": {"first": 1, same: 2}} if key == "opponents" else {"evaluation": {"against": ["first", same]}}
    )
    with pytest.raises(ValueError, match=f"^{key}: 'first' and '{same}' are the same agent; name it once$"):
        begin(parse_config(SETTINGS | others), Path("run"), ["test"])
    assert not Path("run").exists()


def test_the_learner_its_snapshots_and_players_of_the_package_keep_their_names(first: Path) -> None:
    weights = {name: 1.0 for name in ("self", "pool", "random", "shipped", "mcts:2", "puct:2@greedy")}
    Path("pool").mkdir()
    for name in ("self", "random", "shipped"):
        shutil.copytree(first, name)
    config = begin(parse_config(SETTINGS | {"opponents": weights}), Path("run"), ["test"]).config
    assert config.opponents == weights and config.against == ["random"]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("/a/b/first/checkpoints/000000250000/agent.npz@sampled", "first/250000@sampled"),
        ("puct:20@/a/b/first/checkpoints/000000250000/agent.npz", "puct:20@first/250000"),
        ("/a/b/mine.npz", "b/mine.npz"),
        ("runs/first", "runs/first"),
        ("mine:Hoarder", "mine:Hoarder"),
        ("random", "random"),
    ],
)
def test_titles_have_short_names_of_agents(name: str, short: str) -> None:
    assert short_name(name) == short


def test_more_memory_than_there_is_is_told_as_such(finished: Path) -> None:
    with pytest.raises(torch.OutOfMemoryError), open_run(finished, ["test"]).load_state():
        raise torch.OutOfMemoryError("the file is not to blame")
    with pytest.raises(MemoryError, match="can't allocate memory"), tell_out_of_memory():
        torch.empty(2**50, dtype=torch.uint8)
    with pytest.raises(MemoryError, match="CUDA out of memory"), tell_out_of_memory():
        raise torch.OutOfMemoryError("CUDA out of memory")
    with pytest.raises(RuntimeError, match="something else"), tell_out_of_memory():
        raise RuntimeError("something else")


def test_a_run_of_very_many_updates_is_read(tmp_path: Path) -> None:
    row = "999999999,12345.6,100,0.1234,1.2345,12.3456,0.1234,123.4567\n"
    count = 17 * 2**20 // len(row)
    (tmp_path / metrics.METRICS).write_text(",".join(metrics.KINDS) + "\n" + row * count)
    assert len(metrics.read(tmp_path / metrics.METRICS)) == count


def test_a_configuration_that_could_not_be_read_again_is_refused(tmp_path: Path) -> None:
    many = SETTINGS | {"opponents": {f"runs/agent_{number}": 1 for number in range(2000)}}
    with pytest.raises(ValueError, match=r"^the configuration has [0-9,]+ bytes with every key; at most 30,000"):
        create(tmp_path / "run", parse_config(many), ["test"])
    assert not (tmp_path / "run").exists()


def test_a_link_to_nothing_is_no_place_for_a_run(tmp_path: Path) -> None:
    (tmp_path / "run").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ValueError, match=r"run' exists; give another folder with --out"):
        create(tmp_path / "run", parse_config(SETTINGS), ["test"])


def test_any_name_of_an_opponent_is_drawn(finished: Path, tmp_path: Path) -> None:
    named = parse_config(SETTINGS | {"opponents": {"run$1_$2.npz": 1}})
    draw(metrics.read(finished / metrics.METRICS), named, tmp_path / "curve.png")
    assert (tmp_path / "curve.png").stat().st_size > 1000


def test_with_standard_error_closed_a_command_works(finished: Path) -> None:
    line = f"{shlex.quote(sys.executable)} -m timeline_env.commands.main evaluate {shlex.quote(str(finished))} --against random --games 12 2>&-"
    done = subprocess.run(["sh", "-c", line], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0 and "random" in done.stdout
