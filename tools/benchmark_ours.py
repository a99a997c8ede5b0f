"""The benchmark's rows of this project, and the rows beside them: the same work without a game."""

from __future__ import annotations

import os
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from timeline_env.engine import rng
from timeline_env.engine.batch import picker_seeds
from timeline_env.engine.devices import batch_on
from timeline_env.engine.jit import entry
from timeline_env.engine.loops import pick
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game, deal, legal, play, to_act
from timeline_env.extras import require
from timeline_env.wrappers.aec import CheckedEnv, RawEnv
from tools.benchmark_rows import LeftOut, Row, Step
from tools.search_speed import POSITIONS, prepare_search

SIMULATIONS = 400
"""How many a search makes in each of its positions."""
ARITHMETIC = "numba, no game: steps of a generator"

# --- the batch


def our_batch(setting: Setting, num_games: int, threads: int = 1) -> Step:
    """The batch: observation, mask and rewards written at every decision, random actions picked in the loop."""
    if threads > len(os.sched_getaffinity(0)):
        raise LeftOut(f"it needs {threads} cores")
    batch = batch_on("cpu", setting, num_games, seed=1, threads=threads)
    batch.play_random(200)  # into the middle of the games
    steps = max(1, 100_000 // num_games)

    def step() -> int:
        batch.play_random(steps)
        return steps * num_games

    return step


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


def our_rules(setting: Setting, num_games: int) -> Step:
    """The rules alone: the mask written at every decision, no observation."""
    batch = batch_on("cpu", setting, num_games, seed=1)
    batch.play_random(200)
    pickers, mask, steps = picker_seeds(1, num_games), np.array(batch.action_mask), max(1, 100_000 // num_games)

    def step() -> int:
        play_with_masks(batch.rules, batch.states, pickers, mask, steps)
        return steps * num_games

    return step


def our_cuda(setting: Setting, num_games: int) -> Step:
    """The batch on the GPU; the time of a sample ends when the device has finished."""
    from numba import cuda

    if not cuda.is_available():
        raise LeftOut("no GPU that numba can use")
    batch = batch_on("cuda", setting, num_games, seed=1)
    batch.play_random(200)

    def step() -> int:
        batch.play_random(20)
        cuda.synchronize()
        return 20 * num_games

    return step


def copy_bytes(setting: Setting, num_games: int) -> Step:
    """A plain copy of as many bytes as a decision writes, in buffers of the same size."""
    batch: Any = batch_on("cpu", setting, num_games)
    bytes_written = sum(
        a[0].nbytes for a in (batch.observation, batch.action_mask, batch.reward, batch.seat, batch.done)
    )
    source = np.ones((num_games, bytes_written), np.int8)
    target = np.zeros_like(source)

    def step() -> int:
        np.copyto(target, source)
        return num_games

    return step


# --- search


def our_search(setting: Setting, name: str) -> Step:
    """A search of `SIMULATIONS` in each of some positions; simulations are counted."""
    search = prepare_search(setting, f"{name}:{SIMULATIONS}")

    def step() -> int:
        search()
        return POSITIONS * SIMULATIONS

    return step


def compute() -> Step:
    """Compiled arithmetic in which each step waits for the one before: how fast the core itself is just now."""
    from numba import njit

    @njit
    def run(state: Any, steps: int) -> Any:
        for _ in range(steps):
            state ^= state << np.uint64(13)
            state ^= state >> np.uint64(7)
            state ^= state << np.uint64(17)
        return state

    state = np.uint64(1)
    run(state, 1)  # compiled here

    def step() -> int:
        nonlocal state
        state = np.uint64(run(state, 1_000_000))
        return 1_000_000

    return step


# --- learning


TWO_CORES = {"torch's 2 threads on 2 cores": "threads=2", "played ahead on 2 cores": "ppo.ahead=true"}
"""Two ways to learn with two cores, and the key of the configuration for each."""


def learning_config(game: Game, kind: str = "selfplay", *changes: str) -> Any:
    """A configuration of the game, with the learner in every seat."""
    require("torch", "train")
    from training.config import load_config

    alone = ["learner=ppo", "opponents={self: 1}", "threads=1"]
    return load_config(Path(f"{game.name}_{kind}"), [*alone, *changes])


def our_learning(game: Game, kind: str, *changes: str) -> Step:
    """Whole updates of the learner `ppo`: play, and learn from it. Decisions learned from are counted."""
    # Updates of the usual size, since those of the shipped agents take seconds each.
    config = learning_config(game, kind, *changes, *([] if kind == "selfplay" else ["envs=256", "ppo.n_steps=16"]))
    import torch

    from training.learners.ppo import PPO
    from training.opponents.league import League

    learner = PPO(config, League(config.setting, config.opponents, None), seed=1)

    def step() -> int:
        torch.set_num_threads(config.threads)  # the rows share a process
        decisions = learner.update(config.now(0)).decisions
        if learner.ahead:
            # Several updates, so that learning overlaps with play; then wait, so that no play is left for the next sample.
            decisions += sum(learner.update(config.now(0)).decisions for _ in range(4))
            learner.ahead.wait()
        return decisions

    return step


def fit_network(game: Game) -> Step:
    """PyTorch alone: gradient steps of a network as large as the learner's, on random numbers; examples are counted."""
    config = learning_config(game)
    import torch
    from torch import nn

    torch.set_num_threads(config.threads)
    inputs = len(game.layout(config.num_players).columns(config.pieces))
    widths = [inputs, *config.network.hidden, game.num_actions(config.num_players)]
    layers = [part for before, after in pairwise(widths) for part in (nn.Linear(before, after), nn.Tanh())]
    network = nn.Sequential(*layers[:-1])
    optimizer = torch.optim.Adam(network.parameters())
    seen = torch.randn(config.ppo.batch_size, inputs)

    def step() -> int:
        optimizer.zero_grad()
        network(seen).square().mean().backward()
        optimizer.step()
        return len(seen)

    return step


# --- PettingZoo's interface, with and without rules


def aec_loop(env: Any) -> Step:
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

    return step


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


# --- the rows


def our_rows(game: Game, num_games: int) -> list[Row]:
    """The rows of one of our games, the usual number of players first, and those beside them."""
    usual, setting = game.usual_players, Setting(game)
    copy = f"memory: plain copy of the same bytes, {game.name}, {usual} players, {num_games} games"
    bare = f"PettingZoo, no rules at all, spaces of {game.name}"
    fit = f"PyTorch, no game: a network as large, {game.name}, examples"
    batch = f"{game.name} batch, {usual} players, {num_games} games"

    def raw() -> RawEnv:
        return RawEnv(setting, game.name)

    return [
        *(
            Row(
                f"{game.name} batch, {players} players, {num_games} games",
                partial(our_batch, Setting(game, players), num_games),
                ARITHMETIC,
            )
            for players in dict.fromkeys([usual, *game.players])
        ),
        Row(f"{batch}, mask only", partial(our_rules, setting, num_games), ARITHMETIC),
        Row(copy, partial(copy_bytes, setting, num_games)),
        Row(f"{batch}, 2 threads on 2 cores", partial(our_batch, setting, num_games, 2), ARITHMETIC, 2, True),
        Row(
            f"{game.name} batch on the GPU, {usual} players, 65536 games",
            partial(our_cuda, setting, 65536),
            by_the_clock=True,
        ),
        *(
            Row(
                f"{game.name} search, {usual} players, {name}:{SIMULATIONS}, simulations",
                partial(our_search, setting, name),
                ARITHMETIC,
            )
            for name in ("flat", "mcts")
        ),
        Row(
            f"{game.name} learning, ppo, self-play alone, decisions learned",
            partial(our_learning, game, "selfplay"),
            fit,
        ),
        *(
            Row(
                f"{game.name} learning, {game.name}_{kind}, {way}",
                partial(our_learning, game, kind, change),
                fit,
                2,
                True,
            )
            for kind in ("selfplay", "shipped")
            for way, change in {"one thread of 2 cores": "threads=1", **TWO_CORES}.items()
        ),
        Row(fit, partial(fit_network, game)),
        Row(f"{game.name} raw_env, {usual} players", lambda: aec_loop(raw()), f"{bare}, raw"),
        Row(
            f"{game.name} env (default wrappers), {usual} players",
            lambda: aec_loop(CheckedEnv(raw())),
            f"{bare}, default wrappers",
        ),
        Row(f"{bare}, raw", lambda: aec_loop(no_rules_env(game, wrapped=False))),
        Row(f"{bare}, default wrappers", lambda: aec_loop(no_rules_env(game, wrapped=True))),
    ]


def core_row() -> Row:
    """The core's own speed, beside the rows that are compiled.

    The batch is not compared with the plain copy: other programs slow the memory down, and the copy far more than us.
    """
    return Row(ARITHMETIC, compute)
