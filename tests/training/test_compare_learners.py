"""What a comparison of learners refuses before it begins. That it compares stands in tests/rllib/test_compare.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.commands import run_here
from tests.refusals import refusal

ROOT = Path(__file__).resolve().parents[2]
QUICK = str(ROOT / "configs" / "timeline_quick.yaml")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("minutes=3", "override 'minutes=3': minutes is set by the comparison"),
        ("seed=3", "override 'seed=3': seed is set by the comparison"),
        ("learner=ppo", "override 'learner=ppo': learner is set by the comparison"),
        ("--learners tree", "--learners 'tree' is unknown; allowed: ppo, maskable_ppo, rllib"),
        ("evaluation.games=30", "evaluation.games is set by the comparison"),
        ("game=chess", "game 'chess' is unknown"),
        ("--seeds 0 0", "--seeds 0 0 must differ"),
        ("--seeds 0 -1", "seed -1"),
        ("--against nobody", "player 'nobody' is unknown"),
        ('opponents={"nobody":1}', "player 'nobody' is unknown"),
    ],
)
def test_it_is_refused_in_one_line_and_nothing_is_begun(words: str, message: str, tmp_path: Path) -> None:
    command = ["tools/compare_learners.py", QUICK, "--out", "run", *words.split()]
    assert message in refusal(run_here(*command, cwd=tmp_path))
    assert not list(tmp_path.iterdir())


def test_a_folder_of_something_else_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "ppo-0").mkdir()
    assert "holds something else" in refusal(run_here("tools/compare_learners.py", QUICK, "--out", tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == ["ppo-0"]
