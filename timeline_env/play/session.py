"""Opens a table in the browser and serves its page beside whatever else the program does."""

from __future__ import annotations

import asyncio
import secrets
import sys
import threading
import webbrowser
from collections.abc import Collection, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from timeline_env.engine import record
from timeline_env.engine.batch import Batch
from timeline_env.engine.replay import SavedGame
from timeline_env.engine.setting import Setting
from timeline_env.engine.verbs import Game
from timeline_env.extras import require
from timeline_env.files import check_writable
from timeline_env.games import game_named
from timeline_env.play import keeping
from timeline_env.play.analysis import Analysis, analysis_in
from timeline_env.play.hosts import reachable
from timeline_env.play.keeping import Kept
from timeline_env.play.table import PERSON, Table, check_seats
from timeline_env.play.thoughts import has_shipped
from timeline_env.players.agents.shipped import SHIPPED
from timeline_env.players.registry import make_absolute
from timeline_env.reading import quote

PORT = 8421
"""The port that the page is served on unless told otherwise."""
NO_BROWSER = "note: no browser could be opened here; open the address in one yourself"


class Session:
    """A page that is being served.

    Attributes:
        table: the game.
        path: the file that the game is kept in; None for none.
        addresses: for each person's seat, by its name, the address of its page; ``watch`` shows what everybody knows.

    Args:
        table: the table.
        secrets: one for each seat, then one for those who only watch.
        host, port: where to serve; port 0 takes any that is free.
        path: the file that the game is kept in; None for none.
        holding: what keeps other programs out of the file; the session takes it over, and releases it when it is closed.

    Raises:
        ValueError: the port cannot be had.
    """

    def __init__(
        self,
        table: Table,
        secrets: tuple[str, ...],
        host: str,
        port: int,
        path: Path | None = None,
        holding: ExitStack | None = None,
    ) -> None:
        self.table, self.secrets, self.host, self.path = table, secrets, host, path
        self.kept_seats = tuple(name if name == PERSON else make_absolute(name, table.setting) for name in table.seats)
        self.server = require("timeline_env.play.server", "play")
        self.socket = self.server.bind(host, port)
        self.port = int(self.socket.getsockname()[1])
        self.holding = ExitStack() if holding is None else holding.pop_all()
        self.room: Any = None
        self._thread = threading.Thread(target=self._run, daemon=True, name="timeline-env play")
        self._begun = threading.Event()
        self._thread.start()
        self._begun.wait()

    @property
    def addresses(self) -> dict[str, str]:
        """The address of each page by the seat's name; with the secret behind the #, where no server sees it."""
        host = reachable(self.host)
        base = f"http://{f'[{host}]' if ':' in host else host}:{self.port}/#"
        people = [seat for seat, name in enumerate(self.table.seats) if name == PERSON]
        if isinstance(self.table, Analysis):
            return {"copy": base + self.secrets[-1]}
        named = {self.table.game.seat_names[seat]: base + self.secrets[seat] for seat in people}
        return named | {"watch": base + self.secrets[-1]}

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        self.room = self.server.Room(self.table, self.secrets, self._keep, asyncio.get_running_loop())
        self._begun.set()
        await self.server.serve(self.room, self.socket, self.host)

    def _keep(self, table: Table) -> None:
        if self.path is not None:
            keeping.write(self.path, Kept(table.as_saved(), self.kept_seats, self.secrets, self.port))

    def wait(self) -> None:
        """Serve until Ctrl-C. If the game cannot go on, the page says so, and standard error why."""
        try:
            while self._thread.is_alive():
                self._thread.join(0.5)
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """Stop serving; the game stays in its file."""
        if self._thread.is_alive():
            self.room.close()
        self._thread.join(5)
        self.holding.close()


def open(
    game: Any = "timeline",
    seats: Sequence[str] | None = None,
    seed: int | None = None,
    rules: Any = None,
    host: str = "127.0.0.1",
    port: int = PORT,
    browser: bool = True,
    path: str | Path | None = None,
    position: str | None = None,
    number: int = 0,
) -> Session:
    """Open a table and show it in the browser; the program goes on meanwhile.

    Args:
        game: the game's name; or a saved game, which goes on where it ended; or an environment or a batch, of which a copy is
            opened to try things out.
        seats: for each seat ``person`` or a player's name, see `timeline_env.players.load_player`; None for one person
            and, in the game's usual number of seats, the strongest players that come with the package.
        seed: of the deal, 0 to 2**64 - 1; None for a random one.
        rules: a variant, see the game's ``load_rules``; None for the game as it is.
        host: the address to serve on. All but this machine's own can be reached by others: see docs/play.md first.
        port: the port; 0 takes any that is free.
        browser: whether a browser is opened with the first person's page.
        path: a file to keep the game in after every decision, so that `resume` can go on with it; None for none.
        position: a position in the notation of the game, opened to try things out; what it leaves unknown is dealt at random.
        number: which game of a batch.

    A saved game has its own seed and rules, a batch or an environment everything of its own. With a batch, an environment or a
    position, the arguments that say who plays and where the game is kept are ignored.

    Raises:
        MissingExtra: the extra ``play`` is not installed.
        ValueError: there is no such game, player or number of seats, the port cannot be had, or the file is there already.
    """
    if position is not None:
        return show(Session(open_analysis(game_named(str(game)), position, rules), new_secrets(0), host, port), browser)
    batch = game if isinstance(game, Batch) else getattr(getattr(game, "unwrapped", None), "batch", None)
    if batch is not None:
        return show(Session(analysis_in(batch, number), new_secrets(0), host, port), browser)
    saved = game if isinstance(game, SavedGame) else None
    played = game_named(saved.game if saved is not None else str(game))
    count = saved.num_players if saved is not None else played.usual_players
    given = saved.rules if saved is not None else rules
    table = Table(played, usual_seats(played, count, given) if seats is None else seats, seed, rules, saved)
    with ExitStack() as holding:
        if path is not None:
            path = Path(path)
            if path.exists():
                raise ValueError(
                    f"path {quote(str(path))} is there already; `resume` goes on with a game that was kept"
                )
            check_writable("path", path)
            holding.enter_context(keeping.hold(path))
        session = Session(table, new_secrets(len(table.seats)), host, port, path, holding)
    return show(session, browser)


def open_analysis(game: Game, position: str, rules: Any) -> Analysis:
    """A table to try out a position at. Raises ValueError if the text is no position."""
    setting = Setting(game, game.notation.num_players_in(position), rules)
    table = Analysis(setting, record.new(game.state))
    table.edit(position)
    return table


def resume(
    path: str | Path, host: str = "127.0.0.1", port: int | None = None, browser: bool = True, own: Collection[str] = ()
) -> Session:
    """Go on with a game that was kept in a file; pages that are still open go on by themselves.

    Args:
        path: the file.
        host: the address to serve on.
        port: the port; None for the one it was served on.
        browser: whether a browser is opened.
        own: ``module:Class`` players of the game whose code may be run.

    Raises:
        ValueError: the file holds something else or another program has it, a player is code that is not among `own`, or the port
            cannot be had.
    """
    path = Path(path)
    keeping.read(path)  # no lock is made beside a file that is no game
    check_writable("path", path)
    with ExitStack() as holding:
        holding.enter_context(keeping.hold(path))
        kept = keeping.read(path)
        session = Session(kept.table(own), kept.secrets, host, kept.port if port is None else port, path, holding)
    return show(session, browser)


def show(session: Session, browser: bool) -> Session:
    """Open a browser with the first person's page, if wanted."""
    if browser and not webbrowser.open(next(iter(session.addresses.values()))):
        print(NO_BROWSER, file=sys.stderr)
    return session


def usual_seats(game: Game, count: int, rules: Any) -> list[str]:
    """One person, and the strongest players of the game, or of the variant `rules`, that come with the package and need no time.

    Raises ValueError if the game is not played by so many.
    """
    check_seats(game, count)
    other = SHIPPED if has_shipped(game, count, Setting(game, count, rules).changes) else [*game.baselines][-1]
    return [PERSON] + [other] * (count - 1)


def new_secrets(seats: int) -> tuple[str, ...]:
    """New secrets: one for each seat, then one for those who only watch."""
    return tuple(secrets.token_urlsafe(18) for _ in range(seats + 1))
