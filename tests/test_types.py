"""What a user's program gets is typed: a type checker sees its mistakes, and an editor can complete it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

PROGRAM = """
import numpy as np
from numpy.typing import NDArray

from timeline_env import timeline_v0, twilight_struggle_v0, view
from timeline_env.engine.batch import Batch
from timeline_env.engine.cuda import CudaBatch
from timeline_env.games import game_named
from timeline_env.players import Decisions, Player, load_player
from timeline_env.arena.evaluation import evaluate
from timeline_env.wrappers.vector import SeatVecEnv


class Mine:
    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        return decisions.action_mask.argmax(axis=1)


game = game_named("timeline")
mine: Player = Mine()
share: float = evaluate(game, mine, ["random", Mine(), lambda decisions: decisions.seat]).overall.win.mean
text: str = view.to_svg(None, None)
random: Player = load_player("random", game)
device: str = "cpu"
batch: Batch = timeline_v0.batch(num_games=8)
other: Batch = twilight_struggle_v0.batch(8, seed=1, device="cpu")
either: Batch | CudaBatch = timeline_v0.batch(device=device)
observation: NDArray[np.int8] = timeline_v0.batch().observation
mask: NDArray[np.int8] = twilight_struggle_v0.batch().action_mask
reward: NDArray[np.float32] = batch.reward
envs: SeatVecEnv = timeline_v0.vec_env()
number: int = twilight_struggle_v0.vec_env().num_envs
seats: int = timeline_v0.raw_env().batch.num_players
"""

MISTAKES = (
    "timeline_v0.batch().nothing",
    "twilight_struggle_v0.batch().nothing",
    "wrong_array: int = timeline_v0.batch().observation",
    "wrong_mask: str = twilight_struggle_v0.batch().action_mask",
    "timeline_v0.batch(num_game=8)",
    "timeline_v0.vec_env().nothing()",
    "twilight_struggle_v0.vec_env().nothing()",
    "timeline_v0.vec_env(opponents=5)",
    "timeline_v0.raw_env().deal('1')",
    "wrong_seat: int = timeline_v0.single_seat_env().step(0)",
    "timeline_v0.env(num_players='4')",
    "evaluate(game, 5, ['random'])",
    "evaluate(game, mine, ['random']).nothing",
    "view.to_svg(None, None).nothing",
    "load_player('random', game).nothing",
)


def test_a_type_checker_finds_every_mistake_and_nothing_else(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(PROGRAM + "\n".join(MISTAKES) + "\n")
    first = len(PROGRAM.splitlines()) + 1
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-error-summary", str(program)], capture_output=True, text=True, cwd=ROOT
    )
    # Of a program that was checked before, mypy's cache names the folder that it lay in then.
    found = {int(line) for line in re.findall(rf"^.*{program.name}:(\d+): error", done.stdout, re.MULTILINE)}
    missed = [mistake for line, mistake in enumerate(MISTAKES, first) if line not in found]
    assert not missed and min(found, default=first) >= first, f"missed {missed}\n{done.stdout}{done.stderr}"
