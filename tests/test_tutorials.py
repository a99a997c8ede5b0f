"""What docs/tutorials shows runs as printed, and what the site says of environments and positions is so."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.arena.suites import POPULATION
from timeline_env.commands.main import main
from timeline_env.games import PACKAGES
from timeline_env.play import Session
from tools.site import environment_page, worked

pytestmark = pytest.mark.usefixtures("work_here")
DOCS = Path(__file__).resolve().parents[1] / "docs"
TUTORIALS = sorted(path for path in (DOCS / "tutorials").glob("*.md") if path.stem != "rllib")
"""RLlib's is run by tests/rllib."""
LITTLE = {
    "train": "steps=64 envs=8 threads=1 ppo.n_steps=8 ppo.batch_size=64 evaluation.games=12 evaluation.against=[random]",
    "evaluate": "--games 12 --players 2",
    "tournament": "--games 4 --players 2 --processes 1",
    "benchmark": "--suite suite --processes 1",
    "picture": "",
}
"""What is added to a command, so that there is little to do."""
SUITE = """version: 3
title: Little
population: timeline_2
seed: 5
games: 4
budget: 0
players: [greedy]
"""
LEARN = (DOCS / "rules" / "learn_timeline.md").read_text(encoding="utf-8")
POSITIONS = re.findall(r"^```\{position\}\n(?::show: [^\n]*\n)?(.*?)```", LEARN, re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[str, str]]:
    """The page's blocks of Python and of shell commands, in their order."""
    return re.findall(r"^```(python|sh)\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", TUTORIALS, ids=lambda path: path.stem)
def test_tutorial_runs_as_printed(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(Session, "wait", Session.close)  # in place of Ctrl-C
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for kind, name, text in (("playing", "timeline_2_0ms", SUITE), ("populations", "timeline_2", POPULATION)):
        Path("suite", kind).mkdir(parents=True)
        Path("suite", kind, f"{name}.yaml").write_text(text)
    names: dict[str, object] = {"__name__": "tutorial"}
    for language, text in blocks(page):
        if language == "python":
            exec(compile(text, str(page), "exec"), names)
            if name := re.match(r"# (\w+)\.py\n", text):  # the reader is told to save it
                Path(f"{name[1]}.py").write_text(text)
                monkeypatch.delitem(sys.modules, name[1], raising=False)
        else:
            for line in text.splitlines():
                run(shlex.split(line, comments=True))


def run(words: list[str]) -> None:
    """Run a line of shell if it is one of ours."""
    if words and words[0] == "timeline-env":
        little = ("" if "--replay" in words else "--no-browser --port 0") if words[1] == "play" else LITTLE[words[1]]
        with pytest.raises(SystemExit) as end:
            main([*words[1:], *little.split()])
        assert not end.value.code


@pytest.mark.parametrize("name", PACKAGES)
def test_the_environments_page_is_whole_and_its_examples_run(name: str) -> None:
    page = environment_page.page(name)
    assert page.count("\n## ") == 7
    for example in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        exec(example, {})
    assert all(f"`{piece.name}`" in page for piece in environment_page.environments_of(name).GAME.layout(2))


def test_an_environments_page_that_is_missing_is_named() -> None:
    with pytest.raises(ValueError, match="must be timeline, twilight_struggle; found: timeline"):
        environment_page.check_pages(["timeline"])


@pytest.mark.parametrize("text", POSITIONS, ids=lambda text: text.splitlines()[0][:20])
def test_a_position_of_the_page_to_learn_by_is_as_it_says(text: str) -> None:
    assert worked.read(text).steps


def test_there_are_a_dozen_positions() -> None:
    assert len(POSITIONS) == LEARN.count("```{position}") >= 12


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("stands at +2", "stands at +3"), "is false: it is 2, not 3"),
        (("has 1 point", "has 2 points"), "is false"),
        (("1.2 occurred", "1.2 did not occur"), "is false"),
        (("> pass", "> use surge\n> pass"), "use surge"),
        (("1.2 occurred", "all is well"), "is not understood"),
        (("> pass", "pass"), "must begin with"),
    ],
)
def test_what_is_false_is_refused(change: tuple[str, str], message: str) -> None:
    text = next(
        text for text in POSITIONS if "= 1.2 stands at +2\n> pass\n= 1.2 occurred\n= yellow has 1 point" in text
    )
    with pytest.raises(ValueError, match=re.escape(message)):
        worked.read(text.replace(*change))
