"""The README's examples run as printed, and what it points to is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
import yaml

import timeline_env
from tests.commands import python_in

ROOT = Path(__file__).resolve().parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = python_in("README.md")


def test_the_example_of_self_play_runs(capsys):
    namespace: dict = {}
    exec(EXAMPLES[0], namespace)
    assert sum(namespace["returns"].values()) == pytest.approx(0, abs=1e-6)
    assert capsys.readouterr().out.count("player_3") == 3


@pytest.mark.parametrize("example", EXAMPLES[1:], ids=["batch"])
def test_example_runs(example):
    exec(example, {})


def test_links_lead_somewhere():
    targets = [target for target in re.findall(r"\]\(([^)]+)\)", README) if not target.startswith("http")]
    assert len(targets) > 8
    assert [target for target in targets if not leads_somewhere(target)] == []


def leads_somewhere(target: str) -> bool:
    """Whether a file is there, and a heading of it of that name if one is named."""
    file, _, heading = target.partition("#")
    if not heading:
        return (ROOT / file).exists()
    found = re.findall(r"^#+ (.*)", (ROOT / file).read_text(encoding="utf-8"), flags=re.MULTILINE)
    return heading in [re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in found]


def test_commands_are_scripts_that_exist():
    commands = re.findall(r"^bash (\S+)", README, flags=re.MULTILINE)
    assert commands == ["scripts/quickstart.sh", "scripts/test.sh"]
    assert all((ROOT / command).exists() for command in commands)


def test_the_citation_is_of_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (citation["title"], citation["version"]) == (project["name"], project["version"])
    assert timeline_env.__version__ == project["version"]
    assert citation["license"] == project["license"]
