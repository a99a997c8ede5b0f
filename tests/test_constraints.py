"""The two lists of versions agree in all that Ray and BenchMARL leave open."""

from __future__ import annotations

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
