#!/usr/bin/env python
"""Decisions per second of this project and of the peers that are installed, measured in one run.

A decision is one agent's action applied in uniformly random legal play, with the observation and the action mask (or the
legal list) that a learner would see before it. Every row is measured several times, the rows in turn, and the medians
are printed: machines drift, so compare within one run.

    python tools/benchmark.py                         all rows that can run here
    python tools/benchmark.py --rows batch,memory     only rows whose name contains one of these
    python tools/benchmark.py --game timeline         of ours only the rows of this game
    python tools/benchmark.py --compare OLD.json      against an earlier run; exits with 1 if a row of ours got slower
"""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from timeline_env import cli
from timeline_env.engine import rng
from timeline_env.engine.batch import picker_seeds
from timeline_env.engine.devices import batch_on
from timeline_env.engine.jit import entry
from timeline_env.engine.loops import pick
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game, deal, legal, play, to_act
from timeline_env.games import PACKAGES, game_named
from timeline_env.reading import flatten, quote, read_json, table_of
from timeline_env.wrappers.aec import CheckedEnv, RawEnv

Run = Callable[[float], float]
"""Runs for about that many seconds; gives what it did per second."""

SLOWER = 0.8
"""With --compare, a row of ours below this share of its old figure counts as slower: what noise alone does not do."""


def rate(step: Callable[[], int], seconds: float) -> float:
    """Call `step`, which gives the number of decisions it took, until the time is up; decisions per second."""
    count, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        count += step()
    return count / spent


# --- this project


def our_batch(setting: Setting, num_games: int, threads: int = 1) -> Run:
    """The batch: observation, mask and rewards written at every decision, random actions picked in the loop."""
    batch = batch_on("cpu", setting, num_games, seed=1, threads=threads)
    batch.play_random(200)  # into the middle of the games
    steps = max(1, 100_000 // num_games)

    def step() -> int:
        batch.play_random(steps)
        return steps * num_games

    return lambda seconds: rate(step, seconds)


@entry
def play_with_masks(rules, S, pickers, mask, steps):
    """`steps` times one random decision in every game, with the mask written each time and nothing else."""
    for _ in range(steps):
        for i in range(S.shape[0]):
            pickers[i] = rng.advance(pickers[i])
            play(rules[0], S[i], pick(mask[i], rng.mix(pickers[i])))
            if to_act(S[i]) < 0:
                deal(rules[0], S[i], rng.mix(pickers[i]))
            legal(rules[0], S[i], mask[i])


def our_rules(setting: Setting, num_games: int) -> Run:
    """The rules alone: the mask written at every decision, no observation."""
    batch = batch_on("cpu", setting, num_games, seed=1)
    batch.play_random(200)
    pickers, mask, steps = picker_seeds(1, num_games), np.array(batch.action_mask), max(1, 100_000 // num_games)

    def step() -> int:
        play_with_masks(batch.rules, batch.states, pickers, mask, steps)
        return steps * num_games

    return lambda seconds: rate(step, seconds)


def our_cuda(setting: Setting, num_games: int) -> Run:
    """The batch on the GPU; the time of a sample ends when the device has finished."""
    from numba import cuda

    if not cuda.is_available():
        raise ImportError("no GPU that numba can use")
    batch = batch_on("cuda", setting, num_games, seed=1)
    batch.play_random(200)

    def step() -> int:
        batch.play_random(20)
        cuda.synchronize()
        return 20 * num_games

    return lambda seconds: rate(step, seconds)


def memory_ceiling(setting: Setting, num_games: int) -> Run:
    """Rows a second of a plain copy of as many bytes as a decision writes, in buffers of the same size."""
    batch: Any = batch_on("cpu", setting, num_games)
    bytes_written = sum(
        a[0].nbytes for a in (batch.observation, batch.action_mask, batch.reward, batch.seat, batch.done)
    )
    source = np.ones((num_games, bytes_written), np.int8)
    target = np.zeros_like(source)

    def step() -> int:
        np.copyto(target, source)
        return num_games

    return lambda seconds: rate(step, seconds)


# --- PettingZoo's interface, with and without rules


def aec_loop(env: Any) -> Run:
    """Masked random play through PettingZoo's agent loop."""
    generator = np.random.default_rng(0)
    env.reset(seed=1)

    def step() -> int:
        observation, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            env.reset()
            return 0
        mask = info["action_mask"] if "action_mask" in info else observation["action_mask"]
        allowed = np.flatnonzero(mask)
        env.step(int(allowed[generator.integers(len(allowed))]))
        return 1

    return lambda seconds: rate(step, seconds)


def no_rules_env(game: Game, wrapped: bool) -> Any:
    """An environment without rules, with the spaces of a game: what PettingZoo's interface itself costs."""
    import gymnasium
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

    players = game.usual_players
    size, actions = game.layout(players).size, game.num_actions(players)

    class NoRules(AECEnv):
        metadata = {"name": "no_rules_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

        def __init__(self) -> None:
            self.possible_agents = [f"player_{i}" for i in range(players)]
            space: dict[str, Any] = {
                "observation": gymnasium.spaces.Box(-128, 127, (size,), np.float32),
                "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
            }
            self.observation_spaces = {a: gymnasium.spaces.Dict(space) for a in self.possible_agents}
            self.action_spaces = {a: gymnasium.spaces.Discrete(actions) for a in self.possible_agents}
            self.content = {"observation": np.zeros(size, np.float32), "action_mask": np.ones(actions, np.int8)}
            self.render_mode = None

        def observation_space(self, agent: str) -> Any:
            return self.observation_spaces[agent]

        def action_space(self, agent: str) -> Any:
            return self.action_spaces[agent]

        def observe(self, agent: str) -> Any:
            return self.content

        def reset(self, seed: int | None = None, options: Any = None) -> None:
            self.agents = self.possible_agents[:]
            self.rewards = dict.fromkeys(self.agents, 0)
            self._cumulative_rewards = dict.fromkeys(self.agents, 0)
            self.terminations = dict.fromkeys(self.agents, False)
            self.truncations = dict.fromkeys(self.agents, False)
            self.infos: dict[str, Any] = {a: {} for a in self.agents}
            self.turn, self.agent_selection = 0, self.agents[0]

        def step(self, action: int) -> None:
            self._cumulative_rewards[self.agent_selection] = 0
            self.turn = (self.turn + 1) % players
            self.agent_selection = self.agents[self.turn]
            self._accumulate_rewards()

    env = NoRules()
    if not wrapped:
        return env
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(env, illegal_reward=-1))
    )


def pettingzoo_classic(name: str, **options: Any) -> Run:
    """A game of PettingZoo Classic with its default wrappers."""
    import warnings

    warnings.simplefilter("ignore")
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    module = importlib.import_module(f"pettingzoo.classic.{name}")
    return aec_loop(module.env(**options))


# --- other peers


def rlcard_game(name: str) -> Run:
    """RLCard's own loop: a state is the observation and the legal actions."""
    import rlcard

    env = rlcard.make(name, config={"seed": 1})
    rng = np.random.default_rng(0)
    now: dict[str, Any] = {"state": env.reset()[0]}

    def step() -> int:
        legal = list(now["state"]["legal_actions"])
        state, _ = env.step(legal[rng.integers(len(legal))])
        now["state"] = env.reset()[0] if env.is_over() else state
        return 1

    return lambda seconds: rate(step, seconds)


def openspiel_game(name: str) -> Run:
    """OpenSpiel's fastest way: the observation written in place, the mask filled from the legal list."""
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(name)
    observation = make_observation(game)
    mask = np.zeros(game.num_distinct_actions(), np.int8)
    rng = np.random.default_rng(0)
    now = {"state": game.new_initial_state()}

    def step() -> int:
        state = now["state"]
        if state.is_terminal():
            now["state"] = game.new_initial_state()
            return 0
        legal = state.legal_actions()
        if state.is_chance_node():
            state.apply_action(legal[rng.integers(len(legal))])
            return 0
        observation.set_from(state, state.current_player())
        mask[:] = 0
        mask[legal] = 1
        state.apply_action(legal[rng.integers(len(legal))])
        return 1

    return lambda seconds: rate(step, seconds)


def pgx_game(name: str, num_games: int) -> Run:
    """Pgx on the CPU: one compiled call for each batched step, with a random legal pick and automatic restart inside."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env: Any = pgx.make(name)
    restarting = auto_reset(env.step, env.init)

    @jax.jit
    def advance(state: Any, key: Any) -> Any:
        # The legal action with the greatest random number.
        noise = jax.random.uniform(key, state.legal_action_mask.shape)
        action = jnp.argmax(jnp.where(state.legal_action_mask, noise, -1.0), axis=1)
        keys = jax.random.split(key, num_games)
        return jax.vmap(restarting)(state, action, keys)

    key = jax.random.PRNGKey(0)
    now = {"state": jax.jit(jax.vmap(env.init))(jax.random.split(key, num_games)), "count": 0}
    advance(now["state"], key)

    def step() -> int:
        now["count"] += 1
        now["state"] = jax.block_until_ready(advance(now["state"], jax.random.fold_in(key, now["count"])))
        return num_games

    return lambda seconds: rate(step, seconds)


def our_rows(game: Game, num_games: int) -> dict[str, Callable[[], Run]]:
    """The rows of one of our games by name; the usual number of players first."""
    cores, usual = len(os.sched_getaffinity(0)), game.usual_players
    table: dict[str, Callable[[], Run]] = {}
    for players in dict.fromkeys([usual, *game.players]):
        name = f"{game.name} batch, {players} players, {num_games} games"
        table[name] = partial(our_batch, Setting(game, players), num_games)
    setting = Setting(game)
    table[f"{game.name} batch, {usual} players, {num_games} games, mask only"] = partial(our_rules, setting, num_games)
    copy = f"memory: plain copy of the same bytes, {game.name}, {usual} players, {num_games} games"
    table[copy] = partial(memory_ceiling, setting, num_games)
    if cores > 1:
        name = f"{game.name} batch, {usual} players, {num_games} games, {cores} threads on {cores} cores"
        table[name] = partial(our_batch, setting, num_games, cores)
    table[f"{game.name} batch on the GPU, {usual} players, 65536 games"] = partial(our_cuda, setting, 65536)

    def raw() -> RawEnv:
        return RawEnv(setting, game.name)

    table[f"{game.name} raw_env, {usual} players"] = lambda: aec_loop(raw())
    table[f"{game.name} env (default wrappers), {usual} players"] = lambda: aec_loop(CheckedEnv(raw()))
    bare = f"PettingZoo, no rules at all, spaces of {game.name}"
    table[f"{bare}, raw"] = lambda: aec_loop(no_rules_env(game, wrapped=False))
    table[f"{bare}, default wrappers"] = lambda: aec_loop(no_rules_env(game, wrapped=True))
    return table


def peer_rows() -> dict[str, Callable[[], Run]]:
    """The rows of others by name; calling one prepares it, or raises ImportError where the peer is not installed."""
    table: dict[str, Callable[[], Run]] = {}
    for name in ("tictactoe_v3", "connect_four_v3", "go_v5", "chess_v6"):
        options = {"board_size": 9} if name == "go_v5" else {}
        label = f"PettingZoo Classic {name}" + (" 9x9" if options else "")
        table[label] = partial(pettingzoo_classic, name, **options)
    for name in ("leduc-holdem", "uno", "doudizhu"):
        table[f"RLCard {name}"] = partial(rlcard_game, name)
    for name in ("havannah(board_size=5)", "hex(board_size=11)", "chinese_checkers(players=6)"):
        table[f"OpenSpiel {name}"] = partial(openspiel_game, name)
    for name in ("hex", "connect_four", "backgammon"):
        table[f"Pgx {name}, batch 1024"] = partial(pgx_game, name, 1024)
    return table


def one_core(row: str) -> set[int]:
    """The cores a row may use: one, unless its name says all."""
    cores = sorted(os.sched_getaffinity(0))
    return set(cores) if " cores" in row else {cores[-1]}


def measure(chosen: dict[str, Callable[[], Run]], repeats: int, seconds: float) -> dict[str, list[float]]:
    """Samples of every row that can run here, taken in turn."""
    everything = os.sched_getaffinity(0)
    prepared: dict[str, Run] = {}
    for name, prepare in chosen.items():
        print(f"preparing {name} ...", file=sys.stderr, flush=True)
        os.sched_setaffinity(0, one_core(name))
        try:
            prepared[name] = prepare()
            prepared[name](0.1)
        except ImportError as error:
            print(f"  left out: {error}", file=sys.stderr)
        os.sched_setaffinity(0, everything)
    samples: dict[str, list[float]] = {name: [] for name in prepared}
    for repeat in range(repeats):
        print(f"repeat {repeat + 1} of {repeats} ...", file=sys.stderr, flush=True)
        for name, run in prepared.items():
            os.sched_setaffinity(0, one_core(name))
            samples[name].append(run(seconds))
            os.sched_setaffinity(0, everything)
    return samples


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    cpu = platform.processor()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), cpu)
    names = ["timeline-env", "numpy", "numba", "pettingzoo", "gymnasium", "rlcard", "open_spiel", "pgx", "jax"]
    versions = {}
    for name in names:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    cores = str(len(os.sched_getaffinity(0)))
    return {"cpu": cpu, "cores": cores, "python": platform.python_version(), **versions}


def report(result: dict[str, Any], old: dict[str, Any] | None) -> list[str]:
    """Print the table; gives the rows of ours that got slower than in `old`."""
    print("\nmachine: " + ", ".join(f"{name} {value}" for name, value in result["machine"].items()) + "\n")
    heading = f"| {'decisions per second (median of ' + str(result['repeats']) + ')':<72} | {'median':>12} | {'lowest':>12} | {'highest':>12} |"
    print(heading + (f" {'before':>12} | {'now/then':>8} |" if old else ""))
    print("|" + "-" * 74 + "|" + ("-" * 13 + ":|") * 3 + ("-" * 13 + ":|" + "-" * 9 + ":|" if old else ""))
    slower = []
    for name, samples in result["rows"].items():
        median = statistics.median(samples)
        line = f"| {name:<72} | {median:>12,.0f} | {min(samples):>12,.0f} | {max(samples):>12,.0f} |"
        if old:
            before = statistics.median(old["rows"][name]) if name in old["rows"] else None
            line += f" {before:>12,.0f} | {median / before:>8.2f} |" if before else f" {'-':>12} | {'-':>8} |"
            if before and name.startswith(tuple(PACKAGES)) and median < SLOWER * before:
                slower.append(name)
        print(line)
    return slower


def read(path: Path) -> dict[str, Any]:
    """An earlier result."""
    label = f"--compare {quote(str(path))} is not a saved benchmark"
    result = table_of(read_json(path, label), label, "rows")
    try:
        for samples in result["rows"].values():
            statistics.median(map(float, samples))
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(f"{label}: {flatten(error)}") from None
    return result


def parse() -> argparse.Namespace:
    """The command line."""
    parser = cli.Parser(description=__doc__)
    parser.add_argument(
        "--rows", default="", help="only rows whose name contains one of these words, separated by commas"
    )
    parser.add_argument(
        "--game",
        nargs="+",
        default=list(PACKAGES),
        metavar="GAME",
        help=f"rows of ours: {', '.join(PACKAGES)} (default: all)",
    )
    parser.add_argument("--games", type=int, default=4096, help="games in a batch (default %(default)s)")
    parser.add_argument("--repeats", type=int, default=5, help="samples of every row (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a sample (default %(default)s)")
    parser.add_argument(
        "--json", type=Path, default=Path("benchmark.json"), help="where the samples are saved (default %(default)s)"
    )
    parser.add_argument("--compare", type=Path, help="an earlier result to compare with")
    arguments = parser.parse_args()
    if min(arguments.games, arguments.repeats) < 1 or not 0 < arguments.seconds < float("inf"):
        parser.error("--games, --repeats and --seconds must be above 0")
    return arguments


def main() -> None:
    arguments = parse()
    cli.check_writable("--json", arguments.json)
    old = read(arguments.compare) if arguments.compare else None
    words = [word for word in arguments.rows.split(",") if word]
    rows: dict[str, Callable[[], Run]] = {}
    for name in arguments.game:
        rows |= our_rows(game_named(name), arguments.games)
    rows |= peer_rows()
    chosen = {name: run for name, run in rows.items() if not words or any(w in name for w in words)}
    if not chosen:
        raise ValueError(f"--rows {arguments.rows!r}: no row's name contains that")
    result = {
        "machine": machine(),
        "repeats": arguments.repeats,
        "seconds": arguments.seconds,
        "rows": measure(chosen, arguments.repeats, arguments.seconds),
    }
    cli.to_json(arguments.json, result)
    slower = report(result, old)
    print(f"\nsaved: {arguments.json}")
    if slower:
        raise SystemExit("slower than before: " + "; ".join(slower))


if __name__ == "__main__":
    with cli.refusals():
        main()
