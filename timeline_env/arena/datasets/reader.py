"""Decisions from kept games: the moves are played again, many games at once, and what was seen is computed anew.

Any file of games with moves can be read: a data set's or a tournament's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from timeline_env.arena.played import Played, read
from timeline_env.arena.tournament import GAMES_FILE
from timeline_env.engine.batch import Batch, check_reward, game_seeds
from timeline_env.engine.setting import Setting
from timeline_env.extras import require
from timeline_env.games import game_named
from timeline_env.reading import check_integer, check_number, label_errors, quote, unknown_name

DECISIONS_AT_ONCE = 2**14
"""Decisions of the whole games that are played again together: enough to be fast, few enough that memory is reused."""
LONGEST = 100_000
"""The most decisions of a game: no game comes near, but a damaged file may ask for more than a machine can hold."""


@dataclass(frozen=True)
class Rows:
    """Some decisions, a row each.

    Attributes:
        observation: int8 [k, d], what the seat to act saw.
        action_mask: int8 [k, A], 1 for each legal action.
        action: int64 [k], what it chose.
        seat: int64 [k], the seat.
        player: int64 [k], who sat there, an index into the players' names.
        returns: float32 [k], what the seat earned from this decision to the end of the game, undiscounted.
        game: int64 [k], the number of the game in the file.
    """

    observation: NDArray[np.int8]
    action_mask: NDArray[np.int8]
    action: NDArray[np.int64]
    seat: NDArray[np.int64]
    player: NDArray[np.int64]
    returns: NDArray[np.float32]
    game: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.action)

    def __getitem__(self, rows: Any) -> Rows:
        """The chosen rows; for a slice, without a copy."""
        return Rows(*(getattr(self, each.name)[rows] for each in fields(self)))

    def tensors(self) -> dict[str, Any]:
        """The same as PyTorch tensors over the same memory, by name."""
        torch = require("torch", "train")
        return {each.name: torch.from_numpy(getattr(self, each.name)) for each in fields(self)}


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Kept games, and which of their decisions are wanted; `open_dataset` reads one.

    Attributes:
        played: the games: who sat where, and how they ended.
        setting: what was played.
        games: int64 [m], the games that are read, in this order.
        wanted: bool [n, P], the seats of all games whose decisions are given.
    """

    played: Played
    setting: Setting
    games: NDArray[np.int64]
    wanted: NDArray[np.bool_]

    def __repr__(self) -> str:
        return f"Dataset({self.setting!r}, {len(self.games):,} games, {self.decisions:,} decisions)"

    @property
    def decisions(self) -> int:
        """How many decisions are given; where some seats are left out, an estimate, as if all seats decided equally often."""
        return round((self.played.decisions * self.wanted.mean(axis=1))[self.games].sum())

    def select(
        self, players: str | Iterable[str] | None = None, seats: Iterable[int] | None = None, winners: bool = False
    ) -> Dataset:
        """The same games with only some seats' decisions.

        Args:
            players: only seats where this player or one of these sat; None for all.
            seats: only these seats; None for all.
            winners: only seats that came first, alone or with others.

        Raises:
            ValueError: there is no such player or seat, or `winners` is neither True nor False.
        """
        names, wanted = self.played.about.players, self.wanted.copy()
        if players is not None:
            for name in (chosen := several("players", [players] if isinstance(players, str) else players)):
                if name not in names:
                    raise unknown_name("player", name, names)
            wanted &= np.isin(self.played.seating, [names.index(name) for name in chosen])
        if seats is not None:
            chosen_seats = [check_integer("seat", seat, 0, wanted.shape[1] - 1) for seat in several("seats", seats)]
            wanted &= np.isin(np.arange(wanted.shape[1]), chosen_seats)
        if not isinstance(winners, bool):
            raise ValueError(f"winners {quote(winners)} must be True or False")
        if winners:
            wanted &= self.played.wins > 0
        games = self.games[wanted[self.games].any(axis=1)]
        return Dataset(self.played, self.setting, games, wanted)

    def split(self, share: float) -> tuple[Dataset, Dataset]:
        """The games of the first deals, this share of all deals, and those of the others; all turns and tables of a deal are on one side.

        Raises ValueError unless `share` is a number from 0 to 1.
        """
        share = check_number("share", share, 0, 1)
        deal = self.played.deal[self.games]
        deals = np.unique(deal)
        is_first = np.isin(deal, deals[: round(len(deals) * share)])
        first, others = (
            Dataset(self.played, self.setting, self.games[chosen], self.wanted) for chosen in (is_first, ~is_first)
        )
        return first, others

    def batches(self, size: int, seed: int | None = None, reward: str = "rank") -> Iterator[Rows]:
        """The decisions, `size` at a time; the last batch may be smaller.

        Args:
            size: at least 1.
            seed: None for game after game, each from its first decision to its last; else games come in a random
                order, and some ten thousand decisions at a time are mixed.
            reward: what `returns` is a sum of, one of the game's kinds of reward.

        Raises:
            ValueError: a value is not allowed; or a game cannot have been played: it has an illegal move, or another
                result than the file says.
        """
        size = check_integer("size", size, 1)
        check_reward(self.setting.game, reward)
        rng = None if seed is None else np.random.default_rng(check_integer("seed", seed, 0))
        return self._batches(size, rng, reward)

    def _batches(self, size: int, rng: np.random.Generator | None, reward: str) -> Iterator[Rows]:
        games = self.games if rng is None else rng.permutation(self.games)
        left: list[Rows] = []  # fewer than `size` rows
        for block in self._blocks(games):
            rows = self._replay(block, reward)
            if rng is not None:
                rows = rows[rng.permutation(len(rows))]
            if left:
                lacking = size - sum(map(len, left))
                left.append(rows[:lacking])
                rows = rows[lacking:]
                if len(left[-1]) < lacking:
                    continue
                yield _join(left)
            whole = len(rows) // size * size
            for start in range(0, whole, size):
                yield rows[start : start + size]
            left = [rows[whole:]] if len(rows) > whole else []
        if left:
            yield _join(left)

    def _blocks(self, games: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """The games in their order, in blocks that are played again together."""
        number = np.cumsum(self.played.decisions[games], dtype=np.int64) // DECISIONS_AT_ONCE
        return np.split(games, np.flatnonzero(np.diff(number)) + 1) if len(games) else []

    def _replay(self, games: NDArray[np.int64], reward: str) -> Rows:
        """The wanted decisions of these games, game after game."""
        played, lengths = self.played, self.played.decisions[games].astype(np.int64)
        rows = _empty_rows(self.setting, int(lengths.sum()))
        first_row, first_action = np.cumsum(lengths) - lengths, self._first_actions[games]
        # The longest game comes first in the batch, so that those that go on are always the batch's first ones.
        order = np.argsort(-lengths, kind="stable")
        games, lengths, first_row, first_action = games[order], lengths[order], first_row[order], first_action[order]
        batch, places = Batch(self.setting, len(games), reward=reward), np.arange(len(games))
        batch.deal(self._seeds[games])
        earned = np.zeros(batch.reward.shape)
        for turn in range(lengths[0]):
            running = places[: np.searchsorted(-lengths, -turn)]
            count = len(running)
            row, seat = first_row[:count] + turn, batch.seat[:count]
            action = played.actions[first_action[:count] + turn].astype(np.int64)
            _check(batch.action_mask[running, action] == 1, games, f"decision {turn} is not legal")
            rows.observation[row], rows.action_mask[row] = batch.observation[:count], batch.action_mask[:count]
            rows.action[row], rows.seat[row], rows.game[row] = action, seat, running
            rows.returns[row] = -earned[running, seat]
            batch.step_legal(action, running, False)
            earned[:count] += batch.reward[:count]
            _check(batch.done[:count] == (lengths[:count] == turn + 1), games, "it ends elsewhere than the file says")
        same = (batch.points == played.points[games]) & (batch.rank == played.rank[games])
        _check(same.all(axis=1), games, "it ends with another result than the file says")
        rows.returns[:] += earned[rows.game, rows.seat]
        rows.game[:] = games[rows.game]
        rows.player[:] = played.seating[rows.game, rows.seat]
        given = self.wanted[rows.game, rows.seat]
        return rows if given.all() else rows[given]

    @cached_property
    def _first_actions(self) -> NDArray[np.int64]:
        """Where each game's moves begin, int64 [n]."""
        lengths = self.played.decisions.astype(np.int64)
        return np.cumsum(lengths) - lengths

    @cached_property
    def _seeds(self) -> NDArray[np.uint64]:
        """What each game is dealt from, uint64 [n]."""
        return game_seeds(self.played.about.seed, self.played.about.deals)[self.played.deal]


def open_dataset(path: str | Path) -> Dataset:
    """Open the data set or the tournament in a folder, or in a file of games.

    Raises:
        ValueError: there is none, or it was played by other rules than today's.
    """
    if not isinstance(path, str | Path) or path == "":
        raise ValueError(f"data set {quote(path)} must be a folder or a file")
    path = Path(path)
    with label_errors(f"there is no data set {quote(str(path))}"):
        file = path / GAMES_FILE if path.is_dir() else path
        exists = file.is_file()
    label = quote(str(file))
    if not exists:
        raise ValueError(f"there is no data set {label}")
    played = read(file)
    about = played.about
    with label_errors(label):
        setting = Setting(game_named(about.game), len(about.seats), about.rules)
        setting.check("it", SimpleNamespace(**vars(about), num_players=len(about.seats)))
    lengths, most = played.decisions, setting.game.num_actions(setting.num_players)
    if not len(lengths) or lengths.min() < 1 or lengths.max() > LONGEST:
        raise ValueError(f"{label}: every game must have 1 to {LONGEST:,} decisions")
    if played.actions.max() >= most:
        raise ValueError(f"{label}: action {played.actions.max()} must be below {most}")
    return Dataset(played, setting, np.arange(len(lengths)), np.ones(played.rank.shape, np.bool_))


def _empty_rows(setting: Setting, count: int) -> Rows:
    """Room for this many decisions."""
    game, players = setting.game, setting.num_players
    seen = (np.empty((count, width), np.int8) for width in (game.layout(players).size, game.num_actions(players)))
    return Rows(*seen, *(np.empty(count, kind) for kind in ("i8", "i8", "i8", "f4", "i8")))  # type: ignore[arg-type]


def _check(right: NDArray[np.bool_], games: NDArray[np.int64], wrong: str) -> None:
    """Raise ValueError unless all games are right; it names the first one that is not and what is wrong with it."""
    if not right.all():
        raise ValueError(f"game {games[right.argmin()]} of the data set cannot have been played: {wrong}")


def _join(parts: Sequence[Rows]) -> Rows:
    return Rows(*(np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(Rows)))


def several(name: str, values: Any) -> list[Any]:
    """The values as a list. Raises ValueError if they are one thing that cannot be iterated over."""
    if not isinstance(values, Iterable):
        raise ValueError(f"{name} {quote(values)} must be several, such as a list")
    return list(values)
