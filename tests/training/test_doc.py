"""The examples of the documentation run as printed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tests.commands import python_in
from timeline_env.arena.evaluation import evaluate
from timeline_env.timeline import GAME

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "training.md").read_text(encoding="utf-8")
EXAMPLES = python_in("docs/training.md")


def test_the_player_of_the_page_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (player,) = [example for example in EXAMPLES if "def act" in example]
    (tmp_path / "a_player_of_the_page.py").write_text(player)
    monkeypatch.syspath_prepend(str(tmp_path))
    result = evaluate(GAME, "a_player_of_the_page:Hoarder", ["random"], games=12, num_players=3)
    assert result.games == 12
    code = player.split('"""')[0] + player.split('"""')[2]
    assert len([line for line in code.splitlines() if line.strip()]) <= 10, "the page says ten lines"


def test_the_learner_of_the_page_learns() -> None:
    (learner,) = [example for example in EXAMPLES if "vec_env" in example]
    names: dict = {}
    exec(learner, names)
    assert names["model"].num_timesteps == 2048


def test_the_agents_file_of_the_page_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = [example for example in EXAMPLES if ".save(" in example]
    monkeypatch.chdir(tmp_path)
    exec(example, {})
    (file,) = tmp_path.iterdir()
    assert evaluate(GAME, str(file), ["random"], games=12, num_players=2).games == 12


def test_the_value_function_of_the_page_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = [example for example in EXAMPLES if "foretell" in example]
    exec(example, {})
    told = np.array(capsys.readouterr().out.strip(" []\n").split(), np.float64)
    assert told.shape == (16,) and (np.abs(told) < 1).all() and len(set(told)) > 1


def test_the_run_folder_of_the_page_is_the_one_of_the_code() -> None:
    import training.run_folder

    for name in re.findall(r"(\w+\.(?:yaml|json|csv|npz|pt|md|png))", training.run_folder.__doc__ or ""):
        assert f"`{name}`" in TEXT or f"/{name}`" in TEXT, name
