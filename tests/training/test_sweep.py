"""Sweeps as they are started on the command line: alone, joined by another process, killed and begun again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from optuna.distributions import FloatDistribution, IntDistribution
from optuna.trial import TrialState

from tests.commands import run_here
from tests.players.agents import an_agent
from tests.refusals import refusal
from timeline_env.extras import MissingExtra
from timeline_env.failures import PlayerFailed
from timeline_env.players.agents.agent_files import AGENT_FILE, checkpoint_folder
from training.run import find_or_begin
from training.run_folder import RunFolder
from training.sweep import Sweep, read_space, study

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = {
    "num_players": 2,
    "steps": 512,
    "envs": 32,
    "threads": 1,
    "network": {"pieces": ["clock", "near"], "hidden": [8]},
    "ppo": {"n_steps": 16, "batch_size": 256, "n_epochs": 1},
    "evaluation": {"against": ["random"], "games": 12},
}
SPACE = {"ppo.learning_rate": {"low": 1e-4, "high": 1e-2, "log": True}, "network.hidden": [[8], [8, 4]]}


def command(folder: Path, trials: int, *more: str) -> list[str]:
    (folder / "tiny.yaml").write_text(yaml.safe_dump(SETTINGS))
    (folder / "space.yaml").write_text(yaml.safe_dump(SPACE))
    script, config = str(ROOT / "scripts" / "sweep.py"), str(folder / "tiny.yaml")
    options = ["--space", str(folder / "space.yaml"), "--trials", str(trials), "--out", str(folder / "sweep")]
    return [sys.executable, script, config, *more, *options]


def assert_done(sweep: Path, trials: int, said: str) -> None:
    """Every trial was trained by its own settings and measured, and the table names the best."""
    folders = sorted(path for path in sweep.glob("trial-*") if path.is_dir())
    assert [folder.name for folder in folders] == [f"trial-{number:04d}" for number in range(trials)]
    wins, rates = {}, set()
    for folder in folders:
        (result,) = json.loads((folder / "evaluation.json").read_text())
        wins[folder.name] = result["overall"]["win"]["mean"]
        settings = yaml.safe_load((folder / "config.yaml").read_text())
        rates.add(settings["ppo"]["learning_rate"])
        assert 1e-4 <= settings["ppo"]["learning_rate"] <= 1e-2 and settings["network"]["hidden"] in ([8], [8, 4])
    assert len(rates) == trials
    first = next(line for line in said.splitlines() if "trial-" in line)
    assert f"{100 * max(wins.values()):.1f}" in first and wins[first.split()[1]] == max(wins.values())


def test_two_processes_share_a_sweep(tmp_path: Path) -> None:
    line = command(tmp_path, 3)
    both = [subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(2)]
    said = [process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    done = run_here(*line[1:])
    assert_done(tmp_path / "sweep", 3, done.stdout)


def test_a_killed_sweep_goes_on_with_the_trial_that_was_under_way(tmp_path: Path) -> None:
    line, sweep = command(tmp_path, 2, "steps=20000"), tmp_path / "sweep"
    process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 300
    while not (sweep / "trial-0000" / "learner.pt").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert not (sweep / "trial-0000" / "evaluation.json").exists(), "it must be killed on its way"
    done = run_here(*line[1:])
    assert done.returncode == 0, done.stderr
    assert_done(sweep, 2, done.stdout)
    commands = json.loads((sweep / "trial-0000" / "run.json").read_text())["commands"]
    assert len(commands) == 2, "the trial that was under way was gone on with"
    assert len(json.loads((sweep / "trial-0001" / "run.json").read_text())["commands"]) == 1


def refused(line: list[str]) -> str:
    return refusal(run_here(*line[1:]))


@pytest.mark.parametrize(
    ("space", "message"),
    [
        ({"ppo.gamma": 3}, "'ppo.gamma' must be a list of values, or low, high"),
        ({"ppo.gamma": {"low": 0.5, "high": 0.1}}, "'ppo.gamma' must be a list of values, or low, high"),
        ({"ppo.gamma": {"low": 0.5, "high": 2.0}}, "ppo.gamma 2.0"),
        ({"ppo.gama": [0.5]}, "key 'ppo.gama' is unknown"),
        ([], "must hold keys of a configuration"),
        ({"ppo.gamma": [date(2026, 1, 1)]}, "'ppo.gamma' must be a list of values, or low, high"),
    ],
)
def test_a_space_that_is_none_is_refused_before_the_work(space: object, message: str, tmp_path: Path) -> None:
    line = command(tmp_path, 2)
    (tmp_path / "space.yaml").write_text(yaml.safe_dump(space))
    assert message in refused(line) and not (tmp_path / "sweep").exists()


def test_another_sweep_is_not_joined(tmp_path: Path) -> None:
    (tmp_path / "sweep").mkdir()
    (tmp_path / "sweep" / "sweep.json").write_text("{}")
    assert "holds a sweep of another configuration or space" in refused(command(tmp_path, 2))


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    line = command(tmp_path, 2)
    (tmp_path / "sweep").mkdir()
    (tmp_path / "sweep" / "notes.txt").write_text("mine")
    assert "exists and is not a sweep's folder" in refused(line)
    assert [file.name for file in (tmp_path / "sweep").iterdir()] == ["notes.txt"]


def joined(folder: Path) -> Sweep:
    command(folder, 1)
    return Sweep.join(folder / "sweep", folder / "tiny.yaml", ["reward=win"], read_space(folder / "space.yaml"))


def test_a_sweep_goes_on_by_the_configuration_that_it_began_with(tmp_path: Path) -> None:
    sweep = joined(tmp_path)
    (tmp_path / "tiny.yaml").write_text(yaml.safe_dump(SETTINGS | {"steps": 1}))
    settings = sweep.settings(sweep.study.ask(sweep.space).number)
    assert (settings.steps, settings.reward) == (512, "win") and settings.network.hidden in ([8], [8, 4])


def test_all_trials_meet_the_agents_that_the_sweep_was_begun_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(run: str, steps: int) -> str:
        file = checkpoint_folder(tmp_path / run, steps) / AGENT_FILE
        file.parent.mkdir(parents=True)
        an_agent(2, steps).save(file)
        return str(file)

    def sweep() -> Sweep:
        return Sweep.join(
            tmp_path / "sweep",
            tmp_path / "tiny.yaml",
            ["opponents={first: 1}", "network.hidden=[16]"],
            read_space(space),
        )

    command(tmp_path, 1)
    space = tmp_path / "players.yaml"
    space.write_text(
        yaml.safe_dump(
            {"opponents.first": {"low": 1, "high": 2}, "evaluation.against": [["other"]], "start": ["first"]}
        )
    )
    monkeypatch.chdir(tmp_path)
    first, other = keep("first", 1), keep("other", 2)
    sweep()
    keep("first", 3)
    keep("other", 4)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    found = sweep()
    settings = found.settings(found.study.ask(found.space).number)
    (met,) = settings.opponents
    assert (met, settings.against, settings.start) == (first, [other], first) and 1 <= settings.opponents[met] <= 2
    assert find_or_begin(settings, tmp_path / "run", []).config == settings


def test_two_names_of_one_agent_are_refused_before_a_sweep_is_begun(tmp_path: Path) -> None:
    an_agent(2).save(tmp_path / AGENT_FILE)
    command(tmp_path, 1)
    twice = f"opponents={{{tmp_path}: 1, {tmp_path / AGENT_FILE}: 1}}"
    with pytest.raises(ValueError, match=r"^opponents: '.*' and '.*agent.npz' are the same agent; name it once$"):
        Sweep.join(tmp_path / "sweep", tmp_path / "tiny.yaml", [twice], read_space(tmp_path / "space.yaml"))
    assert not (tmp_path / "sweep").exists()


def test_all_trials_meet_the_agent_that_a_key_of_its_own_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in what is tried alone; and a sweep of before, which kept no files, is joined."""
    command(tmp_path, 1)
    space = tmp_path / "players.yaml"
    space.write_text(yaml.safe_dump({"opponents.first": {"low": 1, "high": 2}}))
    monkeypatch.chdir(tmp_path)

    def keep(steps: int) -> str:
        file = checkpoint_folder(tmp_path / "first", steps) / AGENT_FILE
        file.parent.mkdir(parents=True)
        an_agent(2, steps).save(file)
        return str(file)

    def met() -> set[str]:
        sweep = Sweep.join(tmp_path / "sweep", tmp_path / "tiny.yaml", [], read_space(space))
        return set(sweep.settings(sweep.study.ask(sweep.space).number).opponents) - {"random"}

    first = keep(1)
    met()
    keep(2)
    assert met() == {first}
    file = tmp_path / "sweep" / "sweep.json"
    told = json.loads(file.read_text())
    del told["players"]
    file.write_text(json.dumps(told))
    assert met() == {"first"}


@pytest.mark.parametrize("players", [None, {"random": 3}, ["random"]])
def test_a_damaged_sweep_is_not_joined(players: object, tmp_path: Path) -> None:
    joined(tmp_path)
    file = tmp_path / "sweep" / "sweep.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"players": players}))
    with pytest.raises(ValueError, match="holds a sweep of another configuration or space"):
        joined(tmp_path)


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("planted:Player", "player 'planted:Player' is code of a module"),
        ("process:touch planted", "player 'process:touch planted' would run a command"),
    ],
)
def test_a_sweeps_file_runs_no_code_that_its_user_did_not_name(player: str, said: str, tmp_path: Path) -> None:
    joined(tmp_path)
    file = tmp_path / "sweep" / "sweep.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"players": {"random": player}}))
    sweep = joined(tmp_path)
    with pytest.raises(ValueError, match=said):
        sweep.settings(sweep.study.ask(sweep.space).number)


def test_a_trial_that_was_killed_while_it_was_drawn_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep = joined(tmp_path)
    sweep.study.ask()  # Optuna notes a trial first, then setting by setting
    monkeypatch.setattr(Sweep, "_value", lambda self, number: 0.5)
    sweep.work(2)
    half, whole = sweep.study.get_trials()
    assert (half.state, whole.state) == (TrialState.FAIL, TrialState.COMPLETE)
    assert whole.params.keys() == sweep.space.keys() and sweep.best_trials() == [whole]


def test_a_trial_that_another_process_finishes_meanwhile_is_not_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep, other = joined(tmp_path), joined(tmp_path)
    number = other.study.ask(other.space).number
    hold = Sweep._hold

    def finish_and_hold(self: Sweep, wanted: int) -> Any:
        """The other process ends between the look at the trials and the lock."""
        if wanted == number:
            other.study.tell(number, 0.25)
        return hold(self, wanted)

    monkeypatch.setattr(Sweep, "_hold", finish_and_hold)
    monkeypatch.setattr(Sweep, "_value", lambda self, number: 0.5)
    sweep.work(2)
    assert [trial.value for trial in sweep.study.get_trials()] == [0.25, 0.5]


@pytest.mark.parametrize(
    "error", [ValueError("wrong"), PlayerFailed("player x failed"), MissingExtra("no ray"), MemoryError("too much")]
)
def test_a_trial_that_fails_is_noted_and_the_sweep_goes_on(
    error: Exception, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sweep = joined(tmp_path)

    def fail(run: RunFolder) -> None:
        raise error

    monkeypatch.setattr("training.sweep.train", fail)
    sweep.work(2)
    assert [trial.state for trial in sweep.study.get_trials()] == [TrialState.FAIL] * 2
    assert f"trial 1 failed: {error}" in capsys.readouterr().err
    with pytest.raises(ValueError, match=r"^every trial of '.*sweep' has failed$"):
        sweep.check_success()
    monkeypatch.setattr(Sweep, "_value", lambda self, number: 0.5)
    sweep.work(3)
    sweep.check_success()


@pytest.mark.parametrize(
    ("key", "kind"),
    [
        ("ppo.gae_lambda", FloatDistribution),
        ("prior_scale", FloatDistribution),
        ("opponents.random", FloatDistribution),
        ("ppo.n_steps", IntDistribution),
        ("rules.player.income", IntDistribution),
    ],
)
def test_integers_alone_are_tried_only_of_a_key_that_takes_no_others(key: str, kind: type, tmp_path: Path) -> None:
    (tmp_path / "space.yaml").write_text(f"{key}: {{low: 1, high: 2}}")
    assert type(read_space(tmp_path / "space.yaml")[key]) is kind


def test_numbers_that_yaml_takes_for_texts_are_numbers(tmp_path: Path) -> None:
    (tmp_path / "space.yaml").write_text("ppo.learning_rate: {low: 1e-4, high: 1e-2, log: true}")
    (tried,) = read_space(tmp_path / "space.yaml").values()
    assert isinstance(tried, FloatDistribution) and (tried.low, tried.high, tried.log) == (1e-4, 1e-2, True)
    (tmp_path / "space.yaml").write_text("envs: {low: 1e1, high: 1e2}")
    (tried,) = read_space(tmp_path / "space.yaml").values()
    assert isinstance(tried, IntDistribution) and (tried.low, tried.high) == (10, 100)
    for wrong in ("nan", "inf", ".inf", "yes", "ten"):
        (tmp_path / "space.yaml").write_text(f"ppo.gamma: {{low: 0.1, high: {wrong}}}")
        with pytest.raises(ValueError, match="must be a list of values, or low, high"):
            read_space(tmp_path / "space.yaml")


def test_half_a_line_at_the_end_of_the_journal_is_cut_off(tmp_path: Path) -> None:
    journal = tmp_path / "journal.log"
    study(journal).ask()
    whole = journal.read_text()
    journal.write_text(whole + '{"op_code": 4, "wor')
    again = study(journal)
    assert journal.read_text().startswith(whole) and [json.loads(line) for line in journal.read_text().splitlines()]
    assert len(again.get_trials()) == 1
    again.ask()
    assert len(study(journal).get_trials()) == 2


@pytest.mark.parametrize("line", ['{"op_code": 4, "wor', "[" * 10_000, "7", "{}", '{"op_code": 4}'])
def test_a_damaged_journal_is_named(line: str, tmp_path: Path) -> None:
    journal = tmp_path / "journal.log"
    study(journal).ask()
    journal.write_text(f"{line}\n{journal.read_text()}")
    with pytest.raises(ValueError, match=r"journal.log' is not a sweep's journal: ") as caught:
        study(journal)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 1000


def test_without_optuna_the_extra_is_named(tmp_path: Path) -> None:
    (tmp_path / "optuna.py").write_text('raise ImportError("No module named optuna")')
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    done = subprocess.run(command(tmp_path, 2), capture_output=True, text=True, env=environment)
    assert "pip install '.[tune]'" in refusal(done)
