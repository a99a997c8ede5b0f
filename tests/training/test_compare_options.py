"""What an option of the learner is worth: rows that take turns, and a command that goes on where it was killed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from timeline_env.configs import FOLDER
from tools.compare_options import Comparison, load, main

SMALL = """
title: A small one
config: timeline_quick
changes: [learner=ppo, "opponents={self: 1}", envs=8, ppo.n_steps=8, ppo.batch_size=32, "network.hidden=[8]"]
against: random
rows:
  as it is: []
  no entropy: [ppo.ent_coef=0]
"""


@pytest.mark.parametrize("name", sorted(file.stem for file in (FOLDER / "comparisons").glob("*.yaml")))
def test_every_row_that_comes_along_can_be_trained_and_differs(name: str) -> None:
    comparison = load(Path(name))
    configs = [comparison.training(row, 1, 1.0).model_dump_json() for row in comparison.rows]
    assert len(set(configs)) == len(configs)


def test_rows_learn_for_the_same_time_and_are_not_learned_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "small.yaml").write_text(SMALL)
    asked = {"minutes": 0.01, "games": 20, "json": tmp_path / "out.json"}
    main(tmp_path / "small.yaml", seeds=[1], **asked)  # type: ignore[arg-type]
    first = json.loads((tmp_path / "out.json").read_text())
    main(tmp_path / "small.yaml", seeds=[1, 2], **asked)  # type: ignore[arg-type]
    both = json.loads((tmp_path / "out.json").read_text())
    assert list(both["rows"]) == ["as it is", "no entropy"]
    for name, row in both["rows"].items():
        assert row["1"] == first["rows"][name]["1"]
        assert set(row) == {"1", "2"} and all(run["decisions"] > 0 for run in row.values())
    told = capsys.readouterr().out
    mean = 50 * sum(both["rows"]["no entropy"][seed]["win"][0] for seed in "12")
    assert f"| {mean:.1f} |" in [line for line in told.splitlines() if line.startswith("| no entropy")][-1]


PLAIN = ["average=null", "network.outlook=0"]  # what every learner can do


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (["learner=maskable_ppo"], "takes turns"),
        (["ppo.gamma=2"], "ppo.gamma"),
        (["opponents={random: 1}"], "takes turns"),
        (["minutes=9"], "'minutes=9' must be left out"),
    ],
)
def test_a_row_that_cannot_be_trained_is_named(changes: list[str], message: str) -> None:
    comparison = Comparison.model_validate(
        {
            "title": "t",
            "config": "timeline_shipped",
            "changes": PLAIN,
            "against": "projector",
            "rows": {"good": [], "bad": changes},
        }
    )
    with pytest.raises(ValueError, match=f"row 'bad'.*{message}"):
        comparison.training("bad", 1, 1.0)
