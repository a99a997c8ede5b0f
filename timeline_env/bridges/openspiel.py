"""The games as Python games of OpenSpiel: ``import timeline_env.bridges.openspiel``, then ``pyspiel.load_game("python_timeline")``.

**Chance.** The engine's chance is a generator inside the position. Here every use of it is a chance node with `outcomes` equally
likely outcomes, each of which sets the generator to a seed of its own: first the deal, then whatever rolls dice or draws. So a state is a
function of its history, and with few outcomes a game can be enumerated.

**What players know.** An information state is the sequence of all that the seat has seen and done. The observation is the
environment's. `resample_from_infostate` is the verb ``determinize``, as search players use it.

Parameters: ``players``, ``outcomes``, ``seed`` (0 to 2**31 - 1), ``rules`` (a TOML file; empty for the game as it is),
``position`` (a text file with a position to begin from; each outcome deals the hidden cards again), ``normalize`` (whether the numbers of
an observation are scaled to -1 to 1). ``python_tiny_timeline`` is an endgame of Timeline small enough to be solved; it takes
``outcomes``, ``seed``, ``normalize``, and ``players`` with no other value than 2, because OpenSpiel's own examples give it.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine import loops
from timeline_env.engine.batch import Batch, game_seeds
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.extras import require
from timeline_env.games import PACKAGES, game_named
from timeline_env.reading import check_integer, quote, read_text

pyspiel = require("pyspiel", "openspiel")
PythonState: Any = pyspiel.State
PythonGame: Any = pyspiel.Game

OUTCOMES = 1024
"""Outcomes of a chance node, unless the parameter says otherwise."""
MOST_OUTCOMES = 1 << 20
"""Each outcome is a seed that is kept; these are far more than a game can be enumerated with."""
LONGEST = 10_000
"""Decisions and chance nodes: more than any game has."""


class SharedState:
    """What all copies of a state have in common: copying it gives the same object."""

    def __deepcopy__(self, memo: Any) -> Self:
        return self


@dataclass(frozen=True, eq=False)
class Moment(SharedState):
    """A position after some history.

    Attributes:
        before: the moment before; None after the deal.
        mover, action: the seat that led here, and by which action; -1 after the deal.
        states: the position, records [1].
        seat: who decides next; -1 when the game is over.
        mask: int8 [A], 1 for each legal action.
        returns: what every seat has earned so far.
    """

    before: Moment | None
    mover: int
    action: int
    states: Any
    seat: int
    mask: NDArray[np.int8]
    returns: list[float]
    _told: dict[int, str] = field(default_factory=dict)

    def hash_for(self, table: Table, player: int) -> str:
        """A hash of all that the player has seen and done so far."""
        missing, moment = [], self
        while player not in moment._told:
            missing.append(moment)
            if moment.before is None:
                break
            moment = moment.before
        for moment in reversed(missing):
            before = moment.before._told[player] if moment.before else ""
            did = f"{moment.action}" if moment.mover == player else ""
            seen = f"{before};{did};{moment.seat};".encode() + table.observe(moment, player).tobytes()
            moment._told[player] = hashlib.sha256(seen).hexdigest()
        return self._told[player]

    def __reduce__(self) -> tuple[Any, ...]:
        """All earlier moments go into one list: pickle would recurse from each moment into the one before, deeper than it can."""
        moments: list[tuple[Any, ...]] = []
        at: Moment | None = self
        while at:
            moments.append((at.mover, at.action, at.states, at.seat, at.mask, at.returns, at._told))
            at = at.before
        return _last_of, (moments[::-1],)


def _last_of(moments: list[tuple[Any, ...]]) -> Moment | None:
    """The last of these moments; of each all fields but the first are given, which is the moment before it in the list."""
    last = None
    for rest in moments:
        last = Moment(last, *rest)
    return last


class Table(SharedState):
    """One batch that plays for all states of a game, for one thread at a time."""

    def __init__(
        self, game: Game, players: int, outcomes: int, seed: int, rules: str, position: str, normalize: bool
    ) -> None:
        self.lock = threading.RLock()
        self.batch = Batch(Setting(game, players, rules or None), 1)
        self.normalize = normalize
        self.seeds = game_seeds(seed, check_integer("outcomes", outcomes, 1, MOST_OUTCOMES))
        self.start = read_position(self.batch, position) if position else None

    def __getstate__(self) -> dict[str, Any]:
        """All but the lock: a copy, such as the one in a pickled observer, gets its own."""
        return self.__dict__ | {"lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state, lock=threading.RLock())

    def deal(self, outcome: int) -> Moment:
        """The game's beginning: a deal, or the position with every seat's hidden cards dealt again."""
        with self.lock:
            batch, seeds = self.batch, self.seeds[outcome : outcome + 1]
            batch.deal(seeds)
            if self.start is not None:
                batch.states[:] = self.start
                for seat in range(batch.num_players):
                    # A seed for each seat: the same shuffle of nearly the same cards would deal the same ones.
                    loops.determinize_games(batch.rules, batch.states, np.array([seat]), seeds ^ np.uint64(seat))
                batch.refresh()
            return self.moment(None, -1, [0.0] * batch.num_players)

    def chance(self, moment: Moment, action: int) -> Moment | None:
        """The moment after an action that uses no chance; None if it uses some."""
        after = self.play(moment, action)
        return after if after.states.rng[0] == moment.states.rng[0] else None

    def play(self, moment: Moment, action: int, outcome: int | None = None) -> Moment:
        """The moment after an action, with the generator set by a chance outcome if there is one."""
        with self.lock:
            batch = self.batch
            batch.states[:] = moment.states
            if outcome is not None:
                batch.states.rng[:] = self.seeds[outcome]
            batch.action_mask[0] = moment.mask
            batch.step([action], restart=False)
            returns = [total + more for total, more in zip(moment.returns, batch.reward[0].tolist(), strict=True)]
            return self.moment(moment, action, returns)

    def moment(self, before: Moment | None, action: int, returns: list[float]) -> Moment:
        """The moment that the batch holds."""
        batch, mover = self.batch, before.seat if before else -1
        return Moment(
            before, mover, action, batch.states.copy(), int(batch.seat[0]), batch.action_mask[0].copy(), returns
        )

    def observe(self, moment: Moment, player: int) -> NDArray[np.int8]:
        """What a player sees; int8 [d]."""
        with self.lock:
            self.batch.states[:] = moment.states
            return self.batch.observe([0], [player])[0]

    def tensor(self, moment: Moment, player: int) -> NDArray[Any]:
        """The observation of a player as a network takes it; [d]."""
        seen = self.observe(moment, player)
        return self.batch.layout.normalize(seen) if self.normalize else seen

    def resample(self, moment: Moment, word: int) -> Moment:
        """The same moment with whatever the seat to act does not know dealt again."""
        states = moment.states.copy()
        loops.determinize_games(self.batch.rules, states, np.array([moment.seat]), np.array([word], np.uint64))
        return Moment(moment.before, moment.mover, moment.action, states, moment.seat, moment.mask, moment.returns)


def read_position(batch: Batch, path: str) -> Any:
    """The position in a text file, records [1]. Raises ValueError if there is none."""
    text = read_text(Path(path), f"position {quote(path)}").strip()
    notation = batch.game.notation
    if notation.num_players_in(text) != batch.num_players:
        raise ValueError(f"position {path!r} must be one of {batch.num_players} players")
    batch.states[:] = notation.from_text(batch.rules, text)
    batch.refresh()
    if batch.seat[0] < 0:
        raise ValueError(f"position {path!r}: the game is over")
    if not batch.action_mask[0].any():
        raise ValueError(f"position {path!r}: its viewer is not the side to decide, so the legal actions are unknown")
    return np.asarray(batch.states).copy()


class BoardGameState(PythonState):
    """A state of one of the games."""

    def __init__(self, game: BoardGame) -> None:
        super().__init__(game)
        self.table = game.table
        self.moment: Moment | None = None
        self.pending: int | None = None
        self.resampled = False

    def current_player(self) -> int:
        if self.moment is None or self.pending is not None:
            return pyspiel.PlayerId.CHANCE
        return pyspiel.PlayerId.TERMINAL if self.moment.seat < 0 else self.moment.seat

    def is_terminal(self) -> bool:
        return self.current_player() == pyspiel.PlayerId.TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        assert self.moment is not None
        return np.flatnonzero(self.moment.mask).tolist() if player == self.moment.seat else []

    def legal_actions(self, player: int | None = None, /) -> list[int]:
        """The actions of the player to act, or of the one named, who has none at a chance node; OpenSpiel would give the outcomes."""
        if player is None:
            return super().legal_actions()
        return [] if self._waits(player) else super().legal_actions(player)

    def legal_actions_mask(self, player: int | None = None, /) -> list[int]:
        """`legal_actions` as a mask; at a chance node OpenSpiel would write the outcomes beyond its end."""
        if player is None:
            return super().legal_actions_mask()
        return [0] * self.num_distinct_actions() if self._waits(player) else super().legal_actions_mask(player)

    def _waits(self, player: int) -> bool:
        """Whether this is a player while chance decides."""
        return 0 <= player < self.num_players() and self.is_chance_node()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        count = len(self.table.seeds)
        return [(outcome, 1 / count) for outcome in range(count)]

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node() and not 0 <= action < len(self.table.seeds):
            raise pyspiel.SpielError(f"chance outcome {action} must be from 0 to {len(self.table.seeds) - 1}")
        if self.moment is None:
            self.moment = self.table.deal(action)
        elif self.pending is None and action not in self._legal_actions(self.moment.seat):
            # What programs for OpenSpiel catch; its own games raise nothing else.
            legal = " ".join(map(str, self._legal_actions(self.moment.seat)))
            raise pyspiel.SpielError(f"action {action} is not legal for player {self.moment.seat}; legal are {legal}")
        elif self.pending is not None:
            self.moment, self.pending = self.table.play(self.moment, self.pending, action), None
        else:
            after = self.table.chance(self.moment, action)
            self.moment, self.pending = after or self.moment, None if after else action

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        assert self.moment is not None
        batch = self.table.batch
        return batch.game.notation.action_to_text(batch.rules, self.moment.states[0], action)

    def returns(self) -> list[float]:
        return list(self.moment.returns) if self.moment else [0.0] * self.table.batch.num_players

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> BoardGameState:
        """A state that the player, who is to act, cannot distinguish from this one; `sampler` gives numbers from 0 to 1."""
        assert self.moment is not None
        if player != self.moment.seat:
            raise ValueError(
                f"player {player} is not to act; only the information state of {self.moment.seat} is known"
            )
        other = self.clone()
        other.moment, other.resampled = self.table.resample(self.moment, int(sampler() * 2**53)), True
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        """A state is its history, but for one that was resampled: its history leads to the true hidden cards."""
        if self.resampled:
            raise pyspiel.SpielError(
                "a state that was resampled does not follow from its history: it can be cloned, not pickled"
            )
        return _replay, (self.get_game(), self.history())

    def __str__(self) -> str:
        if self.moment is None:
            return "to be dealt"
        batch = self.table.batch
        text = batch.game.notation.to_text(batch.rules, self.moment.states[0])
        return text if self.pending is None else f"{text} chance after {self.pending}"


class Observer:
    """What a player sees."""

    def __init__(self, table: Table) -> None:
        self.table, self._of_thread = table, threading.local()

    def __getstate__(self) -> dict[str, Any]:
        """A copy takes along what this thread set last."""
        return {"table": self.table, "tensor": self.tensor}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.table, self._of_thread = state["table"], threading.local()
        self.tensor[:] = state["tensor"]

    @property
    def tensor(self) -> NDArray[np.float32]:
        """The observation that was set last in this thread, [d]: OpenSpiel sets it in one step and reads it in another."""
        if not hasattr(self._of_thread, "tensor"):
            self._of_thread.tensor = np.zeros(self.table.batch.layout.size, np.float32)
        return self._of_thread.tensor

    @property
    def dict(self) -> Mapping[str, NDArray[np.float32]]:
        """The tensor by its name."""
        return {"observation": self.tensor}

    def set_from(self, state: BoardGameState, player: int) -> None:
        self.tensor[:] = self.table.tensor(state.moment, player) if state.moment else 0

    def string_from(self, state: BoardGameState, player: int) -> str:
        return self.table.observe(state.moment, player).tobytes().hex() if state.moment else ""


class Recaller:
    """All that a player has seen and done: a string, and no tensor, because a history has no fixed length."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.tensor = np.zeros(0, np.float32)
        self.dict: dict[str, NDArray[np.float32]] = {}

    def set_from(self, state: BoardGameState, player: int) -> None:
        raise pyspiel.SpielError("an information state has a string and no tensor; the observation has both")

    def string_from(self, state: BoardGameState, player: int) -> str:
        return state.moment.hash_for(self.table, player) if state.moment else ""


class BoardGame(PythonGame):
    """One of the games with its parameters; `TYPE`, `NAME` and the parameters' defaults, `USUAL`, are set for each."""

    TYPE: Any
    NAME: str
    USUAL: dict[str, Any]

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = self.USUAL | (params or {})
        game, players, outcomes = game_named(self.NAME), given["players"], given["outcomes"]
        self.table = Table(game, **given)
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions(players), max_chance_outcomes=outcomes, num_players=players,
            min_utility=-1.0, max_utility=1.0, utility_sum=0.0, max_game_length=LONGEST,
        )  # fmt: skip
        super().__init__(self.TYPE, info, params or {})

    def new_initial_state(self) -> BoardGameState:
        return BoardGameState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer | Recaller:
        kind = iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False)
        if not kind.public_info or kind.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER or params:
            raise pyspiel.SpielError(
                f"an observer must be of public_info=True, private_info=SINGLE_PLAYER and without params, not {kind} {params}"
            )
        return (Recaller if kind.perfect_recall else Observer)(self.table)

    def __reduce__(self) -> tuple[Any, ...]:
        """A game is its name and its parameters, kept apart: in one text, a path with a comma would be read as two."""
        return _load_game, (self.get_type().short_name, self.get_parameters())


def _load_game(name: str, params: dict[str, Any]) -> Any:
    """A game from its name and parameters; in another process this module, and so the games, are imported first."""
    return pyspiel.load_game(name, params)


def _replay(game: BoardGame, history: list[int]) -> BoardGameState:
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


DATA = Path(__file__).resolve().parents[1] / "data" / "timeline"
USUAL: dict[str, Any] = {"outcomes": OUTCOMES, "seed": 0, "rules": "", "position": "", "normalize": False}
TINY: dict[str, Any] = {"outcomes": 8, "rules": str(DATA / "tiny.toml"), "position": str(DATA / "tiny.txt")}


def register(short_name: str, name: str, fixed: Collection[str] = (), **usual: Any) -> None:
    """Make a game known to OpenSpiel.

    Args:
        short_name: as OpenSpiel loads it.
        name: of the game.
        fixed: parameters that it does not take.
        usual: the parameters' defaults, where they differ from `USUAL`.
    """
    game = game_named(name)
    usual = USUAL | {"players": game.players[0]} | usual
    long_name = short_name.replace("_", " ").title()
    kind = pyspiel.GameType(
        short_name=short_name, long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.players[-1], min_num_players=game.players[0],
        provides_information_state_string=True, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True,
        parameter_specification={key: value for key, value in usual.items() if key not in fixed},
    )  # fmt: skip
    pyspiel.register_game(kind, type(short_name, (BoardGame,), {"TYPE": kind, "NAME": name, "USUAL": usual}))


if "python_tiny_timeline" not in pyspiel.registered_names():
    for _name in PACKAGES:
        register(f"python_{_name}", _name)
    register("python_tiny_timeline", "timeline", ("rules", "position"), players=2, **TINY)
