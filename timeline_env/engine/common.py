"""One form of observation and actions for every number of players: that of the most players, where absent seats are zeros."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.engine.pieces import Layout
from timeline_env.engine.verbs import Game


def most_players(game: Game) -> int:
    """The number of players whose form is the common one.

    Raises:
        ValueError: the game does not tell where the numbers of an observation for fewer players lie in that form.
    """
    if len(game.players) > 1 and game.places is None:
        raise ValueError(f"common True must be False: {game.name} has no common form of its observations")
    return max(game.players)


@lru_cache
def common_layout(game: Game) -> Layout:
    """The layout of the common observation. Raises ValueError as `most_players` does."""
    most = most_players(game)
    layout = copy.copy(game.layout(most))
    scale = layout.scale.copy()
    for count in game.players:
        where = places(game, count, most)
        scale[where] = np.maximum(scale[where], game.layout(count).scale)
    scale.setflags(write=False)
    layout.scale = scale
    return layout


class CommonForm:
    """How observations and masks for some number of players lie in the common form.

    Actions of fewer players are a prefix of those of more, so an action has the same number in both.

    Attributes:
        layout: of the common observation; each scale is the greatest over all numbers of players.
        num_actions: of the common form.
        places: int64 [own size], where each number of the own observation lies in the common one.

    Args:
        game: which game.
        num_players: of the games that are to be seen in the common form.

    Raises:
        ValueError: as for `most_players`.
    """

    def __init__(self, game: Game, num_players: int) -> None:
        most = most_players(game)
        self.layout, self.num_actions = common_layout(game), game.num_actions(most)
        self._own_actions = game.num_actions(num_players)
        self.places = places(game, num_players, most)
        self._runs = runs(np.arange(len(self.places)), self.places)

    def observation(self, own: NDArray[np.int8]) -> NDArray[np.int8]:
        """Own observations [..., own size] in the common form [..., size], a new array. Raises ValueError for another size."""
        check_size("observations", own, len(self.places))
        return spread(own, self._runs, self.layout.size)

    def mask(self, own: NDArray[np.int8]) -> NDArray[np.int8]:
        """Own masks [..., own actions] in the common form [..., actions], a new array. Raises ValueError for another size."""
        check_size("masks", own, self._own_actions)
        return spread(own, [(slice(None), slice(own.shape[-1]))], self.num_actions)


def check_size(name: str, own: NDArray[Any], size: int) -> None:
    """Raise ValueError unless the last axis of `own` has `size` numbers, as for the form's own number of players."""
    if own.shape[-1:] != (size,):
        raise ValueError(f"{name} of shape {own.shape} must have {size} numbers in the last place")


def runs(sources: NDArray[np.int64], targets: NDArray[np.int64]) -> list[tuple[slice, slice]]:
    """Join pairs of indices that both go up by one into pairs of slices (from, to): copying slices takes a fraction of the time."""
    starts = np.flatnonzero((np.diff(sources, prepend=-2) != 1) | (np.diff(targets, prepend=-2) != 1))
    ends = np.append(starts[1:], len(sources))
    return [
        (slice(sources[start], sources[start] + end - start), slice(targets[start], targets[start] + end - start))
        for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
    ]


def spread(own: NDArray[Any], found: list[tuple[slice, slice]], size: int) -> NDArray[Any]:
    """The numbers [..., own size] at their places in zeros [..., size], a new array; `found` as from `runs`."""
    out = np.zeros((*own.shape[:-1], size), own.dtype)
    copy_runs(own, found, out)
    return out


def copy_runs(own: Any, found: list[tuple[slice, slice]], out: Any) -> None:
    """Do what `spread` does, but into `out`, whose other numbers stay; both are numpy's, or both PyTorch's on one device."""
    for source, target in found:
        out[..., target] = own[..., source]


def places(game: Game, num_players: int, seats: int) -> NDArray[np.int64]:
    """Where each number of an observation for `num_players` lies in one for `seats` (as many or more); int64 [own size]."""
    if num_players == seats or game.places is None:
        return np.arange(game.layout(num_players).size)
    return game.places(num_players, seats)


class Reading:
    """What a network made for the layout of `seats` players reads from observations for `num_players`.

    Attributes:
        width: how many numbers the network takes in.
        runs: which numbers of the own observation it reads, and where they lie in its input: see `runs`.

    Args:
        game: which game.
        num_players: of the observations.
        seats: of the network's layout, as many or more.
        pieces: of that layout, in the order in which the network reads them.
    """

    def __init__(self, game: Game, num_players: int, seats: int, pieces: Sequence[str]) -> None:
        layout = game.layout(seats)
        columns = layout.columns(pieces)
        self.width = len(columns)
        place = np.full(layout.size, -1)
        place[columns] = np.arange(self.width)
        put = place[places(game, num_players, seats)]
        own = np.argsort(put, kind="stable")[np.count_nonzero(put < 0) :]
        self.runs = runs(own, put[own])

    def read_into(self, observation: Any, out: Any) -> None:
        """Write what `read` gives into `out`, int8 [n, width], whose other numbers must be zeros; see `copy_runs`."""
        copy_runs(observation, self.runs, out)

    def read(self, observation: NDArray[np.int8]) -> NDArray[np.int8]:
        """The network's input, int8 [n, width], from own observations [n, own size]."""
        return spread(observation, self.runs, self.width)


@lru_cache
def reading(game: Game, num_players: int, seats: int, pieces: tuple[str, ...]) -> Reading:
    """The `Reading` for these arguments, kept because agents ask for it at every decision."""
    return Reading(game, num_players, seats, pieces)
