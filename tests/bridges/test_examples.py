"""The examples of docs/bridges.md run as printed, and print what they ought to."""

from __future__ import annotations

import ast
import re
from itertools import pairwise
from pathlib import Path

import pytest
import torch

from timeline_env.timeline import GAME

DOC = (Path(__file__).resolve().parents[2] / "docs" / "bridges.md").read_text(encoding="utf-8")
OPENSPIEL, TORCHRL, MAPPO, BENCHMARL, TIANSHOU, SUPERSUIT, CLEANRL, LIGHTZERO = re.findall(
    r"```python\n(.*?)```", DOC, flags=re.DOTALL
)


def printed(example: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    exec(example, {})
    return capsys.readouterr().out.splitlines()


def test_openspiel(capsys):
    (line,) = printed(OPENSPIEL, capsys)
    assert line.startswith("2p phase:")


def test_torchrl(capsys):
    torch.manual_seed(1)
    shape, rewards = printed(TORCHRL, capsys)
    decisions, one, actions = map(int, re.findall(r"\d+", shape))
    assert decisions > 50 and (one, actions) == (1, GAME.num_actions(3))
    assert sorted(ast.literal_eval(rewards)) == [-1, 0, 1]


@pytest.mark.parametrize("name", ["timeline/Timeline-v0", "timeline/TwilightStruggle-v0"])
def test_torchrl_makes_a_single_seat_environment_by_its_name(name):
    from torchrl.envs import GymEnv
    from torchrl.envs.transforms import ActionMask, TransformedEnv

    torch.manual_seed(1)
    env = TransformedEnv(GymEnv(name), ActionMask())
    env.set_seed(1)
    rollout = env.rollout(20)
    taken = rollout["action_mask"][rollout["action"].bool()]
    assert len(taken) == 20 and taken.all()


def test_torchrls_mappo(capsys):
    assert printed(MAPPO, capsys) == ["True"]


def test_benchmarl(capsys, tmp_path, monkeypatch):
    pytest.importorskip("benchmarl", reason="it asks for an older TorchRL, and is tested beside Ray")
    monkeypatch.chdir(tmp_path)
    assert printed(BENCHMARL, capsys)[-1] == "128"


def test_benchmarls_copies_of_an_environment_deal_different_games():
    pytest.importorskip("benchmarl", reason="it asks for an older TorchRL, and is tested beside Ray")
    from timeline_env.bridges.benchmarl import BoardGameTask

    make = BoardGameTask("timeline", {"num_players": 2}).get_env_fun(3, False, 0, "cpu")
    seen = [make().reset()["player", "observation"] for _ in range(3)]
    assert not any((one == other).all() for one, other in pairwise(seen))


def test_benchmarls_copies_in_processes_of_their_own_deal_different_games():
    pytest.importorskip("benchmarl", reason="it asks for an older TorchRL, and is tested beside Ray")
    from torchrl.envs import ParallelEnv

    from timeline_env.bridges.benchmarl import BoardGameTask

    workers = ParallelEnv(2, BoardGameTask("timeline", {"num_players": 2}).get_env_fun(2, False, 0, "cpu"))
    one, other = workers.reset()["player", "observation"]
    workers.close()
    assert not (one == other).all()


def test_supersuit(capsys):
    (line,) = printed(SUPERSUIT, capsys)
    assert line == f"(8, {GAME.layout(2).size}) (8,)"


def test_cleanrl(capsys):
    assert printed(CLEANRL, capsys) == ["False"]


def test_lightzero(capsys):
    assert printed(LIGHTZERO, capsys) == ["['action_mask', 'observation', 'to_play']"]


def test_tianshou(capsys):
    (rewards,) = printed(TIANSHOU, capsys)
    assert sorted(ast.literal_eval(rewards)) == [-1, 0, 1]
