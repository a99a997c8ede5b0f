"""The benchmark's rows of other libraries. Each is left out, with one line that says why, where its library is not installed."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from timeline_env.engine.batch import picker_seeds
from timeline_env.engine.loops import pick_random
from timeline_env.extras import require
from tools.benchmark_ours import aec_loop
from tools.benchmark_rows import Row, Step, import_peer

BATCH = 1024
"""Games of the peers that play many at once."""

# --- one game at a time, in Python


def pettingzoo_classic(label: str) -> Step:
    """A game of PettingZoo Classic with its default wrappers; the label is its module's name and the size of its board."""
    warnings.simplefilter("ignore")
    os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
    name, _, size = label.partition(" ")
    module = require(f"pettingzoo.classic.{name}", "peers")
    return aec_loop(module.env(**({"board_size": int(size.partition("x")[0])} if size else {})))


def rlcard_game(name: str) -> Step:
    """RLCard's own loop: a state is the observation and the legal actions."""
    rlcard = require("rlcard", "peers")
    env = rlcard.make(name, config={"seed": 1})
    generator = np.random.default_rng(0)
    state = env.reset()[0]

    def step() -> int:
        nonlocal state
        legal = list(state["legal_actions"])
        state, _ = env.step(legal[generator.integers(len(legal))])
        if env.is_over():
            state = env.reset()[0]
        return 1

    return step


def openspiel_game(name: str) -> Step:
    """OpenSpiel's fastest way: the observation written in place, the mask filled from the legal list."""
    pyspiel = require("pyspiel", "peers")
    make_observation = require("open_spiel.python.observation", "peers").make_observation
    game = pyspiel.load_game(name)
    observation = make_observation(game)
    mask = np.zeros(game.num_distinct_actions(), np.int8)
    generator = np.random.default_rng(0)
    state = game.new_initial_state()

    def step() -> int:
        nonlocal state
        if state.is_terminal():
            state = game.new_initial_state()
            return 0
        legal = state.legal_actions()
        if state.is_chance_node():
            state.apply_action(legal[generator.integers(len(legal))])
            return 0
        observation.set_from(state, state.current_player())
        mask[:] = 0
        mask[legal] = 1
        state.apply_action(legal[generator.integers(len(legal))])
        return 1

    return step


def catanatron_game() -> Step:
    """Catan with four of Catanatron's random players. It makes no observation."""
    catanatron, theirs = require("catanatron", "peers"), require("catanatron.game", "peers")

    def deal() -> Any:
        return catanatron.Game([catanatron.RandomPlayer(color) for color in catanatron.Color])

    game = deal()

    def step() -> int:
        nonlocal game
        if game.winning_color() is not None or game.state.num_turns >= theirs.TURNS_LIMIT:
            game = deal()
        game.play_tick()
        return 1

    return step


def struggler_game() -> Step:
    """Twilight Struggle by the engine `struggler`: what the side sees as an object, and the list of its options."""
    theirs = import_peer("struggler.engine", "github.com/alekpinel/struggler, for Python 3.12")
    generator = np.random.default_rng(0)
    engine = theirs.Engine.new_game(seed=0)

    def step() -> int:
        nonlocal engine
        if engine.is_terminal:
            engine = theirs.Engine.new_game(seed=int(generator.integers(2**31)))
        decision = engine.pending_decision
        if decision.actor is theirs.Side.CHANCE:
            engine.step(decision.options[0])  # rolled beforehand
            return 0
        options = engine.observe(decision.actor).pending_decision.options
        engine.step(options[generator.integers(len(options))])
        return 1

    return step


def ts_env_game() -> Step:
    """Twilight Struggle by the environment `ts-env`: arrays and a mask at every decision."""
    theirs = import_peer("twilight.env", "github.com/bingyang1132/ts-env")
    generator = np.random.default_rng(0)
    env = theirs.TwilightStruggleEnv(seed=0)
    observation, _ = env.reset()

    def step() -> int:
        nonlocal observation
        legal = np.flatnonzero(observation["action_mask"])
        observation, _, terminated, truncated, _ = env.step(int(legal[generator.integers(len(legal))]))
        if terminated or truncated:
            observation, _ = env.reset(int(generator.integers(2**31)))
        return 1

    return step


# --- many games at once, compiled


def jax_games(
    init: Callable[[Any], Any], legal: Callable[[Any], Any], play: Callable[[Any, Any, Any], Any], num_games: int
) -> Step:
    """A library on JAX: one compiled call for each batched step, with a random legal pick inside.

    Args:
        init: a game from a key; for one game, as are the others.
        legal: the mask of a game; bool [..., actions].
        play: the game after the actions [...], dealt again with a key if it ended.
        num_games: side by side.
    """
    import jax
    import jax.numpy as jnp

    @jax.jit
    def advance(games: Any, key: Any) -> Any:
        mask = jax.vmap(legal)(games)
        # The legal action with the greatest random number.
        action = jnp.argmax(jnp.where(mask, jax.random.uniform(key, mask.shape), -1.0), axis=-1)
        return jax.vmap(play)(games, action, jax.random.split(key, num_games))

    key = jax.random.PRNGKey(0)
    games, count = jax.jit(jax.vmap(init))(jax.random.split(key, num_games)), 0

    def step() -> int:
        nonlocal games, count
        count += 1
        games = jax.block_until_ready(advance(games, jax.random.fold_in(key, count)))
        return num_games

    return step


def pgx_game(name: str) -> Step:
    """Pgx, with the observation in its state."""
    pgx, auto_reset = require("pgx", "peers"), require("pgx.experimental", "peers").auto_reset
    env = pgx.make(name)
    return jax_games(env.init, lambda state: state.legal_action_mask, auto_reset(env.step, env.init), BATCH)


def ludax_game(name: str, observed: bool) -> Step:
    """Ludax; its observation is made after each step where it has one."""
    ludax, games = require("ludax", "peers"), require("ludax.games", "peers")
    import jax
    import jax.numpy as jnp

    env = ludax.LudaxEnvironment(game_str=getattr(games, name))

    def look(state: Any) -> Any:
        return state, env.observe(state, state.current_player) if observed else None

    def play(game: Any, action: Any, key: Any) -> Any:
        after, fresh = env.step(game[0], action.astype(jnp.int16)), env.init(key)
        over = after.terminated | after.truncated
        return look(jax.tree.map(lambda old, new: jnp.where(over, new, old), after, fresh))

    return jax_games(lambda key: look(env.init(key)), lambda game: game[0].legal_action_mask, play, BATCH)


def jaxmarl_hanabi(players: int) -> Step:
    """JaxMARL's Hanabi: all agents see and answer at every step, but only one of them decides."""
    jaxmarl = require("jaxmarl", "peers")
    import jax.numpy as jnp

    env = jaxmarl.make("hanabi", num_agents=players)

    def legal(game: Any) -> Any:
        moves = env.get_legal_moves(game[1])
        return jnp.stack([moves[agent] for agent in env.agents]) > 0

    def play(game: Any, action: Any, key: Any) -> Any:
        return env.step(key, game[1], {agent: action[i] for i, agent in enumerate(env.agents)})[:2]

    return jax_games(env.reset, legal, play, BATCH)


def envpool_game(name: str) -> Step:
    """EnvPool's games in C++, with one thread; legal actions are picked as in our batch."""
    envpool = require("envpool", "peers")
    env = envpool.make_gymnasium(name, num_envs=BATCH, num_threads=1)
    _, info = env.reset()
    words, action = picker_seeds(1, BATCH), np.zeros(BATCH, np.int64)
    generator = np.random.default_rng(0)

    def step() -> int:
        nonlocal info
        words[:] = generator.integers(2**64, size=BATCH, dtype=np.uint64)
        pick_random(np.ascontiguousarray(info["legal_action_mask"], np.int8), words, action)
        *_, info = env.step(action)
        return BATCH

    return step


def pufferlib_game(module: str, name: str) -> Step:
    """A game of PufferLib in C, in which a bot answers. It has no mask, so some random actions do nothing."""
    where = "the package index has it, for numpy below 2 and other versions of more: install it with --no-deps"
    theirs = import_peer(f"pufferlib.ocean.{module}.{module}", where)
    env = getattr(theirs, name)(num_envs=BATCH)
    env.reset()
    actions = np.random.default_rng(0).integers(env.single_action_space.n, size=(64, BATCH))
    count = 0

    def step() -> int:
        nonlocal count
        count += 1
        env.step(actions[count % len(actions)])
        return BATCH

    return step


# --- the rows


def peer_rows() -> list[Row]:
    """The rows of others."""
    classic = ("tictactoe_v3", "connect_four_v3", "go_v5 9x9", "chess_v6")
    return [
        *(Row(f"PettingZoo Classic {label}", partial(pettingzoo_classic, label)) for label in classic),
        *(Row(f"RLCard {name}", partial(rlcard_game, name)) for name in ("leduc-holdem", "uno", "doudizhu")),
        *(
            Row(f"OpenSpiel {name}", partial(openspiel_game, name))
            for name in ("havannah(board_size=5)", "hex(board_size=11)", "chinese_checkers(players=6)")
        ),
        Row("Catanatron, 4 players, no observation", catanatron_game),
        Row("struggler (Twilight Struggle in Python)", struggler_game),
        Row("ts-env (Twilight Struggle in Python)", ts_env_game),
        *(Row(f"Pgx {name}, batch {BATCH}", partial(pgx_game, name)) for name in ("hex", "connect_four", "backgammon")),
        Row(f"Ludax hex, batch {BATCH}", partial(ludax_game, "hex", observed=True)),
        Row(f"Ludax yavalath, batch {BATCH}, no observation", partial(ludax_game, "yavalath", observed=False)),
        Row(f"JaxMARL Hanabi, 4 players, batch {BATCH}", partial(jaxmarl_hanabi, 4)),
        *(Row(f"EnvPool {name}, batch {BATCH}", partial(envpool_game, name)) for name in ("Hex-v1", "Backgammon-v1")),
        Row(
            f"PufferLib tripletriad, batch {BATCH}, no mask, a bot answers",
            partial(pufferlib_game, "tripletriad", "TripleTriad"),
        ),
    ]
