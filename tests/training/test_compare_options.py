"""What an option of the learner is worth: rows that take turns, and a command that goes on where it was killed."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from timeline_env.configs import FOLDER
from tools.compare_options import Comparison, Contestant, learn, load, main
from training.start import start_agent

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


@dataclass
class Timed:
    """A row whose updates take a known share of its time."""

    name: str
    update_takes: float
    turns: list[str]
    share_done: float = 0.0
    seconds: float = 0.0

    def update(self) -> None:
        assert self.share_done < 1
        self.turns.append(self.name)
        self.share_done += self.update_takes


def test_rows_take_turns_until_the_time_of_every_one_is_up() -> None:
    turns: list[str] = []
    rows = [Timed("slow", 0.5, turns), Timed("fast", 0.25, turns)]
    learn(rows, 1.0, 1)  # type: ignore[arg-type]
    assert turns == ["slow", "fast", "slow", "fast", "fast", "fast"]


def test_a_row_may_begin_with_an_agent_which_must_fit() -> None:
    given = {"title": "t", "config": "timeline_shipped", "against": "projector", "rows": {"a": [], "b": []}}
    begun = Comparison.model_validate(given | {"changes": ["start=shipped", "envs=8"]})
    agent = Contestant(begun.training("a", 1, 1.0)).learner.agent(0)
    shipped = start_agent(begun.training("a", 1, 1.0))
    assert shipped is not None
    for ours, theirs in zip(agent.layers[1:], shipped.layers[1:], strict=True):
        assert (ours[0] == theirs[0]).all()
    with pytest.raises(ValueError, match=r"row 'a': network.hidden \[9\] must be"):
        Comparison.model_validate(given | {"changes": ["start=shipped", "network.hidden=[9]"]}).training("a", 1, 1.0)


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
