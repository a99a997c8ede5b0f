"""Keeps a game that is being played in a file, so that it can go on after the program has ended, however that happened."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Collection
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path

from timeline_env.engine.replay import SavedGame, saved_game_in, setting_of
from timeline_env.files import hold_place, lock_beside, write_file
from timeline_env.games import game_named
from timeline_env.play.table import Table
from timeline_env.players.names import refuse_commands, refuse_modules
from timeline_env.reading import quote, read_json

KEYS = ("game", "seats", "secrets", "port")


@dataclass(frozen=True)
class Kept:
    """What the file holds.

    Attributes:
        game: the game so far.
        seats: for each seat a player's name, or `timeline_env.play.table.PERSON`.
        secrets: one for each seat, then one for those who only watch; with them, pages that are still open go on, too.
        port: the port that the page was served on.
    """

    game: SavedGame
    seats: tuple[str, ...]
    secrets: tuple[str, ...]
    port: int

    def table(self, own: Collection[str] = ()) -> Table:
        """The table at which the game goes on.

        Args:
            own: ``module:Class`` players whose code may be run: a file alone cannot ask for that.

        Raises:
            ValueError: the game or a player does not exist; a player is a command, or a module that is not among `own`; one of
                `own` does not play; or today's rules cannot play the game.
        """
        if strange := next((name for name in own if name not in self.seats), ""):
            raise ValueError(f"player {quote(strange)} plays in no seat of the kept game")
        refuse_commands(self.seats, "the kept game")
        refuse_modules(self.seats, own, "the kept game", "name it again, as in --seat SEAT={}")
        game = game_named(self.game.game)  # which loads it, so that its rules are known
        setting_of(self.game)
        return Table(game, self.seats, saved=self.game)


def hold(path: Path) -> AbstractContextManager[None]:
    """Keep every other program out of the file: it would write its own game over this one.

    Raises:
        ValueError: another program has it.
    """
    refusal = f"game {quote(str(path))} is being played in another program: play on there, or end that one first"
    return hold_place(path, refusal)


def write(path: Path, kept: Kept) -> None:
    """Write the file in one step. It reveals all cards, so only its owner may read it."""
    content = {"game": asdict(kept.game), "seats": kept.seats, "secrets": kept.secrets, "port": kept.port}
    text = json.dumps(content, indent=1) + "\n"
    write_file(path, lambda file: file.write(text.encode()), 0o600)


def read(path: Path) -> Kept:
    """Read the file.

    Raises:
        ValueError: it cannot be read or is something else; the message names it.
    """
    label = f"game {quote(str(path))}"
    content = read_json(path, label)
    if not isinstance(content, dict) or set(content) != set(KEYS):
        raise ValueError(
            f"{label}: it must be an object with the keys {', '.join(KEYS)}; --replay shows other saved games"
        )
    game, port = saved_game_in(content["game"], label), content["port"]
    for name, most in (("seats", 0), ("secrets", 1)):
        texts = content[name]
        if not isinstance(texts, list) or not all(isinstance(text, str) and text for text in texts):
            raise ValueError(f"{label}: {name} {quote(texts)} must be a list of texts")
        if len(texts) != game.num_players + most:
            raise ValueError(f"{label}: {len(texts)} {name} for {game.num_players} players")
    if type(port) is not int or not 0 < port < 2**16:
        raise ValueError(f"{label}: port {quote(port)} must be an integer from 1 to {2**16 - 1}")
    return Kept(game, tuple(content["seats"]), tuple(content["secrets"]), port)


def new_path(game: str) -> Path:
    """Where a new game is kept: a file of its own in a folder that is the user's alone.

    Raises:
        OSError: there is no place for it.
        ValueError: the user has no home.
    """
    home = os.environ.get("XDG_STATE_HOME") or "~/.local/state"
    try:
        folder = Path(home).expanduser() / "timeline_env" / "games"
    except RuntimeError:  # as in a container
        raise ValueError("there is no home folder to keep the game in; --save names a file") from None
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    stem = f"{game}-{time.strftime('%Y%m%d-%H%M%S')}"
    names = [f"{stem}.json", *(f"{stem}-{number}.json" for number in range(2, 100))]
    paths = [folder / name for name in names]
    return next(path for path in paths if not path.exists() and not lock_beside(path).exists())
