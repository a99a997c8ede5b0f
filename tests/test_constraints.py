"""The two lists of versions agree in all that Ray and BenchMARL leave open."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def pins(name: str) -> dict[str, str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def test_the_versions_differ_only_where_ray_and_benchmarl_ask_for_it() -> None:
    ours, rays = pins("constraints.txt"), pins("constraints-rllib.txt")
    both = ours.keys() & rays.keys()
    differing = {name for name in both if ours[name] != rays[name]}
    assert differing == {"gymnasium", "torchrl", "tensordict"}, (
        "Ray: gymnasium; BenchMARL: torchrl, with its tensordict"
    )
    assert {"torch", "numpy", "numba", "pettingzoo", "stable_baselines3"} <= both


def requirements(extra: str, found: dict[str, list[str]]) -> set[str]:
    """The names of what an extra asks for, and of what the extras behind it do."""
    names = set()
    for line in found[extra]:
        if within := re.match(r"timeline-env\[(.*?)\]", line):
            names |= set().union(*(requirements(each, found) for each in within[1].split(",")))
        else:
            names.add(re.split(r"[\[<>=;]", line)[0])
    return names


def test_every_library_that_we_ask_for_has_its_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    asked = requirements("dev", project["optional-dependencies"])
    asked |= {re.split("[<>=]", line)[0] for line in project["dependencies"]}
    spelled = lambda names: {name.lower().replace("_", "-") for name in names}  # noqa: E731
    left_to_torch = {"nvidia-cuda-nvrtc", "nvidia-nvvm"}  # its build for GPUs asks for versions of its own
    assert spelled(asked) - spelled(pins("constraints.txt")) == left_to_torch
