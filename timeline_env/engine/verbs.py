"""The verbs every game has, resolved by the type of the record they are given.

A game's module registers one `Game`. In compiled code a verb becomes the game's own function when the caller is
compiled (so there is no cost and the result can be cached); in plain Python the verb looks it up.

Every verb takes the game's numbers, a record `rules`, and a position, a record `s`:

===========================  ==========================================================================================
``deal(rules, s, seed)``     set the game up from a seed (uint64), up to the first decision
``play(rules, s, action)``   do a legal action and go on to the next decision or the end
``legal(rules, s, mask)``    write 1 for each legal action and 0 elsewhere into ``mask`` (int8 [actions])
``to_act(s)``                the seat that decides next; -1 when the game is over
``observe(rules, s, seat, out)``  write what `seat` may know into ``out`` (int8 [layout size])
``rewards(rules, s, kind, out)``  write what the last ``play`` earned each seat into ``out`` (float32 [seats])
``standings(rules, s, points, rank)``  write each seat's points and rank (1 is best, ties share the mean) as float32
``estimate(rules, s, values)``  write what each seat may expect where a search breaks off (float64 [seats], -1 to 1)
``hide(rules, s, seat)``     wipe out of the record whatever `seat` does not know
``determinize(rules, s, seat, seed)``  deal whatever `seat` does not know anew, from a seed (uint64)
===========================  ==========================================================================================

``deal`` has two conditions, which the first batch of a game checks:

* It keeps its seed in the record's field ``seed`` (``u8``), for the seed of the next game follows from it.
* It sets every field, since the record still holds the game before.

``estimate`` is called for positions in which the game goes on, and may change the position. Its scale is that of results at the
end: 1 is sure to be first, -1 sure to be last, as if ranks from first to last were spread evenly over that range.

``determinize`` is for players that search. It is called for the seat to act, and guarantees this:

* It hides first and deals from what is left, so that nothing which ``hide`` wipes out can reach its result: worlds that `seat`
  cannot tell apart become the same bytes for the same seed.
* Every world that agrees with what ``hide`` leaves is equally likely: hands, the order of piles, whatever else is hidden.
  What the seat could only remember or guess (a card it put away, what another's play tells) is not taken into account.
* `seat` observes the same bytes before and after, and its legal actions stay the same.
* The record's generator goes on from the seed, so that chance to come is not the real game's. The field that keeps the seed
  of the deal stays wiped.
* The result is a position like any other: it can be played to the end.
"""

from __future__ import annotations

import dis
import importlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import overload
from numpy.typing import NDArray

from timeline_env.engine.codec import Codec
from timeline_env.engine.graph import Nodes
from timeline_env.engine.jit import NO_WRAPPERS, PLAIN_PYTHON
from timeline_env.engine.pieces import Layout
from timeline_env.reading import quote


@dataclass(frozen=True, eq=False)
class Game:
    """All that the engine, the environments and the tools need to know of a game."""

    name: str
    """As in the environment's id: ``timeline``."""
    rules_version: int
    """Goes up with every change of rules, actions or observation that a trained agent would notice."""
    state: np.dtype[Any]
    rules: np.dtype[Any]
    codec: Codec
    rewards: tuple[str, ...]
    """Names of the kinds of reward; a kind's number is its index here."""
    players: range
    """The numbers of players that can play."""
    usual_players: int
    """The number of players where none is given."""
    load_rules: Callable[..., np.recarray[Any, Any]]
    """``load_rules(num_players, source=None)`` gives one validated `rules` record."""
    num_actions: Callable[[int], int]
    """Actions for a number of players: a prefix of the codec's."""
    layout: Callable[[int], Layout]
    """The observation's pieces for a number of players."""
    seat_names: tuple[str, ...]
    places: Callable[[int, int], NDArray[np.int64]] | None = None
    """For two numbers of players, the smaller first: where each number of an observation for the smaller lies in one for
    the larger; int64 [layout size]. None for a game whose observations have no common form, or with one number of players."""
    verbs: dict[str, Callable[..., Any]] = field(default_factory=dict)
    notation: Any = None
    """The module with ``to_text``, ``from_text``, ``num_players_in``, ``action_to_text``, ``action_from_text``."""
    baselines: dict[str, str] = field(default_factory=dict)
    """The scripted players by name, weakest first, each as ``module:Class``, which is imported when the player is asked for."""
    rollout: str = ""
    """The function by which searches play on, as ``module:function``, see `timeline_env.players.search.rollout`; empty: at random."""
    guard: str = ""
    """The class that keeps agents from losing at once, as ``module:Class``, see `timeline_env.players.interface.Guard`; or empty."""
    nodes: Callable[[int], tuple[Nodes, ...]] | None = None
    """For a number of players, what lies where, for networks that know the board."""
    candidates: Callable[[int], tuple[Nodes, ...]] | None = None
    """For a number of players, what actions name one by one (countries, cards), for networks with a head for them."""
    view: str = ""
    """The package of its pictures, which is imported when one is drawn: a module ``text`` with ``to_ansi`` and a module
    ``drawing`` with ``draw``, see `timeline_env.view`. If empty, the game has no pictures."""
    page: str = ""
    """The package of its parts of the page on which one plays, imported when they are asked for: the modules ``paths``,
    ``words``, ``board``, ``story`` and ``panels``, see `timeline_env.play.pages`. If empty, the game cannot be played there."""
    rule_numbers: str = ""
    """The module that knows how its rules are numbered, in docs, code and tests, see ``tools/rule_index.py``; or empty."""
    switches: dict[str, dict[str, dict[str, Any]]] = field(default_factory=dict)
    """Arguments of its environments that are True by default: by name, what False changes in the source of `load_rules`."""

    @property
    def title(self) -> str:
        """The name as it is written: ``Twilight Struggle``."""
        return self.name.replace("_", " ").title()

    def __reduce__(self) -> tuple[Any, ...]:
        """A game is copied and pickled by its name, so that a batch can be sent to another process."""
        return _game, (self.load_rules.__module__, self.name)


def _game(module: str, name: str) -> Game:
    importlib.import_module(module)
    return GAMES[name]


GAMES: dict[str, Game] = {}
VERBS = ("deal", "play", "legal", "to_act", "observe", "rewards", "standings", "estimate", "hide", "determinize")
COMPILED_FROM: dict[str, list[Any]] = {}
"""What the compiled loops of each game are made from, by its name: they are kept as long as Python runs."""


def check_game(game: Any) -> None:
    """Raise ValueError if this is not a `Game`, but a game's name, say."""
    if not isinstance(game, Game):
        raise ValueError(f"game {quote(game)} must be a Game, as game_named('timeline') gives it")


def register(game: Game) -> None:
    """Register a game, which may lie outside this package (docs/own_game.md).

    Raises ValueError if a verb or the record's field ``seed`` is missing or a verb is unknown, or if a game of another name has
    the same record: the rules of a position are found by its record. Likewise, unless all runs as plain Python, if a game of
    this name with other records or rules was registered before: its compiled loops would play on.
    """
    if set(game.verbs) != set(VERBS):
        raise ValueError(
            f"game {game.name!r} must have exactly the verbs {', '.join(VERBS)}; it has {', '.join(game.verbs)}"
        )
    twin = next((other.name for other in GAMES.values() if other.state == game.state and other.name != game.name), None)
    if twin is not None:
        raise ValueError(f"game {game.name!r} has the same record as {twin!r}: give a field of its STATE another name")
    if "seed" not in (game.state.names or ()):
        raise ValueError(f"game {game.name!r} must have a field 'seed' in its STATE, where deal keeps its seed")
    if not PLAIN_PYTHON:
        made_from = [game.state, game.rules, *_traces(tuple(game.verbs[verb] for verb in VERBS), set())]
        if COMPILED_FROM.setdefault(game.name, made_from) != made_from:
            raise ValueError(
                f"game {game.name!r} is already registered with other rules: start Python anew, or work with NUMBA_DISABLE_JIT=1"
            )
    GAMES[game.name] = game


def _traces(value: Any, seen: set[FunctionType]) -> Iterator[Any]:
    """What compiled code is made from: of a function its code, and the constants that it names and functions that it calls likewise."""
    value = getattr(value, "py_func", value)
    if isinstance(value, tuple):
        for part in value:
            yield from _traces(part, seen)
    elif isinstance(value, CodeType):
        # Code objects themselves differ once they have moved to another line.
        yield value.co_code, value.co_names, value.co_varnames
        yield from _traces(value.co_consts, seen)
    elif isinstance(value, FunctionType):
        if value not in seen:
            seen.add(value)
            code, known = value.__code__, value.__globals__
            steps = [step for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"]
            used = [known.get(step.argval) for step in steps]
            modules = [vars(each) for each in used if isinstance(each, ModuleType)]
            yield from _traces((code, value.__defaults__, *used), seen)
            yield from _traces(tuple(place.get(name) for place in modules for name in code.co_names), seen)
            yield from _traces(tuple(cell.cell_contents for cell in value.__closure__ or ()), seen)
    elif isinstance(value, np.ndarray):
        yield value.dtype, value.shape, value.tobytes()
    elif isinstance(value, int | float | complex | str | bytes | frozenset | np.generic):
        yield repr(value)


def game_of(dtype: np.dtype[Any]) -> Game:
    """The game whose positions are records of `dtype`. Raises TypeError if there is none."""
    for game in GAMES.values():
        if game.state == dtype:
            return game
    raise TypeError(f"no registered game has this record: {dtype.names}")


def check_viewer(rules: Any, viewer: int | None) -> None:
    """Raises ValueError if `viewer` is neither None nor a seat of the game with these numbers (a record `rules`)."""
    if viewer is not None and viewer not in range(int(rules.num_players)):
        raise ValueError(f"viewer {viewer!r} must be None or a seat from 0 to {int(rules.num_players) - 1}")


def _implementation(verb: str, s: Any) -> Any:
    """What numba is to compile for `verb` on a record of type `s`: the game's own function, as written."""
    for game in GAMES.values():
        if isinstance(s, types.Record) and numba.from_dtype(game.state) == s:
            function = game.verbs[verb]
            return function if PLAIN_PYTHON else getattr(function, "py_func", function)
    return None


def deal(rules, s, seed):
    game_of(s.dtype).verbs["deal"](rules, s, seed)


def play(rules, s, action):
    game_of(s.dtype).verbs["play"](rules, s, action)


def legal(rules, s, mask):
    game_of(s.dtype).verbs["legal"](rules, s, mask)


def to_act(s):
    return game_of(s.dtype).verbs["to_act"](s)


def observe(rules, s, seat, out):
    game_of(s.dtype).verbs["observe"](rules, s, seat, out)


def rewards(rules, s, kind, out):
    game_of(s.dtype).verbs["rewards"](rules, s, kind, out)


def standings(rules, s, points, rank):
    game_of(s.dtype).verbs["standings"](rules, s, points, rank)


def estimate(rules, s, values):
    game_of(s.dtype).verbs["estimate"](rules, s, values)


def hide(rules, s, seat):
    game_of(s.dtype).verbs["hide"](rules, s, seat)


def determinize(rules, s, seat, seed):
    game_of(s.dtype).verbs["determinize"](rules, s, seat, seed)


# One line per verb: numba requires that an overload's arguments are named as the stub's are.
overload(deal, jit_options=NO_WRAPPERS)(lambda rules, s, seed: _implementation("deal", s))
overload(play, jit_options=NO_WRAPPERS)(lambda rules, s, action: _implementation("play", s))
overload(legal, jit_options=NO_WRAPPERS)(lambda rules, s, mask: _implementation("legal", s))
overload(to_act, jit_options=NO_WRAPPERS)(lambda s: _implementation("to_act", s))
overload(observe, jit_options=NO_WRAPPERS)(lambda rules, s, seat, out: _implementation("observe", s))
overload(rewards, jit_options=NO_WRAPPERS)(lambda rules, s, kind, out: _implementation("rewards", s))
overload(standings, jit_options=NO_WRAPPERS)(lambda rules, s, points, rank: _implementation("standings", s))
overload(estimate, jit_options=NO_WRAPPERS)(lambda rules, s, values: _implementation("estimate", s))
overload(hide, jit_options=NO_WRAPPERS)(lambda rules, s, seat: _implementation("hide", s))
overload(determinize, jit_options=NO_WRAPPERS)(lambda rules, s, seat, seed: _implementation("determinize", s))
