"""What the tests share: a position in the notation, and the moves played from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from typing import Any

import numpy as np
import pytest

from timeline_env import timeline_v0
from timeline_env.arena import processes
from timeline_env.engine.jit import entry
from timeline_env.timeline.realize import points_for
from timeline_env.timeline.state import SEAT_NAMES
from timeline_env.timeline.text import notation
from timeline_env.timeline.text.names import COMPASS, node_named


class Position:
    """A position that can be played on; nodes, moves and seats by their names in the notation."""

    def __init__(self, text: str, rules: Any = None, reward: str = "rank") -> None:
        self.batch = timeline_v0.batch(1, notation.num_players_in(text), rules=rules, reward=reward)
        self.rules = self.batch.rules
        np.asarray(self.batch.states)[:] = np.asarray(notation.from_text(self.rules, text))
        self.batch.refresh()

    @classmethod
    def dealt(cls, players: int, seed: int) -> Position:
        """A game at its beginning."""
        position = cls.__new__(cls)
        position.batch = timeline_v0.batch(1, players, seed)
        position.rules = position.batch.rules
        return position

    @property
    def s(self) -> Any:
        """The record."""
        return self.batch.states[0]

    @property
    def text(self) -> str:
        """The position in the notation."""
        return notation.to_text(self.rules, self.s)

    @property
    def turn(self) -> str:
        """Who is asked; ``nobody`` when the game is over."""
        return "nobody" if self.batch.seat[0] < 0 else SEAT_NAMES[self.batch.seat[0]]

    def play(self, *moves: str) -> Position:
        """Play the moves one after the other."""
        for move in moves:
            self.batch.step([notation.action_from_text(self.rules, self.s, move)], restart=False)
        return self

    def legal(self, start: str = "") -> list[str]:
        """The legal moves that begin so."""
        actions = np.flatnonzero(self.batch.action_mask[0])
        moves = [notation.action_to_text(self.rules, self.s, int(action)) for action in actions]
        return [move for move in moves if move.startswith(start)]

    def outcome(self, node: str) -> int:
        """1 it occurred, -1 it did not, 0 neither."""
        return int(self.s.outcome[node_named(node)])

    def points(self) -> list[int]:
        """Every seat's points."""
        return [int(points) for points in self.s.points[: self.batch.num_players]]

    def mark(self, node: str, direction: str) -> int:
        """1 cause, -1 hindrance, 0 none."""
        return int(self.s.mark[COMPASS.index(direction), node_named(node)])

    def reinforcement(self, node: str, direction: str) -> int:
        """Of the junction, as the node has it."""
        return int(self.s.reinforcement[COMPASS.index(direction), node_named(node)])

    def realization_points(self, node: str) -> int:
        """Links plus impacts, as the field stands."""
        return int(sum_up(self.rules, self.batch.states, node_named(node)))


@entry
def sum_up(rules, S, node):
    """`points_for` of the first record."""
    return points_for(rules[0], S[0], node)


@pytest.fixture
def position():
    """``position("3p phase:1.0 …")``."""
    return Position


class Here(Executor):
    """Does everything at once in this process, whatever is asked of processes."""

    def __init__(self, *_: Any) -> None:
        pass

    def submit(self, work: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(work(*args, **named))
        except BaseException as error:
            done.set_exception(error)
        return done


@pytest.fixture(scope="module")
def work_here() -> Iterator[None]:
    """What is done in processes side by side is done in this one: a new one takes seconds to import what it needs.

    Not for what is killed, loads code that changes, or counts on processes in another way.
    """
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(processes, "ProcessPoolExecutor", Here)
        yield
