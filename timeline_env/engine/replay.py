"""Saved games: the seed of the deal and the moves as text, with digests of the positions on the way."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from timeline_env.engine import record
from timeline_env.engine.batch import Batch, seed_word
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import GAMES
from timeline_env.files import write_text
from timeline_env.reading import cut, quote, read_json

VIEWER = "timeline_env.play.replays"
"""The module that makes a page of a game, imported when one is shown."""
DIGEST_EVERY = 50
"""Moves between two digests; the last position always has one."""


@dataclass(frozen=True)
class SavedGame:
    """A game as it is saved.

    Attributes:
        game: its name, as registered.
        rules_version: the rules it was played by.
        num_players: seats.
        rules: the numbers of a variant, see the game's `load_rules`; empty for the game as it is.
        seed: of the deal, as in the record's field ``seed``; 0 to 2**64 - 1.
        moves: as text, in the order they were made; forced choices are not among them.
        digests: the position's digest after this many moves (as text), the last one included.
    """

    game: str
    rules_version: int
    num_players: int
    rules: dict[str, Any]
    seed: int
    moves: list[str]
    digests: dict[str, str]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """The game in a notebook, to be stepped through; where no scripts may run there, its last position."""
        return importlib.import_module(VIEWER).bundle(self)


def record_game(setting: Setting, seed: int, actions: Iterable[int]) -> SavedGame:
    """Play the actions from the deal of `seed`, and keep them as a saved game.

    Raises:
        ValueError: an action is not legal, or the seed is not allowed.
    """
    game, batch = setting.game, deal_batch(setting, seed)
    moves: list[str] = []
    digests: dict[str, str] = {}
    for action in actions:
        before = batch.states.copy()
        try:
            batch.step([action], restart=False)
        except ValueError as error:  # which begins with the number of the batch's only game
            raise ValueError(f"move {len(moves) + 1}: {str(error).removeprefix('game 0: ')}") from None
        moves.append(game.notation.action_to_text(batch.rules, before[0], int(action)))
        if len(moves) % DIGEST_EVERY == 0:
            digests[str(len(moves))] = record.digest(batch.states)
    digests[str(len(moves))] = record.digest(batch.states)
    return SavedGame(game.name, game.rules_version, setting.num_players, setting.changes, int(seed), moves, digests)


def replay(saved: SavedGame) -> np.recarray[Any, Any]:
    """The last position of a saved game, a record array [1]. Raises ValueError as `follow` does."""
    *_, last = positions(saved)
    return last


def positions(saved: SavedGame) -> Iterator[np.recarray[Any, Any]]:
    """The positions of a saved game from the deal on, one more than there are moves; each a record array [1] of its own.

    Raises ValueError as `follow` does.
    """
    return (states for states, _ in follow(saved))


def follow(saved: SavedGame) -> Iterator[tuple[np.recarray[Any, Any], int | None]]:
    """The positions of a saved game, each with the action that led to it; None for the deal.

    Raises:
        ValueError: the game or the rules version is a different one, a move is not legal, or a position is not the one
            that was saved; the message names the move.
    """
    setting = setting_of(saved)
    game, batch = setting.game, deal_batch(setting, saved.seed)
    check_digest(saved, 0, batch)
    yield batch.states.copy(), None
    for number, move in enumerate(saved.moves, 1):
        try:
            action = game.notation.action_from_text(batch.rules, batch.states[0], move)
        except ValueError as error:
            raise ValueError(f"move {number} of the saved game: {error}") from None
        batch.step([action], restart=False)
        check_digest(saved, number, batch)
        yield batch.states.copy(), action


def deal_batch(setting: Setting, seed: int) -> Batch:
    """A batch of one game, dealt from `seed`."""
    batch = Batch(setting, 1)
    batch.deal(np.array([seed_word(seed)], np.uint64))
    return batch


def setting_of(saved: SavedGame) -> Setting:
    """What was played. Raises ValueError unless the current rules can play it."""
    if saved.game not in GAMES:
        there = f"those imported are {', '.join(GAMES)}" if GAMES else "none is imported"
        raise ValueError(f"game {quote(saved.game)} is unknown, import its module first: {there}")
    game = GAMES[saved.game]
    if saved.rules_version != game.rules_version:
        raise ValueError(
            f"rules_version {saved.rules_version} of the saved game: only version {game.rules_version} of "
            f"{game.name} can be replayed here"
        )
    return Setting(game, saved.num_players, saved.rules)


def check_digest(saved: SavedGame, number: int, batch: Batch) -> None:
    """Raise ValueError if a digest of the position after this many moves was saved and does not match."""
    found = record.digest(batch.states)
    wanted = saved.digests.get(str(number), found)
    if found != wanted:
        raise ValueError(
            f"the position after move {number} has the digest {found}, not {cut(str(wanted))} as in the saved game"
        )


def save(path: str | Path, saved: SavedGame) -> None:
    """Write a saved game as JSON, atomically: the file is never there in part."""
    write_text(Path(path), json.dumps(asdict(saved), indent=1) + "\n")


def load(path: str | Path) -> SavedGame:
    """Read a saved game.

    Raises:
        ValueError: the file cannot be read or is not a saved game; the message names it and what is wrong.
    """
    label = f"saved game {quote(str(path))}"
    return saved_game_in(read_json(Path(path), label), label)


def saved_game_in(content: Any, label: str) -> SavedGame:
    """The saved game that parsed JSON holds. Raises ValueError, which begins with `label`, if it is not one."""
    names = [field.name for field in fields(SavedGame)]
    if not isinstance(content, dict) or set(content) != set(names):
        raise ValueError(f"{label}: it must be an object with the keys {', '.join(names)}")
    for name, kind, meaning in KINDS:
        if type(content[name]) is not kind:
            raise ValueError(f"{label}: {name} {quote(content[name])} must be {meaning}")
    for name, texts in (("moves", content["moves"]), ("digests", content["digests"].values())):
        for text in texts:
            if not isinstance(text, str):
                raise ValueError(f"{label}: {quote(text)} among the {name} must be text")
    moves, digests = content["moves"], content["digests"]
    if str(len(moves)) not in digests or not set(digests) <= set(map(str, range(len(moves) + 1))):
        raise ValueError(
            f"{label}: digests of the positions after the moves {quote(' '.join(digests))}; with {len(moves)} moves they must "
            f"be of 0 to {len(moves)}, the last one among them"
        )
    return SavedGame(**content)


KINDS = (
    ("game", str, "text"),
    ("rules_version", int, "an integer"),
    ("num_players", int, "an integer"),
    ("rules", dict, "an object"),
    ("seed", int, "an integer"),
    ("moves", list, "a list of texts"),
    ("digests", dict, "an object of texts"),
)
"""What each key of the file holds."""
