"""Many games at once: the same loops for every game, written into buffers that the learner reads."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from timeline_env.engine import loops, record
from timeline_env.engine.jit import bind
from timeline_env.engine.setting import Setting
from timeline_env.engine.threads import MOST_THREADS, share
from timeline_env.engine.verbs import Game
from timeline_env.extras import require
from timeline_env.reading import check_integer, quote, unknown_name

BOUND: dict[tuple[Any, str], Any] = {}
"""The compiled loops by loop and game, as `run_loop` calls them."""

DECISIONS_A_CALL = 100_000
"""Decisions of random play in one compiled call, per thread: some tenths of a second. Ctrl-C waits for a call to end."""

CHECKED: set[Game] = set()
"""The games whose `deal` has passed `check_deal`."""

TENSORS = ("observation", "action_mask", "seat", "reward", "done")
"""The arrays of a batch that a learner reads."""
MOST_GAMES = 2**31 - 1
"""The most games in a batch; memory runs out long before."""


def run_loop(game: Game, loop: Any, *arguments: Any) -> Any:
    """Call a compiled loop over games of this kind.

    A loop must get the same kinds of arguments every time, Python's own int and bool included: nothing checks them. Called
    directly, it would determine them each time, which takes long and loses a Ctrl-C that comes meanwhile.
    """
    key = (loop, game.name)
    if key not in BOUND:
        BOUND[key] = bind(loop, arguments)
    return BOUND[key](*arguments)


class Batch:
    """`num_games` games that are played side by side, one decision in each per step.

    All arrays belong to the batch and are written in place; copy what you want to keep.

    Attributes:
        observation: int8 [n, d], what the seat to act sees, in a finished game what seat 0 does; `layout` names its pieces.
        action_mask: int8 [n, A], 1 for each legal action.
        seat: int64 [n], the seat to act; -1 in a finished game that was not dealt again.
        reward: float32 [n, players], what the last step earned every seat; for a game that the step left out, what the
            last step in that game earned.
        done: bool [n], whether the last step ended the game; for a game that it left out, as for `reward`.
        points, rank: float32 [n, players], the result of the game that ended there last (rank 1 is best, ties share the mean).
        states: record array [n], the positions.
        setting: what is played, with its `game`, its `num_players` and its `rules` (a record array [1]).
        layout: the observation's pieces.

    Args:
        setting: what is played.
        num_games: how many games, 1 to 2**31 - 1 (`MOST_GAMES`).
        seed: two batches with the same seed and the same actions hold the same bytes; None for a random seed.
        reward: the kind of reward, one of the game's.
        threads: how many threads share the games of a step, 1 to 1024 (`MOST_THREADS`); the results do not depend on it.

    Raises:
        ValueError: a value is not allowed; the message names it and what is. Or the game's `deal` is not as it must be, see
            `check_deal`.
    """

    def __init__(
        self, setting: Setting, num_games: int, seed: int | None = 0, reward: str = "rank", threads: int = 1
    ) -> None:
        self.num_games, self.threads = (
            check_integer("num_games", num_games, 1, MOST_GAMES),
            check_integer("threads", threads, 1, MOST_THREADS),
        )
        game = setting.game
        check_reward(game, reward)
        self.setting, self.game = setting, game
        self.num_players, self.rules = setting.num_players, setting.rules
        self.num_actions, self.layout = game.num_actions(self.num_players), game.layout(self.num_players)
        self.reward_kind = game.rewards.index(reward)
        self.states = record.new(game.state, self.num_games)
        self.observation = np.zeros((self.num_games, self.layout.size), np.int8)
        self.action_mask = np.zeros((self.num_games, self.num_actions), np.int8)
        self.seat = np.zeros(self.num_games, np.int64)
        self.reward = np.zeros((self.num_games, self.num_players), np.float32)
        self.done = np.zeros(self.num_games, np.bool_)
        self.points = np.zeros((self.num_games, self.num_players), np.float32)
        self.rank = np.zeros((self.num_games, self.num_players), np.float32)
        self.pickers = np.zeros(self.num_games, np.uint64)
        self._all = np.arange(self.num_games)
        self._asked = np.zeros(self.num_games, np.bool_)
        if game not in CHECKED:
            check_deal(setting)
            CHECKED.add(game)
        self.reset(seed_or_any(seed))

    def reset(self, seed: int | None = None) -> None:
        """Deal all games again: from `seed` (0 to 2**64 - 1), or each from the seed that follows its own.

        Raises:
            ValueError: a seed that is not allowed; nothing was changed.
        """
        if seed is None:
            self.restart(self._all)
        else:
            pickers, seeds = picker_seeds(seed, self.num_games), game_seeds(seed, self.num_games)
            self.pickers[:] = pickers
            self.deal(seeds)
        self.reward[:], self.done[:], self.points[:], self.rank[:] = 0, False, 0, 0

    def deal(self, seeds: NDArray[np.uint64], games: NDArray[np.int64] | None = None) -> None:
        """Deal every game, or the chosen ones, each from a seed of its own (uint64 [n], or [len(games)]).

        Raises:
            ValueError: seeds of another shape or kind, or games that are not distinct games of the batch.
        """
        games, seeds = self._select(games), np.ascontiguousarray(seeds)
        if seeds.shape != games.shape or seeds.dtype != np.uint64:
            raise ValueError(f"seeds must be uint64 of shape {games.shape}, not {seeds.dtype} {seeds.shape}")
        run_loop(self.game, loops.deal_games, self.rules, self.states, games, seeds, *self._look_arrays())

    def step(self, actions: ArrayLike, games: NDArray[np.int64] | None = None, restart: bool = True) -> None:
        """Take one decision in every game, or in the chosen ones.

        A game that ends is dealt again at once (unless `restart` is False): then `done`, `reward`, `points` and `rank`
        still describe the game that ended, while `observation`, `action_mask` and `seat` describe the new one.

        Args:
            actions: integers [n], or [len(games)].
            games: which games, int64; None for all.
            restart: whether finished games are dealt again.

        Raises:
            ValueError: an action is not legal, or games are not distinct games of the batch; nothing was played.
        """
        games = self._select(games)
        chosen = np.asarray(actions)
        if chosen.shape != games.shape or (chosen.size and chosen.dtype.kind not in "iu"):
            raise ValueError(f"actions must be integers of shape {games.shape}, not {chosen.dtype} {chosen.shape}")
        chosen, restart = np.ascontiguousarray(chosen, np.int64), bool(restart)
        illegal = run_loop(self.game, loops.first_illegal, self.action_mask, games, chosen)
        if illegal >= 0:
            raise ValueError(self._why_illegal(int(games[illegal]), int(np.asarray(actions)[illegal])))
        self.step_legal(chosen, games, restart)

    def step_legal(self, actions: NDArray[np.int64], games: NDArray[np.int64], restart: bool) -> None:
        """Do what `step` does once its checks have passed, for a caller that has checked: both arrays are int64 [k]."""

        def work(start: int, stop: int) -> None:
            run_loop(
                self.game, loops.step_games,
                self.rules, self.states, games[start:stop], actions[start:stop], self.reward_kind, restart,
                *self._look_arrays(), self.reward, self.done, self.points, self.rank,
            )  # fmt: skip

        share(self.threads, len(games), work)

    def _look_arrays(self) -> tuple[Any, ...]:
        return self.observation, self.action_mask, self.seat

    def _why_illegal(self, i: int, action: int) -> str:
        """One line that names an illegal action of game `i` and the legal ones."""
        allowed = np.flatnonzero(self.action_mask[i])
        if not len(allowed):
            return f"game {i} is over: action {action} cannot be played; restart it first"
        return f"game {i}: action {action} is not legal; legal are {' '.join(map(str, allowed))}"

    def play_random(self, steps: int) -> None:
        """Take `steps` uniformly random legal decisions in every game, inside the compiled loop.

        Raises:
            ValueError: `steps` is not an integer of at least 0, or a game is over and was not dealt again.
        """
        steps = check_integer("steps", steps, 0)
        over = np.flatnonzero(self.seat < 0)
        if len(over):
            raise ValueError(f"game {over[0]} is over: it cannot be played; restart it first")

        def work(start: int, stop: int) -> None:
            part = slice(start, stop)
            run_loop(
                self.game, loops.play_random_games,
                self.rules, self.states[part], self.pickers[part], at_once, self.reward_kind,
                self.observation[part], self.action_mask[part], self.seat[part],
                self.reward[part], self.done[part], self.points[part], self.rank[part],
            )  # fmt: skip

        while steps:
            at_once = min(steps, max(1, DECISIONS_A_CALL * self.threads // self.num_games))
            share(self.threads, self.num_games, work)
            steps -= at_once

    def restart(self, games: NDArray[np.int64]) -> None:
        """Deal the chosen games again, each from the seed that follows its own."""
        run_loop(self.game, loops.restart_games, self.rules, self.states, self._select(games), *self._look_arrays())

    def refresh(self, games: NDArray[np.int64] | None = None) -> None:
        """Write the buffers of the chosen games again, after a change of `states` from outside: all but `reward` and `done`."""
        games = self._select(games)
        run_loop(self.game, loops.look_at_games, self.rules, self.states, games, *self._look_arrays())
        run_loop(self.game, loops.judge_games, self.rules, self.states, games, self.points, self.rank)

    def seats_in(self, states: Any) -> NDArray[np.int64]:
        """The seats to act in other positions (record array [k]) of the same game; int64 [k], -1 where the game is over."""
        count = len(states)
        looks = np.empty((count, self.layout.size), np.int8), np.empty((count, self.num_actions), np.int8)
        seats = np.empty(count, np.int64)
        whole = np.ascontiguousarray(states)  # compiled loops go from record to record and check nothing
        run_loop(self.game, loops.look_at_games, self.rules, whole, np.arange(count), *looks, seats)
        return seats

    def observe(self, games: ArrayLike, seats: ArrayLike) -> NDArray[np.int8]:
        """What any seats see, whichever seat is to act: int8 [k, d], a new array.

        Args:
            games: integers [k], games of the batch, each as often as wanted.
            seats: integers [k], the seat that looks at the game in the same row.

        Raises:
            ValueError: a game or a seat does not exist.
        """
        chosen, lookers = check_views(games, seats, self.num_games, self.num_players)
        out = np.empty((len(chosen), self.layout.size), np.int8)
        run_loop(self.game, loops.observe_games, self.rules, self.states, chosen, lookers, out)
        return out

    def tensors(self) -> dict[str, Any]:
        """Observation, mask, seat, reward and done as PyTorch tensors over the same memory, by name."""
        return {name: tensor_over(getattr(self, name)) for name in TENSORS}

    def _select(self, games: ArrayLike | None) -> NDArray[np.int64]:
        """All games, or the chosen ones. Compiled loops check nothing, and a game chosen twice would be played blindly."""
        if games is None:
            return self._all
        chosen = game_numbers(games)
        bad = run_loop(self.game, loops.first_bad_game, chosen, self.num_games, self._asked)
        if bad >= 0:
            raise ValueError(f"game {chosen[bad]}: games must be distinct numbers from 0 to {self.num_games - 1}")
        return chosen


def check_deal(setting: Setting) -> None:
    """Raise ValueError unless the game's `deal` keeps its seed in the field `seed`, and sets every field anew."""
    game, states, seeds = setting.game, record.new(setting.game.state, 2), np.full(2, 2**64 - 2, np.uint64)
    names = game.state.names or ()
    # In the second record ones stand for the game before: taken as indices, they do no harm. Nobody sets the filler; overlays
    # come last, and are filled first.
    for name in reversed(names):
        states[name][1] = int(name != "filler")
    looks = (
        np.zeros((2, game.layout(setting.num_players).size), np.int8),
        np.zeros((2, game.num_actions(setting.num_players)), np.int8),
        np.zeros(2, np.int64),
    )
    run_loop(game, loops.deal_games, setting.rules, states, np.arange(2), seeds, *looks)
    if (states["seed"] != seeds).any():
        raise ValueError(f"game {game.name!r}: deal must keep its seed in the field seed, of type u8")
    left = [name for name in names if states[name][0].tobytes() != states[name][1].tobytes()]
    if left:
        raise ValueError(
            f"game {game.name!r}: deal must set every field; as the game before left them it leaves {', '.join(left)}"
        )


def tensor_over(array: Any) -> Any:
    """A PyTorch tensor over the memory of an array of either kind of batch, on the device where it lies."""
    torch = require("torch", "train")
    if hasattr(array, "__cuda_array_interface__"):
        return torch.as_tensor(array, device="cuda")
    return torch.from_numpy(np.asarray(array))


def game_numbers(games: ArrayLike) -> NDArray[np.int64]:
    """Games as int64 [k]. Raises ValueError unless they are integers of one dimension; whether they exist is not checked."""
    chosen = np.asarray(games)
    if chosen.ndim != 1 or (chosen.size and chosen.dtype.kind not in "iu"):
        raise ValueError(f"games must be integers of one dimension, not {chosen.dtype} {chosen.shape}")
    return np.ascontiguousarray(chosen, np.int64)


def check_views(
    games: ArrayLike, seats: ArrayLike, num_games: int, num_players: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Games and the seats that look at them as int64 [k]. Raises ValueError if one does not exist."""
    chosen, lookers = np.asarray(games), np.asarray(seats)
    for name, values, count in (("games", chosen, num_games), ("seats", lookers, num_players)):
        whole = values.dtype.kind in "iu" or not values.size
        if (
            not whole
            or values.shape != (chosen.size,)
            or (values.size and not 0 <= values.min() <= values.max() < count)
        ):
            raise ValueError(f"{name} {quote(values)} must be {chosen.size} integers from 0 to {count - 1}")
    return np.ascontiguousarray(chosen, np.int64), np.ascontiguousarray(lookers, np.int64)


def game_seeds(seed: int, count: int) -> NDArray[np.uint64]:
    """`count` seeds for independent games, uint64 [count]; the first ones are the same whatever `count` is."""
    seeds = np.zeros(count, np.uint64)
    loops.fill_streams(seed_word(seed), 0, seeds)
    return seeds


def picker_seeds(seed: int, count: int) -> NDArray[np.uint64]:
    """Seeds for the random play of `count` games, uint64 [count], independent of those of the deals."""
    seeds = np.zeros(count, np.uint64)
    loops.fill_streams(seed_word(seed), count, seeds)
    return seeds


def check_reward(game: Game, reward: Any) -> None:
    """Raise ValueError if this is not one of the game's kinds of reward."""
    if not isinstance(reward, str) or reward not in game.rewards:
        raise unknown_name("reward", reward, game.rewards)


def seed_or_any(seed: int | None) -> int:
    """The seed, or a random one if it is None."""
    return secrets.randbits(64) if seed is None else seed


def seed_word(seed: int) -> np.uint64:
    """A seed as the generator takes it. Raises ValueError if it is not an integer from 0 to 2**64 - 1."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or not 0 <= seed < 2**64:
        raise ValueError(f"seed {quote(seed)} must be an integer from 0 to 2**64 - 1")
    return np.uint64(seed)
