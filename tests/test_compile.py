"""What is compiled ahead is all that any named player needs, so that "once" is true."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.games import each_game
from timeline_env.arena import processes
from timeline_env.commands import compile as compiling
from timeline_env.commands.compile import players_of
from timeline_env.engine import jit
from timeline_env.engine.cache import cache_folder
from timeline_env.engine.setting import Setting
from timeline_env.players.agents.shipped import SHIPPED, shipped_agent
from timeline_env.players.names import SEARCHES, PlayerName
from timeline_env.players.search.guides import load_guide

ROOT = Path(__file__).resolve().parents[1]


@each_game
def test_a_player_of_every_kind_is_among_those_to_be_compiled(table):
    game = table.game
    players = game.players[0]
    setting = Setting(game, players)
    named = players_of(setting)
    assert {*game.baselines, *([SHIPPED] if shipped_agent(game.name, players).is_file() else [])} <= set(named)
    searches = [name for name in map(PlayerName.read, named) if name.search]
    assert {name.search for name in searches} == set(SEARCHES) - {"value"}, "which plays by the code of puct"
    guides = {type(load_guide(name.agent, setting)) for name in searches if name.agent}
    assert len(guides) == 2, "a scripted guide and a trained one"
    races = {type(load_guide(name.agent, setting)) for name in searches if name.search == "race"}
    assert races == guides, "an agent may play on itself"


COMPILED = """
from numba.core import event


class Compiled(event.Listener):
    def on_start(self, event):
        print(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event):
        pass


event.register("numba:compile", Compiled())

from examples.kuhn_poker import environments

env = environments.env()
env.reset(seed=1)
for _ in env.agent_iter():
    over = env.last()[2]
    env.step(None if over else 0)
env.reset()
envs = environments.vector_env(num_envs=2, opponents=(lambda decisions: decisions.action_mask.argmax(axis=1),))
envs.step(envs.reset(seed=1)[0]["action_mask"].argmax(axis=1))
batch = environments.batch(num_games=2)
batch.step([0, 0])
batch.step([1], [1])
batch.restart([0])
"""
"""Names each function that environments and batches compile."""


def test_with_the_rules_all_is_compiled_that_environments_and_batches_need(tmp_path: Path) -> None:
    compiles = "import examples.kuhn_poker; from timeline_env.commands.compile import compile_game as do; do('kuhn_poker', True)"
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    compiled = [
        subprocess.run(
            [sys.executable, "-c", code], cwd=ROOT, env=environment, text=True, capture_output=True, check=True
        )
        for code in (compiles, COMPILED)
    ]
    assert compiled[1].stdout == ""


def test_what_cannot_be_kept_is_no_success(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiling, "compile_game", lambda name, rules_only: 1)
    assert compiling.keep_game("timeline", True) == 1
    monkeypatch.setattr(compiling, "NOT_SAVED", ["No space left on device"])
    with pytest.raises(OSError, match=r"^what was compiled cannot be kept in .*: No space left on device$"):
        compiling.keep_game("timeline", True)


@pytest.mark.parametrize(("reason", "shared"), [("", False), ("the disk is full", True)])
def test_workers_use_the_folder_of_a_run_whose_code_is_not_kept(
    reason: str, shared: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "ProcessPoolExecutor", lambda count, *_: ThreadPoolExecutor(count))
    monkeypatch.setattr(jit, "NOT_KEPT", reason)
    monkeypatch.setattr(jit, "CACHE_FOLDER", "/of/this/run")
    monkeypatch.setenv("NUMBA_CACHE_DIR", "/of/the/user")
    seen: list[tuple[str | None, ...]] = []

    def look() -> int:
        names = ("NUMBA_CACHE_DIR", "TIMELINE_ENV_NOT_KEPT")
        seen.extend(tuple(map(found.get, names)) for found in (os.environ, processes.users_environment()))
        return 1

    processes.run_parallel(look, [()], 1, lambda _: None)
    worker = ("/of/this/run", reason) if shared else ("/of/the/user", None)
    assert seen == [worker, ("/of/the/user", None)]


def test_a_worker_says_that_its_parents_folder_does_not_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setenv("TIMELINE_ENV_NOT_KEPT", "the disk is full")
    folder, reason = cache_folder("key")
    assert Path(folder).is_relative_to(tmp_path) and reason == "the disk is full"
