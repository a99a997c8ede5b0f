"""Everything on a GPU: is it the same as on the CPU, and how fast is it? ``python tools/gpu_check.py``."""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numba import cuda

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from timeline_env import cli
from timeline_env.arena.markdown import line, markdown_table
from timeline_env.engine.batch import Batch
from timeline_env.engine.cuda import ARRAYS, CudaBatch
from timeline_env.engine.jit import config as compiler
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.extras import require
from timeline_env.games import PACKAGES, game_named
from timeline_env.players import Decisions
from timeline_env.players.agents.cuda_appraiser import CudaAppraiser
from timeline_env.players.agents.prior import device_appraisers, load_appraiser
from timeline_env.players.names import Budget
from timeline_env.players.search.on_device import DeviceFlat
from timeline_env.players.search.players import Flat
from timeline_env.reading import check_number
from tools.benchmark_rows import Row, installed, rate

AT_ONCE = 20
"""Random decisions of each game between two looks at the clock."""
STEPS = 16
"""Decisions of each game between two updates of a learner."""
THREADS, VIEWS = (32, 64, 128, 256), (1, 2, 4, 8, 16)
"""Threads and rows of a block that are tried for the largest batch."""
SIZES = (4096, 16_384, 65_536, 262_144)
"""Games of a batch, unless others are asked for."""
GAMES, COMPARED = 256, 16
"""Games whose bytes are compared, and positions in which players on the CPU are asked, too."""
VERSIONS = ("numba", "numba-cuda", "numpy", "torch")

Line = tuple[str, str, str]
"""Game, what was looked at, what was seen."""


def machine() -> str:
    """Device, driver and versions, in one line."""
    if compiler.ENABLE_CUDASIM:
        device = "CUDA's simulator"
    else:
        found = cuda.get_current_device()
        capability = ".".join(map(str, found.compute_capability))
        name = found.name.decode() if isinstance(found.name, bytes) else found.name
        device = f"{name}, compute capability {capability}, driver {driver()}"
    versions = ", ".join(f"{name} {version}" for name, version in installed(VERSIONS).items())
    return f"{device}, python {platform.python_version()}, {versions}"


def driver() -> str:
    """The driver's version, as its own program tells it."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return "unknown"
    query = [program, "--query-gpu=driver_version", "--format=csv,noheader"]
    return subprocess.run(query, capture_output=True, text=True, check=False).stdout.split("\n")[0].strip() or "unknown"


# --- is it the same?


def compare_batches(game: Game, decisions: int) -> Iterator[Line]:
    """Compare random play and given actions on both devices, for every number of players."""
    for players in game.players:
        setting = Setting(game, players)
        here, there = Batch(setting, GAMES, seed=1), CudaBatch(setting, GAMES, seed=1)
        here.play_random(decisions)
        there.play_random(decisions)
        actions = here.action_mask.argmax(axis=1)
        here.step(actions)
        there.step_async(cuda.to_device(actions))
        there.check()
        other = [name for name in ARRAYS if not is_same(getattr(here, name), getattr(there, name))]
        yield (
            game.name,
            f"bytes of the batch, {players} players",
            f"differ: {', '.join(other)}" if other else "the same",
        )


def is_same(here: Any, there: Any) -> bool:
    """Whether an array on the device holds the same bytes as one here."""
    return np.asarray(there.copy_to_host()).tobytes() == np.asarray(here).tobytes()


def compare_players(game: Game, decisions: int, simulations: int) -> Iterator[Line]:
    """Compare what scripted players think, and what flat search chooses, on both devices."""
    setting = Setting(game)
    here, there = Batch(setting, COMPARED, seed=2), CudaBatch(setting, COMPARED, seed=2)
    here.play_random(decisions)
    there.play_random(decisions)
    asked = Decisions.of(here, np.arange(COMPARED))
    for name, player in device_appraisers(game).items():
        expected = load_appraiser(game, name).values(here.rules, asked.states(), asked.action_mask, asked.seat)
        appraiser = CudaAppraiser(player, there)
        appraiser.look()
        found = np.asarray(appraiser.values.copy_to_host())
        legal = asked.action_mask == 1
        furthest = float(np.abs(found[legal] - expected[legal]).max())
        told = "the same" if furthest == 0 else f"differ by {furthest:.2g} at most"
        yield game.name, f"what `{name}` thinks of the actions", told
    budget = Budget(simulations, float("inf"))
    equal = int((Flat(budget, 3).act(asked) == DeviceFlat(budget, 3).act(asked)).sum())
    told = "the same" if equal == COMPARED else f"differ in {COMPARED - equal} of {COMPARED}"
    yield game.name, f"choices of `flat:{simulations}`", told


# --- how fast is it?


def per_second(step: Callable[[], int], seconds: float) -> str:
    """How much `step` does per second; it is called once before, so that its kernels are compiled."""

    def whole() -> int:
        done = step()
        cuda.synchronize()
        return done

    whole()
    return f"{rate(Row('', lambda: whole, by_the_clock=True), whole, seconds):,.0f}"


def random_play(batch: CudaBatch, observed: bool) -> Callable[[], int]:
    """Uniformly random decisions, some of every game."""

    def step() -> int:
        batch.play_random(AT_ONCE, observed)
        return AT_ONCE * batch.num_games

    return step


def measure_play(game: Game, sizes: Sequence[int], seconds: float) -> Iterator[Line]:
    """Decisions per second of random play, over sizes of the batch and ways to launch kernels."""
    for size in sizes:
        batch = CudaBatch(Setting(game), size, seed=1)
        for what, observed in (("with observations", True), ("without", False)):
            speed = per_second(random_play(batch, observed), seconds)
            yield game.name, f"decisions/s, {size:,} games, {what}", speed
    usual = batch.threads_a_block, batch.views_a_block
    for threads in THREADS:
        batch.threads_a_block = threads
        speed = per_second(random_play(batch, False), seconds)
        yield game.name, f"decisions/s, {size:,} games, without, {threads} threads a block", speed
    batch.threads_a_block = usual[0]
    for views in VIEWS:
        batch.views_a_block = views
        speed = per_second(random_play(batch, True), seconds)
        yield game.name, f"decisions/s, {size:,} games, with observations, {views} rows a block", speed


def measure_learning(game: Game, sizes: Sequence[int], seconds: float) -> Iterator[Line]:
    """Decisions learned from per second, in whole updates of `ppo` against itself."""
    torch = require("torch", "train")
    if not (compiler.ENABLE_CUDASIM or torch.cuda.is_available()):
        yield game.name, "decisions learned from/s", "left out: PyTorch finds no GPU that it can use"
        return
    for size in sizes:
        for what, changed in learners(game).items():
            try:
                speed = per_second(updates(a_learner(game, size, changed)), seconds)
            except torch.cuda.OutOfMemoryError:
                speed = "left out: the device has too little memory"
            yield game.name, f"decisions learned from/s, {size:,} games, {what}", speed


def updates(learner: Any) -> Callable[[], int]:
    """Whole updates: playing, and learning from it."""
    return lambda: learner.update(learner.now).decisions


def learners(game: Game) -> dict[str, dict[str, Any]]:
    """What is measured: the keys that differ, by name."""
    strongest = [*device_appraisers(game)][-1]
    return {"float32": {}, "bfloat16": {"mixed_precision": True}, f"float32, prior `{strongest}`": {"prior": strongest}}


def a_learner(game: Game, size: int, changed: dict[str, Any]) -> Any:
    """A learner of so many games that has everything on the device."""
    from training.config import parse_config
    from training.learners.ppo import PPO
    from training.opponents.league import League

    ppo = {
        "n_steps": STEPS,
        "n_epochs": 2,
        "batch_size": min(4 * size, 65_536),
        "mixed_precision": changed.get("mixed_precision", False),
    }
    config = parse_config(
        {
            "learner": "ppo",
            "game": game.name,
            "num_players": game.usual_players,
            "device": "cuda",
            "opponents": {"self": 1},
            "envs": size,
            "prior": changed.get("prior"),
            "ppo": ppo,
        }
    )
    return PPO(config, League(config.setting, config.opponents, None), seed=1)


def measure_search(game: Game, sizes: Sequence[int], seconds: float, simulations: int) -> Iterator[Line]:
    """Simulations per second of flat search, in as many positions at once as the smallest batch has games."""
    positions = sizes[0]
    batch = Batch(Setting(game), positions, seed=1)
    batch.play_random(3 * AT_ONCE)
    player, asked = DeviceFlat(Budget(simulations, float("inf"))), Decisions.of(batch, np.arange(positions))

    def step() -> int:
        player.act(asked)
        return positions * simulations

    speed = per_second(step, seconds)
    yield game.name, f"simulations/s, `flat:{simulations}`, {positions:,} positions at once", speed


def lines(
    games: Sequence[Game], sizes: Sequence[int], seconds: float, decisions: int, simulations: int
) -> Iterator[Line]:
    """All that is looked at, one after the other."""
    for game in games:
        yield from compare_batches(game, decisions)
        yield from compare_players(game, decisions, simulations)
    for game in games:
        yield from measure_play(game, sizes, seconds)
        yield from measure_learning(game, sizes, seconds)
        yield from measure_search(game, sizes, seconds, simulations)


def main(
    game: Annotated[str | None, typer.Option(help=f"only {' or '.join(PACKAGES)}")] = None,
    sizes: Annotated[
        list[int] | None,
        typer.Option(min=1, help=f"games of a batch; {' '.join(map(str, SIZES))} if left out"),
    ] = None,
    seconds: Annotated[float, typer.Option(help="of each measurement")] = 3.0,
    decisions: Annotated[int, typer.Option(min=1, help="of each game that is compared")] = 500,
    simulations: Annotated[int, typer.Option(min=1, help="of a decision that is searched")] = 200,
) -> int:
    """Look at everything on a GPU, in one command for whoever has one: is it the same as on the CPU, and how fast is it?

    In this order: the batch's bytes for every game and number of players, and what players think and choose; decisions a second with
    and without observations over sizes of the batch, and by how kernels are launched; decisions learned from a second; simulations a
    second of flat search. The exit code is 1 if a batch's bytes differ; what players think is only told, since a GPU may fuse a
    multiplication and an addition, so that last digits differ. The last column is the seconds that a line took: nearly all of a
    kernel's first one is its compilation. The table goes to docs/results/performance.md. Needs the extras train and cuda, and a
    PyTorch for CUDA.

    examples:
      python tools/gpu_check.py
      python tools/gpu_check.py --game timeline --sizes 4096 65536 --seconds 5
    """
    games = [game_named(name) for name in ([game] if game else PACKAGES)]
    check_number("--seconds", seconds, 0.001, 10**6)
    if not cuda.is_available():
        raise ValueError("there is no GPU that numba can use: nothing was checked")
    differs = False
    begun = last = time.monotonic()
    print("\n".join([f"machine: {machine()}\n", *markdown_table(("game", "what", "seen", "s"), [], 2)]))
    for row in lines(games, sizes or SIZES, seconds, decisions, simulations):
        differs |= row[2].startswith("differ: ")
        now = time.monotonic()
        print(line((*row, f"{now - last:.1f}")), flush=True)
        last = now
    print(f"\n{last - begun:.0f} s in all")
    return int(differs)


if __name__ == "__main__":
    cli.run(main)
